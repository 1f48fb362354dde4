mma=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim gemm
wsim gemm $mma
wsim gemm $mma a.npy
wsim gemm $mma a.npy b.npy c.npy
wsim gemm $mma none.npy none.npy
wsim gemm $mma a.npy --random raw --size 1x1x1
wsim gemm $mma --random raw
wsim gemm $mma --random all --size 1x1x1
wsim gemm $mma --random rw --size 1x1x1
for size in 1x1 1x1x 1x1x1x1 x 1x-1x1 1x2x3000000000 ''; do wsim gemm $mma --random raw --size "$size"; done
wsim gemm $mma --random raw --size 1x1x1 --seed x
wsim gemm $mma --random raw --size 1x1x1 --jobs 257
wsim gemm $mma --random raw --size 1x1x1 --jobs -1
wsim gemm $mma --random raw --size 1x1x1 --path fast 2>&1 | sed "s/are:.*/are:/"
wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --random raw --size 1x1x1 --compare sm_80,sm_70
wsim gemm $mma --random raw --size 1x1x1 --compare sm_80, 2>&1 | cut -c1-50
wsim gemm $mma --random raw --size 1x1x1 --format cute
wsim gemm $mma a.npy b.npy --size 1x1x1
wsim gemm ldmatrix.sync.aligned.m8n8.x1.b16 --random raw --size 1x1x1
wsim gemm wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 --arch sm_80 --random raw --size 1x1x1
