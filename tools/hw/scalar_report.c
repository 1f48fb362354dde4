/* scalar_report.c - what the comparison of scalar instructions found, for people and as JSON. */
#include "scalar.h"

#include <inttypes.h>

/* The operands of a note by name, as they are written; carries and parts have none. */
static void print_note(FILE *file, const struct hw_form *form, const struct hw_scalar_note *note) {
    fprintf(file, "    number %" PRIu64 ":", note->number);
    for (unsigned i = 0; i < form->info.operands; i++) {
        const struct wsim_scalar_operand *o = &form->info.operand[i];
        const unsigned registers = o->bits > 64 ? 2u * o->vector : o->vector;
        for (unsigned k = 0; k < registers && !o->result; k++)
            fprintf(file, " %c=0x%" PRIx64, o->name, note->in[form->first[i] + k]);
    }
    if (form->reads_carry)
        fprintf(file, " carry=%" PRIu64, note->in[form->words - 1]);
    fprintf(file, ": hardware");
    for (unsigned r = 0; r < form->results; r++)
        fprintf(file, " 0x%" PRIx64, note->hardware[r]);
    if (note->refusal != WSIM_OK) {
        fprintf(file, ", the model refuses (status %d)\n", note->refusal);
        return;
    }
    fprintf(file, ", model");
    for (unsigned r = 0; r < form->results; r++)
        fprintf(file, " 0x%" PRIx64, note->model[r]);
    fprintf(file, "\n");
}

static void print_row(const struct hw_scalar_row *row) {
    char name[HW_FORM_NAME];
    hw_form_name(&row->form, name);
    printf("%12" PRIu64 " %12" PRIu64 " %8.2f  %s\n", row->cases, row->differences, row->seconds,
           name);
}

/* Operations that have been run, forms, sources, and where the two sides differ. */
struct sums {
    size_t operations, forms, differing, refused;
    uint64_t cases, differences;
};

static struct sums sum(const struct hw_scalar_report *report) {
    struct sums s = {0};
    for (size_t i = 0; i < report->nrows; i++) {
        const struct hw_scalar_row *row = &report->rows[i];
        s.operations +=
            row->there && (i == 0 || report->rows[i - 1].form.variant >= row->form.variant);
        s.forms += row->there;
        s.refused += !row->there;
        s.differing += row->differences != 0;
        s.cases += row->cases;
        s.differences += row->differences;
    }
    return s;
}

void hw_scalar_text(const struct hw_scalar_report *report) {
    const struct sums s = sum(report);
    printf("%s, driver %s, CUDA %s; seed 0x%" PRIx64 ", %s, %u threads, %.1f s\n",
           report->device->gpu, report->device->driver, report->device->toolkit, report->seed,
           report->counts ? "all inputs" : "half special, half random", report->threads,
           report->seconds);
    printf("%12s %12s %8s  %s\n", "results", "differences", "seconds", "form");
    for (size_t i = 0; i < report->nrows; i++)
        if (report->rows[i].differences) {
            print_row(&report->rows[i]);
            for (unsigned k = 0; k < report->rows[i].notes; k++)
                print_note(stdout, &report->rows[i].form, &report->rows[i].note[k]);
        }
    for (size_t i = 0; i < report->nrows; i++)
        if (!report->rows[i].there) {
            char name[HW_FORM_NAME];
            hw_form_name(&report->rows[i].form, name);
            printf("%12s %12s %8s  %s\n", "-", "-", "not built", name);
        }
    for (size_t i = 0; report->every && i < report->nrows; i++)
        if (report->rows[i].there && !report->rows[i].differences)
            print_row(&report->rows[i]);
    printf("%zu operations, %zu forms, %" PRIu64 " results, %" PRIu64 " differences in %zu forms, "
           "%zu not built\n",
           s.operations, s.forms, s.cases, s.differences, s.differing, s.refused);
}

static void json_note(const struct hw_form *form, const struct hw_scalar_note *note) {
    printf("{\"number\": %" PRIu64 ", \"in\": [", note->number);
    for (unsigned i = 0; i < form->words; i++)
        printf("%s\"0x%" PRIx64 "\"", i ? ", " : "", note->in[i]);
    printf("], \"hardware\": [");
    for (unsigned i = 0; i < form->results; i++)
        printf("%s\"0x%" PRIx64 "\"", i ? ", " : "", note->hardware[i]);
    printf("], \"model\": [");
    for (unsigned i = 0; i < form->results && note->refusal == WSIM_OK; i++)
        printf("%s\"0x%" PRIx64 "\"", i ? ", " : "", note->model[i]);
    printf("]}");
}

void hw_scalar_json(const struct hw_scalar_report *report) {
    const struct sums s = sum(report);
    printf("{\"schema\": \"wsim.hw.scalar\", \"version\": 1, \"gpu\": \"%s\", \"driver\": \"%s\", "
           "\"toolkit\": \"%s\", \"seed\": \"0x%" PRIx64 "\", \"all_inputs\": %s, \"threads\": %u, "
           "\"seconds\": %.1f,\n \"operations\": %zu, \"forms\": %zu, \"results\": %" PRIu64
           ", \"differences\": %" PRIu64 ", \"not_built\": %zu,\n \"rows\": [",
           report->device->gpu, report->device->driver, report->device->toolkit, report->seed,
           report->counts ? "true" : "false", report->threads, report->seconds, s.operations,
           s.forms, s.cases, s.differences, s.refused);
    for (size_t i = 0; i < report->nrows; i++) {
        const struct hw_scalar_row *row = &report->rows[i];
        char name[HW_FORM_NAME];
        hw_form_name(&row->form, name);
        printf("%s\n  {\"form\": \"%s\", \"row\": \"%s\", \"built\": %s, \"results\": %" PRIu64
               ", \"differences\": %" PRIu64 ", \"seconds\": %.3f, \"first\": [",
               i ? "," : "", name, row->form.info.row, row->there ? "true" : "false", row->cases,
               row->differences, row->seconds);
        for (unsigned k = 0; k < row->notes; k++) {
            printf("%s", k ? ", " : "");
            json_note(&row->form, &row->note[k]);
        }
        printf("]}");
    }
    printf("]}\n");
}
