/* What wsim banks prints of a sweep: a line a step, and the sums. */
#include "sweep_page.h"

#include <inttypes.h>

struct sweep_sums sweep_sum(const struct sweep *sweep) {
    struct sweep_sums sums = {0, 0, 0};
    for (uint32_t i = 0; i < sweep->let->steps; i++) {
        sums.wavefronts += sweep->step[i].wavefronts;
        sums.ideal += sweep->step[i].ideal;
        sums.conflicts += sweep->step[i].conflicts;
    }
    return sums;
}

/* A name that has one value in all steps is said once. */
static int is_swept(const struct sweep *sweep, unsigned name) {
    return sweep->let->range[name].count > 1;
}

static unsigned swept_name(const struct sweep *sweep, unsigned number) {
    unsigned i = 0;
    while (!is_swept(sweep, i) || number--)
        i++;
    return i;
}

static unsigned swept_names(const struct sweep *sweep) {
    unsigned n = 0;
    for (unsigned i = 0; i < sweep->let->names; i++)
        n += is_swept(sweep, i) != 0;
    return n;
}

/* --- text --- */

static void cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct sweep *sweep = about;
    const struct sweep_step *step = &sweep->step[row];
    unsigned names = swept_names(sweep) - 1;
    if (col < names) {
        let_step(sweep->let, row);
        snprintf(out, TABLE_CELL, "%" PRId64, sweep->let->name[swept_name(sweep, col + 1)].value);
    } else {
        snprintf(out, TABLE_CELL, "%u",
                 (unsigned)(col == names       ? step->wavefronts
                            : col == names + 1 ? step->ideal
                                               : step->conflicts));
    }
}

static void row_head(const void *about, unsigned row, char out[TABLE_CELL]) {
    const struct sweep *sweep = about;
    let_step(sweep->let, row);
    snprintf(out, TABLE_CELL, "%" PRId64, sweep->let->name[swept_name(sweep, 0)].value);
}

static void col_head(const void *about, unsigned col, char out[TABLE_CELL]) {
    static const char *const heads[] = {"wavefronts", "ideal", "conflicts"};
    const struct sweep *sweep = about;
    unsigned names = swept_names(sweep) - 1;
    snprintf(out, TABLE_CELL, "%s",
             col < names ? sweep->let->name[swept_name(sweep, col + 1)].text : heads[col - names]);
}

static struct table table_of(const struct sweep *sweep) {
    return (struct table){.rows = sweep->let->steps,
                          .cols = swept_names(sweep) + 2,
                          .corner = sweep->let->name[swept_name(sweep, 0)].text,
                          .about = sweep,
                          .cell = cell,
                          .row_head = row_head,
                          .col_head = col_head};
}

void sweep_word_step(const struct sweep *sweep, uint32_t step, char *out, size_t size) {
    size_t used = 0;
    let_step(sweep->let, step);
    for (unsigned i = 0; i < swept_names(sweep) && used < size; i++) {
        unsigned name = swept_name(sweep, i);
        used += (size_t)snprintf(out + used, size - used, "%s%s = %" PRId64, i ? ", " : "",
                                 sweep->let->name[name].text, sweep->let->name[name].value);
    }
}

static void print_text(const struct sweep *sweep) {
    const struct table table = table_of(sweep);
    struct sweep_sums sums = sweep_sum(sweep);
    printf("%s on %s: %u steps\n", sweep->spelling, wsim_arch_name(sweep->arch),
           (unsigned)sweep->let->steps);
    for (unsigned i = 0; i < sweep->let->names; i++)
        if (!is_swept(sweep, i))
            printf("  %s = %" PRId64 "\n", sweep->let->name[i].text, sweep->let->range[i].first);
    putchar('\n');
    table_print(&table);
    printf("\ntogether %" PRIu64 " wavefronts, ideal %" PRIu64 ", conflicts %" PRIu64 "\n",
           sums.wavefronts, sums.ideal, sums.conflicts);
    if (sweep->unknown)
        puts("the cost of some of these copies is not known: without them");
}

/* --- CSV, JSON --- */

static void print_csv(const struct sweep *sweep) {
    for (unsigned i = 0; i < sweep->let->names; i++)
        printf("%s,", sweep->let->name[i].text);
    puts("wavefronts,ideal,conflicts");
    for (uint32_t step = 0; step < sweep->let->steps; step++) {
        let_step(sweep->let, step);
        for (unsigned i = 0; i < sweep->let->names; i++)
            printf("%" PRId64 ",", sweep->let->name[i].value);
        printf("%u,%u,%u\n", (unsigned)sweep->step[step].wavefronts,
               (unsigned)sweep->step[step].ideal, (unsigned)sweep->step[step].conflicts);
    }
}

static json_t *step_json(const struct sweep *sweep, uint32_t step) {
    json_t *names = json_object();
    let_step(sweep->let, step);
    for (unsigned i = 0; i < sweep->let->names; i++)
        json_object_set_new(names, sweep->let->name[i].text,
                            json_integer((json_int_t)sweep->let->name[i].value));
    return json_pack("{s:o, s:I, s:I, s:I}", "let", names, "wavefronts",
                     (json_int_t)sweep->step[step].wavefronts, "ideal",
                     (json_int_t)sweep->step[step].ideal, "conflicts",
                     (json_int_t)sweep->step[step].conflicts);
}

static void print_json(const struct sweep *sweep) {
    struct sweep_sums sums = sweep_sum(sweep);
    json_t *steps = json_array();
    for (uint32_t step = 0; step < sweep->let->steps; step++)
        json_array_append_new(steps, step_json(sweep, step));
    tool_print_json(json_pack(
        "{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:b, s:o}", "schema", "wsim.banks.sweep", "version", 1,
        "spelling", sweep->spelling, "arch", wsim_arch_name(sweep->arch), "wavefronts",
        (json_int_t)sums.wavefronts, "ideal", (json_int_t)sums.ideal, "conflicts",
        (json_int_t)sums.conflicts, "known", !sweep->unknown, "steps", steps));
}

int sweep_print(const struct sweep *sweep, enum tool_format format) {
    const struct table table = table_of(sweep);
    if (!(format & (TOOL_TEXT | TOOL_JSON | TOOL_CSV)))
        return sweep_print_page(sweep, &table, format);
    (format == TOOL_JSON ? print_json : format == TOOL_CSV ? print_csv : print_text)(sweep);
    return TOOL_FINE;
}
