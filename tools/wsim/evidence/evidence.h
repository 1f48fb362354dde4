/* evidence.h - the evidence of the model, operation by operation. */
#ifndef WSIM_TOOL_EVIDENCE_H
#define WSIM_TOOL_EVIDENCE_H

#include "../common/doc.h"
#include "ops_filter.h"

/* States the evidence of every operation that passes: a row for each claim and the architectures
 * that share it. */
void evidence_answer(struct doc *doc, const struct ops_filter *filter);

#endif
