/* compare.h - one operation on several architectures. */
#ifndef WSIM_TOOL_COMPARE_H
#define WSIM_TOOL_COMPARE_H

#include "../common/doc.h"
#include "../exec/exec.h"
#include "../why/why.h"

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
    struct instruction in;
};

const char *compare_name(const struct compare *c, unsigned i);

/* Prepares the instruction for the target `arch`, or its tcgen05.mma with the same matrices. */
void compare_open(const struct compare *c, const struct exec_options *options, const char *arch,
                  struct exec_run **run);

/* --- parts of the answers (compare.c) --- */

/* In how many of `all` elements or cases two architectures differ: arch[i] and arch[j], i > j. */
struct compare_matrix {
    const struct compare *c;
    uint32_t all;
    const char *what; /* "elements" */
    uint32_t differ[COMPARE_ARCHS][COMPARE_ARCHS];
    uint32_t first[COMPARE_ARCHS][COMPARE_ARCHS]; /* the first case; valid if there is one */
};

/* A table of the pairs, with a row for each arithmetic. */
void compare_add_matrix(struct doc *doc, const struct compare_matrix *m);

/* The architectures: their arithmetic and its evidence. */
void compare_add_archs(struct doc *doc, const struct compare *c);

/* --- same operands (compare_case.c) --- */

/* The same element on two architectures, and the reason of the difference in words. */
struct compare_pair {
    const char *name[2];
    struct wsim_why *why[2]; /* to be freed */
};

/* Executes all architectures on the operands of c->options and prints the differences. An exit
 * status. */
int compare_case(struct compare *c, enum tool_format format);

/* --- any operands (compare_random.c) --- */

struct compare_random {
    uint32_t cases, seed;
    unsigned dist; /* WSIM_DISTS: all in turn */
};

/* Executes one architecture of each arithmetic on random cases and prints which agree. */
int compare_random(struct compare *c, const struct compare_random *how, enum tool_format format);

/* Prints the pairs that differ, and the architectures. An exit status. */
int compare_answer(const struct compare *c, const struct compare_random *how,
                   struct compare_matrix *pairs, const char *dist, enum tool_format format);

/* --- random matrices (compare_matrices.c) --- */

/* The same of operands in tensor memory: case N has the matrices of random:N. */
int compare_matrices(struct compare *c, const struct compare_random *how, enum tool_format format);

#endif
