/* swizzle.h - where a byte of a swizzled tile lies: tensor copies put it there, wgmma looks there.
 *
 * A mode is a function of the absolute address in the block's shared memory, XORs of some of its
 * bits into lower ones. It stays inside an aligned 128-byte line and is its own inverse.
 * Source: PTX ISA 9.0 "Swizzling Modes"; sim/isa/swizzle.def, row by row.
 */
#ifndef WSIM_SWIZZLE_H
#define WSIM_SWIZZLE_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order and with the numbers of the driver's enumeration. */
enum wsim_swizzle {
    WSIM_SWIZZLE_NONE,
    WSIM_SWIZZLE_32B,
    WSIM_SWIZZLE_64B,
    WSIM_SWIZZLE_128B,
    WSIM_SWIZZLE_128B_ATOM_32B,
    WSIM_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    WSIM_SWIZZLE_128B_ATOM_64B,
    WSIM_SWIZZLES
};

/* Where the byte of `address` lies, and the byte of what address lies there. Here and below, what
 * is no mode counts as NONE. */
WSIM_API uint32_t wsim_swizzle_apply(enum wsim_swizzle mode, uint32_t address);

/* Bytes of a row of a tile: 32, 64 or 128; NONE: 0. */
WSIM_API unsigned wsim_swizzle_span(enum wsim_swizzle mode);

/* Bytes after which the pattern repeats: 256, 512 or 1024; NONE: 16, a piece that stays whole. */
WSIM_API unsigned wsim_swizzle_period(enum wsim_swizzle mode);

/* "NONE", "32B" ... "128B_ATOM_64B"; NULL for anything else. */
WSIM_API const char *wsim_swizzle_name(enum wsim_swizzle mode);

/* The mode of a name, WSIM_SWIZZLES if there is none. */
WSIM_API enum wsim_swizzle wsim_swizzle_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
