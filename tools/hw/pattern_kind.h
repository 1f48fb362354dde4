/* pattern_kind.h - patterns for every kind of access. */
#ifndef HW_PATTERN_KIND_H
#define HW_PATTERN_KIND_H

#include <stdio.h>
#include <wsim/wsim.h>

/* Writes `count` patterns for each kind of access that is legal on `arch` and matches `filter`.
 * They are lines for hw_pattern_read, each after a comment with its name. Equal seeds give equal
 * patterns. Returns the number of kinds. */
unsigned hw_patterns_print(FILE *file, const struct wsim_arch *arch, const char *filter,
                           uint64_t count, uint64_t seed);

#endif
