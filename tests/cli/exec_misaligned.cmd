wsim exec ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane*8'
