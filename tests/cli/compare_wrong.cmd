f=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim compare
wsim compare $f --arch a100,a100
wsim compare $f --arch a100,nothing
wsim compare $f --arch a100,
wsim compare $f --arch sm_75,sm_80
wsim compare ldmatrix.sync.aligned.m8n8.x4.shared.b16
wsim compare $f --seed 3
wsim compare $f --random -1
wsim compare $f --random 10 --dist nothing
wsim compare wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 --arch v100,h100 --random 10
wsim compare tcgen05.mma.cta_group::1.kind::f16
wsim compare mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --e hex:$(printf '%0256d' 0)
wsim exec --compare tcgen05.mma.cta_group::1.kind::f16 --arch b200,a100
