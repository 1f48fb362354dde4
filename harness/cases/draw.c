/* draw.c - the parameters of a distribution: the formulas of stream_number.h for a known format and
 * distribution. */
#include "draw.h"

/* Compilers compute the inverse of a constant. */
static inline struct draw_range upwards(uint64_t start, uint32_t count) {
    return (struct draw_range){start, 0, count, (0x80000000u + count - 1) / count};
}

static inline struct draw_range downwards(uint64_t start, uint32_t count) {
    return (struct draw_range){start, UINT64_MAX, count, (0x80000000u + count - 1) / count};
}

/* A power of two. */
static struct draw_range all_of(unsigned bits) {
    return (struct draw_range){0, 0, UINT64_C(1) << bits, UINT64_C(0x80000000) >> bits};
}

static void one_range(struct draw *draw, struct draw_range range) {
    draw->range[0] = draw->range[1] = range;
}

static void two_ranges(struct draw *draw, uint64_t choice, struct draw_range chosen,
                       struct draw_range else_this) {
    draw->choice = choice;
    draw->range[1] = chosen;
    draw->range[0] = else_this;
}

/* --- floats --- */

static void draw_specials(const struct wsim_plan_input *o, int is_c, struct draw *draw) {
    draw->way = DRAW_SPECIAL;
    draw->choice = (uint64_t)(is_c ? 3 : 15) << 36;
    for (unsigned kind = 0; kind < 8; kind++)
        draw->eight[kind] = wsim_stream_special(o, kind);
}

/* As wsim_stream_float. */
static void float_ranges(const struct wsim_plan_input *o, int is_c, enum wsim_dist dist,
                         struct draw *draw) {
    uint64_t bias = (uint64_t)o->bias, top = wsim_stream_ones(o->exp_bits);
    struct draw_range near = upwards(bias - 2, 4), any = all_of(o->exp_bits);
    draw->way = DRAW_FLOAT;
    one_range(draw, near);
    switch (dist) {
    case WSIM_DIST_ONE_HOT:
    case WSIM_DIST_POSITION:
    case WSIM_DIST_FINITE: one_range(draw, any); break;
    case WSIM_DIST_SUBNORMAL: two_ranges(draw, (uint64_t)3 << 61, upwards(0, 2), near); break;
    case WSIM_DIST_WIDE:
        one_range(draw, o->exp_bits > 5 ? upwards(bias - 24, 49) : upwards(bias - 16, 33));
        break;
    case WSIM_DIST_SPECIALS: draw_specials(o, is_c, draw); break;
    case WSIM_DIST_OVERFLOW:
        two_ranges(draw, (uint64_t)1 << 62, upwards(bias - 1, 3), downwards(top, 4));
        break;
    case WSIM_DIST_C_ALONE:
        one_range(draw, upwards(0, 1));
        draw->frac = 0;
        draw->way = is_c ? DRAW_WHOLE : DRAW_FLOAT;
        break;
    case WSIM_DIST_NARROW: one_range(draw, upwards(bias, 1)); break;
    case WSIM_DIST_EXTREMES:
        two_ranges(draw, (uint64_t)1 << 62, upwards(0, 3), downwards(top, 3));
        break;
    case WSIM_DIST_CANCELLING: two_ranges(draw, 0, near, is_c ? near : any); break;
    default: break;
    }
}

static void describe_float(const struct wsim_plan_input *o, struct draw *draw) {
    uint64_t low = wsim_stream_ones(o->exp_bits + o->frac_bits);
    draw->chooses = 0xffff;
    draw->frac = wsim_stream_ones(o->frac_bits);
    draw->sign = low + 1;
    draw->frac_bits = o->frac_bits;
    draw->sign_shift = (uint8_t)(63 - o->exp_bits - o->frac_bits);
    draw->top = wsim_stream_ones(o->exp_bits) - o->infinities;
    draw->nan = !o->infinities && o->has_nan ? low : UINT64_MAX;
}

/* --- integers --- */

/* Numbers that three bits of the hash select. */
static void draw_ends(const struct wsim_plan_input *o, enum wsim_dist dist, struct draw *draw) {
    draw->way = DRAW_EIGHT;
    draw->choice = dist == WSIM_DIST_SPECIALS ? (uint64_t)7 << 44 : 0;
    for (uint64_t near = 0; near < 8; near++)
        draw->eight[near] = wsim_stream_integer(o, 0, dist, near << 40);
}

/* As wsim_stream_integer. */
static void integer_ranges(const struct wsim_plan_input *o, int is_c, enum wsim_dist dist,
                           struct draw *draw) {
    uint64_t top = (uint64_t)1 << (o->bits - 1);
    draw->way = DRAW_INTEGER;
    draw->chooses = 0xffffff;
    switch (dist) {
    case WSIM_DIST_CANCELLING:
        one_range(draw, upwards((uint64_t)-2, 5));
        draw->way = DRAW_WHOLE;
        break;
    case WSIM_DIST_NEAR_ONE: one_range(draw, upwards((uint64_t)-2, 5)); break;
    case WSIM_DIST_SUBNORMAL: one_range(draw, upwards(0, 2)); break;
    case WSIM_DIST_NARROW: one_range(draw, upwards((uint64_t)-4, 8)); break;
    case WSIM_DIST_WIDE:
        one_range(draw, upwards(0, o->bits));
        draw->way = DRAW_SHORT;
        break;
    case WSIM_DIST_C_ALONE:
        one_range(draw, upwards(0, 1));
        draw->way = is_c ? DRAW_WHOLE : DRAW_INTEGER;
        break;
    case WSIM_DIST_OVERFLOW:
        two_ranges(draw, (uint64_t)1 << 44, downwards(top - 1, 8), upwards(top, 8));
        break;
    case WSIM_DIST_SPECIALS:
    case WSIM_DIST_EXTREMES: draw_ends(o, dist, draw); break;
    default: draw->way = DRAW_WHOLE; break;
    }
}

/* --- distributions that depend on places --- */

/* Like wsim_stream_cancelling: pairs of A along k, and runs of eight elements of B. */
static void draw_pairs(int which, struct draw *draw) {
    if (which == WSIM_IN_C)
        return;
    draw->way = DRAW_PAIRED;
    draw->pair = which == WSIM_IN_A ? UINT32_C(1) << 12 : 7;
    draw->minus = which == WSIM_IN_A ? UINT32_C(1) << 12 : 0;
}

static void draw_zero(struct draw *draw) {
    one_range(draw, upwards(0, 1));
    draw->way = draw->is_float ? DRAW_FLOAT : DRAW_INTEGER;
    draw->frac = draw->sign = 0;
}

/* As wsim_stream_hot. */
static int draw_places(const struct wsim_plan *plan, const struct wsim_case *c,
                       const struct wsim_plan_input *o, int which, struct draw *draw) {
    int position = c->dist == WSIM_DIST_POSITION;
    int picks = position && !plan->sparse && c->base & 1 ? WSIM_IN_B : WSIM_IN_A;
    if (which == WSIM_IN_C && position)
        draw_zero(draw);
    if (which != picks)
        return 1;
    draw->way = DRAW_HOT;
    draw->across = which == WSIM_IN_A ? 0 : 12;
    draw->extent = o->extent;
    draw->one = position ? wsim_stream_one(o) : 0;
    draw->drawn = position ? 0 : UINT64_MAX;
    return o->extent && !(o->extent & (o->extent - 1));
}

int draw_make(const struct wsim_plan *plan, const struct wsim_case *c,
              const struct wsim_plan_input *o, int which, struct draw *draw) {
    *draw = (struct draw){.is_float = o->is_float,
                          .bits = o->elem_bits,
                          .pad = o->pad,
                          .stream = c->base ^ (uint64_t)(which + 1) << 56,
                          .container = wsim_stream_ones(o->elem_bits),
                          .used = wsim_stream_ones(o->bits) << o->pad};
    if (c->dist == WSIM_DIST_RAW) { /* padding too */
        draw->pad = 0;
        draw->used = draw->container;
        return 1;
    }
    draw->is_noisy = draw->used != draw->container;
    if (o->is_float) {
        describe_float(o, draw);
        float_ranges(o, which == WSIM_IN_C, c->dist, draw);
    } else {
        integer_ranges(o, which == WSIM_IN_C, c->dist, draw);
    }
    if (c->dist == WSIM_DIST_CANCELLING)
        draw_pairs(which, draw);
    if (c->dist == WSIM_DIST_ONE_HOT || c->dist == WSIM_DIST_POSITION)
        if (!draw_places(plan, c, o, which, draw))
            return 0;
    return !draw->is_noisy || (o->is_float && draw->way != DRAW_WHOLE);
}
