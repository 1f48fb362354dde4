/* warp.h - registers of a warp, 32 lanes each.
 *
 * A plain struct owned by the caller. A register of all lanes is contiguous, so memcpy
 * takes the dump of a CUDA kernel (one 32-bit word a thread).
 */
#ifndef WSIM_WARP_H
#define WSIM_WARP_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_LANES 32
#define WSIM_GROUP_THREADS 128 /* of a warpgroup */
#define WSIM_MAX_REGS 16 /* 32-bit registers of the largest warp-level operand (f64 m16n8k16 A) */

/* The registers of one operand, in written order: r[register][lane]. A 64-bit register takes two
 * entries, its low word first. */
struct wsim_regs {
    uint32_t r[WSIM_MAX_REGS][WSIM_LANES];
};

#ifdef __cplusplus
}
#endif
#endif
