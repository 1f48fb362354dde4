wsim layout ldmatrix.sync.aligned.m8n8.x2.shared.b16
wsim layout stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 --row 3 --col 5
