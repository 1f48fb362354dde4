# expressions of C as they stand in a kernel, of arrays that are declared
b='wsim banks ld.shared.f32'
$b --decl '__shared__ float tile[32][32];' --addr 'tile[threadIdx.x][0]' | tail -1
$b --decl 'float tile[32][33]' --addr '&tile[ty][tx + 1]' | tail -1
$b --addr 'extern __shared__ float smem[]; smem + threadIdx.y * 33 + threadIdx.x' --block 8x32 | tail -1
$b --let 'pad=0..2' --decl 'float tile[32][32 + pad]' --addr 'tile[tx][0]' | tail -5
wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --decl 'half As[64][32], Bs[32][72]' --addr '&Bs[tx % 16][tx / 16 * 8]' | tail -1
wsim banks st.shared.v4.f32 --decl '__nv_bfloat16 s[8][64]' --addr '*reinterpret_cast<float4 *>(&s[tx / 8][tx % 8 * 8])' | tail -1
$b --decl 'float tile[32][32]' --addr 'tile[tx][0]' --suggest --with 'st.shared.f32 tile[0][tx]' | tail -2
wsim banks cp.async.ca.shared.global --size 4 --decl 'float s[32][8]' --addr 's[tx]' --format json | grep wavefronts | head -1
wsim banks 'SM80_CP_ASYNC_CACHEALWAYS<cute::uint128_t>' --decl 'half s[32][8]' --addr 's[tx]' | tail -3
# what is refused, and where
$b --decl 'float tile[32][32]' --addr 'tile[tx][tx + 1]'
$b --decl 'float tile[32][32' --addr 'tile[tx][0]'
$b --decl 'float tile[32][32]' --addr 'tile[tx][0] * 4'
$b --decl 'float tile[65536][65536]' --addr 'tile[0][0]'
$b --addr 'threadIdx.x * blockDim.y'
$b --addr 'tx' --block 32x0
$b --addr 'tx' --block 1x2x3x4
# a part of an element, and parts of vectors
wsim banks ld.shared.f32 --decl 'double t[32][32]' --addr '&t[threadIdx.x][0]' | tail -1
wsim banks ld.shared.f32 --decl 'float4 t[32]' --addr '&t[threadIdx.x].y' | tail -1; wsim banks ld.shared.v2.f64 --decl 'double t[32][32]' --addr '&t[threadIdx.x][0]' | tail -1
