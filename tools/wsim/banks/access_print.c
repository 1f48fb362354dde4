/* What wsim banks prints of an access: a picture of lanes and banks for each group, or JSON. */
#include "access_print.h"
#include "lanes.h"
#include "../common/picture.h"

unsigned access_groups(const struct access_run *run, unsigned access,
                       const struct wsim_cost_group **first) {
    unsigned at = 0, end;
    while (at < run->cost.groups && run->group[at].access < access)
        at++;
    for (end = at; end < run->cost.groups && run->group[end].access == access;)
        end++;
    *first = run->group + at;
    return end - at;
}

struct wsim_bank_card access_card(const struct access_run *run) {
    return (struct wsim_bank_card){.spelling = run->spelling,
                                   .arch = run->arch,
                                   .evidence = run->evidence,
                                   .source = run->source,
                                   .outside = run->is_outside ? run->outside.text : NULL,
                                   .numbered = run->counting == WSIM_COUNT_FRAGMENT,
                                   .cost = run->cost,
                                   .group = run->group,
                                   .access = run->access};
}

int access_print(const struct access_run *run, enum tool_format format) {
    const struct wsim_bank_card card = access_card(run);
    struct wsim_picture picture;
    wsim_picture_banks(&card, &picture);
    return picture_print(&picture, format);
}

static json_t *group_json(const struct wsim_cost_group *group) {
    json_t *words = json_array();
    for (unsigned i = 0; i < group->nwords; i++)
        json_array_append_new(words, json_integer(4 * (json_int_t)group->words[i]));
    return json_pack("{s:o, s:i, s:i, s:o}", "lanes", lanes_json(group->lanes), "wavefronts",
                     group->wavefronts, "worst_bank", group->bank, "words_there", words);
}

json_t *access_groups_json(const struct access_run *run, unsigned access) {
    const struct wsim_cost_group *group;
    unsigned count = access_groups(run, access, &group);
    json_t *groups = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(groups, group_json(group + i));
    return groups;
}

void access_print_json(const struct access_run *run) {
    const struct wsim_cost *cost = &run->cost;
    tool_print_json(json_pack(
        "{s:s, s:i, s:s, s:s, s:I, s:o, s:I, s:I, s:I, s:b, s:s?, s:s?, s:o}", "schema",
        "wsim.banks", "version", 1, "spelling", run->spelling, "arch", wsim_arch_name(run->arch),
        "mask", (json_int_t)run->mask, "addresses", lanes_numbers_json(run->addr), "wavefronts",
        (json_int_t)cost->wavefronts, "ideal", (json_int_t)cost->ideal, "conflicts",
        (json_int_t)cost->conflicts, "merged", cost->merged, "evidence", run->evidence, "source",
        run->source, "groups", access_groups_json(run, 0)));
}
