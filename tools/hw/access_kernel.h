/* access_kernel.h - what a generated access kernel is made of: one warp, one access. Nothing else
 * touches shared memory. */
#ifndef HW_ACCESS_KERNEL_H
#define HW_ACCESS_KERNEL_H

#include "access_launch.h"
#include "kernel.h"

#define HW_ACCESS(name)                                                                            \
    extern "C" __global__ void name(const uint32_t *in, uint32_t *out, const uint8_t *source)

#define HW_ACCESS_BEGIN                                                                            \
    __shared__ __align__(1024) uint32_t window[HW_ACCESS_WINDOW / 4];                              \
    in += threadIdx.x, out += threadIdx.x;                                                         \
    HW_OUT(HW_ROW_WINDOW, (uint32_t)__cvta_generic_to_shared(window))

/* Lanes whose number of turns is 0 go round by a branch; lanes whose predicate is 0 are switched
 * off in the instruction. */
#define HW_TURNS                                                                                   \
    _Pragma("unroll 1") for (uint32_t turn = 0, turns = HW_IN(HW_ROW_TURNS); turn < turns; turn++)

#define HW_VALUE(word) HW_IN(HW_ROW_VALUE + (word))
#define HW_VALUE64(word) ((uint64_t)HW_VALUE((word) + 1) << 32 | HW_VALUE(word))
#define HW_RESULT(word, value) HW_OUT(HW_ROW_RESULT + (word), value)
#define HW_RESULT64(word, value)                                                                   \
    HW_RESULT(word, (uint32_t)(value)), HW_RESULT((word) + 1, (uint32_t)((value) >> 32))

/* A copy: its source, which is in the L1 cache or not, and its end. Words are read one by one, and
 * waited for, as the loaded words decide on a store. */
#define HW_SOURCE (source + HW_IN(HW_ROW_SOURCE))
#define HW_WARM(words)                                                                             \
    for (uint32_t word = 0; HW_IN(HW_ROW_WARM) && word < (words); word++) {                        \
        uint32_t loaded;                                                                           \
        asm volatile("ld.global.ca.u32 %0, [%1];"                                                  \
                     : "=r"(loaded)                                                                \
                     : "l"(HW_SOURCE + word * 4)                                                   \
                     : "memory");                                                                  \
        if (loaded == 0x12345671)                                                                  \
            HW_RESULT(word, loaded);                                                               \
    }                                                                                              \
    __syncwarp()
/* Without something to do after the copy the assembler jumps round it, instead of the predicate. */
#define HW_COPIED                                                                                  \
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");                    \
    HW_RESULT(0, HW_IN(HW_ROW_PREDICATE))

#endif
