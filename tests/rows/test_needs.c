/* test_needs.c - wsim_code_operands and the checks of wsim_run agree for every operation. Without
 * an operand that it needs, wsim_run says that the operand is missing. Without one that it only
 * takes, wsim_run does not. A register operand has as many pointers as it says. */
#include "warp.h"

#include <wsim/code.h>

enum { SHARED_BYTES = 200 << 10, GLOBAL_BYTES = 1 << 12 };

/* A whole set of operands, all zeros but metadata, which every pattern has. */
struct operands {
    struct wsim_io io;
    uint32_t *regs[WSIM_OPERANDS][512];
    struct wsim_memory shared, global;
};

static uint32_t lanes[WSIM_LANES], metadata[WSIM_LANES], addresses[WSIM_LANES],
    results[512][WSIM_LANES];
static uint8_t shared[SHARED_BYTES], global[GLOBAL_BYTES];

static void put(struct operands *all, enum wsim_view view, enum wsim_operand o,
                uint32_t *const *regs) {
    if (o == WSIM_D)
        wsim_io_put_result(&all->io, view, regs);
    else
        wsim_io_put(&all->io, view, o, (const uint32_t *const *)regs);
}

static void fill(const struct wsim_code_operands *operands, struct operands *all) {
    memset(all, 0, sizeof *all);
    memset(metadata, 0x44, sizeof metadata);
    all->shared = wsim_memory_over(WSIM_SHARED, shared, sizeof shared, 0);
    all->global = wsim_memory_over(WSIM_GLOBAL, global, sizeof global, 0);
    if (operands->takes & WSIM_TAKES_SHARED)
        all->io.shared = &all->shared;
    if (operands->needs & WSIM_TAKES_GLOBAL)
        all->io.global = &all->global;
    if (operands->view == WSIM_VIEW_COPY || operands->view == WSIM_VIEW_BULK)
        all->io.global = &all->global;
    for (unsigned o = 0; o < WSIM_OPERANDS; o++) {
        for (unsigned r = 0; r < operands->regs[o]; r++)
            all->regs[o][r] = o == WSIM_D ? results[r] : o == WSIM_E ? metadata : lanes;
        if (operands->regs[o])
            put(all, operands->view, (enum wsim_operand)o, all->regs[o]);
    }
    if (operands->view == WSIM_VIEW_MOVE)
        all->io.move.addr = addresses;
    if (operands->view == WSIM_VIEW_COPY) {
        all->io.copy.addr = addresses;
        all->io.copy.bytes = 16;
        all->io.copy.mask = 1;
    }
}

/* Takes an operand away; 0: `bit` is none that a pointer gives. */
static int leave_out(const struct wsim_code_operands *operands, uint32_t bit,
                     struct operands *all) {
    for (unsigned o = 0; o < WSIM_OPERANDS; o++)
        if (bit == UINT32_C(1) << o) {
            put(all, operands->view, (enum wsim_operand)o, NULL);
            return 1;
        }
    switch (bit) {
    case WSIM_TAKES_SHARED: all->io.shared = NULL; return 1;
    case WSIM_TAKES_GLOBAL: all->io.global = NULL; return 1;
    case WSIM_TAKES_ADDR:
        if (operands->view == WSIM_VIEW_COPY)
            all->io.copy.addr = NULL;
        else
            all->io.move.addr = NULL;
        return 1;
    default: return 0;
    }
}

static int is_missing(const struct wsim_code *code, const struct operands *all,
                      struct wsim_diag *diag) {
    memset(diag, 0, sizeof *diag);
    return wsim_run(code, &all->io, diag) == WSIM_OPERAND && diag->rule &&
           strcmp(diag->rule, "operand.missing") == 0;
}

START_TEST(needs_are_what_is_checked) {
    static struct operands all;
    struct wsim_op op;
    struct wsim_code code;
    struct wsim_diag diag;
    struct wsim_code_operands operands;
    const struct wsim_arch *arch;
    const char *name;
    every_op(_i, &op);
    arch = every_first_model(&op);
    if (!arch || wsim_prepare(&op, arch, 0, &code, NULL))
        return;
    name = wsim_op_describe(&op).row;
    operands = wsim_code_operands(&code);
    expect((operands.needs & ~operands.takes) == 0, "%s takes what it needs", name);
    fill(&operands, &all);
    expect(operands.view == WSIM_VIEW_BULK || !is_missing(&code, &all, &diag),
           "%s, nothing left out: %s", name, diag.text);
    for (uint32_t bit = 1; bit && bit <= operands.takes; bit <<= 1) {
        const int needed = (operands.needs & bit) != 0;
        fill(&operands, &all);
        if (!(operands.takes & bit) || !leave_out(&operands, bit, &all))
            continue;
        if (needed)
            expect(is_missing(&code, &all, &diag), "%s without %x is not refused: %s", name,
                   (unsigned)bit, diag.text);
        else if (operands.view != WSIM_VIEW_BULK && operands.view != WSIM_VIEW_COPY &&
                 !(bit & (WSIM_TAKES_SHARED | WSIM_TAKES_GLOBAL)))
            expect(!is_missing(&code, &all, &diag), "%s needs %x: %s", name, (unsigned)bit,
                   diag.text);
    }
    for (unsigned o = 0; o < WSIM_OPERANDS; o++)
        if (operands.regs[o] && operands.needs & UINT32_C(1) << o) {
            fill(&operands, &all);
            all.regs[o][operands.regs[o] - 1] = NULL;
            expect(is_missing(&code, &all, &diag), "%s without register %u of operand %u: %s", name,
                   operands.regs[o] - 1u, o, diag.text);
        }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{needs_are_what_is_checked, 0, every_op_count()}};
    return every_run("rows/needs", tests, COUNT(tests));
}
