/* host_code.h - addresses from a function of C: the file is built by the compiler of this machine
 * into a shared object, which a process of its own loads. Only on request: it runs what the file
 * says. */
#ifndef WSIM_HOST_CODE_H
#define WSIM_HOST_CODE_H

#include "let.h"

/* `file` is FILE or FILE:FUNCTION (address, if not named); `expression` is one of C over lane,
 * warp, tid, the names of `let` and what FILE has, NULL: FUNCTION(lane). *values, to be freed, has
 * 32 values for each step. TOOL_GO, or TOOL_USAGE after saying what is wrong: no compiler, what the
 * compiler said, a function that does not come to an end. */
int code_values(const char *file, const char *expression, struct let *let, int64_t **values);

#endif
