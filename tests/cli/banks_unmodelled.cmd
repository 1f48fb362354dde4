wsim banks ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 --addr 'lane * 16' --arch sm_100a
