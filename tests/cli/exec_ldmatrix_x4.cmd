wsim exec ldmatrix.sync.aligned.m8n8.x4.shared.b16 --smem iota16 --addr 'lane%16*32 + lane/16*16'
