/* test_wgmma.c - every wgmma of the tables equals the oracle bit for bit in every width. Covers
 * operands of every kind, A in registers and in shared memory, tiles and any descriptors, signs,
 * transposes, with and without C. Wide results are compared at some elements of each row and
 * column; other registers must be unchanged. */
#include "../run.h"
#include "group_cases.h"
#include "judge.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct group_case given;
static struct group_operands operands;
static struct wsim_group_regs got;

/* One case, in words. */
struct subject {
    struct wsim_op op;
    struct oracle_op parsed;
    char spelling[WSIM_SPELLING_MAX];
    enum cases_kind kind;
    uint64_t seed;
};

/* Warpgroup product number `index`; 0 past the last one. */
static int group_op_at(int index, struct wsim_op *op) {
    uint32_t cursor = 0;
    memset(op, 0, sizeof *op);
    while (wsim_op_next(&cursor, op))
        if (wsim_op_describe(op).family == WSIM_WGMMA && wsim_op_describe(op).documented &&
            index-- == 0)
            return 1;
    return 0;
}

static void differ(const struct subject *s, int row, int col, uint64_t want, uint64_t have) {
    const struct wsim_wgmma *io = &given.io;
    ck_abort_msg("%s, %s, seed %" PRIu64 ": D[%d][%d] is %08" PRIx64 ", the oracle has %08" PRIx64
                 " (A %016" PRIx64 "%s, B %016" PRIx64 ", scale-d %u, signs %u %u, transposed "
                 "%u %u)",
                 s->spelling, cases_name(s->kind), s->seed, row, col, have, want, io->desc_a,
                 io->a ? " in registers" : "", io->desc_b, io->scale_d, io->negate_a, io->negate_b,
                 io->trans_a, io->trans_b);
}

static void compare(const struct subject *s) {
    int width = place_width(&s->parsed, PLACE_D), step = (s->parsed.n + 31) / 32;
    for (int row = 0; row < s->parsed.m; row++)
        for (int col = 0; col < s->parsed.n; col++) {
            if ((row + col + (int)(s->seed % 64)) % step)
                continue;
            uint64_t want = group_result(&operands, "sm_90a", row, col);
            uint64_t have = group_get(&got, width, group_slot_d(row, col));
            if (want != have)
                differ(s, row, col, want, have);
        }
    int used = s->parsed.n * width / 64;
    ck_assert_msg(memcmp(got.r[used], given.c.r[used], (size_t)(WSIM_GROUP_REGS - used) * 512) == 0,
                  "%s: a register beyond D has changed", s->spelling);
}

static void judge(struct subject *s) {
    struct wsim_diag diag = {0};
    group_cases_fill(&s->parsed, s->kind, s->seed, &given);
    group_read(&s->parsed, &given.io, &operands);
    struct wsim_wgmma io = given.io;
    got = given.c;
    io.d = &got;
    if (s->seed % 2)
        io.c = &got;
    if (wsim_wgmma_run(&s->op, wsim_arch_find("sm_90a"), &io, &diag) != WSIM_OK)
        ck_abort_msg("%s, %s, seed %" PRIu64 ": refused: %s", s->spelling, cases_name(s->kind),
                     s->seed, diag.text);
    compare(s);
}

/* A width has one kind, drawn; a form has many widths. */
START_TEST(every_wgmma_agrees_with_the_oracle) {
    struct subject s;
    int repeats = cases_repeats(1, 26);
    if (!group_op_at(_i, &s.op))
        ck_abort_msg("there is no operation %d", _i);
    wsim_op_spell(&s.op, s.spelling);
    judge_parse(s.spelling, &s.op, &s.parsed);
    int kinds = strcmp(s.parsed.type[0], "s32") == 0 ? CASES_INTEGER_KINDS : CASES_KINDS;
    for (int i = 0; i < repeats; i++) {
        s.kind = (enum cases_kind)((cases_hash(1, (uint64_t)_i) + (unsigned)i) % (unsigned)kinds);
        s.seed = (uint64_t)_i * 100 + (uint64_t)i;
        judge(&s);
    }
}
END_TEST

int main(void) {
    struct wsim_op op;
    int count = 0;
    while (group_op_at(count, &op))
        count++;
    const struct every_test tests[] = {{every_wgmma_agrees_with_the_oracle, 0, count}};
    return every_run("oracle/wgmma", tests, 1);
}
