/* meta.h - what wsim layout --sparse works on and prints. */
#ifndef WSIM_TOOL_META_H
#define WSIM_TOOL_META_H

#include "../common/doc.h"
#include "../exec/operand.h"

/* A sparse operation and its operands. */
struct meta {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_meta_pattern pattern;
    struct wsim_layout a, e, dense; /* dense: A as a matrix without gaps                      */
    uint32_t selector;
    union operand_regs words_a, words_e;
    uint64_t *matrix; /* dense                                                               */
};

/* A group that is wrong. */
struct meta_finding {
    unsigned row, group;
    struct wsim_meta_group read; /* of metadata */
    unsigned nonzeros;           /* of a matrix */
    char text[128];              /* what is wrong with it */
};

/* The findings of metadata, or (matrix) of a dense matrix: writes the next one from *cursor on, 0:
 * there are no more. */
int meta_next_finding(const struct meta *meta, int matrix, unsigned *cursor,
                      struct meta_finding *finding);

/* State the answers; meta_findings answers TOOL_FOUND if there are any. */
void meta_head(struct doc *doc, const struct meta *meta, const char *action);
void meta_compressed(struct doc *doc, const struct meta *meta);
void meta_expanded(struct doc *doc, const struct meta *meta);
int meta_findings(struct doc *doc, const struct meta *meta, int matrix);
void meta_lanes(struct doc *doc, const struct meta *meta);

#endif
