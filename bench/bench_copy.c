/* Microseconds for one copy: tiles with and without a swizzle, conversions and reductions, bytes
 * without a map, the lanes of cp.async. The front doors are timed, so what is checked is in it. */
#include <wsim/wsim.h>

#include <stdio.h>
#include <time.h>

#define TILE(n)                                                                                    \
    "cp.async.bulk.tensor." #n "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
#define ADD "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
#define PIXELS "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
#define LOAD "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"

enum { ROUNDS = 10, TURNS = 200 };

static uint8_t global_bytes[1 << 20], shared_bytes[1 << 16];
static struct wsim_memory global, shared;
static struct wsim_diag diag;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void bulk(const char *name, const char *spelling, const struct wsim_tensor *tensor,
                 uint32_t bytes) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_bulk io = {.global = &global, .shared = &shared, .bytes = bytes};
    struct wsim_bulk_result did = {0, 0, 0, 0};
    struct wsim_tensor_map map;
    struct wsim_op op;
    double best = 1e30;
    if (wsim_op_parse(spelling, &op, &diag) ||
        (tensor && wsim_tensor_encode(tensor, arch, &map, &diag))) {
        printf("%s: %s\n", name, diag.text);
        return;
    }
    io.map = tensor ? &map : NULL;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < TURNS; i++)
            if (wsim_bulk_run(&op, arch, &io, &did, &diag)) {
                printf("%s: %s\n", name, diag.text);
                return;
            }
        best = now() - start < best ? now() - start : best;
    }
    printf("%8.2f us %6u bytes  %s\n", best / TURNS, (unsigned)did.bytes, name);
}

/* A matrix of 256 columns, and a box of it. */
static struct wsim_tensor matrix(enum wsim_tensor_type type, unsigned bytes,
                                 enum wsim_swizzle swizzle, uint32_t cols, uint32_t rows) {
    struct wsim_tensor tensor = {.dtype = type,
                                 .swizzle = swizzle,
                                 .rank = 2,
                                 .dims = {256, 256},
                                 .strides = {256 * bytes},
                                 .estrides = {1, 1},
                                 .box = {cols, rows}};
    return tensor;
}

static void lanes(void) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    uint32_t dst[WSIM_LANES];
    struct wsim_copy copy = {.bytes = 16, .mask = ~(uint32_t)0, .dst = dst};
    struct wsim_op op;
    double best = 1e30;
    for (uint32_t l = 0; l < WSIM_LANES; l++)
        dst[l] = 16 * l;
    if (wsim_op_parse("cp.async.cg.shared.global", &op, &diag))
        return;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < TURNS; i++)
            if (wsim_copy_async(&op, arch, &copy, &global, &shared, &diag))
                return;
        best = now() - start < best ? now() - start : best;
    }
    printf("%8.2f us %6u bytes  cp.async, 32 lanes\n", best / TURNS, 512u);
}

int main(void) {
    struct wsim_tensor tensor = matrix(WSIM_TENSOR_FLOAT16, 2, WSIM_SWIZZLE_128B, 64, 64);
    struct wsim_tensor pixels = {.mode = WSIM_TENSOR_IM2COL,
                                 .dtype = WSIM_TENSOR_FLOAT16,
                                 .swizzle = WSIM_SWIZZLE_128B,
                                 .rank = 4,
                                 .dims = {64, 32, 32, 2},
                                 .strides = {128, 128 * 32, 128 * 32 * 32},
                                 .estrides = {1, 1, 1, 1},
                                 .lower = {-1, -1},
                                 .upper = {-1, -1},
                                 .channels = 64,
                                 .pixels = 64};
    for (size_t i = 0; i < sizeof global_bytes; i++)
        global_bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes, sizeof global_bytes, 0);
    shared = wsim_memory_over(WSIM_SHARED, shared_bytes, sizeof shared_bytes, 0);
    bulk("64 x 64 f16, 128B", TILE(2), &tensor, 0);
    bulk("the same, stored", STORE, &tensor, 0);
    bulk("the same, added", ADD, &tensor, 0);
    tensor.swizzle = WSIM_SWIZZLE_NONE;
    bulk("64 x 64 f16, no swizzle", TILE(2), &tensor, 0);
    tensor.swizzle = WSIM_SWIZZLE_32B;
    tensor.box[0] = 16;
    tensor.box[1] = 256;
    bulk("16 x 256 f16, 32B", TILE(2), &tensor, 0);
    tensor = matrix(WSIM_TENSOR_FLOAT32, 4, WSIM_SWIZZLE_128B, 32, 64);
    bulk("32 x 64 f32, 128B", TILE(2), &tensor, 0);
    tensor.dtype = WSIM_TENSOR_TFLOAT32;
    bulk("32 x 64 f32 to tf32, 128B", TILE(2), &tensor, 0);
    bulk("64 pixels of 64 f16, 128B", PIXELS, &pixels, 0);
    bulk("bytes without a map", LOAD, NULL, 8192);
    lanes();
    return 0;
}
