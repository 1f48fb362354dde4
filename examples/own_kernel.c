/* Your own kernel against the model: operands by number, results as a trace.
 *
 * The kernel replaces movmatrix, a transposition of 8 x 8 elements, by loads and stores. It is
 * plain C, so the example runs anywhere. On a GPU it would be a launch; the kernel can then make
 * its operands itself with wsim_case_word of <wsim/harness/stream.h>.
 *
 *     build/examples/own_kernel | wsim replay -
 */
#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

#include <stdio.h>

/* Lane l holds the elements [l / 4][2 * (l % 4)] and the next, in one register. */
static void my_transpose(const uint32_t a[WSIM_LANES], uint32_t d[WSIM_LANES]) {
    uint16_t tile[8][8];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        tile[lane % 4 * 2][lane / 4] = (uint16_t)a[lane];
        tile[lane % 4 * 2 + 1][lane / 4] = (uint16_t)(a[lane] >> 16);
    }
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        d[lane] = tile[lane / 4][lane % 4 * 2] | (uint32_t)tile[lane / 4][lane % 4 * 2 + 1] << 16;
}

static void print_header(void) {
    printf("#wsim-trace 1\n"
           "#gpu: none, plain C\n#arch: sm_90a\n#driver: none\n#toolkit: none\n"
           "#generator: examples/own_kernel\n#seed: 7\n#date: 2026-11-21\n");
}

int main(void) {
    static char line[WSIM_CASE_TEXT];
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_ROWS * WSIM_LANES];
    struct wsim_plan plan;
    struct wsim_diag diag;
    struct wsim_op op;
    if (wsim_op_parse("movmatrix.sync.aligned.m8n8.trans.b16", &op, &diag) ||
        wsim_plan_make(&op, 0, &plan, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        return 1;
    }
    print_header();
    for (uint64_t number = 0; number < 4; number++) {
        struct wsim_case c = wsim_case_at(&plan, 7, number, WSIM_DIST_RAW);
        wsim_case_fill(&plan, &c, in);
        my_transpose(in + plan.input[WSIM_IN_A].first * WSIM_LANES, out);
        wsim_trace_case_text(&op, &plan, in, out, line, sizeof line);
        printf("%s\n", line);
    }
    return 0;
}
