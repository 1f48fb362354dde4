/* steps.h - the steps of a tensor copy. */
#ifndef WSIM_COPY_STEPS_H
#define WSIM_COPY_STEPS_H

#include "copy.h"

/* The decoded operation. */
struct copy_order {
    enum copy_direction direction;
    enum copy_operation operation; /* COPY_REDUCE */
    unsigned dims;
    unsigned mode; /* value of PLACE_MODE */
    int own;       /* to .shared::cta: it names no block of the cluster */
};

/* All checks that do not depend on addresses (rules.c). */
enum wsim_status copy_check(const struct wsim_arch *arch, const struct copy_order *order,
                            const struct wsim_tensor *t, const struct wsim_io *io,
                            struct wsim_diag *diag);

/* Refuses bytes outside of their windows (move.c). `walk` stays at its start. */
enum wsim_status copy_look(struct copy_walk *walk, struct wsim_diag *diag);

/* Reports all bytes of a checked walk to the watchers, run by run (move.c). `walk` stays at its
 * start. */
void copy_tell_runs(struct copy_walk *walk, const struct copy_order *order);

/* Moves the bytes of a checked walk. */
void copy_move(struct copy_walk *walk, const struct copy_order *order,
               struct wsim_bulk_result *result);

/* True if a tile can move strip by strip (strips.c): it is accessible, and has regular rows.
 * Otherwise it is checked and moved run by run. */
int copy_look_strips(const struct copy_walk *walk);
void copy_move_strips(const struct copy_walk *walk, const struct copy_order *order,
                      struct wsim_bulk_result *result);

/* Writes the fill value of a load (move.c). */
void copy_fill(const struct wsim_tensor *t, uint8_t *to, size_t bytes);

#endif
