/* meta.h - how sparse.c chooses metadata, for those who ask of a single group. */
#ifndef WSIM_EXEC_META_H
#define WSIM_EXEC_META_H

#include "../isa/isa.h"

/* A nibble that keeps every bit of the chunk; if there is none, one that keeps every value: -0 and
 * bits that the format ignores may go. 16: there is none of either. */
unsigned sparse_choose(const struct isa_pattern *pattern, const struct wsim_layout *layout,
                       const uint64_t *chunk);

#endif
