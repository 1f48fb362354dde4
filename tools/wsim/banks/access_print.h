/* access_print.h - the three ways to print a counted access. */
#ifndef WSIM_ACCESS_PRINT_H
#define WSIM_ACCESS_PRINT_H

#include "access.h"

#include <jansson.h>

/* A picture of lanes and banks for each group, and the counts. */
void access_print_text(const struct access_run *run, int colour);

/* A line a group; the counts are sums over the lines. */
void access_print_csv(const struct access_run *run);
void access_print_json(const struct access_run *run);

/* Parts of these: the pictures of the groups; lines of CSV, each after `before`; the groups. */
void access_print_groups(const struct access_run *run, int colour);
void access_print_lines(const struct wsim_banks *banks, const char *before);
json_t *access_groups_json(const struct wsim_banks *banks);

#endif
