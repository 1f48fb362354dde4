/* Rows of a tile that fare alike, in one line: which coordinates, which bytes are in the tensor. */
#include "../common/memory.h"
#include "../common/table.h"
#include "tma_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One row: where it begins, and its bytes by where they are. */
struct row {
    int64_t coord[WSIM_TENSOR_RANK];
    uint32_t bytes[3];            /* enum wsim_bulk_where                      */
    struct wsim_bulk_place first; /* of its bytes that are not outside */
};

static struct row row_at(const struct tma_copy *copy, uint64_t number) {
    struct row row = {{0}, {0, 0, 0}, {WSIM_BULK_OUTSIDE, 0, 0, {0}}};
    struct wsim_bulk_place place;
    uint32_t byte;
    for (byte = 0; byte < copy->tile.inner; byte++) {
        wsim_bulk_locate(&copy->op, copy->arch, &copy->io, number, byte, &place, NULL);
        if (byte == 0)
            memcpy(row.coord, place.coord, sizeof row.coord);
        if (place.where != WSIM_BULK_OUTSIDE && row.first.where == WSIM_BULK_OUTSIDE)
            row.first = place;
        row.bytes[place.where]++;
    }
    return row;
}

/* Whether `b`, which comes `rows` after `a`, continues it: one dimension moves, by the same step.
 */
static int continues(const struct tma_run *run, const struct row *b) {
    unsigned moved = 0, i;
    if (memcmp(run->bytes, b->bytes, sizeof run->bytes) != 0)
        return 0;
    for (i = 0; i < WSIM_TENSOR_RANK; i++) {
        int64_t by = b->coord[i] - run->coord[i];
        if (by == 0)
            continue;
        if (moved++ || (run->rows > 1 && (i != run->dim || by != run->step * (int64_t)run->rows)))
            return 0;
    }
    return moved == 1;
}

static void extend(struct tma_run *run, const struct row *b) {
    unsigned i;
    for (i = 0; i < WSIM_TENSOR_RANK && run->rows == 1; i++)
        if (b->coord[i] != run->coord[i]) {
            run->dim = i;
            run->step = b->coord[i] - run->coord[i];
            run->every = b->first.global - run->global;
        }
    run->rows++;
}

static struct tma_run begin(uint64_t number, const struct row *row) {
    struct tma_run run = {.first = number, .rows = 1, .global = row->first.global};
    memcpy(run.coord, row->coord, sizeof run.coord);
    memcpy(run.bytes, row->bytes, sizeof run.bytes);
    return run;
}

void tma_runs(const struct tma_copy *copy, struct tma_runs *runs) {
    uint64_t number;
    runs->run = memory_make((size_t)copy->tile.rows, sizeof *runs->run);
    runs->copy = copy;
    runs->count = 0;
    for (number = 0; number < copy->tile.rows; number++) {
        struct row row = row_at(copy, number);
        struct tma_run *last = runs->count ? &runs->run[runs->count - 1] : NULL;
        if (last && continues(last, &row))
            extend(last, &row);
        else
            runs->run[runs->count++] = begin(number, &row);
    }
}

/* --- text --- */

enum column { COLUMN_AT, COLUMN_INSIDE, COLUMN_OUTSIDE, COLUMN_GLOBAL, COLUMN_PADDING, COLUMNS };

static void print_head(const void *about, unsigned col, char out[TABLE_CELL]) {
    const struct tma_runs *runs = about;
    static const char *const loaded[COLUMNS] = {"from", "read", "filled", "global address"};
    static const char *const stored[COLUMNS] = {"to", "written", "dropped", "global address",
                                                "padding"};
    snprintf(out, TABLE_CELL, "%s", (runs->copy->stores ? stored : loaded)[col]);
}

static void print_rows(const void *about, unsigned row, char out[TABLE_CELL]) {
    const struct tma_run *run = &((const struct tma_runs *)about)->run[row];
    if (run->rows == 1)
        snprintf(out, TABLE_CELL, "%" PRIu64, run->first);
    else
        snprintf(out, TABLE_CELL, "%" PRIu64 "-%" PRIu64, run->first, run->first + run->rows - 1);
}

/* "8, 2 to 6 by 2, 0" */
static void print_at(const struct tma_run *run, unsigned rank, char out[TABLE_CELL]) {
    size_t n = 0;
    unsigned i;
    for (i = 0; i < rank; i++) {
        int64_t last = run->coord[i] + run->step * (int64_t)(run->rows - 1);
        n += (size_t)snprintf(out + n, TABLE_CELL - n, "%s%" PRId64, i ? ", " : "", run->coord[i]);
        if (run->rows > 1 && i == run->dim)
            n += (size_t)snprintf(out + n, TABLE_CELL - n, " to %" PRId64, last);
        if (run->rows > 1 && i == run->dim && run->step != 1)
            n += (size_t)snprintf(out + n, TABLE_CELL - n, " by %" PRId64, run->step);
    }
}

static void print_global(const struct tma_run *run, char out[TABLE_CELL]) {
    if (!run->bytes[WSIM_BULK_INSIDE] && !run->bytes[WSIM_BULK_PADDING])
        snprintf(out, TABLE_CELL, "-");
    else if (run->rows == 1)
        snprintf(out, TABLE_CELL, "0x%05" PRIx64, run->global);
    else
        snprintf(out, TABLE_CELL, "0x%05" PRIx64 " every %" PRId64, run->global,
                 (int64_t)run->every);
}

static void print_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct tma_runs *runs = about;
    const struct tma_run *run = &runs->run[row];
    switch ((enum column)col) {
    case COLUMN_AT: print_at(run, runs->copy->tensor.rank, out); return;
    case COLUMN_INSIDE:
        snprintf(out, TABLE_CELL, "%u", (unsigned)run->bytes[WSIM_BULK_INSIDE]);
        return;
    case COLUMN_PADDING:
        snprintf(out, TABLE_CELL, "%u", (unsigned)run->bytes[WSIM_BULK_PADDING]);
        return;
    case COLUMN_OUTSIDE:
        snprintf(out, TABLE_CELL, "%u", (unsigned)run->bytes[WSIM_BULK_OUTSIDE]);
        return;
    case COLUMN_GLOBAL: print_global(run, out); return;
    case COLUMNS: break;
    }
    out[0] = '\0';
}

struct table tma_runs_table(const struct tma_runs *runs) {
    struct table table = {.rows = (unsigned)runs->count,
                          .cols = runs->copy->stores ? COLUMNS : COLUMN_PADDING,
                          .corner = "rows",
                          .about = runs,
                          .cell = print_cell,
                          .row_head = print_rows,
                          .col_head = print_head};
    return table;
}

void tma_print_runs(const struct tma_runs *runs) {
    struct table table = tma_runs_table(runs);
    table_print(&table);
}

void tma_runs_csv(const struct tma_runs *runs) {
    struct table table = tma_runs_table(runs);
    table_csv(&table);
}

/* --- JSON --- */

static json_t *run_json(const struct tma_run *run, unsigned rank) {
    int touched = run->bytes[WSIM_BULK_INSIDE] || run->bytes[WSIM_BULK_PADDING];
    json_t *coord = json_array(), *out;
    unsigned i;
    for (i = 0; i < rank; i++)
        json_array_append_new(coord, json_integer(run->coord[i]));
    out = json_pack("{s:I, s:I, s:o, s:I, s:I, s:I}", "first", (json_int_t)run->first, "rows",
                    (json_int_t)run->rows, "coord", coord, "inside",
                    (json_int_t)run->bytes[WSIM_BULK_INSIDE], "padding",
                    (json_int_t)run->bytes[WSIM_BULK_PADDING], "outside",
                    (json_int_t)run->bytes[WSIM_BULK_OUTSIDE]);
    if (touched)
        json_object_set_new(out, "global", json_integer((json_int_t)run->global));
    if (run->rows > 1)
        json_object_update_new(
            out, json_pack("{s:i, s:I}", "dim", (int)run->dim, "step", (json_int_t)run->step));
    if (run->rows > 1 && touched)
        json_object_set_new(out, "every", json_integer((json_int_t)run->every));
    return out;
}

json_t *tma_runs_json(const struct tma_runs *runs) {
    json_t *list = json_array();
    size_t i;
    for (i = 0; i < runs->count; i++)
        json_array_append_new(list, run_json(&runs->run[i], runs->copy->tensor.rank));
    return list;
}
