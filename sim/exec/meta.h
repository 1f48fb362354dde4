/* meta.h - how sparse.c chooses metadata, for callers with a single group.     */
#ifndef WSIM_EXEC_META_H
#define WSIM_EXEC_META_H

#include "../isa/isa.h"

/* Returns a nibble that keeps every bit of the chunk. If none exists, returns one that keeps every
 * value: -0 and ignored bits of the format may be lost. 16: neither exists. */
unsigned sparse_choose(const struct isa_pattern *pattern, const struct wsim_layout *layout,
                       const uint64_t *chunk);

#endif
