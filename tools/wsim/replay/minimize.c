/* wsim replay --minimize: smaller cases without a GPU. Inputs that do not enter the element that
 * differs are removed. If the model of another architecture gives the recorded result, it stands in
 * for the hardware and judges further changes. */
#include "replay.h"
#include "../../lib/execute.h"

#include "../../lib/shrink_isolate.h"
#include "../../lib/shrink_text.h"
#include "../common/text.h"

#include <string.h>

enum { MOST_BLOCKS = 50000 };

/* A case that becomes smaller. */
struct work {
    struct shrink shrink;
    const struct wsim_arch *arch, *stand_in; /* under test; in place of the hardware, or NULL */
    uint32_t in[SHRINK_WORDS], expected[SHRINK_WORDS], got[SHRINK_WORDS];
    unsigned before; /* nonzero operands of the recorded case */
};

static int run(const struct work *work, const struct wsim_arch *arch, const uint32_t *in,
               uint32_t *out) {
    return execute_case(&work->shrink.op, arch, &work->shrink.plan, in, out, NULL) == WSIM_OK;
}

static int judge(void *about, const uint32_t *blocks, unsigned n, uint8_t *differs) {
    const struct work *work = about;
    uint32_t there[SHRINK_WORDS], here[SHRINK_WORDS];
    for (unsigned i = 0; i < n; i++, blocks += work->shrink.plan.in_rows * WSIM_LANES)
        differs[i] =
            run(work, work->stand_in, blocks, there) && run(work, work->arch, blocks, here) &&
            shrink_result(&work->shrink.target, there) != shrink_result(&work->shrink.target, here);
    return 0;
}

static int gives_result(const struct work *work, const struct wsim_arch *arch) {
    uint32_t out[SHRINK_WORDS];
    return arch != work->arch && run(work, arch, work->in, out) &&
           memcmp(out, work->expected, work->shrink.plan.out_rows * WSIM_LANES * sizeof *out) == 0;
}

/* The architecture of the recording first, then all others. */
static const struct wsim_arch *find_stand_in(const struct work *work,
                                             const struct wsim_arch *recorded) {
    const struct wsim_arch *arch;
    if (gives_result(work, recorded))
        return recorded;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++)
        if (gives_result(work, arch))
            return arch;
    return NULL;
}

/* The reason that a case cannot become smaller, or NULL. */
static const char *prepare(struct work *work, const struct wsim_trace *trace,
                           const struct wsim_replay *replay) {
    static struct wsim_diag diag;
    if (strcmp(replay->first.field, "trap") == 0)
        return "one side refuses, so there are no two results to compare";
    if (wsim_op_parse(wsim_trace_spelling(trace), &work->shrink.op, &diag) != WSIM_OK)
        return diag.text;
    if (shrink_refusal(&work->shrink.op))
        return shrink_refusal(&work->shrink.op);
    if (wsim_trace_block(trace, &work->shrink.plan, work->in, work->expected, &diag) != WSIM_OK)
        return diag.text;
    if (!run(work, work->arch, work->in, work->got) ||
        !shrink_find(&work->shrink.op, &work->shrink.plan, work->expected, work->got,
                     &work->shrink.target))
        return "the difference is not in its result";
    return NULL;
}

/* Removes inputs by the layouts alone; the result of the model has to stay. */
static void isolate(struct work *work) {
    uint32_t in[SHRINK_WORDS], got[SHRINK_WORDS];
    memcpy(in, work->in, sizeof in);
    shrink_isolate(&work->shrink.op, &work->shrink.plan, &work->shrink.target, work->arch, in);
    if (run(work, work->arch, in, got) &&
        shrink_result(&work->shrink.target, got) == shrink_result(&work->shrink.target, work->got))
        memcpy(work->in, in, sizeof in);
}

/* The expected result of the small case: for the element that differs that of the hardware or its
 * stand-in, elsewhere that of the model. */
static void expect_small(struct work *work) {
    uint32_t there[SHRINK_WORDS];
    uint64_t bits = shrink_result(&work->shrink.target, work->expected);
    if (work->stand_in && run(work, work->stand_in, work->in, there))
        bits = shrink_result(&work->shrink.target, there);
    run(work, work->arch, work->in, work->got);
    memcpy(work->expected, work->got, sizeof work->expected);
    shrink_set_result(&work->shrink.target, work->expected, bits);
}

static void make_small(struct work *work, const struct wsim_trace *trace) {
    work->before = shrink_operands(&work->shrink.plan, work->in);
    work->stand_in = find_stand_in(work, wsim_arch_find(wsim_trace_header(trace, "arch")));
    work->shrink.judge = judge;
    work->shrink.about = work;
    work->shrink.batch = 1;
    work->shrink.limit = MOST_BLOCKS;
    if (work->stand_in)
        shrink_run(&work->shrink, work->arch, work->in);
    else
        isolate(work);
    expect_small(work);
}

/* --- the trace --- */

static void put_header(FILE *out, const struct wsim_trace *trace, const struct wsim_arch *arch) {
    static const char *const keys[] = {"gpu",       "arch", "driver", "toolkit",
                                       "generator", "seed", "date"};
    fputs("#wsim-trace 1\n", out);
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
        fprintf(out, "#%s: %s\n", keys[i], wsim_trace_header(trace, keys[i]));
    fprintf(out,
            "# Made small by wsim %s from cases of such a trace: not as recorded any more.\n"
            "# They differ with: wsim replay --arch %s\n",
            wsim_version(), wsim_arch_name(arch));
}

static FILE *open_trace(struct minimize *minimize, const struct wsim_trace *trace,
                        const struct wsim_arch *arch) {
    if (minimize->out || minimize->status)
        return minimize->out;
    minimize->out = minimize->path ? output_open(&minimize->file, minimize->path) : stdout;
    if (minimize->out)
        put_header(minimize->out, trace, arch);
    else
        minimize->status = TOOL_USAGE;
    return minimize->out;
}

static void put_case(FILE *out, const struct work *work, const char *file, unsigned long line) {
    static char text[WSIM_CASE_TEXT];
    fprintf(out, "#\n# %s:%lu: %u of %u nonzero operands are left\n", text_path(file).text, line,
            shrink_operands(&work->shrink.plan, work->in), work->before);
    if (work->stand_in)
        fprintf(out, "# stand-in: %s gives the recorded result; expected below is what it gives\n",
                wsim_arch_name(work->stand_in));
    else
        fputs("# no stand-in: no model gives the recorded result; only what the element is not "
              "made of is gone\n",
              out);
    shrink_print(out, "# ", &work->shrink, work->in, work->expected, work->got);
    wsim_trace_case_text(&work->shrink.op, &work->shrink.plan, work->in, work->expected, text,
                         sizeof text);
    fprintf(out, "%s\n", text);
}

static void report(const struct work *work, const char *file, unsigned long line,
                   const char *spelling) {
    const char *who = work->stand_in ? wsim_arch_name(work->stand_in) : "";
    tool_note("%s:%lu: %s: %u of %u nonzero operands are left; %s%s%s", text_path(file).text, line,
              spelling, shrink_operands(&work->shrink.plan, work->in), work->before,
              *who ? "stand-in: " : "", who,
              *who ? " gives the recorded result"
                   : "no model gives the recorded result, a GPU can go on: wsim-hw minimize");
}

void minimize_case(struct minimize *minimize, const struct wsim_trace *trace,
                   const struct wsim_arch *arch, const char *file, unsigned long line,
                   const struct wsim_replay *replay) {
    static struct work work;
    const char *spelling = wsim_trace_spelling(trace), *why;
    FILE *out;
    if (minimize->cases == minimize->first) {
        minimize->more++;
        return;
    }
    memset(&work, 0, sizeof work);
    work.arch = arch ? arch : wsim_arch_find(wsim_trace_header(trace, "arch"));
    why = prepare(&work, trace, replay);
    if (why) {
        tool_note("%s:%lu: %s: not made small: %s", text_path(file).text, line, spelling, why);
        return;
    }
    out = open_trace(minimize, trace, work.arch);
    if (!out)
        return;
    make_small(&work, trace);
    minimize->cases++;
    put_case(out, &work, file, line);
    report(&work, file, line, spelling);
}

int minimize_check(struct minimize *minimize, int wanted, const char *first, const char **files,
                   enum tool_format format) {
    if (!wanted && (minimize->path || first))
        return tool_error("%s goes with --minimize", minimize->path ? "--small" : "--first");
    if (!wanted)
        return TOOL_GO;
    if (format != TOOL_TEXT)
        return tool_error("--minimize writes a trace, and has no other format");
    if (files[0] && files[1])
        return tool_error("--minimize takes one trace, whose header it writes");
    if (minimize->path && files[0] && output_is_input(minimize->path, files[0]))
        return tool_error("%s is the input trace", text_path(minimize->path).text);
    tool_number("--first", first, UINT32_MAX, &minimize->first);
    return TOOL_GO;
}

int minimize_end(struct minimize *minimize) {
    if (!minimize->cases && !minimize->status)
        tool_note("no case was made small; nothing is written");
    if (minimize->more)
        tool_note("%lu more cases differ (--first N takes N)", minimize->more);
    if (minimize->out && minimize->path && output_close(&minimize->file) != TOOL_GO)
        minimize->status = TOOL_USAGE;
    return minimize->status;
}
