/* Boxes of tensor copies in shared memory: a note where a wgmma reads one with another swizzle.
 *
 * The map of a copy and the descriptor of a product each name a swizzle. If the two differ, the
 * product multiplies the right bytes in a wrong order, and nothing else tells. It is a note,
 * because the matrix may lie permuted in global memory. */
#include "listeners.h"

#include "../sync/sync.h"

#include <stdlib.h>
#include <wsim/wgmma.h>

enum { MOST_BOXES = 32 /* of a block; the oldest is forgotten */ };

struct box {
    uint32_t op; /* 1 + its operation; 0: none */
    uint32_t from, to;
    enum wsim_swizzle swizzle;
};

struct boxes {
    uint32_t next;
    struct box of[MOST_BOXES];
};

static int make_unit(struct run_unit *unit) {
    if (!(unit->worker->launch->program->queues >> SYNC_WGMMA & 1))
        return 1;
    unit->heard[LISTENER_BOXES] = calloc(unit->n_blocks, sizeof(struct boxes));
    return unit->heard[LISTENER_BOXES] != NULL;
}

static void free_unit(struct run_unit *unit) {
    free(unit->heard[LISTENER_BOXES]);
}

static void begin_unit(struct run_unit *unit) {
    if (unit->heard[LISTENER_BOXES])
        memset(unit->heard[LISTENER_BOXES], 0, unit->n_blocks * sizeof(struct boxes));
}

/* A box replaces those whose bytes it writes. */
static void put(struct boxes *boxes, const struct box *box) {
    uint32_t free = MOST_BOXES;
    for (uint32_t i = 0; i < MOST_BOXES; i++) {
        struct box *other = &boxes->of[i];
        if (other->op && other->from < box->to && box->from < other->to)
            other->op = 0;
        free = other->op ? free : i;
    }
    boxes->of[free < MOST_BOXES ? free : boxes->next++ % MOST_BOXES] = *box;
}

static void tell(struct run_warp *warp, const struct run_op *op, char name,
                 const struct wsim_descriptor *descriptor, const struct box *box) {
    const uint64_t at = descriptor->start + ((uint64_t)warp->block->rank << RUN_RANK_SHIFT);
    const struct run_subject subject = {
        .kind = RUN_ADDRESS, .space = PTX_SHARED, .bytes = 16, .at = at};
    run_finding_of(warp, op, RUN_LANES, &warp->program->ops[box->op - 1], RULE_ADVICE_SWIZZLE_MIXED,
                   &subject,
                   "the descriptor of %c at %s has swizzle %s, and the tensor map of the copy that "
                   "wrote the tile has %s: the two must be equal, unless global memory has the "
                   "matrix permuted",
                   name, run_shared_words(warp, at, "shared address ").text,
                   wsim_swizzle_name(descriptor->mode), wsim_swizzle_name(box->swizzle));
}

static void look(struct run_warp *warp, const struct run_op *op, const struct boxes *boxes,
                 const struct run_product *product) {
    for (unsigned operand = 0; operand < 2; operand++) {
        struct wsim_descriptor descriptor;
        if (!product->in_memory[operand])
            continue;
        wsim_descriptor_decode(product->desc[operand], &descriptor, NULL);
        for (uint32_t i = 0; i < MOST_BOXES; i++) {
            const struct box *box = &boxes->of[i];
            if (box->op && descriptor.start - box->from < box->to - box->from &&
                descriptor.mode != box->swizzle)
                tell(warp, op, operand ? 'B' : 'A', &descriptor, box);
        }
    }
}

static void hear(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                 enum run_order_kind kind, const void *what) {
    struct boxes *boxes = warp->block->unit->heard[LISTENER_BOXES];
    const struct run_box *written = what;
    (void)lanes;
    if (!boxes)
        return;
    if (kind == RUN_ORDER_BOX)
        put(&boxes[written->rank], &(struct box){.op = run_number(warp, op) + 1,
                                                 .from = written->at,
                                                 .to = written->at + written->bytes,
                                                 .swizzle = (enum wsim_swizzle)written->swizzle});
    else if (warp->number % 4 == 0)
        look(warp, op, &boxes[warp->block->rank], what);
}

const struct run_hears boxes_hears = {
    .unit_make = make_unit, .unit_free = free_unit, .unit_begin = begin_unit, .order = hear};
