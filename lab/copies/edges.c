/* edges.c - one rule of tiles at a time: the case that breaks it and its nearest neighbours. */
#include "draw.h"

#include <stddef.h>

/* A small tile: rows of 32 bytes, four of them, in a tensor of 8 rows of 64 bytes. */
static struct set small(int what, enum wsim_tensor_type dtype) {
    struct set s = fresh(what);
    unsigned unit;
    s.t.dtype = dtype;
    unit = 16 / type_bytes(&s.t);
    s.t.rank = 2;
    s.t.base = 512;
    s.t.dims[0] = 4 * unit;
    s.t.dims[1] = 8;
    s.t.strides[0] = 64;
    s.t.box[0] = 2 * unit;
    s.t.box[1] = 4;
    s.t.estrides[0] = s.t.estrides[1] = 1;
    s.room = 2048;
    return s;
}

/* The same for slices of 16 bytes: two rows of two slices. */
static struct set small_slices(int what) {
    struct set s = small(what, WSIM_TENSOR_UINT32);
    s.t.interleave = WSIM_TENSOR_INTERLEAVE_16B;
    s.t.rank = 3;
    s.t.dims[0] = 4;
    s.t.dims[1] = s.t.dims[2] = 2;
    s.t.strides[0] = 64;
    s.t.strides[1] = 128;
    s.t.box[0] = 4;
    s.t.box[1] = 1;
    s.t.box[2] = 2;
    s.t.estrides[0] = 2;
    s.t.estrides[2] = 1;
    return s;
}

static const enum wsim_tensor_type of_bytes[] = {WSIM_TENSOR_UINT8, WSIM_TENSOR_FLOAT16,
                                                 WSIM_TENSOR_UINT32, WSIM_TENSOR_INT64};

/* Inner coordinates: of each element size, each distance from a multiple of 16 bytes, from none. */
static void inner(void) {
    static unsigned turn;
    unsigned what = turn % 3, n = turn++ / 3 % 30, size = 0;
    struct set s;
    while (n >= 16u >> size)
        n -= 16u >> size++;
    s = small((int)what, what == REDUCE ? WSIM_TENSOR_UINT32 : of_bytes[size]);
    s.coord[0] = (int64_t)n + (draw(3) ? 0 : 16 / type_bytes(&s.t));
    s.coord[1] = draw(6);
    print_set(&s);
}

/* Shared addresses: each swizzle, each power of two, loads, stores and additions. */
static void slots(void) {
    static unsigned turn;
    struct set s;
    unsigned n = turn++, what = n % 3, off = n / 3 % 8, swizzle = n / 24 % 5;
    s = swizzle == 4 ? small_slices((int)what) : small((int)what, WSIM_TENSOR_UINT32);
    s.t.swizzle = swizzle == 4 ? WSIM_SWIZZLE_NONE : (enum wsim_swizzle)swizzle;
    s.at = 128 * draw(3) + (1u << off);
    print_set(&s);
}

/* Breaks a rule where nothing is moved, as the tile is outside of the tensor all the same. */
static void nothing(void) {
    static unsigned turn;
    unsigned n = turn++, what = n % 3, how = n / 3 % 5;
    struct set s = n / 15 % 2 ? small_slices((int)what) : small((int)what, WSIM_TENSOR_UINT32);
    s.coord[s.t.rank - 1] = 8 + draw(3);
    if (how == 0)
        s.coord[0] = 1;
    if (how == 1)
        s.coord[0] = -4;
    if (how == 2)
        s.at = 64;
    if (how == 3)
        s.t.estrides[s.t.rank - 1] = 2;
    print_set(&s);
}

/* Negative coordinates by dimension and by how much: all of the tile before the tensor, or a part.
 */
static void before(void) {
    static const int64_t by[] = {-1, -2, -4, -16, -65536, INT32_MIN};
    static unsigned turn;
    unsigned n = turn++, what = n % 3, dim = n / 3 % 3;
    struct set s =
        dim == 2 || n / 54 % 2 ? small_slices((int)what) : small((int)what, WSIM_TENSOR_UINT32);
    s.coord[dim] = by[n / 9 % 6];
    if (dim == 0 && !slice_bytes(&s.t))
        s.coord[0] *= 4;
    if (s.coord[dim] < INT32_MIN)
        s.coord[dim] = INT32_MIN;
    print_set(&s);
}

/* Dimension 1 about as long as coordinates go; its stride is 0, so that all of it is there. */
static void giants(void) {
    static const uint64_t dims[] = {0x7fffffff, 0x80000000, 0x80000001,
                                    0xfffffffe, 0xffffffff, 0x100000000};
    static const int64_t at[] = {
        INT32_MAX - 6, INT32_MAX - 2, INT32_MAX, INT32_MIN, INT32_MIN + 2, -1, -3, -8, 0x40000000};
    static unsigned turn;
    unsigned n = turn++;
    struct set s = small(n / 54 % 3 == 2, WSIM_TENSOR_UINT32);
    s.t.strides[0] = 0;
    s.t.dims[1] = dims[n % 6];
    s.coord[1] = at[n / 6 % 9];
    s.t.box[1] = s.what == STORE ? 1 : 12;
    s.t.estrides[1] = n / 54 % 3 == 1 ? 3 : 1;
    print_set(&s);
}

/* Rows at 2 to the n bytes from the base: whether addresses wrap, and where. */
static void wraps(void) {
    static const unsigned bits[] = {40, 44, 47, 48, 49, 52, 56, 57, 58, 60, 62, 63, 64, 65, 66};
    static unsigned turn;
    unsigned n = bits[turn++ % 15], stride = n - 30 > 39 ? 39 : n < 60 ? 30 : n - 30;
    struct set s = small(LOAD, WSIM_TENSOR_UINT32);
    s.t.strides[0] = UINT64_C(1) << stride;
    s.t.dims[1] = UINT64_C(1) << 31;
    s.t.box[1] = 1;
    s.coord[1] = INT64_C(1) << (n - stride);
    print_set(&s);
}

/* Stores, and additions that have an order, of rows that share bytes. */
static void overlaps(void) {
    static unsigned turn;
    unsigned n = turn++;
    struct set s =
        small(n % 3 == 2 ? REDUCE : STORE, n % 3 ? WSIM_TENSOR_FLOAT32 : of_bytes[n % 4]);
    s.t.rank = 3;
    s.t.strides[0] = 16 * draw(n % 2 ? 2 : 4);
    s.t.strides[1] = 16 * draw(n % 5 ? 16 : 2);
    s.t.dims[2] = 8;
    s.t.box[0] = 16 / type_bytes(&s.t) * (1 + draw(4));
    s.t.box[1] = 1 + draw(5);
    s.t.box[2] = 1 + draw(4);
    s.t.estrides[2] = 1;
    s.coord[1] = draw(6);
    print_set(&s);
}

/* The same of large tiles: many rows onto few bytes. */
static void floods(void) {
    static unsigned turn;
    unsigned n = turn++;
    struct set s = small(n % 4 == 3 ? REDUCE : STORE, WSIM_TENSOR_UINT32);
    s.t.strides[0] = 16 * draw(3);
    s.t.dims[0] = 4 * (1 + draw(32));
    s.t.dims[1] = 256;
    s.t.box[0] = 4 * (1 + draw(n % 2 ? 8 : 32));
    s.t.box[1] = 32 + draw(96);
    s.t.swizzle = s.t.box[0] <= 32 && draw(2) ? WSIM_SWIZZLE_128B : WSIM_SWIZZLE_NONE;
    s.reduction = s.what == REDUCE && n % 8 == 3 ? 3 : 0; /* inc */
    s.room = 8192;
    print_set(&s);
}

/* Each dimension as long as it can be, and one longer. */
static void lengths(void) {
    static unsigned turn;
    unsigned n = turn++, what = n % 2, dim = n / 2 % 3, longer = n / 6 % 3;
    struct set s =
        dim == 2 || n / 18 % 2 ? small_slices((int)what) : small((int)what, WSIM_TENSOR_UINT32);
    s.t.dims[dim] = (UINT64_C(1) << 31) + longer;
    if (longer == 2)
        s.t.dims[dim] = UINT64_C(1) << 32;
    print_set(&s);
}

const struct kind edge_kinds[] = {
    {"inner", inner},     {"slots", slots}, {"nothing", nothing},   {"before", before},
    {"giants", giants},   {"wraps", wraps}, {"overlaps", overlaps}, {"floods", floods},
    {"lengths", lengths}, {NULL, NULL},
};
