/* Costs of the lines of a launch; see report_cost.h. */
#include "report_cost.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/worst.h"

#include <stdlib.h>
#include <string.h>

int report_by_cost(const void *a, const void *b) {
    return worst_first(&((const struct report_cost *)a)->line,
                       &((const struct report_cost *)b)->line);
}

static int falling(uint32_t a, uint32_t b) {
    return (a < b) - (a > b);
}

static int by_place(const void *a, const void *b) {
    const struct wsim_line *x = &((const struct report_cost *)a)->line;
    const struct wsim_line *y = &((const struct report_cost *)b)->line;
    int order = x->file && y->file ? strcmp(x->file, y->file) : (x->file != 0) - (y->file != 0);
    order = order || !x->file ? order : falling(y->line, x->line);
    if (!order && !x->file && !y->file && x->ptx_file && y->ptx_file)
        order = strcmp(x->ptx_file, y->ptx_file);
    return order || (x->file && y->file) ? order : falling(y->ptx_line, x->ptx_line);
}

/* The order of one place is that of the PTX: qsort of some C libraries swaps equal elements. */
static int by_place_and_line(const void *a, const void *b) {
    const int order = by_place(a, b);
    return order ? order
                 : falling(((const struct report_cost *)b)->line.ptx_line,
                           ((const struct report_cost *)a)->line.ptx_line);
}

static void add_cost(struct report_cost *to, const struct report_cost *from) {
    to->line.executed += from->line.executed;
    to->line.shared.accesses += from->line.shared.accesses;
    to->line.shared.wavefronts += from->line.shared.wavefronts;
    to->line.shared.ideal += from->line.shared.ideal;
    to->line.shared.conflicts += from->line.shared.conflicts;
    to->line.uncounted += from->line.uncounted;
    to->line.requests += from->line.requests;
    to->line.sectors += from->line.sectors;
    to->line.sectors_ideal += from->line.sectors_ideal;
    to->opcodes++;
}

/* Merges costs of one place; returns how many are left. */
static size_t join_places(struct report_cost *costs, size_t count) {
    size_t used = 0;
    qsort(costs, count, sizeof *costs, by_place_and_line);
    for (size_t i = 1; i < count; i++)
        if (costs[i].line.file && by_place(&costs[used], &costs[i]) == 0)
            add_cost(&costs[used], &costs[i]);
        else
            costs[++used] = costs[i];
    return count ? used + 1 : 0;
}

struct report_cost *report_costs(const struct wsim_report *report, size_t *count) {
    struct report_cost *costs = NULL, one = {.opcodes = 1};
    size_t room = 0;
    *count = 0;
    while (wsim_report_line(report, *count, &one.line)) {
        if (*count == room) {
            room = room ? 2 * room : 256;
            costs = memory_grow(costs, room * sizeof *costs);
        }
        costs[(*count)++] = one;
    }
    if (*count == 0)
        return costs;
    *count = join_places(costs, *count);
    return costs;
}

void report_place(const struct run_report *report, const char *file, uint32_t line,
                  const char *ptx_file, uint32_t ptx_line, char *out, size_t room) {
    if (!ptx_file)
        ptx_file = report->launch->ptx[0].name;
    if (file)
        snprintf(out, room, "%s:%u", text_source(file).text, line);
    else
        snprintf(out, room, "%s:%u", text_cut(text_name(ptx_file)).text, ptx_line);
}
