/* Steps for any machine. */
#include "quick_target.h"

#define QUICK_STEPS wsim_quick_plain
#define QUICK_ROUNDS wsim_quick_rounds_plain
#define QUICK_TAPE wsim_quick_tape_plain
#include "quick_body.h"
