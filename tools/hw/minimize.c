/* minimize.c - cases in which this GPU and the model differ, made small: the GPU judges. */
#include "given.h"
#include "../lib/execute.h"

#include "../lib/shrink_text.h"

#include <errno.h>
#include <string.h>

enum { MOST_BLOCKS = 50000 };

static const struct hw_option options[] = {
    {"-o", "FILE", "the trace (standard output)", HW_TEXT, HW_AT(out)},
    HW_OPTION_OPS,
    {"--arch", "NAME", "the model of another architecture", HW_ARCH, HW_AT(arch)},
    {0},
};

struct minimize {
    const struct hw_session *session;
    FILE *file;
    unsigned different, equal, not_run;
};

/* A case on its way. */
struct work {
    struct shrink shrink;
    const struct hw_session *session;
    const struct hw_kernel *kernel;
    uint32_t in[SHRINK_WORDS], there[SHRINK_WORDS], here[SHRINK_WORDS];
    uint32_t results[SHRINK_BATCH * SHRINK_WORDS];
};

/* Both sides of the current block: the GPU into `there`, the model into `here`. */
static const char *run_both(struct work *work) {
    static struct wsim_diag diag;
    const struct wsim_plan *plan = &work->shrink.plan;
    const char *why = hw_run_blocks(work->kernel, plan, work->in, 1, work->there);
    if (!why &&
        execute_case(&work->shrink.op, work->session->arch, plan, work->in, work->here, &diag))
        why = diag.text;
    return why;
}

static int judge(void *about, const uint32_t *blocks, unsigned n, uint8_t *differs) {
    struct work *work = about;
    const struct wsim_plan *plan = &work->shrink.plan;
    const uint32_t *there = work->results;
    const char *why = hw_run_blocks(work->kernel, plan, blocks, n, work->results);
    uint32_t here[SHRINK_WORDS];
    if (why) {
        hw_fail(work->kernel->spelling, why);
        return -1;
    }
    for (unsigned i = 0; i < n; i++) {
        differs[i] =
            !execute_case(&work->shrink.op, work->session->arch, plan, blocks, here, NULL) &&
            shrink_result(&work->shrink.target, there) != shrink_result(&work->shrink.target, here);
        blocks += plan->in_rows * WSIM_LANES;
        there += plan->out_rows * WSIM_LANES;
    }
    return 0;
}

/* The trace begins with its first case: there is none where nothing differs. */
static FILE *file_of(struct minimize *minimize) {
    const char *out = minimize->session->options.out;
    if (minimize->file)
        return minimize->file;
    minimize->file = out ? fopen(out, "w") : stdout;
    if (minimize->file) {
        hw_trace_head(minimize->file, minimize->session);
        fprintf(minimize->file, "# Made small by wsim-hw minimize, with this GPU as the judge.\n");
    } else {
        hw_fail(out, strerror(errno));
    }
    return minimize->file;
}

static void put_case(FILE *file, const struct work *work, const struct hw_given *given,
                     unsigned before) {
    unsigned left = shrink_operands(&work->shrink.plan, work->in);
    fprintf(stderr, "%s:%lu: %s: %u of %u nonzero operands are left\n", given->file, given->line,
            given->spelling, left, before);
    fprintf(file,
            "#\n# %s:%lu: %u of %u nonzero operands are left; expected is what the GPU gives\n",
            given->file, given->line, left, before);
    shrink_print(file, "# ", &work->shrink, work->in, work->there, work->here);
    hw_trace_case(file, &given->job, work->in, work->there);
}

static int leave_out(struct minimize *minimize, const struct hw_given *given, const char *why) {
    fprintf(stderr, "%s:%lu: %s: not made small: %s\n", given->file, given->line, given->spelling,
            why);
    minimize->not_run++;
    return 0;
}

static void begin(struct work *work, const struct hw_session *session,
                  const struct hw_given *given) {
    memset(work, 0, sizeof *work);
    work->session = session;
    work->kernel = given->job.kernel;
    work->shrink = (struct shrink){.op = given->job.op,
                                   .plan = given->job.plan,
                                   .judge = judge,
                                   .about = work,
                                   .batch = SHRINK_BATCH,
                                   .limit = MOST_BLOCKS};
    memcpy(work->in, given->in, sizeof work->in);
}

static int make_small(struct minimize *minimize, struct work *work, const struct hw_given *given) {
    unsigned before = shrink_operands(&work->shrink.plan, work->in);
    const char *why;
    if (!file_of(minimize))
        return 2;
    shrink_run(&work->shrink, minimize->session->arch, work->in);
    why = run_both(work);
    if (why)
        return hw_fail(given->spelling, why);
    put_case(minimize->file, work, given, before);
    return 0;
}

static int take(void *context, const struct hw_given *given) {
    static struct work work;
    struct minimize *minimize = context;
    const char *why = given->why[0]      ? given->why
                      : given->is_digest ? "a digest does not say which of its cases differs"
                                         : shrink_refusal(&given->job.op);
    if (why)
        return leave_out(minimize, given, why);
    begin(&work, minimize->session, given);
    why = run_both(&work);
    if (why)
        return leave_out(minimize, given, why);
    if (!shrink_find(&work.shrink.op, &work.shrink.plan, work.there, work.here,
                     &work.shrink.target)) {
        minimize->equal++;
        return 0;
    }
    minimize->different++;
    return make_small(minimize, &work, given);
}

static int minimize_files(const struct hw_session *session, int files, char **paths) {
    const char *out = session->options.out;
    struct minimize minimize = {.session = session};
    int status = 0, failed;
    for (int i = 0; i < files && !status; i++)
        status = hw_given_each(session, paths[i], take, &minimize);
    failed = minimize.file && (fflush(minimize.file) || ferror(minimize.file));
    if (minimize.file && out)
        fclose(minimize.file);
    if (failed && !status)
        status = hw_fail(out ? out : "standard output", "cannot be written");
    if (minimize.equal)
        fprintf(stderr, "%u cases are equal here\n", minimize.equal);
    if (status)
        return status;
    return minimize.different ? 1 : minimize.not_run ? HW_EXIT_NOT_RUN : 0;
}

static int run(int argc, char **argv) {
    return hw_given_files(&hw_minimize_command, argc, argv, minimize_files);
}

const struct hw_command hw_minimize_command = {
    "minimize",
    "FILE... [options]",
    "cases that differ, made small",
    "\nThe small case differs in the same element; what it expects is what the GPU gives:\n\n"
    "  wsim-hw minimize wsim-hw.trace -o small.trace\n"
    "  wsim replay small.trace\n\n"
    "exit status: 0 all equal, 1 different, 2 error, 3 none different but some not run, 77 no "
    "GPU\n",
    options,
    1,
    run,
};
