/* suggest.h - wsim banks --suggest: cheaper places for a tile. */
#ifndef WSIM_BANKS_SUGGEST_H
#define WSIM_BANKS_SUGGEST_H

#include "../common/tool.h"
#include "banks_options.h"
#include "let.h"

/* Looks for fixes of the access and those of --with, in all steps of `let`, and prints the best.
 * Returns the exit status. */
int suggest_answer(const struct wsim_op *op, struct banks_options *options, struct let *let,
                   enum tool_format format);

#endif
