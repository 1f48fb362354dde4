/* loops.h - functions of the library over arrays: what would be a slow loop of Python. They decide
 * nothing by themselves.
 */
#ifndef WSIM_PYTHON_LOOPS_H
#define WSIM_PYTHON_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Each number rounded once to the format. */
static void loop_encode(const struct wsim_format *format, enum wsim_rounding rounding,
                        const double *numbers, size_t count, uint64_t *bits) {
    const struct wsim_format *f64 = wsim_format_find("f64");
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, &numbers[i], sizeof word);
        bits[i] = wsim_format_encode(format, wsim_format_decode(f64, word), rounding);
    }
}

/* Each element as a double, which holds every number of every format of up to 53 significant bits
 * exactly; of others the nearest one. */
static void loop_decode(const struct wsim_format *format, const uint64_t *bits, size_t count,
                        double *numbers) {
    const struct wsim_format *f64 = wsim_format_find("f64");
    for (size_t i = 0; i < count; i++) {
        uint64_t word = wsim_format_encode(f64, wsim_format_decode(format, bits[i]), WSIM_RN);
        memcpy(&numbers[i], &word, sizeof word);
    }
}

static void loop_swizzle(enum wsim_swizzle mode, size_t count, const uint32_t *from, uint32_t *to) {
    for (size_t i = 0; i < count; i++)
        to[i] = wsim_swizzle_apply(mode, from[i]);
}

/* Batch, row and column of each element of each lane, lanes outermost. */
static void loop_coords(const struct wsim_layout *layout, uint16_t *coords) {
    for (unsigned lane = 0; lane < layout->lanes; lane++)
        for (unsigned elem = 0; elem < layout->elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(layout, lane, elem);
            *coords++ = at.batch;
            *coords++ = at.row;
            *coords++ = at.col;
        }
}

/* The address of each element of a tile, row by row. */
static void loop_tile(const struct wsim_descriptor *descriptor, const struct wsim_tile *tile,
                      uint32_t *addresses) {
    for (unsigned row = 0; row < tile->rows; row++)
        for (unsigned k = 0; k < tile->k; k++)
            *addresses++ = wsim_descriptor_address(descriptor, tile, row, k);
}

/* A text that grows; all zeros is an empty one. */
struct loop_text {
    char *bytes;
    size_t size, room;
};

static void loop_free(struct loop_text *text) {
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

static int loop_write(void *user, const char *bytes, size_t count) {
    struct loop_text *text = (struct loop_text *)user;
    if (count > text->room - text->size) {
        size_t room = 2 * text->room + count + 4096;
        char *grown = (char *)realloc(text->bytes, room);
        if (!grown)
            return 1;
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->size, bytes, count);
    text->size += count;
    return 0;
}

/* A picture as text; to be freed whatever is returned. */
static enum wsim_status loop_picture(const struct wsim_picture *picture,
                                     enum wsim_picture_format format,
                                     const struct wsim_style *style, struct loop_text *text,
                                     struct wsim_diag *diag) {
    return wsim_picture_write(picture, format, style, loop_write, text, diag);
}

#endif
