/* shrink_text.h - what is left of a case, for people. */
#ifndef TOOLS_SHRINK_TEXT_H
#define TOOLS_SHRINK_TEXT_H

#include "shrink.h"

#include <stdio.h>

/* The target with its place, both results of it, and what it is made of: the products whose factors
 * are not zero, C, scales that are not 1; of a move, the bytes and elements that are not zero. Each
 * line starts with `prefix`. */
void shrink_print(FILE *file, const char *prefix, const struct shrink *shrink, const uint32_t *in,
                  const uint32_t *expected, const uint32_t *got);

#endif
