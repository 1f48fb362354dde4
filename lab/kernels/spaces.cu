/* spaces.cu - where shared memory begins, what the registers say that describe it and the machine, and
 * where the windows of generic addresses lie. Built as machine code for sm_90a, and as PTX for
 * compute_80 and compute_90, which the driver compiles. A row is a launch and a name with its value. */
#include "experiment.cuh"

#define REGISTERS(X)                                                                               \
    X(dynamic_smem_size, "u32") X(total_smem_size, "u32")                                          \
    X(reserved_smem_offset_begin, "b32") X(reserved_smem_offset_end, "b32")                        \
    X(reserved_smem_offset_cap, "b32") X(reserved_smem_offset_0, "b32") X(reserved_smem_offset_1, "b32") \
    X(nsmid, "u32") X(smid, "u32") X(warpid, "u32") X(nwarpid, "u32") X(laneid, "u32")             \
    X(lanemask_eq, "u32") X(lanemask_le, "u32") X(lanemask_lt, "u32") X(lanemask_ge, "u32")        \
    X(lanemask_gt, "u32") X(envreg0, "b32") X(envreg1, "b32") X(envreg2, "b32") X(envreg31, "b32") \
    X(pm0, "u32") X(ntid.x, "u32") X(nctaid.y, "u32")

__constant__ u32 constant_word = 5;
__device__ u32 global_word;
extern __shared__ u32 dynamic[];

#define READ_U32(name, type) { u32 v; asm volatile("mov." type " %0, %%" #name ";" : "=r"(v)); *to++ = v; }

__device__ void spaces(u64 *to, u32 static_at) {
    u32 local = 1, v;
    *to++ = static_at;
    *to++ = (u32)__cvta_generic_to_shared(dynamic);
    *to++ = (u64)dynamic;
    *to++ = (u64)&local;
    asm volatile("{ .reg .u64 a; cvta.to.local.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(v) : "l"(&local));
    *to++ = v;
    *to++ = (u64)&constant_word;
    *to++ = (u64)&global_word;
    *to++ = global_word = local;
    REGISTERS(READ_U32)
#define READ_CLUSTER(name)                                                                     \
    {                                                                                              \
        u32 c;                                                                                     \
        asm volatile("mov.u32 %0, %%" #name ";" : "=r"(c));                                        \
        *to++ = c;                                                                                 \
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred q; mov.pred q, %%is_explicit_cluster; selp.u32 %0, 1, 0, q; }" : "=r"(v));
    *to++ = v;
    READ_CLUSTER(aggr_smem_size) READ_CLUSTER(clusterid.x) READ_CLUSTER(nclusterid.x) READ_CLUSTER(cluster_ctaid.x)
    READ_CLUSTER(cluster_nctaid.x) READ_CLUSTER(cluster_ctarank) READ_CLUSTER(cluster_nctarank)
#endif
}

enum { WORDS = 64 };

/* The last thread of each block. */
extern "C" __global__ void without(const u64 *in, u64 *out, u32 n) {
    if (threadIdx.x == blockDim.x - 1)
        spaces(out + blockIdx.x * WORDS, ~0u);
}
extern "C" __global__ void with_static(const u64 *in, u64 *out, u32 n) {
    __shared__ u32 words[25];
    words[threadIdx.x % 25] = n;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        spaces(out + blockIdx.x * WORDS, (u32)__cvta_generic_to_shared(words) + (words[3] & 0));
}
extern "C" __global__ void with_aligned(const u64 *in, u64 *out, u32 n) {
    __shared__ __align__(1024) u32 words[300];
    words[threadIdx.x % 25] = n;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        spaces(out + blockIdx.x * WORDS, (u32)__cvta_generic_to_shared(words) + (words[3] & 0));
}

#ifndef __CUDA_ARCH__
static const char *const names[] = {"static array", "dynamic array", "generic dynamic array", "generic local variable", "local variable", "generic constant",
                                    "generic global", "1",
#define NAME(name, type) "%" #name,
                                    REGISTERS(NAME) "%is_explicit_cluster", "%aggr_smem_size", "%clusterid.x", "%nclusterid.x", "%cluster_ctaid.x",
                                    "%cluster_nctaid.x", "%cluster_ctarank", "%cluster_nctarank"};

template <typename Kernel>
static void show(const char *name, Kernel kernel, u32 grid, u32 block, u32 shared, u32 cluster) {
    std::vector<u64> out(grid * WORDS);
    u64 *device;
    CHECK(cudaMalloc(&device, out.size() * 8));
    CHECK(cudaMemset(device, 0xa5, out.size() * 8));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    config.gridDim = dim3(grid), config.blockDim = dim3(block), config.dynamicSmemBytes = shared;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute, config.numAttrs = cluster > 0;
    cudaError_t error = cudaLaunchKernelEx(&config, kernel, (const u64 *)nullptr, device, 0u);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("%s\tgrid %u block %u shared %u cluster %u\t%s\n", name, grid, block, shared, cluster, cudaGetErrorString(error));
        cudaGetLastError();
        return;
    }
    CHECK(cudaMemcpy(out.data(), device, out.size() * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    for (u32 b = 0; b < grid; b++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (out[b * WORDS + i] != UNTOUCHED)
                printf("%s\tgrid %u block %u shared %u cluster %u\t%u\t%s\t0x%llx\n", name, grid, block, shared, cluster, b, names[i],
                       (unsigned long long)out[b * WORDS + i]);
}

int main(int argc, char **argv) {
    cudaFuncAttributes attributes;
    experiment_begin("spaces", argc, argv);
    CHECK(cudaFuncGetAttributes(&attributes, without));
    printf("# PTX %d, machine code %d\n", attributes.ptxVersion, attributes.binaryVersion);
    for (u32 shared : {0u, 4u, 100u, 128u, 1000u, 49152u})
        for (u32 block : {32u, 96u, 100u}) {
            show("without", without, 1, block, shared, 0);
            show("with_static", with_static, 1, block, shared > 48000 ? 48000 : shared, 0);
            show("with_aligned", with_aligned, 1, block, shared > 40000 ? 40000 : shared, 0);
        }
    show("without", without, 3, 64, 64, 0);
    if (attributes.ptxVersion >= 90) {
        show("without", without, 2, 64, 64, 1);
        show("without", without, 4, 64, 64, 2);
        show("with_static", with_static, 4, 64, 64, 4);
    }
    return 0;
}
#endif
