/* scalar.c - the command that compares scalar instructions: the hardware against the model. */
#include "scalar.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* So many sources of each form: special values crossed thrice, and as many random ones. */
enum { USUAL_CASES = 1 << 20 };

struct options {
    int json, all_inputs, every;
    const char *ops, *digests;
    uint64_t results, seed, first;
    struct hw_shard shard;
};

#define AT(field) offsetof(struct options, field)

static const struct hw_option options[] = {
    {"--ops", "FILTER", "spellings that contain FILTER, or match it if it has * ? or [", HW_TEXT,
     AT(ops)},
    {"--results", "N", "sources for each form (1048576): half special values, half random",
     HW_COUNT, AT(results)},
    {"--all-inputs", NULL,
     "of those with one source: all 2^16 or 2^32 of it, or all high words of\n"
     "64 bits; without --ops of the approximate functions",
     HW_FLAG, AT(all_inputs)},
    {"--seed", "S", "of the sources (1)", HW_SEED, AT(seed)},
    {"--first", "N", "number of the first source (0)", HW_SEED, AT(first)},
    {"--shard", "I/N", "the Ith of N equal shares of the sources, counted from 0", HW_SHARD,
     AT(shard)},
    {"--digests", "FILE", "what the hardware answered, a line a form: a digest of all its results",
     HW_TEXT, AT(digests)},
    {"--every", NULL, "a line for each form, not only for those that differ", HW_FLAG, AT(every)},
    {"--json", NULL, "the report as JSON", HW_FLAG, AT(json)},
    {0},
};

struct session {
    struct options options;
    struct hw_device device;
    const struct wsim_arch *arch;
    struct hw_scalar_row *rows;
    size_t nrows;
    uint64_t *out[2];
};

static void name_symbol(const struct hw_form *form, char symbol[16]) {
    snprintf(symbol, 16, "s%u", form->number);
}

static void plan_make(const struct hw_form *form, int counts, struct hw_scalar_plan *plan) {
    memset(plan, 0, sizeof *plan);
    memcpy(plan->word, form->word, sizeof plan->word);
    plan->words = form->words;
    plan->results = form->results;
    plan->counts = (uint8_t)counts;
}

/* How many sources there are of a form, if it has but one; 0: it has others. */
static uint64_t inputs_of(const struct hw_form *form) {
    const struct wsim_scalar_word *w = &form->word[0];
    if (form->words != 1)
        return 0;
    if (w->bits == 64 && w->values == 1)
        return UINT64_C(1) << 32;
    return w->bits / w->values > 32 ? 0 : UINT64_C(1) << w->bits / w->values;
}

static uint64_t cases_of(const struct options *o, const struct hw_form *form) {
    if (o->all_inputs)
        return inputs_of(form);
    return o->results ? o->results : USUAL_CASES;
}

static int is_wanted(const struct session *session, const struct hw_form *form) {
    const struct options *o = &session->options;
    const char *filter = o->ops ? o->ops : o->all_inputs ? "*.approx*" : NULL;
    char name[HW_FORM_NAME];
    hw_form_name(form, name);
    return hw_matches(filter, name) && (!o->all_inputs || inputs_of(form)) &&
           wsim_scalar_check(&form->op, session->arch, NULL) == WSIM_OK;
}

static int list_forms(struct session *session) {
    struct hw_form form = {0};
    size_t room = 0;
    while (hw_form_next(&form)) {
        if (!is_wanted(session, &form))
            continue;
        if (session->nrows == room) {
            struct hw_scalar_row *rows = realloc(session->rows, (room + 1024) * sizeof *rows);
            if (!rows)
                return hw_fail("scalar", "out of memory");
            session->rows = rows;
            room += 1024;
        }
        memset(&session->rows[session->nrows], 0, sizeof *session->rows);
        session->rows[session->nrows++].form = form;
    }
    return session->nrows ? 0 : hw_fail("--ops", "no operation matches");
}

/* This shard's share of the sources of a form. */
static uint64_t cut(uint64_t cases, struct hw_shard shard, unsigned index) {
    return cases / shard.count * index + cases % shard.count * index / shard.count;
}

/* A batch on its way: the hardware runs it in a thread of its own while results of the one before
 * are looked at. */
struct flight {
    const struct session *session;
    struct hw_scalar_row *row;
    struct hw_scalar_plan plan;
    uint64_t first, left; /* left: sources of the row that come after this batch */
    uint32_t n;
    uint64_t *out;
    pthread_t thread;
    int begun, status;
};

static int same_sources(const struct flight *f, const uint64_t *in, uint32_t sampled) {
    for (unsigned w = 0; w < f->plan.words; w++)
        for (uint32_t i = 0; i < sampled; i++)
            if (in[w * sampled + i] !=
                hw_scalar_source(&f->plan, w, f->session->options.seed, f->first + i))
                return 0;
    return 1;
}

static void *fly(void *argument) {
    struct flight *f = argument;
    uint64_t in[HW_SCALAR_WORDS * HW_SCALAR_SAMPLES];
    const uint32_t sampled = f->n < HW_SCALAR_SAMPLES ? f->n : HW_SCALAR_SAMPLES;
    char symbol[16], name[HW_FORM_NAME];
    const char *why;
    name_symbol(&f->row->form, symbol);
    why = hw_scalar_run(&f->plan, f->row->form.number / HW_FORM_PART, symbol,
                        f->session->options.seed, f->first, f->n, f->out, in, sampled);
    if (!why && !same_sources(f, in, sampled))
        why = "the sources drawn on the GPU differ from those drawn here";
    hw_form_name(&f->row->form, name);
    f->status = why ? hw_fail(name, why) : 0;
    return NULL;
}

static void begin_flight(struct flight *f) {
    f->n = f->left < HW_SCALAR_BATCH ? (uint32_t)f->left : HW_SCALAR_BATCH;
    f->left -= f->n;
    f->begun = pthread_create(&f->thread, NULL, fly, f) == 0;
    if (!f->begun)
        fly(f);
}

static void end_flight(struct flight *f) {
    if (f->begun)
        pthread_join(f->thread, NULL);
    f->begun = 0;
}

/* The first batch of the first row from `at` on that the assembler took. 1, or 0: there is none. */
static int begin_row(const struct session *session, size_t *at, struct flight *f) {
    const struct options *o = &session->options;
    for (; *at < session->nrows; ++*at) {
        struct hw_scalar_row *row = &session->rows[*at];
        const uint64_t cases = cases_of(o, &row->form);
        const uint64_t from = cut(cases, o->shard, o->shard.index);
        char symbol[16];
        name_symbol(&row->form, symbol);
        row->there = (uint8_t)hw_scalar_has(row->form.number / HW_FORM_PART, symbol);
        f->left = cut(cases, o->shard, o->shard.index + 1) - from;
        if (!row->there || !f->left)
            continue;
        f->row = row;
        f->first = o->first + from;
        plan_make(&row->form, o->all_inputs, &f->plan);
        begin_flight(f);
        ++*at;
        return 1;
    }
    return 0;
}

/* Continues after a batch with the next one of the row or with the next row. */
static int begin_next(const struct session *session, const struct flight *now, size_t *at,
                      struct flight *next) {
    uint64_t *out = next->out;
    if (!now->left)
        return begin_row(session, at, next);
    *next = *now;
    next->out = out;
    next->first = now->first + now->n;
    begin_flight(next);
    return 1;
}

/* The number of sources of all forms, for the progress line. */
static uint64_t total(const struct session *session) {
    const struct options *o = &session->options;
    uint64_t sum = 0;
    for (size_t i = 0; i < session->nrows; i++) {
        const uint64_t cases = cases_of(o, &session->rows[i].form);
        sum += cut(cases, o->shard, o->shard.index + 1) - cut(cases, o->shard, o->shard.index);
    }
    return sum;
}

static int work(struct session *session) {
    struct flight flights[2] = {{.session = session, .out = session->out[0]},
                                {.session = session, .out = session->out[1]}};
    struct hw_progress progress;
    size_t at = 0;
    int status = 0, going;
    hw_progress_begin(&progress, 0, total(session));
    going = begin_row(session, &at, &flights[0]);
    for (unsigned n = 0; going && !status; n = !n) {
        struct flight *now = &flights[n];
        double start = hw_now();
        end_flight(now);
        status = now->status;
        if (status)
            break;
        going = begin_next(session, now, &at, &flights[!n]);
        status = hw_scalar_compare(&now->plan, session->options.seed, now->first, now->n, now->out,
                                   now->row);
        now->row->seconds += hw_now() - start;
        hw_progress_add(&progress, now->n, now->row->differences);
    }
    end_flight(&flights[0]);
    end_flight(&flights[1]);
    hw_progress_end(&progress);
    return status;
}

/* A line a form: its spelling, its operands, and the digest of the results. */
static int write_digests(const struct session *session) {
    const struct options *o = &session->options;
    FILE *file = fopen(o->digests, "w");
    if (!file)
        return hw_fail(o->digests, "cannot be written");
    fprintf(file, "#gpu: %s\n#driver: %s\n#stream: %d\n#seed: %llu\n", session->device.gpu,
            session->device.driver, WSIM_SCALAR_STREAM, (unsigned long long)o->seed);
    for (size_t i = 0; i < session->nrows; i++) {
        const struct hw_scalar_row *row = &session->rows[i];
        char name[HW_FORM_NAME];
        hw_form_name(&row->form, name);
        if (row->there)
            fprintf(file, "%s\tfirst=%llu\tcases=%llu\tdigest=%016llx\n", name,
                    (unsigned long long)o->first, (unsigned long long)row->cases,
                    (unsigned long long)row->digest);
    }
    return ferror(file) | fclose(file) ? hw_fail(o->digests, "cannot be written") : 0;
}

static int compare(struct session *session) {
    const double start = hw_now();
    int status = list_forms(session), differs = 0;
    for (int i = 0; i < 2 && !status; i++) {
        session->out[i] = hw_results_alloc((size_t)HW_SCALAR_BATCH * HW_SCALAR_RESULTS * 8);
        status = session->out[i] ? 0 : hw_fail("scalar", "out of memory");
    }
    if (!status)
        status = work(session);
    if (!status && session->options.digests)
        status = write_digests(session);
    if (status)
        return status;
    struct hw_scalar_report report = {&session->device,
                                      session->rows,
                                      session->nrows,
                                      session->options.seed,
                                      0,
                                      session->options.all_inputs,
                                      session->options.every,
                                      hw_cores(),
                                      hw_now() - start};
    (session->options.json ? hw_scalar_json : hw_scalar_text)(&report);
    for (size_t i = 0; i < session->nrows; i++)
        differs |= session->rows[i].differences != 0;
    return differs;
}

static int run(int argc, char **argv) {
    struct session session = {.options = {.seed = 1, .shard = {0, 1}}};
    int status = hw_options_read(&hw_scalar_command, &session.options, &argc, argv), target;
    const char *why;
    if (status)
        return status < 0 ? 0 : status;
    if (session.options.results && session.options.all_inputs)
        return hw_fail("--results, --all-inputs", "one or the other says how many");
    why = hw_open(&session.device);
    if (why) {
        fprintf(stderr, "wsim-hw: skipped: %s\n", why);
        return HW_EXIT_SKIPPED;
    }
    target = hw_find_target(session.device.capability);
    if (target < 0)
        return hw_fail(session.device.gpu, "not in the table of architectures");
    session.arch = wsim_arch_at((size_t)target);
    status = compare(&session);
    hw_results_free(session.out[0]);
    hw_results_free(session.out[1]);
    free(session.rows);
    return status;
}

const struct hw_command hw_scalar_command = {
    "scalar",
    "[options]",
    "scalar instructions, hardware against model",
    "\nA form is an instruction with one of its immediates or parts of registers. Forms that "
    "differ\n"
    "are printed first, with operands and both results; then those that the assembler refused.\n"
    "exit status: 0 equal, 1 different, 2 error, 77 no GPU\n\n"
    "  wsim-hw scalar --ops 'fma.*f32'\n"
    "  wsim-hw scalar --all-inputs --ops 'ex2.approx.f32'\n",
    options,
    0,
    run,
};
