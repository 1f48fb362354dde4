# registers of tcgen05.ld and tcgen05.st against those of mma and wgmma
ld=tcgen05.ld.sync.aligned mma=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 g=wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
wsim layout --fits $ld.16x256b.x1.b32 $mma; wsim layout --fits $ld.16x256b.x4.b32 $mma; wsim layout --fits $ld.16x256b.x4.b32 $g --operand d
wsim layout --fits tcgen05.st.sync.aligned.16x256b.x8.b32 $g --format json
wsim layout --fits $ld.16x128b.x2.pack::16b.b32 $mma --operand a
wsim layout --fits $ld.16x128b.x2.b32 $mma --operand a; echo "status $?"
for s in 32x32b.x4 16x64b.x8 16x128b.x1 16x32bx2.x2 16x256b.x1.pack::16b; do wsim layout --fits $ld.$s.b32 $mma; echo "status $?"; done
wsim layout --fits $ld.16x64b.x1.b32 $mma --operand c --format json
wsim layout --fits tcgen05.cp.cta_group::1.128x256b $mma; wsim layout --fits $ld.16x256b.x1.b32; wsim layout --fits $ld.16x256b.x1.b32 $mma --pitch 3
wsim layout --fits $ld.16x256b.x1.b32 tcgen05.mma.cta_group::1.kind::f16; wsim layout --fits $ld.16x256b.x1.b32 $mma --operand x; wsim layout --fits $ld.16x256b.x1.b32 $mma more
