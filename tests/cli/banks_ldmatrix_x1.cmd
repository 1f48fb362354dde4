wsim banks ldmatrix.sync.aligned.m8n8.x1.shared.b16 --addr 'lane % 8 * 64'
