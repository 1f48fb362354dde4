/* What wsim banks prints of a copy: the lanes of each group with the banks on both sides, or JSON.
 */
#include "copy_print.h"
#include "lanes.h"
#include "../common/picture.h"

struct wsim_copy_card copy_card(const struct copy_run *run) {
    return (struct wsim_copy_card){
        .spelling = run->spelling,
        .arch = run->arch,
        .evidence = run->evidence,
        .source = run->source,
        .io = &run->io,
        .cost = run->hardware.cost,
        .group = run->hardware.group,
        .page = run->page.cost,
        .page_group = run->no_page.status ? NULL : run->page.group,
        .unknown = run->unknown,
        .store = run->has_store ? copy_store(run) : NULL,
        .store_cost = run->store,
    };
}

int copy_print(const struct copy_run *run, enum tool_format format) {
    const struct wsim_copy_card card = copy_card(run);
    struct wsim_picture picture;
    wsim_picture_copy(&card, &picture);
    return picture_print(&picture, format);
}

static json_t *counts_json(const struct copy_counts *b) {
    json_t *groups = json_array();
    unsigned i;
    for (i = 0; i < b->cost.groups; i++)
        json_array_append_new(
            groups, json_pack("{s:o, s:i, s:i, s:o}", "lanes", lanes_json(b->group[i].lanes),
                              "batch", b->group[i].batch, "wavefronts", b->group[i].wavefronts,
                              "worst_lanes", lanes_json(b->group[i].worst)));
    return json_pack("{s:I, s:I, s:I, s:o}", "wavefronts", (json_int_t)b->cost.wavefronts, "ideal",
                     (json_int_t)b->cost.ideal, "conflicts", (json_int_t)b->cost.conflicts,
                     "groups", groups);
}

static json_t *store_json(const struct copy_run *run) {
    return json_pack("{s:s, s:I, s:I, s:I}", "instruction", copy_store(run), "wavefronts",
                     (json_int_t)run->store.wavefronts, "ideal", (json_int_t)run->store.ideal,
                     "conflicts", (json_int_t)run->store.conflicts);
}

void copy_print_json(const struct copy_run *run) {
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:s, s:I, s:i, s:s, s:o, s:o, s:o}", "schema", "wsim.banks",
                  "version", 1, "spelling", run->spelling, "arch", wsim_arch_name(run->arch),
                  "mask", (json_int_t)run->io.copy.mask, "size", (int)run->io.copy.bytes, "lines",
                  run->io.copy.warm ? "warm" : "cold", "addresses", lanes_numbers_json(run->dst),
                  "sources", lanes_numbers_json(run->src), "source_sizes",
                  run->io.copy.src_size ? lanes_numbers_json(run->src_size) : json_null());
    json_t *counts = counts_json(&run->hardware);
    if (run->unknown)
        json_object_update_new(counts,
                               json_pack("{s:n, s:n, s:n}", "wavefronts", "ideal", "conflicts"));
    json_object_update(root, counts);
    json_decref(counts);
    json_object_set_new(root, "known", json_boolean(!run->unknown));
    json_object_set_new(root, "unknown_lanes", lanes_json(run->unknown));
    if (run->has_store)
        json_object_set_new(root, "as_store", store_json(run));
    json_object_set_new(root, "evidence", json_string(run->evidence));
    json_object_set_new(root, "source", json_string(run->source));
    json_object_set_new(root, "source_page",
                        run->no_page.status ? json_null() : counts_json(&run->page));
    tool_print_json(root);
}
