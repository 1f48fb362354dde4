/* values.h - what an option or an argument can be, out of what the help calls it. */
#ifndef WSIM_VALUES_H
#define WSIM_VALUES_H

#include "../common/tool.h"
#include "candidates.h"

/* Of an option that takes a value: the names of the library (architectures, swizzles ...), files,
 * or the words that its description lists, "text, json or csv". */
void option_values(const struct tool_option *option, struct candidates *c);

/* Of an argument as a usage line has it: "SPELLING", "[FILE...]", "check|show". */
void argument_values(const char *argument, struct candidates *c);

#endif
