wsim exec stmatrix.sync.aligned.m8n8.x1.shared.b16 --smem random:1 --addr '(7 - lane % 8) * 16' --format json
