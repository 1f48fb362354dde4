/* wsim banks for copies, with the counts of both kinds of counters. */
#include "banks.h"
#include "../common/input.h"
#include "../common/text.h"

#include <string.h>

static void read_lines(const char *text, uint8_t *warm) {
    *warm = text && strcmp(text, "warm") == 0;
    if (!text || *warm || strcmp(text, "cold") == 0)
        return;
    tool_fail("--lines '%s': must be cold or warm", text_cut(text).text);
}

static void read_size(const char *text, uint32_t *bytes) {
    tool_number("--size", text, UINT32_MAX, bytes);
    if (!text)
        tool_fail("no size given: add the bytes of a lane, such as --size 16");
}

/* The source of each lane. By default sources are consecutive and full. */
static void read_source(struct copy_run *run, const struct banks_options *options) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        run->src[lane] = lane * run->io.copy.bytes;
    run->io.copy.src = run->src;
    if (options->src)
        input_addresses_in(options->scope, "--src", options->src, run->src);
    if (options->src_size) {
        run->io.copy.src_size = run->src_size;
        input_addresses_in(options->scope, "--src-size", options->src_size, run->src_size);
    }
}

static void read_copy(struct copy_run *run, const struct banks_options *options) {
    read_size(options->size, &run->io.copy.bytes);
    read_lines(options->lines, &run->io.copy.warm);
    if (!options->addr)
        tool_fail("no addresses given, such as --addr 'lane * 16'");
    input_addresses_in(options->scope, "--addr", options->addr, run->dst);
    run->io.copy.addr = run->dst;
    read_source(run, options);
}

/* The store that moves as many bytes a lane. */
static const char *store_of(const struct copy_run *run) {
    return run->io.copy.bytes == 16  ? "st.shared.v4.b32"
           : run->io.copy.bytes == 8 ? "st.shared.b64"
                                     : "st.shared.b32";
}

/* Counts a store of `lanes` to the same addresses, the nearest access whose cost is known. */
static int count_store(struct copy_run *run, const struct wsim_arch *arch, uint32_t lanes) {
    const struct wsim_io io = {.move = {.addr = run->dst, .mask = lanes}};
    struct wsim_op op;
    struct wsim_code code;
    return wsim_op_parse(store_of(run), &op, NULL) == WSIM_OK &&
           wsim_prepare(&op, arch, 0, &code, NULL) == WSIM_OK &&
           wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &run->store, NULL) == WSIM_OK;
}

/* The cost of lanes that no counter counts is unknown. */
static void find_unknown(struct copy_run *run, const struct wsim_arch *arch) {
    unsigned i;
    run->unknown = run->io.copy.mask;
    for (i = 0; i < run->hardware.cost.groups; i++)
        run->unknown &= ~run->hardware.group[i].lanes;
    run->has_store = run->unknown && count_store(run, arch, run->unknown);
}

static enum wsim_status count(const struct copy_run *run, const struct wsim_code *code,
                              enum wsim_counters counters, struct copy_counts *counts,
                              struct wsim_diag *diag) {
    return wsim_cost(code, &run->io, counters, counts->group,
                     sizeof counts->group / sizeof *counts->group, &counts->cost, diag);
}

static enum wsim_status count_sectors(struct copy_run *run, const struct wsim_op *op,
                                      const struct wsim_arch *arch, struct wsim_diag *diag) {
    const struct wsim_copy copy = {.bytes = run->io.copy.bytes,
                                   .mask = run->io.copy.mask,
                                   .dst = run->dst,
                                   .src = run->src,
                                   .src_size = run->io.copy.src_size};
    return wsim_sectors_copy(op, arch, &copy, &run->sectors, diag);
}

void copy_count(const struct wsim_op *op, const struct banks_options *options,
                struct banks_run *run) {
    struct copy_run *copy = &run->copy;
    struct wsim_diag diag;
    struct wsim_code code;
    copy->io.copy.mask = UINT32_MAX;
    tool_number("--mask", options->mask, UINT32_MAX, &copy->io.copy.mask);
    read_copy(copy, options);
    if (wsim_prepare(op, run->arch, 0, &code, &diag) ||
        count(copy, &code, WSIM_HARDWARE_COUNTERS, &copy->hardware, &diag))
        tool_refuse(NULL, &diag);
    find_unknown(copy, run->arch);
    if (count_sectors(copy, op, run->arch, &diag))
        tool_refuse(NULL, &diag);
    copy->no_page.status = WSIM_OK;
    count(copy, &code, WSIM_SOURCE_PAGE, &copy->page, &copy->no_page);
    run->cost = copy->hardware.cost;
    run->is_known = copy->unknown == 0;
}

void copy_picture(struct banks_run *run, struct wsim_picture *picture) {
    struct copy_run *copy = &run->copy;
    copy->card = (struct wsim_copy_card){
        .spelling = run->spelling,
        .arch = run->arch,
        .evidence = run->evidence,
        .source = run->source,
        .io = &copy->io,
        .cost = copy->hardware.cost,
        .group = copy->hardware.group,
        .page = copy->page.cost,
        .page_group = copy->no_page.status ? NULL : copy->page.group,
        .unknown = copy->unknown,
        .store = copy->has_store ? store_of(copy) : NULL,
        .store_cost = copy->store,
    };
    wsim_picture_copy(&copy->card, picture);
}

static void state_groups(struct doc *doc, const struct copy_counts *counts) {
    doc_list(doc, "groups");
    for (unsigned i = 0; i < counts->cost.groups; i++) {
        const struct wsim_cost_group *group = &counts->group[i];
        doc_enter(doc, NULL);
        doc_set(doc, "lanes", doc_bits(group->lanes));
        doc_pack(doc, "{s:i, s:i}", "batch", group->batch, "wavefronts", group->wavefronts);
        doc_set(doc, "worst_lanes", doc_bits(group->worst));
        doc_leave(doc);
    }
    doc_leave(doc);
}

static void state_cost(struct doc *doc, const struct wsim_cost *cost) {
    banks_state_cost(doc, cost->wavefronts, cost->ideal, cost->conflicts);
}

void copy_state(struct doc *doc, const struct banks_run *run) {
    const struct copy_run *copy = &run->copy;
    doc_pack(doc, "{s:I, s:i, s:s}", "mask", (json_int_t)copy->io.copy.mask, "size",
             (int)copy->io.copy.bytes, "lines", copy->io.copy.warm ? "warm" : "cold");
    doc_set(doc, "addresses", doc_numbers(copy->dst, WSIM_LANES));
    doc_set(doc, "sources", doc_numbers(copy->src, WSIM_LANES));
    if (copy->io.copy.src_size)
        doc_set(doc, "source_sizes", doc_numbers(copy->src_size, WSIM_LANES));
    else
        doc_set(doc, "source_sizes", NULL);
    if (run->is_known)
        state_cost(doc, &run->cost);
    else
        doc_pack(doc, "{s:n, s:n, s:n}", "wavefronts", "ideal", "conflicts");
    state_groups(doc, &copy->hardware);
    doc_set(doc, "known", json_boolean(run->is_known));
    doc_set(doc, "unknown_lanes", doc_bits(copy->unknown));
    if (copy->has_store) {
        doc_enter(doc, "as_store");
        doc_set(doc, "instruction", json_string(store_of(copy)));
        state_cost(doc, &copy->store);
        doc_leave(doc);
    }
    doc_pack(doc, "{s:s?, s:s?}", "evidence", run->evidence, "source", run->source);
    doc_enter(doc, "global");
    sectors_state(doc, &copy->sectors);
    doc_leave(doc);
    if (copy->no_page.status) {
        doc_set(doc, "source_page", NULL);
        return;
    }
    doc_enter(doc, "source_page");
    state_cost(doc, &copy->page.cost);
    state_groups(doc, &copy->page);
    doc_leave(doc);
}
