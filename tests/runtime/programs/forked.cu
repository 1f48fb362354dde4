// Captures of forked streams: not joined, ended elsewhere, invalidated.
#include <cstdio>
#include <thread>
#define P(x) printf("%s = %d\n", #x, (int)(x))
__global__ void k(int *p, int v) { *p += v; }
int main() {
  cudaStream_t s, t; cudaEvent_t e, f; cudaGraph_t g = 0; cudaGraphExec_t x; int *p, h = 0; cudaStreamCaptureStatus c; size_t n = 0; void *q = 0;
  cudaStreamCreate(&s); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaEventCreate(&e); cudaEventCreateWithFlags(&f, cudaEventDisableTiming); cudaMalloc(&p, 4); cudaMemset(p, 0, 4);
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaEventRecord(e, s)); P(cudaStreamWaitEvent(t, e, 0)); k<<<1, 1, 0, s>>>(p, 1); k<<<1, 1, 0, t>>>(p, 2);
  P(cudaStreamIsCapturing(t, &c)); P(c); P(cudaStreamEndCapture(t, &g)); P(cudaStreamIsCapturing(s, &c)); P(c); P(cudaStreamEndCapture(s, &g)); P(g != 0); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaEventRecord(e, s)); P(cudaStreamWaitEvent(t, e, 0)); k<<<1, 1, 0, t>>>(p, 2); P(cudaStreamEndCapture(s, &g)); P(g != 0); P(cudaGetLastError()); P(cudaStreamIsCapturing(t, &c)); P(c);
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaEventRecord(e, s)); P(cudaStreamWaitEvent(t, e, 0)); k<<<1, 1, 0, t>>>(p, 2); P(cudaEventRecord(f, t)); P(cudaStreamWaitEvent(s, f, 0)); k<<<1, 1, 0, s>>>(p, 4); P(cudaEventQuery(f)); P(cudaEventSynchronize(f)); P(cudaStreamEndCapture(s, &g)); P(g != 0); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaEventRecord(e, s)); P(cudaStreamWaitEvent(t, e, 0)); k<<<1, 1, 0, t>>>(p, 2); P(cudaEventRecord(f, t)); P(cudaStreamWaitEvent(s, f, 0)); k<<<1, 1, 0, s>>>(p, 4); P(cudaStreamEndCapture(s, &g)); P(g != 0);
  if (g) { P(cudaGraphGetNodes(g, 0, &n)); printf("%zu\n", n); P(cudaGraphGetEdges(g, 0, 0, 0, &n)); printf("%zu\n", n); P(cudaGraphInstantiate(&x, g, 0)); P(cudaGraphLaunch(x, s)); P(cudaGraphLaunch(x, s)); P(cudaStreamSynchronize(s)); cudaMemcpy(&h, p, 4, cudaMemcpyDefault); P(h); }
  for (int mode = 0; mode < 3; mode++) { printf("mode %d\n", mode); P(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)mode)); P(cudaMalloc(&q, 4)); P(cudaStreamIsCapturing(s, &c)); P(c); P(cudaStreamEndCapture(s, &g)); P(cudaGetLastError()); }
  P(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)3)); P(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)); P(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed)); P(cudaStreamEndCapture(cudaStreamPerThread, &g)); P(cudaGraphGetNodes(g, 0, &n)); printf("%zu\n", n); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaStreamSynchronize(s)); P(cudaStreamEndCapture(s, &g)); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaStreamQuery(s)); P(cudaStreamEndCapture(s, &g)); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal)); std::thread([&] { P(cudaMalloc(&q, 4)); P(cudaStreamEndCapture(s, &g)); }).join(); P(cudaStreamEndCapture(s, &g)); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); k<<<1, 1>>>(p, 1); P(cudaGetLastError()); P(cudaStreamEndCapture(s, &g)); P(cudaGetLastError());
  P(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); P(cudaStreamDestroy(s)); P(cudaGetLastError()); P(cudaDeviceSynchronize()); return 0; }
