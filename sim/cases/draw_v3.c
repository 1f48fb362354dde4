/* draw_v3.c - the loops for x86-64-v3: vectors of four 64-bit words. */
#if defined(__GNUC__) && defined(__x86_64__)
#define DRAW_TARGET __attribute__((target("avx2,bmi,bmi2")))
#include "draw_loops.h"

static const struct draw_loops loops = {numbers, words, metadata, scales};

const struct draw_loops *draw_v3(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? &loops : NULL;
}
#else
#include "draw.h"

const struct draw_loops *draw_v3(void) {
    return NULL;
}
#endif
