wsim check --arch sm_90a ldmatrix.sync.aligned.m8n8.x8.shared.b16 mma.sync.aligned.m8n8k4.row.col.f32.tf32.tf32.f32
