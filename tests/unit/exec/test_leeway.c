/* test_leeway.c - wmma with rows that the ISA does not allow and hardware runs: executed, counted,
 * and said to be outside of the ISA's text. */
#include "../../every.h"

enum { WINDOW = 16384 };

struct load {
    uint32_t words[8][WSIM_LANES];
    uint32_t *d[8];
    uint32_t addr[WSIM_LANES];
    uint8_t bytes[WINDOW];
    struct wsim_memory shared;
    struct wsim_io io;
};

static void lay_out(struct load *l, uint32_t base, uint32_t stride) {
    memset(l->words, 0, sizeof l->words);
    for (unsigned r = 0; r < 8; r++)
        l->d[r] = l->words[r];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        l->addr[lane] = base;
    memset(l->bytes, 0xA5, sizeof l->bytes);
    for (unsigned line = 0; line < 16; line++)
        for (unsigned i = 0; i < 16; i++) {
            l->bytes[base + 2 * (line * stride + i)] = (uint8_t)i;
            l->bytes[base + 2 * (line * stride + i) + 1] = (uint8_t)line;
        }
    l->shared = wsim_memory_const(WSIM_SHARED, l->bytes, WINDOW, 0);
    l->io = (struct wsim_io){
        .shared = &l->shared,
        .move = {.d = l->d, .addr = l->addr, .stride = stride, .mask = UINT32_MAX}};
}

static struct wsim_code prepared(const char *spelling) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("h200"), 0, &code, NULL), WSIM_OK);
    return code;
}

/* Leading dimensions and bases that an H200 ran, all with the right elements. */
static const uint32_t strides[] = {16, 24, 40, 72, 136, 264}, bases[] = {0, 16, 32, 48};
static const char *const spellings[] = {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
                                        "wmma.load.a.sync.aligned.col.m16n16k16.shared.f16",
                                        "wmma.load.b.sync.aligned.row.m16n16k16.shared::cta.f16",
                                        "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16"};

START_TEST(rows_of_16_bytes_run) {
    static struct load l, usual;
    struct wsim_code code = prepared(spellings[_i]);
    lay_out(&usual, 0, 16);
    ck_assert_int_eq(wsim_run(&code, &usual.io, NULL), WSIM_OK);
    for (int s = 0; s < COUNT(strides); s++)
        for (int b = 0; b < COUNT(bases); b++) {
            struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
            int documented = strides[s] % 16 == 0 && bases[b] % 32 == 0;
            lay_out(&l, bases[b], strides[s]);
            ck_assert_int_eq(wsim_run(&code, &l.io, NULL), WSIM_OK);
            ck_assert_int_eq(memcmp(l.words, usual.words, sizeof l.words), 0);
            ck_assert_int_eq(wsim_code_documented(&code, &l.io, &diag), documented);
            expect(documented || !strcmp(diag.rule, "advice.wmma.align"), "%s", diag.text);
        }
}
END_TEST

START_TEST(other_rows_trap) {
    static struct load l;
    struct wsim_code code = prepared(spellings[_i]);
    struct wsim_diag diag;
    lay_out(&l, 0, 20);
    ck_assert_int_eq(wsim_run(&code, &l.io, &diag), WSIM_ALIGN);
    ck_assert_str_eq(diag.rule, "wmma.row.align");
    ck_assert_int_eq(wsim_code_documented(&code, &l.io, NULL), 1);
    lay_out(&l, 8, 24);
    ck_assert_int_eq(wsim_run(&code, &l.io, &diag), WSIM_ALIGN);
    ck_assert_str_eq(diag.rule, "wmma.row.align");
}
END_TEST

/* The least alignment, in bytes, that an H200 ran with, address and lines alike: one form of each
 * kind. Below it, it trapped or moved something else. */
static const struct {
    const char *spelling;
    uint32_t least, line; /* bytes */
} kinds[] = {
    {"wmma.load.a.sync.aligned.row.m8n32k16.shared.bf16", 16, 32},
    {"wmma.load.a.sync.aligned.col.m16n16k16.global.f16", 4, 32},
    {"wmma.load.b.sync.aligned.col.m16n16k16.f16", 4, 32},
    {"wmma.load.a.sync.aligned.row.m16n16k16.shared.s8", 16, 16},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.s8", 4, 16},
    {"wmma.load.a.sync.aligned.col.m16n16k16.shared.u8", 1, 16},
    {"wmma.load.b.sync.aligned.row.m16n16k16.global.u8", 1, 16},
    {"wmma.load.b.sync.aligned.col.m8n8k32.shared.s4", 16, 16},
    {"wmma.load.b.sync.aligned.col.m8n8k32.s4", 4, 16},
    {"wmma.load.a.sync.aligned.row.m8n8k128.global.b1", 4, 16},
    {"wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32", 4, 32},
    {"wmma.load.b.sync.aligned.col.m8n8k4.shared.f64", 8, 32},
    {"wmma.load.c.sync.aligned.row.m16n16k16.shared.f16", 4, 32},
    {"wmma.load.c.sync.aligned.col.m16n16k16.shared.f32", 4, 64},
    {"wmma.load.c.sync.aligned.row.m16n16k16.global.f32", 8, 64},
    {"wmma.load.c.sync.aligned.row.m8n8k4.shared.f64", 16, 64},
    {"wmma.store.d.sync.aligned.row.m16n16k16.shared.s32", 8, 64},
    {"wmma.store.d.sync.aligned.row.m8n32k16.shared.f32", 4, 128},
    {"wmma.store.d.sync.aligned.col.m8n8k4.global.f64", 8, 64},
};

static struct wsim_io moving(struct load *l, const struct wsim_op *op, uint32_t base,
                             uint32_t stride, struct wsim_memory *global) {
    struct wsim_layout layout;
    int stores = wsim_op_layout(op, NULL, WSIM_D, &layout, NULL) != WSIM_OK;
    if (stores)
        ck_assert_int_eq(wsim_op_layout(op, NULL, WSIM_R, &layout, NULL), WSIM_OK);
    l->shared = wsim_memory_over(WSIM_SHARED, l->bytes, WINDOW, 0);
    *global = wsim_memory_over(WSIM_GLOBAL, l->bytes, WINDOW, 0);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        l->addr[lane] = base;
    return (struct wsim_io){.shared = &l->shared,
                            .global = global,
                            .move = {.d = l->d,
                                     .r = (const uint32_t *const *)l->d,
                                     .addr = l->addr,
                                     .stride = stride * 8 / layout.elem_bits}};
}

/* Puts the lines of a matrix of memory at another place. */
static void shift(const struct load *from, struct load *to, uint32_t base, uint32_t stride,
                  uint32_t line) {
    memset(to->bytes, 0xA5, WINDOW);
    for (uint32_t i = 0; i < 32; i++)
        memcpy(to->bytes + base + i * stride, from->bytes + i * 256, line);
}

START_TEST(one_access_is_all_that_is_aligned) {
    static struct load usual, other;
    struct wsim_code code = prepared(kinds[_i].spelling);
    struct wsim_memory global[2];
    uint32_t least = kinds[_i].least, line = kinds[_i].line, stride;
    int stores = strstr(kinds[_i].spelling, "store") != NULL;
    struct wsim_diag diag;
    struct wsim_io io;
    uint64_t seed = (uint64_t)_i;
    lay_out(&usual, 0, 16);
    lay_out(&other, 0, 16);
    every_fill(usual.bytes, WINDOW, &seed);
    every_fill(usual.words, sizeof usual.words, &seed);
    memcpy(other.words, usual.words, sizeof usual.words);
    stride = (line + least - 1) / least * least + least;
    shift(&usual, &other, least, stride, line);
    io = moving(&usual, &code.op, 0, 256, &global[0]);
    ck_assert_int_eq(wsim_run(&code, &io, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_code_documented(&code, &io, NULL), 1);
    io = moving(&other, &code.op, least, stride, &global[1]);
    ck_assert_int_eq(wsim_run(&code, &io, NULL), WSIM_OK);
    ck_assert_int_eq(memcmp(usual.words, other.words, sizeof usual.words), 0);
    for (uint32_t i = 0; stores && i < 8; i++)
        ck_assert_int_eq(memcmp(usual.bytes + i * 256, other.bytes + least + i * stride, line), 0);
    if (least == 1)
        return;
    io = moving(&other, &code.op, least / 2, 256, &global[1]);
    ck_assert_int_eq(wsim_run(&code, &io, &diag), WSIM_ALIGN);
    io = moving(&other, &code.op, 0, 256, &global[1]);
    if (least / 2 * 8 < 256 * 8 / io.move.stride) /* less than an element */
        return;
    io = moving(&other, &code.op, 0, 256 + least / 2, &global[1]);
    ck_assert_int_eq(wsim_run(&code, &io, &diag), WSIM_ALIGN);
}
END_TEST

/* The padding of most public kernels: rows of 16 halves and 8 more have no conflict in common. */
START_TEST(padding_is_counted) {
    static struct load l;
    struct wsim_code code = prepared(spellings[0]);
    struct wsim_cost tight, padded;
    lay_out(&l, 0, 64);
    ck_assert_int_eq(wsim_cost(&code, &l.io, WSIM_HARDWARE_COUNTERS, NULL, 0, &tight, NULL),
                     WSIM_OK);
    l.io.move.stride = 72;
    ck_assert_int_eq(wsim_cost(&code, &l.io, WSIM_HARDWARE_COUNTERS, NULL, 0, &padded, NULL),
                     WSIM_OK);
    ck_assert_uint_eq(padded.wavefronts, 4);
    ck_assert_uint_eq(padded.conflicts, 0);
    ck_assert_uint_eq(tight.wavefronts, 32);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{rows_of_16_bytes_run, 0, 4},
                                       {other_rows_trap, 0, 4},
                                       {one_access_is_all_that_is_aligned, 0, COUNT(kinds)},
                                       {padding_is_counted, 0, 1}};
    return every_run("unit/exec/leeway", tests, COUNT(tests));
}
