/* Random matrices on several architectures, of which one has its operands in tensor memory. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/screen.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 32 };

/* Executes a case on one architecture; *d are the elements of D. */
static void run_arch(const struct compare *c, unsigned i, uint32_t seed, uint64_t *d) {
    struct exec_options o = *c->options;
    char word[WORD];
    struct exec_run *run;
    snprintf(word, sizeof word, "random:%lu", (unsigned long)seed);
    for (int k = WSIM_A; k < WSIM_OPERANDS; k++)
        if (!o.text[k] && c->arch[i].run->has[k])
            o.text[k] = word;
    compare_open(c, &o, compare_name(c, i), &run);
    exec_fill(run, &o);
    exec_execute(run);
    exec_matrix(run, WSIM_D, d);
    exec_close(run);
}

static void run_case(const struct compare *c, uint32_t seed, size_t bytes,
                     struct compare_matrix *pairs) {
    for (unsigned i = 0; i < c->n; i++) {
        if (c->arch[i].same != i)
            continue;
        run_arch(c, i, seed, c->arch[i].d);
        for (unsigned j = 0; j < i; j++)
            if (c->arch[j].same == j && memcmp(c->arch[i].d, c->arch[j].d, bytes) != 0 &&
                pairs->differ[i][j]++ == 0)
                pairs->first[i][j] = seed;
    }
}

static void same_shapes(const struct compare *c) {
    const struct wsim_layout *first = &c->arch[0].run->layout[WSIM_D];
    for (unsigned i = 1; i < c->n; i++) {
        const struct wsim_layout *d = &c->arch[i].run->layout[WSIM_D];
        if (d->rows != first->rows || d->cols != first->cols || d->batches != first->batches)
            tool_fail("D of %s and of %s have other shapes", compare_name(c, 0),
                      compare_name(c, i));
    }
}

int compare_matrices(struct compare *c, const struct compare_random *how, enum tool_format format) {
    struct compare_matrix *pairs = memory_make(1, sizeof *pairs);
    const struct wsim_layout *d = &c->arch[0].run->layout[WSIM_D];
    const size_t elements = (size_t)d->batches * d->rows * d->cols;
    int status;
    same_shapes(c);
    for (unsigned i = 0; i < c->n; i++)
        c->arch[i].d = memory_make(elements, sizeof *c->arch[i].d);
    for (uint32_t n = 0; n < how->cases; n++) {
        screen_progress("%lu of %lu cases", (unsigned long)n, (unsigned long)how->cases);
        run_case(c, how->seed + n, elements * sizeof *c->arch[0].d, pairs);
    }
    screen_progress(NULL);
    status = compare_answer(c, how, pairs, "random:SEED", format);
    free(pairs);
    return status;
}
