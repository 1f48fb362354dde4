/* rules.c - checks that the hardware executes a tensor copy: illegal operands, traps, and cases
 * without a measurement. Moves nothing. */
#include "steps.h"

#include <inttypes.h>

static const char *direction_name(enum copy_direction direction) {
    static const char *const names[] = {"a load", "a store", "a reduction"};
    return names[direction];
}

/* --- illegal operands --- */

/* Packed numbers of 4 and 6 bits. */
static enum wsim_status check_known(const struct wsim_arch *arch, const struct copy_order *order,
                                    const struct wsim_tensor *t, struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    const int packed = tensor_packed(t) > 1, padded = type->bits != type->memory_bits;
    const int stores = order->direction == COPY_STORE;
    if (!packed)
        return WSIM_OK;
    if (order->direction == COPY_REDUCE || (stores && padded && type->memory_bits < 6))
        return base_refuse(diag, RULE_BULK_DTYPE_DIRECTION, 0, "%s of dtype %s: it is only %s",
                           direction_name(order->direction), type->name,
                           padded ? "loaded" : "loaded and stored");
    if (stores && padded)
        return base_refuse(diag, RULE_BULK_DTYPE_UNMODELLED, 0,
                           "stores of dtype %s are not modelled: no text says in which order its "
                           "bits are packed",
                           type->name);
    if (t->interleave != WSIM_TENSOR_INTERLEAVE_NONE)
        return base_refuse(diag, RULE_BULK_DTYPE_UNMODELLED, 0,
                           "interleaved copies of dtype %s are not modelled", type->name);
    return stores || order->own
               ? WSIM_OK
               : isa_need(FEATURE_PACKED_LOAD, arch, "a load of packed numbers to .shared::cluster",
                          UINT32_C(1) << FEATURE_PACKED_LOAD, diag);
}

/* The map mode that an instruction needs. */
static enum wsim_tensor_mode mode_of(const struct copy_order *order) {
    switch (order->mode) {
    case Q_IM2COL:
    case Q_IM2COL_NO_OFFS: return WSIM_TENSOR_IM2COL;
    case Q_IM2COL_W: return WSIM_TENSOR_IM2COL_W;
    case Q_IM2COL_W128: return WSIM_TENSOR_IM2COL_W128;
    default: return WSIM_TENSOR_TILED;
    }
}

static enum wsim_status check_kind(const struct copy_order *order, const struct wsim_tensor *t,
                                   struct wsim_diag *diag) {
    enum wsim_tensor_mode mode = mode_of(order);
    if (t->mode != mode)
        return base_refuse(diag, RULE_BULK_MODE_OTHER, 0,
                           "the map is %s: mode .%s needs one that is %s",
                           wsim_tensor_name(WSIM_TENSOR_LIST_MODE, t->mode),
                           order->mode ? isa_word_text(PLACE_MODE, order->mode) : "tile",
                           wsim_tensor_name(WSIM_TENSOR_LIST_MODE, mode));
    if (t->rank != order->dims)
        return base_refuse(diag, RULE_BULK_RANK_OTHER, 0,
                           "the map has rank %u: .%ud copies need one of rank %u",
                           (unsigned)t->rank, order->dims, order->dims);
    if (isa_names_rows(order->mode) &&
        (t->interleave != WSIM_TENSOR_INTERLEAVE_NONE || t->box[1] != 1))
        return base_refuse(
            diag, RULE_BULK_GATHER_BOX, 0, "box[1] is %u, interleave %s: mode .%s needs 1 and NONE",
            (unsigned)t->box[1], wsim_tensor_name(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave),
            isa_word_text(PLACE_MODE, order->mode));
    return WSIM_OK;
}

/* --- traps --- */

static enum wsim_status check_dims(const struct wsim_tensor *t, struct wsim_diag *diag) {
    for (unsigned i = 0; i < t->rank; i++)
        if (t->dims[i] > UINT64_C(1) << COPY_DIM_BITS)
            return base_refuse(diag, RULE_BULK_DIMS_RANGE, 0,
                               "dims[%u] is %" PRIu64
                               ": a copy needs 2^%d or less, whatever it moves",
                               i, t->dims[i], (int)COPY_DIM_BITS);
    return WSIM_OK;
}

/* Base pixels must be in the bounding box; channels and batch may be anywhere. */
static enum wsim_status check_pixel(const struct wsim_tensor *t, const struct wsim_io *io,
                                    struct wsim_diag *diag) {
    for (unsigned i = 0; i < tensor_corners(t); i++) {
        unsigned dim = tensor_spatial_dim(t, i);
        int64_t end = (int64_t)t->dims[dim] + t->upper[i];
        if (io->bulk.coord[dim] < t->lower[i] || io->bulk.coord[dim] >= end)
            return base_refuse(diag, RULE_BULK_PIXEL_OUTSIDE, 0,
                               "coord[%u] is %" PRId32
                               ": the base pixel must lie inside the box, %" PRId32 " to %" PRId64,
                               dim, io->bulk.coord[dim], t->lower[i], end - 1);
    }
    return WSIM_OK;
}

/* A row begins at a multiple of a piece, and a padded one at a multiple of its box. */
static enum wsim_status check_piece(const struct copy_order *order, const struct wsim_tensor *t,
                                    const struct wsim_io *io, struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    int64_t bytes = (int64_t)io->bulk.coord[0] * type->bits / 8;
    int64_t step = type->box ? type->box : COPY_PIECE * 8 / type->bits, below;
    if (t->interleave != WSIM_TENSOR_INTERLEAVE_NONE || io->bulk.coord[0] % step == 0)
        return WSIM_OK;
    below = io->bulk.coord[0] - (io->bulk.coord[0] % step + step) % step;
    return base_refuse(diag, RULE_BULK_COORD_ALIGN, 0,
                       "coord[0] is %" PRId32 ", byte %" PRId64
                       " of its row: %s begins at a multiple of %d bytes; the nearest are "
                       "%" PRId64 " and %" PRId64,
                       io->bulk.coord[0], bytes, direction_name(order->direction),
                       (int)(step * type->bits / 8), below, below + step);
}

/* The documented limits of im2col::w. */
static enum wsim_status check_halo(const struct wsim_tensor *t, const struct wsim_io *io,
                                   struct wsim_diag *diag) {
    const struct copy_halo *halo = &copy_halos[t->mode];
    if (halo->groups && io->bulk.offset[0] > halo->most)
        return base_refuse(diag, RULE_BULK_OFFSET_RANGE, 0,
                           "offset[0], the halo, is %u: mode %s has at most %u; the nearest is %u",
                           io->bulk.offset[0], wsim_tensor_name(WSIM_TENSOR_LIST_MODE, t->mode),
                           (unsigned)halo->most, (unsigned)halo->most);
    if (halo->groups && io->bulk.offset[1] > COPY_WIDE_OFFSET)
        return base_refuse(diag, RULE_BULK_OFFSET_RANGE, 0,
                           "offset[1], of the width, is %u: it can be 0 to %d; the nearest is %d",
                           io->bulk.offset[1], (int)COPY_WIDE_OFFSET, (int)COPY_WIDE_OFFSET);
    return WSIM_OK;
}

static enum wsim_status check_corners(const struct wsim_tensor *t, struct wsim_diag *diag) {
    for (unsigned i = 0; i < tensor_corners(t); i++)
        if (t->lower[i] < 0 || t->upper[i] > 0)
            return base_refuse(diag, RULE_BULK_CORNER_SIGN, 0,
                               "lower[%u] is %" PRId32 ", upper[%u] %" PRId32
                               ": mode .im2col_no_offs needs 0 or more, and 0 or less",
                               i, t->lower[i], i, t->upper[i]);
    return WSIM_OK;
}

static enum wsim_status check_positive(const struct copy_order *order, const struct wsim_io *io,
                                       struct wsim_diag *diag) {
    unsigned n = isa_names_rows(order->mode) ? WSIM_TENSOR_RANK : order->dims;
    for (unsigned i = 0; i < n; i++)
        if (io->bulk.coord[i] < 0)
            return base_refuse(diag, RULE_BULK_COORD_NEGATIVE, 0,
                               "coord[%u] is %" PRId32 ": %s cannot begin at negative coordinates; "
                               "the nearest is 0",
                               i, io->bulk.coord[i], direction_name(order->direction));
    return WSIM_OK;
}

enum wsim_status copy_check_shared(const struct wsim_arch *arch, const struct wsim_memory *shared,
                                   uint64_t address, uint64_t bytes, int written,
                                   struct wsim_diag *diag) {
    enum wsim_status status = memory_check(shared, address, bytes, written, diag);
    if (status || !bytes || address + bytes <= isa_shared_end(arch))
        return status;
    return base_refuse(diag, RULE_MEMORY_END, 0,
                       "bytes 0x%" PRIx64 " to 0x%" PRIx64 ": shared memory of %s ends at 0x%x",
                       address, address + bytes - 1, arch->name, (unsigned)isa_shared_end(arch));
}

static enum wsim_status check_shared(const struct wsim_io *io, struct wsim_diag *diag) {
    uint32_t below = io->bulk.shared_at - io->bulk.shared_at % COPY_SHARED_ALIGN;
    if (io->bulk.shared_at == below)
        return WSIM_OK;
    return base_refuse(diag, RULE_BULK_SHARED_ALIGN, 0,
                       "shared address 0x%x: a tile begins at a multiple of %d bytes; the nearest "
                       "are 0x%x and 0x%x",
                       (unsigned)io->bulk.shared_at, (int)COPY_SHARED_ALIGN, (unsigned)below,
                       (unsigned)(below + COPY_SHARED_ALIGN));
}

static enum wsim_status check_traps(const struct copy_order *order, const struct wsim_tensor *t,
                                    const struct wsim_io *io, struct wsim_diag *diag) {
    enum wsim_status status = check_shared(io, diag);
    if (!status)
        status = check_dims(t, diag);
    if (!status && order->direction != COPY_LOAD)
        status = check_positive(order, io, diag);
    if (!status)
        status = check_piece(order, t, io, diag);
    if (!status && order->direction != COPY_LOAD)
        status = check_corners(t, diag);
    if (!status)
        status = check_pixel(t, io, diag);
    return status ? status : check_halo(t, io, diag);
}

/* All other reductions of the type trap. */
static enum wsim_status check_reduction(const struct copy_order *order, const struct wsim_tensor *t,
                                        struct wsim_diag *diag) {
    unsigned able = copy_numbers[t->dtype].reductions, o;
    char list[64] = "";
    struct base_text names = {list, sizeof list, 0};
    if (order->direction != COPY_REDUCE || able >> order->operation & 1)
        return WSIM_OK;
    for (o = 0; o < COPY_OPERATIONS; o++)
        if (able >> o & 1)
            base_put(&names, " .%s", copy_word((enum copy_operation)o));
    return base_refuse(
        diag, RULE_BULK_REDUCTION_TYPE, 0, "reduction .%s of dtype %s traps: the type has%s",
        copy_word(order->operation), tensor_types[t->dtype].name, able ? list : " none");
}

enum wsim_status copy_check(const struct wsim_arch *arch, const struct copy_order *order,
                            const struct wsim_tensor *t, const struct wsim_io *io,
                            struct wsim_diag *diag) {
    enum wsim_status status = wsim_tensor_check(t, arch, diag);
    if (!status)
        status = check_known(arch, order, t, diag);
    if (!status)
        status = check_kind(order, t, diag);
    if (!status)
        status = check_traps(order, t, io, diag);
    return status ? status : check_reduction(order, t, diag);
}
