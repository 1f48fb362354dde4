wsim exec stmatrix.sync.aligned.m8n8.x2.shared.b16 --addr 'lane % 8 * 16'
