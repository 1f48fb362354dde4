/* test_wmma.c - fragments of wmma: memory and back under every layout, copies that differ, the
 * two roundings of an f16 D with an f32 C. */
#include "../../every.h"

enum { STRIDE = 48, WINDOW = 32 * STRIDE * 8 };

/* Through a C fragment from one layout of memory to the other: the matrix transposed in memory. */
static void there_and_back(const char *from, const char *to, unsigned bytes, unsigned rows,
                           unsigned cols) {
    static uint8_t in[WINDOW], out[WINDOW];
    static struct wsim_regs regs;
    const struct wsim_op load = every_parse(from), store = every_parse(to);
    struct wsim_smem source = {in, WINDOW}, target = {out, WINDOW};
    const uint32_t addr[WSIM_LANES] = {0};
    struct wsim_operands io = {.d = &regs, .r = &regs, .addr = addr, .stride = STRIDE};
    uint64_t seed = bytes;
    unsigned row, col;
    every_fill(in, sizeof in, &seed);
    memset(out, 0, sizeof out);
    io.smem = &source;
    ck_assert_int_eq(wsim_exec(&load, wsim_arch_find("h200"), &io, NULL), WSIM_OK);
    io.smem = &target;
    ck_assert_int_eq(wsim_exec(&store, wsim_arch_find("h200"), &io, NULL), WSIM_OK);
    for (row = 0; row < rows; row++)
        for (col = 0; col < cols; col++)
            expect(memcmp(in + (row * STRIDE + col) * bytes, out + (col * STRIDE + row) * bytes,
                          bytes) == 0,
                   "%s: (%u, %u)", from, row, col);
}

START_TEST(memory_to_fragment_to_memory) {
    there_and_back("wmma.load.c.sync.aligned.row.m8n32k16.f32",
                   "wmma.store.d.sync.aligned.col.m8n32k16.f32", 4, 8, 32);
    there_and_back("wmma.load.c.sync.aligned.row.m32n8k16.f16",
                   "wmma.store.d.sync.aligned.col.m32n8k16.f16", 2, 32, 8);
    there_and_back("wmma.load.c.sync.aligned.row.m16n16k16.s32",
                   "wmma.store.d.sync.aligned.col.m16n16k16.s32", 4, 16, 16);
    there_and_back("wmma.load.c.sync.aligned.row.m8n8k4.f64",
                   "wmma.store.d.sync.aligned.col.m8n8k4.f64", 8, 8, 8);
}
END_TEST

/* All of A, B and C the same number each; A and B of f16. */
static struct wsim_regs all(uint32_t word) {
    struct wsim_regs regs;
    unsigned i;
    for (i = 0; i < WSIM_MAX_REGS * WSIM_LANES; i++)
        regs.r[i / WSIM_LANES][i % WSIM_LANES] = word;
    return regs;
}

START_TEST(the_first_of_copies_is_multiplied) {
    const struct wsim_op op = every_parse("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32");
    struct wsim_regs a = all(0), b = all(0x3C003C00), c = all(0), d = all(7);
    struct wsim_operands io = {.d = &d, .a = &a, .b = &b, .c = &c};
    memset(a.r[2], 0x3C, sizeof a.r[2]); /* copies of registers 0 and 1 */
    memset(a.r[7], 0x3C, sizeof a.r[7]);
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("h200"), &io, NULL), WSIM_OK);
    ck_assert_uint_eq(d.r[0][0], 0);
    a.r[1][0] = 0x3C00; /* 1, in row 0 */
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("h200"), &io, NULL), WSIM_OK);
    ck_assert_uint_eq(d.r[0][0], 0x3F800000);
}
END_TEST

/* 1 + 2^-11, and 16 products of 2^-30 that f32 cuts off: then a tie, to even. */
START_TEST(a_narrow_result_is_rounded_twice) {
    const struct wsim_op op = every_parse("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32");
    struct wsim_regs a = all(0x02000200), b = all(0x02000200), c = all(0x3F801000), d = all(7);
    struct wsim_operands io = {.d = &d, .a = &a, .b = &b, .c = &c};
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("h200"), &io, NULL), WSIM_OK);
    ck_assert_uint_eq(d.r[0][0], 0x3C003C00);
    ck_assert_uint_eq(d.r[3][31], 0x3C003C00);
    ck_assert_uint_eq(d.r[4][0], 7);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{memory_to_fragment_to_memory, 0, 1},
                                       {the_first_of_copies_is_multiplied, 0, 1},
                                       {a_narrow_result_is_rounded_twice, 0, 1}};
    return every_run("exec/wmma", tests, COUNT(tests));
}
