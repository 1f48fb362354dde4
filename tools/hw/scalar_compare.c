/* scalar_compare.c - the model over the sources that the hardware has run, on all cores. */
#include "scalar.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 256, SHARE = 1024 };

struct batch {
    const struct hw_scalar_plan *plan;
    const struct hw_scalar_row *row;
    const uint64_t *out;
    uint64_t seed, first;
    uint32_t n;
    atomic_uint next;
};

struct worker {
    pthread_t thread;
    struct batch *batch;
    uint64_t differences, digest;
    struct hw_scalar_note note[HW_SCALAR_NOTES];
    unsigned notes;
    int failed;
};

uint64_t hw_scalar_source(const struct hw_scalar_plan *plan, unsigned word, uint64_t seed,
                          uint64_t number) {
    return plan->counts && word == 0 ? wsim_scalar_count(&plan->word[0], number)
                                     : wsim_scalar_draw(plan->word, word, seed, number);
}

static void note(struct worker *w, uint64_t number, const uint64_t *in, const uint64_t *hardware,
                 const uint64_t *model, enum wsim_status refusal) {
    struct hw_scalar_note *new = &w->note[w->notes];
    w->differences++;
    if (w->notes == HW_SCALAR_NOTES)
        return;
    w->notes++;
    new->number = number;
    new->refusal = refusal;
    memcpy(new->in, in, sizeof new->in);
    memcpy(new->hardware, hardware, sizeof new->hardware);
    memcpy(new->model, model, sizeof new->model);
}

/* The sources that a thread takes at once, and its results. */
struct share {
    uint64_t in[WSIM_SCALAR_IN * SHARE], model[WSIM_SCALAR_OUT * SHARE];
    uint32_t n;
};

/* Compares lane `lane` of a share, source `at` of the batch, with the hardware. */
static void compare_one(struct worker *w, const struct share *share, enum wsim_status status,
                        uint32_t lane, uint32_t at) {
    const struct batch *batch = w->batch;
    const struct hw_form *form = &batch->row->form;
    const uint64_t number = batch->first + at;
    uint64_t in[WSIM_SCALAR_IN] = {0}, model[WSIM_SCALAR_OUT] = {0},
             hardware[WSIM_SCALAR_OUT] = {0};
    uint64_t wrong = 0, digest = number;
    for (unsigned r = 0; r < form->results; r++) {
        /* Conversions extend an integer beyond the register that they are read from here. */
        model[r] = share->model[r * share->n + lane] & wsim_scalar_mask(form->result_bits[r]);
        hardware[r] =
            batch->out[(size_t)r * batch->n + at] & wsim_scalar_mask(form->result_bits[r]);
        wrong |= hardware[r] ^ model[r];
        digest = wsim_hash_mix(digest ^ hardware[r]) + 0x9e3779b97f4a7c15u;
    }
    w->digest += digest;
    if (!wrong && status == WSIM_OK)
        return;
    for (unsigned i = 0; i < form->words; i++)
        in[i] = share->in[i * share->n + lane];
    note(w, number, in, hardware, model, status);
}

static void run_share(struct worker *w, struct share *share, uint32_t from) {
    const struct batch *batch = w->batch;
    const struct hw_form *form = &batch->row->form;
    enum wsim_status status;
    share->n = batch->n - from < SHARE ? batch->n - from : SHARE;
    for (unsigned i = 0; i < form->words; i++)
        for (uint32_t lane = 0; lane < share->n; lane++)
            share->in[i * share->n + lane] =
                hw_scalar_source(batch->plan, i, batch->seed, batch->first + from + lane);
    status = wsim_scalar_run_lanes(&form->op, share->n, share->in, form->words, share->model,
                                   form->results, NULL);
    for (uint32_t lane = 0; lane < share->n; lane++)
        compare_one(w, share, status, lane, from + lane);
}

static void *work(void *argument) {
    struct worker *w = argument;
    struct share *share = malloc(sizeof *share);
    uint32_t from;
    w->failed = !share;
    while (share && (from = atomic_fetch_add(&w->batch->next, SHARE)) < w->batch->n)
        run_share(w, share, from);
    free(share);
    return NULL;
}

/* The first notes by number, whichever thread they are of. */
static void keep(const struct hw_scalar_note *new, struct hw_scalar_row *row) {
    unsigned at = row->notes;
    while (at && row->note[at - 1].number > new->number)
        at--;
    if (at == HW_SCALAR_NOTES)
        return;
    if (row->notes < HW_SCALAR_NOTES)
        row->notes++;
    memmove(&row->note[at + 1], &row->note[at], (row->notes - 1 - at) * sizeof *row->note);
    row->note[at] = *new;
}

int hw_scalar_compare(const struct hw_scalar_plan *plan, uint64_t seed, uint64_t first, uint32_t n,
                      const uint64_t *out, struct hw_scalar_row *row) {
    static struct worker workers[MOST_THREADS];
    struct batch batch = {plan, row, out, seed, first, n, 0};
    unsigned made, threads = hw_cores(), failed = 0;
    for (made = 0; made < threads; made++) {
        memset(&workers[made], 0, sizeof workers[made]);
        workers[made].batch = &batch;
        if (pthread_create(&workers[made].thread, NULL, work, &workers[made]))
            break;
    }
    for (unsigned i = 0; i < made; i++) {
        pthread_join(workers[i].thread, NULL);
        row->differences += workers[i].differences;
        row->digest += workers[i].digest;
        failed += workers[i].failed != 0;
        for (unsigned k = 0; k < workers[i].notes; k++)
            keep(&workers[i].note[k], row);
    }
    row->cases += n;
    return made && !failed ? 0
                           : hw_fail("scalar", made ? "out of memory" : "no threads can be made");
}
