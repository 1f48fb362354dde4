/* test_operands.c - the result may replace any input. Registers outside of the operation are
 * neither read nor written, and a refusal changes nothing. */
#include "warp.h"

/* Registers of the operand that is larger. */
static int regs_of(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout;
    wsim_op_layout(op, NULL, operand, &layout, NULL);
    return layout.regs;
}

static int same_from(int reg, const struct wsim_regs *x, const struct wsim_regs *y) {
    size_t size = sizeof x->r[0];
    return memcmp(x->r[reg], y->r[reg], (size_t)(WSIM_MAX_REGS - reg) * size) == 0;
}

static int is_mma(int index, struct wsim_op *op) {
    every_op(index, op);
    return wsim_op_describe(op).family == WSIM_MMA;
}

START_TEST(the_result_may_replace_an_input) {
    struct wsim_op op;
    struct warp first, warp;
    struct wsim_regs before, *inputs[] = {&warp.a, &warp.b, &warp.c};
    uint64_t seed = (uint64_t)_i;
    int i;
    if (!is_mma(_i, &op))
        return;
    warp_fill(&op, &seed, &first);
    warp = first;
    first.io.d = &first.d;
    warp_exec(&op, every_first_arch(&op), &first.io);
    for (i = 0; i < COUNT(inputs); i++) {
        struct warp fresh = warp;
        struct wsim_operands io = first.io;
        io.a = &warp.a;
        io.b = &warp.b;
        io.c = &warp.c;
        io.d = inputs[i];
        before = *inputs[i];
        warp_exec(&op, every_first_arch(&op), &io);
        expect(warp_same(&op, WSIM_D, inputs[i], &first.d), "%s: input %d",
               wsim_op_describe(&op).row, i);
        expect(same_from(regs_of(&op, WSIM_D), inputs[i], &before), "%s: input %d",
               wsim_op_describe(&op).row, i);
        warp = fresh;
    }
}
END_TEST

/* All noise anew: the same result, in the same registers only. */
START_TEST(other_registers_are_neither_read_nor_written) {
    static const enum wsim_operand inputs[] = {WSIM_A, WSIM_B, WSIM_C};
    struct wsim_op op;
    struct warp first, warp;
    struct wsim_regs before;
    uint64_t seed = (uint64_t)_i;
    int i;
    if (!is_mma(_i, &op))
        return;
    warp_fill(&op, &seed, &first);
    warp = first;
    for (i = 0; i < COUNT(inputs); i++) {
        struct wsim_regs *regs = i == 0 ? &warp.a : i == 1 ? &warp.b : &warp.c;
        int used = regs_of(&op, inputs[i]);
        every_fill(regs->r[used - 1] + WSIM_LANES,
                   (size_t)(WSIM_MAX_REGS - used) * sizeof regs->r[0], &seed);
    }
    before = warp.d;
    warp.io.a = &warp.a;
    warp.io.b = &warp.b;
    warp.io.c = &warp.c;
    warp.io.d = &warp.d;
    first.io.d = &first.d;
    warp_exec(&op, every_first_arch(&op), &first.io);
    warp_exec(&op, every_first_arch(&op), &warp.io);
    expect(warp_same(&op, WSIM_D, &warp.d, &first.d), "%s", wsim_op_describe(&op).row);
    expect(same_from(regs_of(&op, WSIM_D), &warp.d, &before), "%s", wsim_op_describe(&op).row);
}
END_TEST

/* --- refusals change nothing --- */

struct spoiled {
    struct warp warp;
    struct wsim_regs r;
    uint8_t bytes[1024];
    uint32_t addr[WSIM_LANES];
    struct wsim_memory smem;
};

static void whole(const struct wsim_op *op, uint64_t *seed, struct spoiled *s) {
    int l;
    every_fill(s, sizeof *s, seed);
    if (wsim_op_describe(op).family == WSIM_MMA)
        warp_fill(op, seed, &s->warp);
    else
        memset(&s->warp.io, 0, sizeof s->warp.io);
    s->smem = wsim_memory_over(WSIM_SHARED, s->bytes, sizeof s->bytes, 0);
    for (l = 0; l < WSIM_LANES; l++)
        s->addr[l] = (uint32_t)(every_random(seed) % 64 * 16);
    s->warp.io.d = &s->warp.d;
    s->warp.io.a = &s->warp.a;
    s->warp.io.r = &s->r;
    s->warp.io.smem = &s->smem;
    s->warp.io.addr = s->addr;
}

/* One thing goes wrong, or nothing that this operation looks at. */
static void spoil(struct spoiled *s, uint64_t *seed) {
    struct wsim_operands *io = &s->warp.io;
    uint64_t any = every_random(seed);
    unsigned lane = any >> 8 & 31;
    switch (any % 12) {
    case 0: io->a = NULL; break;
    case 1: io->b = NULL; break;
    case 2: io->c = NULL; break;
    case 3: io->e = NULL; break;
    case 4: io->sfa = NULL; break;
    case 5: io->addr = NULL; break;
    case 6: io->selector = (unsigned)(any >> 16 & 7); break;
    case 7: s->warp.e[lane] = (uint32_t)every_random(seed); break;
    case 8: io->bid_a = io->tid_b = (unsigned)(any >> 16 & 7); break;
    case 9: s->addr[lane] += (uint32_t)(any >> 16 & 15); break;
    case 10: s->addr[lane] = (uint32_t)every_random(seed); break;
    default: s->smem.size = (uint32_t)(any >> 16 & 1023); break;
    }
}

START_TEST(a_refusal_changes_nothing) {
    static struct spoiled s, before;
    struct wsim_op op;
    struct wsim_diag diag;
    uint64_t seed = (uint64_t)_i;
    int round, archs = every_arch_count();
    every_op(_i, &op);
    for (round = 0; round < 6; round++) {
        const struct wsim_arch *arch =
            round ? every_first_arch(&op) : wsim_arch_at(every_random(&seed) % (unsigned)archs);
        enum wsim_status status;
        whole(&op, &seed, &s);
        spoil(&s, &seed);
        before = s;
        memset(&diag, 0, sizeof diag);
        status = wsim_exec(&op, arch, &s.warp.io, &diag);
        expect(status == diag.status, "%s", diag.text);
        expect(status == WSIM_OK || *diag.text, "%s", wsim_op_describe(&op).row);
        if (status != WSIM_OK)
            expect(memcmp(&s, &before, sizeof s) == 0, "%s: %s", wsim_op_describe(&op).row,
                   diag.text);
    }
}
END_TEST

int main(void) {
    int ops = every_op_count();
    const struct every_test tests[] = {{the_result_may_replace_an_input, 0, ops},
                                       {other_registers_are_neither_read_nor_written, 0, ops},
                                       {a_refusal_changes_nothing, 0, ops}};
    return every_run("rows/operands", tests, COUNT(tests));
}
