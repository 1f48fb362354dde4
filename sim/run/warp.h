/* warp.h - how warps run. */
#ifndef WSIM_RUN_WARP_H
#define WSIM_RUN_WARP_H

#include "../state/warp.h"

/* Why a warp stopped running. */
enum warp_outcome {
    WARP_DONE,    /* all lanes have exited                                                     */
    WARP_WAITING, /* every group waits for another warp                                        */
    WARP_FAILED,  /* a wait failed, and fails again until another warp changes something       */
    WARP_YIELDED, /* nanosleep: others should go first                                         */
    WARP_POLLING, /* it has jumped backward often: it may be in a loop without an end          */
    WARP_PAUSED,  /* the slice of its worker is over                                           */
    WARP_TIRED,   /* it has passed a barrier and lets the other warps catch up                 */
    WARP_PARKED,  /* its unit runs ahead, and the next operation has to wait for its turn      */
    WARP_TAINTED, /* registers hold uninitialised bits: the same group goes on                  */
    WARP_STOPPED  /* the launch ends                                                           */
};

/* Runs a warp until nothing is left to do for it. */
enum warp_outcome warp_run(struct run_warp *warp);

#endif
