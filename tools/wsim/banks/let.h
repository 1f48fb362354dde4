/* let.h - names with values in the expressions of wsim banks: "pitch=72, k=0..7". A name with a
 * range is swept: the access is counted for each of its values, and with several for all of them
 * together.
 */
#ifndef WSIM_LET_H
#define WSIM_LET_H

#include <wsim/harness/address.h>

enum { LET_NAMES = 16, LET_STEPS = 1 << 14 };

struct let_range {
    int64_t first, by;
    uint32_t count; /* 1: no range */
};

struct let {
    struct wsim_address_name
        name[LET_NAMES]; /* with the values of the last step that was asked for */
    struct let_range range[LET_NAMES];
    unsigned names;
    uint32_t steps; /* the product of all counts, at most LET_STEPS */
    struct wsim_address_scope scope;
};

/* Reads NAME=VALUE and NAME=FIRST..LAST[:BY], parted by commas or semicolons; values are
 * expressions of numbers and of names before them. NULL: there are none, one step. TOOL_GO, or
 * TOOL_USAGE after saying what is wrong. *let must stay where it is. */
int let_read(const char *text, struct let *let);

/* Gives the names their values of step `step`: the last name changes fastest. */
void let_step(struct let *let, uint32_t step);

/* Whether it is swept. */
int let_sweeps(const struct let *let);

#endif
