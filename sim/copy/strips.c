/* strips.c - tensor copies by strips: rows of a tile that follow each other along one dimension, so
 * that what is looked at and worked out is that of a strip, and a row is moved by its bytes alone.
 * Which bytes go where is said by walk.c; what is here agrees with it and leaves to it whatever is
 * watched, refused or unusual. */
#include "steps.h"

#include <string.h>
#include <wsim/both.h>

/* What no swizzle leaves, and all that one looks at lies above it; what none takes apart. */
enum { LINE = 128, HALF = COPY_PIECE / 2 };
#define SWIZZLE(id, name, span, shift1, mask1, shift2, mask2, code)                                \
    _Static_assert((mask1) < LINE && (mask2) < LINE &&                                             \
                       (((mask1) << (shift1)) | ((mask2) << (shift2))) % LINE == 0 &&              \
                       ((mask1) | (mask2)) % HALF == 0,                                            \
                   "swizzle.def: a swizzle moves halves of pieces, those of a line alike");
#include "../isa/swizzle.def"

/* The bytes of a row that is inside, one after another. */
struct parts {
    uint32_t lead; /* before coordinate 0 */
    uint32_t body; /* that are moved, those past the end of dimension 0 included */
    uint32_t padding;
    uint32_t tail;
};

struct strip {
    uint64_t rows, before, inside; /* of all rows; those outside before those inside */
    uint64_t global;               /* address of the first that is inside: its body  */
    uint64_t step;                 /* bytes from one to the next                     */
};

/* Where the next strip begins, and what all like it have in common. */
struct cursor {
    const struct copy_walk *walk;
    struct parts parts;
    uint64_t left; /* rows */
    unsigned dim;  /* along which strips go */
    int64_t place[WSIM_TENSOR_RANK];
    int64_t offset[WSIM_TENSOR_RANK]; /* of pixels: what is looked at is so much further */
    uint32_t count[WSIM_TENSOR_RANK]; /* of tiles: how often a dimension has moved on */
    uint64_t global;                  /* the body of the row there, modulo 2^64 */
    unsigned outside;                 /* bit i: dimension i is */
    uint64_t rows, before, end;       /* of a strip; the first that is behind those inside */
};

/* --- which rows --- */

static int64_t clamp(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

static struct parts parts_of(const struct copy_walk *walk) {
    int64_t at = walk->io->coord[0], count = walk->tile.extent[0];
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

/* Steps from `from` on until `to` is reached, none if it has been. */
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

/* A strip from here on: of a tile, all have the same rows; a row that has a coordinate of its own
 * is a strip by itself; of pixels, it ends at the other side of the box. */
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

/* A tile is walked along the first dimension of more than one row, pixels along the first that has
 * corners. */
static struct cursor begin(const struct copy_walk *walk) {
    const struct wsim_tensor *t = walk->tensor;
    int64_t first = walk->io->coord[0];
    struct cursor c = {.walk = walk, .parts = parts_of(walk), .left = walk->tile.rows, .dim = 1};
    while (is_tile(walk) && c.dim + 1 < t->rank && walk->tile.extent[c.dim] == 1)
        c.dim++;
    c.global = t->base + (uint64_t)(first > 0 ? first : 0) * walk->element;
    for (unsigned i = 0; i < tensor_corners(t); i++)
        c.offset[tensor_spatial_dim(t, i)] = walk->offset[i];
    for (unsigned i = 1; i < t->rank; i++) {
        c.global += (uint64_t)c.offset[i] * t->strides[i - 1];
        put_place(&c, i, walk->io->coord[i]);
    }
    measure(&c);
    return c;
}

/* The dimensions beyond that of a strip of a tile go on. */
static void advance_tile(struct cursor *c) {
    const struct copy_walk *walk = c->walk;
    if (walk->gathers && c->left) {
        put_place(c, c->dim, walk->io->coord[1 + walk->tile.rows - c->left]);
        measure(c);
    }
    for (unsigned i = c->dim + 1; i < walk->tensor->rank; i++) {
        if (++c->count[i] < walk->tile.extent[i]) {
            put_place(c, i, c->place[i] + walk->tensor->estrides[i]);
            return;
        }
        c->count[i] = 0;
        put_place(c, i, walk->io->coord[i]);
    }
}

/* The next strip of pixels begins at the near side of the box. */
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

/* --- looking --- */

static int is_regular(const struct copy_walk *walk) {
    const struct wsim_tensor *t = walk->tensor;
    if (walk->io->global->watch || walk->io->shared->watch || walk->step != 1 || t->rank < 2)
        return 0;
    return is_tile(walk) ||
           (t->interleave == WSIM_TENSOR_INTERLEAVE_NONE && walk->tile.rows == walk->pixels);
}

/* All bytes from the first row to the last, with what a swizzle may exchange them with. */
static int is_shared_free(const struct copy_walk *walk) {
    const struct wsim_io *io = walk->io;
    int loads = walk->direction == COPY_LOAD;
    uint64_t bytes = (walk->tile.rows - 1) * walk->tile.pitch + walk->tile.inner;
    if (walk->whole)
        bytes = (bytes + LINE - 1) / LINE * LINE;
    return !copy_check_shared(walk->arch, io->shared, io->shared_at, bytes, loads, NULL) &&
           (!loads || !copy_spare_barrier(io, io->shared_at, bytes, NULL));
}

int copy_look_strips(const struct copy_walk *walk) {
    struct cursor c;
    struct strip s;
    if (!is_regular(walk) || !is_shared_free(walk))
        return 0;
    c = begin(walk);
    while (next(&c, &s))
        if (s.inside &&
            memory_check(walk->io->global, s.global, (s.inside - 1) * s.step + c.parts.body,
                         walk->direction != COPY_LOAD, NULL))
            return 0;
    return 1;
}

/* --- moving --- */

/* What the swizzle flips in the addresses of the line that `address` is in. */
static uint32_t flips_of(const struct copy_walk *walk, uint64_t address) {
    uint32_t line = (uint32_t)address & ~(uint32_t)(LINE - 1);
    return line ^ wsim_swizzle_bits(walk->swizzle->shift, walk->swizzle->mask, line);
}

/* Bytes that go into shared memory, or come out of it. */
enum way { IN, OUT };

static inline void move_piece(enum way way, uint8_t *shared, uint8_t *other, size_t bytes) {
    memmove(way == IN ? shared : other, way == IN ? other : shared, bytes);
}

/* Bytes of one line from `at` on, in pieces; a part of one may be the last. Constants where it is
 * called make of `way` and `piece` a loop of single moves. */
static inline void move_line(enum way way, uint32_t piece, uint8_t *line, uint32_t at,
                             uint32_t flips, uint8_t *other, uint32_t bytes) {
    uint32_t i = 0;
    for (; i + piece <= bytes; i += piece)
        move_piece(way, line + ((at + i) ^ flips), other + i, piece);
    if (i < bytes)
        move_piece(way, line + ((at + i) ^ flips), other + i, bytes - i);
}

static inline void move_lines(const struct copy_walk *walk, enum way way, uint32_t piece,
                              uint64_t address, uint8_t *other, uint32_t bytes) {
    for (uint32_t n; bytes; bytes -= n, address += n, other += n) {
        uint32_t at = (uint32_t)address % LINE;
        n = bytes < LINE - at ? bytes : LINE - at;
        move_line(way, piece, memory_at(walk->io->shared, address - at), at,
                  flips_of(walk, address), other, n);
    }
}

/* Without a swizzle a row lies in shared memory as it does elsewhere. */
static void move_straight(enum way way, uint8_t *shared, uint8_t *other, uint32_t bytes) {
    if (bytes > 2 * LINE)
        move_piece(way, shared, other, bytes);
    else if (way == IN)
        move_line(IN, COPY_PIECE, shared, 0, 0, other, bytes);
    else
        move_line(OUT, COPY_PIECE, shared, 0, 0, other, bytes);
}

static void move_row(const struct copy_walk *walk, enum way way, uint64_t address, uint8_t *other,
                     uint32_t bytes) {
    uint32_t whole = walk->whole;
    if (!whole)
        move_straight(way, memory_at(walk->io->shared, address), other, bytes);
    else if (way == IN && whole < COPY_PIECE)
        move_lines(walk, IN, HALF, address, other, bytes);
    else if (way == IN)
        move_lines(walk, IN, COPY_PIECE, address, other, bytes);
    else if (whole < COPY_PIECE)
        move_lines(walk, OUT, HALF, address, other, bytes);
    else
        move_lines(walk, OUT, COPY_PIECE, address, other, bytes);
}

/* Numbers that change on their way lie side by side in between. */
static void change_row(const struct copy_walk *walk, const struct copy_order *order,
                       uint64_t address, uint8_t *global, uint32_t bytes) {
    const struct copy_number *number = &copy_numbers[walk->tensor->dtype];
    uint8_t some[4 * LINE];
    for (uint32_t n; bytes; bytes -= n, address += n, global += n) {
        n = bytes < sizeof some ? bytes : (uint32_t)sizeof some;
        if (order->direction == COPY_LOAD) {
            copy_round_all(number, some, global, n);
            move_row(walk, IN, address, some, n);
        } else {
            move_row(walk, OUT, address, some, n);
            copy_combine_all(order->operation, number, global, some, n);
        }
    }
}

/* Bytes that nothing is loaded for. */
static void fill(const struct copy_walk *walk, uint64_t address, uint64_t bytes) {
    for (uint64_t n; bytes; bytes -= n, address += n) {
        n = walk->whole ? least(bytes, walk->whole - address % walk->whole) : bytes;
        copy_fill(walk->tensor, memory_at(walk->io->shared, address ^ flips_of(walk, address)),
                  (size_t)n);
    }
}

/* Whole rows. Where they are all bytes that a swizzle exchanges, it changes nothing. */
static void fill_rows(const struct copy_walk *walk, uint64_t address, uint64_t rows) {
    uint32_t inner = walk->tile.inner, pitch = walk->tile.pitch;
    if (inner == pitch && (!walk->whole || inner % walk->tile.span == 0))
        copy_fill(walk->tensor, memory_at(walk->io->shared, address), (size_t)rows * pitch);
    else
        for (; rows--; address += pitch)
            fill(walk, address, inner);
}

/* Rows that are outside: a store leaves them out. */
static uint64_t skip_rows(const struct copy_walk *walk, uint64_t address, uint64_t rows) {
    if (rows && walk->direction == COPY_LOAD)
        fill_rows(walk, address, rows);
    return address + rows * walk->tile.pitch;
}

static uint64_t move_rows(const struct copy_walk *walk, const struct copy_order *order,
                          const struct parts *parts, const struct strip *s, uint64_t address) {
    uint8_t *global = s->inside ? memory_at(walk->io->global, s->global) : NULL;
    int loads = order->direction == COPY_LOAD, edges = loads && (parts->lead || parts->tail);
    int changes =
        loads ? copy_numbers[walk->tensor->dtype].rounds : order->direction == COPY_REDUCE;
    for (uint64_t row = 0; row < s->inside; row++, address += walk->tile.pitch) {
        uint64_t body = address + parts->lead;
        if (edges) {
            fill(walk, address, parts->lead);
            fill(walk, body + parts->body, parts->tail);
        }
        if (changes)
            change_row(walk, order, body, global + row * s->step, parts->body);
        else
            move_row(walk, loads ? IN : OUT, body, global + row * s->step, parts->body);
    }
    return address;
}

void copy_move_strips(const struct copy_walk *walk, const struct copy_order *order,
                      struct wsim_bulk_result *result) {
    struct cursor c = begin(walk);
    uint64_t address = walk->io->shared_at, inside = 0;
    struct strip s;
    while (next(&c, &s)) {
        address = skip_rows(walk, address, s.before);
        address = move_rows(walk, order, &c.parts, &s, address);
        address = skip_rows(walk, address, s.rows - s.before - s.inside);
        inside += s.inside;
    }
    result->padding = inside * c.parts.padding;
    result->outside =
        walk->tile.rows * walk->tile.inner - inside * (c.parts.body - c.parts.padding);
}
