wsim exec ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 --arch sm_100a
