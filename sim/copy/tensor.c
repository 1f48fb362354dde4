/* Tensor copies: whether the hardware does them, and doing them. Where the bytes lie is asked of
 * walk.c, what a sum is of reduce.c. */
#include "bytes.h"
#include "copy.h"

#include <inttypes.h>

/* What an operation says. */
struct order {
    enum copy_direction direction;
    enum copy_operation operation; /* COPY_REDUCE */
    unsigned dims;
    unsigned mode; /* value of PLACE_MODE */
};

static struct order read_order(const struct wsim_op *op) {
    struct order order;
    order.dims = op->q[PLACE_DIMENSIONS] - Q_1D + 1u;
    order.mode = op->q[PLACE_MODE] == Q_TILE ? 0 : op->q[PLACE_MODE];
    order.operation = op->q[PLACE_REDUCTION]
                          ? (enum copy_operation)(op->q[PLACE_REDUCTION] - Q_REDUCE_ADD)
                          : COPY_OPERATIONS;
    order.direction = op->q[PLACE_TO] != Q_TO_GLOBAL ? COPY_LOAD
                      : op->q[PLACE_REDUCTION]       ? COPY_REDUCE
                                                     : COPY_STORE;
    return order;
}

static const char *direction_name(enum copy_direction direction) {
    static const char *const names[] = {"a load", "a store", "a reduction"};
    return names[direction];
}

/* --- what cannot be done --- */

static enum wsim_status check_known(const struct wsim_tensor *t, struct wsim_diag *diag) {
    if (tensor_types[t->dtype].needs == FEATURE_BLACKWELL)
        return base_refuse(diag, WSIM_UNMODELLED, 0, "copies of dtype %s are not modelled",
                           tensor_types[t->dtype].name);
    return WSIM_OK;
}

static int wants_pixels(const struct order *order) {
    return order->mode == Q_IM2COL || order->mode == Q_IM2COL_NO_OFFS;
}

static int has_rows(const struct order *order) {
    return order->mode == Q_GATHER4 || order->mode == Q_SCATTER4;
}

static enum wsim_status check_kind(const struct order *order, const struct wsim_tensor *t,
                                   struct wsim_diag *diag) {
    enum wsim_tensor_mode mode = wants_pixels(order) ? WSIM_TENSOR_IM2COL : WSIM_TENSOR_TILED;
    if (t->mode != mode)
        return base_refuse(diag, WSIM_OPERAND, 0, "the map is %s: mode .%s needs one that is %s",
                           wsim_tensor_name(WSIM_TENSOR_LIST_MODE, t->mode),
                           order->mode ? isa_word_text(PLACE_MODE, order->mode) : "tile",
                           wsim_tensor_name(WSIM_TENSOR_LIST_MODE, mode));
    if (t->rank != order->dims)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "the map has rank %u: .%ud copies need one of rank %u",
                           (unsigned)t->rank, order->dims, order->dims);
    if (has_rows(order) && (t->interleave != WSIM_TENSOR_INTERLEAVE_NONE || t->box[1] != 1))
        return base_refuse(
            diag, WSIM_OPERAND, 0, "box[1] is %u, interleave %s: mode .%s needs 1 and NONE",
            (unsigned)t->box[1], wsim_tensor_name(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave),
            isa_word_text(PLACE_MODE, order->mode));
    return WSIM_OK;
}

/* --- what traps --- */

/* The base pixel is one of its bounding box, and offsets are as wide as the instruction has them.
 */
static enum wsim_status check_pixel(const struct wsim_tensor *t, const struct wsim_bulk *io,
                                    struct wsim_diag *diag) {
    unsigned i, bits = tensor_corner_bits[t->rank];
    for (i = 0; i + 2 < t->rank; i++) {
        unsigned dim = tensor_spatial_dim(t, i);
        int64_t end = (int64_t)t->dims[dim] + t->upper[i];
        if (io->coord[dim] < t->lower[i] || io->coord[dim] >= end)
            return base_refuse(diag, WSIM_OPERAND, 0,
                               "coord[%u] is %" PRId32 ": the base pixel begins inside of its box, "
                               "%" PRId32 " to %" PRId64,
                               dim, io->coord[dim], t->lower[i], end - 1);
        if (io->offset[i] >> bits)
            return base_refuse(diag, WSIM_OPERAND, 0,
                               "offset[%u] is %u: in rank %u it has %u bits, 0 to %u", i,
                               io->offset[i], (unsigned)t->rank, bits, (1u << bits) - 1);
    }
    return WSIM_OK;
}

static enum wsim_status check_load(const struct order *order, const struct wsim_tensor *t,
                                   const struct wsim_bulk *io, struct wsim_diag *diag) {
    int64_t bytes = (int64_t)io->coord[0] * (tensor_types[t->dtype].bits / 8);
    int64_t step = COPY_PIECE / (tensor_types[t->dtype].bits / 8), below;
    if (t->interleave != WSIM_TENSOR_INTERLEAVE_NONE || bytes % COPY_PIECE == 0)
        return wants_pixels(order) ? check_pixel(t, io, diag) : WSIM_OK;
    below = io->coord[0] - (io->coord[0] % step + step) % step;
    return base_refuse(diag, wants_pixels(order) ? WSIM_UNMODELLED : WSIM_ALIGN, 0,
                       "coord[0] is %" PRId32 ", byte %" PRId64
                       " of its row: a load begins at a multiple of %d bytes; the nearest are "
                       "%" PRId64 " and %" PRId64,
                       io->coord[0], bytes, (int)COPY_PIECE, below, below + step);
}

static enum wsim_status check_corners(const struct wsim_tensor *t, struct wsim_diag *diag) {
    unsigned i;
    for (i = 0; i + 2 < t->rank; i++)
        if (t->lower[i] < 0 || t->upper[i] > 0)
            return base_refuse(diag, WSIM_OPERAND, 0,
                               "lower[%u] is %" PRId32 ", upper[%u] %" PRId32
                               ": mode .im2col_no_offs needs 0 or more, and 0 or less",
                               i, t->lower[i], i, t->upper[i]);
    return WSIM_OK;
}

static enum wsim_status check_store(const struct order *order, const struct wsim_tensor *t,
                                    const struct wsim_bulk *io, struct wsim_diag *diag) {
    unsigned i, n = has_rows(order) ? WSIM_TENSOR_RANK : order->dims;
    for (i = 0; i < n; i++)
        if (io->coord[i] < 0)
            return base_refuse(diag, WSIM_OPERAND, 0,
                               "coord[%u] is %" PRId32 ": %s cannot begin at negative coordinates; "
                               "the nearest is 0",
                               i, io->coord[i], direction_name(order->direction));
    for (i = 0; i < t->rank; i++)
        if (t->estrides[i] != 1)
            return base_refuse(diag, WSIM_OPERAND, 0,
                               "estrides[%u] is %u: %s needs a map with element strides of 1", i,
                               (unsigned)t->estrides[i], direction_name(order->direction));
    if (wants_pixels(order)) {
        enum wsim_status status = check_corners(t, diag);
        return status ? status : check_pixel(t, io, diag);
    }
    return WSIM_OK;
}

static enum wsim_status check_shared(const struct wsim_bulk *io, struct wsim_diag *diag) {
    uint32_t below = io->shared_at - io->shared_at % COPY_SHARED_ALIGN;
    if (io->shared_at == below)
        return WSIM_OK;
    return base_refuse(diag, WSIM_ALIGN, 0,
                       "shared address 0x%x: a tile begins at a multiple of %d bytes; the nearest "
                       "are 0x%x and 0x%x",
                       (unsigned)io->shared_at, (int)COPY_SHARED_ALIGN, (unsigned)below,
                       (unsigned)(below + COPY_SHARED_ALIGN));
}

static enum wsim_status check_traps(const struct order *order, const struct wsim_tensor *t,
                                    const struct wsim_bulk *io, struct wsim_diag *diag) {
    enum wsim_status status = check_shared(io, diag);
    if (status)
        return status;
    return order->direction == COPY_LOAD ? check_load(order, t, io, diag)
                                         : check_store(order, t, io, diag);
}

/* What is documented of the type; what the hardware does of the rest is not known. */
static enum wsim_status check_reduction(const struct order *order, const struct wsim_tensor *t,
                                        struct wsim_diag *diag) {
    unsigned able = copy_numbers[t->dtype].reductions, o;
    char list[64] = "";
    struct base_text names = {list, sizeof list, 0};
    if (order->direction != COPY_REDUCE || able >> order->operation & 1)
        return WSIM_OK;
    for (o = 0; o < COPY_OPERATIONS; o++)
        if (able >> o & 1)
            base_put(&names, " .%s", isa_word_text(PLACE_REDUCTION, Q_REDUCE_ADD + o));
    return base_refuse(diag, WSIM_UNMODELLED, 0, "reduction .%s of dtype %s: documented %s%s",
                       isa_word_text(PLACE_REDUCTION, Q_REDUCE_ADD + order->operation),
                       tensor_types[t->dtype].name, able ? "are" : "is none", list);
}

/* Bytes from one step of dimension `i` to the next, and how many steps a tile takes at most. */
struct reach {
    uint64_t stride, steps;
};

static struct reach reach_of(const struct copy_walk *walk, unsigned i) {
    const struct wsim_tensor *t = walk->tensor;
    struct reach reach = {t->strides[i - 1], t->dims[i]};
    if (t->mode == WSIM_TENSOR_TILED && !walk->gathers && walk->tile.extent[i] < t->dims[i])
        reach.steps = walk->tile.extent[i];
    return reach;
}

/* Whether two rows of what is written can share bytes. By ascending stride, every dimension has to
 * step over all that the smaller ones cover. */
static int overlaps(const struct copy_walk *walk) {
    const struct wsim_tensor *t = walk->tensor;
    struct reach sorted[WSIM_TENSOR_RANK];
    uint64_t covered = walk->end * walk->element;
    unsigned n = 0, i, j;
    for (i = 1; i < t->rank; i++) {
        struct reach reach = reach_of(walk, i);
        for (j = n++; j > 0 && sorted[j - 1].stride > reach.stride; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = reach;
    }
    for (i = 0; i < n; i++) {
        if (sorted[i].steps == 1)
            continue;
        if (sorted[i].stride < covered)
            return 1;
        if (sorted[i].stride > UINT64_MAX / sorted[i].steps / 2)
            return 0; /* so far apart that it is refused elsewhere, or not reached */
        covered += sorted[i].stride * (sorted[i].steps - 1);
    }
    return 0;
}

/* Whether it does not matter which of two elements comes first. */
static int commutes(const struct order *order, const struct wsim_tensor *t) {
    return order->direction == COPY_REDUCE && order->operation != COPY_INC &&
           order->operation != COPY_DEC && copy_numbers[t->dtype].format->kind != WSIM_BINARY;
}

static enum wsim_status check_overlap(const struct copy_walk *walk, const struct order *order,
                                      struct wsim_diag *diag) {
    if (walk->direction == COPY_LOAD || commutes(order, walk->tensor) || !overlaps(walk))
        return WSIM_OK;
    return base_refuse(diag, WSIM_UNMODELLED, 0,
                       "the strides of the map let rows overlap: which one %s writes last is not "
                       "known",
                       direction_name(order->direction));
}

/* --- every byte --- */

/* Whether it is known what the reduction of an element gives. */
static enum wsim_status look_at_numbers(const struct copy_walk *walk, const struct order *order,
                                        uint64_t global, uint64_t offset, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    uint64_t at, result;
    for (at = 0; at < walk->element && !status; at += walk->number)
        status =
            copy_combine(order->operation, &copy_numbers[walk->tensor->dtype],
                         bytes_get(walk->io->global, global + at, walk->number),
                         bytes_get(walk->io->shared, copy_shared(walk, offset + at), walk->number),
                         &result, diag);
    return status;
}

/* Whether the bytes of one row are in their windows. */
static enum wsim_status look(const struct copy_walk *walk, const struct order *order,
                             const struct copy_row *row, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    uint64_t global, at;
    uint32_t i;
    for (i = 0; i < walk->tile.extent[0] && !status; i++) {
        enum wsim_bulk_where where = copy_global(walk, row, i, &global);
        if (where != WSIM_BULK_OUTSIDE && row->beyond)
            return base_refuse(diag, WSIM_BOUNDS, 0,
                               "row %" PRIu64 " of the tile: its global address has more than 64 "
                               "bits",
                               walk->row - 1);
        if (where != WSIM_BULK_OUTSIDE)
            status = bytes_inside(walk->io->global, global, walk->element, "global", diag);
        else if (walk->direction != COPY_LOAD)
            continue;
        for (at = 0; at < walk->element && !status; at += walk->number)
            status = bytes_inside(walk->io->shared,
                                  copy_shared(walk, row->shared + i * walk->element + at),
                                  walk->number, "shared", diag);
        if (!status && walk->direction == COPY_REDUCE)
            status = look_at_numbers(walk, order, global, row->shared + i * walk->element, diag);
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

static void store_number(const struct copy_walk *walk, const struct order *order, uint64_t global,
                         uint64_t shared) {
    uint64_t bits = bytes_get(walk->io->shared, shared, walk->number);
    if (order->direction == COPY_REDUCE)
        copy_combine(order->operation, &copy_numbers[walk->tensor->dtype],
                     bytes_get(walk->io->global, global, walk->number), bits, &bits, NULL);
    bytes_put(walk->io->global, global, walk->number, bits);
}

static void move(const struct copy_walk *walk, const struct order *order,
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

static enum wsim_status look_at_all(struct copy_walk walk, const struct order *order,
                                    struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    struct copy_row row;
    while (!status && copy_next(&walk, &row))
        status = look(&walk, order, &row, diag);
    return status;
}

static void move_all(struct copy_walk walk, const struct order *order,
                     struct wsim_bulk_result *result) {
    struct copy_row row;
    while (copy_next(&walk, &row))
        move(&walk, order, &row, result);
}

/* All that is known before any byte is looked at. */
static enum wsim_status check(const struct wsim_arch *arch, const struct order *order,
                              const struct wsim_tensor *t, const struct wsim_bulk *io,
                              struct wsim_diag *diag) {
    enum wsim_status status = wsim_tensor_check(t, arch, diag);
    if (!status)
        status = check_known(t, diag);
    if (!status)
        status = check_kind(order, t, diag);
    if (!status)
        status = check_traps(order, t, io, diag);
    return status ? status : check_reduction(order, t, diag);
}

/* Whether hardware was seen to do the like. */
static int was_seen(const struct wsim_arch *arch, const struct order *order,
                    const struct wsim_tensor *t) {
    static const struct {
        uint8_t generation, direction, interleaves, reductions;
    } rows[] = {
#define ANY_ROWS 0xFF
#define PLAIN_ROWS (1u << WSIM_TENSOR_INTERLEAVE_NONE)
#define ONE_OF(operation) (1u << COPY_##operation)
#define SEEN(generation, direction, interleaves, reductions)                                       \
    {GENERATION_##generation, COPY_##direction, interleaves, reductions},
#include "../isa/copy.def"
    };
    int integer = copy_numbers[t->dtype].format->kind == WSIM_INT;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0] && !order->mode; i++)
        if (rows[i].generation == arch->generation && rows[i].direction == order->direction &&
            rows[i].interleaves >> t->interleave & 1 &&
            (order->direction != COPY_REDUCE ||
             (integer && rows[i].reductions >> order->operation & 1)))
            return 1;
    return 0;
}

/* The tile of a copy that may be done. */
static enum wsim_status begin(const struct wsim_op *op, const struct wsim_arch *arch,
                              const struct wsim_bulk *io, struct order *order,
                              struct wsim_tensor *t, struct copy_walk *walk,
                              struct wsim_diag *diag) {
    enum wsim_status status;
    if (!io->map)
        return base_refuse(diag, WSIM_OPERAND, 0, "the tensor map is missing");
    *order = read_order(op);
    status = wsim_tensor_decode(io->map, t, diag);
    if (!status)
        status = check(arch, order, t, io, diag);
    if (status)
        return status;
    copy_begin(walk, t, io, order->direction, has_rows(order));
    return check_overlap(walk, order, diag);
}

enum wsim_status copy_place(const struct wsim_op *op, const struct wsim_arch *arch,
                            const struct wsim_bulk *io, uint64_t row, uint32_t byte,
                            struct wsim_bulk_place *place, struct wsim_diag *diag) {
    struct copy_row at = {0, 0, 0, 0, 0};
    struct copy_walk walk;
    struct wsim_tensor t;
    struct order order;
    enum wsim_status status = begin(op, arch, io, &order, &t, &walk, diag);
    if (status)
        return status;
    if (row >= walk.tile.rows || byte >= walk.tile.inner)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "byte %u of row %" PRIu64 ": the tile has %" PRIu64 " rows of %u bytes",
                           (unsigned)byte, row, walk.tile.rows, (unsigned)walk.tile.inner);
    if (t.mode == WSIM_TENSOR_TILED)
        walk.row = row; /* pixels follow from each other, rows of a tile do not */
    while (walk.row <= row)
        copy_next(&walk, &at);
    place->where = copy_global(&walk, &at, byte / walk.element, &place->global);
    place->global += byte % walk.element;
    place->shared = (uint32_t)copy_shared(&walk, at.shared + byte);
    return WSIM_OK;
}

enum wsim_status copy_tensor(const struct wsim_op *op, const struct wsim_arch *arch,
                             const struct wsim_bulk *io, struct wsim_bulk_result *result,
                             struct wsim_diag *diag) {
    struct copy_walk walk;
    struct wsim_tensor t;
    struct order order;
    enum wsim_status status = begin(op, arch, io, &order, &t, &walk, diag);
    if (status)
        return status;
    result->bytes = walk.tile.bytes;
    result->measured = was_seen(arch, &order, &t);
    status = look_at_all(walk, &order, diag);
    if (!status && order.direction == COPY_LOAD)
        status = copy_can_complete(io, result->bytes, diag);
    if (status)
        return status;
    move_all(walk, &order, result);
    if (order.direction == COPY_LOAD)
        copy_complete(io, result->bytes);
    return WSIM_OK;
}
