/* float.h - passes the words of an instruction to sim/num. */
#ifndef WSIM_LANE_FLOAT_H
#define WSIM_LANE_FLOAT_H

#include "scalar.h"

#include "../num/real.h"

/* Written byte by byte and read so: as a result in one register it would wait for its own stores.
 */
void scalar_mode(const struct scalar_meaning *meaning, struct real_mode *mode);

#endif
