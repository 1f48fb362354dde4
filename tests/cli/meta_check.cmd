# every group that is wrong, and what is wrong with it
f=mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim meta check $f --e random:1; echo $?
wsim meta check $f --e hex:0000000044445d44$(printf '44444444%.0s' $(seq 30)); echo $?
wsim meta check mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --e hex:4d94e444$(printf '44444444%.0s' $(seq 31)) --format json
wsim meta check mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --e hex:45444444$(printf '44444444%.0s' $(seq 31))
wsim meta check mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 --e hex:44444404$(printf '44444444%.0s' $(seq 31))
wsim meta check $f --dense one >all; echo $?; tail -4 all
wsim meta check mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --dense eye; echo $?
wsim meta check mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 --dense iota --format json | head -20
wsim meta check $f --dense '0,0=1; 0,1=2; 0,3=3; 5,*=0'
