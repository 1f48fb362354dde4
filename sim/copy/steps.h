/* steps.h - the steps of a tensor copy. */
#ifndef WSIM_COPY_STEPS_H
#define WSIM_COPY_STEPS_H

#include "copy.h"

/* What an operation says. */
struct copy_order {
    enum copy_direction direction;
    enum copy_operation operation; /* COPY_REDUCE */
    unsigned dims;
    unsigned mode; /* value of PLACE_MODE */
};

/* All that is known before any byte is looked at (rules.c). */
enum wsim_status copy_check(const struct wsim_arch *arch, const struct copy_order *order,
                            const struct wsim_tensor *t, const struct wsim_io *io,
                            struct wsim_diag *diag);

/* Refuses bytes outside of their windows (move.c). `walk` is at its start, and stays there. */
enum wsim_status copy_look(struct copy_walk *walk, struct wsim_diag *diag);

/* Moves what was looked at. */
void copy_move(struct copy_walk *walk, const struct copy_order *order,
               struct wsim_bulk_result *result);

/* Whether a tile may be moved strip by strip (strips.c): nobody watches, all of it may be accessed,
 * and its rows are regular. 0: it is looked at, and moved, run by run. */
int copy_look_strips(const struct copy_walk *walk);
void copy_move_strips(const struct copy_walk *walk, const struct copy_order *order,
                      struct wsim_bulk_result *result);

/* What a load puts where nothing is (move.c). */
void copy_fill(const struct wsim_tensor *t, uint8_t *to, size_t bytes);

#endif
