wsim banks wmma.load.c.sync.aligned.row.m8n8k32.shared.s32 --addr 32 --stride 20 --color never
wsim banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --stride 16 --format csv
wsim banks wmma.store.d.sync.aligned.col.m8n8k4.shared.f64 --format json | head -24
wsim banks wmma.load.b.sync.aligned.col.m8n32k16.shared.s8 --stride 32 --arch a100 --color never | head -4
wsim banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --stride 64 --fail-on-conflicts | tail -1
