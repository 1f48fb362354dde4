/* test_moves.c - ldmatrix, stmatrix and movmatrix in every form, on every architecture, against the
 * formulas of the manual. Windows are random, row addresses of loads repeat, and lanes without a
 * row hold noise. The whole window and all registers are compared. */
#include "../run.h"
#include "cases.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 4096, ROWS = WINDOW / 16 };

struct window {
    uint8_t bytes[WINDOW];
    uint32_t addr[WSIM_LANES];
    struct wsim_regs a, d;
};

/* Rows are distinct where `distinct` says so: row i of 256 is slot i * odd + offset. */
static void fill(struct window *window, uint64_t seed, int distinct, int used, int noisy) {
    uint64_t odd = cases_hash(seed, 1) | 1, offset = cases_hash(seed, 2);
    for (int i = 0; i < WINDOW; i++)
        window->bytes[i] = (uint8_t)(cases_hash(seed ^ 0x11, (uint64_t)i / 8) >> 8 * (i % 8));
    for (uint64_t i = 0; i < WSIM_LANES; i++) {
        uint64_t slot = distinct ? i * odd + offset : cases_hash(seed ^ 0x22, i);
        window->addr[i] = (uint32_t)(slot % ROWS * 16);
        if ((int)i >= used && noisy)
            window->addr[i] = (uint32_t)cases_hash(seed ^ 0x33, i);
        for (int reg = 0; reg < WSIM_MAX_REGS; reg++) {
            window->a.r[reg][i] = (uint32_t)cases_hash(seed ^ 0x44, i * 64 + (unsigned)reg);
            window->d.r[reg][i] = (uint32_t)cases_hash(seed ^ 0x55, i * 64 + (unsigned)reg);
        }
    }
}

static void oracle(const struct oracle_op *op, struct window *window) {
    switch (op->move) {
    case ORACLE_LDMATRIX: oracle_ldmatrix(op, window->bytes, window->addr, &window->d); break;
    case ORACLE_STMATRIX: oracle_stmatrix(op, window->bytes, window->addr, &window->a); break;
    default: oracle_movmatrix(&window->a, &window->d); break;
    }
}

static enum wsim_status execute(const struct wsim_op *op, const struct oracle_op *parsed,
                                const struct wsim_arch *arch, struct window *window,
                                struct wsim_diag *diag) {
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, window->bytes, WINDOW, 0);
    struct wsim_operands io = {0};
    if (parsed->move != ORACLE_MOVMATRIX)
        io.smem = &smem, io.addr = window->addr;
    if (parsed->move != ORACLE_STMATRIX)
        io.d = &window->d;
    if (parsed->move == ORACLE_MOVMATRIX)
        io.a = &window->a;
    if (parsed->move == ORACLE_STMATRIX)
        io.r = &window->a;
    return wsim_exec(op, arch, &io, diag);
}

static void compare(const struct wsim_op *op, const char *arch, uint64_t seed,
                    const struct window *want, const struct window *got) {
    char spelling[WSIM_SPELLING_MAX];
    if (memcmp(want, got, sizeof *want) == 0)
        return;
    wsim_op_spell(op, spelling);
    for (int i = 0; i < WINDOW; i++)
        ck_assert_msg(want->bytes[i] == got->bytes[i],
                      "%s on %s, seed %" PRIu64 ": byte %d is %02x, the oracle has %02x", spelling,
                      arch, seed, i, got->bytes[i], want->bytes[i]);
    for (int reg = 0; reg < WSIM_MAX_REGS; reg++)
        for (int lane = 0; lane < WSIM_LANES; lane++)
            ck_assert_msg(want->d.r[reg][lane] == got->d.r[reg][lane],
                          "%s on %s, seed %" PRIu64 ": register %d of lane %d is %08" PRIx32
                          ", the oracle has %08" PRIx32,
                          spelling, arch, seed, reg, lane, got->d.r[reg][lane],
                          want->d.r[reg][lane]);
}

static void judge(const struct wsim_op *op, const struct oracle_op *parsed,
                  const struct wsim_arch *arch, uint64_t seed) {
    static struct window want, got;
    struct wsim_diag diag = {0};
    const char *name = wsim_arch_name(arch);
    int used = (parsed->m == 16 && parsed->move == ORACLE_LDMATRIX ? 16 : 8) * parsed->matrices;
    int noisy = strcmp(name, "sm_75") != 0; /* there, every lane must give a valid address */
    fill(&want, seed, parsed->move == ORACLE_STMATRIX, used, noisy);
    got = want;
    oracle(parsed, &want);
    ck_assert_msg(execute(op, parsed, arch, &got, &diag) == WSIM_OK, "%s, seed %" PRIu64 ": %s",
                  name, seed, diag.text);
    compare(op, name, seed, &want, &got);
}

START_TEST(every_move_agrees_with_the_oracle) {
    struct wsim_op op;
    struct oracle_op parsed;
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    uint32_t cursor = 0;
    int moves = 0, repeats = cases_repeats(16, 800);
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        enum wsim_family family = wsim_op_describe(&op).family;
        if (family != WSIM_LDMATRIX && family != WSIM_STMATRIX && family != WSIM_MOVMATRIX)
            continue;
        wsim_op_spell(&op, spelling);
        ck_assert_msg(oracle_parse(spelling, &parsed), "the oracle cannot read %s", spelling);
        for (size_t i = 0; (arch = wsim_arch_at(i)); i++)
            for (int seed = 0; seed < repeats && wsim_op_check(&op, arch, NULL) == WSIM_OK; seed++)
                judge(&op, &parsed, arch, (uint64_t)(1000 * ++moves + seed));
    }
    ck_assert_int_gt(moves, 0);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("every form");
    tcase_add_test(tcase, every_move_agrees_with_the_oracle);
    return run_case("oracle/moves", tcase);
}
