/* evidence_page.h - wsim ops --evidence --format markdown. */
#ifndef WSIM_EVIDENCE_PAGE_H
#define WSIM_EVIDENCE_PAGE_H

#include "ops_filter.h"

/* Prints the page docs/generated/evidence.md. TOOL_FINE, or TOOL_USAGE after saying why not. */
int evidence_page(const struct ops_filter *filter);

#endif
