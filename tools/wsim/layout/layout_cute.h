/* layout_cute.h - a layout of CuTe, threads and values to an element, held against an operand. */
#ifndef WSIM_LAYOUT_CUTE_H
#define WSIM_LAYOUT_CUTE_H

#include "../common/tool.h"

/* Answers `wsim layout --cute TEXT` for each operand that *fragments has. The exit status: fine
 * if it is one of them. */
int layout_cute(const struct wsim_fragments *fragments, const char *text, enum tool_format format);

#endif
