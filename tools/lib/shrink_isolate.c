/* Away with what the target is not made of; see shrink_isolate.h. Asks no judge. */
#include "shrink_isolate.h"
#include "execute.h"
#include "shrink_unit.h"

#include <string.h>

enum { MOST_K = 256 };

struct subject {
    const struct wsim_op *op;
    const struct wsim_plan *plan;
    const struct shrink_target *target;
    const struct wsim_arch *arch; /* moves are prepared for it */
};

/* Whether byte-id and thread-id choose this scale: its batch counts thread-ids first. */
static int is_chosen(const struct wsim_plan *plan, struct shrink_unit unit, unsigned batch,
                     const uint32_t *in) {
    uint32_t picked = in[plan->input[WSIM_IN_PICK].first * WSIM_LANES];
    int b = unit.which == WSIM_IN_SFB;
    unsigned choices = b ? plan->bytes_b : plan->bytes_a, threads = b ? 4 : 2;
    unsigned bid = picked >> 16 * b & 0xff, tid = picked >> (16 * b + 8) & 0xff;
    return batch == tid + bid * choices / 4 * threads;
}

/* Which k the row of the target has: all, or of a sparse A those that its metadata names. */
static void find_k(const struct subject *s, const uint32_t *in, uint8_t has_k[MOST_K]) {
    const uint32_t *e = in + s->plan->input[WSIM_IN_E].first * WSIM_LANES;
    const unsigned k = wsim_op_describe(s->op).k;
    uint64_t dense[16 * MOST_K];
    struct wsim_regs ones;
    memset(has_k, 1, MOST_K);
    memset(&ones, 0xff, sizeof ones);
    if (s->plan->sparse && !wsim_sparse_expand(s->op, &ones, e, s->plan->selector, dense, NULL))
        for (unsigned i = 0; i < k; i++)
            has_k[i] = dense[s->target->at.row * k + i] != 0;
}

static int is_of_target(const struct subject *s, struct shrink_unit unit, const uint32_t *in,
                        const uint8_t has_k[MOST_K]) {
    const struct wsim_coord at = s->target->at;
    uint32_t coord = wsim_stream_coord(&s->plan->input[unit.which], unit.lane, unit.elem);
    unsigned row = coord & 0xfff, col = coord >> 12 & 0xfff, batch = coord >> 24;
    switch (unit.which) {
    case WSIM_IN_A: return row == at.row && batch == at.batch;
    case WSIM_IN_B: return col == at.col && batch == at.batch && has_k[row];
    case WSIM_IN_C: return row == at.row && col == at.col && batch == at.batch;
    case WSIM_IN_E: return row == at.row && batch == s->plan->selector;
    case WSIM_IN_SFA: return row == at.row && is_chosen(s->plan, unit, batch, in);
    case WSIM_IN_SFB: return col == at.col && is_chosen(s->plan, unit, batch, in);
    default: return 1;
    }
}

/* A move copies: bits moved to the target show there when they are inverted. */
static int is_moved(const struct subject *s, struct shrink_unit unit, uint32_t *in, uint64_t got) {
    uint64_t bits = shrink_get(s->plan, unit, in);
    uint32_t out[SHRINK_WORDS];
    int shows;
    shrink_set(s->plan, unit, in, ~bits);
    shows = execute_case(s->op, s->arch, s->plan, in, out, NULL) ||
            shrink_result(s->target, out) != got;
    shrink_set(s->plan, unit, in, bits);
    return shows;
}

void shrink_isolate(const struct wsim_op *op, const struct wsim_plan *plan,
                    const struct shrink_target *target, const struct wsim_arch *arch,
                    uint32_t *in) {
    const struct subject subject = {op, plan, target, arch}, *s = &subject;
    struct shrink_unit units[SHRINK_UNITS];
    unsigned n = shrink_units(plan, units);
    int moves = !(wsim_op_describe(op).operands >> WSIM_C & 1);
    uint32_t out[SHRINK_WORDS];
    uint8_t has_k[MOST_K];
    uint64_t got;
    if (moves && execute_case(op, arch, plan, in, out, NULL))
        return;
    got = moves ? shrink_result(target, out) : 0;
    if (!moves)
        find_k(s, in, has_k);
    for (unsigned i = 0; i < n; i++)
        if (moves ? !is_moved(s, units[i], in, got) : !is_of_target(s, units[i], in, has_k))
            shrink_set(plan, units[i], in, shrink_rest(plan, units[i]));
}
