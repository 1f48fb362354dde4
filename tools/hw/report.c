/* report.c - what a diff found, for people and as JSON. */
#include "hw.h"
#include "../lib/execute.h"

#include <inttypes.h>

static double rate(const struct hw_row *row) {
    return row->seconds > 0 ? (double)row->elements / row->seconds : 0;
}

static void print_row(const struct hw_row *row, const char *name) {
    printf("%12" PRIu64 " %14" PRIu64 " %12" PRIu64 " %8.2f %10.1f  %s\n", row->cases,
           row->elements, row->differences, row->seconds, rate(row) / 1e6, name);
}

void hw_report_text(const struct hw_session *session, const struct hw_report *report) {
    const struct hw_row *total = &report->total;
    printf("%s, driver %s, CUDA %s, against the model of %s; seed 0x%" PRIx64
           ", %s, shard %u/%u, %u threads\n",
           session->device.gpu, session->device.driver, session->device.toolkit,
           wsim_arch_name(session->arch), session->options.seed,
           wsim_dist_name(session->options.dist), session->options.shard.index,
           session->options.shard.count, report->threads);
    printf("%12s %14s %12s %8s %10s  %s\n", "cases", "results", "differences", "seconds",
           "million/s", "spelling");
    for (size_t i = 0; i < report->nrows; i++)
        print_row(&report->rows[i], report->rows[i].spelling);
    print_row(total, "total");
    printf("%zu spellings, %" PRIu64 " cases, %" PRIu64 " results, %" PRIu64
           " differences in %" PRIu64 " cases\n",
           report->nrows, total->cases, total->elements, total->differences,
           total->differing_cases);
}

static void json_row(const struct hw_row *row) {
    printf("\"cases\": %" PRIu64 ", \"results\": %" PRIu64 ", \"differences\": %" PRIu64
           ", \"differing_cases\": %" PRIu64 ", \"seconds\": %.3f, \"results_per_second\": %.0f}",
           row->cases, row->elements, row->differences, row->differing_cases, row->seconds,
           rate(row));
}

void hw_report_json(const struct hw_session *session, const struct hw_report *report) {
    printf("{\"schema\": \"wsim.hw.diff\", \"version\": 1, \"gpu\": \"%s\", \"driver\": \"%s\", "
           "\"toolkit\": \"%s\", \"arch\": \"%s\", \"seed\": \"0x%" PRIx64
           "\", \"dist\": \"%s\", \"shard\": [%u, %u], \"threads\": %u,\n \"total\": {",
           session->device.gpu, session->device.driver, session->device.toolkit,
           wsim_arch_name(session->arch), session->options.seed,
           wsim_dist_name(session->options.dist), session->options.shard.index,
           session->options.shard.count, report->threads);
    json_row(&report->total);
    printf(",\n \"rows\": [");
    for (size_t i = 0; i < report->nrows; i++) {
        printf("%s\n  {\"spelling\": \"%s\", ", i ? "," : "", report->rows[i].spelling);
        json_row(&report->rows[i]);
    }
    printf("],\n \"first\": [");
    for (unsigned i = 0; i < report->notes; i++)
        printf("%s\n  {\"spelling\": \"%s\", \"selector\": %u, \"case\": %" PRIu64
               ", \"register\": %u, \"lane\": %u, \"elements\": %u, \"refusal\": \"%s\"}",
               i ? "," : "", report->note[i].kernel->spelling, report->note[i].kernel->selector,
               report->note[i].number, (unsigned)(report->note[i].word / WSIM_LANES),
               (unsigned)(report->note[i].word % WSIM_LANES), (unsigned)report->note[i].elements,
               report->note[i].refusal.status ? wsim_status_name(report->note[i].refusal.status)
                                              : "");
    printf("]}\n");
}

/* The elements of an operand in one row or column, as hex. */
static void print_line(FILE *file, const struct hw_job *job, enum wsim_operand operand,
                       const uint32_t *words, struct wsim_coord at, const char *name) {
    struct wsim_layout layout;
    struct wsim_place place;
    unsigned along = operand == WSIM_A, n;
    if (wsim_op_layout(&job->op, job->arch, operand, &layout, NULL))
        return;
    n = operand == WSIM_C ? 1 : along ? layout.cols : layout.rows;
    fprintf(file, "    %s:", name);
    for (unsigned i = 0; i < n; i++) {
        if (operand == WSIM_A)
            at.col = (uint16_t)i;
        if (operand == WSIM_B)
            at.row = (uint16_t)i;
        if (wsim_layout_places(&layout, at, &place, 1))
            fprintf(file, " %0*" PRIx64, (layout.elem_bits + 3) / 4,
                    wsim_words_get(&layout, words, place));
    }
    fputc('\n', file);
}

/* A or B of a wgmma, as its descriptor reads it. */
static void print_described(FILE *file, const struct hw_job *job, enum wsim_operand operand,
                            const uint32_t *in, unsigned row) {
    const struct wsim_plan *plan = &job->plan;
    const uint32_t *how = in + plan->input[WSIM_IN_HOW].first * WSIM_LANES;
    const uint32_t *window = in + plan->input[WSIM_IN_MATRIX_A].first * WSIM_LANES;
    int is_b = operand == WSIM_B;
    unsigned trans = how[WSIM_CHOICE_WORD] & (is_b ? WSIM_CHOICE_TRANS_B : WSIM_CHOICE_TRANS_A);
    uint64_t bits = how[2 * is_b] | (uint64_t)how[2 * is_b + 1] << 32;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    wsim_descriptor_decode(bits, &descriptor, NULL);
    wsim_wgmma_tile(&job->op, operand, trans != 0, &tile, NULL);
    fprintf(file, "    %s, descriptor %016" PRIx64 "%s:", is_b ? "column of B" : "row of A", bits,
            trans ? ", transposed" : "");
    for (unsigned k = 0; k < tile.k; k++) {
        uint32_t address = wsim_descriptor_address(&descriptor, &tile, row, k);
        unsigned lsb = address % 4 * 8 + (tile.bits < 8 ? k % 8 : 0);
        fprintf(file, " %0*" PRIx64, (tile.bits + 3) / 4,
                window[address / 4] >> lsb & wsim_stream_ones(tile.bits));
    }
    fputc('\n', file);
}

static void print_group_inputs(FILE *file, const struct hw_job *job, const uint32_t *in,
                               struct wsim_coord at) {
    const struct wsim_plan_input *o = job->plan.input;
    uint32_t choice = in[o[WSIM_IN_HOW].first * WSIM_LANES + WSIM_CHOICE_WORD];
    if (choice & WSIM_CHOICE_REGISTERS)
        print_line(file, job, WSIM_A, in + o[WSIM_IN_A].first * WSIM_LANES, at, "row of A");
    else
        print_described(file, job, WSIM_A, in, at.row);
    print_described(file, job, WSIM_B, in, at.col);
    print_line(file, job, WSIM_C, in + o[WSIM_IN_C].first * WSIM_LANES, at, "C");
    fprintf(file, "    scale-d %d, signs %c%c\n", (choice & WSIM_CHOICE_SCALE_D) != 0,
            choice & WSIM_CHOICE_NEGATE_A ? '-' : '+', choice & WSIM_CHOICE_NEGATE_B ? '-' : '+');
}

static void print_inputs(FILE *file, const struct hw_job *job, const uint32_t *in,
                         struct wsim_coord at) {
    const struct wsim_plan_input *o = job->plan.input;
    if (job->plan.variants) {
        print_group_inputs(file, job, in, at);
        return;
    }
    print_line(file, job, WSIM_A, in + o[WSIM_IN_A].first * WSIM_LANES, at, "row of A");
    print_line(file, job, WSIM_B, in + o[WSIM_IN_B].first * WSIM_LANES, at, "column of B");
    print_line(file, job, WSIM_C, in + o[WSIM_IN_C].first * WSIM_LANES, at, "C");
}

/* Where the bits begin in which two words of elements differ. */
static unsigned differing_bit(const struct wsim_layout *layout, uint32_t a, uint32_t b) {
    unsigned lsb = 0;
    while (layout->elem_bits < 32 &&
           !((a ^ b) >> lsb & (uint32_t)wsim_stream_ones(layout->elem_bits)))
        lsb += layout->elem_bits;
    return lsb;
}

void hw_report_place(FILE *file, const struct hw_job *job, const uint32_t *in,
                     const uint32_t *hardware, const uint32_t *other, const char *name) {
    uint32_t word;
    unsigned reg, lane, elem;
    struct wsim_layout layout;
    struct wsim_place place;
    struct wsim_coord at;
    if (!hw_count_differences(job, hardware, other, &word))
        return;
    if (job->plan.store || wsim_op_layout(&job->op, job->arch, WSIM_D, &layout, NULL)) {
        fprintf(file, "  word at offset %u: hardware %08" PRIx32 ", %s %08" PRIx32 "\n",
                (unsigned)word * 4, hardware[word], name, other[word]);
        return;
    }
    reg = word / layout.lanes;
    lane = word % layout.lanes;
    elem = (reg * 32 + differing_bit(&layout, hardware[word], other[word])) / layout.elem_bits;
    place = wsim_layout_place(&layout, lane, elem);
    at = wsim_layout_coord(&layout, lane, elem);
    fprintf(file,
            "  matrix %u, D[%u][%u], lane %u, register %u, bit %u: hardware %08" PRIx32
            ", %s %08" PRIx32 "\n",
            at.batch, at.row, at.col, lane, place.reg, place.lsb, hardware[word], name,
            other[word]);
    print_inputs(file, job, in, at);
}

/* Against the model: it is run once more. */
static void print_model(FILE *file, const struct hw_session *session, const struct hw_job *job,
                        const uint32_t *in, const uint32_t *hardware) {
    static uint32_t model[WSIM_LANES * WSIM_CASE_ROWS];
    if (execute_case(&job->op, session->arch, &job->plan, in, model, NULL) == WSIM_OK)
        hw_report_place(file, job, in, hardware, model, "model");
}

void hw_report_note(FILE *file, const struct hw_session *session, const struct hw_job *job,
                    const struct hw_note *note, const uint32_t *hardware, unsigned line) {
    const struct hw_options *options = &session->options;
    struct wsim_case c = wsim_case_at(&job->plan, options->seed, note->number, job->dist);
    static uint32_t in[WSIM_LANES * WSIM_CASE_ROWS];
    wsim_case_fill(&job->plan, &c, in);
    fprintf(file, "\n%s, selector %u, case %" PRIu64 " (%s): %u elements differ\n",
            note->kernel->spelling, note->kernel->selector, note->number, wsim_dist_name(c.dist),
            (unsigned)note->elements);
    if (note->refusal.status)
        fprintf(file, "  the model refuses: %s\n", note->refusal.text);
    else
        print_model(file, session, job, in, hardware);
    fprintf(file, "  offline: sed -n '1,8p;%up' %s | wsim replay -\n", line, options->out);
    fprintf(file,
            "  again: wsim-hw diff --ops '%s' --seed 0x%" PRIx64 " --dist %s --first %" PRIu64
            " --cases 1\n",
            note->kernel->spelling, options->seed, wsim_dist_name(c.dist), note->number);
}
