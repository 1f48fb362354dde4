/* outside.h - instructions of PTX that wsim has no rows for: ptx.def. */
#ifndef WSIM_SPELL_OUTSIDE_H
#define WSIM_SPELL_OUTSIDE_H

#include "../base/base.h"

#include <stddef.h>

struct isa_outside {
    const char *name, *needed, *words; /* as in ptx.def */
};

extern const struct isa_outside isa_outsides[];
extern const size_t isa_outside_count;

/* The row whose name is the most words at the beginning of `text`; NULL: there is none. */
const struct isa_outside *isa_outside_find(const char *text);

/* Whether the words of `text` after the name are known. If not, returns 0. `why` then gets one
 * clause about the first unknown word, and *col its column (1-based; 0: a word is missing). */
int isa_outside_reads(const struct isa_outside *row, const char *text, struct base_text *why,
                      uint32_t *col);

#endif
