/* uses.h - which registers each instruction of a function reads and writes. */
#ifndef WSIM_DECODE_USES_H
#define WSIM_DECODE_USES_H

#include "build.h"

enum { USES_READ = 1, USES_WRITE = 2, USES_LASTING = 4, USES_KEEPS = 8 };

/* Instruction i has uses[first[i]] .. uses[first[i + 1] - 1], each register once, with its use
 * (USES_READ, USES_WRITE; USES_LASTING: perhaps also after the instruction, by what works in
 * the background). A guarded write leaves lanes as they are, so it reads too. (struct run_uses:
 * build.h) */

/* 0: no memory. */
int uses_find(const struct run_build *build, struct run_uses *uses);
void uses_free(struct run_uses *uses);

#endif
