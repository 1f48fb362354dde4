# said before the addresses are missed
wsim banks mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim banks mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --addr lane
wsim banks movmatrix.sync.aligned.m8n8.trans.b16 --addr lane
