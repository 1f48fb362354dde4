wsim banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --stride 24 --color never | head -6
wsim banks wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 --stride 20 --addr 48 --format json | grep -E '^ "(address|stride|evidence|outside)'
wsim banks wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 --stride 24 --addr 64 --format json | grep -E '^ "(address|stride|evidence|outside)'
