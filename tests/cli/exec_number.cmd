# every number goes through the one reader
sparse=mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
scaled=mma.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0
wsim exec $sparse --selector 001 | grep selector
for selector in '' 01x -1 2; do wsim exec $sparse --selector "$selector"; done
for id in bid-a tid-a bid-b tid-b; do wsim exec $scaled --arch sm_120a --$id=; done
wsim exec $scaled --arch sm_120a --tid-a 2
wsim exec $scaled --arch sm_120a --bid-b 65536
wsim exec $scaled --arch sm_120a --bid-a 02 --tid-b 0x0 | grep bid
for size in 0200 0x200 0x '' 1048577; do
    wsim exec ldmatrix.sync.aligned.m8n8.x1.shared.b16 --addr 'lane % 8 * 16' --smem-size "$size" | grep smem
done
