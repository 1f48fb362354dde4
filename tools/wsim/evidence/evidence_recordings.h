/* evidence_recordings.h - the part of docs/generated/evidence.md about recordings. */
#ifndef WSIM_EVIDENCE_RECORDINGS_H
#define WSIM_EVIDENCE_RECORDINGS_H

#include "evidence_table.h"

/* The files, what they hold of each form of `table`, and the operations that pass but have none. */
void evidence_recordings_print(const struct ops_filter *filter, const struct evidence_table *table);

#endif
