/* match.h - from the words of a spelling to a row of the instruction tables. */
#ifndef WSIM_SPELL_MATCH_H
#define WSIM_SPELL_MATCH_H

#include "../base/base.h"
#include "../isa/isa.h"

#define MATCH_TYPES (PLACE_STYPE - PLACE_D + 1)

/* The words of a spelling. Types have no place yet: the row decides which places they fill. */
struct isa_written {
    enum wsim_family family;
    uint8_t q[PLACE_COUNT]; /* the words, 0: none; nothing in D A B C STYPE */
    uint8_t types[MATCH_TYPES];
    unsigned type_count;
};

/* Fills *op with the operation that says just this and returns 1; 0: no row has it, and *op is as
 * it was. Undocumented rows count. */
int isa_match(const struct isa_written *written, struct wsim_op *op);

/* Fills *op with the documented operation nearest to the spelling. It keeps the types if it can,
 * then sparsity, shape and kind, then as many words as possible. Writes one clause about the first
 * changed word to `why`. */
void isa_match_nearest(const struct isa_written *written, struct wsim_op *op,
                       struct base_text *why);

#endif
