f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim compare -w $f --random 2000; echo $?
wsim compare $f --random 500 --arch a100,h100 --dist near-one --seed 4 --format json
wsim compare -w mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 --random 100; echo $?
wsim compare -w mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random 400 --arch a100,h100
