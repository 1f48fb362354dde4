# the rule, its source, and the smallest change that is legal
wsim why mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_80; echo $?
wsim why mma.sync.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80
wsim why mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 --format json
wsim why '@%p mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0}, {%1};' --arch sm_75
wsim why 'asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f64 {%0};" ::);'
wsim why wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16
wsim why wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 --arch sm_70; echo $?
wsim why tcgen05.mma.cta_group::1.kind::f16; echo $?
wsim why mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --element 1,2 --e hex:$(printf '%0256d' 0); echo $?
wsim why mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --element 1,2 --e hex:$(printf '%0256d' 0) --format json; echo $?
wsim why no.such.thing
wsim why add.rn.f32
wsim why add.rn.f33
wsim why redux.sync.add.s32 --arch sm_75
wsim why "$(printf 'mma.sync.\033[31m.m16n8k16.row.col.f32.f16.f16.f32')"
