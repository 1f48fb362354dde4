/* test_touches.c - a watcher sees every byte that an instruction accesses, and no byte of a refused
 * one. */
#include "../../every.h"

enum { MOST = 8192, WINDOW = 65536, REGS = 64 };

struct seen {
    int n;
    struct wsim_touch touch[MOST];
    const struct wsim_memory *memory[MOST];
};

static void look(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch) {
    struct seen *seen = context;
    expect(seen->n < MOST, "too many");
    seen->touch[seen->n] = *touch;
    seen->memory[seen->n++] = memory;
}

struct block {
    uint32_t words[REGS][WSIM_LANES];
    uint32_t *d[REGS];
    const uint32_t *in[REGS];
    uint32_t addr[WSIM_LANES];
    uint8_t bytes[WINDOW];
    struct seen seen;
    struct wsim_watch watch;
    struct wsim_memory shared, global;
    struct wsim_io io;
};

static struct block *fresh(void) {
    static struct block b;
    memset(&b, 0, sizeof b);
    for (unsigned r = 0; r < REGS; r++) {
        b.d[r] = b.words[r];
        b.in[r] = b.words[r];
    }
    b.watch = (struct wsim_watch){look, &b.seen};
    b.shared = wsim_memory_over(WSIM_SHARED, b.bytes, WINDOW, 1024);
    b.global = wsim_memory_over(WSIM_GLOBAL, b.bytes, WINDOW, UINT64_C(1) << 40);
    b.shared.watch = b.global.watch = &b.watch;
    b.io = (struct wsim_io){.shared = &b.shared,
                            .global = &b.global,
                            .where = 4711,
                            .warp = 3,
                            .move = {.d = b.d, .a = b.in, .r = b.in, .addr = b.addr}};
    return &b;
}

static enum wsim_status run(const char *spelling, struct block *b) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("h200"), 0, &code, NULL), WSIM_OK);
    return wsim_run(&code, &b->io, NULL);
}

static void each_says(const struct block *b, enum wsim_touch_kind kind,
                      const struct wsim_memory *memory) {
    for (int i = 0; i < b->seen.n; i++) {
        ck_assert_uint_eq(b->seen.touch[i].kind, kind);
        ck_assert_uint_eq(b->seen.touch[i].where, 4711);
        ck_assert_uint_eq(b->seen.touch[i].warp, 3);
        ck_assert_ptr_eq(b->seen.memory[i], memory);
    }
}

/* The lane that gives the address of a row touches it. */
START_TEST(rows_of_a_matrix_move) {
    static const struct {
        const char *spelling;
        int rows;
        enum wsim_touch_kind kind;
    } list[] = {
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 32, WSIM_TOUCH_READ},
        {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", 8, WSIM_TOUCH_READ},
        {"stmatrix.sync.aligned.m8n8.x2.shared.b16", 16, WSIM_TOUCH_WRITE},
    };
    struct block *b = fresh();
    for (unsigned l = 0; l < WSIM_LANES; l++)
        b->addr[l] = 1024 + (l * 11 % 32) * 64;
    ck_assert_int_eq(run(list[_i].spelling, b), WSIM_OK);
    ck_assert_int_eq(b->seen.n, list[_i].rows);
    each_says(b, list[_i].kind, &b->shared);
    for (int row = 0; row < b->seen.n; row++) {
        ck_assert_uint_eq(b->seen.touch[row].lane, row);
        ck_assert_uint_eq(b->seen.touch[row].address, b->addr[row]);
        ck_assert_uint_eq(b->seen.touch[row].bytes, 16);
    }
}
END_TEST

/* How often each byte of the window was touched. */
static void tally(const struct block *b, uint64_t base, uint8_t *times) {
    memset(times, 0, WINDOW);
    for (int i = 0; i < b->seen.n; i++)
        for (uint32_t n = 0; n < b->seen.touch[i].bytes; n++)
            times[b->seen.touch[i].address - base + n]++;
}

/* Together the lanes of a fragment touch each byte of the matrix once, and no other byte. Each lane
 * touches the elements of its registers. */
START_TEST(fragments) {
    static const struct {
        const char *spelling;
        int global, line, lines, stride, bytes_of_lane; /* bytes */
        enum wsim_touch_kind kind;
    } list[] = {
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 0, 32, 16, 64, 16, WSIM_TOUCH_READ},
        {"wmma.load.b.sync.aligned.row.m16n16k16.global.bf16", 1, 32, 16, 64, 16, WSIM_TOUCH_READ},
        {"wmma.load.a.sync.aligned.row.m8n8k32.shared.s4", 0, 16, 8, 32, 4, WSIM_TOUCH_READ},
        {"wmma.load.a.sync.aligned.row.m8n8k128.shared.b1", 0, 16, 8, 16, 4, WSIM_TOUCH_READ},
        {"wmma.load.c.sync.aligned.col.m8n8k4.f64", 1, 64, 8, 128, 16, WSIM_TOUCH_READ},
        {"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32", 0, 64, 16, 128, 32,
         WSIM_TOUCH_WRITE},
    };
    static uint8_t times[WINDOW];
    struct block *b = fresh();
    uint64_t base = list[_i].global ? b->global.base : b->shared.base;
    uint32_t high[WSIM_LANES], of_lane[WSIM_LANES] = {0};
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_layout layout;
    int lines = list[_i].lines, stores = list[_i].kind == WSIM_TOUCH_WRITE;
    ck_assert_int_eq(wsim_op_layout(&op, NULL, stores ? WSIM_R : WSIM_D, &layout, NULL), WSIM_OK);
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        b->addr[l] = (uint32_t)(base + 256);
        high[l] = (uint32_t)(base >> 32);
    }
    b->io.move.addr_hi = high;
    b->io.move.stride = (uint32_t)(list[_i].stride * 8 / layout.elem_bits);
    ck_assert_int_eq(run(list[_i].spelling, b), WSIM_OK);
    each_says(b, list[_i].kind, list[_i].global ? &b->global : &b->shared);
    tally(b, base, times);
    for (int at = 0; at < WINDOW; at++) {
        int line = (at - 256) / list[_i].stride, in_line = (at - 256) % list[_i].stride;
        int inside = at >= 256 && line < lines && in_line < list[_i].line;
        expect(times[at] == inside, "byte %d was touched %d times", at, times[at]);
    }
    for (int i = 0; i < b->seen.n; i++)
        of_lane[b->seen.touch[i].lane] += b->seen.touch[i].bytes;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        ck_assert_int_eq((int)of_lane[l], list[_i].bytes_of_lane);
}
END_TEST

/* Both matrices of a wgmma, once for all warps, by the tensor core. */
START_TEST(matrices_of_a_warpgroup) {
    static const struct {
        const char *spelling;
        int trans, bytes_a, bytes_b;
    } list[] = {
        {"wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16", 0, 64 * 32, 24 * 32},
        {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", 1, 64 * 32, 8 * 32},
        {"wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32", 0, 64 * 32, 16 * 32},
        {"wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc", 0, 64 * 32, 16 * 32},
    };
    static uint8_t times[WINDOW];
    const struct wsim_descriptor a = {1024, 128, 256, 0, WSIM_SWIZZLE_NONE};
    const struct wsim_descriptor b_at = {32768, 128, 256, 0, WSIM_SWIZZLE_NONE};
    struct block *b = fresh();
    int counted[2] = {0, 0};
    b->io.wgmma = (struct wsim_io_wgmma){.d = b->d, .c = b->in};
    b->io.wgmma.trans_a = b->io.wgmma.trans_b = (uint32_t)list[_i].trans;
    for (int in_registers = 0; in_registers < 2; in_registers++) {
        b->seen.n = counted[0] = counted[1] = 0;
        b->io.wgmma.trans_a = in_registers ? 0 : (uint32_t)list[_i].trans;
        b->io.wgmma.a = in_registers ? b->in : NULL;
        ck_assert_int_eq(wsim_descriptor_encode(&a, &b->io.wgmma.desc_a, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_descriptor_encode(&b_at, &b->io.wgmma.desc_b, NULL), WSIM_OK);
        ck_assert_int_eq(run(list[_i].spelling, b), WSIM_OK);
        each_says(b, WSIM_TOUCH_READ, &b->shared);
        tally(b, 1024, times);
        for (int i = 0; i < b->seen.n; i++)
            ck_assert_uint_eq(b->seen.touch[i].lane, WSIM_NO_LANE);
        for (int at = 0; at < WINDOW; at++) {
            expect(times[at] <= 1, "byte %d was touched %d times", at, times[at]);
            counted[at >= 32768 - 1024] += times[at];
        }
        ck_assert_int_eq(counted[0], in_registers ? 0 : list[_i].bytes_a);
        ck_assert_int_eq(counted[1], list[_i].bytes_b);
    }
}
END_TEST

START_TEST(what_is_refused_is_not_told) {
    struct block *b = fresh();
    for (unsigned l = 0; l < WSIM_LANES; l++)
        b->addr[l] = 1024 + 16 * l;
    b->addr[31] = 1024 + WINDOW;
    ck_assert_int_eq(run("ldmatrix.sync.aligned.m8n8.x4.shared.b16", b), WSIM_BOUNDS);
    b->io.wgmma = (struct wsim_io_wgmma){.d = b->d, .c = b->in};
    b->io.wgmma.desc_a = 1024 / 16;
    b->io.wgmma.desc_b = 0; /* below the window */
    ck_assert_int_eq(run("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", b), WSIM_BOUNDS);
    ck_assert_int_eq(run("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", b), WSIM_OPERAND);
    ck_assert_int_eq(b->seen.n, 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{rows_of_a_matrix_move, 0, 3},
                                       {fragments, 0, 6},
                                       {matrices_of_a_warpgroup, 0, 4},
                                       {what_is_refused_is_not_told, 0, 1}};
    return every_run("unit/exec/touches", tests, COUNT(tests));
}
