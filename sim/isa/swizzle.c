/* Swizzles as functions of an address: the terms come from swizzle.def. */
#include "isa.h"

#include <string.h>
#include <wsim/both.h>

static const struct isa_swizzle *row_of(enum wsim_swizzle mode) {
    return &isa_swizzles[(unsigned)mode < WSIM_SWIZZLES ? mode : WSIM_SWIZZLE_NONE];
}

uint32_t wsim_swizzle_apply(enum wsim_swizzle mode, uint32_t address) {
    const struct isa_swizzle *row = row_of(mode);
    return wsim_swizzle_bits(row->shift, row->mask, address);
}

unsigned wsim_swizzle_span(enum wsim_swizzle mode) {
    return row_of(mode)->span;
}

/* Twice the highest bit that the swizzle reads. */
unsigned wsim_swizzle_period(enum wsim_swizzle mode) {
    const struct isa_swizzle *row = row_of(mode);
    unsigned looked = (unsigned)row->mask[0] << row->shift[0], period = 16;
    while (looked >= period)
        period *= 2;
    return period;
}

const char *wsim_swizzle_name(enum wsim_swizzle mode) {
    return (unsigned)mode < WSIM_SWIZZLES ? isa_swizzles[mode].name : NULL;
}

enum wsim_swizzle wsim_swizzle_find(const char *name) {
    unsigned mode = 0;
    while (mode < WSIM_SWIZZLES && strcmp(isa_swizzles[mode].name, name) != 0)
        mode++;
    return (enum wsim_swizzle)mode;
}
