/* evidence_print.h - wsim ops --evidence, but for the page. */
#ifndef WSIM_EVIDENCE_PRINT_H
#define WSIM_EVIDENCE_PRINT_H

#include "ops_filter.h"
#include "../common/tool.h"

/* Prints a line an operation and claim, as text, CSV or JSON. */
void evidence_print(const struct ops_filter *filter, enum tool_format format);

#endif
