/* planted.c - recordings in which hardware and model disagree, because another model recorded them
 * or a result was changed. Also an independent check of the shrunken cases.
 *
 *     planted list                 one line each: NAME ARCH MOST
 *     planted record NAME          the trace
 *     planted count ARCH <TRACE    of each case: nonzero operands, differing elements, the first
 * ARCH is the model under test; MOST the nonzero operands that may be left.
 */
#include <wsim/harness/harness.h>
#include "../../tools/lib/execute.h"
#include <wsim/wsim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = WSIM_CASE_ROWS * WSIM_LANES };

static const struct planted {
    const char *name, *recorded, *model, *spelling;
    unsigned selector, dist;
    uint64_t number;
    int flip; /* word of the result that gets another bit; -1: none, the models differ */
    unsigned most;
} planted[] = {
    {"sums", "sm_90a", "sm_80", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0,
     WSIM_DIST_NEAR_ONE, 0, -1, 8},
    {"sparse", "sm_90a", "sm_80", "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 1,
     WSIM_DIST_FINITE, 0, -1, 8},
    {"tf32", "sm_80", "sm_90a", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 0,
     WSIM_DIST_CANCELLING, 1, -1, 8},
    {"bytes", "sm_89", "sm_90a", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 0,
     WSIM_DIST_NEAR_ONE, 0, -1, 4},
    {"quads", "sm_80", "sm_70", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 0,
     WSIM_DIST_NEAR_ONE, 0, -1, 8},
    {"doubles", "sm_90a", "sm_90a", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 0,
     WSIM_DIST_NEAR_ONE, 0, 5, 9},
    {"integers", "sm_90a", "sm_90a", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", 0,
     WSIM_DIST_RAW, 0, 70, 65},
    {"nibbles", "sm_80", "sm_80", "mma.sp.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32", 0,
     WSIM_DIST_RAW, 0, 3, 65},
    {"scaled", "sm_120a", "sm_120a",
     "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
     "ue4m3",
     0, WSIM_DIST_NEAR_ONE, 0, 5, 129},
    {"load", "sm_90a", "sm_90a", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 0, WSIM_DIST_RAW,
     0, 37, 2},
    {"store", "sm_90a", "sm_90a", "stmatrix.sync.aligned.m8n8.x2.shared.b16", 0, WSIM_DIST_RAW, 1,
     40, 1},
    {"transpose", "sm_90a", "sm_90a", "movmatrix.sync.aligned.m8n8.trans.b16", 0, WSIM_DIST_RAW, 0,
     17, 1},
};
enum { PLANTED = sizeof planted / sizeof *planted };

static int fail(const char *what, const char *why) {
    fprintf(stderr, "planted: %s: %s\n", what, why);
    return 2;
}

static int record(const struct planted *p) {
    static uint32_t in[WORDS], out[WORDS];
    static char text[WSIM_CASE_TEXT];
    struct wsim_diag diag;
    struct wsim_plan plan;
    struct wsim_case c;
    struct wsim_op op;
    if (wsim_op_parse(p->spelling, &op, &diag) || wsim_plan_make(&op, p->selector, &plan, &diag))
        return fail(p->name, diag.text);
    c = wsim_case_at(&plan, 1, p->number, p->dist);
    wsim_case_fill(&plan, &c, in);
    if (execute_case(&op, wsim_arch_find(p->recorded), &plan, in, out, &diag))
        return fail(p->name, diag.text);
    if (p->flip >= 0)
        out[p->flip] ^= 0x10;
    wsim_trace_case_text(&op, &plan, in, out, text, sizeof text);
    printf("#wsim-trace 1\n#gpu: none\n#arch: %s\n#driver: none\n#toolkit: none\n"
           "#generator: planted\n#seed: 1\n#date: 2026-11-21\n%s\n",
           p->recorded, text);
    return 0;
}

/* Elements of one operand that are not zero, by its layout. */
static unsigned nonzero(const struct wsim_op *op, enum wsim_operand operand,
                        const uint32_t *words) {
    struct wsim_layout layout;
    struct wsim_regs regs;
    unsigned n = 0;
    if (wsim_op_layout(op, NULL, operand, &layout, NULL))
        return 0;
    memcpy(regs.r, words, layout.regs * sizeof regs.r[0]);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned elem = 0; elem < layout.elems; elem++)
            n += wsim_regs_get(&layout, &regs, wsim_layout_place(&layout, lane, elem)) != 0;
    return n;
}

static unsigned nonzero_bytes(const struct wsim_plan *plan, const uint32_t *words) {
    unsigned n = 0;
    for (unsigned i = 0; i < plan->input[WSIM_IN_SMEM].rows * 128u; i++)
        n += (words[i / 4] >> 8 * (i % 4) & 0xff) != 0;
    return n;
}

static int count_case(struct wsim_trace *trace, const struct wsim_arch *arch) {
    static uint32_t in[WORDS], out[WORDS];
    struct wsim_replay replay;
    struct wsim_diag diag;
    struct wsim_plan plan;
    struct wsim_op op;
    unsigned n;
    wsim_trace_replay(trace, arch, &replay);
    if (wsim_op_parse(wsim_trace_spelling(trace), &op, &diag) ||
        wsim_trace_block(trace, &plan, in, out, &diag))
        return fail(wsim_trace_spelling(trace), diag.text);
    n = nonzero(&op, WSIM_A, in + plan.input[WSIM_IN_A].first * WSIM_LANES) +
        nonzero(&op, WSIM_B, in + plan.input[WSIM_IN_B].first * WSIM_LANES) +
        nonzero(&op, WSIM_C, in + plan.input[WSIM_IN_C].first * WSIM_LANES) +
        nonzero(&op, WSIM_R, in + plan.input[WSIM_IN_R].first * WSIM_LANES) +
        nonzero_bytes(&plan, in + plan.input[WSIM_IN_SMEM].first * WSIM_LANES);
    printf("%u %llu %s[%u][%u][%u]+%u\n", n, (unsigned long long)replay.differences,
           replay.differences ? replay.first.field : "equal", replay.first.coord.batch,
           replay.first.coord.row, replay.first.coord.col, (unsigned)replay.first.offset);
    return 0;
}

static int count(const char *arch) {
    static char line[1 << 16];
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_diag diag;
    int status = 0;
    while (!status && fgets(line, sizeof line, stdin)) {
        int is_case;
        if (wsim_trace_line(trace, line, strlen(line), &is_case, &diag))
            status = fail("line", diag.text);
        else if (is_case)
            status = count_case(trace, wsim_arch_find(arch));
    }
    wsim_trace_free(trace);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "count") == 0)
        return count(argv[2]);
    for (int i = 0; i < PLANTED; i++)
        if (argc == 2 && strcmp(argv[1], "list") == 0)
            printf("%s %s %u\n", planted[i].name, planted[i].model, planted[i].most);
        else if (argc == 3 && strcmp(argv[1], "record") == 0 &&
                 strcmp(argv[2], planted[i].name) == 0)
            return record(&planted[i]);
    return argc == 2 ? 0 : 2;
}
