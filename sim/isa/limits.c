/* What the rows of the tables may not outgrow. A row that does not fit does not compile: every
 * table is read once more, and each row is held against what computes with it. */
#include "isa.h"

#define HOLDS(what, sentence) _Static_assert(what, sentence);

/* --- families: the public enum repeats the rows --- */

#define FAMILY(id, name, door, counted, threads, operands)                                         \
    HOLDS((int)FAMILY_##id == (int)WSIM_##id,                                                      \
          "enum wsim_family has the rows of family.def in order")
#include "family.def"
HOLDS((int)FAMILY_COUNT == (int)WSIM_FAMILIES,
      "a value of enum wsim_family has no row in family.def")
