/* stream_memory.h - addresses of a case, and memory that a warpgroup multiplies. Part of stream.h,
 * which says more. */
#ifndef WSIM_STREAM_MEMORY_H
#define WSIM_STREAM_MEMORY_H

#include "stream_number.h"

/* Row addresses of a matrix move: 32 different rows of the window, or (loads, every other case)
 * any. */
WSIM_BOTH uint32_t wsim_stream_row(const struct wsim_plan *plan, const struct wsim_case *c,
                                   unsigned lane) {
    uint32_t r = (uint32_t)wsim_stream_hash(c->base, 0xadd);
    uint32_t row = (lane * (2 * (r >> 8 & 63) + 1) + (r >> 16)) ^ r >> 1;
    if (!plan->store && r & 1)
        row = (uint32_t)wsim_stream_hash(c->base, 0xadd00 + lane);
    return row % (WSIM_CASE_WINDOW_BYTES / 16) * 16;
}

/* --- wmma: lines of a matrix --- */

/* Elements from line to line: any that keeps the lines apart, aligned and in the window. */
WSIM_BOTH uint32_t wsim_stream_stride(const struct wsim_plan *plan, const struct wsim_case *c) {
    const struct wsim_plan_lines *l = &plan->lines;
    uint32_t bits = plan->input[WSIM_IN_SMEM].rows * 1024u, unit = 8u * l->align / l->bits;
    uint32_t least = (l->across + unit - 1) / unit;
    uint32_t most = (bits - l->across * l->bits) / (l->along - 1u) / l->bits / unit;
    uint32_t r = (uint32_t)(wsim_stream_hash(c->base, 0x57de) >> 32);
    return (least + r % (most - least + 1)) * unit;
}

/* Where the first line starts; every lane says the same. */
WSIM_BOTH uint32_t wsim_stream_start(const struct wsim_plan *plan, const struct wsim_case *c) {
    const struct wsim_plan_lines *l = &plan->lines;
    uint32_t bits = ((l->along - 1u) * wsim_stream_stride(plan, c) + l->across) * l->bits;
    uint32_t room = plan->input[WSIM_IN_SMEM].rows * 128u - (bits + 7) / 8;
    uint32_t r = (uint32_t)(wsim_stream_hash(c->base, 0x57a7) >> 32);
    return r % (room / l->align + 1) * l->align;
}

WSIM_BOTH uint32_t wsim_stream_address(const struct wsim_plan *plan, const struct wsim_case *c,
                                       unsigned lane) {
    return plan->lines.along ? wsim_stream_start(plan, c) : wsim_stream_row(plan, c, lane);
}

/* --- wgmma: matrices that descriptors name --- */

/* Immediates that there is code for; seven times of eight C is added. */
WSIM_BOTH uint32_t wsim_stream_choice(const struct wsim_plan *plan, const struct wsim_case *c) {
    uint32_t r = (uint32_t)(wsim_stream_hash(c->base, 0xf1a9) >> 32);
    uint32_t scale_d = (r >> 24 & 7) || c->dist == WSIM_DIST_C_ALONE ? WSIM_CHOICE_SCALE_D : 0;
    return plan->variant[(r & 0xffffff) % plan->variants] | scale_d;
}

/* Distributions that depend on the place of an element in the matrix. */
WSIM_BOTH int wsim_stream_is_placed(const struct wsim_case *c) {
    return c->dist == WSIM_DIST_CANCELLING || c->dist == WSIM_DIST_ONE_HOT ||
           c->dist == WSIM_DIST_POSITION;
}

/* The place of a matrix in its part of the window. Lines lie side by side in blocks of eight, with
 * `width` bytes each. Step 0 leads to the next eight lines, step 1 to the next bytes of these
 * lines. */
struct wsim_stream_place {
    uint32_t start, width, lines, along; /* lines, and bytes of each                          */
    uint32_t step[2], steps[2];          /* bytes of a step, and how many are taken            */
    unsigned transposed;
    const struct wsim_plan_swizzle *swizzle;
};

/* Blocks follow each other without overlap. */
WSIM_BOTH void wsim_stream_pack(struct wsim_stream_place *p, uint64_t r) {
    unsigned inner = (unsigned)(r & 1);
    p->step[inner] = 8 * p->width;
    p->step[!inner] = 8 * p->width * (p->steps[inner] + 1);
}

/* Random steps that keep the matrix inside `room` bytes after its first block. A step that is never
 * taken may have any value. */
WSIM_BOTH void wsim_stream_scatter(struct wsim_stream_place *p, uint32_t room, uint64_t r) {
    for (unsigned n = 0; n < 2; n++) {
        unsigned i = n ^ (unsigned)(r & 1);
        uint32_t most = p->steps[i] ? room / p->steps[i] / 16 >> (r >> 1 & 3) : 0x3fff;
        p->step[i] = (uint32_t)(r >> (n ? 44 : 24) & 0xfffff) % (most + 1) * 16;
        if (i == 0 && r >> 3 & 1 && p->steps[0] * 8 * p->width <= room)
            p->step[0] = 8 * p->width;
        room -= p->steps[i] * p->step[i];
    }
}

/* The place of A (side 0) or B (1). */
WSIM_BOTH struct wsim_stream_place wsim_stream_locate(const struct wsim_plan *plan,
                                                      const struct wsim_case *c, unsigned side) {
    const struct wsim_plan_tile *tile = &plan->tile[side];
    uint64_t r = wsim_stream_hash(c->base, 0xde5c00 + side), q = wsim_hash_mix(r);
    uint32_t bytes = plan->input[WSIM_IN_MATRIX_A + side].rows * 128u, used;
    struct wsim_stream_place p;
    p.swizzle = &plan->swizzle[r & (WSIM_PLAN_SWIZZLES - 1)];
    p.transposed = wsim_stream_choice(plan, c) & (side ? WSIM_CHOICE_TRANS_B : WSIM_CHOICE_TRANS_A);
    p.width = p.swizzle->span;
    p.lines = p.transposed ? tile->k : tile->rows;
    p.along = (p.transposed ? tile->rows : tile->k) * (uint32_t)tile->bits / 8;
    p.steps[0] = (p.lines + 7) / 8 - 1;
    p.steps[1] = (p.along + p.width - 1) / p.width - 1;
    if (wsim_stream_is_placed(c) || (r >> 2 & 3) == 0)
        wsim_stream_pack(&p, r >> 4);
    else
        wsim_stream_scatter(&p, bytes - 8 * p.width, q);
    used = 8 * p.width + p.steps[0] * p.step[0] + p.steps[1] * p.step[1];
    p.start = (uint32_t)(r >> 32) % ((bytes - used) / 16 + 1) * 16;
    if (r >> 5 & 1)
        p.start &= ~1023u;
    return p;
}

/* The descriptor in the format of the ISA. Without a swizzle, the steps of a transposed matrix
 * change places. */
WSIM_BOTH uint64_t wsim_stream_descriptor(const struct wsim_plan *plan, const struct wsim_case *c,
                                          unsigned side) {
    struct wsim_stream_place p = wsim_stream_locate(plan, c, side);
    uint64_t start = p.start + (side ? plan->input[WSIM_IN_MATRIX_A].rows * 128u : 0);
    unsigned exchanged = p.transposed && !p.swizzle->mask[0];
    uint64_t stride = p.step[exchanged], leading = p.step[!exchanged];
    return wsim_descriptor_pack(start, leading, stride, 0, p.swizzle->code);
}

/* The element of a packed matrix at a byte of its part. The line is in the low half, the place in
 * the line in the high half. All ones: there is no element. */
WSIM_BOTH uint32_t wsim_stream_find(const struct wsim_stream_place *p, unsigned bits, uint32_t at) {
    unsigned inner = p->step[0] == 8 * p->width ? 0 : 1;
    uint32_t block, rest, step[2], line, byte;
    at = wsim_swizzle_bits(p->swizzle->shift, p->swizzle->mask, at);
    if (at < p->start)
        return UINT32_MAX;
    block = (at - p->start) / (8 * p->width);
    rest = (at - p->start) % (8 * p->width);
    step[inner] = block % (p->steps[inner] + 1);
    step[!inner] = block / (p->steps[inner] + 1);
    line = step[0] * 8 + rest / p->width;
    byte = step[1] * p->width + rest % p->width;
    return line < p->lines && byte < p->along ? line | byte * 8 / bits << 16 : UINT32_MAX;
}

/* Word `word` of the part of A or B. Where a matrix is everywhere of one kind a place in memory
 * decides, and what lies over each other agrees. */
WSIM_BOTH uint32_t wsim_stream_matrix(const struct wsim_plan *plan, const struct wsim_case *c,
                                      int which, uint32_t word) {
    const struct wsim_plan_input *o = &plan->input[which];
    unsigned side = which == WSIM_IN_MATRIX_B, bits = o->elem_bits, each = 32 / bits, i;
    uint32_t at = word * each, step = 1, value = 0;
    if (wsim_stream_is_placed(c)) {
        struct wsim_stream_place p = wsim_stream_locate(plan, c, side);
        uint32_t found = wsim_stream_find(&p, bits, word * 4);
        unsigned line_bit = p.transposed ? 12 : 0, across = found >> 16, line = found & 0xffff;
        if (side) /* rows of B are k */
            line_bit = 12 - line_bit;
        at = line << line_bit | across << (12 - line_bit);
        step = 1u << (12 - line_bit);
        if (found == UINT32_MAX)
            return (uint32_t)wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56, word);
    }
    if (c->dist == WSIM_DIST_RAW)
        return (uint32_t)wsim_stream_hash(c->base ^ (uint64_t)(which + 1) << 56, word);
    for (i = 0; i < each; i++)
        value |= (uint32_t)wsim_stream_element(o, c, plan->sparse, side ? WSIM_IN_B : WSIM_IN_A,
                                               at + i * step)
                 << i * bits;
    return value;
}

/* The word of a lane of WSIM_IN_HOW. A in registers has no descriptor. */
WSIM_BOTH uint32_t wsim_stream_how(const struct wsim_plan *plan, const struct wsim_case *c,
                                   unsigned lane) {
    uint32_t choice;
    if (!plan->variants)
        return wsim_stream_stride(plan, c);
    choice = wsim_stream_choice(plan, c);
    if (lane >= WSIM_CHOICE_WORD)
        return lane == WSIM_CHOICE_WORD ? choice : 0;
    if (lane < 2 && choice & WSIM_CHOICE_REGISTERS)
        return 0;
    return (uint32_t)(wsim_stream_descriptor(plan, c, lane / 2) >> 32 * (lane % 2));
}

#endif
