// marks.cu - does a bit of a tensor map in the layout of the hardware change a copy?
//
//     nvcc -arch=sm_90a -o marks marks.cu
//     ./marks 65 99        # bits 65 and so on (0: the second 64 bytes are random), seed
//
// Draws tiled maps of one to three dimensions. Each loads or stores a box twice: as the driver made it, and
// after the change. Prints how many copies differ.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>

enum : size_t { TENSOR = 1 << 20, BOX = 1 << 18 };

struct Copy {
    int rank, at[3], is_store;
    unsigned bytes;
};

__global__ void copy(const __grid_constant__ CUtensorMap map, Copy c, uint8_t *out) {
    extern __shared__ uint8_t raw[];
    __shared__ __align__(8) uint64_t full;
    uint8_t *box = raw + ((1024 - (__cvta_generic_to_shared(raw) & 1023)) & 1023);
    const uint32_t bar = __cvta_generic_to_shared(&full), to = __cvta_generic_to_shared(box);
    for (unsigned i = threadIdx.x; i < c.bytes; i += blockDim.x)
        box[i] = c.is_store ? i * 7 + 3 : 0xab;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async;" ::"r"(bar) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("fence.proxy.async;" ::: "memory");
#define STORE(n, at, ...)                                                                          \
    if (c.is_store && c.rank == n)                                                                 \
    asm volatile("cp.async.bulk.tensor." #n "d.global.shared::cta.bulk_group [%0, {" at "}], [%1];" ::"l"(&map), \
                 "r"(to), __VA_ARGS__                                                              \
                 : "memory")
#define LOAD(n, at, ...)                                                                           \
    if (!c.is_store && c.rank == n)                                                                \
    asm volatile("cp.async.bulk.tensor." #n                                                        \
                 "d.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%0, {" at           \
                 "}], [%2];" ::"l"(&map),                                                          \
                 "r"(to), "r"(bar), __VA_ARGS__                                                    \
                 : "memory")
        STORE(1, "%2", "r"(c.at[0]));
        STORE(2, "%2, %3", "r"(c.at[0]), "r"(c.at[1]));
        STORE(3, "%2, %3, %4", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]));
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
        if (!c.is_store)
            asm volatile("{.reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], %1;}" ::"r"(bar),
                         "r"(c.bytes)
                         : "memory");
        LOAD(1, "%3", "r"(c.at[0]));
        LOAD(2, "%3, %4", "r"(c.at[0]), "r"(c.at[1]));
        LOAD(3, "%3, %4, %5", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]));
        uint32_t done = c.is_store;
        for (int i = 0; i < 2000000 && !done; i++)
            asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done)
                         : "r"(bar)
                         : "memory");
        if (!done)
            asm volatile("trap;");
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < c.bytes; i += blockDim.x)
        out[i] = box[i];
}

static uint64_t state = 88172645463325252ull;
static uint64_t draw() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void must(cudaError_t error) {
    if (error)
        printf("%s\n", cudaGetErrorString(error)), exit(2);
}

// A map of random parameters and a copy with it; 0: the driver refuses the map.
static int draw_copy(decltype(&cuTensorMapEncodeTiled) encode, uint8_t *tensor, CUtensorMap *map, Copy *c) {
    static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    const int type = draw() % 13, size = sizes[type];
    c->rank = 1 + draw() % 3;
    cuuint64_t dims[3], strides[2];
    for (auto &dim : dims)
        dim = 1 + draw() % 80;
    strides[0] = (dims[0] * size + 15) / 16 * 16 + draw() % 3 * 16;
    strides[1] = strides[0] * dims[1] + draw() % 3 * 16;
    const int swizzle = c->rank == 1 ? 0 : draw() % 4;
    const unsigned row = swizzle ? 16u << swizzle : 16 * (1 + draw() % 6);
    const cuuint32_t box[3] = {row / size, cuuint32_t(1 + draw() % 20), cuuint32_t(1 + draw() % 4)};
    const cuuint32_t steps[3] = {1, cuuint32_t(draw() % 5 ? 1 : 1 + draw() % 3), 1};
    if (strides[1] * dims[2] > TENSOR ||
        encode(map, CUtensorMapDataType(type), c->rank, tensor, dims, strides, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CUtensorMapSwizzle(swizzle), CUtensorMapL2promotion(draw() % 4),
               CUtensorMapFloatOOBfill(type >= 6 && draw() % 2)))
        return 0;
    c->bytes = row;
    for (int i = 1; i < c->rank; i++)
        c->bytes *= (box[i] + steps[i] - 1) / steps[i];
    c->is_store = draw() % 3 == 0;
    for (int &at : c->at)
        at = int(draw() % 100) - 10;
    c->at[0] = c->at[0] * size / 16 * 16 / size;
    for (int &at : c->at)
        at = c->is_store && at < 0 ? 0 : at;
    return 1;
}

int main(int argc, char **argv) {
    const int bit = argc > 1 ? atoi(argv[1]) : 0;
    state ^= argc > 2 ? strtoull(argv[2], nullptr, 0) * 0x9e3779b97f4a7c15ull : 0;
    must(cudaFree(nullptr));
    const auto encode = decltype(&cuTensorMapEncodeTiled)(
        dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuTensorMapEncodeTiled"));
    must(cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    uint8_t *tensor, *out;
    must(cudaMalloc(&tensor, TENSOR)), must(cudaMalloc(&out, BOX));
    static uint8_t start[TENSOR], after[2][TENSOR], box[2][BOX];
    for (auto &byte : start)
        byte = draw();
    unsigned copies = 0, differ = 0;
    for (int i = 0; i < 2500; i++) {
        CUtensorMap maps[2];
        Copy c;
        memset(maps, 0, sizeof maps);
        if (!draw_copy(encode, tensor, &maps[0], &c))
            continue;
        maps[1] = maps[0];
        uint64_t *words = reinterpret_cast<uint64_t *>(&maps[1]);
        words[bit / 64] ^= bit ? 1ull << bit % 64 : 0;
        for (int word = 8; word < 16 && !bit; word++)
            words[word] = draw();
        for (int way = 0; way < 2; way++) {
            must(cudaMemcpy(tensor, start, TENSOR, cudaMemcpyHostToDevice));
            copy<<<1, 128, c.bytes + 2048>>>(maps[way], c, out);
            must(cudaDeviceSynchronize());
            must(cudaMemcpy(box[way], out, c.bytes, cudaMemcpyDeviceToHost));
            must(cudaMemcpy(after[way], tensor, TENSOR, cudaMemcpyDeviceToHost));
        }
        copies++;
        differ += memcmp(box[0], box[1], c.bytes) || memcmp(after[0], after[1], TENSOR);
    }
    printf("bit %d: %u copies, %u differ\n", bit, copies, differ);
    return differ != 0;
}
