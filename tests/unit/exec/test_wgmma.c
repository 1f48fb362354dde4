/* test_wgmma.c - D is A times B plus C in integers, with explicit fragments, metadata and
 * addresses of the manual. Covers signs, majors and scale-d. A refusal leaves D
 * unchanged. Rounding and special values are those of mma, and recorded. */
#include "../../every.h"

enum { WINDOW = 65536, BASE = 2048 };

static uint8_t window[WINDOW];
static struct wsim_group_regs a, c, d;
static uint32_t metadata[WSIM_GROUP_THREADS];

static const char *const spellings[] = {
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
    "wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16",
    "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16",
    "wgmma.mma_async.sync.aligned.m64n40k8.f32.tf32.tf32",
    "wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2",
    "wgmma.mma_async.sync.aligned.m64n72k32.f16.e5m2.e4m3",
    "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8",
    "wgmma.mma_async.sync.aligned.m64n112k32.satfinite.s32.u8.u8",
    "wgmma.mma_async.sync.aligned.m64n24k256.s32.b1.b1.and.popc",
    "wgmma.mma_async.sp.sync.aligned.m64n24k32.f32.f16.f16",
    "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16",
    "wgmma.mma_async.sp.sync.aligned.m64n88k16.f32.tf32.tf32",
    "wgmma.mma_async.sp.sync.aligned.m64n16k64.f16.e4m3.e4m3",
    "wgmma.mma_async.sp.sync.aligned.m64n32k64.s32.s8.s8",
};

/* The parts of an instruction, read from its spelling. */
struct subject {
    struct wsim_op op;
    struct wsim_op_info info;
    const struct wsim_format *type[3]; /* A, B, D                                            */
    int bits;                          /* of an element of A and B where it is kept            */
    struct wsim_wgmma io;
    struct wsim_tile tile[2];
};

static void read_subject(const char *spelling, struct subject *s) {
    char text[WSIM_SPELLING_MAX];
    const struct wsim_format *types[3] = {NULL, NULL, NULL};
    char *word;
    int n = 0;
    s->op = every_parse(spelling);
    s->info = wsim_op_describe(&s->op);
    strcpy(text, spelling);
    for (word = strtok(text, "."); word; word = strtok(NULL, "."))
        if (wsim_format_find(word) && n < 3)
            types[n++] = wsim_format_find(word);
    s->type[0] = types[1];
    s->type[1] = types[2];
    s->type[2] = types[0];
    s->bits = types[1]->bits == 19 ? 32 : types[1]->bits;
}

static int is_float(const struct subject *s) {
    return s->type[0]->kind == WSIM_BINARY;
}

/* A small whole number as raw bits of a container. */
static uint64_t raw(const struct wsim_format *type, int bits, int value) {
    struct wsim_value v = {WSIM_FINITE, value < 0, 0, (uint64_t)(value < 0 ? -value : value)};
    v.cls = value ? WSIM_FINITE : WSIM_ZERO;
    return wsim_format_encode(type, v, WSIM_RN) << (bits == 32 && type->bits == 19 ? 13 : 0);
}

static int whole(const struct wsim_format *type, int bits, uint64_t raw_bits) {
    struct wsim_value v =
        wsim_format_decode(type, raw_bits >> (bits == 32 && type->bits == 19 ? 13 : 0));
    long long m =
        v.cls == WSIM_FINITE ? (long long)(v.exp >= 0 ? v.sig << v.exp : v.sig >> -v.exp) : 0;
    return (int)(v.negative ? -m : m);
}

static int small(const struct wsim_format *type, uint64_t *seed) {
    int least = type->is_signed ? -2 : 0;
    return least + (int)(every_random(seed) % (unsigned)(3 - least));
}

/* An element that is a whole number as A and as B: two formats of 8 bits share but a few. */
static uint64_t element(const struct subject *s, uint64_t *seed) {
    static const uint8_t shared[] = {0, 0x40, 0xC0, 0x44, 0xC4};
    if (s->bits == 1)
        return every_random(seed);
    if (is_float(s) && s->type[0] != s->type[1])
        return shared[every_random(seed) % 5];
    return raw(s->type[0], s->bits, small(s->type[0], seed));
}

static void fill_words(const struct subject *s, void *at, size_t bytes, uint64_t *seed) {
    uint8_t *byte = at;
    size_t i;
    for (i = 0; i < bytes; i += (size_t)(s->bits < 8 ? 1 : s->bits / 8)) {
        uint64_t bits = element(s, seed);
        int k;
        for (k = 0; k < (s->bits < 8 ? 1 : s->bits / 8); k++)
            byte[i + (size_t)k] = (uint8_t)(bits >> 8 * k);
    }
}

/* --- the truth --- */

static uint64_t bits_at(const uint8_t *at, int bits, unsigned k) {
    uint64_t v = 0;
    int i;
    if (bits == 1)
        return *at >> k % 8 & 1;
    for (i = 0; i < bits / 8; i++)
        v |= (uint64_t)at[i] << 8 * i;
    return v;
}

static uint32_t bits_of_regs(const struct wsim_group_regs *regs, int thread, int bits, int elem) {
    int each = 32 / bits;
    uint32_t word = regs->r[elem / each][thread] >> elem % each * bits;
    return bits == 32 ? word : word & ((1u << bits) - 1);
}

/* Stored element k of row `row` of A. A in registers: four registers, rows g and g + 8, then the
 * other half of k. A quad shares k in words. */
static int a_at(const struct subject *s, unsigned row, unsigned k) {
    unsigned each = 32u / (unsigned)s->bits, word = k / each, elem, thread;
    if (!s->io.a) {
        struct wsim_descriptor where;
        uint32_t at;
        wsim_descriptor_decode(s->io.desc_a, &where, NULL);
        at = wsim_descriptor_address(&where, &s->tile[0], row, k);
        return whole(s->type[0], s->bits, bits_at(window + at - BASE, s->bits, k));
    }
    thread = row / 16 * 32 + row % 8 * 4 + word % 4;
    elem = ((word / 4) * 2 + row % 16 / 8) * each + k % each;
    return whole(s->type[0], s->bits, bits_of_regs(&a, (int)thread, s->bits, (int)elem));
}

static int b_at(const struct subject *s, unsigned col, unsigned k) {
    struct wsim_descriptor where;
    uint32_t at;
    wsim_descriptor_decode(s->io.desc_b, &where, NULL);
    at = wsim_descriptor_address(&where, &s->tile[1], col, k);
    return whole(s->type[1], s->bits, bits_at(window + at - BASE, s->bits, k));
}

/* The k that stored element `stored` of a row belongs to. */
static unsigned dense_k(const struct subject *s, unsigned row, unsigned stored) {
    unsigned kept = s->bits == 32 ? 1 : 2, chunk = stored / kept, nibble, base = row / 16 * 32;
    unsigned quad = base + row % 8 * 4, high = row % 16 / 8;
    if (!s->info.sparse)
        return stored;
    if (s->bits == 8)
        nibble = metadata[quad + 2 * (chunk / 8) + high] >> 4 * (chunk % 8) & 15;
    else
        nibble =
            metadata[quad + 2 * s->io.selector + chunk / 4] >> (16 * high + 4 * (chunk % 4)) & 15;
    if (s->bits == 32)
        return 2 * chunk + (nibble == 14);
    return 4 * chunk + (stored % 2 ? nibble >> 2 : nibble & 3);
}

static int truth(const struct subject *s, unsigned row, unsigned col, int acc) {
    unsigned k, stored = s->info.sparse ? s->info.k / 2u : s->info.k;
    int sum = s->io.scale_d ? acc : 0;
    for (k = 0; k < stored; k++)
        sum += a_at(s, row, k) * (s->io.negate_a ? -1 : 1) * b_at(s, col, dense_k(s, row, k)) *
               (s->io.negate_b ? -1 : 1);
    return sum;
}

/* --- cases --- */

static void fill_accumulator(const struct subject *s, uint64_t *seed) {
    int bits = s->type[2]->bits, thread, elem;
    memset(&c, 0, sizeof c);
    for (elem = 0; elem < s->info.n / 2; elem++)
        for (thread = 0; thread < 128; thread++) {
            uint64_t v = raw(s->type[2], 0, (int)(every_random(seed) % 33) - 16) &
                         (bits == 32 ? UINT32_MAX : 0xFFFFu);
            c.r[elem * bits / 32][thread] |= (uint32_t)v << elem * bits % 32;
        }
}

static void fill_metadata(const struct subject *s, uint64_t *seed) {
    static const uint8_t pairs[] = {1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14}, one[] = {4, 14};
    int thread, i;
    for (thread = 0; thread < 128; thread++)
        for (metadata[thread] = 0, i = 0; i < 8; i++)
            metadata[thread] |= (uint32_t)(s->bits == 32 ? one[every_random(seed) % 2]
                                                         : pairs[every_random(seed) % 12])
                                << 4 * i;
}

/* Ignored bits of a descriptor. */
#define MEANINGLESS UINT64_C(0x3FF1C000C000C000)

static uint64_t any_descriptor(const struct wsim_tile *tile, uint64_t *seed) {
    static const enum wsim_swizzle modes[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_32B, WSIM_SWIZZLE_64B,
                                              WSIM_SWIZZLE_128B};
    struct wsim_descriptor where = {0, 0, 0, 0, modes[every_random(seed) % 4]};
    uint64_t bits = 0;
    (void)tile;
    where.start = BASE + (uint32_t)every_random(seed) % 512 * 16;
    where.leading = (uint32_t)every_random(seed) % 64 * 16;
    where.stride = (uint32_t)every_random(seed) % 64 * 16;
    if (every_random(seed) % 2)
        where.base_offset = every_random(seed) % 8;
    wsim_descriptor_encode(&where, &bits, NULL);
    return bits | (every_random(seed) % 4 ? 0 : every_random(seed) & MEANINGLESS);
}

static void fill_case(struct subject *s, int variant, uint64_t *seed) {
    struct wsim_tile tile;
    int majors = wsim_wgmma_tile(&s->op, WSIM_B, 1, &tile, NULL) == WSIM_OK;
    uint64_t r = every_random(seed);
    fill_words(s, window, sizeof window, seed);
    fill_words(s, &a, sizeof a.r[0] * 4, seed);
    fill_accumulator(s, seed);
    fill_metadata(s, seed);
    s->io = (struct wsim_wgmma){.d = &d,
                                .c = &c,
                                .smem = window,
                                .smem_base = BASE,
                                .smem_size = sizeof window,
                                .e = metadata};
    s->io.a = variant & 1 ? &a : NULL;
    s->io.scale_d = variant >> 1 & 1;
    s->io.negate_a = is_float(s) && r & 1;
    s->io.negate_b = is_float(s) && r >> 1 & 1;
    s->io.trans_a = majors && !s->io.a && r >> 2 & 1;
    s->io.trans_b = majors && r >> 3 & 1;
    s->io.selector = s->info.selectors ? (unsigned)(r >> 4) % s->info.selectors : 0;
    wsim_wgmma_tile(&s->op, WSIM_A, (int)s->io.trans_a, &s->tile[0], NULL);
    wsim_wgmma_tile(&s->op, WSIM_B, (int)s->io.trans_b, &s->tile[1], NULL);
    s->io.desc_a = any_descriptor(&s->tile[0], seed);
    s->io.desc_b = any_descriptor(&s->tile[1], seed);
}

static void compare(const struct subject *s) {
    int bits = s->type[2]->bits, thread, elem;
    for (thread = 0; thread < 128; thread++)
        for (elem = 0; elem < s->info.n / 2; elem++) {
            unsigned row = (unsigned)(thread / 32 * 16 + thread % 32 / 4 + elem / 2 % 2 * 8);
            unsigned col = (unsigned)(elem / 4 * 8 + thread % 4 * 2 + elem % 2);
            int acc = whole(s->type[2], 0, bits_of_regs(&c, thread, bits, elem));
            int got = whole(s->type[2], 0, bits_of_regs(&d, thread, bits, elem));
            int want = truth(s, row, col, acc);
            expect(got == want, "%s row %u column %u: %d, not %d", s->info.row, row, col, got,
                   want);
        }
}

START_TEST(a_product_is_that_of_whole_numbers) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct subject s;
    uint64_t seed = (uint64_t)_i;
    int variant;
    read_subject(spellings[_i], &s);
    for (variant = 0; variant < 8; variant++) {
        fill_case(&s, variant, &seed);
        expect(wsim_wgmma_run(&s.op, arch, &s.io, &diag) == WSIM_OK, "%s", diag.text);
        compare(&s);
        if (variant < 4)
            continue; /* in place: D is C */
        c = d;
        s.io.c = s.io.d = &d;
        s.io.scale_d = 1;
        expect(wsim_wgmma_run(&s.op, arch, &s.io, &diag) == WSIM_OK, "%s", diag.text);
        compare(&s);
    }
}
END_TEST

/* --- refusals --- */

struct refusal {
    const char *spelling;
    struct wsim_wgmma io;
    enum wsim_status status;
    const char *words;
};

START_TEST(a_refusal_changes_nothing) {
    static const char *const half = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
    static const char *const bytes = "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8";
    static const char *const sparse = "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8";
    static const char *const warp = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
#define GIVEN .d = &d, .smem = window, .smem_size = 4096
#define NEAR UINT64_C(0x0000000800100000) /* 64 rows of 16 bytes, and as many again */
    static const struct refusal list[] = {
        {warp, {GIVEN}, WSIM_ILLEGAL, "is not wgmma.mma_async"},
        {"wgmma.fence.sync.aligned", {GIVEN}, WSIM_ILLEGAL, "is not wgmma.mma_async"},
        {half, {.smem = window, .smem_size = 4096}, WSIM_OPERAND, "operand d is missing"},
        {half, {GIVEN, .scale_d = 1}, WSIM_OPERAND, "operand c is missing"},
        {half, {.d = &d}, WSIM_OPERAND, "shared memory is missing"},
        {half, {GIVEN, .c = &c, .scale_d = 2}, WSIM_OPERAND, "scale_d is 2"},
        {half, {GIVEN, .trans_b = 3}, WSIM_OPERAND, "trans_b is 3"},
        {half, {GIVEN, .a = &a, .trans_a = 1}, WSIM_OPERAND, "A is in registers"},
        {bytes,
         {GIVEN, .negate_a = 1},
         WSIM_OPERAND,
         "negate_a: wgmma.mma_async.m64n8k32.s32.s8.s8 has no such"},
        {bytes,
         {GIVEN, .trans_b = 1},
         WSIM_OPERAND,
         "trans_b: wgmma.mma_async.m64n8k32.s32.s8.s8 has no such"},
        {half, {GIVEN, .desc_a = NEAR, .desc_b = 0x3FF9}, WSIM_BOUNDS, "address 0x3ff90"},
        {half,
         {GIVEN, .a = &a, .desc_b = UINT64_C(0x3FF80080)}, /* would wrap at 18 bits */
         WSIM_BOUNDS,
         "B, row 0, k 8: address 0x40780"},
        {half,
         {GIVEN, .desc_a = NEAR, .desc_b = 0xF9},
         WSIM_BOUNDS,
         "B, row 7, k 0: address 0x1000"},
        {half, {GIVEN, .desc_a = 0x100}, WSIM_BOUNDS, "A, row 0, k 0: address 0x1000"},
        {half, {GIVEN, .smem_base = 1024, .desc_a = NEAR}, WSIM_BOUNDS, "[0x400, 0x1400)"},
        {sparse, {GIVEN, .a = &a}, WSIM_OPERAND, "operand e is missing"},
        {sparse, {GIVEN, .a = &a, .e = metadata, .selector = 1}, WSIM_OPERAND, "selector 1"},
        {sparse,
         {GIVEN, .a = &a, .e = metadata},
         WSIM_OPERAND,
         "lane 70 (row 33, chunk 8) is 0x5"}};
    const struct refusal *r = &list[_i];
    struct wsim_op op = every_parse(r->spelling);
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    int i;
    memset(&d, 0x5a, sizeof d);
    for (i = 0; i < 128; i++)
        metadata[i] = 0x44444444;
    metadata[70] = 0x44444445;
    ck_assert_int_eq(wsim_wgmma_run(&op, wsim_arch_find("sm_90a"), &r->io, &diag), r->status);
    expect(strstr(diag.text, r->words) != NULL, "'%s' is not in: %s", r->words, diag.text);
    ck_assert_int_eq(wsim_wgmma_run(&op, wsim_arch_find("sm_90a"), &r->io, NULL), r->status);
    for (i = 0; i < (int)sizeof d; i++)
        expect(((uint8_t *)&d)[i] == 0x5a, "byte %d of d has changed", i);
    ck_assert_int_eq(wsim_wgmma_run(&op, wsim_arch_find("sm_75"), &r->io, NULL), WSIM_ILLEGAL);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{a_product_is_that_of_whole_numbers, 0, COUNT(spellings)},
                                       {a_refusal_changes_nothing, 0, 18}};
    return every_run("unit/exec/wgmma", tests, COUNT(tests));
}
