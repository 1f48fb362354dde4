/* float.h - passes the words of an instruction to sim/num. */
#ifndef WSIM_LANE_FLOAT_H
#define WSIM_LANE_FLOAT_H

#include "scalar.h"

#include "../num/real.h"

struct real_mode scalar_mode(const struct scalar_meaning *meaning);

#endif
