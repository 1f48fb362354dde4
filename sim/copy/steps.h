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

#endif
