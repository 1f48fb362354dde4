/* evidence.h - claims of rows, and the operation that a synonym stands for. */
#ifndef WSIM_EVIDENCE_EVIDENCE_H
#define WSIM_EVIDENCE_EVIDENCE_H

#include "../isa/isa.h"

#include <wsim/evidence.h>

/* The operation that `op` is a synonym of, most often itself. */
struct wsim_op evidence_plain(const struct wsim_op *op);

/* The source that the row of a claim names; NULL: no model. */
const char *evidence_claimed(const struct wsim_op *op, const struct wsim_arch *arch,
                             enum wsim_claim claim, enum isa_evidence *evidence);

/* --- the recordings --- */

/* The number under which recorded.def has a claim of an operation: FNV-1a of its letter, R or C,
 * and the spelling. No two operations share one, by test. */
uint32_t evidence_hash(enum wsim_claim claim, const char *spelling);

/* A recording that holds `number` of a claim; rows stand in the order of their hash. */
struct evidence_row {
    uint32_t hash, number;
    uint16_t recording;
};

/* Row `index` of the table; 0: there is none. */
int evidence_row(size_t index, struct evidence_row *row);

#endif
