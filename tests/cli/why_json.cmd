wsim why mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 --element 3,5 --a random:1 --b random:2 --c random:3 --b-addr 'lane * 16' --swizzle 32B --format json | head -150
wsim why mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 --element 3,5 --format json --arch sm_80 | head -60 | tail -40
wsim why mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 --element 3,5 --format json | tail -30
