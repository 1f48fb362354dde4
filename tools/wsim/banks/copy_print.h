/* copy_print.h - the three ways to print a counted copy. */
#ifndef WSIM_COPY_PRINT_H
#define WSIM_COPY_PRINT_H

#include "copy.h"

/* The lanes of each group with the banks on both sides, and both counts. */
void copy_print_text(const struct copy_run *run);

/* A line a group of either kind of counters. */
void copy_print_csv(const struct copy_run *run);
void copy_print_json(const struct copy_run *run);

#endif
