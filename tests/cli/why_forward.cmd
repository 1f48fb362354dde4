# from a register or a byte to the results that it enters
f=mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
wsim why $f --operand a --lane 12 --reg 0 | tail -17
wsim why $f --operand b --lane 12 --reg 0 --format json | head -30
wsim why $f --operand c --lane 12 --reg 1 | tail -2
wsim why $f --byte 0x52 --b-addr 'lane * 16' | tail -3
wsim why $f --byte 0x552 --b-addr 'lane * 16' | tail -1
wsim why mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --operand e --lane 1 --reg 0 --selector 1 --arch sm_80 | tail -4
wsim why mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --operand b --lane 5 --reg 0 --arch sm_80 --e random:3 | tail -5
wsim why mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 --arch sm_120a --operand sfb --lane 8 --reg 0 | tail -4
wsim why mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 --operand d --lane 3 --reg 1 | tail -1
wsim why wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --byte 0x43 | tail -65 | head -4
