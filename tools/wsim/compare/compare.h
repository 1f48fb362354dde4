/* compare.h - one operation on several architectures. */
#ifndef WSIM_TOOL_COMPARE_H
#define WSIM_TOOL_COMPARE_H

#include "../common/tool.h"
#include "../exec/exec_open.h"

enum { COMPARE_ARCHS = 48 };

/* An architecture that executes it. */
struct compare_arch {
    struct exec_run *run;
    struct wsim_arithmetic arithmetic;
    unsigned same; /* the first one with the same arithmetic: itself, or one before */
    uint64_t *d;   /* the elements of D as a matrix                                 */
};

struct compare {
    unsigned n;
    struct compare_arch arch[COMPARE_ARCHS];
    unsigned elements; /* of D */
    const struct exec_options *options;
};

const char *compare_name(const struct compare *c, unsigned i);

/* What arch[i] and those with the same arithmetic do. */
void compare_print_arithmetic(const struct compare *c, unsigned i);

/* An architecture, its arithmetic and what that rests on. */
json_t *compare_arch_json(const struct compare *c, unsigned i);

/* --- same operands (compare_case.c) --- */

/* Executes all of them on the operands of c->options and prints where they differ. TOOL_FINE,
 * TOOL_FOUND, or the status after saying what is wrong. */
int compare_case(struct compare *c, enum tool_format format);

/* --- any operands (compare_random.c) --- */

struct compare_random {
    uint32_t cases, seed;
    unsigned dist; /* WSIM_DISTS: all in turn */
};

/* Executes all that have another arithmetic on so many cases and prints which agree. */
int compare_random(struct compare *c, const struct compare_random *how, enum tool_format format);

#endif
