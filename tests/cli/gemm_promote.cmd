for k in 32 128 0; do
    wsim gemm mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_89 --random near-one --size 4x4x1000 --promote $k --path plain | tail -n +4
done
wsim gemm mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_89 --random near-one --size 4x4x1000 --promote 100
wsim gemm mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 --arch sm_120a --random near-one --size 4x4x1000 --promote 64
