/* What wsim banks prints of a copy: the lanes of each group with the banks on both sides. */
#include "copy_print.h"
#include "access_print.h"
#include "lanes.h"
#include "../common/screen.h"
#include "../common/tool.h"

#include <string.h>

static unsigned bank(uint32_t address) {
    return address / 4 % WSIM_BANKS;
}

static int has(uint32_t lanes, unsigned lane) {
    return (int)(lanes >> lane & 1);
}

/* --- text --- */

static void print_lane(const struct copy_run *run, const struct wsim_cost_group *group,
                       unsigned lane) {
    printf("%4u  0x%08lx  %4u  ", lane, (unsigned long)run->dst[lane], bank(run->dst[lane]));
    if (run->io.src_size && run->io.src_size[lane] == 0)
        printf("zeros           ");
    else
        printf("0x%08lx  %4u", (unsigned long)run->src[lane], bank(run->src[lane]));
    puts(group->wavefronts > 1 && has(group->worst, lane) ? "  *" : "");
}

static void print_group(const struct copy_run *run, unsigned index) {
    const struct wsim_cost_group *group = &run->hardware.group[index];
    unsigned lane;
    printf("\ngroup %u of %u", index + 1, run->hardware.cost.groups);
    if (run->hardware.group[run->hardware.cost.groups - 1].batch)
        printf(", batch %u", group->batch + 1u);
    printf(": lanes ");
    lanes_print(group->lanes);
    printf("\nlane  to          bank  from        bank\n");
    for (lane = 0; lane < WSIM_LANES; lane++)
        if (has(group->lanes, lane))
            print_lane(run, group, lane);
    if (group->wavefronts > 1)
        printf("      %u wavefronts: one for each *\n", group->wavefronts);
    else
        puts("      no conflict: one wavefront");
}

static void print_unknown(const struct copy_run *run) {
    const struct wsim_cost *b = &run->store;
    printf("\ncost unknown: lanes ");
    lanes_print(run->unknown);
    putchar('\n');
    screen_fold(2,
                "  hardware counters show nothing of them, instrumentation follows no known rule");
    if (run->has_store)
        screen_fold(
            2, "  for comparison: a %s of these lanes takes %lu wavefronts, %lu of them conflicts",
            copy_store(run), (unsigned long)b->wavefronts, (unsigned long)b->conflicts);
}

void copy_print_text(const struct copy_run *run) {
    unsigned i;
    screen_fold(2, "%s on %s: %u bytes a lane, %s lines", run->spelling, wsim_arch_name(run->arch),
                run->io.bytes, run->io.warm ? "warm" : "cold");
    if (strcmp(run->evidence, "hardware") != 0)
        screen_fold(2, "evidence: %s (%s)", run->evidence, run->source);
    for (i = 0; i < run->hardware.cost.groups; i++)
        print_group(run, i);
    if (run->io.mask != UINT32_MAX) {
        printf("\nno part in it: lanes ");
        lanes_print(~run->io.mask);
        putchar('\n');
    }
    if (run->unknown)
        print_unknown(run);
    putchar('\n');
    if (run->unknown && run->hardware.cost.groups)
        printf("of the other lanes: ");
    if (!run->unknown || run->hardware.cost.groups)
        access_print_counts(&run->hardware.cost);
    else
        puts("wavefronts unknown");
    printf("source page: ");
    if (run->no_page.status)
        printf("not modelled\n");
    else
        access_print_counts(&run->page.cost);
}

/* --- CSV --- */

static void print_lines(const char *counters, const struct copy_counts *b) {
    unsigned i;
    for (i = 0; i < b->cost.groups; i++) {
        const struct wsim_cost_group *group = &b->group[i];
        printf("%s,%u,%u,0x%08lx,%u,1,%u,0x%08lx\n", counters, i, group->batch,
               (unsigned long)group->lanes, group->wavefronts, group->wavefronts - 1u,
               (unsigned long)group->worst);
    }
}

void copy_print_csv(const struct copy_run *run) {
    puts("counters,group,batch,lanes,wavefronts,ideal,conflicts,worst");
    print_lines("hardware", &run->hardware);
    if (run->unknown)
        printf("hardware,,,0x%08lx,,,,\n", (unsigned long)run->unknown);
    if (!run->no_page.status)
        print_lines("source page", &run->page);
}

/* --- JSON --- */

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
                  "mask", (json_int_t)run->io.mask, "size", (int)run->io.bytes, "lines",
                  run->io.warm ? "warm" : "cold", "addresses", lanes_numbers_json(run->dst),
                  "sources", lanes_numbers_json(run->src), "source_sizes",
                  run->io.src_size ? lanes_numbers_json(run->src_size) : json_null());
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
