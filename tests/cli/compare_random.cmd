f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim compare -w $f --random 2000; echo $?
wsim compare $f --random 500 --arch a100,h100 --dist near-one --seed 4 --format json
wsim compare -w mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 --random 100; echo $?
wsim compare -w mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random 400 --arch a100,h100
# matrices in tensor memory: case 5 is --a random:5 --b random:5 --c random:5
wsim compare -w wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 --arch h100,b200 --random 20 --seed 5; echo $?
wsim compare -w tcgen05.mma.sp.cta_group::2.kind::f16 M=128 N=32 --arch b200,sm_103a --random 2; echo $?
wsim compare tcgen05.mma.cta_group::1.kind::f16 --arch b200 --random 2 --dist raw
