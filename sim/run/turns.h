/* turns.h - units that run ahead of their turns.
 *
 * Some launches have to run their units in turns: what a block observes depends on the units before
 * it. One thread, the first, gives the turns, in the same order as without other threads. The
 * others run the next units ahead, each up to its first operation that interacts with other units.
 * docs/kernels-engine.md ("Races", host threads) says why memory, findings and counts stay equal.
 */
#ifndef WSIM_RUN_TURNS_H
#define WSIM_RUN_TURNS_H

#include "../state/run.h"

/* Whether parts of units of the launch may run ahead. */
int turns_fit(const struct run_launch *launch);

/* For `threads` threads; NULL: no memory. */
struct turns *turns_open(struct run_launch *launch, unsigned threads);
void turns_free(struct turns *turns);

/* Runs units ahead until turns_end. */
void turns_help(struct turns *turns, struct run_worker *worker);
void turns_end(struct turns *turns);

/* The turn of place `place` in the order of units has come. Returns its unit if that has run
 * ahead, NULL if it must still begin. Only for the first thread. */
struct run_unit *turns_take(struct turns *turns, struct run_worker *worker, uint64_t place);

#endif
