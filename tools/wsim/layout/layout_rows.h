/* layout_rows.h - which lane gives the address of which row of memory. */
#ifndef WSIM_LAYOUT_ROWS_H
#define WSIM_LAYOUT_ROWS_H

#include "../common/tool.h"

/* Answers `wsim layout --addresses` for what is asked for: a lane, a row, a matrix. The exit
 * status. */
int layout_rows(const struct wsim_op *op, const struct wsim_fragments *fragments,
                enum tool_format format);

#endif
