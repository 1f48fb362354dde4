/* dot.c - puts a dot product into one row and one column of a warp. */
#include "dot.h"
#include "place.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The value that `list` gives to position k, zero if none. */
static uint64_t value_at(const char *list, int k) {
    char *end;
    while (*list) {
        int all = *list == '*';
        long position = strtol(list + all, &end, 10);
        uint64_t value = strtoull(end + 1, &end, 16);
        if (all || position == k)
            return value;
        list = end + strspn(end, " ");
    }
    return 0;
}

struct spot {
    struct place d;
    const struct dot_case *dot;
};

static uint64_t element(const struct spot *spot, enum place_operand operand, struct place at) {
    if (at.quad != spot->d.quad)
        return 0;
    if (operand == PLACE_A)
        return at.row == spot->d.row ? value_at(spot->dot->a, at.col) : 0;
    if (operand == PLACE_B)
        return at.col == spot->d.col ? value_at(spot->dot->b, at.row) : 0;
    return at.row == spot->d.row && at.col == spot->d.col ? spot->dot->c : 0;
}

static void fill(const struct oracle_op *op, const struct spot *spot, enum place_operand operand,
                 struct wsim_regs *regs) {
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, operand); elem++)
            place_set(regs, place_width(op, operand), lane, elem,
                      element(spot, operand, place_of(op, operand, lane, elem)));
}

static uint64_t read(const struct oracle_op *op, struct place d, const struct wsim_regs *regs) {
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, PLACE_D); elem++) {
            struct place at = place_of(op, PLACE_D, lane, elem);
            if (at.quad == d.quad && at.row == d.row && at.col == d.col)
                return place_get(regs, place_width(op, PLACE_D), lane, elem);
        }
    return 0;
}

static void prepare(const struct oracle_op *op, const struct spot *spot, struct cases_warp *warp) {
    memset(warp, 0, sizeof *warp);
    fill(op, spot, PLACE_A, &warp->a);
    fill(op, spot, PLACE_B, &warp->b);
    fill(op, spot, PLACE_C, &warp->c);
    for (int lane = 0; lane < WSIM_LANES; lane++) {
        warp->e[lane] = 0x44444444;
        warp->sfa[lane] = spot->dot->sfa;
        warp->sfb[lane] = spot->dot->sfb;
    }
    warp->io = (struct wsim_operands){.a = &warp->a, .b = &warp->b, .c = &warp->c};
    if (op->sparse)
        warp->io.e = warp->e;
    if (op->scales > 0)
        warp->io.sfa = warp->sfa, warp->io.sfb = warp->sfb;
}

static void expect(const struct dot_case *dot, const char *who, uint64_t got) {
    ck_assert_msg(got == dot->want, "%s: %s on %s: %s gives %08" PRIx64 " instead of %08" PRIx64,
                  dot->name, dot->spelling, dot->arch, who, got, dot->want);
}

/* Takes the spelling apart, chooses the element, and fills the operands for it. */
static struct place lay_out(const struct dot_case *dot, struct wsim_op *op,
                            struct oracle_op *parsed, struct cases_warp *warp) {
    judge_parse(dot->spelling, op, parsed);
    *parsed = oracle_on(parsed, dot->arch);
    int quads = strstr(dot->spelling, "m8n8k4") && !strstr(dot->spelling, "f64") ? 4 : 1;
    struct spot spot = {{dot->spread % quads, dot->spread * 5 % parsed->m, dot->spread * 3 % 8},
                        dot};
    if (parsed->squares) {
        spot.d.col = dot->spread * 3 % 16;
        spot.d.quad = spot.d.row / 8 + spot.d.col / 8 * 2;
    }
    prepare(parsed, &spot, warp);
    return spot.d;
}

uint64_t dot_result(const struct dot_case *dot) {
    struct wsim_op op;
    struct oracle_op parsed;
    struct cases_warp warp;
    struct wsim_regs d = {0};
    struct wsim_diag diag = {0};
    struct place at = lay_out(dot, &op, &parsed, &warp);
    warp.io.d = &d;
    if (wsim_exec(&op, wsim_arch_find(dot->arch), &warp.io, &diag) != WSIM_OK)
        ck_abort_msg("%s: %s", dot->name, diag.text);
    return read(&parsed, at, &d);
}

void dot_expect(const struct dot_case *dot) {
    struct wsim_op op;
    struct oracle_op parsed;
    struct cases_warp warp;
    struct wsim_regs d = {0};
    struct place at = lay_out(dot, &op, &parsed, &warp);
    ck_assert_msg(oracle_mma(&parsed, dot->arch, &warp.io, &d), "%s: no oracle", dot->spelling);
    expect(dot, "the oracle", read(&parsed, at, &d));
    expect(dot, "wsim", dot_result(dot));
}
