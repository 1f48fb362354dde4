/* The results of one launch. */
#include "report.h"

#include "../decode/count.h"
#include "../isa/isa.h"
#include "../state/module.h"

#include <stdlib.h>

struct wsim_report *report_make(const struct run_launch *launch) {
    struct wsim_report *report = calloc(1, sizeof *report);
    if (!report)
        return NULL;
    report->module = launch->module;
    report->program = launch->program;
    report->shared_base = launch->shared_base;
    report->counts = calloc(launch->program->n_ops + 1u, sizeof *report->counts);
    report->lines = calloc(launch->program->n_ops + 1u, sizeof *report->lines);
    report->output = calloc(1, 1);
    if (launch->how->count && launch->program->n_merged)
        report->written = calloc(launch->program->n_merged, sizeof *report->written);
    if (report->counts && report->lines && report->output &&
        (report->written || !launch->how->count || !launch->program->n_merged))
        return report;
    wsim_report_free(report);
    return NULL;
}

void wsim_report_free(struct wsim_report *report) {
    if (!report)
        return;
    for (size_t i = 0; i < report->n_findings; i++)
        launch_finding_free(&report->findings[i]);
    free(report->findings);
    free(report->counts);
    free(report->written);
    free(report->lines);
    free(report->output);
    free(report->touched);
    free(report);
}

static void add_counts(struct run_counts *to, const struct run_counts *from) {
    to->executed += from->executed, to->threads += from->threads;
    to->accesses += from->accesses, to->wavefronts += from->wavefronts;
    to->ideal += from->ideal, to->conflicts += from->conflicts;
    to->uncounted += from->uncounted;
    to->requests += from->requests, to->sectors += from->sectors;
    to->sectors_ideal += from->sectors_ideal, to->lines += from->lines;
}

static void add_shared(struct wsim_shared_counts *to, const struct wsim_shared_counts *from) {
    to->accesses += from->accesses, to->wavefronts += from->wavefronts;
    to->ideal += from->ideal, to->conflicts += from->conflicts;
}

static struct wsim_shared_counts shared_counts(const struct run_counts *counts) {
    return (struct wsim_shared_counts){counts->accesses, counts->wavefronts, counts->ideal,
                                       counts->conflicts};
}

/* The counts of the PTX as written. */
static struct wsim_shared_counts as_written(const struct wsim_report *report, uint32_t op) {
    const struct run_merged *merged = count_merged(report->program, &report->program->ops[op]);
    return merged && report->written ? report->written[merged - report->program->merged]
                                     : shared_counts(&report->counts[op]);
}

/* Differences become counts, and counts sums. */
static void sum_lines(struct wsim_report *report) {
    struct wsim_totals *totals = &report->totals;
    const struct run_program *program = report->program;
    int64_t executed = 0, threads = 0;
    for (uint32_t op = 0; op < program->n_ops; op++) {
        struct run_counts *counts = &report->counts[op];
        executed += counts->executed, threads += counts->threads;
        counts->executed = executed, counts->threads = threads;
        if (program->where[op] == RUN_NOWHERE || !executed)
            continue;
        const struct wsim_shared_counts shared = shared_counts(counts);
        const struct wsim_shared_counts written = as_written(report, op);
        report->lines[report->n_lines++] = op;
        totals->instructions += (uint64_t)executed;
        totals->thread_instructions += (uint64_t)threads;
        totals->uncounted += counts->uncounted;
        totals->global_requests += counts->requests, totals->global_sectors += counts->sectors;
        totals->global_ideal += counts->sectors_ideal, totals->global_lines += counts->lines;
        switch (program->ops[op].traffic) {
        case RUN_TRAFFIC_LOAD:
            add_shared(&totals->ld, &shared);
            add_shared(&totals->ld_written, &written);
            break;
        case RUN_TRAFFIC_STORE:
            add_shared(&totals->st, &shared);
            add_shared(&totals->st_written, &written);
            break;
        case RUN_TRAFFIC_ATOMIC: add_shared(&totals->atom, &shared); break;
        case RUN_TRAFFIC_COPY: add_shared(&totals->copy, &shared); break;
        default: break;
        }
    }
}

/* Functions are decoded in the order in which they are called: lines are sorted. The operations of
 * each are in order already, so most halves need no merge. */
static int is_later(const struct run_program *program, uint32_t a, uint32_t b) {
    const struct ptx_instruction *at_a = run_instruction_of(program, a);
    const struct ptx_instruction *at_b = run_instruction_of(program, b);
    return at_a->line != at_b->line ? at_a->line > at_b->line : at_a->col > at_b->col;
}

static int sort_lines(struct wsim_report *report) {
    const struct run_program *program = report->program;
    size_t n = report->n_lines, width;
    uint32_t *from = report->lines, *to = malloc((n + 1) * sizeof *to), *swap;
    if (!to)
        return 0;
    for (width = 1; width < n; width *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * width) {
            size_t middle = begin + width < n ? begin + width : n;
            size_t end = begin + 2 * width < n ? begin + 2 * width : n;
            size_t a = begin, b = middle;
            if (middle == end || !is_later(program, from[middle - 1], from[middle])) {
                memcpy(to + begin, from + begin, (end - begin) * sizeof *to);
                continue;
            }
            for (size_t i = begin; i < end; i++)
                to[i] = a < middle && (b >= end || !is_later(program, from[a], from[b]))
                            ? from[a++]
                            : from[b++];
        }
        swap = from, from = to, to = swap;
    }
    report->lines = from;
    free(to);
    return 1;
}

static int is_before(const struct launch_output *a, const struct launch_output *b) {
    return a->block < b->block;
}

static int compare_outputs(const void *a, const void *b) {
    return is_before(b, a) - is_before(a, b);
}

static int join_outputs(struct wsim_report *report, struct run_shared *shared) {
    size_t size = 0;
    char *text;
    for (size_t i = 0; i < shared->n_outputs; i++)
        size += shared->outputs[i].size;
    text = malloc(size + 1);
    if (shared->n_outputs)
        qsort(shared->outputs, shared->n_outputs, sizeof *shared->outputs, compare_outputs);
    size = 0;
    for (size_t i = 0; i < shared->n_outputs; i++) {
        if (text)
            memcpy(text + size, shared->outputs[i].text, shared->outputs[i].size);
        size += shared->outputs[i].size;
        free(shared->outputs[i].text);
    }
    free(shared->outputs);
    if (!text)
        return 0;
    text[size] = 0;
    free(report->output);
    report->output = text;
    report->output_size = size;
    return 1;
}

int report_sum(struct wsim_report *report, struct run_launch *launch,
               const struct run_worker *workers, unsigned n) {
    struct wsim_totals *totals = &report->totals;
    for (unsigned i = 0; i < n; i++) {
        for (uint32_t op = 0; op <= launch->program->n_ops; op++)
            add_counts(&report->counts[op], &workers[i].counts[op]);
        for (uint32_t at = 0; report->written && at < launch->program->n_merged; at++)
            add_shared(&report->written[at], &workers[i].written[at]);
        totals->blocks += workers[i].blocks;
        totals->warps += workers[i].warps;
    }
    totals->host_threads = n;
    sum_lines(report);
    report->findings = launch->shared->findings;
    report->n_findings = launch->shared->n_findings;
    report->touched = launch->shared->touched;
    report->n_touched = launch->shared->n_touched;
    launch->shared->touched = NULL;
    report_order(report);
    totals->findings = launch->shared->all_findings;
    totals->notes = launch->shared->all_notes;
    totals->approximate = launch->program->approximate && !isa_approximates(launch->arch);
    totals->contracted =
        launch->program->contractible && (launch->module->flags & WSIM_MODULE_NO_CONTRACT);
    totals->unrolls = launch->program->unrolls;
    totals->clock = launch->program->clock;
    totals->order = launch->program->order;
    report->waited = atomic_load(&launch->shared->waited);
    return join_outputs(report, launch->shared) & sort_lines(report);
}

int wsim_report_waited(const struct wsim_report *report) {
    return report->waited;
}

int wsim_report_touched(const struct wsim_report *report, size_t index,
                        struct wsim_touched *touched) {
    if (index >= report->n_touched)
        return 0;
    *touched = report->touched[index];
    return 1;
}

enum wsim_status report_status(const struct wsim_report *report, struct wsim_diag *diag) {
    const struct launch_finding *first = NULL;
    struct wsim_diag why = {0};
    for (size_t i = 0; i < report->n_findings; i++)
        if (report->findings[i].fatal && (!first || report->findings[i].block < first->block))
            first = &report->findings[i];
    if (!first)
        return WSIM_OK;
    why.status = first->status;
    why.rule = first->rule;
    return base_repeat(diag, &why, 0, "%s", first->text ? first->text : "");
}

void wsim_report_totals(const struct wsim_report *report, struct wsim_totals *totals) {
    *totals = report->totals;
}

const char *wsim_report_output(const struct wsim_report *report, size_t *size) {
    if (size)
        *size = report->output_size;
    return report->output;
}

/* The source line of an instruction: file, line, and where that was inlined. */
static const struct ptx_loc *loc_of(const struct wsim_report *report, uint32_t op) {
    const struct ptx_instruction *at =
        op == RUN_NOWHERE ? NULL : run_instruction_of(report->program, op);
    return at && at->loc ? &report->module->ptx.locs[at->loc] : NULL;
}

static const char *file_of(const struct wsim_report *report, const struct ptx_loc *loc) {
    const struct ptx_module *ptx = &report->module->ptx;
    return loc && loc->file < ptx->n_files ? ptx->files[loc->file] : NULL;
}

/* The name of the text that the line of an operation is of. */
static const char *ptx_file_of(const struct wsim_report *report, uint32_t op) {
    return op == RUN_NOWHERE
               ? NULL
               : run_part(&report->module->ptx, run_function_of(report->program, op)->source->part);
}

/* The line of the access that the access of an operation is part of; 0: it is its own. */
static uint32_t merged_line(const struct run_program *program, uint32_t op) {
    const struct run_merged *merged = count_merged(program, &program->ops[op]);
    return merged && !merged->n ? merged->head : 0;
}

static int is_outside(const struct wsim_module *module, uint32_t opcode) {
    const struct ptx_opcode *what = &module->ptx.opcodes[opcode];
    if (what->kind == PTX_MATRIX) {
        const enum wsim_family family = wsim_op_describe(&what->op).family;
        return family == WSIM_BULK_TENSOR || family == WSIM_BULK_REDUCE_TENSOR;
    }
    switch (module->meanings[opcode].method) {
    case SCALAR_METHOD_CALL:
    case SCALAR_METHOD_NANOSLEEP:
    case SCALAR_METHOD_PREFETCH_TENSOR:
    case SCALAR_METHOD_TEX:
    case SCALAR_METHOD_TEX_GATHER:
    case SCALAR_METHOD_TEX_QUERY:
    case SCALAR_METHOD_SURFACE_LD:
    case SCALAR_METHOD_SURFACE_ST:
    case SCALAR_METHOD_SURFACE_RED:
    case SCALAR_METHOD_SURFACE_QUERY: return 1;
    default: return 0;
    }
}

int wsim_report_line(const struct wsim_report *report, size_t index, struct wsim_line *line) {
    const struct ptx_module *ptx = &report->module->ptx;
    const struct run_counts *counts;
    const struct ptx_instruction *at;
    const struct ptx_loc *loc;
    uint32_t op;
    if (index >= report->n_lines)
        return 0;
    op = report->lines[index];
    counts = &report->counts[op];
    at = run_instruction_of(report->program, op);
    loc = loc_of(report, op);
    *line = (struct wsim_line){.ptx_line = at->line,
                               .kernel = run_function_of(report->program, op)->source->name,
                               .opcode = ptx->opcodes[at->opcode].text,
                               .file = file_of(report, loc),
                               .line = loc ? loc->line : 0,
                               .executed = (uint64_t)counts->executed,
                               .threads = (uint64_t)counts->threads,
                               .shared = shared_counts(counts),
                               .written = as_written(report, op),
                               .merged = merged_line(report->program, op),
                               .uncounted = counts->uncounted,
                               .requests = counts->requests,
                               .sectors = counts->sectors,
                               .sectors_ideal = counts->sectors_ideal,
                               .lines = counts->lines,
                               .id = op,
                               .ptx_file = ptx_file_of(report, op),
                               .outside = (uint8_t)is_outside(report->module, at->opcode)};
    for (; loc && loc->inlined_at && line->inlined < ptx->n_locs; line->inlined++)
        loc = &ptx->locs[loc->inlined_at];
    return 1;
}

int wsim_report_inlined(const struct wsim_report *report, uint32_t id, size_t index,
                        const char **file, uint32_t *line, const char **function) {
    const struct ptx_loc *loc = id < report->program->n_ops ? loc_of(report, id) : NULL;
    const char *inside = NULL;
    for (size_t i = 0; loc && loc->inlined_at && i <= index; i++) {
        inside = loc->function;
        loc = &report->module->ptx.locs[loc->inlined_at];
        if (i == index) {
            *file = file_of(report, loc);
            *line = loc->line;
            *function = inside;
            return 1;
        }
    }
    return 0;
}

int wsim_report_finding(const struct wsim_report *report, size_t index,
                        struct wsim_finding *finding) {
    const struct launch_finding *found;
    const struct ptx_instruction *at = NULL, *other = NULL;
    const struct ptx_loc *loc, *other_loc;
    if (index >= report->n_findings)
        return 0;
    found = &report->findings[index];
    if (found->op != RUN_NOWHERE)
        at = run_instruction_of(report->program, found->op);
    if (found->other != RUN_NOWHERE)
        other = run_instruction_of(report->program, found->other);
    loc = loc_of(report, found->op);
    other_loc = loc_of(report, found->other);
    *finding =
        (struct wsim_finding){.rule = found->rule,
                              .text = found->text ? found->text : "",
                              .kernel = report->program->kernel->name,
                              .ptx_line = at ? at->line : 0,
                              .file = file_of(report, loc),
                              .line = loc ? loc->line : 0,
                              .other_ptx_line = other ? other->line : 0,
                              .other_file = file_of(report, other_loc),
                              .other_line = other_loc ? other_loc->line : 0,
                              .count = found->count,
                              .fatal = found->fatal,
                              .advice = found->note,
                              .ptx_file = ptx_file_of(report, found->op),
                              .other_ptx_file = ptx_file_of(report, found->other),
                              .severity = found->note ? WSIM_SEVERITY_NOTE : WSIM_SEVERITY_MISTAKE,
                              .cause = found->cause,
                              .addresses = found->addresses.n,
                              .registers = found->registers.n,
                              .blocks = found->blocks.n,
                              .warps = found->warps.n,
                              .ptx_lines = found->ptx_lines.n,
                              .id = found->op,
                              .other_id = found->other};
    memcpy(finding->block, found->id, sizeof finding->block);
    memcpy(finding->thread, found->thread, sizeof finding->thread);
    return 1;
}
