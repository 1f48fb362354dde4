/* fragment_print.h - the three ways to print a counted wmma.load or wmma.store. */
#ifndef WSIM_FRAGMENT_PRINT_H
#define WSIM_FRAGMENT_PRINT_H

#include "access.h"

/* The accesses that it is in machine code, each as if it were alone, and the counts. */
void fragment_print_text(const struct access_run *run, int colour);

/* A line a group of each access. */
void fragment_print_csv(const struct access_run *run);
void fragment_print_json(const struct access_run *run);

#endif
