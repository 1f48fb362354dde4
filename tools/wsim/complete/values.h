/* values.h - the values of an option or an argument, by its words in the help. */
#ifndef WSIM_VALUES_H
#define WSIM_VALUES_H

#include "../common/tool.h"
#include "candidates.h"

/* Offers the values of an option: names of the library (architectures, swizzles ...), files, or the
 * words that its help lists, "text, json or csv". */
void option_values(const struct tool_option *option, struct candidates *c);

/* Offers the values of an argument of a usage line: "SPELLING", "[FILE...]", "check|show". */
void argument_values(const char *argument, struct candidates *c);

#endif
