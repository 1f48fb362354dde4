/* meta.h - the metadata of a sparse A, group by group: which columns of a dense matrix are kept.
 *
 * A group is a few neighbours in a row of A. It keeps 2 of 4 (2:4), 1 of 2 (1:2, tf32), or 4 of 8
 * as two pairs (4:8, e2m1). A nibble of two 2-bit indices selects the kept columns.
 * wsim_words_compress and wsim_words_expand (exec.h) take whole matrices.
 * Source: PTX ISA 9.0 "Sparse matrix storage"; sim/isa/pattern.def, row by row.
 */
#ifndef WSIM_META_H
#define WSIM_META_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_META_KEPT 4    /* columns that a group keeps at most */
#define WSIM_META_COLUMNS 8 /* columns of a group at most          */

/* The metadata format of a sparse operation. */
struct wsim_meta_pattern {
    const char *name;  /* "2:4", "1:2", "4:8"                                                  */
    uint16_t rows;     /* of A: 16; of a warpgroup 64                                          */
    uint16_t groups;   /* of a row                                                             */
    uint8_t columns;   /* that a group has in the dense matrix                                 */
    uint8_t kept;      /* ... and that are stored                                              */
    uint8_t ordered;   /* .sp::ordered_metadata: indices ascend                                */
    uint8_t selectors; /* 1, 2 or 4: which lanes supply the metadata                           */
    uint16_t valid;    /* bit n: nibble n is defined                                           */
};

/* A nibble of metadata. */
struct wsim_meta_group {
    uint16_t row, group;
    struct wsim_place place; /* the lane and the bits of its register; elem counts its nibbles   */
    uint8_t nibble;
    uint8_t defined;                /* the pattern defines it; else wsim_run refuses             */
    uint8_t column[WSIM_META_KEPT]; /* of the group that stored elements are of, in their order;
                                       what the bits say if it is not defined                    */
};

/* Errors: WSIM_ILLEGAL (as wsim_op_check without an architecture; `op` is not sparse). *pattern is
 * untouched then. */
WSIM_API enum wsim_status wsim_meta_pattern(const struct wsim_op *op,
                                            struct wsim_meta_pattern *pattern,
                                            struct wsim_diag *diag);

/* Group `group` of row `row` in the metadata registers `e` of all lanes (32, of a warpgroup 128).
 * Errors, in the order checked: as wsim_meta_pattern; WSIM_OPERAND (selector out of range; no such
 * row or group). *out is untouched then. */
WSIM_API enum wsim_status wsim_meta_read(const struct wsim_op *op, const uint32_t *e,
                                         unsigned selector, unsigned row, unsigned group,
                                         struct wsim_meta_group *out, struct wsim_diag *diag);

/* The nibble that wsim_words_compress chooses for the raw elements of a group. Errors, in the order
 * checked: as wsim_meta_pattern; WSIM_OPERAND (more of them are not zero than are kept, or, of
 * pairs, in more pairs than that). *nibble is untouched then. */
WSIM_API enum wsim_status wsim_meta_choose(const struct wsim_op *op, const uint64_t *elements,
                                           unsigned *nibble, struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
