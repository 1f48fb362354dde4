/* clang-format off */ // Attributes of functions and occupancy with odd arguments.
#include "s.h"
#include <climits>
__global__ void plain(int *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(128, 2) bound(int *p) { __shared__ int s[1000]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[127 - threadIdx.x]; }
__global__ void dyn(int *p) { extern __shared__ int s[]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[0]; }
__global__ void __cluster_dims__(2, 1, 1) clu(int *p) { p[threadIdx.x] = 1; }
static int host() { return 1; }
static void show(const void *f) { cudaFuncAttributes a; memset(&a, 0x11, sizeof a); P(cudaFuncGetAttributes(&a, f)); printf("const %zu local %zu max %d dynamic %d carve %d shared %zu cluster %d %d %d must %d nonportable %d ca %d policy %d\n", a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout, a.sharedSizeBytes, a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth, a.clusterDimMustBeSet, a.nonPortableClusterSizeAllowed, a.cacheModeCA, a.clusterSchedulingPolicyPreference); }
SECTION(attributes) { show((void *)plain); show((void *)bound); show((void *)dyn); show((void *)clu); cudaFuncAttributes a; P(cudaFuncGetAttributes(0, plain)); P(cudaFuncGetAttributes(&a, (void *)host)); P(cudaFuncGetAttributes(&a, (void *)0)); }
SECTION(sets) {
    static const int values[] = {-2, -1, 0, 1, 50, 100, 101, 1024, 4096, 48 << 10, (48 << 10) + 1, 227 << 10, (227 << 10) + 1, 228 << 10, INT_MAX, INT_MIN};
    for (int at = 0; at < 16; at++) for (int v : values) { cudaError_t e = cudaFuncSetAttribute(bound, (cudaFuncAttribute)at, v); cudaError_t l = cudaGetLastError(); printf("%d %d: %d %d\n", at, v, (int)e, (int)l); }
    show((void *)bound); P(cudaFuncSetAttribute((void *)0, cudaFuncAttributeMaxDynamicSharedMemorySize, 5)); P(cudaFuncSetAttribute((void *)host, cudaFuncAttributeMaxDynamicSharedMemorySize, 5));
    P(cudaFuncSetAttribute(clu, cudaFuncAttributeRequiredClusterWidth, 4)); P(cudaFuncSetAttribute(clu, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)); show((void *)clu); P(cudaFuncSetCacheConfig(plain, (cudaFuncCache)7)); P(cudaFuncSetCacheConfig((void *)0, cudaFuncCachePreferL1)); P(cudaFuncSetCacheConfig(host, cudaFuncCachePreferL1));
}
SECTION(blocks) {
    static const int threads[] = {INT_MIN, -1, 0, 1, 31, 32, 128, 129, 1024, 1025, INT_MAX}; static const size_t shared[] = {0, 1, 1024, 48 << 10, (48 << 10) + 1, 227 << 10, 228 << 10, (size_t)1 << 31, (size_t)1 << 32};
    for (const void *f : {(void *)plain, (void *)bound, (void *)dyn, (void *)clu}) for (int t : threads) for (size_t s : shared) { int n = -7; cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, t, s); cudaGetLastError(); printf("%d %zu: %d %d\n", t, s, (int)e, n); }
    int n = -7; P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(0, plain, 32, 0)); P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (void *)0, 32, 0)); P(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (void *)host, 32, 0)); V(n); for (unsigned f = 0; f < 5; f++) { P(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, plain, 32, 0, f)); V(n); }
}





static size_t same(int) { return 1000; } static size_t grow(int b) { return b * 100; }
SECTION(potential) { int g = -1, b = -1; P(cudaOccupancyMaxPotentialBlockSize(&g, &b, plain, 0, 0)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSize(&g, &b, bound, 0, 0)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSize(&g, &b, dyn, 100 << 10, 0)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSize(&g, &b, plain, 0, 33)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSize(&g, &b, plain, 0, -1)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSize((int *)0, &b, plain, 0, 0)); P(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&g, &b, dyn, same, 0)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&g, &b, dyn, grow, 0)); V(g); V(b); P(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&g, &b, dyn, grow, 100)); V(g); V(b); }
SECTION(clusters) {
    static const int sizes[] = {0, 1, 2, 3, 4, 8, 9, 16, 17, 32};
    for (const void *f : {(void *)plain, (void *)clu, (void *)dyn}) for (int x : sizes) for (size_t s : {(size_t)0, (size_t)40000, (size_t)60000}) {
        cudaLaunchConfig_t c = {}; cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x = x; a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1; c.gridDim = 48; c.blockDim = 64; c.dynamicSmemBytes = s; c.attrs = a; c.numAttrs = 1; int n = -7, m = -7; cudaError_t e = cudaOccupancyMaxActiveClusters(&n, f, &c); cudaGetLastError(); cudaError_t e2 = cudaOccupancyMaxPotentialClusterSize(&m, f, &c); cudaGetLastError(); printf("%d %zu: %d %d, %d %d\n", x, s, (int)e, x > 2 ? 0 * n : n < 0, (int)e2, m); }
    cudaLaunchConfig_t c = {}; c.gridDim = 48; c.blockDim = 64; int n = -7; P(cudaOccupancyMaxActiveClusters(&n, plain, &c)); P(cudaOccupancyMaxPotentialClusterSize(&n, plain, &c)); V(n); P(cudaOccupancyMaxPotentialClusterSize(&n, clu, &c)); V(n); c.blockDim = 0; P(cudaOccupancyMaxPotentialClusterSize(&n, plain, &c)); c.blockDim = 1025; P(cudaOccupancyMaxPotentialClusterSize(&n, plain, &c)); c.blockDim = 64; c.gridDim = 0; P(cudaOccupancyMaxPotentialClusterSize(&n, plain, &c)); P(cudaOccupancyMaxPotentialClusterSize(0, plain, &c)); P(cudaOccupancyMaxPotentialClusterSize(&n, (void *)0, &c)); P(cudaOccupancyMaxPotentialClusterSize(&n, (void *)host, &c)); P(cudaOccupancyMaxActiveClusters(0, plain, &c)); P(cudaOccupancyMaxActiveClusters(&n, (void *)host, &c));
}
int main() { return sections_run(); }
