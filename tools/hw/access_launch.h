/* access_launch.h - one access of shared memory a launch, for a profiler to count: the kernels and
 * what they read. C and CUDA. */
#ifndef HW_ACCESS_LAUNCH_H
#define HW_ACCESS_LAUNCH_H

#include "hardware.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The inputs of a launch, in rows of 32 words, a word for each lane. All come from memory, so
 * the assembler cannot know them. */
enum hw_access_row {
    HW_ROW_ADDRESS,   /* byte offset into the window                         */
    HW_ROW_PREDICATE, /* not for matrix moves and fragments               */
    HW_ROW_TURNS,     /* 0 or 1: repetitions of ld st atom red            */
    HW_ROW_SOURCE,    /* of a copy: byte offset into the source       */
    HW_ROW_STRIDE,    /* of a fragment: elements from line to line                */
    HW_ROW_WARM,      /* not 0: the source is read into the L1 cache first */
    HW_ROW_VALUE,     /* what stores and atomics are given: two values of 128 bits, or a fragment */
    HW_ACCESS_ROWS = HW_ROW_VALUE + 8
};

/* And what it leaves: where the window lies in shared memory, then the result. */
enum hw_result_row { HW_ROW_WINDOW, HW_ROW_RESULT, HW_RESULT_ROWS = HW_ROW_RESULT + 8 };

/* The window in shared memory, and the source of copies at a multiple of its size. */
enum { HW_ACCESS_WINDOW = 1 << 15, HW_ACCESS_SOURCE = 1 << 23 };

/* The kernels, in the order of the tables; printed by generate_access.c. The selector of a copy is
 * its size. The symbol of each is its spelling with _ for . and :, of a copy with _ and its size
 * behind (hw_access_symbol). */
extern const struct hw_kernel hw_accesses[];
extern const size_t hw_access_count;

/* One warp, one launch, waited for. `in` has HW_ACCESS_ROWS rows, `out` HW_RESULT_ROWS. NULL, or
 * the error. */
const char *hw_access_launch(const struct hw_kernel *kernel, const uint32_t *in, uint32_t *out);

#ifdef __cplusplus
}
#endif
#endif
