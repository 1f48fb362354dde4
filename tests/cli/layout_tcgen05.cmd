# tensor memory: where D, A, metadata and scale factors of a product are
f=tcgen05.mma.cta_group::1.kind::f16
wsim layout $f M=64 N=8 | sed -n 1,24p
wsim layout $f M=64 N=8 --lane 96
wsim layout tcgen05.mma.cta_group::2.kind::f16 M=128 N=32 --row 100 --col 20
wsim layout tcgen05.mma.ws.cta_group::1.kind::f16 M=32 N=64 --row 5 --col 40
wsim layout $f N=8 --operand a --row 3 --col 5
wsim layout tcgen05.mma.sp.cta_group::1.kind::f16 N=8 --operand e --row 9 --col 5
wsim layout tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block16 M=256 N=64 --operand sfb --row 1 --col 33
wsim layout $f --operand b
wsim layout $f --operand sfa
wsim layout $f N=8 --format csv | tail -2
wsim layout $f N=8 --format json | head -c 300; echo
wsim layout $f --cute 1:1
# registers of loads and stores
wsim layout tcgen05.ld.sync.aligned.16x64b.x2.b32 | sed -n 1,12p
wsim layout tcgen05.ld.sync.aligned.16x256b.x1.pack::16b.b32 --lane 5
wsim layout SM100_TMEM_STORE_16dp32b4x --row 3 --col 2
wsim layout tcgen05.cp.cta_group::1.128x256b --row 127 --col 7
# D as a layout of CuTe
wsim layout $f M=64 N=24 --format cute
wsim layout tcgen05.mma.ws.cta_group::1.kind::f16 M=32 N=64 --format cute
wsim layout $f M=64 N=8 --cute '((_16,_4),_8):((_65536,Int<2097152>),_1)'; echo $?
wsim layout $f M=64 N=8 --cute '(64,8):(65536,1)'; echo $?
wsim layout $f M=64 N=8 --cute '(128,8):(65536,1)'; echo $?
wsim layout $f --operand a --format cute
wsim layout tcgen05.ld.sync.aligned.16x64b.x2.b32 --cute '(1,1):(1,1)'
wsim layout tcgen05.mma.cta_group::1.kind::f16 --operand e
wsim exec tcgen05.ld.sync.aligned.32x32b.x1.b32
# the source of a copy: rows and words
wsim layout tcgen05.cp.cta_group::1.4x256b | sed -n 1,9p
wsim layout tcgen05.cp.cta_group::1.64x128b.warpx2::01_23 --row 40 --col 2
wsim layout SM100_UTCCP_4x32dp128bit_1cta --format csv | tail -2
wsim layout tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b4x16_p64; echo $?
wsim layout tcgen05.shift.cta_group::1.down
wsim layout tcgen05.cp.cta_group::1.4x256b --operand d
