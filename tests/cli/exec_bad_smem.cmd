wsim exec ldmatrix.sync.aligned.m8n8.x1.shared.b16 --smem iota64
