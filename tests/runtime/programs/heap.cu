#include "p.h"
struct N { int v; N *next; __device__ N(int v, N *n) : v(v), next(n) {} __device__ ~N() {} };
__device__ void *keep; __device__ N *list;
__global__ void a(int *p) { void *q = malloc(16); p[0] = q != 0; p[1] = (size_t)q % 16; free(q); free(0); p[2] = malloc(1ull << 34) == 0; p[3] = malloc(0) == 0; keep = malloc(1024); ((int *)keep)[7] = 77; int *z = new int[100]; for (int i = 0; i < 100; i++) z[i] = i; int s = 0; for (int i = 0; i < 100; i++) s += z[i]; p[4] = s; delete[] z; }
__global__ void b(int *p) { p[5] = ((int *)keep)[7]; free(keep); for (int i = 0; i < 10; i++) list = new N(i, list); }
__global__ void c(int *p) { int s = 0; for (N *n = list; n;) { s = s * 10 + n->v; N *t = n->next; delete n; n = t; } p[6] = s; p[7] = __isGlobal(keep); void *q[40]; int ok = 0; for (int i = 0; i < 40; i++) { q[i] = malloc(1 << 20); ok += q[i] != 0; } p[8] = ok > 0 && ok < 40; for (int i = 0; i < 40; i++) free(q[i]); }
__global__ void d(int *p) { char *l = (char *)alloca(threadIdx.x + 16); l[threadIdx.x] = threadIdx.x; p[threadIdx.x] = l[threadIdx.x]; int *m = (int *)malloc(8); m[0] = threadIdx.x; p[32 + threadIdx.x] = m[0]; free(m); }
__global__ void get(void **o) { *o = malloc(64); }
int main() {
    int *p, h[64]; cudaMalloc(&p, 256); cudaMemset(p, 0xff, 256); a<<<1, 1>>>(p); P(cudaDeviceSynchronize()); b<<<1, 1>>>(p); P(cudaDeviceSynchronize()); c<<<1, 1>>>(p); P(cudaDeviceSynchronize()); cudaMemcpy(h, p, 256, cudaMemcpyDeviceToHost); for (int i = 0; i < 9; i++) V(h[i]); d<<<1, 32>>>(p); P(cudaDeviceSynchronize()); cudaMemcpy(h, p, 256, cudaMemcpyDeviceToHost); V(h[31]); V(h[63]); size_t v; P(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize)); V(v); P(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20)); P(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize)); V(v); void **o, *q = 0; cudaMalloc(&o, 8); get<<<1, 1>>>(o); P(cudaDeviceSynchronize()); cudaMemcpy(&q, o, 8, cudaMemcpyDeviceToHost); V(q != 0); P(cudaMemcpy(h, q, 64, cudaMemcpyDeviceToHost)); P(cudaFree(q)); cudaPointerAttributes pa; P(cudaPointerGetAttributes(&pa, q)); V(pa.type); P(cudaDeviceSynchronize()); return 0;
}
