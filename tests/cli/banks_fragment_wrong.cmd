wsim banks wmma.load.a.sync.aligned.row.m16n16k16.f16
wsim banks wmma.load.a.sync.aligned.row.m16n16k16.global.f16
wsim banks wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16
wsim banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --mask 1
wsim banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --size 4
wsim banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --addr lane
wsim banks wmma.load.a.sync.aligned.row.m8n32k16.shared.s8 --stride 20
wsim exec wmma.load.a.sync.aligned.row.m8n32k16.shared.s8 --stride 20
wsim banks ld.shared.u32 --addr 0 --stride 4
