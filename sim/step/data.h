/* data.h - an instruction that only computes, as its steps see it. */
#ifndef WSIM_STEP_DATA_H
#define WSIM_STEP_DATA_H

#include "../lane/scalar.h"

#include "../state/run.h"

/* op->more points to this. Registers of 128 bits are two words. */
struct data {
    struct scalar_meaning meaning;
    scalar_function *function;
    uint8_t ins, outs;
    uint8_t sign[WSIM_SCALAR_OUT]; /* bits of a result that is extended with its sign; 0: zeros */
    uint8_t high_in[WSIM_SCALAR_IN], high_out[WSIM_SCALAR_OUT]; /* the second word of a row     */
    struct run_row in[WSIM_SCALAR_IN], out[WSIM_SCALAR_OUT];
};

/* The function of room lane, lane by lane. */
run_step data_step;

#endif
