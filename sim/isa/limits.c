/* Limits on the rows of the tables. A row that does not fit does not compile. This file reads every
 * table once more and compares each row with the room that the engine has. */
#include "../machine/machine.h"
#include "isa.h"
#include "scalar.h"

#include <wsim/banks.h>
#include <wsim/wgmma.h>

#define HOLDS(what, sentence) _Static_assert(what, sentence);
#define MOST_BITS 64 /* of a set of values of a place, or of places */

/* --- features, architectures, formats --- */

HOLDS(FEATURE_COUNT <= 32, "feature.def: features of an architecture are bits of 32")
HOLDS(FORMAT_COUNT <= MOST_BITS, "format.def: types of a place are bits of 64")

#define ARCH(id, generation, shared, warps, blocks, fragments, product, features)                  \
    HOLDS((warps)*WSIM_LANES >= ISA_BLOCK_THREADS && (warps) < 256 && (blocks) > 0 &&              \
              (blocks) < 256,                                                                      \
          "arch.def: an SM holds a block of the largest size")                                     \
    HOLDS((shared) > 0 && (shared) < 4096,                                                         \
          "arch.def: shared memory is in KiB, and a block has some")                               \
    HOLDS(((shared) + 1) * 1024 / ISA_ROW_BYTES <= UINT16_MAX - WSIM_LANES,                        \
          "arch.def: rows of shared memory are numbered by 16 bits, and some numbers are of none")
#include "arch.def"

HOLDS(PRODUCT_COUNT < 200, "product.def: rows of architectures are numbered by 8 bits")
#define PRODUCT(id, target, name, sms, memory, cache, clock, memory_clock, bus, sources)           \
    HOLDS(sizeof sources > 1, "product.def: figures have a source")                                \
    HOLDS(PRODUCT_##id != PRODUCT_USUAL || ((sms) && (memory) && (cache) && (clock) && (bus)),     \
          "product.def: the usual product has all figures")
#include "product.def"

#define BINARY(id, name, bits, pad, sign, exp, frac, bias, specials, nan, needs, ptx)              \
    HOLDS((sign) + (exp) + (frac) == (bits) && (bits) + (pad) <= 64,                               \
          "format.def: sign, exponent and fraction are all the bits of a number")
#define WHOLE(id, name, bits, sign, needs, ptx)                                                    \
    HOLDS((bits) <= 64, "format.def: a number has at most 64 bits")
#define RAW(id, name, bits, needs, ptx)                                                            \
    HOLDS((bits) <= 128, "format.def: a memory type has at most 128 bits")
#include "format.def"

/* --- families: the public enum repeats the rows --- */

enum family_row {
#define FAMILY(id, name, door, operands) FAMILY_##id,
#include "family.def"
    FAMILY_COUNT
};
#define FAMILY(id, name, door, operands)                                                           \
    HOLDS((int)FAMILY_##id == (int)WSIM_##id, "family.def: enum wsim_family has its rows, in "     \
                                              "order")
#include "family.def"
#define DOOR(id, does, threads, counted, typed, view, needs, takes, written, prepare, run,         \
             explain, refuse)                                                                      \
    HOLDS((threads) == 1 || (threads) == WSIM_LANES || (threads) == WSIM_GROUP_THREADS,            \
          "door.def: a thread, a warp or a warpgroup executes an instruction")
#include "door.def"
HOLDS((int)FAMILY_COUNT == (int)WSIM_FAMILIES, "family.def: a value of enum wsim_family has no row")
HOLDS(1 << (WSIM_LAYOUT_LANE_BITS - ISA_WARP_BITS) == WSIM_GROUP_THREADS / WSIM_LANES,
      "layout.h: lane bits number the threads of a warpgroup")
HOLDS(WSIM_OPERANDS <= 16, "isa.h: registers of a family are bits of 16")

/* --- words --- */

HOLDS(PLACE_COUNT <= WSIM_OP_PLACES, "qualifier.def: struct wsim_op has no room for a place")
HOLDS(WSIM_OP_PLACES <= MOST_BITS, "isa.h: places are bits of 64")
HOLDS(PLACE_A == PLACE_D + 1 && PLACE_B == PLACE_A + 1 && PLACE_C == PLACE_B + 1 &&
          PLACE_STYPE == PLACE_C + 1,
      "qualifier.def: the places of types follow each other: D A B C STYPE")
HOLDS(Q_ACOL == Q_AROW + 1 && Q_BCOL == Q_BROW + 1 && Q_AROW == Q_BROW && Q_CROW == Q_AROW &&
          Q_CCOL == Q_ACOL,
      "qualifier.def: row and col are the same values in every place of a layout")
HOLDS(Q_RN == 1 && Q_RZ - Q_RN == WSIM_RZ - WSIM_RN && Q_RM - Q_RN == WSIM_RM - WSIM_RN &&
          Q_RP - Q_RN == WSIM_RP - WSIM_RN,
      "qualifier.def: roundings are those of enum wsim_rounding, in order")

#define QUAL(id, spelling, flags, ptx)                                                             \
    HOLDS(Q_##id < MOST_BITS, "qualifier.def: values of a place are bits of 64")
#include "qualifier.def"

/* Shapes: m, n and k by the name of a shape, and whether the buffers hold its matrices. */
enum {
#define SHAPE(m, n, k)                                                                             \
    ROWS_M##m##N##n##K##k = (m), COLS_M##m##N##n##K##k = (n), DEPTH_M##m##N##n##K##k = (k),
#include "qualifier.def"
#define WIDE(m, k) DEPTH_M##m##K##k = (k),
#include "qualifier.def"
    SHAPES_END
};

#define ELEMENTS(count, threads)                                                                   \
    HOLDS((count) / (threads) <= 1 << WSIM_LAYOUT_ELEM_BITS,                                       \
          "qualifier.def: a lane holds more elements of this shape than a layout numbers")
#define SHAPE(m, n, k)                                                                             \
    HOLDS((m) * (k) <= ISA_MOST_A, "qualifier.def: A of this shape exceeds ISA_MOST_A")            \
    HOLDS((k) * (n) <= ISA_MOST_B, "qualifier.def: B of this shape exceeds ISA_MOST_B")            \
    HOLDS((m) * (n) <= ISA_MOST_C, "qualifier.def: C of this shape exceeds ISA_MOST_C")            \
    ELEMENTS((m) * (k), WSIM_LANES)                                                                \
    ELEMENTS((k) * (n), WSIM_LANES)
#define WIDE(m, k)                                                                                 \
    HOLDS((m)*WSIM_LANES / WSIM_GROUP_THREADS == ISA_MOST_ROWS,                                    \
          "qualifier.def: a warp of a warpgroup has ISA_MOST_ROWS rows")                           \
    HOLDS(ISA_MOST_ROWS *(k) <= ISA_MOST_A, "qualifier.def: A of this shape exceeds ISA_MOST_A")   \
    HOLDS((k)*8 <= ISA_MOST_B, "qualifier.def: B of this shape exceeds ISA_MOST_B")                \
    ELEMENTS((m) * (k), WSIM_GROUP_THREADS)
#define WIDTH_WORD(n)                                                                              \
    HOLDS((n) % 8 == 0, "qualifier.def: a width is a multiple of 8 columns")                       \
    HOLDS(Q_N##n == (n) / 8,                                                                       \
          "qualifier.def: widths stand one by one, from 8 on: sets count on it")                   \
    HOLDS((n)*64 / WSIM_GROUP_THREADS <= WSIM_GROUP_REGS,                                          \
          "qualifier.def: D of this width exceeds WSIM_GROUP_REGS")                                \
    ELEMENTS((n)*64, WSIM_GROUP_THREADS)
#define TILE(m, n) HOLDS((m) * (n) % WSIM_LANES == 0, "qualifier.def: lanes share a tile evenly")
#define MATRICES(n) HOLDS((n) <= 255, "qualifier.def: a number of matrices is a byte")
#define VALUES(n) HOLDS((n) <= 255, "qualifier.def: a vector width is a byte")
#define COORDINATES(n)                                                                             \
    HOLDS((n) <= ISA_MOST_COORDINATES, "qualifier.def: a tensor has at most ISA_MOST_COORDINATES")
#include "qualifier.def"

/* --- instructions --- */

#define DENSE 0
#define SPARSE(pattern, where) 1
#define ORDERED(pattern, where) 1
#define ONLY_SP(pattern, where) 1
#define MMA(id, sparsity, shape, ...)                                                              \
    HOLDS(!(sparsity) || DEPTH_##shape / 2 <= ISA_MOST_STORED,                                     \
          "mma.def: the stored columns of this sparse A exceed ISA_MOST_STORED")                   \
    HOLDS(!(sparsity) || ROWS_##shape <= ISA_MOST_ROWS,                                            \
          "mma.def: the rows of this sparse A exceed ISA_MOST_ROWS")
#include "mma.def"
#define WGMMA(id, sparsity, shape, ...)                                                            \
    HOLDS(!(sparsity) || DEPTH_##shape / 2 <= ISA_MOST_STORED,                                     \
          "wgmma.def: the stored columns of this sparse A exceed ISA_MOST_STORED")
#include "wgmma.def"
#define COPY(id, cache, hint, bytes, ...)                                                          \
    HOLDS((bytes) <= 255, "access.def: the sizes of a copy are bits of a byte")
#include "access.def"

#define PATTERN(id, name, chunk, kept, valid, ordered)                                             \
    HOLDS((kept)*2 == (chunk), "pattern.def: half of the columns of A are stored")                 \
    HOLDS((valid) <= 0xFFFF && ((ordered) & ~(valid)) == 0,                                        \
          "pattern.def: nibbles are bits of 16, and ordered ones are valid")
#include "pattern.def"
#undef PATTERN

#define RUNS(result, products, begins, source)                                                     \
    HOLDS((products) > 0 && DEPTH_M8N8K4 % (products) == 0,                                        \
          "accum.def: runs share the products of m8n8k4 evenly")
#include "accum.def"

/* --- layouts: a row has 12 bits, a column 12, a batch 8 --- */

#define OUTSIDE(n, bits) ((n) <= 0 || (n) >= 1 << (bits))
#define R(n) OUTSIDE(n, 12)
#define C(n) OUTSIDE(n, 12)
#define Q(n) OUTSIDE(n, 8)
#define LANES(a, b, c, d, e) ((a) + (b) + (c) + (d) + (e))
#define FIRST_8(a, b, c, d, e, f, g, h, ...) ((a) + (b) + (c) + (d) + (e) + (f) + (g) + (h))
#define ELEMS(...)                                                                                 \
    (FIRST_8(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0) +                                                \
     (sizeof((char[]){__VA_ARGS__}) > WSIM_LAYOUT_ELEM_BITS))
#define LAYOUT(id, scheme, operand, key1, key2, lanes, elems)                                      \
    HOLDS((lanes) == 0, "layout.def: what a lane bit sets does not fit a packed coordinate")       \
    HOLDS((elems) == 0, "layout.def: what an element bit sets does not fit")
#define SAME 0
#define SQUARE(operand, shape, bit0, bit1, source)                                                 \
    HOLDS((bit0) + (bit1) == 0, "layout.def: what an m8n8k4 sets does not fit a packed "           \
                                "coordinate")
#define WARPGROUP(bit0, bit1)                                                                      \
    HOLDS((bit0) + (bit1) == 0, "layout.def: what a warp sets does not fit a packed coordinate")
#include "layout.def"
#undef SAME
#undef R
#undef C
#undef Q
#undef LANES
#undef ELEMS

/* Bits of one row set different things, lane bits that set nothing apart: their sum is their union.
 * Then more bits are a larger coordinate, which op_layout.c and prepared layouts rely on. */
#define R(n) INT64_C(n)
#define C(n) (INT64_C(n) << 12)
#define Q(n) (INT64_C(n) << 24)
#define LANES(...) __VA_ARGS__
#define ELEMS(...) __VA_ARGS__
#define SEPARATE(...) SEPARATE_13(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0)
#define SEPARATE_13(a, b, c, d, e, f, g, h, i, j, k, l, m, ...)                                    \
    HOLDS((a) + (b) + (c) + (d) + (e) + (f) + (g) + (h) + (i) + (j) + (k) + (l) + (m) ==           \
              ((a) | (b) | (c) | (d) | (e) | (f) | (g) | (h) | (i) | (j) | (k) | (l) | (m)),       \
          "layout.def: two bits of a row set the same bit of a coordinate")
#define LAYOUT(id, scheme, operand, key1, key2, lanes, elems) SEPARATE(lanes, elems)
#include "layout.def"
#undef R
#undef C
#undef Q

/* --- banks --- */

#define BANKS(unit, least, most, lanes, folding, merging, passes, measured, source)                \
    HOLDS((least) > 0 && (least) <= (most),                                                        \
          "banks.def: the least bytes of a lane exceed the most")                                  \
    HOLDS((lanes) > 0 && WSIM_LANES % (lanes) == 0, "banks.def: groups share the lanes evenly")    \
    HOLDS(WSIM_LANES / (lanes) <= WSIM_MAX_GROUPS,                                                 \
          "banks.def: an access of this rule has more groups than WSIM_MAX_GROUPS")                \
    HOLDS((lanes) <= WSIM_MAX_WAYS, "banks.def: a group has more lanes than WSIM_MAX_WAYS")        \
    HOLDS((lanes) * ((least) < 4 ? 4 : (least)) >= MACHINE_LINE,                                   \
          "banks.def: a group of this rule does not fill a line (machine_count_groups)")
#define COPIES(unit, counters, bytes, lanes, costing, batching, measured, source)                  \
    HOLDS((lanes) > 0 && WSIM_LANES % (lanes) == 0, "banks.def: groups share the lanes evenly")
#define FRAGMENTS(matrix, least, most, order, unit, lines, elements, measured, source)             \
    HOLDS((least) > 0 && (least) <= (most),                                                        \
          "banks.def: the least bits of an element exceed the most")
#define EXCHANGE(bit0, bit1, bit2, bit3, bit4, source)                                             \
    HOLDS((bit0) + (bit1) + (bit2) + (bit3) + (bit4) ==                                            \
                  ((bit0) | (bit1) | (bit2) | (bit3) | (bit4)) &&                                  \
              ((bit0) | (bit1) | (bit2) | (bit3) | (bit4)) < 64,                                   \
          "banks.def: bits of a lane number add different bits")
#define TAGS(mask0, mask1, known, source)                                                          \
    HOLDS((known) <= 32, "banks.def: an address in a tag has 32 bits")
#include "banks.def"
HOLDS(MACHINE_MAX_GROUPS == WSIM_MAX_GROUPS && MACHINE_MAX_WORDS == WSIM_MAX_WAYS,
      "machine.h: an access and a group have other limits than the front door says")

/* --- swizzles: the public enum repeats the rows --- */

enum {
#define SWIZZLE(id, name, span, shift0, mask0, shift1, mask1, code, tcgen) SWIZZLE_ROW_##id,
#include "swizzle.def"
#undef SWIZZLE
    SWIZZLE_ROWS
};
HOLDS((int)SWIZZLE_ROWS == (int)WSIM_SWIZZLES, "swizzle.def: enum wsim_swizzle has its rows")
#define SWIZZLE(id, name, span, shift0, mask0, shift1, mask1, code, tcgen)                         \
    HOLDS((int)SWIZZLE_ROW_##id == (int)WSIM_SWIZZLE_##id,                                         \
          "swizzle.def: enum wsim_swizzle has its rows, in order")                                 \
    HOLDS((mask0) <= 255 && (mask1) <= 255, "swizzle.def: a mask is a byte")
#include "swizzle.def"
#undef SWIZZLE

/* --- scalar instructions --- */

HOLDS(sizeof(struct scalar_meaning) <= UINT8_MAX,
      "scalar.h: words name fields of struct scalar_meaning by a byte")
HOLDS(SCALAR_TYPES <= UINT8_MAX && SCALAR_METHODS <= UINT8_MAX,
      "scalar_words.def: types and methods are bytes")
#define SCALAR_TYPE(id, name, bits, elements, element_bits, letter, format)                        \
    HOLDS((elements) * (element_bits) <= (bits),                                                   \
          "scalar_words.def: the elements of a type fit into its register")                        \
    HOLDS((letter) == 'f' || (letter) == 'u' || (letter) == 's' || (letter) == 'b' ||              \
              (letter) == 'p',                                                                     \
          "scalar_words.def: a type is read as one of five kinds")                                 \
    HOLDS(((letter) == 'f') <= (FORMAT_##format != FORMAT_NONE),                                   \
          "scalar_words.def: a floating-point type has a format")
#define WORD(word, field, value)                                                                   \
    HOLDS((value) > 0 && (value) <= UINT8_MAX && sizeof(word) > 1,                                 \
          "scalar_words.def: a word says something, in a byte")
#define NEEDS(word, feature, ptx)                                                                  \
    HOLDS(FEATURE_##feature < FEATURE_COUNT && (ptx) >= 10 && (ptx) < 200,                         \
          "scalar_words.def: a version is a number times 10")
#include "scalar_words.def"

#define SCALAR(id, spelling, operands, method, feature, ptx, source)                               \
    HOLDS(sizeof(spelling) > 1 && sizeof(spelling) <= 512 && sizeof(operands) <= 128,              \
          "scalar.def: a row is longer than what reads it counts with")                            \
    HOLDS((ptx) == 0 || ((ptx) >= 10 && (ptx) < 200),                                              \
          "scalar.def: a version is a number times 10")                                            \
    enum { SCALAR_ROW_##id };
#include "scalar.def"
