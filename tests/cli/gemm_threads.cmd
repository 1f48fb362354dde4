# the same bits whoever computes them
for jobs in 1 2 5; do
    wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --random finite --size 300x150x40 --jobs $jobs --path plain | grep digest
done
for path in $(wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --path x --size 1x1x1 2>&1 | sed 's/.*there are://'); do
    wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --random finite --size 300x150x40 --path $path | grep -o 'digest [0-9a-f]*'
done | sort -u
