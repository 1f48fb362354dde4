// Copies to and from symbols in streams: sizes, offsets and kinds that are wrong.
#include <cstdio>
#define P(x) printf("%s = %d\n", #x, (int)(x))
__device__ int a[8]; __constant__ int c[4]; __device__ __managed__ int m[4]; int host[8];
__global__ void k(int *o) { o[threadIdx.x] = a[threadIdx.x] + (threadIdx.x < 4 ? c[threadIdx.x] : 0); }
int main() { setvbuf(stdout, 0, _IONBF, 0);
  cudaStream_t s; cudaStreamCreate(&s); int h[8] = {1,2,3,4,5,6,7,8}, b[8] = {}; size_t z = 0; void *p = 0; int *o; cudaMalloc(&o, 32);
  P(cudaMemcpyToSymbolAsync(a, h, 32, 0, cudaMemcpyHostToDevice, s));
  P(cudaMemcpyToSymbolAsync(a, h, 33, 0, cudaMemcpyHostToDevice, s));
  P(cudaMemcpyToSymbolAsync(a, h, 4, 30, cudaMemcpyHostToDevice, s));
  P(cudaMemcpyToSymbolAsync(a, h, 0, 32, cudaMemcpyHostToDevice, s));
  P(cudaMemcpyToSymbolAsync(a, h, 0, 33, cudaMemcpyHostToDevice, s));
  P(cudaMemcpyToSymbolAsync(a, h, 4, 0, cudaMemcpyDeviceToHost, s));
  P(cudaMemcpyToSymbolAsync(a, h, 4, 0, cudaMemcpyHostToHost, s));
  P(cudaMemcpyToSymbolAsync(c, h, 16, 0, cudaMemcpyDefault, s));
  P(cudaMemcpyToSymbolAsync(host, h, 4, 0, cudaMemcpyHostToDevice, s));
  P(cudaMemcpyFromSymbolAsync(b, a, 32, 0, cudaMemcpyDeviceToHost, s)); P(cudaStreamSynchronize(s)); printf("%d %d\n", b[0], b[7]);
  P(cudaMemcpyFromSymbolAsync(b, a, 4, ~(size_t)0 - 1, cudaMemcpyDeviceToHost, s));
  P(cudaMemcpyFromSymbolAsync(o, c, 16, 0, cudaMemcpyDeviceToDevice, s));


  P(cudaGetSymbolSize(&z, a)); printf("%zu\n", z); P(cudaGetSymbolSize(&z, c)); printf("%zu\n", z); P(cudaGetSymbolSize(&z, m)); printf("%zu\n", z);
  P(cudaGetSymbolSize(&z, host)); return 0; }
