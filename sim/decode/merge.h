/* merge.h - accesses of shared memory as machine code has them. The assembler joins neighbours
 * (two ld.shared.f32 of adjacent words are one 8-byte access) and leaves out what nothing needs.
 * Counts depend on it, and which lane of a store stays; every instruction still executes as the PTX
 * has it. */
#ifndef WSIM_DECODE_MERGE_H
#define WSIM_DECODE_MERGE_H

#include "build.h"

/* Finds the accesses of the function that is decoded that differ from the PTX: build->merge_of and
 * build->merges. 0: no memory. */
int merge_find(struct run_build *build);

/* Bytes of the machine access that stores what a store of `bytes` bytes at instruction `at` does.
 */
unsigned merge_stored(const struct run_build *build, uint32_t at, unsigned bytes);

/* The machine accesses of instruction `at`. NULL: its access stays as written. */
const struct build_merge *merge_of(const struct run_build *build, uint32_t at);

#endif
