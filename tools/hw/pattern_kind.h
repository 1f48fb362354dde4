/* pattern_kind.h - patterns for every kind of access. */
#ifndef HW_PATTERN_KIND_H
#define HW_PATTERN_KIND_H

#include <stdio.h>
#include <wsim/wsim.h>

/* Writes `count` patterns for each kind of access that is legal on `arch` and whose spelling
 * matches: lines that hw_pattern_read reads, each after a comment that names it, the same every
 * time for one seed. Returns how many kinds there were. */
unsigned hw_patterns_print(FILE *file, const struct wsim_arch *arch, const char *filter,
                           uint64_t count, uint64_t seed);

#endif
