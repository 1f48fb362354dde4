wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --addr 'lane*16' --smem-size 512 | grep -m1 '^ *4 '
