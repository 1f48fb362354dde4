/* picture.h - pictures of the library (harness/picture.h) on standard output. */
#ifndef WSIM_TOOL_PICTURE_H
#define WSIM_TOOL_PICTURE_H

#include "tool.h"

/* Prints it, as wide and as coloured as screen.h has it; TOOL_FINE, or the status after saying why
 * the format cannot be. */
int picture_print(const struct wsim_picture *picture, enum tool_format format);

/* The grid of a panel alone: TOOL_TEXT, TOOL_CSV or TOOL_MARKDOWN. */
void picture_print_panel(struct wsim_panel *panel, enum tool_format format);

#endif
