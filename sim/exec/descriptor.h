/* descriptor.h - how a descriptor steps through a tile: for addresses, and for advice. */
#ifndef WSIM_EXEC_DESCRIPTOR_H
#define WSIM_EXEC_DESCRIPTOR_H

#include "../isa/isa.h"
#include "../memory/memory.h"

#include <wsim/both.h>
#include <wsim/wgmma.h>

enum {
    DESCRIPTOR_UNIT = 16,  /* bytes: addresses and offsets are counted in it                  */
    DESCRIPTOR_LINE = 128, /* bytes: the base offset is counted in it                         */
    DESCRIPTOR_LINES = 8   /* that lie one after another                                      */
};

/* Neighbours along the major axis are contiguous up to the width of a line. Eight such lines
 * follow each other along the other axis. Beyond that, each axis advances by a step. */
struct descriptor_steps {
    uint32_t inside;
    unsigned along, across; /* steps on the axis of neighbours, and on the other             */
};

struct descriptor_steps descriptor_steps(const struct wsim_descriptor *d,
                                         const struct wsim_tile *tile, unsigned row, unsigned k);

/* The address of an element is a sum of what its row and its k add to the start, swizzled. Taken
 * apart, for loops over a tile. */
uint32_t descriptor_row(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                        unsigned row);
uint32_t descriptor_k(const struct wsim_descriptor *d, const struct wsim_tile *tile, unsigned k);

/* The base offset shifts the pattern by this number of lines, which take no part in the XOR. */
static inline uint32_t descriptor_join(const struct wsim_descriptor *d, uint32_t row, uint32_t k) {
    const struct isa_swizzle *swizzle = &isa_swizzles[d->mode];
    uint32_t moved = d->base_offset * (uint32_t)DESCRIPTOR_LINE;
    return wsim_swizzle_bits(swizzle->shift, swizzle->mask, d->start + row + k - moved) + moved;
}

/* Whether all of a tile surely lies in `shared` and below `end`. */
int descriptor_fits(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                    const struct wsim_memory *shared, uint64_t end);

/* Bytes of a line. */
unsigned descriptor_width(const struct wsim_descriptor *d);

/* Without a swizzle an MN-major matrix has the roles of the two offsets exchanged: leading is the
 * step across. */
int descriptor_exchanged(const struct wsim_descriptor *d, const struct wsim_tile *tile);

#endif
