/* compare.c - the model over the cases that the hardware has run, on all cores. */
#include "hw.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

/* The case that a thread is at. */
struct room {
    struct wsim_case_scratch scratch;
    uint32_t in[WSIM_LANES * WSIM_CASE_ROWS], model[WSIM_LANES * WSIM_CASE_RESULTS];
};

/* What one thread does: every `step`th case, counted from `start`. */
struct worker {
    pthread_t thread;
    const struct wsim_code *code;
    struct room *room; /* while it works */
    int failed;
    const struct hw_session *session;
    const struct hw_job *job;
    const uint32_t *out;
    uint64_t first;
    uint32_t cases, start, step;
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
    new->kernel = w->job->kernel;
    new->number = number;
    new->word = word;
    new->elements = elements;
    if (refusal)
        new->refusal = *refusal;
}

static void run_case(struct worker *w, uint32_t at) {
    const struct wsim_plan *plan = &w->job->plan;
    uint32_t *in = w->room->in, *model = w->room->model;
    uint32_t words = plan->out_rows * WSIM_LANES, word = 0;
    const uint32_t *hardware = w->out + (size_t)at * words;
    struct wsim_case c = wsim_case_at(plan, w->session->options.seed, w->first + at, w->job->dist);
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    wsim_case_fill(plan, &c, in);
    if (wsim_case_run(w->code, plan, in, model, &w->room->scratch, &diag)) {
        note(w, w->first + at, 0, plan->elements, &diag);
        return;
    }
    if (memcmp(model, hardware, words * sizeof *model) != 0) {
        uint32_t elements = hw_count_differences(w->job, hardware, model, &word);
        note(w, w->first + at, word, elements < plan->elements ? elements : plan->elements, NULL);
    }
}

static void *work(void *argument) {
    struct worker *w = argument;
    w->room = malloc(sizeof *w->room);
    w->failed = !w->room;
    for (uint32_t at = w->start; at < w->cases && !w->failed; at += w->step)
        run_case(w, at);
    free(w->room);
    return NULL;
}

static void collect(const struct worker *w, struct hw_row *row, struct hw_report *report) {
    row->differing_cases += w->differing_cases;
    row->differences += w->differences;
    for (unsigned i = 0; i < w->notes && report->notes < HW_NOTES; i++)
        report->note[report->notes++] = w->note[i];
}

int hw_compare(const struct hw_session *session, const struct hw_job *job, uint64_t first,
               uint32_t cases, const uint32_t *out, struct hw_row *row, struct hw_report *report) {
    static struct worker workers[MOST_THREADS];
    unsigned made, threads = report->threads, without = 0;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_code code;
    if (wsim_prepare(&job->op, session->arch, 0, &code, &diag))
        return hw_fail(job->kernel->spelling, diag.text);
    for (made = 0; made < threads; made++) {
        struct worker *w = &workers[made];
        memset(w, 0, sizeof *w);
        w->session = session;
        w->code = &code;
        w->job = job;
        w->out = out;
        w->first = first;
        w->cases = cases;
        w->start = made;
        w->step = threads;
        if (pthread_create(&w->thread, NULL, work, w))
            break;
    }
    for (unsigned i = 0; i < made; i++) {
        pthread_join(workers[i].thread, NULL);
        without += workers[i].failed != 0;
        collect(&workers[i], row, report);
    }
    row->cases += cases;
    row->elements += (uint64_t)cases * job->plan.elements;
    if (made == threads && !without)
        return 0;
    return hw_fail("diff", without ? "out of memory" : "no threads can be made");
}
