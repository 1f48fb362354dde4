wsim exec mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 --arch sm_89 --a iota --b random:1
