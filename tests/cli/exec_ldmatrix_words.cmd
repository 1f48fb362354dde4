wsim exec ldmatrix.sync.aligned.m8n8.x4.shared.b16 --smem iota32 --addr '(lane%16*8 + lane/16*4)*4' | grep -m1 '^ *1 '
