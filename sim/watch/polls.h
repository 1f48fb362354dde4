/* polls.h - loops that only wait for a value in global memory. */
#ifndef WSIM_WATCH_POLLS_H
#define WSIM_WATCH_POLLS_H

#include "../state/program.h"
#include "../state/run.h"

/* One load that is not weak, computations, and a jump back to the beginning. */
struct run_poll {
    uint32_t load, jump; /* operations */
    struct run_row row;  /* of the load */
    struct run_poll *next;
};

/* The loop of a load; NULL: it is in none. */
const struct run_poll *polls_of(const struct run_program *program, uint32_t load);

/* Whether a value ends the loop for a lane. Registers that the loop writes after its load change.
 */
int polls_ends(const struct run_poll *poll, struct run_warp *warp, unsigned lane, uint64_t value);

#endif
