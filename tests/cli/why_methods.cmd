# every method has steps of its own
wsim why mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 --element 3,5 --a random:1 --b random:2 --c random:3
wsim why mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 --element 2,3,5 --a random:1 --b random:2 --c random:4
wsim why mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 --element 3,5 --a random:1 --b random:2
wsim why mma.sync.aligned.m8n8k4.rz.row.col.f64.f64.f64.f64 --arch sm_100a --element 3,5 --a random:1 --b random:2 | sed -n 6,12p
wsim why mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 --element 3,5 --a random:1 --b random:2
wsim why mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc --element 3,5 --a random:1 --b random:2
