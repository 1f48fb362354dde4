/* heard.h - checks that rooms below them call, by name: the exceptions of the floor plan, until a
 * table of listeners takes their place. */
#ifndef WSIM_STATE_HEARD_H
#define WSIM_STATE_HEARD_H

#include "../base/namespace.h"

#include "run.h"

int check_init_grow(struct run_warp *warp, uint32_t stride);
void check_init_forget(struct run_warp *warp, uint32_t from, uint32_t to);
void check_init_warp(struct run_warp *warp);
void check_init_shared(struct run_warp *warp, uint64_t at, uint32_t bytes);
void products_fence(struct run_warp *warp);

#endif
