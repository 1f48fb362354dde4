/* Steps for x86-64-v4. */
#include "quick_target.h"

#if QUICK_X86
#define QUICK_FMA
#define QUICK_VECTOR 16
#define QUICK_STEPS wsim_quick_v4
#define QUICK_ROUNDS wsim_quick_rounds_v4
#define QUICK_TAPE wsim_quick_tape_v4
#include <string.h>
#include <immintrin.h>
TARGET_BEGIN(TARGET_V4)
#include "quick_body.h"
TARGET_END
#else
#include "quick.h"
#include "tape.h"
run_step *const wsim_quick_v4[] = {NULL};
loop_rounds *const wsim_quick_rounds_v4 = NULL;
run_step *const wsim_quick_tape_v4[] = {NULL};
#endif
