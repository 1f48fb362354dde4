/* What wsim banks says in JSON of a fragment of wmma: the accesses it is in machine code, each as
 * if it were alone. */
#include "fragment_print.h"
#include "access_print.h"
#include "lanes.h"
#include "../common/tool.h"

static json_t *access_json(const struct access_run *run, unsigned i) {
    const struct wsim_cost_access *access = &run->access[i];
    const struct wsim_cost_group *group;
    unsigned count = access_groups(run, i, &group);
    json_int_t wavefronts = 0, ideal = 0, conflicts = 0;
    for (unsigned g = 0; g < count; g++) {
        wavefronts += group[g].wavefronts;
        ideal += group[g].wavefronts / group[g].ways;
        conflicts += group[g].ways - 1;
    }
    return json_pack("{s:i, s:i, s:o, s:I, s:I, s:I, s:b, s:o}", "bytes", access->bytes, "rows",
                     access->rows, "addresses", lanes_numbers_json(access->addr), "wavefronts",
                     wavefronts, "ideal", ideal, "conflicts", conflicts, "merged", access->merged,
                     "groups", access_groups_json(run, i));
}

void fragment_print_json(const struct access_run *run) {
    const struct wsim_cost *cost = &run->cost;
    json_t *accesses = json_array();
    for (unsigned i = 0; i < cost->accesses; i++)
        json_array_append_new(accesses, access_json(run, i));
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:s?, s:s?, s:o}", "schema",
                  "wsim.banks", "version", 1, "spelling", run->spelling, "arch",
                  wsim_arch_name(run->arch), "address", (json_int_t)run->addr[0], "stride",
                  (json_int_t)run->stride, "wavefronts", (json_int_t)cost->wavefronts, "ideal",
                  (json_int_t)cost->ideal, "conflicts", (json_int_t)cost->conflicts, "evidence",
                  run->evidence, "source", run->source, "accesses", accesses);
    if (run->is_outside)
        json_object_set_new(root, "outside", json_string(run->outside.text));
    tool_print_json(root);
}
