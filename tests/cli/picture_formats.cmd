# pictures in other formats than text
wsim layout mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 --operand b --format md
wsim layout mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --format cute
wsim layout mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand e --format cute; echo "status $?"
wsim banks ld.shared.v4.f32 --addr 'lane * 32' --mask 0x0f --format md
wsim swizzle 32B --pitch 64 --format md
wsim tma check --dtype FLOAT16 --dims 40,40 --strides 80 --box 32,8 --format md
wsim tma store --dtype INT32 --dims 40,40 --strides 160 --box 4,8 --coord 36,36 --format md
wsim tma load --dtype INT32 --dims 40,40 --strides 160 --box 4,8 --format svg; echo "status $?"
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --format pdf; echo "status $?"
# into a file, which stays what it was after a mistake
echo old >swizzle.svg
wsim swizzle 96B --format svg -o swizzle.svg; echo "status $?"; cat swizzle.svg
wsim swizzle 64B --format svg -o swizzle.svg && grep -c '<title>' swizzle.svg
wsim swizzle 64B -o swizzle.txt --color=auto && head -1 swizzle.txt; ls
wsim swizzle 64B -o no/where; echo "status $?"
# layouts of CuTe
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --cute '((4,8),(2,2)):((32,1),(16,8))'
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand b --cute '((4,8),(2,2)):((32,1),(16,8))'; echo "status $?"
wsim layout mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 --operand b --format json --cute 'Layout<Shape<Shape<_4,_8>,_2>,Stride<Stride<_16,_1>,_8>>'
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --cute '((4,8),2):((16,1)'; echo "status $?"
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --cute '((4,8),2):((16,1),8)' --lane 3; echo "status $?"
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --cute '((4,8),2):((16,1),8)' --format svg
# tables of other commands
wsim ops --family movmatrix --arch sm_90a --format md
wsim desc check wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 b 0x4000004000000040 --row 3 --k 9 --format md; echo "status $?"
wsim desc check wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 b 0x4000004000000040 --mn-major --format md; echo "status $?"
wsim desc decode 0x4000004000000040 --format svg; echo "status $?"
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --a iota --format md
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --a iota --row 3 --format md; echo "status $?"
wsim meta compress mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --dense eye --format md
wsim meta check mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --e 0x4e4e4e4e --format svg; echo "status $?"
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --lane 3 --format cute; echo "status $?"
