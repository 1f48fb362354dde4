wsim banks stmatrix.sync.aligned.m8n8.x2.shared.b16 --addr 'lane * 16 + lane / 8 * 16' --format json
