/* suggest.h - wsim banks --suggest: where else the tile could lie.
 */
#ifndef WSIM_BANKS_SUGGEST_H
#define WSIM_BANKS_SUGGEST_H

#include "../common/tool.h"
#include "banks_options.h"
#include "let.h"

/* Looks for fixes of the access and those of --with, in all steps of `let`, and prints the best;
 * `values` are what the function of --c gave for `op`, 32 a step, or NULL. The exit status. */
int suggest_answer(const struct wsim_op *op, struct banks_options *options, struct let *let,
                   const int64_t *values, enum tool_format format);

#endif
