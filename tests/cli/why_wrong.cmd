f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim why
wsim why $f
wsim why $f --element 16,0
wsim why $f --element 3
wsim why $f --element 3,5,6,7
wsim why $f --element x,1
wsim why $f --element ''
wsim why mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --element 3,5
wsim why mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --element 4,5,0
wsim why $f --element 3,5 --lane 3
wsim why $f --lane 3
wsim why $f --lane 32 --reg 0
wsim why $f --lane 3 --reg 4
wsim why $f --lane 3 --reg 0 --operand e
wsim why $f --byte 3
wsim why $f --byte 3 --lane 3
wsim why wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --operand b --lane 3 --reg 0
wsim why ldmatrix.sync.aligned.m8n8.x4.shared.b16
wsim why $f --element 3,5 --arch sm_1
wsim why $f --element 3,5 --format cute
wsim why $f $f
wsim why $f --row 3
wsim why $f --row 3 --col 4 --element 3,4
wsim why $f --row 3 --col 8
wsim why $f --row 3 --col 5 | grep '^d'
