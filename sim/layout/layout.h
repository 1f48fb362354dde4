/* layout.h - the packed form of a coordinate, for rooms that loop over whole fragments. */
#ifndef WSIM_LAYOUT_LAYOUT_H
#define WSIM_LAYOUT_LAYOUT_H

#include <wsim/layout.h>

/* The coordinate of (lane, elem) packed as in struct wsim_layout. */
uint32_t layout_packed(const struct wsim_layout *layout, unsigned lane, unsigned elem);

#endif
