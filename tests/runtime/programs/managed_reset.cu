/* clang-format off */ /* managed_reset: a managed variable outlives the contexts. */ #include <cuda_runtime.h>
#include <cuda.h>
#include <cstdio>
#include <unistd.h>
#include <sys/wait.h>
#define S(x) do { cudaError_t e_ = (x); printf("%d %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_)); fflush(stdout);} while (0)
#define V(x) do { printf("%d %s = %lld\n", __LINE__, #x, (long long)(x)); fflush(stdout);} while (0)
__managed__ int shared_value = 7;
__device__ int plain = 3;
__global__ void bump() { shared_value += 100; plain++; }
static void part(int which) {
    void *p = nullptr, *q = nullptr; int v = -1;
    bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value);
    S(cudaGetSymbolAddress(&p, shared_value)); V(p == &shared_value);
    S(cudaDeviceReset());
    if (which == 0) { bump<<<1, 1>>>(); S(cudaGetLastError()); S(cudaDeviceSynchronize()); S(cudaGetSymbolAddress(&q, shared_value)); V(p == q); V(q == &shared_value); V(shared_value); S(cudaMemcpyFromSymbol(&v, plain, 4)); V(v); S(cudaMemcpyFromSymbol(&v, shared_value, 4)); V(v); }
    if (which == 1) { V(shared_value); S(cudaGetLastError()); }
    if (which == 2) { S(cudaMemcpyFromSymbol(&v, shared_value, 4)); V(v); V(shared_value); }
    if (which == 3) { S(cudaGetSymbolAddress(&q, shared_value)); V(p == q); V(q == &shared_value); cudaPointerAttributes at; S(cudaPointerGetAttributes(&at, &shared_value)); V(at.type); V(at.device); }
    if (which == 4) { cudaPointerAttributes at; S(cudaPointerGetAttributes(&at, p)); V(at.type); S(cudaFree(0)); S(cudaPointerGetAttributes(&at, p)); V(at.type); V(shared_value); }
    if (which == 5) { S(cudaFree(0)); shared_value = 5; bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value); }
}
int main() { for (int i = 0; i < 6; i++) { printf("== part %d\n", i); fflush(stdout); pid_t pid = fork(); if (!pid) { part(i); _exit(0); } int status; waitpid(pid, &status, 0); printf("status %d\n", status); fflush(stdout); } return 0; }
