/* clang-format off */ // Events before and after their records, with odd flags, destroyed, waited for, and measured.
#include "s.h"
__global__ void k(int *p, int n) { long long t = clock64(); while (clock64() - t < n) ; p[0] = 1; }
static float ms = -5;
SECTION(flags) { for (unsigned f = 0; f < 20; f++) { cudaEvent_t e = 0; cudaError_t r = cudaEventCreateWithFlags(&e, f); cudaGetLastError(); printf("%u: %d %d\n", f, (int)r, e != 0); } cudaEvent_t e; P(cudaEventCreateWithFlags(&e, ~0u)); P(cudaEventCreate((cudaEvent_t *)0)); P(cudaEventCreateWithFlags(0, 0)); for (unsigned f = 0; f < 4; f++) { P(cudaEventCreate(&e)); P(cudaEventRecordWithFlags(e, 0, f)); } }
SECTION(unrecorded) { cudaEvent_t a, b; P(cudaEventCreate(&a)); P(cudaEventCreate(&b)); P(cudaEventQuery(a)); P(cudaEventSynchronize(a)); P(cudaStreamWaitEvent(0, a, 0)); P(cudaStreamWaitEvent(0, a, 1)); P(cudaStreamWaitEvent(0, a, 2)); P(cudaEventElapsedTime(&ms, a, b)); V(ms); P(cudaEventRecord(a)); P(cudaEventElapsedTime(&ms, a, b)); P(cudaEventElapsedTime(&ms, b, a)); P(cudaEventSynchronize(a)); P(cudaEventElapsedTime(&ms, a, a)); V(ms); P(cudaEventElapsedTime(0, a, a)); P(cudaEventElapsedTime(&ms, 0, a)); P(cudaEventElapsedTime(&ms, a, 0)); P(cudaEventElapsedTime(0, a, b)); P(cudaEventQuery(0)); P(cudaEventSynchronize(0)); P(cudaEventRecord(0)); P(cudaEventDestroy(0)); P(cudaStreamWaitEvent(0, 0)); P(cudaEventDestroy(a)); P(cudaEventDestroy(b)); }
SECTION(untimed) { cudaEvent_t a, b; P(cudaEventCreateWithFlags(&a, cudaEventDisableTiming)); P(cudaEventCreate(&b)); P(cudaEventElapsedTime(&ms, a, b)); P(cudaEventRecord(a)); P(cudaEventRecord(b)); P(cudaDeviceSynchronize()); P(cudaEventElapsedTime(&ms, a, b)); P(cudaEventElapsedTime(&ms, b, a)); P(cudaEventElapsedTime(&ms, a, a)); P(cudaEventElapsedTime(&ms, b, b)); }
SECTION(running) { int *p; cudaMalloc(&p, 4); cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a, s); k<<<1, 1, 0, s>>>(p, 1000); P(cudaEventRecord(b, s)); P(cudaEventDestroy(a)); P(cudaStreamDestroy(s)); P(cudaEventSynchronize(b)); P(cudaEventQuery(b)); P(cudaEventElapsedTime(&ms, b, b)); V(ms); }



SECTION(recorded_twice) { cudaEvent_t a; cudaEventCreate(&a); cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); P(cudaEventRecord(a, s)); P(cudaEventRecord(a, t)); P(cudaStreamWaitEvent(s, a)); P(cudaStreamWaitEvent(t, a)); P(cudaStreamWaitEvent(cudaStreamPerThread, a)); P(cudaStreamWaitEvent(cudaStreamLegacy, a)); P(cudaEventRecord(a, cudaStreamLegacy)); P(cudaEventRecord(a, cudaStreamPerThread)); P(cudaDeviceSynchronize()); P(cudaEventQuery(a)); }


int main() { return sections_run(); }
