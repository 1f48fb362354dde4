# addresses out of a function of a kernel, built by the compiler of this machine
cat >kernel.cu <<'END'
static __device__ __forceinline__ int swizzle(int row, int col) { return row * 128 + (col ^ (row & 7)) * 16; }
__host__ __device__ unsigned address(int lane) { return lane * 128; }
int low(int lane) { return -lane; }
int crash(int lane) { return *(volatile int *)(long)lane; }
END
wsim banks ld.shared.b32 --c kernel.cu | tail -1
wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --c kernel.cu --addr 'swizzle(lane % 16, lane / 16 + 2 * k)' --let k=0..1 --format csv
wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --c kernel.cu --addr 'swizzle(lane % 16, lane / 16 + 2 * k)' --let k=3 | tail -1
wsim banks ld.shared.b32 --c kernel.cu:low; wsim banks ld.shared.b32 --c kernel.cu:crash
wsim banks ld.shared.b32 --c kernel.cu:none 2>&1 | tail -1
wsim banks ld.shared.b32 --c none.c; wsim banks ld.shared.b32 --c 'kernel.cu:a b'; wsim banks ld.shared.b32 --c 'a"b.c'
CC=/no/compiler wsim banks ld.shared.b32 --c kernel.cu; TMPDIR=/none wsim banks ld.shared.b32 --c kernel.cu
