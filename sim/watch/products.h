/* products.h - registers of wgmma.mma_async: accesses without a
 * wgmma.fence before a product, or without a wgmma.wait_group after it. A part of WSIM_CHECK_RACE.
 *
 * Instructions that name a register of a product get a step that checks it first and then executes
 * them. A move copies the state of its register: compilers copy accumulators where loops meet, and
 * the assembler removes such moves. */
#ifndef WSIM_WATCH_PRODUCTS_H
#define WSIM_WATCH_PRODUCTS_H

#include "../state/run.h"

struct run_build;

/* A register that an operation names: its number among those that are watched, and in its function;
 * its use (uses.h). */
struct run_watched {
    uint32_t number, reg;
    uint8_t what;
};

struct run_watch {
    struct run_watch *next;
    run_step *step; /* of the instruction; NULL: it is a product                             */
    uint32_t op;
    uint8_t moves;    /* regs[0] becomes regs[1]                                            */
    uint8_t constant; /* regs[0] becomes one                                                */
    uint32_t n;
    struct run_watched regs[];
};

/* Finds what is to be watched in the function that was decoded, and puts steps in front; all
 * functions were. 0: no memory. */
int products_plan(struct run_build *build);
int products_end(struct run_build *build);

#endif
