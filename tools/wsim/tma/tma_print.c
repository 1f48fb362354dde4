/* What wsim tma check answers, for people and for programs. */
#include "../common/screen.h"
#include "../common/page.h"
#include "tma_print.h"

#include <inttypes.h>
#include <string.h>

static const char *word(enum wsim_tensor_list list, unsigned value) {
    return wsim_tensor_name(list, value);
}

/* --- text --- */

struct shown {
    const struct wsim_tensor *tensor;
    struct wsim_tensor_tile tile;
};

enum column { COLUMN_DIM, COLUMN_STRIDE, COLUMN_BOX, COLUMN_EVERY, COLUMN_COPIED, COLUMNS };

static void print_column(const void *about, unsigned col, char out[TABLE_CELL]) {
    static const char *const heads[COLUMNS] = {"elements", "stride", "box", "every", "copied"};
    const struct shown *shown = about;
    int walks = col == COLUMN_COPIED && shown->tensor->mode == WSIM_TENSOR_IM2COL;
    snprintf(out, TABLE_CELL, "%s", walks ? "steps" : heads[col]);
}

static void print_row(const void *about, unsigned row, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "%u", row);
}

/* Prints where the base pixel of an im2col map begins and ends, and in how many steps. */
static void print_walk(const struct wsim_tensor *t, unsigned row, enum column col,
                       char out[TABLE_CELL]) {
    unsigned first = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE, i = row - first;
    int64_t end;
    snprintf(out, TABLE_CELL, "-");
    if (row < first || i + 2 >= t->rank)
        return;
    end = (int64_t)t->dims[row] + t->upper[i];
    if (col == COLUMN_BOX)
        snprintf(out, TABLE_CELL, "%" PRId32 " to %" PRId64, t->lower[i], end - 1);
    else
        snprintf(out, TABLE_CELL, "%" PRId64,
                 (end - t->lower[i] + t->estrides[row] - 1) / (int64_t)t->estrides[row]);
}

static void print_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct shown *shown = about;
    const struct wsim_tensor *t = shown->tensor;
    if (t->mode == WSIM_TENSOR_IM2COL && (col == COLUMN_BOX || col == COLUMN_COPIED)) {
        print_walk(t, row, (enum column)col, out);
        return;
    }
    switch ((enum column)col) {
    case COLUMN_DIM: snprintf(out, TABLE_CELL, "%" PRIu64, t->dims[row]); return;
    case COLUMN_STRIDE:
        snprintf(out, TABLE_CELL, row ? "%" PRIu64 : "packed", row ? t->strides[row - 1] : 0);
        return;
    case COLUMN_EVERY: snprintf(out, TABLE_CELL, "%" PRIu32, t->estrides[row]); return;
    case COLUMN_BOX: snprintf(out, TABLE_CELL, "%" PRIu32, t->box[row]); return;
    case COLUMN_COPIED: snprintf(out, TABLE_CELL, "%" PRIu32, shown->tile.extent[row]); return;
    case COLUMNS: break;
    }
    out[0] = '\0';
}

static void print_pixels(const struct wsim_tensor *t) {
    uint32_t i;
    printf("pixels   %" PRIu32 " of %" PRIu32 " channels; corners", t->pixels, t->channels);
    for (i = 0; i + 2 < t->rank; i++)
        printf("%s %" PRId32 " and %" PRId32, i ? "," : "", t->lower[i], t->upper[i]);
    putchar('\n');
}

static void print_tile(const struct shown *shown) {
    const struct wsim_tensor_tile *tile = &shown->tile;
    printf("rows     %" PRIu64 " of %" PRIu32 " bytes, one every %" PRIu32
           " bytes of shared memory\n",
           tile->rows, tile->inner, tile->pitch);
    if (tile->span)
        printf("swizzle  moves pieces within %" PRIu32 " bytes, repeats every %" PRIu32 "\n",
               tile->span, tile->repeat);
    printf("room     %" PRIu64 " bytes of shared memory\n", tile->room);
    printf("barrier  %" PRIu64 " bytes, whatever lies outside the tensor\n", tile->bytes);
}

/* A row a dimension. */
static struct table table_of(const struct shown *shown) {
    struct table table = {.rows = shown->tensor->rank,
                          .cols = COLUMNS,
                          .corner = "dim",
                          .about = shown,
                          .cell = print_cell,
                          .row_head = print_row,
                          .col_head = print_column};
    return table;
}

void tma_print_csv(const struct tma_answer *answer) {
    struct shown shown = {.tensor = answer->tensor};
    struct table table = table_of(&shown);
    if (answer->status) {
        printf("refused,\"%s\"\n", answer->why.text);
        return;
    }
    shown.tile = wsim_tensor_measure(answer->tensor);
    table_csv(&table);
}

enum { ADVICE = 160 };

/* What the driver accepts and is probably not meant: rows that begin before the last one ends.
 * Types that are unpacked take other room in the tensor than in the tile, and slices are no rows.
 */
static int advise(const struct shown *shown, char out[ADVICE]) {
    const struct wsim_tensor *t = shown->tensor;
    uint64_t row = t->dims[0] * shown->tile.element_bits / 8;
    if (t->dtype >= WSIM_TENSOR_16U4_ALIGN8B || t->interleave)
        return 0;
    for (uint32_t i = 1; i < t->rank; i++)
        if (t->dims[i] > 1 && t->strides[i - 1] < row) {
            snprintf(out, ADVICE,
                     "strides[%" PRIu32 "] is %" PRIu64 " and a row has %" PRIu64
                     " bytes: rows lie over each other",
                     i - 1, t->strides[i - 1], row);
            return 1;
        }
    return 0;
}

void tma_print_text(const struct tma_answer *answer) {
    const struct wsim_tensor *t = answer->tensor;
    struct shown shown = {.tensor = t};
    struct table table = table_of(&shown);
    char advice[ADVICE];
    if (answer->status) {
        screen_fold(2, "refused: %s", answer->why.text);
        return;
    }
    shown.tile = wsim_tensor_measure(t);
    screen_fold(
        2, "accepted: %s %s, rank %" PRIu32 ", interleave %s, swizzle %s, oob %s, base %" PRIu64,
        word(WSIM_TENSOR_LIST_MODE, t->mode), word(WSIM_TENSOR_LIST_DTYPE, t->dtype), t->rank,
        word(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave),
        word(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle), word(WSIM_TENSOR_LIST_OOB, t->oob), t->base);
    table_print(&table);
    if (t->mode == WSIM_TENSOR_IM2COL)
        print_pixels(t);
    print_tile(&shown);
    if (advise(&shown, advice))
        screen_fold(2, "advice: %s", advice);
}

/* Of what print_tile prints, in words. */
int tma_print_page(const struct tma_answer *answer, enum tool_format format) {
    struct shown shown = {.tensor = answer->tensor};
    struct table table = table_of(&shown);
    struct page page;
    char advice[ADVICE];
    if (answer->status) {
        page_open(&page, "refused");
        page_line(&page, WSIM_LINES_ABOVE, "%s", answer->why.text);
        return page_print(&page, format);
    }
    shown.tile = wsim_tensor_measure(answer->tensor);
    page_open(&page, "accepted");
    page_table(&page, "the map, dimension by dimension, and what one copy takes", &table);
    page_line(&page, WSIM_LINES_BELOW,
              "%" PRIu64 " rows of %" PRIu32 " bytes, one every %" PRIu32
              " bytes of shared memory; room for %" PRIu64 ", barrier %" PRIu64,
              shown.tile.rows, shown.tile.inner, shown.tile.pitch, shown.tile.room,
              shown.tile.bytes);
    if (advise(&shown, advice))
        page_line(&page, WSIM_LINES_BELOW, "advice: %s", advice);
    return page_print(&page, format);
}

/* --- JSON --- */

static json_t *wide_json(const uint64_t *list, uint32_t n) {
    json_t *out = json_array();
    uint32_t i;
    for (i = 0; i < n; i++)
        json_array_append_new(out, json_integer((json_int_t)list[i]));
    return out;
}

static json_t *words_json(const uint32_t *list, uint32_t n) {
    json_t *out = json_array();
    uint32_t i;
    for (i = 0; i < n; i++)
        json_array_append_new(out, json_integer(list[i]));
    return out;
}

static json_t *corners_json(const int32_t *list, uint32_t n) {
    json_t *out = json_array();
    uint32_t i;
    for (i = 0; i < n; i++)
        json_array_append_new(out, json_integer(list[i]));
    return out;
}

/* The parameters, so that what was answered can be asked again. */
static json_t *tensor_json(const struct wsim_tensor *t) {
    json_t *out =
        json_pack("{s:s, s:I, s:o, s:o, s:o, s:s, s:s, s:I, s:s}", "dtype",
                  word(WSIM_TENSOR_LIST_DTYPE, t->dtype), "base", (json_int_t)t->base, "dims",
                  wide_json(t->dims, t->rank), "strides", wide_json(t->strides, t->rank - 1),
                  "estrides", words_json(t->estrides, t->rank), "interleave",
                  word(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave), "swizzle",
                  word(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle), "l2", (json_int_t)t->l2, "oob",
                  word(WSIM_TENSOR_LIST_OOB, t->oob));
    uint32_t spatial = t->rank > 2 ? t->rank - 2 : 0;
    if (t->mode == WSIM_TENSOR_TILED)
        json_object_set_new(out, "box", words_json(t->box, t->rank));
    else
        json_object_update_new(
            out, json_pack("{s:o, s:o, s:I, s:I}", "lower", corners_json(t->lower, spatial),
                           "upper", corners_json(t->upper, spatial), "channels",
                           (json_int_t)t->channels, "pixels", (json_int_t)t->pixels));
    return out;
}

static json_t *tile_json(const struct wsim_tensor *t) {
    struct wsim_tensor_tile tile = wsim_tensor_measure(t);
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "rows", (json_int_t)tile.rows,
                     "row_bytes", (json_int_t)tile.inner, "pitch", (json_int_t)tile.pitch, "room",
                     (json_int_t)tile.room, "barrier_bytes", (json_int_t)tile.bytes, "span",
                     (json_int_t)tile.span, "repeat", (json_int_t)tile.repeat);
}

/* The bytes of the map, as hex digits. */
static json_t *map_json(const struct wsim_tensor_map *map) {
    const uint8_t *bytes = (const uint8_t *)map->opaque;
    char text[2 * sizeof map->opaque + 1];
    size_t i;
    for (i = 0; i < sizeof map->opaque; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return json_string(text);
}

static json_t *advice_json(const struct wsim_tensor *t) {
    struct shown shown = {t, wsim_tensor_measure(t)};
    json_t *list = json_array();
    char advice[ADVICE];
    if (advise(&shown, advice))
        json_array_append_new(list, json_string(advice));
    return list;
}

void tma_print_json(const struct tma_answer *answer) {
    json_t *out = json_pack("{s:s, s:i, s:s, s:s, s:b, s:o}", "schema", "wsim.tma", "version", 1,
                            "arch", wsim_arch_name(answer->arch), "mode",
                            word(WSIM_TENSOR_LIST_MODE, answer->tensor->mode), "accepted",
                            answer->status == WSIM_OK, "parameters", tensor_json(answer->tensor));
    if (answer->status) {
        json_object_set_new(out, "status", json_string(wsim_status_name(answer->status)));
        json_object_set_new(out, "rule", json_string(answer->why.rule));
        json_object_set_new(out, "reason", json_string(answer->why.text));
    } else {
        json_object_set_new(out, "tile", tile_json(answer->tensor));
        json_object_set_new(out, "map", map_json(&answer->map));
        json_object_set_new(out, "advice", advice_json(answer->tensor));
    }
    tool_print_json(out);
}
