/* pack.h - mov with registers in braces, as its step sees it. */
#ifndef WSIM_STEP_PACK_H
#define WSIM_STEP_PACK_H

#include "../state/run.h"

struct pack {
    uint8_t ins, outs;
    struct run_row in[16], out[16];
    uint8_t in_bits[16], out_bits[16]; /* of each part */
};

/* Moves the bits of `lanes` in a frame, or in its mirror. */
void pack_lanes(const struct pack *pack, uint8_t *frame, uint32_t lanes);

#endif
