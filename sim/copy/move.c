/* move.c - every byte of a tensor copy: looked at, then moved. */
#include "bytes.h"
#include "steps.h"

#include <inttypes.h>

/* Whether the bytes of one row are in their windows. */
static enum wsim_status look(const struct copy_walk *walk, const struct copy_row *row,
                             struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    uint64_t global, at;
    uint32_t i;
    for (i = 0; i < walk->tile.extent[0] && !status; i++) {
        enum wsim_bulk_where where = copy_global(walk, row, i, &global);
        if (where != WSIM_BULK_OUTSIDE)
            status = bytes_inside(walk->io->global, global, walk->element, "global", diag);
        else if (walk->direction != COPY_LOAD)
            continue;
        for (at = 0; at < walk->element && !status; at += walk->number)
            status = bytes_inside(walk->io->shared,
                                  copy_shared(walk, row->shared + i * walk->element + at),
                                  walk->number, "shared", diag);
    }
    return status;
}

/* A float32 rounded to the 10 fraction bits of tf32, to nearest even; all NaNs become one. */
static uint64_t to_tf32(uint64_t bits) {
    uint64_t exponent = UINT64_C(0x7F800000), fraction = UINT64_C(0x7FFFFF);
    if ((bits & exponent) == exponent)
        return bits & fraction ? (uint64_t)COPY_TF32_NAN : bits;
    return (bits + 0xFFF + (bits >> 13 & 1)) & UINT64_C(0xFFFFE000);
}

static uint64_t fill_of(const struct wsim_tensor *t) {
    return t->oob == WSIM_TENSOR_FILL_NAN ? COPY_NAN_FILL * UINT64_C(0x0001000100010001) : 0;
}

static void load_number(const struct copy_walk *walk, enum wsim_bulk_where where, uint64_t global,
                        uint64_t shared) {
    uint64_t bits = fill_of(walk->tensor);
    if (where != WSIM_BULK_OUTSIDE)
        bits = bytes_get(walk->io->global, global, walk->number);
    if (where != WSIM_BULK_OUTSIDE && copy_numbers[walk->tensor->dtype].rounds)
        bits = to_tf32(bits);
    bytes_put(walk->io->shared, shared, walk->number, bits);
}

static void store_number(const struct copy_walk *walk, const struct copy_order *order,
                         uint64_t global, uint64_t shared) {
    uint64_t bits = bytes_get(walk->io->shared, shared, walk->number);
    if (order->direction == COPY_REDUCE)
        bits = copy_combine(order->operation, &copy_numbers[walk->tensor->dtype],
                            bytes_get(walk->io->global, global, walk->number), bits);
    bytes_put(walk->io->global, global, walk->number, bits);
}

static void move(const struct copy_walk *walk, const struct copy_order *order,
                 const struct copy_row *row, struct wsim_bulk_result *result) {
    uint64_t global = 0, at;
    uint32_t i;
    for (i = 0; i < walk->tile.extent[0]; i++) {
        enum wsim_bulk_where where = copy_global(walk, row, i, &global);
        result->outside += where == WSIM_BULK_INSIDE ? 0 : walk->element;
        result->padding += where == WSIM_BULK_PADDING ? walk->element : 0;
        for (at = 0; at < walk->element; at += walk->number) {
            uint64_t shared = copy_shared(walk, row->shared + i * walk->element + at);
            if (order->direction == COPY_LOAD)
                load_number(walk, where, global + at, shared);
            else if (where != WSIM_BULK_OUTSIDE)
                store_number(walk, order, global + at, shared);
        }
    }
}

enum wsim_status copy_look(struct copy_walk walk, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    struct copy_row row;
    while (!status && copy_next(&walk, &row))
        status = look(&walk, &row, diag);
    return status;
}

void copy_move(struct copy_walk walk, const struct copy_order *order,
               struct wsim_bulk_result *result) {
    struct copy_row row;
    while (copy_next(&walk, &row))
        move(&walk, order, &row, result);
}
