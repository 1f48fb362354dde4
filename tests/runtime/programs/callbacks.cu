#include "p.h"
#include <atomic>
#include <unistd.h>
static std::atomic<int> n; static int order[16];
static void CUDART_CB cb(cudaStream_t s, cudaError_t e, void *u) { order[n++] = (int)(long)u; if ((long)u == 5) { void *p; printf("in callback: malloc %d, status %d\n", (int)cudaMalloc(&p, 16), (int)e); } }
static void CUDART_CB hf(void *u) { order[n++] = (int)(long)u; if ((long)u == 6) { void *p; printf("in host function: malloc %d sync %d query %d\n", (int)cudaMalloc(&p, 16), (int)cudaDeviceSynchronize(), (int)cudaStreamQuery(0)); } }
static void CUDART_CB slow(void *u) { usleep(200000); *(volatile int *)u = 1; }
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void bad(int *p) { *(volatile int *)0 = 1; }
int main() {
    cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    int *d; cudaMalloc(&d, 128); cudaMemset(d, 0, 128);
    P(cudaLaunchHostFunc(s, hf, (void *)1)); add<<<1, 32, 0, s>>>(d, 1); P(cudaStreamAddCallback(s, cb, (void *)2, 0)); P(cudaLaunchHostFunc(s, hf, (void *)3)); P(cudaStreamSynchronize(s));
    for (int i = 0; i < n; i++) V(order[i]);
    P(cudaStreamAddCallback(s, cb, 0, 1)); P(cudaStreamAddCallback(s, 0, 0, 0)); P(cudaLaunchHostFunc(s, 0, 0));
    P(cudaStreamAddCallback(s, cb, (void *)5, 0)); P(cudaStreamSynchronize(s)); P(cudaLaunchHostFunc(s, hf, (void *)6)); P(cudaStreamSynchronize(s));
    volatile int flag = 0; P(cudaLaunchHostFunc(s, slow, (void *)&flag)); P(cudaStreamQuery(s)); P(cudaStreamQuery(t)); P(cudaStreamQuery(0)); P(cudaStreamQuery(s)); P(cudaStreamSynchronize(t)); V(flag); P(cudaStreamSynchronize(s)); V(flag); P(cudaStreamQuery(s));
    flag = 0; P(cudaLaunchHostFunc(s, slow, (void *)&flag)); int h[32]; P(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost)); V(flag);
    flag = 0; P(cudaLaunchHostFunc(t, slow, (void *)&flag)); P(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost)); V(flag); cudaEvent_t e; cudaEventCreate(&e); P(cudaEventRecord(e, t)); P(cudaEventQuery(e)); P(cudaEventSynchronize(e)); V(flag); P(cudaEventQuery(e));
    flag = 0; P(cudaLaunchHostFunc(t, slow, (void *)&flag)); P(cudaEventRecord(e, t)); P(cudaStreamWaitEvent(s, e)); P(cudaStreamQuery(s)); P(cudaStreamSynchronize(s)); V(flag);
    flag = 0; P(cudaLaunchHostFunc(0, slow, (void *)&flag)); P(cudaStreamQuery(s)); add<<<1, 32, 0, s>>>(d, 1); P(cudaStreamSynchronize(s)); V(flag);
    flag = 0; P(cudaLaunchHostFunc(s, slow, (void *)&flag)); P(cudaStreamDestroy(s)); V(flag); P(cudaDeviceSynchronize()); V(flag);
    bad<<<1, 1, 0, t>>>(d); n = 0; K(cudaGetLastError()); K(cudaStreamAddCallback(t, cb, (void *)5, 0)); K(cudaStreamSynchronize(t)); V(n.load()); K(cudaLaunchHostFunc(t, hf, (void *)7)); K(cudaStreamQuery(t)); K(cudaStreamDestroy(t)); V(n.load());
    return 0;
}
