// Each fault in a process of its own: the error, and what every later call gives.
#include "p.h"
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>
struct S { int a[64]; };
__global__ void kernel(int which, int *p, char *c) {
    __shared__ int sh[32]; int loc[8] = {which};
    switch (which) {
    case 0: *(volatile int *)8 = 1; break;
    case 1: *(volatile int *)(c + 1) = 1; break;
    case 2: __trap(); break;
    case 3: assert(which != 3); break;
    case 4: ((volatile int *)sh)[1 << 20] = 1; break;
    case 5: *(volatile double *)(c + 4) = 1; break;
    case 6: ((volatile int *)loc)[(1 << 24) + p[0]] = 1; p[1] = loc[1]; break;
    case 7: p[1 << 28] = 1; break;
    case 8: atomicAdd((int *)(c + 2), 1); break;
    case 9: asm volatile("st.shared.u32 [%0], %1;" ::"r"(2), "r"(1)); break;
    case 10: asm volatile("trap;"); break;
    case 11: asm volatile("brkpt;"); break;
    case 12: asm volatile("exit;"); break;
    case 13: p[0] = 1; if (threadIdx.x == 1) __trap(); break;
    case 14: *(volatile int *)(0xffffffffffffff00ull) = 1; break;
    case 15: *(volatile char *)p = ((volatile char *)p)[-(1ll << 40)]; break;
    case 16: p[0] = ((volatile int *)sh)[p[0] + (1 << 22)]; break;
    case 17: ((void (*)())(0x12345678ull + p[0]))(); break;
    }
}
static int depth(int n) { return n; }
__device__ int rec(int n, int *p) { volatile int a[256]; a[n & 255] = n; return n ? rec(n - 1, p) + a[n & 255] + p[0] : 0; }
__global__ void deep(int *p) { p[1] = rec(100000, p); }
static void later(int *p) {
    void *q; int h; cudaEvent_t e; cudaStream_t s; cudaFuncAttributes fa; int n; size_t a, b; cudaDeviceProp pr;
    K(cudaPeekAtLastError()); K(cudaGetLastError()); K(cudaGetLastError()); K(cudaMalloc(&q, 16)); K(cudaGetLastError()); K(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost)); K(cudaFree(p)); K(cudaEventCreate(&e)); K(cudaStreamCreate(&s));
    K(cudaStreamSynchronize(0)); K(cudaDeviceSynchronize()); kernel<<<1, 1>>>(99, p, 0); K(cudaGetLastError()); K(cudaFuncGetAttributes(&fa, kernel)); K(cudaGetDevice(&n)); K(cudaSetDevice(0)); K(cudaMemGetInfo(&a, &b)); K(cudaGetDeviceProperties(&pr, 0)); K(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0)); K(cudaGetDeviceCount(&n));
    K(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 32, 0)); K(cudaMallocHost(&q, 16)); K(cudaHostRegister(&h, 4, 0)); K(cudaPointerGetAttributes((cudaPointerAttributes *)&fa, p)); K(cudaDeviceSetLimit(cudaLimitStackSize, 2048)); K(cudaDeviceGetLimit(&a, cudaLimitStackSize)); K(cudaMemset(p, 0, 4)); K(cudaMemcpyAsync(&h, p, 4, cudaMemcpyDeviceToHost)); K(cudaGetLastError());
}
int main() {
    setvbuf(stdout, 0, _IONBF, 0);
    for (int w = 0; w <= 18; w++) {
        if (w == 16) continue; printf("fault %d\n", w);
        pid_t c = fork();
        if (!c) {
            int *p; K(cudaMalloc(&p, 4096)); cudaMemset(p, 0, 4096); cudaEvent_t e; cudaEventCreate(&e); cudaStream_t s; cudaStreamCreate(&s);
            if (w == 18) deep<<<1, 1>>>(p); else kernel<<<1, 32>>>(w, p, (char *)p);
            cudaEventRecord(e);
            K(cudaDeviceSynchronize()); K(cudaEventQuery(e)); K(cudaEventSynchronize(e)); K(cudaStreamQuery(s));
            if (w == 0 || w == 3) later(p);
            K(cudaEventDestroy(e)); K(cudaStreamDestroy(s)); int h; K(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost)); K(cudaDeviceReset()); K(cudaGetLastError()); K(cudaMalloc(&p, 16)); K(cudaMemset(p, 0, 16)); K(cudaDeviceSynchronize()); kernel<<<1, 1>>>(99, p, 0); K(cudaDeviceSynchronize());
            _exit(w);
        }
        int st; waitpid(c, &st, 0); printf("status %d signal %d\n", WEXITSTATUS(st), WTERMSIG(st));
    }
    return depth(0);
}
