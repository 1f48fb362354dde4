/* loops.h - functions of the library over arrays: what would be a slow loop of Python. They decide
 * nothing by themselves.
 */
#ifndef WSIM_PYTHON_LOOPS_H
#define WSIM_PYTHON_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "room.h"

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

/* Runs cases `from` to `to` - 1 on each of `n` codes of one operation. In differ[i * n + j] it
 * counts those that leave other registers on codes j < i, in first[i * n + j] is the first. */
static enum wsim_status loop_compare(const struct wsim_code *const *codes, size_t n, uint64_t seed,
                                     unsigned dist, uint64_t from, uint64_t to, uint64_t *differ,
                                     uint64_t *first, struct wsim_diag *diag) {
    struct loop_room *room = loop_room(&codes[0]->op, n, diag);
    enum wsim_status status = room ? WSIM_OK : diag->status;
    for (uint64_t number = from; number < to && !status; number++) {
        const struct wsim_plan *plan = &room->plan[number % room->selectors];
        struct wsim_case one = wsim_case_at(plan, seed, number, dist);
        size_t bytes = (size_t)plan->out_rows * WSIM_LANES * sizeof room->out[0][0];
        wsim_case_fill(plan, &one, room->in);
        for (size_t i = 0; i < n && !status; i++) {
            status = wsim_case_run(codes[i], plan, room->in, room->out[i], &room->scratch, diag);
            for (size_t j = 0; j < i && !status; j++)
                if (memcmp(room->out[i], room->out[j], bytes) != 0 && differ[i * n + j]++ == 0)
                    first[i * n + j] = number;
        }
    }
    free(room);
    return status;
}

/* The registers that case `number` leaves and, unless `why` is NULL, how element `at` came about.
 */
static enum wsim_status loop_case(const struct wsim_code *code, uint64_t seed, unsigned dist,
                                  uint64_t number, uint32_t *out, const struct wsim_coord *at,
                                  struct wsim_why *why, struct wsim_diag *diag) {
    struct loop_room *room = loop_room(&code->op, 0, diag);
    enum wsim_status status = room ? WSIM_OK : diag->status;
    if (room) {
        const struct wsim_plan *plan = &room->plan[number % room->selectors];
        struct wsim_case one = wsim_case_at(plan, seed, number, dist);
        struct wsim_io io;
        wsim_case_fill(plan, &one, room->in);
        status = wsim_case_run(code, plan, room->in, out, &room->scratch, diag);
        wsim_case_bind(plan, room->in, out, &room->scratch, &io);
        if (!status && why)
            status = wsim_why(code, &io, *at, why, diag);
    }
    free(room);
    return status;
}

/* The number of a distribution of operands, and its name; -1 and NULL: there is none. */
static int loop_dist(const char *name) {
    return wsim_dist_find(name);
}

static const char *loop_dist_name(unsigned dist) {
    return wsim_dist_name(dist);
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
