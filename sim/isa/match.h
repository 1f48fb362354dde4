/* match.h - from qualifiers to a row of the instruction tables. */
#ifndef WSIM_ISA_MATCH_H
#define WSIM_ISA_MATCH_H

#include "../base/base.h"
#include "isa.h"

/* Sets op->form to the row that allows op->q and returns 1. If there is none, returns 0, writes
 * one clause about the first qualifier that fails to `why`, and turns *op into the nearest legal
 * operation. Undocumented rows are there to be recognized, never to be suggested: they do not count
 * when op->q is `guessed`, that is, not what was written. */
int isa_match(struct wsim_op *op, enum wsim_family family, int guessed, struct base_text *why);

#endif
