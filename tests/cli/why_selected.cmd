# what metadata and scale factors select
wsim why mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --element 3,5 --a random:1 --b random:2 --e random:4 --selector 1 --arch sm_80
wsim why mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e2m1.f32.ue8m0 --arch sm_120a --element 3,5 --a random:1 --b random:2 --sfa random:3 --bid-b 2 --tid-b 1 | sed -n 7,20p
wsim why mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 --arch sm_120a --element 3,5 --a random:1 --b random:2 --sfa random:3 | grep -v '^ *[0-9][0-9]*  '
