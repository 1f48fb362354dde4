/* rules_print.h - what wsim rules prints. */
#ifndef WSIM_RULES_PRINT_H
#define WSIM_RULES_PRINT_H

#include "../common/tool.h"

/* Steps through the rules that match one of the patterns, a list that ends with NULL; an empty list
 * is all rules. */
int rules_next(const char *const *patterns, uint32_t *cursor, struct wsim_rule *rule);

/* Prints those; TOOL_FINE. */
int rules_print(const char *const *patterns, enum tool_format format);

#endif
