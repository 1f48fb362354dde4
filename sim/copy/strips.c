/* strips.c - tensor copies by strips: consecutive rows of a tile along one dimension. Checks and
 * addresses are computed once per strip; a row is a plain move of bytes. walk.c defines the place
 * of each byte. Copies that are refused or unusual take the way of walk.c. */
#include "steps.h"

#include <string.h>
#include <wsim/both.h>

/* No swizzle moves a byte out of its line or splits a piece; it depends on the bits above a line.
 */
enum { LINE = 128, HALF = COPY_PIECE / 2 };
#define SWIZZLE(id, name, span, shift1, mask1, shift2, mask2, code, tcgen)                         \
    _Static_assert((mask1) < LINE && (mask2) < LINE &&                                             \
                       (((mask1) << (shift1)) | ((mask2) << (shift2))) % LINE == 0 &&              \
                       ((mask1) | (mask2)) % HALF == 0,                                            \
                   "swizzle.def: a swizzle moves halves of pieces, those of a line alike");
#include "../isa/swizzle.def"

/* The bytes of a row that is inside the tensor, in order. */
struct parts {
    uint32_t lead; /* before coordinate 0 */
    uint32_t body; /* moved bytes, including those past the end of dimension 0 */
    uint32_t padding;
    uint32_t tail;
};

struct strip {
    uint64_t rows, before, inside; /* of all rows; those outside before those inside */
    uint64_t global;               /* address of the first that is inside: its body  */
    uint64_t step;                 /* bytes from one to the next                     */
};

/* The start of the next strip, and the common values of all strips. */
struct cursor {
    const struct copy_walk *walk;
    struct parts parts;
    uint64_t left; /* rows */
    unsigned dim;  /* along which strips go */
    int64_t place[WSIM_TENSOR_RANK];
    int64_t offset[WSIM_TENSOR_RANK]; /* of pixels: the distance to the pixel that is read */
    uint32_t count[WSIM_TENSOR_RANK]; /* of tiles: how often a dimension has moved on */
    uint64_t global;                  /* the body of the row there, modulo 2^64 */
    unsigned outside;                 /* bit i: dimension i is */
    uint64_t rows, before, end;       /* of a strip; the first after those inside */
};

/* --- rows of a strip --- */

static int64_t clamp(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

static struct parts parts_of(const struct copy_walk *walk) {
    int64_t at = walk->io->bulk.coord[0], count = walk->tile.extent[0];
    int64_t lead = clamp(-at, 0, count);
    int64_t size = clamp((int64_t)walk->tensor->dims[0] - at, lead, count);
    int64_t end = clamp((int64_t)walk->end - at, lead, count);
    return (struct parts){(uint32_t)lead * walk->element, (uint32_t)(end - lead) * walk->element,
                          (uint32_t)(end - size) * walk->element,
                          (uint32_t)(count - end) * walk->element};
}

static int is_tile(const struct copy_walk *walk) {
    return walk->tensor->mode == WSIM_TENSOR_TILED;
}

/* The number of steps from `from` to `to`; 0 if `from` is already past it. */
static uint64_t steps_to(int64_t from, int64_t to, uint32_t step) {
    if (from >= to)
        return 0;
    return step == 1 ? (uint64_t)(to - from) : ((uint64_t)(to - from) + step - 1) / step;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void put_place(struct cursor *c, unsigned dim, int64_t place) {
    const struct wsim_tensor *t = c->walk->tensor;
    int64_t at = place + c->offset[dim];
    unsigned out = at < 0 || (uint64_t)at >= t->dims[dim];
    c->global += (uint64_t)(place - c->place[dim]) * t->strides[dim - 1];
    c->outside = (c->outside & ~(1u << dim)) | out << dim;
    c->place[dim] = place;
}

/* Sets up the next strip. All strips of a tile have equally many rows. A row with a coordinate of
 * its own is one strip. A strip of pixels ends at the far side of the box. */
static void measure(struct cursor *c) {
    const struct wsim_tensor *t = c->walk->tensor;
    int64_t place = c->place[c->dim], at = place + c->offset[c->dim];
    uint32_t step = t->estrides[c->dim];
    c->rows = c->walk->gathers   ? 1
              : is_tile(c->walk) ? c->walk->tile.extent[c->dim]
                                 : steps_to(place, (int64_t)t->dims[c->dim] + t->upper[0], step);
    c->before = steps_to(at, 0, step);
    c->end = steps_to(at, (int64_t)t->dims[c->dim], step);
}

/* Tiles go along the first dimension with more than one row, pixels along the first dimension with
 * corners. */
static struct cursor begin(const struct copy_walk *walk) {
    const struct wsim_tensor *t = walk->tensor;
    int64_t first = walk->io->bulk.coord[0];
    struct cursor c = {.walk = walk, .parts = parts_of(walk), .left = walk->tile.rows, .dim = 1};
    while (is_tile(walk) && c.dim + 1 < t->rank && walk->tile.extent[c.dim] == 1)
        c.dim++;
    c.global = t->base + (uint64_t)(first > 0 ? first : 0) * walk->element;
    for (unsigned i = 0; i < tensor_corners(t); i++)
        c.offset[tensor_spatial_dim(t, i)] = walk->offset[i];
    for (unsigned i = 1; i < t->rank; i++) {
        c.global += (uint64_t)c.offset[i] * t->strides[i - 1];
        put_place(&c, i, walk->io->bulk.coord[i]);
    }
    measure(&c);
    return c;
}

/* Advances the dimensions above that of the strip. */
static void advance_tile(struct cursor *c) {
    const struct copy_walk *walk = c->walk;
    if (walk->gathers && c->left) {
        put_place(c, c->dim, walk->io->bulk.coord[1 + walk->tile.rows - c->left]);
        measure(c);
    }
    for (unsigned i = c->dim + 1; i < walk->tensor->rank; i++) {
        if (++c->count[i] < walk->tile.extent[i]) {
            put_place(c, i, c->place[i] + walk->tensor->estrides[i]);
            return;
        }
        c->count[i] = 0;
        put_place(c, i, walk->io->bulk.coord[i]);
    }
}

/* Starts the next strip of pixels at the near side of the box. */
static void advance_pixels(struct cursor *c) {
    const struct wsim_tensor *t = c->walk->tensor;
    put_place(c, c->dim, t->lower[0]);
    measure(c);
    for (unsigned i = 1; i < tensor_corners(t); i++) {
        unsigned dim = tensor_spatial_dim(t, i);
        int64_t further = c->place[dim] + t->estrides[dim];
        if (further < (int64_t)t->dims[dim] + t->upper[i]) {
            put_place(c, dim, further);
            return;
        }
        put_place(c, dim, t->lower[i]);
    }
    put_place(c, t->rank - 1, c->place[t->rank - 1] + t->estrides[t->rank - 1]);
}

static int next(struct cursor *c, struct strip *s) {
    const struct wsim_tensor *t = c->walk->tensor;
    unsigned elsewhere = c->outside & ~(1u << c->dim);
    if (!c->left)
        return 0;
    s->rows = least(c->rows, c->left);
    s->before = least(c->before, s->rows);
    s->inside = elsewhere || !c->parts.body ? 0 : least(c->end, s->rows) - s->before;
    s->step = t->estrides[c->dim] * t->strides[c->dim - 1];
    s->global = c->global + s->before * s->step;
    c->left -= s->rows;
    if (is_tile(c->walk))
        advance_tile(c);
    else
        advance_pixels(c);
    return 1;
}

/* --- checks --- */

static int is_regular(const struct copy_walk *walk) {
    const struct wsim_tensor *t = walk->tensor;
    if (walk->step != 1 || walk->packed != 1 || t->rank < 2)
        return 0;
    return is_tile(walk) ||
           (t->interleave == WSIM_TENSOR_INTERLEAVE_NONE && walk->tile.rows == walk->pixels);
}

/* Checks all bytes from the first row to the last, including those that a swizzle may exchange with
 * them. */
static int is_shared_free(const struct copy_walk *walk) {
    const struct wsim_io *io = walk->io;
    int loads = walk->direction == COPY_LOAD;
    uint64_t bytes = (walk->tile.rows - 1) * walk->tile.pitch + walk->tile.inner;
    if (walk->whole)
        bytes = (bytes + LINE - 1) / LINE * LINE;
    return !copy_check_shared(walk->arch, io->shared, io->bulk.shared_at, bytes, loads, NULL) &&
           (!loads || !copy_spare_barrier(io, io->bulk.shared_at, bytes, NULL));
}

/* True if all bytes from the first row of a tile to the last are in the window, including gaps. In
 * this common case no strip needs a check. At most 2^8 steps of 2^3 in a dimension,
 * with strides below 2^40, do not wrap. */
static int is_all_there(const struct cursor *c) {
    const struct copy_walk *walk = c->walk;
    uint64_t bytes = c->parts.body;
    if (!is_tile(walk) || walk->gathers)
        return 0;
    for (unsigned i = 1; i < walk->tensor->rank; i++)
        bytes += (uint64_t)(walk->tile.extent[i] - 1) * walk->tensor->estrides[i] *
                 walk->tensor->strides[i - 1];
    return memory_has(walk->io->global, c->global, bytes);
}

int copy_look_strips(const struct copy_walk *walk) {
    const struct wsim_memory *global = walk->io->global;
    struct cursor c;
    struct strip s;
    if (!is_regular(walk) || !is_shared_free(walk) ||
        (walk->direction != COPY_LOAD && global->read_only))
        return 0;
    c = begin(walk);
    if (is_all_there(&c))
        return 1;
    while (next(&c, &s))
        if (s.inside && !memory_has(global, s.global, (s.inside - 1) * s.step + c.parts.body))
            return 0;
    return 1;
}

/* --- moving --- */

/* The address bits that the swizzle flips in the line of `address`. */
static uint32_t flips_of(const struct copy_walk *walk, uint64_t address) {
    uint32_t line = (uint32_t)address & ~(uint32_t)(LINE - 1);
    return line ^ wsim_swizzle_bits(walk->swizzle->shift, walk->swizzle->mask, line);
}

/* Moves bytes between shared and global memory. */
enum way { IN, OUT };

static inline void move_piece(enum way way, uint8_t *shared, uint8_t *other, size_t bytes) {
    memmove(way == IN ? shared : other, way == IN ? other : shared, bytes);
}

/* Moves bytes of one line from `at` on in pieces; the last may be partial. With constant `way` and
 * `piece` this compiles to a loop of single moves. */
static inline void move_line(enum way way, uint32_t piece, uint8_t *line, uint32_t at,
                             uint32_t flips, uint8_t *other, uint32_t bytes) {
    uint32_t i = 0;
    for (; i + piece <= bytes; i += piece)
        move_piece(way, line + ((at + i) ^ flips), other + i, piece);
    if (i < bytes)
        move_piece(way, line + ((at + i) ^ flips), other + i, bytes - i);
}

/* Rows with equal moves: a pitch apart in shared memory, a step apart elsewhere. */
struct stretch {
    const struct copy_walk *walk;
    uint64_t address; /* in shared memory */
    uint8_t *other;
    uint64_t rows, step;
    uint32_t bytes; /* of each */
};

static inline void move_swizzled(const struct stretch *s, enum way way, uint32_t piece) {
    const struct copy_walk *walk = s->walk;
    for (uint64_t row = 0; row < s->rows; row++) {
        uint64_t address = s->address + row * walk->tile.pitch;
        uint8_t *other = s->other + row * s->step;
        for (uint32_t n, left = s->bytes; left; left -= n, address += n, other += n) {
            uint32_t at = (uint32_t)address % LINE;
            n = left < LINE - at ? left : LINE - at;
            move_line(way, piece, memory_at(walk->io->shared, address - at), at,
                      flips_of(walk, address), other, n);
        }
    }
}

/* Without a swizzle a row is contiguous in shared memory. */
static inline void move_straight(const struct stretch *s, enum way way) {
    uint8_t *shared = memory_at(s->walk->io->shared, s->address);
    uint32_t pitch = s->walk->tile.pitch;
    for (uint64_t row = 0; row < s->rows; row++)
        if (s->bytes > 2 * LINE)
            move_piece(way, shared + row * pitch, s->other + row * s->step, s->bytes);
        else
            move_line(way, COPY_PIECE, shared + row * pitch, 0, 0, s->other + row * s->step,
                      s->bytes);
}

static void move_in(const struct stretch *s) {
    if (!s->walk->whole)
        move_straight(s, IN);
    else if (s->walk->whole < COPY_PIECE)
        move_swizzled(s, IN, HALF);
    else
        move_swizzled(s, IN, COPY_PIECE);
}

static void move_out(const struct stretch *s) {
    if (!s->walk->whole)
        move_straight(s, OUT);
    else if (s->walk->whole < COPY_PIECE)
        move_swizzled(s, OUT, HALF);
    else
        move_swizzled(s, OUT, COPY_PIECE);
}

/* Reduced or rounded numbers pass through a buffer, a part of a row at a time. */
static void change(const struct stretch *s, const struct copy_order *order) {
    const struct copy_number *number = &copy_numbers[s->walk->tensor->dtype];
    uint8_t some[4 * LINE];
    for (uint64_t row = 0; row < s->rows; row++)
        for (uint32_t at = 0, n; at < s->bytes; at += n) {
            uint8_t *global = s->other + row * s->step + at;
            struct stretch part = {.walk = s->walk, .other = some, .rows = 1};
            n = s->bytes - at < sizeof some ? s->bytes - at : (uint32_t)sizeof some;
            part.address = s->address + row * s->walk->tile.pitch + at;
            part.bytes = n;
            if (order->direction == COPY_LOAD) {
                copy_round_all(number, some, global, n);
                move_in(&part);
            } else {
                move_out(&part);
                copy_combine_all(order->operation, number, global, some, n);
            }
        }
}

/* Fills bytes that are out of bounds. */
static void fill(const struct copy_walk *walk, uint64_t address, uint64_t bytes) {
    for (uint64_t n; bytes; bytes -= n, address += n) {
        n = walk->whole ? least(bytes, walk->whole - address % walk->whole) : bytes;
        copy_fill(walk->tensor, memory_at(walk->io->shared, address ^ flips_of(walk, address)),
                  (size_t)n);
    }
}

/* Fills whole rows. A swizzle that only exchanges filled bytes changes nothing. */
static void fill_rows(const struct copy_walk *walk, uint64_t address, uint64_t rows) {
    uint32_t inner = walk->tile.inner, pitch = walk->tile.pitch;
    if (!rows)
        return;
    if (inner == pitch && (!walk->whole || inner % walk->tile.span == 0))
        copy_fill(walk->tensor, memory_at(walk->io->shared, address), (size_t)rows * pitch);
    else
        for (; rows--; address += pitch)
            fill(walk, address, inner);
}

/* Handles rows that are outside, and the ends of rows that are inside; a store skips them. */
static void fill_edges(const struct cursor *c, const struct strip *s, uint64_t address) {
    const struct copy_walk *walk = c->walk;
    uint64_t inside = address + s->before * walk->tile.pitch;
    uint64_t behind = inside + s->inside * walk->tile.pitch;
    fill_rows(walk, address, s->before);
    fill_rows(walk, behind, s->rows - s->before - s->inside);
    for (; inside < behind && c->parts.lead + c->parts.tail; inside += walk->tile.pitch) {
        fill(walk, inside, c->parts.lead);
        fill(walk, inside + c->parts.lead + c->parts.body, c->parts.tail);
    }
}

static void move_strip(const struct cursor *c, const struct copy_order *order,
                       const struct strip *s, uint64_t address) {
    const struct copy_walk *walk = c->walk;
    struct stretch body = {.walk = walk, .rows = s->inside, .step = s->step};
    body.address = address + s->before * walk->tile.pitch + c->parts.lead;
    body.other = memory_at(walk->io->global, s->global);
    body.bytes = c->parts.body;
    if (order->direction == COPY_REDUCE ||
        (order->direction == COPY_LOAD && copy_numbers[walk->tensor->dtype].rounds))
        change(&body, order);
    else if (order->direction == COPY_LOAD)
        move_in(&body);
    else
        move_out(&body);
}

void copy_move_strips(const struct copy_walk *walk, const struct copy_order *order,
                      struct wsim_bulk_result *result) {
    struct cursor c = begin(walk);
    uint64_t address = walk->io->bulk.shared_at, inside = 0;
    uint32_t ends = c.parts.lead + c.parts.tail;
    struct strip s;
    for (; next(&c, &s); address += s.rows * walk->tile.pitch) {
        if (order->direction == COPY_LOAD && (s.inside < s.rows || ends))
            fill_edges(&c, &s, address);
        if (s.inside)
            move_strip(&c, order, &s, address);
        inside += s.inside;
    }
    result->padding = inside * c.parts.padding;
    result->outside =
        walk->tile.rows * walk->tile.inner - inside * (c.parts.body - c.parts.padding);
}
