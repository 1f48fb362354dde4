/* A user's program on libwsim-harness. Makes a case by number, executes it, adds it to a digest,
 * and replays it as a line of a trace. */
#include <stdio.h>
#include <string.h>
#include <wsim/harness/harness.h>

static const char header[][24] = {"#wsim-trace 1", "#gpu: g",          "#arch: sm_90a",
                                  "#driver: d",    "#toolkit: t",      "#generator: g",
                                  "#seed: 0",      "#date: 2026-11-21"};

static int replay(const char *spelling, uint64_t digest) {
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_replay replay;
    char line[256];
    int is_case = 0;
    if (!trace)
        return 0;
    for (unsigned i = 0; i < sizeof header / sizeof header[0]; i++)
        wsim_trace_line(trace, header[i], strlen(header[i]), &is_case, NULL);
    snprintf(line, sizeof line, "%s\tstream=%d\tdist=all\tseed=7\tfirst=5\tcases=1\tdigest=%016llx",
             spelling, WSIM_STREAM, (unsigned long long)digest);
    wsim_trace_line(trace, line, strlen(line), &is_case, NULL);
    wsim_trace_replay(trace, NULL, &replay);
    wsim_trace_free(trace);
    return is_case && replay.verdict == WSIM_EQUAL;
}

int main(void) {
    static const char spelling[] = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    static uint32_t in[WSIM_CASE_WARP_ROWS * WSIM_LANES], out[WSIM_CASE_WARP_ROWS * WSIM_LANES];
    static struct wsim_case_scratch scratch;
    struct wsim_diag diag;
    struct wsim_plan plan;
    struct wsim_code code;
    struct wsim_case c;
    struct wsim_op op;
    uint64_t digest;
    if (wsim_op_parse(spelling, &op, &diag) || wsim_plan_make(&op, 0, &plan, &diag) ||
        wsim_prepare(&op, wsim_arch_find("sm_90a"), 0, &code, &diag))
        return puts(diag.text), 1;
    c = wsim_case_at(&plan, 7, 5, WSIM_DISTS);
    wsim_case_fill(&plan, &c, in);
    if (wsim_case_run(&code, &plan, in, out, &scratch, &diag))
        return puts(diag.text), 1;
    digest = wsim_case_digest(5, out, plan.out_rows * WSIM_LANES);
    return replay(spelling, digest) && !replay(spelling, digest + 1) ? 0 : 1;
}
