/* layout_shared.h - operands of wgmma that lie in shared memory. */
#ifndef WSIM_LAYOUT_SHARED_H
#define WSIM_LAYOUT_SHARED_H

#include "../common/tool.h"

#include <wsim/harness/picture.h>

/* A matrix where an instruction reads it if its tile has neither swizzle nor holes. */
struct layout_shared {
    enum wsim_operand operand;
    struct wsim_operand_tile at;
    char title[256];
};

/* Whether the operation reads the operand from shared memory, of an atom as it says: 1 and *shared.
 */
int layout_shared_find(const struct wsim_op *op, const struct wsim_atom *atom,
                       enum wsim_operand operand, struct layout_shared *shared);

/* The operand as CuTe has it, where every thread has all of it: "a: (128,(64,16)):(0,(1,64))". */
void layout_shared_cute(const struct layout_shared *shared);

/* Answers `wsim layout --operand`, of the element at row and column if they are not negative. The
 * exit status. */
int layout_shared_answer(struct layout_shared *shared, const char *spelling, int32_t row,
                         int32_t col, enum tool_format format);

#endif
