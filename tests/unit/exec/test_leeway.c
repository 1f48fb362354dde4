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
        .d = l->d, .addr = l->addr, .stride = stride, .shared = &l->shared, .mask = UINT32_MAX};
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

/* What nobody has measured is as the ISA has it. */
START_TEST(what_was_not_measured_is_refused) {
    static const char *const list[] = {"wmma.load.a.sync.aligned.row.m16n16k16.f16",
                                       "wmma.load.a.sync.aligned.row.m16n16k16.global.f16",
                                       "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16"};
    static struct load l;
    struct wsim_code code = prepared(list[_i]);
    struct wsim_memory global;
    struct wsim_diag diag;
    lay_out(&l, 0, 24);
    global = wsim_memory_const(WSIM_GLOBAL, l.bytes, WINDOW, 0);
    l.io.global = &global;
    ck_assert_int_eq(wsim_run(&code, &l.io, &diag), WSIM_ALIGN);
    ck_assert_str_eq(diag.rule, "wmma.stride.align");
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
    l.io.stride = 72;
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
                                       {what_was_not_measured_is_refused, 0, 3},
                                       {padding_is_counted, 0, 1}};
    return every_run("unit/exec/leeway", tests, COUNT(tests));
}
