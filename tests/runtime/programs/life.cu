/* clang-format off */ // Host and kernels at the same time, and statuses of processes.
#include "s.h"
#include <thread>
#include <cuda/atomic>
#include <csignal>
__global__ void waits(volatile int *flag, int *out) { while (!*flag) {} *out = 7; }
__global__ void tells(volatile int *flag, volatile int *back) { *flag = 1; __threadfence_system(); while (!*back) {} *flag = 2; }
__global__ void ping(cuda::atomic<int, cuda::thread_scope_system> *a, int n) { for (int i = 0; i < n; i++) { while (a->load(cuda::memory_order_acquire) != 2 * i + 1) {} a->store(2 * i + 2, cuda::memory_order_release); } }
__global__ void produce(volatile int *q, int n) { for (int i = 0; i < n; i++) { while (q[0] != 0) {} q[1] = i * i; __threadfence(); q[0] = 1; } }
__global__ void consume(volatile int *q, int n, int *sum) { int s = 0; for (int i = 0; i < n; i++) { while (q[0] != 1) {} s += q[1]; __threadfence(); q[0] = 0; } *sum = s; }
__global__ void add(int *p) { atomicAdd(p, 1); }
__global__ void far() { *(volatile int *)16 = 1; }
SECTION(host_sets) { int *f, *o; cudaHostAlloc((void **)&f, 8, cudaHostAllocMapped); f[0] = f[1] = 0; cudaMalloc(&o, 4); waits<<<1, 1>>>(f, o); P(cudaGetLastError()); P(cudaStreamQuery(0)); f[0] = 1; P(cudaDeviceSynchronize()); int h; P(cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost)); V(h); }
SECTION(both) { int *f; cudaMallocHost((void **)&f, 8); f[0] = f[1] = 0; tells<<<1, 1>>>(f, f + 1); P(cudaGetLastError()); while (((volatile int *)f)[0] != 1) {} puts("told"); ((volatile int *)f)[1] = 1; P(cudaDeviceSynchronize()); V(f[0]); }
SECTION(atomics) { cuda::atomic<int, cuda::thread_scope_system> *a; cudaMallocManaged(&a, sizeof *a); new (a) cuda::atomic<int, cuda::thread_scope_system>(0); int cc = 0; cudaDeviceGetAttribute(&cc, cudaDevAttrConcurrentManagedAccess, 0); V(cc); ping<<<1, 1>>>(a, 50); for (int i = 0; i < 50; i++) { a->store(2 * i + 1); while (a->load() != 2 * i + 2) {} } P(cudaDeviceSynchronize()); V(a->load()); }

SECTION(writes_value) { int *f, *o, h; cudaHostAlloc((void **)&f, 8, 0); f[0] = 0; cudaMalloc(&o, 4); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); waits<<<1, 1, 0, s>>>(f, o); std::thread t([&] { usleep(20000); ((volatile int *)f)[0] = 1; }); P(cudaStreamSynchronize(s)); t.join(); P(cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost)); V(h); }
SECTION(threads) { int *p, h; cudaMalloc(&p, 4); cudaMemset(p, 0, 4); std::thread t[8]; for (auto &x : t) x = std::thread([&] { cudaStream_t s; cudaStreamCreate(&s); for (int i = 0; i < 50; i++) add<<<2, 32, 0, s>>>(p); cudaStreamSynchronize(s); cudaStreamDestroy(s); }); for (auto &x : t) x.join(); P(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost)); V(h); }




SECTION(unfinished) { add<<<1, 1>>>(0); exit(3); }

SECTION(returns_error) { far<<<1, 1>>>(); exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 42 : 1); }




int main() { return sections_run(); }
