# what one lane holds of the result, and of the inputs if they are asked for
wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane 5 --show-inputs
wsim exec mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 --lane 31 | tail -4
wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --lane 3 --format csv
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --lane 3 --format json | tail -22
wsim exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --lane 127 | tail -4
wsim exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --lane 128
wsim exec stmatrix.sync.aligned.m8n8.x1.shared.b16 --lane 3
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --lane 32
