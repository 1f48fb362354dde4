/* copy_print.h - what wsim banks prints of a counted copy. */
#ifndef WSIM_COPY_PRINT_H
#define WSIM_COPY_PRINT_H

#include "copy.h"

#include "../common/tool.h"

#include <wsim/harness/picture.h>

/* For the library's picture. */
struct wsim_copy_card copy_card(const struct copy_run *run);

/* As a picture: TOOL_FINE, or the status after saying why the format cannot be. */
int copy_print(const struct copy_run *run, enum tool_format format);
void copy_print_json(const struct copy_run *run);

#endif
