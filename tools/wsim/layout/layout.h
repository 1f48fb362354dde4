/* layout.h - wsim layout: the elements of operands, and the answers about them. */
#ifndef WSIM_TOOL_LAYOUT_H
#define WSIM_TOOL_LAYOUT_H

#include "../common/doc.h"
#include "../common/instruction.h"

/* Element `elem` of lane `lane`: both sides of the map. */
struct layout_entry {
    struct wsim_place place;
    struct wsim_coord coord;
};

/* The next entry that the query asks for, in order of lane, then element; start with *cursor 0.
 * Answers 0 when there are no more. */
int layout_next(const struct wsim_layout *layout, const struct wsim_fragment_query *query,
                unsigned *cursor, struct layout_entry *entry);

/* "lane", or "thread" of a warpgroup. */
const char *layout_holder(const struct wsim_layout *layout);

/* Whether the query names single elements. */
int layout_is_list(const struct wsim_fragment_query *query);

/* States the elements of the operands: JSON; text of a query is a line for each. */
void layout_state(struct doc *doc, const struct wsim_fragments *fragments);

/* States whether the CuTe layout `text` is that of each operand: TOOL_FINE if one matches. */
int layout_cute(struct doc *doc, const struct wsim_fragments *fragments, const char *text);

/* States --addresses: which lane gives the address of which row. The exit status. */
int layout_rows(struct doc *doc, const struct wsim_op *op, const struct wsim_fragments *fragments);

/* --- operands of wgmma in shared memory --- */

/* A matrix where an instruction reads it if its tile has neither swizzle nor holes. */
struct layout_shared {
    enum wsim_operand operand;
    struct wsim_operand_tile at;
    char title[256];
};

/* Whether the operation, used as the atom says, reads the operand from shared memory: 1 and
 * *shared. */
int layout_shared_find(const struct instruction *in, enum wsim_operand operand,
                       struct layout_shared *shared);

/* States the operand in the notation of CuTe: "a: (128,(64,16)):(0,(1,64))". */
void layout_shared_cute(struct doc *doc, const struct layout_shared *shared);

/* States the operand, or its element at row and column if they are not negative. *shared has to
 * outlive the answer. The exit status. */
int layout_shared_answer(struct doc *doc, struct layout_shared *shared, const char *spelling,
                         int32_t row, int32_t col);

/* --- tcgen05 --- */

/* The question. A negative number: not given. `operand`, `arch` or `cute` NULL: not given. */
struct layout_question {
    const char *operand, *arch, *cute;
    int32_t lane, reg, row, col, batch;
};

/* Answers about a tcgen05 instruction and closes *doc. The exit status. */
/* The registers of a tcgen05.ld or tcgen05.st as a layout: its bits add lanes as rows and columns.
 * Register halves of .pack::16b and .unpack::16b are elements. The second half of .16x32bx2 is
 * batch 1. 0: another instruction. */
int layout_tensor_registers(const struct wsim_scalar *op, struct wsim_layout *layout);

int layout_tensor(struct doc *doc, const char **args, const struct layout_question *question);

#endif
