/* draw_fill.c - all inputs of a case, register by register. */
#include "draw.h"

#include <string.h>

enum { MOST_ELEMENTS = 256, MOST_THREADS = 128 };

/* The parts of lane and element in the place of an element. Returns 0 if they share bits and cannot
 * be added. */
struct places {
    uint32_t lane[MOST_THREADS], elem[MOST_ELEMENTS];
};

static uint32_t spread(const uint32_t *bits, unsigned n, uint32_t *to) {
    uint32_t all = 0;
    to[0] = 0;
    for (unsigned i = 0; i < n; i++) {
        all |= bits[i];
        for (unsigned k = 0; k < 1u << i; k++)
            to[k | 1u << i] = to[k] ^ bits[i];
    }
    return all;
}

static unsigned log2_of(unsigned n) {
    unsigned bits = 0;
    while (1u << bits < n)
        bits++;
    return bits;
}

static int find_places(const struct wsim_plan *plan, const struct wsim_plan_input *o,
                       struct places *places) {
    unsigned elements = o->rows * (unsigned)WSIM_LANES / plan->threads * 32 / o->elem_bits;
    uint32_t lanes = spread(o->lane, log2_of(plan->threads), places->lane);
    return !(lanes & spread(o->elem, log2_of(elements), places->elem));
}

/* Like wsim_case_word. */
static void fill_words(const struct wsim_plan *plan, const struct wsim_case *c,
                       const struct wsim_plan_input *o, uint32_t *to) {
    for (unsigned row = 0; row < o->rows; row++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++)
            *to++ = wsim_case_word(plan, c, o->first + row, lane);
}

static void fill_hashes(const struct draw_loops *loops, const struct wsim_plan_input *o,
                        uint64_t stream, uint32_t *to) {
    loops->words(stream, 0, o->rows * (uint32_t)WSIM_LANES, to);
}

static void fill_numbers(const struct draw_loops *loops, const struct wsim_plan *plan,
                         const struct wsim_case *c, int which, uint32_t *to) {
    const struct wsim_plan_input *o = &plan->input[which];
    unsigned warps = plan->threads / WSIM_LANES;
    struct places places;
    struct draw draw;
    if (c->dist == WSIM_DIST_RAW && o->elem_bits != 64) {
        fill_hashes(loops, o, c->base ^ (uint64_t)(which + 1) << 56, to);
    } else if (!draw_make(plan, c, o, which, &draw) || !find_places(plan, o, &places)) {
        fill_words(plan, c, o, to);
    } else {
        for (unsigned warp = 0; warp < warps; warp++) {
            struct draw_rows rows = {places.lane + warp * WSIM_LANES, places.elem, o->rows / warps,
                                     plan->threads};
            loops->numbers(&draw, &rows, to + warp * WSIM_LANES);
        }
    }
}

static void fill_metadata(const struct draw_loops *loops, const struct wsim_plan *plan,
                          const struct wsim_case *c, uint32_t *to) {
    const struct wsim_plan_input *o = &plan->input[WSIM_IN_E];
    struct places places;
    find_places(plan, o, &places);
    for (unsigned row = 0; row < o->rows; row++)
        loops->metadata(plan, c, row * WSIM_LANES, places.lane + row * WSIM_LANES, places.elem,
                        to + row * WSIM_LANES);
}

/* The same word in all lanes. */
static void fill_same(const struct wsim_plan *plan, const struct wsim_case *c,
                      const struct wsim_plan_input *o, uint32_t *to) {
    uint32_t word = wsim_case_word(plan, c, o->first, 0);
    for (unsigned i = 0; i < o->rows * (unsigned)WSIM_LANES; i++)
        to[i] = word;
}

static void fill_how(const struct wsim_plan *plan, const struct wsim_case *c, uint32_t *to) {
    memset(to, 0, WSIM_LANES * sizeof *to);
    for (unsigned lane = 0; lane <= WSIM_CHOICE_WORD; lane++)
        to[lane] = wsim_stream_how(plan, c, lane);
}

/* --- the operands of a warpgroup in memory --- */

/* Consecutive elements, independent of their places. */
static void fill_everywhere(const struct draw_loops *loops, const struct draw *draw,
                            const struct wsim_plan_input *o, uint32_t *to) {
    unsigned each = 32u / o->elem_bits, most = MOST_ELEMENTS / each;
    uint32_t lane[WSIM_LANES], elem[MOST_ELEMENTS];
    for (unsigned l = 0; l < WSIM_LANES; l++)
        lane[l] = l * each;
    for (unsigned row = 0; row < o->rows; row += most) {
        struct draw_rows rows = {lane, elem, o->rows - row < most ? o->rows - row : most,
                                 WSIM_LANES};
        for (unsigned i = 0; i < rows.rows * each; i++)
            elem[i] = (row + i / each) * WSIM_LANES * each + i % each;
        loops->numbers(draw, &rows, to + row * WSIM_LANES);
    }
}

/* Elements of a matrix at their places and hashes around them, like wsim_stream_matrix. */
static void fill_placed(const struct draw_loops *loops, const struct draw *draw,
                        const struct wsim_plan *plan, const struct wsim_case *c, int which,
                        uint32_t *to) {
    const struct wsim_plan_input *o = &plan->input[which];
    struct wsim_stream_place p = wsim_stream_locate(plan, c, which == WSIM_IN_MATRIX_B);
    unsigned line_bit = (p.transposed != 0) != (which == WSIM_IN_MATRIX_B) ? 12 : 0;
    uint32_t lane[WSIM_LANES], elem[32];
    struct draw_rows rows = {lane, elem, 1, WSIM_LANES};
    for (unsigned i = 0; i < 32u / o->elem_bits; i++)
        elem[i] = i << (12 - line_bit);
    for (unsigned row = 0; row < o->rows; row++, to += WSIM_LANES) {
        uint32_t outside = 0;
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            uint32_t found = wsim_stream_find(&p, o->elem_bits, (row * WSIM_LANES + l) * 4);
            outside |= (uint32_t)(found == UINT32_MAX) << l;
            lane[l] = (found & 0xffff) << line_bit | found >> 16 << (12 - line_bit);
        }
        loops->numbers(draw, &rows, to);
        for (unsigned l = 0; l < WSIM_LANES; l++)
            if (outside >> l & 1)
                to[l] = (uint32_t)wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56,
                                                   row * WSIM_LANES + l);
    }
}

static void fill_matrix(const struct draw_loops *loops, const struct wsim_plan *plan,
                        const struct wsim_case *c, int which, uint32_t *to) {
    const struct wsim_plan_input *o = &plan->input[which];
    int as = which == WSIM_IN_MATRIX_B ? WSIM_IN_B : WSIM_IN_A;
    struct draw draw;
    if (c->dist == WSIM_DIST_RAW)
        fill_hashes(loops, o, c->base ^ (uint64_t)(which + 1) << 56, to);
    else if (!draw_make(plan, c, o, as, &draw))
        fill_words(plan, c, o, to);
    else if (wsim_stream_is_placed(c))
        fill_placed(loops, &draw, plan, c, which, to);
    else
        fill_everywhere(loops, &draw, o, to);
}

static void fill_input(const struct draw_loops *loops, const struct wsim_plan *plan,
                       const struct wsim_case *c, int which, uint32_t *to) {
    const struct wsim_plan_input *o = &plan->input[which];
    switch ((enum wsim_input)which) {
    case WSIM_IN_A:
    case WSIM_IN_B:
    case WSIM_IN_C:
    case WSIM_IN_R: fill_numbers(loops, plan, c, which, to); break;
    case WSIM_IN_E: fill_metadata(loops, plan, c, to); break;
    case WSIM_IN_SFA:
    case WSIM_IN_SFB: loops->scales(o, c, which, to); break;
    case WSIM_IN_PICK: fill_same(plan, c, o, to); break;
    case WSIM_IN_SMEM: fill_hashes(loops, o, c->base ^ 0x5000000000000ull, to); break;
    case WSIM_IN_ADDR: (plan->lines.along ? fill_same : fill_words)(plan, c, o, to); break;
    case WSIM_IN_HOW:
        if (plan->variants)
            fill_how(plan, c, to);
        else
            fill_same(plan, c, o, to);
        break;
    case WSIM_IN_MATRIX_A:
    case WSIM_IN_MATRIX_B: fill_matrix(loops, plan, c, which, to); break;
    case WSIM_INPUTS: break;
    }
}

void draw_fill(const struct draw_loops *loops, const struct wsim_plan *plan,
               const struct wsim_case *c, uint32_t *in) {
    for (int which = 0; which < WSIM_INPUTS; which++)
        if (plan->input[which].rows)
            fill_input(loops, plan, c, which, in + plan->input[which].first * WSIM_LANES);
}

void wsim_case_fill(const struct wsim_plan *plan, const struct wsim_case *c, uint32_t *in) {
    const struct draw_loops *v4 = draw_v4(), *v3 = v4 ? v4 : draw_v3();
    draw_fill(v3 ? v3 : &draw_plain, plan, c, in);
}
