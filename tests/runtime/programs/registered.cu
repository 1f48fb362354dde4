// Memory of the host that is registered: twice, in part, read-only; host functions that call CUDA.
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#define P(x) printf("%s = %d\n", #x, (int)(x))
__global__ void k(int *p) { p[threadIdx.x] += 1; }
static int inner, inner2; static void CUDART_CB fn(void *p) { void *q; inner = cudaMalloc(&q, 4); inner2 = cudaGetLastError(); *(int *)p += 1; }
int main() {
  char *p = (char *)aligned_alloc(4096, 16384); void *d; unsigned f; cudaPointerAttributes a;
  P(cudaHostRegister(p, 8192, cudaHostRegisterDefault)); P(cudaHostRegister(p, 8192, cudaHostRegisterDefault)); P(cudaHostRegister(p + 4096, 8192, 0)); P(cudaHostRegister(p + 8192, 4096, cudaHostRegisterMapped));
  P(cudaHostRegister(p + 12288, 0, 0)); P(cudaHostRegister(0, 4096, 0)); P(cudaHostRegister(p + 12288, 4096, 0x100)); P(cudaHostRegister(p + 12300, 100, cudaHostRegisterPortable));
  P(cudaHostGetDevicePointer(&d, p + 16, 0)); P(d == p + 16); P(cudaHostGetDevicePointer(&d, p + 12288, 0)); P(cudaHostGetDevicePointer(&d, p, 1));
  P(cudaHostGetFlags(&f, p)); printf("%u\n", f); P(cudaHostGetFlags(&f, p + 8192)); printf("%u\n", f); P(cudaHostGetFlags(&f, &f)); P(cudaPointerGetAttributes(&a, p + 100)); P(a.type);
  k<<<1, 32>>>((int *)p); P(cudaDeviceSynchronize());
  P(cudaHostUnregister(p + 4)); P(cudaHostUnregister(p + 4096)); P(cudaHostUnregister(p)); P(cudaHostUnregister(p)); P(cudaHostUnregister(p + 8192)); P(cudaHostUnregister(p + 12300)); P(cudaFreeHost(p));
  void *h; P(cudaMallocHost(&h, 100)); P(cudaHostRegister(h, 100, 0)); P(cudaHostUnregister(h)); P(cudaFreeHost((char *)h + 4)); P(cudaFreeHost(h)); P(cudaFreeHost(h)); P(cudaFreeHost(0));
  char *ro = (char *)mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); P(cudaHostRegister(ro, 4096, 0)); P(cudaGetLastError()); P(cudaHostRegister(ro, 4096, cudaHostRegisterReadOnly)); P(cudaGetLastError());
  P(cudaHostRegister((void *)0x10000, 4096, 0)); P(cudaGetLastError());
  int n = 0; P(cudaLaunchHostFunc(0, fn, &n)); P(cudaDeviceSynchronize()); P(n); P(inner); P(inner2); P(cudaLaunchHostFunc(0, 0, &n)); P(cudaGetLastError()); P(cudaGetLastError()); return 0; }
