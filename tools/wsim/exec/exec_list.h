/* exec_list.h - an execution element by element. */
#ifndef WSIM_EXEC_LIST_H
#define WSIM_EXEC_LIST_H

#include "exec_run.h"

/* The elements of a lane (run->lane), one a line: of the result, and of the inputs if they are
 * shown. */
void exec_list_text(const struct exec_run *run);

/* The elements that run->lane holds of an operand. */
json_t *exec_list_json(const struct exec_run *run, enum wsim_operand operand);

#endif
