# which lane gives the address of which row, asked from either side
ld=ldmatrix.sync.aligned.m8n8.x4
wsim layout $ld.shared.b16 --addresses
wsim layout $ld.trans.shared.b16 --addresses --lane 19
wsim layout ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 --addresses --row 9 --batch 1 --format json
wsim layout stmatrix.sync.aligned.m8n8.x1.shared.b16 --addresses --row 7 --format csv
wsim layout stmatrix.sync.aligned.m8n8.x1.shared.b16 --addresses --lane 8; echo "status $?"
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --addresses; wsim layout $ld.shared.b16 --addresses --reg 1; wsim layout $ld.shared.b16 --addresses --format cute
