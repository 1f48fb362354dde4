/* wsim tma check: whether the driver accepts a map, and the size of one copy. */
#include "tma_command.h"

#include <inttypes.h>
#include <string.h>

static const char *word(enum wsim_tensor_list list, unsigned value) {
    return wsim_tensor_name(list, value);
}

/* The places of the base pixel of an im2col map along a dimension, and its steps. */
static void add_walk(struct doc *doc, const struct wsim_tensor *t, unsigned row, int is_steps) {
    const unsigned first = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE, i = row - first;
    const int is_walked = row >= first && i + 2 < t->rank;
    const int64_t end = is_walked ? (int64_t)t->dims[row] + t->upper[i] : 0;
    if (!is_walked)
        doc_cell(doc, NULL, "-");
    else if (is_steps)
        doc_cell(doc, NULL, "%" PRId64,
                 (end - t->lower[i] + t->estrides[row] - 1) / (int64_t)t->estrides[row]);
    else
        doc_cell(doc, NULL, "%" PRId32 " to %" PRId64, t->lower[i], end - 1);
}

static void add_dimensions(struct doc *doc, const struct wsim_tensor *t,
                           const struct wsim_tensor_tile *tile) {
    const int walks = t->mode == WSIM_TENSOR_IM2COL;
    const struct doc_column columns[] = {{NULL, "dim", 0},    {NULL, "elements", 0},
                                         {NULL, "stride", 0}, {NULL, "box", 0},
                                         {NULL, "every", 0},  {NULL, walks ? "steps" : "copied", 0},
                                         {NULL, NULL, 0}};
    doc_table(doc, NULL, columns);
    for (unsigned row = 0; row < t->rank; row++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", row);
        doc_cell(doc, NULL, "%" PRIu64, t->dims[row]);
        doc_cell(doc, NULL, row ? "%" PRIu64 : "packed", row ? t->strides[row - 1] : 0);
        if (walks)
            add_walk(doc, t, row, 0);
        else
            doc_cell(doc, NULL, "%" PRIu32, t->box[row]);
        doc_cell(doc, NULL, "%" PRIu32, t->estrides[row]);
        if (walks)
            add_walk(doc, t, row, 1);
        else
            doc_cell(doc, NULL, "%" PRIu32, tile->extent[row]);
    }
    doc_leave(doc);
}

static void add_pixels(struct doc *doc, const struct wsim_tensor *t) {
    char corners[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i + 2 < t->rank; i++)
        used +=
            (size_t)snprintf(corners + used, sizeof corners - used, "%s %" PRId32 " and %" PRId32,
                             i ? "," : "", t->lower[i], t->upper[i]);
    doc_line(doc, "pixels   %" PRIu32 " of %" PRIu32 " channels; corners%s", t->pixels, t->channels,
             corners);
}

static void add_tile(struct doc *doc, const struct wsim_tensor_tile *tile) {
    doc_enter(doc, "tile");
    doc_fact(doc, "rows", json_integer((json_int_t)tile->rows),
             "rows     %" PRIu64 " of %" PRIu32 " bytes, one every %" PRIu32
             " bytes of shared memory",
             tile->rows, tile->inner, tile->pitch);
    if (tile->span)
        doc_line(doc, "swizzle  moves pieces within %" PRIu32 " bytes, repeats every %" PRIu32,
                 tile->span, tile->repeat);
    doc_pack(doc, "{s:I, s:I}", "row_bytes", (json_int_t)tile->inner, "pitch",
             (json_int_t)tile->pitch);
    doc_fact(doc, "room", json_integer((json_int_t)tile->room),
             "room     %" PRIu64 " bytes of shared memory", tile->room);
    doc_fact(doc, "barrier_bytes", json_integer((json_int_t)tile->bytes),
             "barrier  %" PRIu64 " bytes, whatever lies outside the tensor", tile->bytes);
    doc_pack(doc, "{s:I, s:I}", "span", (json_int_t)tile->span, "repeat", (json_int_t)tile->repeat);
    doc_leave(doc);
}

/* Advice: the driver accepts rows that overlap, but they are hardly meant. Unpacked types take
 * other room in the tensor than in the tile, and slices are no rows. */
static void add_advice(struct doc *doc, const struct wsim_tensor *t,
                       const struct wsim_tensor_tile *tile) {
    const uint64_t row = t->dims[0] * tile->element_bits / 8;
    uint32_t i = 1;
    while (i < t->rank && (t->dims[i] <= 1 || t->strides[i - 1] >= row))
        i++;
    doc_list(doc, "advice");
    if (i < t->rank && t->dtype < WSIM_TENSOR_16U4_ALIGN8B && !t->interleave) {
        char text[160];
        snprintf(text, sizeof text,
                 "strides[%" PRIu32 "] is %" PRIu64 " and a row has %" PRIu64
                 " bytes: rows lie over each other",
                 i - 1, t->strides[i - 1], row);
        doc_fact(doc, NULL, json_string(text), "advice: %s", text);
    }
    doc_leave(doc);
}

/* --- the parameters, as a file of wsim tma has them --- */

/* Appends a number to one of the lists. */
static void append(json_t *list, int64_t number) {
    json_array_append_new(list, json_integer(number));
}

static void set_parameters(struct doc *doc, const struct wsim_tensor *t) {
    json_t *dims = json_array(), *strides = json_array(), *estrides = json_array();
    json_t *box = json_array(), *lower = json_array(), *upper = json_array();
    for (unsigned i = 0; i < t->rank; i++) {
        append(dims, (int64_t)t->dims[i]);
        append(estrides, t->estrides[i]);
        append(box, t->box[i]);
        if (i + 1 < t->rank)
            append(strides, (int64_t)t->strides[i]);
        if (i + 2 < t->rank) {
            append(lower, t->lower[i]);
            append(upper, t->upper[i]);
        }
    }
    doc_enter(doc, "parameters");
    doc_pack(doc, "{s:s, s:I, s:o, s:o, s:o, s:s, s:s, s:I, s:s}", "dtype",
             word(WSIM_TENSOR_LIST_DTYPE, t->dtype), "base", (json_int_t)t->base, "dims", dims,
             "strides", strides, "estrides", estrides, "interleave",
             word(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave), "swizzle",
             word(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle), "l2", (json_int_t)t->l2, "oob",
             word(WSIM_TENSOR_LIST_OOB, t->oob));
    if (t->mode == WSIM_TENSOR_TILED) {
        doc_set(doc, "box", json_incref(box));
    } else {
        doc_pack(doc, "{s:O, s:O, s:I, s:I}", "lower", lower, "upper", upper, "channels",
                 (json_int_t)t->channels, "pixels", (json_int_t)t->pixels);
    }
    json_decref(box);
    json_decref(lower);
    json_decref(upper);
    doc_leave(doc);
}

/* The bytes of the map, as hex digits. */
static void set_map(struct doc *doc, const struct wsim_tensor_map *map) {
    const uint8_t *bytes = (const uint8_t *)map->opaque;
    char text[2 * sizeof map->opaque + 1];
    for (size_t i = 0; i < sizeof map->opaque; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    doc_set(doc, "map", json_string(text));
}

int tma_check(struct doc *doc, const struct wsim_tensor *t, const struct wsim_arch *arch) {
    struct wsim_tensor_map map;
    struct wsim_tensor_tile tile;
    struct wsim_diag why;
    const enum wsim_status status = wsim_tensor_encode(t, arch, &map, &why);
    doc_pack(doc, "{s:s, s:s, s:b}", "arch", wsim_arch_name(arch), "mode",
             word(WSIM_TENSOR_LIST_MODE, t->mode), "accepted", status == WSIM_OK);
    set_parameters(doc, t);
    if (status) {
        doc_title(doc, "refused");
        doc_pack(doc, "{s:s, s:s}", "status", wsim_status_name(status), "rule", why.rule);
        doc_fact(doc, "reason", json_string(why.text), "refused: %s", why.text);
        return TOOL_FOUND;
    }
    tile = wsim_tensor_measure(t);
    doc_line(
        doc, "accepted: %s %s, rank %" PRIu32 ", interleave %s, swizzle %s, oob %s, base %" PRIu64,
        word(WSIM_TENSOR_LIST_MODE, t->mode), word(WSIM_TENSOR_LIST_DTYPE, t->dtype), t->rank,
        word(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave),
        word(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle), word(WSIM_TENSOR_LIST_OOB, t->oob), t->base);
    add_dimensions(doc, t, &tile);
    if (t->mode == WSIM_TENSOR_IM2COL)
        add_pixels(doc, t);
    add_tile(doc, &tile);
    set_map(doc, &map);
    add_advice(doc, t, &tile);
    return TOOL_FINE;
}
