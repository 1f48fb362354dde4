wsim exec stmatrix.sync.aligned.m8n8.x4.shared.b16
