# one product: A times the identity is A; the spelling takes fields of the instruction descriptor
f=tcgen05.mma.cta_group::1.kind
wsim exec $f::f16 M=64 N=8 --row 33
wsim exec $f::f16 M=64 N=8 D=f16 --row 33 --a iota --c '33,2=5'
wsim exec $f::f16 tA=1 tB=1 N=16 --a random:1 --b random:2 --row 100
wsim exec $f::f16 N=16 --a random:1 --b random:2 --row 100
wsim exec tcgen05.mma.cta_group::2.kind::f16 M=256 N=16 --a random:1 --b random:2 --row 200 --format csv | head -2
wsim exec $f::i8 N=8 A=u8 B=s8 --a '*,*=200' --b '*,*=-3' --row 127
wsim exec tcgen05.mma.sp.cta_group::1.kind::tf32 N=8 --a random:1 --b iota --e random:3 --row 3
wsim exec $f::mxf8f6f4.block_scale.block32 N=8 A=e2m3 B=e3m2 --a random:1 --b random:2 --sfa random:5 --row 3
wsim exec $f::mxf4nvf4.block_scale.block16 N=8 --a random:1 --b random:2 --sfa random:5 --sfb random:6 --c random:7 --row 3
wsim exec $f::f16 N=8 --row 3 --scale-d 0 --c '*,*=7'
wsim exec $f::f16 --trans-a
wsim exec $f::f16 --sfa one
wsim exec $f::f16 --arch h100
wsim exec $f::f16 N=8 --e keep
wsim exec tcgen05.mma.sp.cta_group::1.kind::f16 sel=1
# wgmma and tcgen05 multiply the same matrices to the same bits, but for 8-bit floats
g=wgmma.mma_async.sync.aligned
wsim compare $g.m64n16k16.f32.f16.f16 --a random:1 --b random:2 --c random:3 --arch h100,b200
wsim compare $g.m64n16k8.f32.tf32.tf32 --a random:1 --b random:2 --arch h100,b200 | tail -3
wsim compare $g.m64n16k16.f16.f16.f16 --a random:1 --b random:2 --trans-b --arch h100,b200 | tail -3
wsim compare $g.m64n16k32.s32.s8.u8 --a random:1 --b random:2 | tail -3
wsim compare $g.m64n8k32.f32.e4m3.e4m3 --a random:1 --b random:2 --arch h100,b200
wsim compare $f::f16 --arch b200,sm_103a --a random:1 | tail -4
wsim compare $f::f16 --random 10
# masks of lanes, and of columns
wsim exec tcgen05.mma.cta_group::1.kind::f16 M=64 N=8 --a one --b one --lane-mask ffff0000,0xfffffffe,0,0 --lane 32
wsim exec tcgen05.mma.cta_group::1.kind::f16 M=64 N=8 --a one --b one --lane-mask ffff0000,0xfffffffe,0,0 --row 17 | tail -1
wsim exec tcgen05.mma.ws.cta_group::1.kind::f16 M=64 N=64 --a one --b one --zero-mask 0003028000000000 --row 0 | sed -n '12,24p'
for m in 1,2 1,2,3,4,5 1,2,3,g 1,2,3,-4 100000000,0,0,0; do wsim exec tcgen05.mma.cta_group::1.kind::f16 --lane-mask $m; done
wsim exec tcgen05.mma.cta_group::1.kind::f16 --zero-mask 5
wsim exec tcgen05.mma.cta_group::1.kind::mxf4.block_scale --lane-mask 1,2,3,4
wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane-mask 1,2,3,4
for o in "--selector 1" "--bid-a 1" "--stride 8" "--smem-size 64"; do wsim exec tcgen05.mma.cta_group::1.kind::f16 $o; done
