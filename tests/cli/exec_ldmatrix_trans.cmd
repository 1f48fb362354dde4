wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --addr 'lane*16' --smem-size 512 | sed -n 5,10p
