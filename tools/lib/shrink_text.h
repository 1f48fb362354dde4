/* shrink_text.h - a minimised case, for people. */
#ifndef TOOLS_SHRINK_TEXT_H
#define TOOLS_SHRINK_TEXT_H

#include "shrink.h"

#include <stdio.h>

/* The target with its place, both results, and its operands. These are products without a zero
 * factor, C, and scales other than 1; for a move, nonzero bytes and elements. Each line starts with
 * `prefix`. */
void shrink_print(FILE *file, const char *prefix, const struct shrink *shrink, const uint32_t *in,
                  const uint32_t *expected, const uint32_t *got);

#endif
