/* test_wmma.c - every wmma of the tables equals the oracle bit for bit. Products have operands of
 * every kind, on every architecture with known fragments (on sm_70 also with differing copies).
 * Loads and stores have every kind of address and stride, and all memory is compared. Where
 * fragments are not known all of them are refused. */
#include "../run.h"
#include "judge.h"
#include "place.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 32768 };

/* Operation number `index` of the documented ones of wmma; 0 if there are no more. */
static int wmma_at(int index, struct wsim_op *op) {
    uint32_t cursor = 0;
    memset(op, 0, sizeof *op);
    while (wsim_op_next(&cursor, op)) {
        struct wsim_op_info info = wsim_op_describe(op);
        if (strncmp(info.family_name, "wmma", 4) == 0 && info.documented && index-- == 0)
            return 1;
    }
    return 0;
}

/* --- products --- */

static void judge_products(int index, const struct wsim_op *op, const struct oracle_op *parsed) {
    struct cases_warp warp;
    int kinds = strcmp(parsed->type[0], "s32") == 0 ? CASES_INTEGER_KINDS : CASES_KINDS, ran = 0;
    for (int i = 0; i < cases_repeats(1, 24) * kinds; i++) {
        uint64_t seed = (uint64_t)index * 100000 + (uint64_t)i;
        enum cases_kind kind = (enum cases_kind)((i + i / kinds) % kinds);
        cases_mma(parsed, kind, seed, &warp);
        ran += judge_mma(&(struct judge_case){op, parsed, cases_name(kind), seed}, &warp);
    }
    ck_assert_int_gt(ran, 0);
}

/* The operands are made for the fragments that there are. */
static void judge_fragments(int index, const struct wsim_op *op, const struct oracle_op *parsed) {
    struct oracle_op volta = oracle_on(parsed, "sm_70");
    judge_products(index, op, parsed);
    if (oracle_has_fragments(&volta, "sm_70") && volta.squares &&
        wsim_op_check(op, wsim_arch_find("sm_70"), NULL) == WSIM_OK)
        judge_products(index, op, &volta);
}

/* --- memory --- */

/* The operands and the result of one load or store. */
struct transfer {
    uint8_t memory[WINDOW];
    struct wsim_regs regs;
    uint32_t addr[WSIM_LANES];
    unsigned stride, across; /* elements; 0: as if not written, which is `across` */
};

/* A start and a stride in whole fragments of a lane, which is what the ISA asks for, and in rows.
 */
static void draw(const struct oracle_op *op, uint64_t seed, struct transfer *t) {
    enum place_operand operand = (enum place_operand)op->operand;
    unsigned width = (unsigned)place_width(op, operand);
    unsigned align = (unsigned)place_elems(op, operand) * width / 8;
    align = align < 16 ? 16 : align; /* as hardware has it where the ISA would have less */
    int rows = operand == PLACE_B ? op->k : op->m, cols = operand == PLACE_A ? op->k : op->n;
    unsigned step = align * 8 / width;
    t->across = (unsigned)(op->col_a ? rows : cols);
    unsigned least = (t->across + step - 1) / step;
    t->stride = (least + (unsigned)(cases_hash(seed, 1) % 5)) * step;
    if (cases_hash(seed, 2) % 4 == 0 && t->across % step == 0)
        t->stride = 0;
    for (int lane = 0; lane < WSIM_LANES; lane++)
        t->addr[lane] = (uint32_t)(cases_hash(seed, 3) % 64) * align;
    cases_noise((uint32_t *)(void *)t->memory, WINDOW / 4, seed);
    cases_noise(&t->regs.r[0][0], WSIM_MAX_REGS * WSIM_LANES, ~seed);
}

static void execute(const struct wsim_op *op, const struct wsim_arch *arch, const char *spelling,
                    struct transfer *t, int known) {
    struct wsim_diag diag = {0};
    enum wsim_space space = strstr(spelling, ".global.") ? WSIM_GLOBAL : WSIM_SHARED;
    struct wsim_memory window = wsim_memory_over(space, t->memory, WINDOW, 0);
    struct wsim_operands io = {
        .d = &t->regs, .r = &t->regs, .smem = &window, .addr = t->addr, .stride = t->stride};
    enum wsim_status status = wsim_exec(op, arch, &io, &diag);
    ck_assert_msg(status == (known ? WSIM_OK : WSIM_UNMODELLED), "%s", diag.text);
}

static void compare(const char *spelling, uint64_t seed, const struct transfer *want,
                    const struct transfer *got) {
    for (int i = 0; i < WINDOW; i++)
        if (want->memory[i] != got->memory[i])
            ck_abort_msg("%s, seed %" PRIu64 ": byte %d is %02x, the oracle has %02x", spelling,
                         seed, i, got->memory[i], want->memory[i]);
    for (int i = 0; i < WSIM_MAX_REGS * WSIM_LANES; i++) {
        int reg = i / WSIM_LANES, lane = i % WSIM_LANES;
        if (want->regs.r[reg][lane] != got->regs.r[reg][lane])
            ck_abort_msg("%s, seed %" PRIu64 ": register %d of lane %d is %08" PRIx32
                         ", the oracle has %08" PRIx32,
                         spelling, seed, reg, lane, got->regs.r[reg][lane],
                         want->regs.r[reg][lane]);
    }
}

static void judge_transfer(const struct wsim_op *op, const struct oracle_op *parsed,
                           const struct wsim_arch *arch, uint64_t seed) {
    static struct transfer want, got;
    char spelling[WSIM_SPELLING_MAX];
    struct oracle_op there = oracle_on(parsed, wsim_arch_name(arch));
    int known = oracle_has_fragments(parsed, wsim_arch_name(arch));
    draw(parsed, seed, &want);
    got = want;
    unsigned stride = want.stride ? want.stride : want.across;
    if (known && parsed->move == ORACLE_WMMA_LOAD)
        oracle_wmma_load(&there, want.memory, want.addr[0], stride, &want.regs);
    if (known && parsed->move == ORACLE_WMMA_STORE)
        oracle_wmma_store(&there, want.memory, want.addr[0], stride, &want.regs);
    wsim_op_spell(op, spelling);
    execute(op, arch, spelling, &got, known);
    compare(spelling, seed, &want, &got);
}

static void judge_transfers(int index, const struct wsim_op *op, const struct oracle_op *parsed) {
    const struct wsim_arch *arch;
    int repeats = cases_repeats(2, 100);
    for (size_t i = 0; (arch = wsim_arch_at(i)); i++)
        for (int j = 0; j < repeats && wsim_op_check(op, arch, NULL) == WSIM_OK; j++)
            judge_transfer(op, parsed, arch, (uint64_t)index * 10000 + 100 * i + (uint64_t)j);
}

START_TEST(every_wmma_agrees_with_the_oracle) {
    struct wsim_op op;
    struct oracle_op parsed;
    char spelling[WSIM_SPELLING_MAX];
    if (!wmma_at(_i, &op))
        ck_abort_msg("there is no operation %d", _i);
    wsim_op_spell(&op, spelling);
    judge_parse(spelling, &op, &parsed);
    if (parsed.move == ORACLE_WMMA)
        judge_fragments(_i, &op, &parsed);
    else
        judge_transfers(_i, &op, &parsed);
}
END_TEST

static const struct {
    const char *spelling, *arch, *rule; /* NULL: it is known */
} first[] = {
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_70", NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_72", "wmma.fragment.unknown"},
    {"wmma.mma.sync.aligned.col.row.m32n8k16.f32.f32", "sm_70", "wmma.fragment.unknown"},
    {"wmma.mma.sync.aligned.row.row.m8n32k16.f32.f32", "sm_70", "wmma.fragment.unknown"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", "sm_72", "wmma.fragment.unknown"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16", "sm_70", "mma.arithmetic.unmodelled"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", "sm_70", "mma.arithmetic.unmodelled"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32", "sm_70", "mma.arithmetic.unmodelled"},
};

START_TEST(unknown_fragments_are_refused) {
    static struct cases_warp warp;
    struct wsim_op op;
    struct oracle_op parsed;
    struct wsim_diag diag = {0};
    struct wsim_regs d, before;
    judge_parse(first[_i].spelling, &op, &parsed);
    cases_mma(&parsed, CASES_RAW, 1, &warp);
    before = d = warp.c;
    warp.io.d = &d;
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find(first[_i].arch), &warp.io, &diag),
                     first[_i].rule ? WSIM_UNMODELLED : WSIM_OK);
    ck_assert((memcmp(&d, &before, sizeof d) == 0) == (first[_i].rule != NULL));
    if (first[_i].rule)
        ck_assert_str_eq(diag.rule, first[_i].rule);
    ck_assert_int_eq(oracle_has_fragments(&parsed, first[_i].arch), first[_i].rule == NULL);
}
END_TEST

int main(void) {
    struct wsim_op op;
    int count = 0;
    while (wmma_at(count, &op))
        count++;
    const struct every_test tests[] = {
        {every_wmma_agrees_with_the_oracle, 0, count},
        {unknown_fragments_are_refused, 0, (int)(sizeof first / sizeof *first)}};
    return every_run("oracle/wmma", tests, 2);
}
