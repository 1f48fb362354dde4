/* Registers and local memory of a warp. */
#include "device.h"
#include "lives.h"
#include "warp.h"

#include <stdlib.h>

#define LINE 64
/* Calls inside of calls: what a GPU has stack for is less. */
#define DEEPEST 4096

static uint8_t *line_aligned(uint8_t *bytes) {
    return bytes + (LINE - (uintptr_t)bytes % LINE) % LINE;
}

/* Rows of constants hold the same in all lanes. */
static void fill_constants(const struct run_warp *warp, struct run_frame *frame) {
    const struct run_function *function = frame->function;
    const uint64_t *symbols = warp->worker->launch->attached->symbols;
    *run_pred(frame->bytes, RUN_ALWAYS) = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < function->n_constants; i++) {
        const struct run_constant *constant = &function->constants[i];
        struct run_row row = {.at = constant->at, .bits = constant->bits};
        uint64_t value = constant->value;
        if (constant->kind == RUN_CONSTANT_SYMBOL)
            value += symbols[constant->symbol];
        if (constant->kind == RUN_CONSTANT_SHARED)
            value += warp->block->shared.base;
        if (constant->kind == RUN_CONSTANT_LOCAL)
            value += frame->local;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            run_put(frame->bytes, row, lane, value);
    }
}

/* More local memory for each lane. */
static int grow_local(struct run_warp *warp, uint32_t needed) {
    uint32_t stride = warp->local_stride ? warp->local_stride : 64;
    uint8_t *grown;
    if (needed <= warp->local_stride)
        return 1;
    while (stride < needed)
        stride *= 2;
    grown = malloc((size_t)stride * RUN_LANES);
    if (!grown || !hear_local_grow(warp, stride)) {
        free(grown);
        return 0;
    }
    memset(grown, 0xCD, (size_t)stride * RUN_LANES);
    for (unsigned lane = 0; lane < RUN_LANES && warp->local; lane++)
        memcpy(grown + (size_t)lane * stride, warp->local + (size_t)lane * warp->local_stride,
               warp->local_used);
    free(warp->local);
    warp->local = grown;
    warp->local_stride = stride;
    return 1;
}

int warp_stack(struct run_warp *warp, uint64_t bytes, uint32_t align, uint32_t *at) {
    uint64_t from = ((uint64_t)warp->local_used + align - 1) / align * align;
    if (bytes > ISA_LOCAL_BYTES || from > ISA_LOCAL_BYTES - bytes ||
        !grow_local(warp, (uint32_t)(from + bytes)))
        return 0;
    *at = (uint32_t)from;
    warp->local_used = (uint32_t)(from + bytes);
    hear_local_reuse(warp, *at, warp->local_used);
    return 1;
}

/* The variables of a function stay where they are from block to block. */
static int take_local(struct run_warp *warp, struct run_frame *frame) {
    if (!warp_stack(warp, frame->function->local_bytes, frame->function->local_align,
                    &frame->local))
        return 0;
    warp->local_fixed = warp->local_used;
    return 1;
}

/* Levels 0 .. depth are there. */
static int grow_levels(struct run_warp *warp, uint32_t depth) {
    uint32_t levels = warp->n_levels ? warp->n_levels : 2;
    struct run_level *grown;
    if (depth < warp->n_levels)
        return 1;
    while (levels <= depth)
        levels *= 2;
    grown = realloc(warp->levels, levels * sizeof *grown);
    if (!grown)
        return 0;
    memset(grown + warp->n_levels, 0, (levels - warp->n_levels) * sizeof *grown);
    warp->levels = grown;
    warp->n_levels = levels;
    return 1;
}

struct run_frame *warp_frame(struct run_warp *warp, const struct run_function *function,
                             uint32_t depth) {
    struct run_frame *frame;
    if (depth >= DEEPEST || !grow_levels(warp, depth))
        return NULL;
    for (frame = warp->levels[depth].frames; frame; frame = frame->next)
        if (frame->function == function)
            return frame;
    frame = calloc(1, sizeof *frame + function->frame_bytes + LINE);
    if (!frame)
        return NULL;
    frame->bytes = line_aligned((uint8_t *)(frame + 1));
    frame->function = function;
    frame->depth = depth;
    if (!take_local(warp, frame)) {
        free(frame);
        return NULL;
    }
    fill_constants(warp, frame);
    frame->next = warp->levels[depth].frames;
    warp->levels[depth].frames = frame;
    return frame;
}

int warp_begin(struct run_warp *warp, uint32_t lanes) {
    const struct run_function *kernel = &warp->program->functions[0];
    struct run_frame *frame = warp_frame(warp, kernel, 0);
    if (!frame)
        return 0;
    /* Uninitialised registers are 0, so results do not depend on the blocks that ran before. All
     * others are written first. A caller that looks at registers sees zeros. */
    memset(frame->bytes + LINE, 0,
           (warp->worker->launch->look ? kernel->brief : kernel->unset_end) - LINE);
    memset(frame->bytes + kernel->brief_end, 0, kernel->register_end - kernel->brief_end);
    warp->lanes = warp->born = lanes;
    warp->block->alive |= UINT32_C(1) << warp->number;
    warp->n_groups = 1;
    warp->woken = 0;
    warp->ahead_of_others = warp->parked = 0;
    warp->local_used = warp->local_fixed;
    hear_warp_begin(warp);
    warp->group = NULL;
    warp->groups[0] = (struct run_group){.at = kernel->first, .lanes = lanes, .frame = frame};
    return 1;
}

void warp_free(struct run_warp *warp) {
    for (uint32_t depth = 0; depth < warp->n_levels; depth++)
        for (struct run_frame *next, *frame = warp->levels[depth].frames; frame; frame = next) {
            next = frame->next;
            free(frame);
        }
    free(warp->levels);
    free(warp->local);
}
