/* test_strips.c - tensor copies strip by strip equal those run by run (WSIM_PLAIN): bytes of
 * both memories with the barrier, counts and refusals. Watchers hear the same. Covers any map at
 * any coordinates. */
#include "../../every.h"

enum { ROUNDS = 30000, GLOBAL = 1 << 15, SHARED = 1 << 14, TYPES = 13 };

#define START UINT64_C(0x7f0000000400)

static uint64_t state = 20261122;

static unsigned below(unsigned most) {
    return (unsigned)(every_random(&state) >> 33) % most;
}

static int one_in(unsigned n) {
    return below(n) == 0;
}

struct memory {
    uint8_t global[GLOBAL], shared[SHARED];
};

struct outcome {
    enum wsim_status status;
    struct wsim_diag diag;
    struct wsim_bulk_result did;
    uint64_t touches; /* digest of what a watcher hears, in order */
};

enum kind { TILE, PIXELS, WIDE, WIDE_128, GATHER, KINDS };

static void spell(char *to, size_t size, enum kind kind, unsigned way, unsigned rank) {
    static const char *const loads[] = {"tile", "im2col", "im2col::w", "im2col::w::128",
                                        "tile::gather4"};
    static const char *const stores[] = {"tile", "im2col_no_offs", "im2col_no_offs",
                                         "im2col_no_offs", "tile::scatter4"};
    static const char *const reductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
    if (way == 0)
        snprintf(to, size,
                 "cp.async.bulk.tensor.%ud.shared::cta.global.%s.mbarrier::complete_tx::bytes",
                 rank, loads[kind]);
    else if (way == 1)
        snprintf(to, size, "cp.async.bulk.tensor.%ud.global.shared::cta.%s.bulk_group", rank,
                 stores[kind]);
    else
        snprintf(to, size, "cp.reduce.async.bulk.tensor.%ud.global.shared::cta.%s.%s.bulk_group",
                 rank, reductions[one_in(2) ? 0 : below(8)], stores[kind == GATHER ? TILE : kind]);
}

/* Bytes of a row, small and large, that the swizzle takes. */
static uint32_t row_bytes(enum wsim_swizzle swizzle) {
    static const uint32_t pieces[] = {1, 1, 2, 3, 4, 5, 7, 8, 8, 16, 17};
    uint32_t bytes = 16 * pieces[below(COUNT(pieces))], span = wsim_swizzle_span(swizzle);
    return span && bytes > span ? span : bytes;
}

static struct wsim_tensor draw_tensor(enum kind kind, unsigned way, unsigned rank) {
    static const uint8_t sizes[TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    struct wsim_tensor t = {.rank = rank, .oob = one_in(4), .dtype = below(TYPES)};
    uint32_t size = sizes[t.dtype];
    uint64_t stride;
    t.mode = way || kind == GATHER ? WSIM_TENSOR_TILED : (enum wsim_tensor_mode)kind;
    if (way && (kind == PIXELS || kind == WIDE || kind == WIDE_128))
        t.mode = WSIM_TENSOR_IM2COL;
    t.interleave = one_in(6) ? below(3) : 0;
    t.swizzle = below(WSIM_SWIZZLES);
    t.channels = t.box[0] = t.interleave ? 1 + below(4) : row_bytes(t.swizzle) / size;
    if (t.interleave && t.mode != WSIM_TENSOR_TILED)
        t.channels = 16 / size;
    t.dims[0] = t.interleave ? 1 + below(8) : 1 + below(320 / size);
    stride = (t.dims[0] * (t.interleave ? 32 : size) + 15) / 16 * 16;
    t.base = START + 32 * (uint64_t)below(8) - (one_in(16) ? 64 : 0);
    for (unsigned i = 0; i < rank; i++) {
        if (i) {
            t.dims[i] = 1 + below(one_in(4) ? 12 : 4);
            t.box[i] = kind == GATHER ? 1 : 1 + below(one_in(4) ? 9 : 4);
            t.strides[i - 1] = t.interleave ? (stride + 31) / 32 * 32 : stride;
            stride = one_in(16) ? 0 : t.strides[i - 1] * t.dims[i] + (one_in(4) ? 32 : 0);
        }
        t.estrides[i] = one_in(8) ? 1 + below(3) : 1;
    }
    t.pixels = 1 + below(40);
    for (unsigned i = 0; i < WSIM_TENSOR_SPATIAL; i++) {
        t.lower[i] = way ? (int)below(2) : -(int)below(3);
        t.upper[i] = -(int)below(3);
    }
    return t;
}

static void draw_operands(struct wsim_io *io, const struct wsim_tensor *t, unsigned way) {
    static const uint8_t sizes[TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    int piece = t->interleave ? 1 : 16 / sizes[t->dtype];
    for (unsigned i = 0; i < WSIM_TENSOR_RANK; i++) {
        int back = way && !one_in(32) ? 0 : (int)below(4);
        io->bulk.coord[i] = one_in(3) ? 0 : (int)below(5) - back;
        if (t->mode != WSIM_TENSOR_TILED && i && i + 1 < t->rank && !one_in(16))
            io->bulk.coord[i] = t->lower[i - 1];
    }
    io->bulk.coord[0] *= piece;
    for (unsigned i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        io->bulk.offset[i] = (uint16_t)(one_in(2) ? 0 : below(5));
    io->bulk.shared_at = 128 * below(16) + (one_in(64) ? 16 : 0);
    io->bulk.has_barrier = !way && one_in(2);
    io->bulk.barrier_at = one_in(8) ? 8 * (uint64_t)below(SHARED / 8) : SHARED - 8;
}

static void hear(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch) {
    uint64_t *digest = context;
    *digest = (*digest ^ touch->address ^ (uint64_t)touch->bytes << 48 ^
               (uint64_t)(touch->kind + 4 * memory->space) << 56) *
              UINT64_C(0x9E3779B97F4A7C15);
}

static struct outcome run(const struct wsim_code *code, struct wsim_io io, struct memory *m,
                          unsigned cut, unsigned read_only, int watched) {
    struct outcome out = {.did = {1, 2, 3, 4}};
    struct wsim_watch watch = {hear, &out.touches};
    struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, m->global, GLOBAL - cut, START);
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, m->shared, SHARED, 0);
    struct wsim_mbarrier barrier = {.shared = &shared, .at = io.bulk.barrier_at};
    if (io.bulk.has_barrier)
        wsim_mbarrier_init(&barrier, 1, NULL);
    global.read_only = read_only & 1;
    shared.read_only = read_only >> 1 & 1;
    global.watch = shared.watch = watched ? &watch : NULL;
    io.global = &global;
    io.shared = &shared;
    io.bulk.copied = &out.did;
    out.status = wsim_run(code, &io, &out.diag);
    return out;
}

/* Whether it was done. */
static int compare(struct memory *fast, struct memory *plain) {
    const struct wsim_arch *arch = wsim_arch_find("sm_100a");
    enum kind kind = one_in(2) ? TILE : (enum kind)below(KINDS);
    unsigned way = below(3), rank = kind == GATHER ? 2 : kind == TILE ? 1 + below(5) : 3 + below(3);
    struct wsim_tensor t = draw_tensor(kind, way, rank);
    unsigned cut = one_in(4) ? 16 * below(GLOBAL / 16) : 0, locked = one_in(16) ? below(4) : 0;
    struct wsim_code quick, slow;
    struct wsim_tensor_map map;
    struct wsim_io io = {.bulk = {.map = &map}};
    const int watched = one_in(2);
    struct outcome a, b;
    char name[160];
    struct wsim_op op;
    spell(name, sizeof name, kind, way, rank);
    op = every_parse(name);
    if (wsim_tensor_encode(&t, arch, &map, NULL))
        return 0;
    draw_operands(&io, &t, way);
    ck_assert_int_eq(wsim_prepare(&op, arch, 0, &quick, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, arch, WSIM_PLAIN, &slow, NULL), WSIM_OK);
    a = run(&quick, io, fast, cut, locked, watched);
    b = run(&slow, io, plain, cut, locked, watched);
    expect(a.status == b.status && strcmp(a.diag.text, b.diag.text) == 0, "%s: '%s', plain: '%s'",
           name, a.diag.text, b.diag.text);
    expect(a.did.bytes == b.did.bytes && a.did.outside == b.did.outside &&
               a.did.padding == b.did.padding && a.did.measured == b.did.measured,
           "%s: counts", name);
    expect(a.touches == b.touches, "%s: a watcher", name);
    expect(memcmp(fast->global, plain->global, GLOBAL) == 0, "%s: global memory", name);
    expect(memcmp(fast->shared, plain->shared, SHARED) == 0, "%s: shared memory", name);
    return a.status == WSIM_OK;
}

START_TEST(strips_are_runs) {
    static struct memory fast, plain;
    int done = 0;
    every_fill(&fast, sizeof fast, &state);
    plain = fast;
    const int rounds = run_turns(ROUNDS);
    for (int i = 0; i < rounds; i++)
        done += compare(&fast, &plain);
    expect(done > rounds / 4, "%d of %d were done", done, rounds);
}
END_TEST

/* --- numbers onto each other --- */

static const struct {
    const char *reduced; /* without a map; NULL: */
    enum wsim_tensor_type dtype;
    unsigned bytes;
} numbers[] = {
    {"add.noftz.f16", WSIM_TENSOR_FLOAT16, 2}, {"min.f16", WSIM_TENSOR_FLOAT16, 2},
    {"max.f16", WSIM_TENSOR_FLOAT16, 2},       {"add.noftz.bf16", WSIM_TENSOR_BFLOAT16, 2},
    {"min.bf16", WSIM_TENSOR_BFLOAT16, 2},     {"max.bf16", WSIM_TENSOR_BFLOAT16, 2},
    {"add.f32", WSIM_TENSOR_FLOAT32, 4},       {"add.f64", WSIM_TENSOR_FLOAT64, 8},
    {NULL, WSIM_TENSOR_FLOAT32_FTZ, 4},        {NULL, WSIM_TENSOR_TFLOAT32, 4},
    {NULL, WSIM_TENSOR_TFLOAT32_FTZ, 4},       {"add.u32", WSIM_TENSOR_UINT32, 4},
    {"max.s32", WSIM_TENSOR_INT32, 4},         {"min.s64", WSIM_TENSOR_INT64, 8},
    {"add.u64", WSIM_TENSOR_UINT64, 8},        {"inc.u32", WSIM_TENSOR_UINT32, 4},
    {"dec.u32", WSIM_TENSOR_UINT32, 4},        {"xor.b64", WSIM_TENSOR_UINT64, 8},
};

/* A number near another: with a similar exponent, nearly its opposite, one that rounds to a
 * tie with it, subnormal, infinite, NaN, or any bits. */
static uint64_t neighbour(uint64_t x, unsigned bits) {
    uint64_t sign = UINT64_C(1) << (bits - 1), any = every_random(&state);
    unsigned frac = bits == 16 ? (one_in(2) ? 10 : 7) : bits == 32 ? 23 : 52;
    switch (below(10)) {
    case 0: return any;
    case 1: return x ^ sign;
    case 2: return x ^ sign ^ (any & 7);
    case 3: return x + ((uint64_t)below(2 * frac + 8) << frac);
    case 4: return (x & ~((UINT64_C(1) << frac) - 1)) - ((uint64_t)(frac + 1) << frac);
    case 5: return (any & sign) | (any >> (64 - frac));
    case 6: return (any & sign) | (sign - (UINT64_C(1) << frac));
    case 7: return (any & sign) | below(2);
    case 8: return x - ((uint64_t)below(12) << frac) + (any & sign);
    default: return x ^ (any >> below(64));
    }
}

/* A copy of 4096 bytes of numbers, those of both memories near each other. */
static void draw_numbers(struct memory *m, unsigned bytes) {
    for (unsigned i = 0; i < 4096; i += bytes) {
        uint64_t x = one_in(8) ? neighbour(0, 8 * bytes) : every_random(&state);
        uint64_t y = neighbour(x, 8 * bytes);
        for (unsigned b = 0; b < bytes; b++) {
            m->global[i + b] = (uint8_t)(x >> 8 * b);
            m->shared[i + b] = (uint8_t)(y >> 8 * b);
        }
    }
}

START_TEST(numbers_onto_numbers) {
    static struct memory fast, plain;
    const struct wsim_arch *arch = wsim_arch_find("sm_100a");
    struct wsim_tensor t = {.rank = 2, .dtype = numbers[_i].dtype, .base = START};
    struct wsim_tensor_map map;
    struct wsim_io io = {.bulk = {.map = &map, .bytes = 4096, .global_at = START}};
    struct wsim_code quick, slow;
    char name[160] = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group";
    struct wsim_op op;
    if (numbers[_i].reduced)
        snprintf(name, sizeof name, "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s",
                 numbers[_i].reduced);
    op = every_parse(name);
    t.dims[0] = t.box[0] = 256 / numbers[_i].bytes;
    t.dims[1] = t.box[1] = 16;
    t.strides[0] = 256;
    t.estrides[0] = t.estrides[1] = 1;
    ck_assert_int_eq(wsim_tensor_encode(&t, arch, &map, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, arch, 0, &quick, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, arch, WSIM_PLAIN, &slow, NULL), WSIM_OK);
    for (int round = 0; round < 40; round++) {
        draw_numbers(&fast, numbers[_i].bytes);
        plain = fast;
        ck_assert_int_eq(run(&quick, io, &fast, 0, 0, 0).status, WSIM_OK);
        ck_assert_int_eq(run(&slow, io, &plain, 0, 0, 0).status, WSIM_OK);
        expect(memcmp(fast.global, plain.global, GLOBAL) == 0, "%s: type %u", name,
               numbers[_i].dtype);
    }
}
END_TEST

/* Numbers that a load rounds: all numbers of a type with few bits, and their
 * neighbours. */
START_TEST(numbers_rounded) {
    static struct memory fast, plain;
    const struct wsim_arch *arch = wsim_arch_find("sm_100a");
    struct wsim_op op =
        every_parse("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes");
    struct wsim_tensor t = {.rank = 2, .base = START, .dims = {64, 16}, .box = {64, 16}};
    struct wsim_tensor_map map;
    struct wsim_io io = {.bulk = {.map = &map}};
    struct wsim_code quick, slow;
    t.dtype = _i ? WSIM_TENSOR_TFLOAT32_FTZ : WSIM_TENSOR_TFLOAT32;
    t.strides[0] = 256;
    t.estrides[0] = t.estrides[1] = 1;
    ck_assert_int_eq(wsim_tensor_encode(&t, arch, &map, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, arch, 0, &quick, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(&op, arch, WSIM_PLAIN, &slow, NULL), WSIM_OK);
    for (uint32_t high = 0; high < 0x10000; high += 64) { /* 16 of each 64 low halves */
        for (uint32_t i = 0; i < 1024; i++) {
            uint32_t low = i % 16 < 8 ? 0x0FFC + i % 8 + (i & 4 ? 0x1000 : 0) : below(0x10000);
            uint32_t bits = (high + i / 16) << 16 | low;
            for (unsigned b = 0; b < 4; b++)
                fast.global[4 * i + b] = (uint8_t)(bits >> 8 * b);
        }
        plain = fast;
        ck_assert_int_eq(run(&quick, io, &fast, 0, 0, 0).status, WSIM_OK);
        ck_assert_int_eq(run(&slow, io, &plain, 0, 0, 0).status, WSIM_OK);
        expect(memcmp(fast.shared, plain.shared, SHARED) == 0, "0x%x0000", (unsigned)high);
    }
}
END_TEST

int main(void) {
    struct every_test tests[] = {
        {strips_are_runs, 0, 1},
        {numbers_onto_numbers, 0, COUNT(numbers)},
        {numbers_rounded, 0, 2},
    };
    return every_run("unit/copy/strips", tests, COUNT(tests));
}
