wsim check --arch sm_80 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ldmatrix.sync.aligned.x4.m8n8.shared.b16
