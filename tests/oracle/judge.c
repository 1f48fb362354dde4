/* judge.c - compares bit by bit, and says where. */
#include "judge.h"
#include "place.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

static void report(const struct judge_case *what, const char *arch, const struct wsim_regs *want,
                   const struct wsim_regs *got) {
    char spelling[WSIM_SPELLING_MAX];
    int width = place_width(what->parsed, PLACE_D);
    wsim_op_spell(what->op, spelling);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(what->parsed, PLACE_D); elem++) {
            struct place at = place_of(what->parsed, PLACE_D, lane, elem);
            uint64_t x = place_get(want, width, lane, elem), y = place_get(got, width, lane, elem);
            if (x != y)
                ck_abort_msg("%s on %s, %s, seed %" PRIu64 ": D[%d][%d] of product %d is "
                             "%0*" PRIx64 ", the oracle has %0*" PRIx64,
                             spelling, arch, what->distribution, what->seed, at.row, at.col,
                             at.quad, width / 4, y, width / 4, x);
        }
    ck_abort_msg("%s on %s, %s, seed %" PRIu64 ": a register beyond D has changed", spelling, arch,
                 what->distribution, what->seed);
}

static void run(const struct judge_case *what, const struct cases_warp *warp,
                const struct wsim_arch *arch, const struct wsim_regs *want) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_regs d = warp->c;
    struct wsim_operands io = warp->io;
    struct wsim_diag diag = {0};
    io.d = &d;
    if (what->seed % 2)
        io.c = &d;
    wsim_op_spell(what->op, spelling);
    if (wsim_exec(what->op, arch, &io, &diag) != WSIM_OK)
        ck_abort_msg("%s on %s, %s, seed %" PRIu64 ": refused: %s", spelling, wsim_arch_name(arch),
                     what->distribution, what->seed, diag.text);
    if (memcmp(&d, want, sizeof d) != 0)
        report(what, wsim_arch_name(arch), want, &d);
}

static void expect(const struct judge_case *what, const struct cases_warp *warp, const char *arch,
                   struct wsim_regs *want) {
    *want = warp->c;
    if (!oracle_mma(what->parsed, arch, &warp->io, want))
        ck_abort_msg("the oracle knows no arithmetic for a case of %s", arch);
}

int judge_mma_on(const struct judge_case *what, const struct cases_warp *warp,
                 const struct wsim_arch *arch) {
    struct wsim_regs want;
    if (wsim_op_check(what->op, arch, NULL) != WSIM_OK)
        return 0;
    expect(what, warp, wsim_arch_name(arch), &want);
    run(what, warp, arch, &want);
    return 1;
}

int judge_mma(const struct judge_case *what, const struct cases_warp *warp) {
    const struct wsim_arch *arch;
    const char *known = NULL; /* the generation that `want` is of */
    struct wsim_regs want;
    int ran = 0;
    for (size_t i = 0; (arch = wsim_arch_at(i)); i++) {
        const char *generation = oracle_generation(wsim_arch_name(arch));
        if (wsim_op_check(what->op, arch, NULL) != WSIM_OK ||
            oracle_on(what->parsed, wsim_arch_name(arch)).squares != what->parsed->squares ||
            !oracle_has_fragments(what->parsed, wsim_arch_name(arch)))
            continue;
        if (!generation || generation != known)
            expect(what, warp, wsim_arch_name(arch), &want);
        known = generation;
        run(what, warp, arch, &want);
        ran++;
    }
    return ran;
}

void judge_parse(const char *spelling, struct wsim_op *op, struct oracle_op *parsed) {
    struct wsim_diag diag = {0};
    if (wsim_op_parse(spelling, op, &diag) != WSIM_OK)
        ck_abort_msg("%s: %s", spelling, diag.text);
    if (!oracle_parse(spelling, parsed))
        ck_abort_msg("%s: the oracle cannot read it", spelling);
}
