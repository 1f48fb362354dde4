/* operands.h - the operands of a pasted instruction, as far as the tables have them.
 */
#ifndef WSIM_CHECK_OPERANDS_H
#define WSIM_CHECK_OPERANDS_H

#include <wsim/isa.h>
#include <wsim/harness/statement.h>

/* Whether the operands of `statement`, which is `op`, are such as it can have; 0: a sentence that
 * says why not is in `why`. A number that is given otherwise than as one is not looked at. */
int operands_allowed(const struct wsim_statement *statement, const struct wsim_op *op, char why[],
                     size_t room);

#endif
