/* test_threads.c - threads share only instructions. Each runs one struct wsim_code on its own
 * registers, memory and barrier, with the results of a single thread. Built with
 * WSIM_SANITIZE=thread it also shows that they do not touch each other's bytes. */
#include "../every.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 13, SHARED = 16384, BARRIER_AT = SHARED - 8, TILE_AT = 8192 };
enum { GLOBAL = 8192, WARP_REGS = 4, GROUP_ROWS = 128 };

#define GLOBAL_BASE UINT64_C(0x7f0000000000)

/* Made once, read by all. */
static struct wsim_code mma, ldmatrix, wgmma, bulk;
static struct wsim_tensor_map map;

/* The data of one thread. */
struct work {
    unsigned first; /* the instruction that it begins with */
    uint32_t a[WARP_REGS][WSIM_LANES], b[2][WSIM_LANES], c[WARP_REGS][WSIM_LANES];
    uint32_t product[WARP_REGS][WSIM_LANES], loaded[WARP_REGS][WSIM_LANES];
    uint32_t group[GROUP_ROWS][WSIM_LANES];
    uint32_t addr[WSIM_LANES];
    uint8_t shared[SHARED], global[GLOBAL];
    struct wsim_memory shared_memory, global_memory;
    enum wsim_status status;
    struct wsim_diag diag;
    uint32_t phase; /* of the barrier, after all rounds, modulo 4 */
};

static struct wsim_code prepared(const char *spelling) {
    const struct wsim_op op = every_parse(spelling);
    struct wsim_code code;
    struct wsim_diag diag;
    ck_assert_msg(wsim_prepare(&op, wsim_arch_find("sm_90a"), 0, &code, &diag) == WSIM_OK, "%s",
                  diag.text);
    return code;
}

static void prepare(void) {
    const struct wsim_tensor tensor = {.dtype = WSIM_TENSOR_FLOAT16,
                                       .swizzle = WSIM_SWIZZLE_128B,
                                       .rank = 2,
                                       .base = GLOBAL_BASE,
                                       .dims = {64, 64},
                                       .strides = {128},
                                       .estrides = {1, 1},
                                       .box = {64, 32}};
    struct wsim_diag diag;
    mma = prepared("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    ldmatrix = prepared("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    wgmma = prepared("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16");
    bulk = prepared("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                    "bytes");
    ck_assert_msg(wsim_tensor_encode(&tensor, wsim_arch_find("sm_90a"), &map, &diag) == WSIM_OK,
                  "%s", diag.text);
}

/* --- the instructions, in turn --- */

static void run(struct work *w, const struct wsim_code *code, const struct wsim_io *io) {
    if (!w->status)
        w->status = wsim_run(code, io, &w->diag);
}

/* The product is the next C. */
static void run_mma(struct work *w) {
    uint32_t *d[WARP_REGS];
    const uint32_t *a[WARP_REGS], *b[2] = {w->b[0], w->b[1]}, *c[WARP_REGS];
    for (unsigned r = 0; r < WARP_REGS; r++) {
        d[r] = w->product[r];
        a[r] = w->a[r];
        c[r] = w->c[r];
    }
    run(w, &mma, &(struct wsim_io){.mma = {.d = d, .a = a, .b = b, .c = c}});
    memcpy(w->c, w->product, sizeof w->c);
}

/* The load fills the next A. */
static void run_ldmatrix(struct work *w) {
    uint32_t *d[WARP_REGS] = {w->loaded[0], w->loaded[1], w->loaded[2], w->loaded[3]};
    run(w, &ldmatrix,
        &(struct wsim_io){.shared = &w->shared_memory, .move = {.d = d, .addr = w->addr}});
    memcpy(w->a, w->loaded, sizeof w->a);
}

/* A and B lie in shared memory; D is added to. */
static void run_wgmma(struct work *w) {
    const struct wsim_descriptor at = {TILE_AT, 0, 1024, 0, WSIM_SWIZZLE_128B};
    uint32_t *d[GROUP_ROWS];
    const uint32_t *c[GROUP_ROWS];
    uint64_t bits = 0;
    for (unsigned i = 0; i < GROUP_ROWS; i++)
        c[i] = d[i] = w->group[i];
    if (!w->status)
        w->status = wsim_descriptor_encode(&at, &bits, &w->diag);
    run(w, &wgmma,
        &(struct wsim_io){.shared = &w->shared_memory,
                          .wgmma = {.d = d,
                                    .c = c,
                                    .scale_d = 1,
                                    .desc_a = bits - 4096 / 16, /* the 4 KiB before and these */
                                    .desc_b = bits - 4096 / 16}});
}

/* Half of the matrix, once one and once the other, to where wgmma reads. */
static void run_bulk(struct work *w) {
    const struct wsim_mbarrier barrier = {.shared = &w->shared_memory, .at = BARRIER_AT};
    if (!w->status)
        w->status = wsim_mbarrier_expect_tx(&barrier, 4096, &w->diag);
    if (!w->status)
        w->status = wsim_mbarrier_arrive(&barrier, 1, NULL, &w->diag);
    run(w, &bulk,
        &(struct wsim_io){.shared = &w->shared_memory,
                          .global = &w->global_memory,
                          .bulk = {.shared_at = TILE_AT,
                                   .barrier_at = BARRIER_AT,
                                   .has_barrier = 1,
                                   .coord = {0, w->addr[0] / 16 % 2 ? 32 : 0},
                                   .map = &map}});
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        w->addr[lane] = (w->addr[lane] + 16) % (SHARED - 1024);
}

static void *work(void *context) {
    void (*const all[])(struct work *) = {run_mma, run_ldmatrix, run_wgmma, run_bulk};
    struct work *w = context;
    const struct wsim_mbarrier barrier = {.shared = &w->shared_memory, .at = BARRIER_AT};
    struct wsim_mbarrier_state state = {0};
    for (unsigned i = 0; i < ROUNDS * COUNT(all); i++)
        all[(w->first + i) % COUNT(all)](w);
    if (!w->status)
        w->status = wsim_mbarrier_read(&barrier, &state, &w->diag);
    w->phase = state.phase;
    return NULL;
}

/* --- the comparison --- */

/* Halves without NaN or infinity, which would swallow what is wrong. */
static void fill(void *at, size_t bytes, uint64_t *seed) {
    uint8_t *byte = at;
    every_fill(at, bytes, seed);
    for (size_t i = 1; i < bytes; i += 2)
        byte[i] &= 0xBB;
}

static void start(struct work *w, unsigned number) {
    const struct wsim_mbarrier barrier = {.shared = &w->shared_memory, .at = BARRIER_AT};
    uint64_t seed = number + 1;
    memset(w, 0, sizeof *w);
    fill(w->a, sizeof w->a, &seed);
    fill(w->b, sizeof w->b, &seed);
    fill(w->shared, sizeof w->shared, &seed);
    fill(w->global, sizeof w->global, &seed);
    w->first = number;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        w->addr[lane] = lane * 80 + number * 16;
    w->shared_memory = wsim_memory_over(WSIM_SHARED, w->shared, SHARED, 0);
    w->global_memory = wsim_memory_const(WSIM_GLOBAL, w->global, GLOBAL, GLOBAL_BASE);
    memset(w->shared + BARRIER_AT, 0, WSIM_MBARRIER_BYTES);
    w->status = wsim_mbarrier_init(&barrier, 1, &w->diag);
}

static void compare(const struct work *alone, const struct work *beside, unsigned number) {
    ck_assert_msg(alone->status == WSIM_OK, "thread %u: %s", number, alone->diag.text);
    ck_assert_msg(beside->status == WSIM_OK, "thread %u: %s", number, beside->diag.text);
    ck_assert_mem_eq(alone->product, beside->product, sizeof alone->product);
    ck_assert_mem_eq(alone->loaded, beside->loaded, sizeof alone->loaded);
    ck_assert_mem_eq(alone->group, beside->group, sizeof alone->group);
    ck_assert_mem_eq(alone->shared, beside->shared, sizeof alone->shared);
    ck_assert_mem_eq(alone->global, beside->global, sizeof alone->global);
    ck_assert_uint_eq(beside->phase, ROUNDS % 4);
}

START_TEST(threads_get_what_one_gets) {
    static struct work alone[THREADS], beside[THREADS];
    pthread_t thread[THREADS];
    prepare();
    for (unsigned i = 0; i < THREADS; i++) {
        start(&alone[i], i);
        start(&beside[i], i);
        work(&alone[i]);
    }
    for (unsigned i = 1; i < THREADS; i++) /* operands of their own: results of their own */
        ck_assert(memcmp(alone[0].group, alone[i].group, sizeof alone[0].group) != 0 &&
                  memcmp(alone[0].product, alone[i].product, sizeof alone[0].product) != 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, work, &beside[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        compare(&alone[i], &beside[i], i);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{threads_get_what_one_gets, 0, 1}};
    return every_run("threads", tests, COUNT(tests));
}
