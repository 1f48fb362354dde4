/* access_print.h - what wsim banks prints of a counted access, or of those of a fragment of wmma.
 */
#ifndef WSIM_ACCESS_PRINT_H
#define WSIM_ACCESS_PRINT_H

#include "access.h"

#include "../common/tool.h"

#include <wsim/harness/picture.h>

/* For the library's picture. */
struct wsim_bank_card access_card(const struct access_run *run);

/* As pictures: TOOL_FINE, or the status after saying why the format cannot be. */
int access_print(const struct access_run *run, enum tool_format format);
void access_print_json(const struct access_run *run);

/* The groups of one of the accesses: *first and how many. As JSON. */
unsigned access_groups(const struct access_run *run, unsigned access,
                       const struct wsim_cost_group **first);
json_t *access_groups_json(const struct access_run *run, unsigned access);

#endif
