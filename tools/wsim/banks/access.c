/* wsim banks for accesses of lanes and for fragments of wmma. */
#include "banks.h"
#include "../common/input.h"

/* Refuses options of copies. The whole warp moves a fragment, which begins at 0 without --addr. */
static void check_options(const struct banks_options *options, int fragment) {
    if (options->size || options->src || options->src_size || options->lines)
        tool_fail("--size, --src, --src-size and --lines apply to cp.async only");
    if (fragment && options->mask)
        tool_fail("--mask: the whole warp moves a fragment");
    if (!fragment && !options->addr)
        tool_fail("no addresses given, such as --addr 'lane * 4'");
}

static void count(const struct wsim_op *op, const struct wsim_arch *arch, struct access_run *run) {
    const struct wsim_io io = {
        .move = {.addr = run->addr, .mask = run->mask, .stride = run->stride}};
    struct wsim_code code;
    struct wsim_diag diag;
    if (wsim_prepare(op, arch, 0, &code, &diag) ||
        wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, run->group,
                  sizeof run->group / sizeof *run->group, &run->cost, &diag))
        tool_refuse(NULL, &diag);
    for (unsigned i = 0; i < run->cost.accesses; i++)
        if (wsim_cost_access(&code, &io, i, &run->access[i], &diag))
            tool_refuse(NULL, &diag);
    run->is_outside = !wsim_code_documented(&code, &io, &run->outside);
}

void access_count(const struct wsim_op *op, const struct banks_options *options,
                  struct banks_run *run) {
    struct access_run *access = &run->access;
    check_options(options, run->counting == WSIM_COUNT_FRAGMENT);
    access->mask = UINT32_MAX;
    tool_number("--mask", options->mask, UINT32_MAX, &access->mask);
    input_addresses_in(options->scope, "--addr", options->addr ? options->addr : "0", access->addr);
    tool_number("--stride", options->stride, UINT32_MAX, &access->stride);
    count(op, run->arch, access);
    run->cost = access->cost;
    run->is_known = 1;
}

void access_picture(struct banks_run *run, struct wsim_picture *picture) {
    struct access_run *access = &run->access;
    access->card =
        (struct wsim_bank_card){.spelling = run->spelling,
                                .arch = run->arch,
                                .evidence = run->evidence,
                                .source = run->source,
                                .outside = access->is_outside ? access->outside.text : NULL,
                                .numbered = run->counting == WSIM_COUNT_FRAGMENT,
                                .cost = access->cost,
                                .group = access->group,
                                .access = access->access};
    wsim_picture_banks(&access->card, picture);
}

/* --- JSON --- */

/* The groups of access `number`, and the sum of their costs. */
static void state_groups(struct doc *doc, const struct access_run *run, unsigned number) {
    doc_list(doc, "groups");
    for (unsigned i = 0; i < run->cost.groups; i++) {
        const struct wsim_cost_group *group = &run->group[i];
        if (group->access != number)
            continue;
        doc_enter(doc, NULL);
        doc_set(doc, "lanes", doc_bits(group->lanes));
        doc_pack(doc, "{s:i, s:i}", "wavefronts", group->wavefronts, "worst_bank", group->bank);
        doc_list(doc, "words_there");
        for (unsigned word = 0; word < group->nwords; word++)
            doc_set(doc, NULL, json_integer(4 * (json_int_t)group->words[word]));
        doc_leave(doc);
        doc_leave(doc);
    }
    doc_leave(doc);
}

/* An access of a fragment, counted as if it were alone. */
static void state_part(struct doc *doc, const struct access_run *run, unsigned number) {
    const struct wsim_cost_access *access = &run->access[number];
    uint64_t wavefronts = 0, ideal = 0, conflicts = 0;
    for (unsigned i = 0; i < run->cost.groups; i++) {
        const struct wsim_cost_group *group = &run->group[i];
        if (group->access != number)
            continue;
        wavefronts += group->wavefronts;
        ideal += group->wavefronts / group->ways;
        conflicts += group->ways - 1;
    }
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:i, s:i}", "bytes", access->bytes, "rows", access->rows);
    doc_set(doc, "addresses", doc_numbers(access->addr, WSIM_LANES));
    banks_state_cost(doc, wavefronts, ideal, conflicts);
    doc_set(doc, "merged", json_boolean(access->merged));
    state_groups(doc, run, number);
    doc_leave(doc);
}

void access_state(struct doc *doc, const struct banks_run *run) {
    const struct access_run *access = &run->access;
    const int is_fragment = run->counting == WSIM_COUNT_FRAGMENT;
    if (is_fragment) {
        doc_pack(doc, "{s:I, s:I}", "address", (json_int_t)access->addr[0], "stride",
                 (json_int_t)access->stride);
    } else {
        doc_set(doc, "mask", json_integer(access->mask));
        doc_set(doc, "addresses", doc_numbers(access->addr, WSIM_LANES));
    }
    banks_state_cost(doc, run->cost.wavefronts, run->cost.ideal, run->cost.conflicts);
    if (!is_fragment)
        doc_set(doc, "merged", json_boolean(run->cost.merged));
    doc_pack(doc, "{s:s?, s:s?}", "evidence", run->evidence, "source", run->source);
    if (is_fragment) {
        doc_list(doc, "accesses");
        for (unsigned i = 0; i < access->cost.accesses; i++)
            state_part(doc, access, i);
        doc_leave(doc);
    } else {
        state_groups(doc, access, 0);
    }
    if (is_fragment && access->is_outside)
        doc_set(doc, "outside", json_string(access->outside.text));
}
