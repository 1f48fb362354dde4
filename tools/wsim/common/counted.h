/* counted.h - kernels whose wavefronts of shared memory are predicted, and those that machine code
 * counts. */
#ifndef WSIM_COUNTED_H
#define WSIM_COUNTED_H

#include "doc.h"

struct counted {
    char kernels[2][400]; /* by rule; by machine code */
    unsigned n[2], more[2];
};

/* Adds a kernel, once. */
void counted_add(struct counted *counted, int by_machine, const char *kernel);

/* A line, if a count is predicted. */
void counted_word(struct doc *doc, const struct counted *counted);

#endif
