wsim exec mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3 --arch sm_120a --a random:1 --b iota --sfa random:2 --sfb one
