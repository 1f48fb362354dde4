/* case.h - operands by number, and a case as a line of a trace. */
#ifndef HW_WGMMA_CASE_H
#define HW_WGMMA_CASE_H

#include "gpu.h"

/* 64-bit words of memory: of each the bits `keep` of a random one, and those of `set`. */
struct generator {
    uint64_t keep, set, seed;
};

struct operands {
    struct generator window, a, c, e;
};

enum dist { NEAR_ONE, RAW, SMALL, DISTS };

/* Numbers with `bits` bits; of floats, the bits of the exponent. */
struct generator case_numbers(unsigned bits, unsigned exponent, int is_float, enum dist dist,
                              uint64_t seed);

/* Metadata that the ISA defines for `form`. */
struct generator case_metadata(const struct form *form, uint64_t *state);

/* Fills *launch and runs it. */
enum gpu_answer case_execute(const struct operands *with, struct launch *launch);

/* The line of the case: its results, or that it trapped. */
void case_print(const struct operands *with, const struct launch *launch, int trapped);

#endif
