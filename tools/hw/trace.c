/* trace.c - cases as lines of docs/trace-format.md. */
#include "hw.h"

#include <inttypes.h>
#include <time.h>

void hw_trace_head(FILE *file, const struct hw_session *session) {
    time_t now = time(NULL);
    char date[16] = "";
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(file,
            "#wsim-trace 1\n#gpu: %s\n#arch: %s\n#driver: %s\n#toolkit: %s\n"
            "#generator: wsim-hw %s\n#seed: 0x%" PRIx64 "\n#date: %s\n",
            session->device.gpu, wsim_arch_name(session->arch), session->device.driver,
            session->device.toolkit, wsim_version(), session->options.seed, date);
}

/* Registers, each of them lane by lane; two words of a 64-bit one together. */
static void put_words(FILE *file, const char *name, const uint32_t *words, unsigned rows,
                      int doubles) {
    fprintf(file, "\t%s=", name);
    for (unsigned row = 0; row < rows; row += doubles ? 2 : 1)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            if (doubles)
                fprintf(file, "%08" PRIx32, words[(row + 1) * WSIM_LANES + lane]);
            fprintf(file, "%08" PRIx32, words[row * WSIM_LANES + lane]);
        }
}

static void put_bytes(FILE *file, const char *name, const uint32_t *words) {
    fprintf(file, "\t%s=", name);
    for (unsigned i = 0; i < WSIM_CASE_WINDOW_BYTES; i++)
        fprintf(file, "%02x", (unsigned)(words[i / 4] >> 8 * (i % 4) & 0xff));
}

static void put_picked(FILE *file, char operand, uint32_t picked) {
    fprintf(file, "\tbid%c=%u\ttid%c=%u", operand, (unsigned)(picked & 0xff), operand,
            (unsigned)(picked >> 8 & 0xff));
}

static void put_inputs(FILE *file, const struct wsim_plan *plan, const uint32_t *in) {
    static const char *const names[WSIM_INPUTS] = {"a",   "b", "c", "e",    "sfa",
                                                   "sfb", "",  "r", "smem", "addr"};
    for (int i = 0; i < WSIM_INPUTS; i++) {
        const struct wsim_plan_input *o = &plan->input[i];
        const uint32_t *words = in + o->first * WSIM_LANES;
        if (o->rows && i == WSIM_IN_SMEM)
            put_bytes(file, names[i], words);
        else if (o->rows && i != WSIM_IN_PICK)
            put_words(file, names[i], words, o->rows, o->elem_bits == 64);
    }
    if (plan->sparse)
        fprintf(file, "\tsel=%u", plan->selector);
    if (plan->bytes_a) {
        put_picked(file, 'A', in[plan->input[WSIM_IN_PICK].first * WSIM_LANES]);
        put_picked(file, 'B', in[plan->input[WSIM_IN_PICK].first * WSIM_LANES] >> 16);
    }
}

void hw_trace_case(FILE *file, const struct hw_session *session, const struct hw_job *job,
                   uint64_t number, const uint32_t *out) {
    const struct wsim_plan *plan = &job->plan;
    struct wsim_case c = wsim_case_at(plan, session->options.seed, number, session->options.dist);
    uint32_t in[WSIM_LANES * 64];
    wsim_case_fill(plan, &c, in);
    fprintf(file, "# case %" PRIu64 ", %s\n%s", number, wsim_dist_name(c.dist),
            job->kernel->spelling);
    put_inputs(file, plan, in);
    if (plan->store)
        put_bytes(file, "smem_after", out);
    else
        put_words(file, "d", out, plan->out_rows, plan->input[WSIM_IN_C].elem_bits == 64);
    fputc('\n', file);
}
