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
    const struct wsim_memory source = wsim_memory_const(WSIM_SHARED, in, WINDOW, 0);
    const struct wsim_memory target = wsim_memory_over(WSIM_SHARED, out, WINDOW, 0);
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

static enum wsim_status move(const char *spelling, const struct wsim_memory *window, uint32_t at,
                             struct wsim_regs *regs, struct wsim_diag *diag) {
    const struct wsim_op op = every_parse(spelling);
    uint32_t addr[WSIM_LANES];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = at;
    return wsim_exec(&op, wsim_arch_find("h200"),
                     &(struct wsim_operands){.d = regs, .r = regs, .smem = window, .addr = addr},
                     diag);
}

/* A box holds a window as wsim_run has it: with a space, a base, and perhaps read-only. */
START_TEST(the_window_of_a_box) {
    static const char load[] = "wmma.load.c.sync.aligned.row.m16n16k16%s.f32";
    static const char *const written[] = {"", ".shared", ".global"};
    static uint8_t bytes[1024 + 64];
    static struct wsim_regs at_0, moved;
    const struct wsim_memory all = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 0);
    uint64_t seed = 3;
    every_fill(bytes, sizeof bytes, &seed);
    ck_assert_int_eq(move("wmma.load.c.sync.aligned.row.m16n16k16.f32", &all, 64, &at_0, NULL),
                     WSIM_OK);
    for (unsigned i = 0; i < COUNT(written) * 2; i++) {
        enum wsim_space space = i % 2 ? WSIM_GLOBAL : WSIM_SHARED;
        struct wsim_memory window = wsim_memory_const(space, bytes + 64, 1024, 0x4040);
        int is_other = i / 2 && (i / 2 == 2) != (i % 2);
        struct wsim_diag diag;
        char spelling[WSIM_SPELLING_MAX];
        snprintf(spelling, sizeof spelling, load, written[i / 2]);
        memset(&moved, 0, sizeof moved);
        ck_assert_int_eq(move(spelling, &window, 0x4040, &moved, &diag),
                         is_other ? WSIM_OPERAND : WSIM_OK);
        if (is_other)
            ck_assert_str_eq(diag.rule, "memory.space");
        else
            ck_assert_mem_eq(moved.r, at_0.r, sizeof at_0.r[0] * 8);
        ck_assert_int_eq(
            move("wmma.store.d.sync.aligned.row.m16n16k16.f32", &window, 0x4040, &at_0, &diag),
            WSIM_OPERAND);
        ck_assert_str_eq(diag.rule, "memory.read_only");
    }
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
                                       {the_window_of_a_box, 0, 1},
                                       {the_first_of_copies_is_multiplied, 0, 1},
                                       {a_narrow_result_is_rounded_twice, 0, 1}};
    return every_run("exec/wmma", tests, COUNT(tests));
}
