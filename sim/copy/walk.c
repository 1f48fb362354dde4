/* The bytes of a tensor copy: the rows of a tile in order, and the global and shared address of
 * each element. Does not know what happens to them. */
#include "copy.h"

#include <wsim/both.h>

static int is_interleaved(const struct wsim_tensor *t) {
    return t->interleave != WSIM_TENSOR_INTERLEAVE_NONE;
}

/* Stores and reductions work in pieces of 16 bytes: they write elements up to a multiple of that,
 * also past the end of dimension 0. */
static uint64_t inner_end(const struct copy_walk *walk) {
    uint64_t end = walk->tensor->dims[0] / walk->packed, piece = COPY_PIECE / walk->element;
    if (walk->direction == COPY_LOAD || is_interleaved(walk->tensor))
        return end;
    return (end + piece - 1) / piece * piece;
}

const struct copy_halo copy_halos[WSIM_TENSOR_MODES] = {
#define HALO(mode, groups, most, source) [WSIM_TENSOR_##mode] = {groups, most},
#include "../isa/copy.def"
};

/* Multiplies the number of rows. */
static void add_rows(struct wsim_tensor_tile *tile, uint64_t rows) {
    tile->bytes += tile->bytes / tile->rows * rows;
    tile->rows += rows;
    tile->room = (tile->rows - 1) * tile->pitch + tile->inner;
}

/* The offsets as the instruction encodes them: one number of 16 bits. */
static void read_offsets(struct copy_walk *walk) {
    static const struct {
        uint8_t bits, carries;
    } rows[WSIM_TENSOR_RANK + 1] = {
#define OFFSETS(rank, bits, carries, source) [rank] = {bits, carries},
#include "../isa/copy.def"
    };
    uint32_t rank = walk->tensor->rank, bits = rows[rank].bits;
    uint32_t mask = (UINT32_C(1) << bits) - 1, all = 0;
    for (uint32_t i = 0; i + 2 < rank; i++)
        all += (walk->io->bulk.offset[i] & (rows[rank].carries ? UINT16_MAX : mask)) << bits * i;
    for (uint32_t i = 0; i + 2 < rank; i++)
        walk->offset[i] = all >> bits * i & mask;
}

/* Bytes that a swizzle keeps together: up to the lowest address bit that it changes. */
static uint32_t whole_piece(const struct isa_swizzle *swizzle) {
    uint32_t changed = (uint32_t)swizzle->mask[0] | swizzle->mask[1];
    return changed & (0 - changed);
}

void copy_begin(struct copy_walk *walk, const struct wsim_arch *arch,
                const struct wsim_tensor *tensor, const struct wsim_io *io,
                enum copy_direction direction, int gathers) {
    walk->tensor = tensor;
    walk->tile = wsim_tensor_measure(tensor);
    walk->io = io;
    walk->arch = arch;
    walk->direction = direction;
    walk->gathers = gathers;
    walk->packed = tensor_packed(tensor);
    walk->element = walk->tile.element_bits * walk->packed / 8;
    walk->source = tensor_types[tensor->dtype].bits == tensor_types[tensor->dtype].memory_bits
                       ? walk->element
                       : tensor_types[tensor->dtype].memory_bits * walk->packed / 8;
    walk->number = tensor_types[tensor->dtype].bits / 8u;
    walk->step =
        is_interleaved(tensor) && tensor->mode == WSIM_TENSOR_TILED ? tensor->estrides[0] : 1;
    walk->swizzle = &isa_swizzles[tensor->swizzle];
    walk->whole = whole_piece(walk->swizzle);
    walk->end = inner_end(walk);
    walk->row = 0;
    walk->pixels = tensor_pixels(tensor);
    walk->groups = copy_halos[tensor->mode].groups;
    if (gathers)
        add_rows(&walk->tile, 3);
    if (walk->groups)
        add_rows(&walk->tile, (uint64_t)walk->groups * io->bulk.offset[0]);
    for (unsigned i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        walk->offset[i] = 0;
    if (walk->groups)
        walk->offset[0] = io->bulk.offset[1];
    else if (tensor->mode == WSIM_TENSOR_IM2COL && direction == COPY_LOAD)
        read_offsets(walk);
}

/* The coordinates of row `row` of a tile. */
static void tile_place(const struct copy_walk *walk, int64_t place[WSIM_TENSOR_RANK]) {
    uint64_t rest = walk->row;
    place[0] = walk->io->bulk.coord[0];
    for (uint32_t i = 1; i < walk->tensor->rank; i++) {
        place[i] = walk->io->bulk.coord[i] +
                   (int64_t)(rest % walk->tile.extent[i]) * walk->tensor->estrides[i];
        rest /= walk->tile.extent[i];
    }
    if (walk->gathers)
        place[1] = walk->io->bulk.coord[1 + walk->row];
}

/* The number of steps to row `row`: halo pixels continue after their group. */
static uint64_t steps_of(const struct copy_walk *walk) {
    uint64_t behind;
    if (walk->row < walk->pixels || !walk->groups)
        return walk->row;
    behind = walk->row - walk->pixels;
    return walk->pixels / walk->groups * (1 + behind % walk->groups) + behind / walk->groups;
}

/* The base pixel of row `row`. A dimension runs through the rest of its box, then through the whole
 * box repeatedly. Each wrap advances the next dimension. The last dimension has no end. */
static void pixel_place(const struct copy_walk *walk, int64_t place[WSIM_TENSOR_RANK]) {
    const struct wsim_tensor *t = walk->tensor;
    uint64_t steps = steps_of(walk);
    for (unsigned i = 0; i < t->rank; i++)
        place[i] = walk->io->bulk.coord[i];
    for (unsigned i = 0; i < tensor_corners(t); i++) {
        unsigned dim = tensor_spatial_dim(t, i);
        int64_t end = (int64_t)t->dims[dim] + t->upper[i], stride = t->estrides[dim];
        uint64_t left = (uint64_t)((end - place[dim] + stride - 1) / stride);
        uint64_t all = (uint64_t)((end - t->lower[i] + stride - 1) / stride);
        if (steps < left) {
            place[dim] += (int64_t)steps * stride;
            steps = 0;
        } else {
            place[dim] = t->lower[i] + (int64_t)((steps - left) % all) * stride;
            steps = 1 + (steps - left) / all;
        }
        place[dim] += walk->offset[i];
    }
    place[t->rank - 1] += (int64_t)steps * t->estrides[t->rank - 1];
}

int copy_next(struct copy_walk *walk, struct copy_row *row) {
    const struct wsim_tensor *t = walk->tensor;
    int64_t *place = row->coord;
    if (walk->row == walk->tile.rows)
        return 0;
    if (t->mode == WSIM_TENSOR_TILED)
        tile_place(walk, place);
    else
        pixel_place(walk, place);
    row->shared = walk->row * walk->tile.pitch;
    row->inside = 1;
    row->global = t->base;
    for (uint32_t i = 1; i < t->rank; i++)
        if (place[i] < 0 || (uint64_t)place[i] >= t->dims[i])
            row->inside = 0;
        else
            row->global += (uint64_t)place[i] * t->strides[i - 1]; /* modulo 2^64 */
    walk->row++;
    return 1;
}

int copy_run(const struct copy_walk *walk, const struct copy_row *row, uint32_t *first,
             struct copy_run *run) {
    int64_t at = row->coord[0] / (int64_t)walk->packed + (int64_t)*first * walk->step, size, end;
    uint64_t count = walk->tile.extent[0] / walk->packed - *first, alike = count;
    if (!count)
        return 0;
    size = (int64_t)(walk->tensor->dims[0] / walk->packed);
    end = (int64_t)walk->end;
    run->where = WSIM_BULK_OUTSIDE;
    if (row->inside && at < 0) {
        alike = (uint64_t)-at;
    } else if (row->inside && at < size) {
        run->where = WSIM_BULK_INSIDE;
        alike = (uint64_t)(size - at);
    } else if (row->inside && at < end) {
        run->where = WSIM_BULK_PADDING;
        alike = (uint64_t)(end - at);
    }
    if (walk->step > 1) /* elements are not adjacent */
        alike = 1;
    count = alike < count ? alike : count;
    run->global = row->global + (uint64_t)at * walk->source;
    run->shared = row->shared + *first * walk->element;
    run->bytes = (uint32_t)count * walk->element;
    run->moved = (uint32_t)count * walk->source;
    *first += (uint32_t)count;
    return 1;
}

/* An address beyond 32 bits keeps its high part and is therefore outside of every window. */
uint64_t copy_shared(const struct copy_walk *walk, uint64_t offset) {
    uint64_t address = walk->io->bulk.shared_at + offset;
    uint32_t low = (uint32_t)address;
    return address - low + wsim_swizzle_bits(walk->swizzle->shift, walk->swizzle->mask, low);
}

uint32_t copy_piece(const struct copy_walk *walk, uint64_t offset, uint32_t bytes,
                    uint64_t *address) {
    uint32_t n = walk->source == walk->element ? walk->whole : walk->element;
    *address = copy_shared(walk, offset);
    n -= (uint32_t)*address & (n - 1);
    return n && n < bytes ? n : bytes;
}
