/* compare.h - one operation on several architectures. */
#ifndef WSIM_TOOL_COMPARE_H
#define WSIM_TOOL_COMPARE_H

#include "../common/tool.h"
#include "../exec/exec_open.h"
#include "../why/why_words.h"

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

/* " sm_86 sm_87 ...": the others that have the arithmetic of arch[i]. */
void compare_others(const struct compare *c, unsigned i, char out[16 * COMPARE_ARCHS]);

/* --- same operands (compare_case.c) --- */

/* Elements of D that are others on arch[i] and arch[j], and the first of them if there are any. */
unsigned compare_differences(const struct compare *c, unsigned i, unsigned j, unsigned *first);
struct wsim_coord compare_coord(const struct wsim_layout *d, unsigned element);

/* The same element on two architectures, and in words why it differs. */
struct compare_pair {
    const char *name[2];
    struct wsim_why *why[2]; /* to be freed */
};
int compare_open(const struct compare *c, unsigned i, unsigned j, unsigned element,
                 struct compare_pair *pair);
struct why_words compare_reason(const struct compare_pair *pair);

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

/* --- pages and CSV (compare_page.c) --- */

/* In how many of `all` elements or cases two architectures differ: arch[i] and arch[j], i > j. */
struct compare_matrix {
    const struct compare *c;
    uint32_t all;
    const char *what; /* "elements" */
    uint32_t differ[COMPARE_ARCHS][COMPARE_ARCHS];
    uint32_t first[COMPARE_ARCHS][COMPARE_ARCHS]; /* case; valid if there is one            */
    unsigned kind[COMPARE_ARCHS];                 /* those with an arithmetic of their own  */
};

/* TOOL_FINE, or the status after saying what is wrong. */
int compare_case_page(const struct compare *c, enum tool_format format);
int compare_case_csv(const struct compare *c);
int compare_random_page(struct compare_matrix *m, const char *operands, enum tool_format format);
int compare_random_csv(const struct compare_matrix *m);

#endif
