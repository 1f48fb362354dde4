wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane % 16 * 128 + lane / 16 * 16'
wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane % 16 * 128 + (lane / 16 ^ lane % 8) * 16' --format csv
