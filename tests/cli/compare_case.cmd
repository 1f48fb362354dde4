f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim compare -w $f --arch a100,h100,b200 --a random:1 --b random:2 --c random:3; echo $?
wsim compare -w $f --a random:1
wsim compare mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_120a,sm_89 --a random:1 --b random:2 --c random:5 | tail -11
wsim compare -w mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --a random:1 --b random:2 --c random:5 --arch sm_70,sm_75,sm_80
wsim compare -w mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 --a random:1 --b random:2; echo $?
wsim compare $f --arch a100,h100 --a random:1 --b random:2 --c random:3 --format json
wsim compare wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 --arch v100,h100 --a random:1 --b random:2 | tail -5
