/* Steps for x86-64-v3. */
#include "quick_target.h"

#if QUICK_X86
#define QUICK_FMA
#define QUICK_VECTOR 8
#define QUICK_STEPS wsim_quick_v3
#define QUICK_ROUNDS wsim_quick_rounds_v3
#define QUICK_TAPE wsim_quick_tape_v3
#include <string.h>
#include <immintrin.h>
TARGET_BEGIN(TARGET_V3)
#include "quick_body.h"
TARGET_END
#else
#include "quick.h"
#include "tape.h"
run_step *const wsim_quick_v3[] = {NULL};
loop_rounds *const wsim_quick_rounds_v3 = NULL;
run_step *const wsim_quick_tape_v3[] = {NULL};
#endif
