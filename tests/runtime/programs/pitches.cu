// Copies and fills of lines: pitches that are too short, no bytes, more lines than there are.
#include <cstdio>
#include <cstring>
#define P(x) printf("%s = %d\n", #x, (int)(x))
int main() {
  char *d; size_t pitch = 0; static char h[4096], b[4096]; for (int i = 0; i < 4096; i++) h[i] = (char)(i * 7);
  P(cudaMallocPitch(&d, &pitch, 100, 8)); printf("pitch %zu\n", pitch);
  P(cudaMemcpy2D(d, pitch, h, 100, 100, 8, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, 99, h, 100, 100, 8, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, pitch, h, 99, 100, 8, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, pitch, h, 100, 0, 8, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, pitch, h, 100, 100, 0, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, 0, h, 100, 100, 1, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, 99, h, 50, 100, 0, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, (size_t)1 << 40, h, 100, 100, 2, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(d, pitch, h, 100, pitch + 1, 8, cudaMemcpyHostToDevice));
  P(cudaMemcpy2D(b, 128, d, pitch, 100, 8, cudaMemcpyDefault)); P(memcmp(b + 128 * 7, h + 700, 100)); P(b[100]);
  P(cudaMemcpy2D(0, 128, d, pitch, 100, 8, cudaMemcpyDefault));
  P(cudaMemcpy2D(b, 128, d, pitch, 100, 8, (cudaMemcpyKind)7));
  P(cudaMemset2D(d, pitch, 5, 100, 8)); P(cudaMemset2D(d, 99, 5, 100, 2)); P(cudaMemset2D(d, 99, 5, 100, 1)); P(cudaMemset2D(d, pitch, 5, 0, 8)); P(cudaMemset2D(d, 0, 5, 0, 0));
  cudaPitchedPtr q; P(cudaMalloc3D(&q, make_cudaExtent(60, 4, 3))); printf("%zu %zu %zu\n", q.pitch, q.xsize, q.ysize);
  P(cudaMalloc3D(&q, make_cudaExtent(0, 4, 3))); P(q.ptr != 0); P(cudaMalloc3D(&q, make_cudaExtent(60, 4, 3)));
  cudaMemcpy3DParms m = {}; m.srcPtr = make_cudaPitchedPtr(h, 60, 60, 4); m.dstPtr = q; m.extent = make_cudaExtent(60, 4, 3); m.kind = cudaMemcpyHostToDevice;
  P(cudaMemcpy3D(&m)); m.extent.depth = 0; P(cudaMemcpy3D(&m)); m.extent = make_cudaExtent(61, 4, 3); P(cudaMemcpy3D(&m));
  m.extent = make_cudaExtent(60, 5, 3); P(cudaMemcpy3D(&m)); m.extent = make_cudaExtent(30, 2, 2); m.srcPos = make_cudaPos(30, 2, 1); m.dstPos = make_cudaPos(10, 1, 1); P(cudaMemcpy3D(&m));
  m.srcPtr.ysize = 3; P(cudaMemcpy3D(&m)); m.srcPtr.ysize = 4; m.srcPos = make_cudaPos(31, 2, 1); P(cudaMemcpy3D(&m));
  memset(b, 0, sizeof b); cudaMemcpy3DParms r = {}; r.srcPtr = q; r.dstPtr = make_cudaPitchedPtr(b, 64, 60, 4); r.extent = make_cudaExtent(60, 4, 3); r.kind = cudaMemcpyDeviceToHost; P(cudaMemcpy3D(&r));
  unsigned long long s = 0; for (int i = 0; i < 4096; i++) s = s * 31 + (unsigned char)b[i]; printf("%llu\n", s);
  r.kind = (cudaMemcpyKind)9; P(cudaMemcpy3D(&r)); r.dstPtr.ptr = 0; r.kind = cudaMemcpyDefault; P(cudaMemcpy3D(&r)); P(cudaMemcpy3D(0));
  P(cudaMemset3D(q, 1, make_cudaExtent(60, 4, 3))); P(cudaMemset3D(q, 1, make_cudaExtent(61, 4, 3))); P(cudaMemset3D(q, 1, make_cudaExtent(60, 5, 1))); P(cudaMemset3D(q, 1, make_cudaExtent(0, 5, 1)));
  P(cudaGetLastError()); P(cudaPeekAtLastError()); return 0; }
