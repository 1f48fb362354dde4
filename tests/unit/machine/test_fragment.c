/* test_fragment.c - the bank groups of a wmma.load or wmma.store cover the matrix
 * in memory, with the right lines, step and bytes of each line. The expected numbers are
 * written out for each type, independent of fragments. Refusals have their reason.
 */
#include "../../every.h"

enum { DRAWS = 12 };

/* One matrix in memory. */
struct subject {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    unsigned lines, across, bits; /* lines of this many elements */
    unsigned start, stride;       /* bytes, elements */
};

/* A group: `lines` lines, `step` apart, `bytes` of each. */
struct shape {
    unsigned lines, step, bytes;
};

static int has(const char *text, const char *word) {
    return strstr(text, word) != NULL;
}

/* The size of a load or store in shared memory; 0 for anything else. */
static int read_subject(const struct wsim_op *op, struct subject *s) {
    struct wsim_op_info info = wsim_op_describe(op);
    struct wsim_layout layout;
    int stores = info.family == WSIM_WMMA_STORE;
    s->op = *op;
    wsim_op_spell(op, s->spelling);
    if (strncmp(s->spelling, "wmma.", 5) || !has(s->spelling, ".shared.") || !info.documented)
        return 0;
    wsim_op_layout(op, NULL, stores ? WSIM_R : WSIM_D, &layout, NULL);
    s->lines = has(s->spelling, ".row.") ? layout.rows : layout.cols;
    s->across = has(s->spelling, ".row.") ? layout.cols : layout.rows;
    s->bits = layout.elem_bits;
    return 1;
}

static struct shape shape_of(const struct subject *s) {
    const char *text = s->spelling;
    int row = has(text, ".row."), is_a = has(text, ".load.a."), is_b = has(text, ".load.b.");
    int along = is_a ? row : is_b ? !row : has(text, ".m8n32") ? !row : row;
    if (is_a || is_b) {
        if (s->bits <= 16 && (along || s->bits == 16))
            return (struct shape){8, 1, 16};
        if (s->bits == 8)
            return (struct shape){4, 4, 8};
        return s->bits == 32 && along ? (struct shape){8, 1, 16} : (struct shape){4, 1, 32};
    }
    if (s->bits == 16)
        return (struct shape){8, 1, 16};
    if (!along)
        return (struct shape){4, 2, 32};
    return s->bits == 64 ? (struct shape){2, 1, 64} : (struct shape){4, 1, 32};
}

/* Distinct words in the worst bank. */
static unsigned ways(const struct subject *s, const struct shape *shape, unsigned line,
                     unsigned byte) {
    static uint8_t seen[1 << 16];
    unsigned count[32] = {0}, i, b, most = 0;
    memset(seen, 0, sizeof seen);
    for (i = 0; i < shape->lines; i++)
        for (b = 0; b < shape->bytes; b++) {
            unsigned word =
                (s->start + (line + i * shape->step) * s->stride * s->bits / 8 + byte + b) / 4;
            if (seen[word]++)
                continue;
            if (++count[word % 32] > most)
                most = count[word % 32];
        }
    return most;
}

static void expect_counts(const struct subject *s) {
    const struct shape shape = shape_of(s);
    struct wsim_fragment_banks banks;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    uint32_t addr[WSIM_LANES];
    unsigned wavefronts = 0, groups = 0, line, e, byte, i;
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = s->start;
    for (line = 0; line < s->lines; line += shape.lines * shape.step)
        for (e = 0; e < shape.step; e++)
            for (byte = 0; byte < s->across * s->bits / 8; byte += shape.bytes, groups++)
                wavefronts += ways(s, &shape, line + e, byte);
    expect(wsim_banks_fragment(&s->op, wsim_arch_find("h200"), addr, s->stride, &banks, &diag) ==
               WSIM_OK,
           "%s: %s", s->spelling, diag.text);
    expect(banks.wavefronts == wavefronts && banks.ideal == groups &&
               banks.conflicts == wavefronts - groups,
           "%s at %u, stride %u: %u wavefronts of %u, not %u of %u", s->spelling, s->start,
           s->stride, (unsigned)banks.wavefronts, (unsigned)banks.ideal, wavefronts, groups);
}

START_TEST(groups_cover_the_matrix) {
    struct subject s;
    struct wsim_op op;
    uint32_t cursor = 0;
    uint64_t seed = 5;
    int seen = 0, i;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        if (!read_subject(&op, &s))
            continue;
        for (i = 0; i < DRAWS; i++) {
            unsigned unit = 256 / s.bits; /* elements of 32 bytes, the largest fragment of a lane */
            s.start = (unsigned)(every_random(&seed) % 64) * 32;
            s.stride = ((s.across + unit - 1) / unit + (unsigned)(every_random(&seed) % 12)) * unit;
            expect_counts(&s);
        }
        seen++;
    }
    ck_assert_int_eq(seen, 114);
}
END_TEST

/* Accesses as a debugger would show them. */
START_TEST(accesses_are_those_of_the_machine) {
    static const struct {
        const char *spelling;
        int accesses, bytes, rows;
    } list[] = {
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 1, 16, 32},
        {"wmma.load.b.sync.aligned.row.m32n8k16.shared.bf16", 1, 16, 16},
        {"wmma.load.a.sync.aligned.col.m32n8k16.shared.u8", 16, 1, 0},
        {"wmma.load.b.sync.aligned.col.m8n32k16.shared.s8", 2, 16, 16},
        {"wmma.load.c.sync.aligned.col.m16n16k16.shared.f16", 4, 4, 0},
        {"wmma.load.c.sync.aligned.col.m8n8k4.shared.f64", 2, 8, 0},
        {"wmma.store.d.sync.aligned.row.m8n8k4.shared::cta.f64", 1, 16, 0},
    };
    const uint32_t addr[WSIM_LANES] = {0};
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_fragment_banks banks;
    ck_assert_int_eq(wsim_banks_fragment(&op, wsim_arch_find("h200"), addr, 64, &banks, NULL),
                     WSIM_OK);
    ck_assert_int_eq(banks.naccesses, list[_i].accesses);
    ck_assert_int_eq(banks.access[0].bytes, list[_i].bytes);
    ck_assert_int_eq(banks.access[0].rows, list[_i].rows);
}
END_TEST

START_TEST(refusals) {
    static const struct {
        const char *spelling, *arch;
        uint32_t start, stride;
        enum wsim_status status;
        const char *words;
    } list[] = {
        {"ld.shared.u32", "h200", 0, 0, WSIM_ILLEGAL, "moves no fragment"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16", "h200", 0, 0, WSIM_ILLEGAL,
         "moves no fragment"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.f16", "h200", 0, 0, WSIM_UNMODELLED,
         "generic address"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "sm_70", 0, 0, WSIM_UNMODELLED,
         "sm_70"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "h200", 0, 8, WSIM_OPERAND,
         "stride 8"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "h200", 8, 0, WSIM_ALIGN,
         "address 0x8"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "h200", 0, 20, WSIM_ALIGN,
         "the stride of 8"},
        {"wmma.store.d.sync.aligned.row.m32n8k16.shared.f32", "h200", 0, 25, WSIM_ALIGN,
         "must be a multiple of 2"},
        {"wmma.load.a.sync.aligned.row.m8n32k16.shared.s8", "h200", 4, 0, WSIM_ALIGN,
         "rows of 16 bytes"},
        {"wmma.load.a.sync.aligned.row.m8n32k16.shared.s8", "h200", 0, 20, WSIM_ALIGN,
         "the stride of 16"},
        {"wmma.load.a.sync.aligned.row.m8n8k32.shared.u4", "h200", 0, 40, WSIM_ALIGN,
         "the stride of 32"},
    };
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_fragment_banks banks = {.wavefronts = 77};
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    uint32_t addr[WSIM_LANES];
    int i;
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = list[_i].start;
    ck_assert_int_eq(wsim_banks_fragment(&op, wsim_arch_find(list[_i].arch), addr, list[_i].stride,
                                         &banks, &diag),
                     list[_i].status);
    expect(has(diag.text, list[_i].words), "'%s' is not in: %s", list[_i].words, diag.text);
    ck_assert_uint_eq(banks.wavefronts, 77);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{groups_cover_the_matrix, 0, 1},
                                       {accesses_are_those_of_the_machine, 0, 7},
                                       {refusals, 0, 9}};
    return every_run("machine/fragment", tests, COUNT(tests));
}
