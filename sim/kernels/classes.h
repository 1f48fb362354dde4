/* classes.h - the kernels of one path: all classes and their table. The including file defines VL,
 * VEC_... and KERNELS, the name of the table. Each class is one header, written over vectors. */
#include "vec.h"

#include "pick.h"
#include "turn.h"

#include "count.h"
#include "exact.h"
#include "wide.h"

/* Classes that compute with floats of the host. */
#if !defined(WSIM_INTEGER_KERNELS)
#include "brain.h"
/* Where the rest is optimised for size, 8-bit floats are not: at -O2 they are 10 to 25 % slower. */
#if defined(WSIM_KERNELS_SMALL) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif
#include "byte.h"
#if defined(WSIM_KERNELS_SMALL) && !defined(__clang__)
#pragma GCC pop_options
#endif
#include "chain.h"
#include "group.h"
#include "half.h"
#endif

/* Each line: {name, takes, run, read_meta}, the fastest first. */
const struct num_kernel KERNELS[] = {
    /* clang-format off */
    {"count", count_takes, count_run, pick_meta},
    {"exact", exact_takes, exact_run, pick_meta},
#if !defined(WSIM_INTEGER_KERNELS)
    {"byte", byte_takes, byte_run, pick_meta},
    {"half", half_takes, half_run, pick_meta},
    {"brain", brain_takes, brain_run, pick_meta},
    {"brain", brain_sparse_takes, brain_run, pick_meta},
    {"group", group_takes, group_run, pick_meta},
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    {"chain", chain_takes, chain_run, pick_meta},
#endif
#endif
    {"wide", wide_takes, wide_run, pick_meta},
    {"wide", wide_sparse_takes, wide_sparse_run, pick_meta},
    {NULL, NULL, NULL, NULL},
    /* clang-format on */
};
