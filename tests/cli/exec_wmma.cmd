wsim exec --wide wmma.load.b.sync.aligned.col.m32n8k16.shared.f16 --stride 32 | head -20
wsim exec wmma.load.a.sync.aligned.row.m16n16k16.f16 --stride 8
wsim exec wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --stride 24 | head -6
wsim exec wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --stride 20
wsim exec wmma.load.a.sync.aligned.row.m16n16k16.f16 --stride 17
wsim exec wmma.load.a.sync.aligned.row.m16n16k16.f16 --addr 2
wsim exec wmma.load.a.sync.aligned.row.m16n16k16.f16 --smem-size 511
wsim exec wmma.store.d.sync.aligned.col.m8n8k32.s32
wsim exec --arch sm_70 wmma.load.a.sync.aligned.row.m16n16k16.f16 | head -20
wsim exec --arch sm_70 wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 | tail -18
wsim exec --arch sm_70 wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16
wsim exec --arch sm_72 wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
wsim banks --arch sm_70 wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
wsim exec wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 | tail -10
