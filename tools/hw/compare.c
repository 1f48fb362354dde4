/* compare.c - the model over the cases that the hardware has run, on all cores. */
#include "hw.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

/* The case that a thread is at. */
struct room {
    struct wsim_case_scratch scratch;
    uint32_t in[WSIM_LANES * WSIM_CASE_ROWS], model[WSIM_LANES * WSIM_CASE_RESULTS];
};

/* A batch that threads share. Each takes the next cases, contiguous in memory, until the batch is
 * empty. There are several shares for each thread, so that none waits long for another. A batch of
 * a warpgroup's large cases may be small. */
enum { MOST_SHARE = 256, SHARES = 8 };

struct batch {
    const struct hw_session *session;
    const struct hw_job *job;
    const struct wsim_code *code;
    const uint32_t *out;
    uint64_t first;
    uint32_t cases, share; /* that a thread takes at a time */
    atomic_uint next;
};

struct worker {
    pthread_t thread;
    struct batch *batch;
    struct room *room; /* while it works */
    int failed;
    uint64_t differing_cases, differences;
    struct hw_note note[HW_NOTES];
    unsigned notes;
};

unsigned hw_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (unsigned)cores;
}

/* A result of whole registers counts elements, a stored window bytes. */
uint32_t hw_count_differences(const struct hw_job *job, const uint32_t *a, const uint32_t *b,
                              uint32_t *first_word) {
    uint32_t words = job->plan.out_rows * WSIM_LANES, count = 0, bits = 8;
    struct wsim_layout layout;
    if (!job->plan.store && wsim_op_layout(&job->op, NULL, WSIM_D, &layout, NULL) == WSIM_OK)
        bits = layout.elem_bits;
    *first_word = words;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t wrong = a[i] ^ b[i];
        if (!wrong)
            continue;
        if (*first_word == words)
            *first_word = i;
        if (bits == 64) { /* counted once: at the low half, or at the high if only that differs */
            int counted = i / WSIM_LANES % 2 && a[i - WSIM_LANES] != b[i - WSIM_LANES];
            count += !counted;
            continue;
        }
        for (uint32_t lsb = 0; lsb < 32; lsb += bits)
            count += (wrong >> lsb & (uint32_t)wsim_stream_ones(bits)) != 0;
    }
    return count;
}

static void note(struct worker *w, uint64_t number, uint32_t word, uint32_t elements,
                 const struct wsim_diag *refusal) {
    struct hw_note *new = &w->note[w->notes];
    w->differing_cases++;
    w->differences += elements;
    if (w->notes == HW_NOTES)
        return;
    w->notes++;
    memset(new, 0, sizeof *new);
    new->kernel = w->batch->job->kernel;
    new->number = number;
    new->word = word;
    new->elements = elements;
    if (refusal)
        new->refusal = *refusal;
}

static void run_case(struct worker *w, uint32_t at) {
    const struct batch *batch = w->batch;
    const struct wsim_plan *plan = &batch->job->plan;
    uint32_t *in = w->room->in, *model = w->room->model;
    uint32_t words = plan->out_rows * WSIM_LANES, word = 0;
    const uint32_t *hardware = batch->out + (size_t)at * words;
    uint64_t number = batch->first + at;
    struct wsim_case c = wsim_case_at(plan, batch->session->options.seed, number, batch->job->dist);
    struct wsim_diag diag;
    wsim_case_fill(plan, &c, in);
    if (wsim_case_run(batch->code, plan, in, model, &w->room->scratch, &diag)) {
        note(w, number, 0, plan->elements, &diag);
        return;
    }
    if (memcmp(model, hardware, words * sizeof *model) != 0) {
        uint32_t elements = hw_count_differences(batch->job, hardware, model, &word);
        note(w, number, word, elements < plan->elements ? elements : plan->elements, NULL);
    }
}

static void *work(void *argument) {
    struct worker *w = argument;
    struct batch *batch = w->batch;
    uint32_t from;
    w->room = malloc(sizeof *w->room);
    w->failed = !w->room;
    while (!w->failed && (from = atomic_fetch_add(&batch->next, batch->share)) < batch->cases)
        for (uint32_t i = 0; i < batch->share && i < batch->cases - from; i++)
            run_case(w, from + i);
    free(w->room);
    return NULL;
}

static uint32_t share_of(uint32_t cases, unsigned threads) {
    uint32_t share = cases / (threads * SHARES);
    return share < 1 ? 1 : share < MOST_SHARE ? share : MOST_SHARE;
}

/* Notes of this batch, which begin after `before`, in the order of their cases for any thread:
 * the first ones that fit. */
static void keep(const struct hw_note *new, unsigned before, struct hw_report *report) {
    unsigned at = report->notes;
    while (at > before && report->note[at - 1].number > new->number)
        at--;
    if (at == HW_NOTES)
        return;
    if (report->notes < HW_NOTES)
        report->notes++;
    memmove(&report->note[at + 1], &report->note[at],
            (report->notes - 1 - at) * sizeof *report->note);
    report->note[at] = *new;
}

static void collect(const struct worker *w, unsigned before, struct hw_row *row,
                    struct hw_report *report) {
    row->differing_cases += w->differing_cases;
    row->differences += w->differences;
    for (unsigned i = 0; i < w->notes; i++)
        keep(&w->note[i], before, report);
}

int hw_compare(const struct hw_session *session, const struct hw_job *job, uint64_t first,
               uint32_t cases, const uint32_t *out, struct hw_row *row, struct hw_report *report) {
    static struct worker workers[MOST_THREADS];
    unsigned made, threads = report->threads, without = 0, before = report->notes;
    struct wsim_diag diag;
    struct wsim_code code;
    struct batch batch = {session, job, &code, out, first, cases, share_of(cases, threads), 0};
    if (wsim_prepare(&job->op, session->arch, 0, &code, &diag))
        return hw_fail(job->kernel->spelling, diag.text);
    for (made = 0; made < threads; made++) {
        struct worker *w = &workers[made];
        memset(w, 0, sizeof *w);
        w->batch = &batch;
        if (pthread_create(&w->thread, NULL, work, w))
            break;
    }
    for (unsigned i = 0; i < made; i++) {
        pthread_join(workers[i].thread, NULL);
        without += workers[i].failed != 0;
        collect(&workers[i], before, row, report);
    }
    row->cases += cases;
    row->elements += (uint64_t)cases * job->plan.elements;
    if (made == threads && !without)
        return 0;
    return hw_fail("diff", without ? "out of memory" : "no threads can be made");
}
