/* draw_v4.c - the loops for x86-64-v4: vectors of eight 64-bit words. */
#include "../../sim/kernels/target.h"

#if KERNELS_X86
#define DRAW_TARGET __attribute__((target(TARGET_V4)))
#include "draw_loops.h"

#include <wsim/path.h>

static const struct draw_loops loops = {numbers, words, metadata, scales};

const struct draw_loops *draw_v4(void) {
    return wsim_path_available(WSIM_PATH_AVX512) ? &loops : NULL;
}
#else
#include "draw.h"

const struct draw_loops *draw_v4(void) {
    return NULL;
}
#endif
