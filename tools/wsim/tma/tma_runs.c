/* Rows of a tile with the same numbers of bytes inside the tensor, one line for each run. */
#include "../common/memory.h"
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

/* --- the table --- */

enum { TEXT = 256 };

/* "8, 2 to 6 by 2, 0" */
static void word_coordinates(const struct tma_run *run, unsigned rank, char out[TEXT]) {
    size_t n = 0;
    for (unsigned i = 0; i < rank; i++) {
        const int64_t last = run->coord[i] + run->step * (int64_t)(run->rows - 1);
        n += (size_t)snprintf(out + n, TEXT - n, "%s%" PRId64, i ? ", " : "", run->coord[i]);
        if (run->rows > 1 && i == run->dim)
            n += (size_t)snprintf(out + n, TEXT - n, " to %" PRId64, last);
        if (run->rows > 1 && i == run->dim && run->step != 1)
            n += (size_t)snprintf(out + n, TEXT - n, " by %" PRId64, run->step);
    }
}

static int is_touched(const struct tma_run *run) {
    return run->bytes[WSIM_BULK_INSIDE] || run->bytes[WSIM_BULK_PADDING];
}

static void add_global(struct doc *doc, const struct tma_run *run) {
    if (!is_touched(run))
        doc_cell(doc, NULL, "-");
    else if (run->rows == 1)
        doc_cell(doc, NULL, "0x%05" PRIx64, run->global);
    else
        doc_cell(doc, NULL, "0x%05" PRIx64 " every %" PRId64, run->global, (int64_t)run->every);
}

static void set_values(struct doc *doc, const struct tma_run *run, unsigned rank) {
    doc_pack(doc, "{s:I, s:I}", "first", (json_int_t)run->first, "rows", (json_int_t)run->rows);
    doc_list(doc, "coord");
    for (unsigned i = 0; i < rank; i++)
        doc_set(doc, NULL, json_integer(run->coord[i]));
    doc_leave(doc);
    doc_pack(doc, "{s:I, s:I, s:I}", "inside", (json_int_t)run->bytes[WSIM_BULK_INSIDE], "padding",
             (json_int_t)run->bytes[WSIM_BULK_PADDING], "outside",
             (json_int_t)run->bytes[WSIM_BULK_OUTSIDE]);
    if (is_touched(run))
        doc_set(doc, "global", json_integer((json_int_t)run->global));
    if (run->rows > 1)
        doc_pack(doc, "{s:i, s:I}", "dim", (int)run->dim, "step", (json_int_t)run->step);
    if (run->rows > 1 && is_touched(run))
        doc_set(doc, "every", json_integer((json_int_t)run->every));
}

void tma_state_runs(struct doc *doc, const struct tma_runs *runs) {
    const int stores = runs->copy->stores;
    const struct doc_column columns[] = {{NULL, "rows", 0},
                                         {NULL, stores ? "to" : "from", 0},
                                         {NULL, stores ? "written" : "read", 0},
                                         {NULL, stores ? "dropped" : "filled", 0},
                                         {NULL, "global address", 0},
                                         {NULL, stores ? "padding" : NULL, 0},
                                         {NULL, NULL, 0}};
    doc_table(doc, "runs", columns);
    for (size_t i = 0; i < runs->count; i++) {
        const struct tma_run *run = &runs->run[i];
        char text[TEXT];
        doc_row(doc);
        set_values(doc, run, runs->copy->tensor.rank);
        if (run->rows == 1)
            doc_cell(doc, NULL, "%" PRIu64, run->first);
        else
            doc_cell(doc, NULL, "%" PRIu64 "-%" PRIu64, run->first, run->first + run->rows - 1);
        word_coordinates(run, runs->copy->tensor.rank, text);
        doc_word(doc, text);
        doc_number(doc, run->bytes[WSIM_BULK_INSIDE]);
        doc_number(doc, run->bytes[WSIM_BULK_OUTSIDE]);
        add_global(doc, run);
        if (stores)
            doc_number(doc, run->bytes[WSIM_BULK_PADDING]);
    }
    doc_leave(doc);
}
