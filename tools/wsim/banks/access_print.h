/* access_print.h - the three ways to print a counted access, and parts of them. */
#ifndef WSIM_ACCESS_PRINT_H
#define WSIM_ACCESS_PRINT_H

#include "access.h"

#include <jansson.h>

/* A picture of lanes and banks for each group, and the counts. */
void access_print_text(const struct access_run *run, int colour);

/* A line a group; the counts are sums over the lines. */
void access_print_csv(const struct access_run *run);
void access_print_json(const struct access_run *run);

/* Parts of these, of one of the accesses: its groups (*first and how many); their pictures; lines
 * of CSV, each after `before`; the groups as JSON. The line of counts. */
unsigned access_groups(const struct access_run *run, unsigned access,
                       const struct wsim_cost_group **first);
void access_print_groups(const struct access_run *run, unsigned access, int colour);
void access_print_lines(const struct access_run *run, unsigned access, const char *before);
json_t *access_groups_json(const struct access_run *run, unsigned access);
void access_print_counts(const struct wsim_cost *cost);

#endif
