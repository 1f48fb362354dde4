/* clang-format off */ // Pools, advice, ranges, batches.
#include "s.h"
static void range(const char *what, void *p, size_t n) { for (int a = 0; a < 10; a++) { int v[4] = {-7, -7, -7, -7}; cudaError_t e = cudaMemRangeGetAttribute(v, a == 3 ? 16 : 4, (cudaMemRangeAttribute)a, p, n); cudaGetLastError(); printf("%s %d: %d %d %d %d\n", what, a, (int)e, v[0], v[1], v[2]); } }
__global__ void k(int *p) { p[threadIdx.x]++; }






SECTION(batches) {
    char *d, h[256], o[256] = {}; for (int i = 0; i < 256; i++) h[i] = i; cudaMalloc(&d, 4096); cudaStream_t s; cudaStreamCreate(&s); void *dst[] = {d, d + 64, d + 128}; const void *src[] = {h, h + 64, h + 128}; size_t n[] = {64, 64, 64}; cudaMemcpyAttributes at = {}; at.srcAccessOrder = cudaMemcpySrcAccessOrderStream; size_t ix[2] = {0, 1}; cudaMemcpyAttributes a2[2] = {at, at};
    P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); P(cudaStreamSynchronize(s)); P(cudaMemcpy(o, d, 192, cudaMemcpyDeviceToHost)); V(o[0]); V(o[100]); V(o[150]); P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, 0)); P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, cudaStreamPerThread)); P(cudaMemcpyBatchAsync(dst, src, n, 0, &at, ix, 1, s)); P(cudaMemcpyBatchAsync(dst, src, n, 3, 0, 0, 0, s)); P(cudaMemcpyBatchAsync(dst, src, n, 3, a2, ix, 2, s)); ix[0] = 1; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); ix[0] = 0; ix[1] = 5; P(cudaMemcpyBatchAsync(dst, src, n, 3, a2, ix, 2, s)); ix[1] = 1; n[1] = 0; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); n[1] = 5000; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); n[1] = 64; dst[1] = 0; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); dst[1] = d; at.srcAccessOrder = cudaMemcpySrcAccessOrderAny; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); at.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); at.srcAccessOrder = (cudaMemcpySrcAccessOrder)0; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); at.srcAccessOrder = (cudaMemcpySrcAccessOrder)9; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); at.srcAccessOrder = cudaMemcpySrcAccessOrderStream; at.flags = 77; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); at.flags = cudaMemcpyFlagPreferOverlapWithCompute; P(cudaMemcpyBatchAsync(dst, src, n, 3, &at, ix, 1, s)); P(cudaStreamSynchronize(s));
    cudaMemcpy3DBatchOp op[2]; memset(op, 0, sizeof op); op[0].src.type = cudaMemcpyOperandTypePointer; op[0].src.op.ptr.ptr = h; op[0].src.op.ptr.rowLength = 16; op[0].src.op.ptr.layerHeight = 4; op[0].dst.type = cudaMemcpyOperandTypePointer; op[0].dst.op.ptr.ptr = d; op[0].dst.op.ptr.rowLength = 32; op[0].dst.op.ptr.layerHeight = 4; op[0].extent = make_cudaExtent(8, 2, 2); op[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream; cudaMemset(d, 0, 4096); P(cudaMemcpy3DBatchAsync(1, op, 0, s)); P(cudaStreamSynchronize(s)); P(cudaMemcpy(o, d, 256, cudaMemcpyDeviceToHost)); V(o[7]); V(o[8]); V(o[33]); V(o[129]); P(cudaMemcpy3DBatchAsync(1, op, 1, s)); P(cudaMemcpy3DBatchAsync(0, op, 0, s)); P(cudaMemcpy3DBatchAsync(1, op, 0, 0)); op[0].extent.width = 40; P(cudaMemcpy3DBatchAsync(1, op, 0, s)); op[0].extent.width = 8; op[0].src.op.ptr.rowLength = 0; op[0].src.op.ptr.layerHeight = 0; P(cudaMemcpy3DBatchAsync(1, op, 0, s)); op[0].extent.width = 0; P(cudaMemcpy3DBatchAsync(1, op, 0, s)); op[0].extent.width = 8; cudaArray_t a; cudaChannelFormatDesc f = cudaCreateChannelDesc<char>(); cudaMallocArray(&a, &f, 16, 16); op[0].dst.type = cudaMemcpyOperandTypeArray; memset(&op[0].dst.op, 0, sizeof op[0].dst.op); op[0].dst.op.array.array = a; op[0].extent = make_cudaExtent(8, 2, 1); P(cudaMemcpy3DBatchAsync(1, op, 0, s)); op[0].dst.op.array.offset.x = 10; P(cudaMemcpy3DBatchAsync(1, op, 0, s)); op[0].dst.type = (cudaMemcpy3DOperandType)0; P(cudaMemcpy3DBatchAsync(1, op, 0, s)); P(cudaStreamSynchronize(s));
}





int main() { return sections_run(); }
