/* Random operands on several architectures: which agree, and in how many cases they do not. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/screen.h"
#include "../why/why.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, CHUNK = 256 };

/* The work that all threads share. */
struct work {
    const struct compare *c;
    const struct compare_random *how;
    struct wsim_plan plan[4]; /* by selector */
    unsigned selectors;
    atomic_uint_fast32_t next;
};

struct worker {
    pthread_t thread;
    struct work *work;
    struct compare_matrix pairs;
    enum wsim_status status;
    struct wsim_diag diag;
    struct wsim_case_scratch scratch;
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES];
    uint32_t *out[COMPARE_ARCHS]; /* results of the executed architectures */
};

/* --- cases --- */

static void note(struct compare_matrix *pairs, unsigned i, unsigned j, uint32_t number) {
    if (pairs->differ[i][j]++ == 0 || number < pairs->first[i][j])
        pairs->first[i][j] = number;
}

static void run_case(struct worker *w, uint32_t number) {
    const struct compare *c = w->work->c;
    const struct wsim_plan *plan = &w->work->plan[number % w->work->selectors];
    size_t bytes = (size_t)plan->out_rows * WSIM_LANES * sizeof *w->out[0];
    struct wsim_case one = wsim_case_at(plan, w->work->how->seed, number, w->work->how->dist);
    wsim_case_fill(plan, &one, w->in);
    for (unsigned i = 0; i < c->n && !w->status; i++) {
        if (c->arch[i].same != i)
            continue;
        w->status =
            wsim_case_run(&c->arch[i].run->code, plan, w->in, w->out[i], &w->scratch, &w->diag);
        for (unsigned j = 0; j < i && !w->status; j++)
            if (c->arch[j].same == j && memcmp(w->out[i], w->out[j], bytes) != 0)
                note(&w->pairs, i, j, number);
    }
}

static void *run_cases(void *about) {
    struct worker *w = about;
    uint32_t all = w->work->how->cases, from;
    while (!w->status && (from = (uint32_t)atomic_fetch_add(&w->work->next, CHUNK)) < all)
        for (uint32_t i = from; i < all && i < from + CHUNK && !w->status; i++)
            run_case(w, i);
    if (w->status) /* ends the other threads, and the progress */
        atomic_store(&w->work->next, all);
    return NULL;
}

/* --- threads --- */

static struct worker *make_worker(struct work *work) {
    struct worker *w = memory_make(1, sizeof *w);
    w->work = work;
    for (unsigned i = 0; i < work->c->n; i++)
        w->out[i] = memory_make((size_t)work->plan[0].out_rows * WSIM_LANES, sizeof *w->out[i]);
    return w;
}

static void free_worker(struct worker *w) {
    for (unsigned i = 0; i < w->work->c->n; i++)
        free(w->out[i]);
    free(w);
}

static void add_pairs(struct compare_matrix *to, const struct compare_matrix *from) {
    for (unsigned i = 0; i < COMPARE_ARCHS; i++)
        for (unsigned j = 0; j < i; j++) {
            if (from->differ[i][j] && (!to->differ[i][j] || from->first[i][j] < to->first[i][j]))
                to->first[i][j] = from->first[i][j];
            to->differ[i][j] += from->differ[i][j];
        }
}

/* Shows the progress until all cases are given out. */
static void show_progress(struct work *work) {
    const struct timespec pause = {0, 200000000};
    uint32_t all = work->how->cases, done;
    while ((done = (uint32_t)atomic_load(&work->next)) < all) {
        screen_progress("%lu of %lu cases", (unsigned long)done, (unsigned long)all);
        nanosleep(&pause, NULL);
    }
    screen_progress(NULL);
}

static unsigned count_threads(const struct compare_random *how) {
    const unsigned wanted = how->cases / (4 * CHUNK) + 1, most = tool_processors(MOST_THREADS);
    return wanted < most ? wanted : most;
}

static void run_all(struct work *work, struct compare_matrix *pairs) {
    unsigned n = count_threads(work->how), started = 0;
    struct worker *worker[MOST_THREADS];
    for (unsigned i = 0; i < n; i++)
        worker[i] = make_worker(work);
    while (started < n &&
           pthread_create(&worker[started]->thread, NULL, run_cases, worker[started]) == 0)
        started++;
    if (started == 0)
        run_cases(worker[0]);
    else if (isatty(STDERR_FILENO))
        show_progress(work);
    for (unsigned i = 0; i < n; i++) {
        if (i < started)
            pthread_join(worker[i]->thread, NULL);
        if (worker[i]->status)
            tool_refuse(NULL, &worker[i]->diag);
        add_pairs(pairs, &worker[i]->pairs);
        free_worker(worker[i]);
    }
}

/* --- preparing --- */

/* Registers are compared, so the same registers have to hold the same elements. */
static void check_layouts(const struct compare *c) {
    for (unsigned i = 1; i < c->n; i++)
        for (int o = 0; o < WSIM_OPERANDS; o++) {
            const struct wsim_layout *one = &c->arch[0].run->layout[o];
            const struct wsim_layout *other = &c->arch[i].run->layout[o];
            if (c->arch[0].run->has[o] && !c->arch[0].run->group.in_memory[o] &&
                (memcmp(one->lane, other->lane, sizeof one->lane) != 0 ||
                 memcmp(one->elem, other->elem, sizeof one->elem) != 0))
                tool_fail("--random: the fragments of %s and %s differ; leave one of them out",
                          compare_name(c, 0), compare_name(c, i));
        }
}

static void make_plans(struct work *work) {
    const struct wsim_op *op = &work->c->in.op;
    unsigned selectors = wsim_op_describe(op).selectors;
    struct wsim_diag diag;
    work->selectors = selectors ? selectors : 1;
    for (unsigned s = 0; s < work->selectors; s++)
        if (wsim_plan_make(op, s, &work->plan[s], &diag))
            tool_refuse(NULL, &diag);
}

/* --- the answer --- */

/* Pairs as objects, and for CSV as rows. */
static void add_pairs_of(struct doc *doc, const struct compare_matrix *m) {
    static const struct doc_column columns[] = {{"arch", "", 0},  {"other", "", 0},
                                                {"cases", "", 0}, {"different", "", 0},
                                                {"first", "", 0}, {NULL, NULL, 0}};
    const struct compare *c = m->c;
    doc_only(doc, TOOL_CSV);
    doc_list(doc, "pairs");
    doc_table(doc, NULL, columns);
    for (unsigned i = 0; i < c->n; i++)
        for (unsigned j = 0; j < i; j++) {
            if (c->arch[i].same != i || c->arch[j].same != j)
                continue;
            doc_row_of(doc, "ssuu", compare_name(c, j), compare_name(c, i), (unsigned)m->all,
                       (unsigned)m->differ[i][j]);
            doc_enter(doc, NULL);
            doc_pack(doc, "{s:[s, s], s:I}", "arch", compare_name(c, j), compare_name(c, i),
                     "differ", (json_int_t)m->differ[i][j]);
            if (m->differ[i][j])
                doc_set(doc, "first", json_integer(m->first[i][j]));
            doc_leave(doc);
            if (m->differ[i][j])
                doc_number(doc, m->first[i][j]);
        }
    doc_leave(doc);
    doc_leave(doc);
    doc_only(doc, 0);
}

static int any_differs(const struct compare_matrix *pairs) {
    for (unsigned i = 0; i < COMPARE_ARCHS; i++)
        for (unsigned j = 0; j < i; j++)
            if (pairs->differ[i][j])
                return 1;
    return 0;
}

int compare_answer(const struct compare *c, const struct compare_random *how,
                   struct compare_matrix *pairs, const char *dist, enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.compare.random");
    pairs->c = c;
    pairs->all = how->cases;
    pairs->what = "cases";
    doc_fact(doc, "spelling", json_string(c->arch[0].run->spelling), "%s",
             c->arch[0].run->spelling);
    doc_pack(doc, "{s:I, s:I, s:s}", "cases", (json_int_t)how->cases, "seed", (json_int_t)how->seed,
             "dist", dist);
    doc_line(doc, "  %lu cases, seed %lu, operands %s", (unsigned long)how->cases,
             (unsigned long)how->seed, dist);
    add_pairs_of(doc, pairs);
    compare_add_matrix(doc, pairs);
    doc_gap(doc);
    compare_add_archs(doc, c);
    return doc_close(doc, any_differs(pairs) ? TOOL_FOUND : TOOL_FINE);
}

int compare_random(struct compare *c, const struct compare_random *how, enum tool_format format) {
    struct compare_matrix *pairs = memory_make(1, sizeof *pairs);
    struct work work = {.c = c, .how = how};
    int status;
    check_layouts(c);
    atomic_init(&work.next, 0);
    make_plans(&work);
    run_all(&work, pairs);
    status = compare_answer(c, how, pairs, wsim_dist_name(how->dist), format);
    free(pairs);
    return status;
}
