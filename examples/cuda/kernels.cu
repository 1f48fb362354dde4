/* kernels.cu - the kernels of tma_add_one, transpose and gemm_wgmma on an H100 or H200, with equal
 * data and names. Compares the results of each with those of the example. Nsight Compute counts the
 * cost of its accesses to shared memory (run.sh):
 *
 *     sh examples/cuda/run.sh BUILD_DIR
 */
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <wsim/wsim.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define NEED(call)                                                                                 \
    do {                                                                                           \
        int e_ = (int)(call);                                                                      \
        if (e_) {                                                                                  \
            fprintf(stderr, "kernels: %s: error %d\n", #call, e_);                                 \
            exit(e_ == (int)cudaErrorNoDevice ? 77 : 2);                                           \
        }                                                                                          \
    } while (0)

/* --- what the kernels share: examples/block.h --- */

__device__ uint32_t shared_of(const void *at) {
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ void load(uint32_t at, const CUtensorMap *map, unsigned row, unsigned col,
                     uint32_t barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];" ::"r"(at),
                 "l"(map), "r"(col), "r"(row), "r"(barrier)
                 : "memory");
}

__device__ void store(uint32_t at, const CUtensorMap *map, unsigned row, unsigned col) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%1, {%2, %3}], [%0];" ::"r"(
            at),
        "l"(map), "r"(col), "r"(row)
        : "memory");
}

/* Every thread calls it; one of them arrives, and all wait for phase 0. */
__device__ void start(uint32_t barrier) {
    if (threadIdx.x == 0)
        asm volatile(
            "mbarrier.init.shared.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(
                barrier)
            : "memory");
    __syncthreads();
}

__device__ void expect(uint32_t barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

__device__ void wait(uint32_t barrier) {
    uint32_t done = 0;
    while (!done)
        asm volatile("{.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n\t"
                     "selp.b32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
}

/* Makes the writes of all threads visible to the copy engine; returns true in one thread. */
__device__ bool ready_to_store() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    return threadIdx.x == 0;
}

__device__ void finish_stores() {
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

typedef decltype(&cuTensorMapEncodeTiled) encoder;

/* The driver is looked up at run time, so the program starts without one. */
static encoder find_encoder() {
    void *found = NULL;
    cudaDriverEntryPointQueryResult result;
    NEED(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                          cudaEnableDefault, &result));
    NEED(result);
    return (encoder)found;
}

static CUtensorMap map_of(CUtensorMapDataType type, void *base, unsigned rows, unsigned cols,
                          unsigned pitch, CUtensorMapSwizzle swizzle, unsigned box_rows,
                          unsigned box_cols) {
    cuuint64_t dims[] = {cols, rows}, strides[] = {pitch};
    cuuint32_t box[] = {box_cols, box_rows}, steps[] = {1, 1};
    CUtensorMap map;
    static const encoder encode = find_encoder();
    NEED(encode(&map, type, 2, base, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return map;
}

enum { TILE = 32 };

/* --- adding one --- */

enum { ROWS = 80, COLS = 100, PITCH = COLS * 4 + 16 };
enum add { ROWS_OF_INTS, PANELS, PANELS_FIXED, PANELS_BY_FOUR };

__device__ uint32_t address(enum add how, unsigned y, unsigned x) {
    uint32_t at = x / 8 * 1024 + y * 32 + x % 8 * 4;
    return how == ROWS_OF_INTS ? y * 128 + x * 4 : how == PANELS ? at : at ^ (y >> 2 & 1) * 16;
}

template <enum add how>
__global__ void add_one(const __grid_constant__ CUtensorMap map, unsigned *misses) {
    __shared__ alignas(1024) uint8_t tile[TILE * TILE * 4];
    __shared__ uint64_t barrier;
    const unsigned step = how == ROWS_OF_INTS ? TILE : 8, row = blockIdx.y * TILE,
                   col = blockIdx.x * TILE, thread = threadIdx.x;
    const unsigned y = how == PANELS_BY_FOUR ? thread / 128 * 4 + thread % 32 / 8 : thread / 32;
    const unsigned x = how == PANELS_BY_FOUR ? thread / 32 % 4 * 8 + thread % 8 : thread % 32;
    start(shared_of(&barrier));
    if (thread == 0) {
        expect(shared_of(&barrier), TILE * TILE * 4);
        for (unsigned at = 0; at < TILE; at += step)
            load(shared_of(tile) + at * TILE * 4, &map, row, col + at, shared_of(&barrier));
    }
    wait(shared_of(&barrier));
    volatile uint32_t *mine = (volatile uint32_t *)(tile + address(how, y, x));
    const uint32_t found = *mine;
    const uint32_t own = row + y < ROWS && col + x < COLS ? (row + y) * COLS + col + x + 1 : 0;
    *mine = found + 1;
    if (found != own)
        atomicAdd(misses, 1u);
    if (ready_to_store()) {
        for (unsigned at = 0; at < TILE; at += step)
            store(shared_of(tile) + at * TILE * 4, &map, row, col + at);
        finish_stores();
    }
}

static int check_add_one(int how, const char *name, unsigned expected) {
    static uint8_t memory[ROWS * PITCH], after[ROWS * PITCH], got[ROWS * PITCH];
    uint8_t *on_gpu;
    unsigned *misses, missed;
    memset(memory, 0xee, sizeof memory);
    memset(after, 0xee, sizeof after);
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned col = 0; col < COLS; col++) {
            uint32_t one = row * COLS + col + 1, two = one + 1;
            memcpy(memory + row * PITCH + col * 4, &one, 4);
            memcpy(after + row * PITCH + col * 4, &two, 4);
        }
    NEED(cudaMalloc(&on_gpu, sizeof memory));
    NEED(cudaMalloc(&misses, sizeof *misses));
    NEED(cudaMemcpy(on_gpu, memory, sizeof memory, cudaMemcpyHostToDevice));
    NEED(cudaMemset(misses, 0, sizeof *misses));
    CUtensorMap map =
        map_of(CU_TENSOR_MAP_DATA_TYPE_INT32, on_gpu, ROWS, COLS, PITCH,
               how == ROWS_OF_INTS ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_32B, TILE,
               how == ROWS_OF_INTS ? TILE : 8);
    dim3 grid((COLS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE);
    switch (how) {
    case ROWS_OF_INTS: add_one<ROWS_OF_INTS><<<grid, TILE * TILE>>>(map, misses); break;
    case PANELS: add_one<PANELS><<<grid, TILE * TILE>>>(map, misses); break;
    case PANELS_FIXED: add_one<PANELS_FIXED><<<grid, TILE * TILE>>>(map, misses); break;
    default: add_one<PANELS_BY_FOUR><<<grid, TILE * TILE>>>(map, misses); break;
    }
    NEED(cudaDeviceSynchronize());
    NEED(cudaMemcpy(got, on_gpu, sizeof got, cudaMemcpyDeviceToHost));
    NEED(cudaMemcpy(&missed, misses, sizeof missed, cudaMemcpyDeviceToHost));
    const int equal = memcmp(got, after, sizeof after) == 0;
    printf("add one, %s: the matrix is %sone more; %u threads found the element of another\n", name,
           equal ? "" : "NOT ", missed);
    return !equal || missed != expected;
}

/* --- transpose --- */

enum { N = 256 };
enum version { PLAIN, SWIZZLED, BATCHED, BLOCKS };

__device__ uint32_t place(enum version version, unsigned y, unsigned x) {
    return y * 128 + (x / 4 ^ (version == PLAIN ? 0 : y % 8)) * 16 + x % 4 * 4;
}

template <enum version version>
__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out) {
    __shared__ alignas(1024) uint8_t from[TILE * TILE * 4], to[TILE * TILE * 4];
    __shared__ uint64_t barrier;
    const unsigned row = blockIdx.y * TILE, col = blockIdx.x * TILE, t = threadIdx.x;
    start(shared_of(&barrier));
    if (t == 0) {
        expect(shared_of(&barrier), TILE * TILE * 4);
        load(shared_of(from), &in, row, col, shared_of(&barrier));
    }
    wait(shared_of(&barrier));
    if (version == BLOCKS) {
        const unsigned x = t % 8 * 4, y = (t % 8 ^ t / 8) * 4;
        uint4 r[4];
        for (unsigned i = 0; i < 4; i++)
            r[i] = *(const uint4 *)(from + place(version, y + i, x));
        *(uint4 *)(to + place(version, x, y)) = make_uint4(r[0].x, r[1].x, r[2].x, r[3].x);
        *(uint4 *)(to + place(version, x + 1, y)) = make_uint4(r[0].y, r[1].y, r[2].y, r[3].y);
        *(uint4 *)(to + place(version, x + 2, y)) = make_uint4(r[0].z, r[1].z, r[2].z, r[3].z);
        *(uint4 *)(to + place(version, x + 3, y)) = make_uint4(r[0].w, r[1].w, r[2].w, r[3].w);
    } else {
        const unsigned wide = version == BATCHED ? 4 : 1;
        const unsigned y = t * wide / 32, x = t * wide % 32;
        volatile uint32_t *words[4];
        uint32_t held[4];
        for (unsigned j = 0; j < wide; j++) {
            words[j] = (volatile uint32_t *)(from + place(version, y, x + j));
            held[j] = *words[j];
        }
        for (unsigned j = 0; j < wide; j++)
            *(volatile uint32_t *)(to + place(version, x + j, y)) = held[j];
    }
    if (ready_to_store()) {
        store(shared_of(to), &out, col, row);
        finish_stores();
    }
}

static int check_transpose(int version, const char *name) {
    static uint32_t in[N][N], out[N][N];
    void *from, *to;
    unsigned wrong = 0;
    for (unsigned i = 0; i < N * N; i++)
        in[i / N][i % N] = i * 2654435761u;
    NEED(cudaMalloc(&from, sizeof in));
    NEED(cudaMalloc(&to, sizeof out));
    NEED(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    NEED(cudaMemset(to, 0, sizeof out));
    CUtensorMapSwizzle swizzle =
        version == PLAIN ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B;
    CUtensorMap map_in =
        map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, from, N, N, N * 4, swizzle, TILE, TILE);
    CUtensorMap map_out =
        map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, to, N, N, N * 4, swizzle, TILE, TILE);
    dim3 grid(N / TILE, N / TILE);
    switch (version) {
    case PLAIN: transpose<PLAIN><<<grid, 1024>>>(map_in, map_out); break;
    case SWIZZLED: transpose<SWIZZLED><<<grid, 1024>>>(map_in, map_out); break;
    case BATCHED: transpose<BATCHED><<<grid, 256>>>(map_in, map_out); break;
    default: transpose<BLOCKS><<<grid, 64>>>(map_in, map_out); break;
    }
    NEED(cudaDeviceSynchronize());
    NEED(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < N * N; i++)
        wrong += out[i / N][i % N] != in[i % N][i / N];
    printf("transpose, %s: %u of %u elements are wrong\n", name, wrong, N * N);
    return wrong != 0;
}

/* --- a 64x64x64 product --- */

enum { TILE_BYTES = 64 * 128, WORDS = 32 };

#define F32_LIST                                                                                   \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "  \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define F16_LIST "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define FOUR(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

template <bool wide>
__global__ void product(const __grid_constant__ CUtensorMap a,
                        const __grid_constant__ CUtensorMap b, uint32_t *out) {
    __shared__ alignas(1024) uint8_t tiles[2 * TILE_BYTES];
    __shared__ uint64_t barrier;
    const uint32_t at = shared_of(tiles);
    uint32_t d[WORDS] = {0};
    start(shared_of(&barrier));
    if (threadIdx.x == 0) {
        expect(shared_of(&barrier), 2 * TILE_BYTES);
        load(at, &a, 0, 0, shared_of(&barrier));
        load(at + TILE_BYTES, &b, 0, 0, shared_of(&barrier));
    }
    wait(shared_of(&barrier));
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (unsigned step = 0; step < 4; step++) {
        const uint64_t rest = (uint64_t)1 << 16 | (uint64_t)(1024 / 16) << 32 | (uint64_t)1 << 62;
        const uint64_t desc_a = (at + step * 32) / 16 | rest;
        const uint64_t desc_b = (at + TILE_BYTES + step * 32) / 16 | rest;
        if (wide)
            asm volatile("{.reg .pred p;\n\tsetp.ne.b32 p, %34, 0;\n\t"
                         "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " F32_LIST
                         ", %32, %33, p, 1, 1, 0, 0;}"
                         : SIXTEEN(0), SIXTEEN(16)
                         : "l"(desc_a), "l"(desc_b), "r"(step));
        else
            asm volatile("{.reg .pred p;\n\tsetp.ne.b32 p, %18, 0;\n\t"
                         "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 " F16_LIST
                         ", %16, %17, p, 1, 1, 0, 0;}"
                         : SIXTEEN(0)
                         : "l"(desc_a), "l"(desc_b), "r"(step));
    }
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
    for (unsigned i = 0; i < WORDS; i++)
        out[i * 128 + threadIdx.x] = d[i];
}

/* The generators of the example. */
static unsigned next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static uint16_t next_half(uint32_t *seed) {
    unsigned random = next_random(seed), exponent = 11 + (random >> 10) % 8;
    return (uint16_t)((random & 0x83ff) | exponent << 10);
}

static void swizzle_tile(const uint16_t *rows, uint8_t *tile) {
    for (unsigned row = 0; row < 64; row++)
        for (unsigned piece = 0; piece < 8; piece++)
            memcpy(tile + row * 128 + (piece ^ row % 8) * 16, rows + row * 64 + piece * 8, 16);
}

static void model(const char *spelling, const uint16_t *a, const uint16_t *b,
                  struct wsim_group_regs *d) {
    static uint8_t window[2 * TILE_BYTES];
    struct wsim_op op;
    struct wsim_diag diag;
    const uint64_t rest = (uint64_t)1 << 16 | (uint64_t)(1024 / 16) << 32 | (uint64_t)1 << 62;
    memset(d, 0, sizeof *d);
    swizzle_tile(a, window);
    swizzle_tile(b, window + TILE_BYTES);
    NEED(wsim_op_parse(spelling, &op, &diag));
    for (unsigned step = 0; step < 4; step++) {
        struct wsim_wgmma io = {};
        io.d = d, io.c = d, io.smem = window, io.smem_size = sizeof window, io.scale_d = step > 0;
        io.desc_a = step * 2 | rest;
        io.desc_b = (TILE_BYTES / 16 + step * 2) | rest;
        NEED(wsim_wgmma_run(&op, wsim_arch_find("sm_90a"), &io, &diag));
    }
}

static int check_product(int wide, const char *spelling) {
    static uint16_t a[64 * 64], b[64 * 64];
    static uint32_t out[WORDS][128];
    static struct wsim_group_regs d;
    void *on_gpu[3];
    uint32_t seed = 2;
    unsigned differ = 0, words = wide ? WORDS : WORDS / 2;
    for (unsigned i = 0; i < 64 * 64; i++)
        a[i] = next_half(&seed);
    for (unsigned i = 0; i < 64 * 64; i++)
        b[i] = next_half(&seed);
    for (void *&at : on_gpu)
        NEED(cudaMalloc(&at, sizeof out));
    NEED(cudaMemcpy(on_gpu[0], a, sizeof a, cudaMemcpyHostToDevice));
    NEED(cudaMemcpy(on_gpu[1], b, sizeof b, cudaMemcpyHostToDevice));
    CUtensorMap maps[2];
    for (int i = 0; i < 2; i++)
        maps[i] = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, on_gpu[i], 64, 64, 128,
                         CU_TENSOR_MAP_SWIZZLE_128B, 64, 64);
    if (wide)
        product<true><<<1, 128>>>(maps[0], maps[1], (uint32_t *)on_gpu[2]);
    else
        product<false><<<1, 128>>>(maps[0], maps[1], (uint32_t *)on_gpu[2]);
    NEED(cudaDeviceSynchronize());
    NEED(cudaMemcpy(out, on_gpu[2], sizeof out, cudaMemcpyDeviceToHost));
    model(spelling, a, b, &d);
    for (unsigned i = 0; i < words; i++)
        for (unsigned thread = 0; thread < 128; thread++)
            differ += out[i][thread] != d.r[i][thread];
    printf("64x64x64, %s: D[0][0] is %08x; %u of %u registers differ from the model\n", spelling,
           out[0][0], differ, words * 128);
    return differ != 0;
}

int main() {
    int failed = 0, count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || !count) {
        fprintf(stderr, "kernels: skipped: no GPU\n");
        return 77;
    }
    NEED(cudaFree(0));
    failed |= check_add_one(ROWS_OF_INTS, "no swizzle", 0);
    failed |= check_add_one(PANELS, "32B swizzle, index as without one", 4160);
    failed |= check_add_one(PANELS_FIXED, "32B swizzle, index fixed", 0);
    failed |= check_add_one(PANELS_BY_FOUR, "32B swizzle, a warp takes 4 rows", 0);
    failed |= check_transpose(PLAIN, "plain");
    failed |= check_transpose(SWIZZLED, "swizzled");
    failed |= check_transpose(BATCHED, "batched");
    failed |= check_transpose(BLOCKS, "blocks");
    failed |= check_product(1, "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16");
    failed |= check_product(0, "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16");
    return failed;
}
