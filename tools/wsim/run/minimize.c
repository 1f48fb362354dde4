/* Fewer blocks; see minimize.h. A binary search finds the shortest beginning of the grid that still
 * fails, then the shortest end of this part. Blocks that need each other stay together; mostly one
 * block remains. */
#include "judge.h"
#include "minimize.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct machine *machine;
    struct machine_options options;
    size_t launch; /* its blocks are left out; later launches do not run */
    const char *rule;
    uint32_t ptx_line;
    const char *ptx_file;
    const struct verdict *verdict; /* without a finding: the comparison that failed */
    uint64_t units;
    int status;
};

/* --- the failure --- */

/* Chooses the first finding, or else the first element that differs. 0: only counters or output
 * differ. */
static int choose(struct search *search, const struct run_report *report) {
    const struct machine *machine = report->machine;
    struct wsim_finding finding;
    for (size_t i = 0; i < machine->ran; i++)
        for (size_t k = 0; wsim_report_finding(machine->launches[i].report, k, &finding); k++) {
            if (finding.advice || judged(report, i, k)->kind)
                continue;
            search->launch = i;
            search->rule = finding.rule;
            search->ptx_line = finding.ptx_line;
            search->ptx_file = finding.ptx_file;
            return 1;
        }
    search->launch = machine->ran - 1;
    for (size_t i = 0; i < report->nverdicts && !search->verdict; i++)
        if (report->verdicts[i].comparison.different)
            search->verdict = &report->verdicts[i];
    return search->verdict != NULL;
}

static int has_finding(const struct search *search) {
    const struct wsim_report *report = search->machine->launches[search->launch].report;
    struct wsim_finding finding;
    for (size_t i = 0; report && wsim_report_finding(report, i, &finding); i++)
        if (strcmp(finding.rule, search->rule) == 0 && finding.ptx_line == search->ptx_line &&
            machine_same_text(finding.ptx_file, search->ptx_file))
            return 1;
    return 0;
}

/* Whether the element has the same wrong bits. */
static int has_element(const struct search *search) {
    const struct wsim_launch_comparison *c = &search->verdict->comparison;
    const struct wsim_launch_expect *expect = search->verdict->expect;
    struct machine *machine = search->machine;
    uint64_t address = 0, bytes, got = 0;
    uint8_t *element;
    if (!expect->symbol)
        address = wsim_session_address(machine->session, expect->buffer);
    else
        wsim_device_symbol(wsim_session_device(machine->session),
                           wsim_session_module(machine->session), expect->symbol, &address, &bytes,
                           NULL);
    element = machine_read(machine, address + c->start, c->width);
    for (unsigned i = 0; i < c->width; i++)
        got |= (uint64_t)element[i] << 8 * i;
    free(element);
    return got == c->got;
}

/* --- runs --- */

/* Whether the launch fails with these blocks alone; `units` of 0: with none. */
static int fails(struct search *search, uint64_t first, uint64_t units) {
    struct machine *machine = search->machine;
    if (search->status != TOOL_GO)
        return 0;
    wsim_session_part(machine->session, search->launch, first, units);
    search->status = machine_fill(machine);
    if (search->status == TOOL_GO)
        search->status = machine_run(machine, search->launch + (units > 0));
    if (search->status != TOOL_GO)
        return 0;
    return search->rule ? has_finding(search) : has_element(search);
}

static uint64_t count_units(const struct search *search) {
    const struct wsim_launch_one *one = &search->machine->launch->launches[search->launch];
    const uint32_t *asked = search->machine->launches[search->launch].kernel.cluster;
    uint64_t units = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t cluster = one->cluster[0] ? one->cluster[i] : asked[i];
        units *= one->grid[i] / (cluster ? cluster : 1);
    }
    return units;
}

/* The smallest number of units from the first on that fails; the whole grid fails. */
static uint64_t shortest(struct search *search) {
    uint64_t low = 1, high = search->units;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (fails(search, 0, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* The last unit from which the units up to `end` fail; from 0 they do. */
static uint64_t latest(struct search *search, uint64_t end) {
    uint64_t low = 0, high = end - 1;
    if (fails(search, high, 1))
        return high;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (fails(search, middle, end - middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* --- words --- */

/* "block (1,0,0), number 1," or "blocks 0 to 5", into `out`. */
static void name_blocks(const struct search *search, uint64_t first, uint64_t end, char *out,
                        size_t room) {
    const uint32_t *grid = search->machine->launch->launches[search->launch].grid;
    unsigned long long x = grid[0], y = grid[1], from = first, to = end - 1;
    int clusters = search->units != x * y * grid[2];
    if (clusters || end - first > 1)
        snprintf(out, room, "%s %llu to %llu", clusters ? "clusters" : "blocks", from, to);
    else
        snprintf(out, room, "block (%llu,%llu,%llu), number %llu,", from % x, from / x % y,
                 from / x / y, from);
}

static void answer(const struct search *search, uint64_t first, uint64_t end,
                   struct run_report *report) {
    char blocks[128];
    name_blocks(search, first, end, blocks, sizeof blocks);
    snprintf(report->minimized, REPORT_WORDS,
             "of launches[%zu] %s %s enough for %s%s (--part %llu,%llu)", search->launch, blocks,
             end - first == 1 ? "is" : "are",
             search->rule ? search->rule : "the first element that differs of ",
             search->rule ? "" : text_cut(search->verdict->expect->name).text,
             (unsigned long long)first, (unsigned long long)(end - first));
}

static void say(struct run_report *report, const char *words) {
    snprintf(report->minimized, REPORT_WORDS, "%s", words);
}

static void shrink(struct search *search, struct run_report *report) {
    uint64_t end;
    search->units = count_units(search);
    if (!search->rule && fails(search, 0, 0)) {
        say(report, "no block of the last launch writes the first element that differs");
    } else if (!fails(search, 0, search->units)) {
        say(report, "the failure does not occur again with one thread");
    } else {
        end = shortest(search);
        answer(search, latest(search, end), end, report);
    }
}

int minimize(struct run_report *report) {
    const struct machine *from = report->machine;
    struct machine machine;
    struct search search = {.machine = &machine, .options = from->options};
    if (!choose(&search, report)) {
        say(report, "counters and output belong to the whole grid");
        return TOOL_GO;
    }
    if (from->launch->launches[search.launch].cooperative) {
        say(report, "blocks of a cooperative launch wait for each other: none can be omitted");
        return TOOL_GO;
    }
    search.options.launch.threads = 1;
    search.status = machine_open(&machine, from->opened, &search.options);
    if (search.status == TOOL_GO)
        shrink(&search, report);
    machine_close(&machine);
    return search.status;
}
