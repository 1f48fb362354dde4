/* isa.h - the facts: rows of the *.def tables as constant data, and their look-ups.
 *
 * The only room that knows NVIDIA. Knows no execution: rows hold tags, not functions.
 */
#ifndef WSIM_ISA_ISA_H
#define WSIM_ISA_ISA_H

#include "../base/base.h"

#include <wsim/isa.h>
#include <wsim/swizzle.h>

/* --- enums out of the tables --- */

enum isa_feature {
#define FEATURE(id, name) FEATURE_##id,
#include "feature.def"
#undef FEATURE
    FEATURE_COUNT
};

enum isa_limit {
#define LIMIT(id, value, source) ISA_##id = (value),
#include "limit.def"
};

enum isa_generation {
#define GENERATION(id, part, step, columns) GENERATION_##id,
#include "arch.def"
    GENERATION_COUNT
};

enum isa_product_id {
#define PRODUCT(id, ...) PRODUCT_##id,
#include "product.def"
    PRODUCT_COUNT,
    PRODUCT_NONE = PRODUCT_COUNT,
#define USUAL(id) PRODUCT_USUAL = PRODUCT_##id,
#include "product.def"
};

enum isa_format {
    FORMAT_NONE,
#define BINARY(id, name, bits, pad, sign, exp, frac, bias, specials, nan, needs, ptx) FORMAT_##id,
#define WHOLE(id, name, bits, sign, needs, ptx) FORMAT_##id,
#define RAW(id, name, bits, needs, ptx) FORMAT_##id,
#include "format.def"
    FORMAT_COUNT
};

enum isa_door_id {
#define DOOR(id, does, threads, counted, typed, view, needs, takes, written, prepare, run,         \
             explain, refuse)                                                                      \
    DOOR_##id,
#include "door.def"
    DOOR_COUNT
};

enum isa_place {
#define PLACE(id, words) PLACE_##id,
#include "qualifier.def"
    PLACE_COUNT
};

/* Values of a place count from 1 in every place; 0 is "not written". Type places hold isa_format.
 */
enum isa_qualifier {
#define PLACE(id, words) ABSENT_##id = 0,
#define QUAL(id, spelling, flags, ptx) Q_##id,
#include "qualifier.def"
    Q_LAST
};

enum isa_scheme {
    SCHEME_NONE,
    SCHEME_FRAGMENT,
    SCHEME_QUAD,
    SCHEME_META,
    SCHEME_SCALE,
    SCHEME_MOVE,
    SCHEME_BULK
};

enum isa_placement {
    PLACEMENT_NONE,
    PLACEMENT_ONE,
    PLACEMENT_PAIR_K,
    PLACEMENT_PAIR_M,
    PLACEMENT_ALL
};

enum isa_layout_id {
    LAYOUT_NONE,
#define LAYOUT(id, scheme, operand, key1, key2, lanes, elems) LAYOUT_##id,
#include "layout.def"
    LAYOUT_COUNT
};

enum isa_pattern_id {
    PATTERN_NONE,
#define PATTERN(id, name, chunk, kept, valid, ordered) PATTERN_##id,
#include "pattern.def"
#undef PATTERN
    PATTERN_COUNT
};

enum isa_products {
    PRODUCTS_NONE,
    PRODUCTS_QUAD, /* m8n8k4 f16                          */
    PRODUCTS_HALF, /* f16, bf16                           */
    PRODUCTS_TF32,
    PRODUCTS_FP8, /* e4m3, e5m2 without a kind            */
    PRODUCTS_F8F6F4,
    PRODUCTS_MXF8,    /* block-scaled bytes                  */
    PRODUCTS_MXF4,    /* block-scaled nibbles                */
    PRODUCTS_MXF4_16, /* with a power of two for every 16 */
    PRODUCTS_F64,
    PRODUCTS_INT,
    PRODUCTS_B1,
    PRODUCTS_GROUP_FP8,   /* e4m3, e5m2 of a warpgroup           */
    PRODUCTS_TENSOR_HALF, /* tcgen05.mma: kind::f16              */
    PRODUCTS_TENSOR_TF32,
    PRODUCTS_TENSOR_FP8, /* kind::f8f6f4                        */
    PRODUCTS_TENSOR_INT,
    PRODUCTS_TENSOR_MX8, /* kind::mxf8f6f4                      */
    PRODUCTS_TENSOR_MX4, /* kind::mxf4                          */
    PRODUCTS_TENSOR_NV4  /* kind::mxf4nvf4                      */
};

enum isa_evidence { EVIDENCE_HARDWARE, EVIDENCE_PUBLISHED, EVIDENCE_DOCUMENTED, EVIDENCE_INFERRED };

enum isa_form_id {
#define MMA(id, ...) FORM_##id,
#define MOVE(id, ...) FORM_##id,
#define WGMMA(id, ...) FORM_##id,
#define WGMMA_SYNC(id, ...) FORM_##id,
#define WMMA(id, ...) FORM_##id,
#define WMMA_LOAD(id, ...) FORM_##id,
#define WMMA_STORE(id, ...) FORM_##id,
#define ACCESS(id, ...) FORM_##id,
#define COPY(id, ...) FORM_##id,
#define LOAD(id, ...) FORM_##id,
#define STORE(id, ...) FORM_##id,
#define REDUCE(id, ...) FORM_##id,
#define BULK(id, ...) FORM_##id,
#define REPLACE(id, ...) FORM_##id,
#include "mma.def"
#include "move.def"
#include "access.def"
#include "wmma.def"
#include "wgmma.def"
#include "bulk.def"
#undef MMA
#undef MOVE
    FORM_COUNT
};

/* --- rows --- */

struct wsim_arch {
    const char *name;
    uint8_t generation;
    uint8_t fragments;     /* of wmma: isa_scheme           */
    uint8_t warps, blocks; /* that an SM holds at a time    */
    uint8_t product;       /* index into isa_products       */
    uint32_t shared_bytes; /* that a block can have at most */
    uint32_t features;     /* bit per isa_feature           */
};

struct isa_alias {
    const char *name;
    uint8_t arch, called; /* indices into isa_archs: the target alone, and of this product */
};

struct isa_product { /* a row of product.def */
    const char *alias, *name, *sources;
    uint32_t figures[WSIM_FIGURES]; /* in its order and units; 0: no source has it */
};

struct isa_type { /* what the ISA adds to a number format */
    uint8_t needs;
    uint16_t ptx;
};

/* A qualifier. A row with a NULL text opens `place`; the words after it belong to that place. */
struct isa_word {
    const char *text;
    uint8_t place, value, flags, ptx;
};
#define WORD_REPEATS 1
#define WORD_SYNONYM 2
#define WORD_FOLLOWS 4
#define WORD_INNER 8

struct isa_family {
    const char *name;
    uint8_t door;      /* enum isa_door_id          */
    uint16_t operands; /* bit per enum wsim_operand */
};

/* Fragments whose registers the assembler checks for their type. */
enum isa_typed {
    TYPED_NEVER,
    TYPED_FACTORS, /* as WIDE, but of a sparse product only A and B */
    TYPED_WIDE,    /* elements of 16 bits or more                   */
    TYPED_ALL
};

/* An operand of PTX: registers of enum wsim_operand o are 1 + o. */
enum isa_item {
    ISA_ITEM_END,
    ISA_ITEM_D = 1 + WSIM_D,
    ISA_ITEM_A = 1 + WSIM_A,
    ISA_ITEM_B = 1 + WSIM_B,
    ISA_ITEM_C = 1 + WSIM_C,
    ISA_ITEM_R = 1 + WSIM_R,
    ISA_ITEM_ADDRESS = 1 + WSIM_OPERANDS,
    ISA_ITEM_STRIDE,
    ISA_ITEM_MATRIX, /* the descriptor of a matrix in shared memory */
    ISA_ITEM_REST,
    ISA_ITEM_COPIED,
    ISA_ITEM_GROUPS, /* how many may be pending, where a family waits for them */
    ISA_ITEM_FIELD   /* a number of a tensor map, after its ordinal              */
};
enum { ISA_MOST_WRITTEN = 6 }; /* with the END */

struct isa_door {
    uint8_t does, threads, counting; /* WSIM_DOES_..., enum wsim_counting */
    uint8_t typed, view;             /* enum isa_typed, enum wsim_view    */
    uint8_t written[ISA_MOST_WRITTEN];
};

struct isa_form {
    const char *name;
    uint8_t family; /* enum wsim_family */
    uint8_t scheme;
    uint8_t products;
    uint8_t pattern;   /* sparse A                                                */
    uint8_t placement; /* of its metadata                                         */
    uint8_t container; /* bits a narrow element is kept in; 0: as wide as it is   */
    uint8_t majors;    /* wgmma: a matrix in shared memory may be MN-major        */
    uint8_t signs;     /* wgmma: the sign of A and of B can be flipped            */
    uint8_t blocks;    /* scale factors a row; 0: not scaled                      */
    uint8_t layout;    /* moves: isa_layout_id                                    */
    uint8_t unit;      /* bank rules it falls under; UNIT_NONE: not counted       */
    uint8_t sizes;     /* copies: the sum of the bytes a lane that there are      */
    uint8_t factor;    /* isa_format of A and B where they are not written        */
    uint8_t least;     /* wmma: registers that A and B have at least, in copies   */
    uint8_t step;      /* k of the mma that multiplies; 0: all of it              */
    uint8_t role;      /* wmma.load, store: the enum wsim_operand it moves, C for D */
    uint8_t undocumented;
    uint8_t feature;
    uint16_t ptx;
    const char *source;
    uint64_t allow[PLACE_COUNT]; /* bit v: value v is allowed; 0: must not be written */
};

/* How the words of an access go together, one row a choice: the masks of the places
 * isa_manner_places, like those of a form. A family without rows has no such words. */
#define ISA_MANNER_PLACES 3
struct isa_manner {
    uint8_t family;
    uint64_t allow[ISA_MANNER_PLACES];
};

/* A word that needs a feature beyond its row. */
struct isa_word_need {
    uint8_t place, value, feature;
};

#define ISA_WARP_BITS 5 /* of a lane number; those above count the warps of a warpgroup */

#define ISA_LAYOUT_KEY(scheme, operand, key1, key2)                                                \
    ((uint32_t)(scheme) << 24 | (uint32_t)(operand) << 16 | (uint32_t)(key1) << 8 |                \
     (uint32_t)(key2))

struct isa_layout_row {
    const char *name;
    uint8_t scheme, operand;
    uint8_t key1, key2;
    uint32_t lane[ISA_WARP_BITS], elem[WSIM_LAYOUT_ELEM_BITS];
};

/* Four m8n8k4 can form a fragment of wmma. Bit by bit, the number of an m8n8k4 adds this to the
 * coordinates of an operand; 0: it holds the same as its neighbour. */
struct isa_square {
    uint8_t operand, shape; /* value of PLACE_SHAPE */
    uint32_t bit[2];
    const char *source;
};

struct isa_pattern {
    const char *name;
    uint8_t chunk, kept;     /* columns of A a nibble speaks for, and how many are stored */
    uint16_t valid, ordered; /* bit n: nibble n is defined (.sp / .sp::ordered_metadata)  */
};

struct isa_accum {
    uint8_t generation, products, method;
    uint8_t as; /* isa_format the operands enter in; FORMAT_NONE: their own */
    uint8_t width, keep, f32_frac;
    int16_t floor32, floor16;
    uint8_t evidence;
    uint64_t types, shapes; /* that publications or documents cover */
    const char *source;
};

enum isa_run_begins { RUN_SUM, RUN_PRODUCT };

/* How products one by one become a sum in a format. */
struct isa_runs {
    uint8_t result; /* isa_format                 */
    uint8_t products, begins;
    const char *source;
};

#define ISA_ANY 0xFF

/* Operations that the evidence of a row does not reach. */
struct isa_evidence_limit {
    uint8_t evidence;
    uint8_t generation, family, products; /* ISA_ANY: all                                     */
    uint8_t place;
    uint64_t values; /* bit v: with value v in that place; 0: with any                         */
    const char *because; /* the reason of an inference                                         */
};

/* Operations that a row of arithmetic does not cover: their result is unknown. */
struct isa_unmodelled {
    uint8_t generation, family, products, place;
    uint64_t values; /* bit v: with value v in that place */
    const char *because;
};

/* An open question in the evidence of a row. */
struct isa_caveat {
    uint8_t generation, products;
    const char *text;
};

/* Words of bulk copies that are not executed, where each of the places has one of its values. */
struct isa_unexecuted {
    uint8_t place[2];   /* PLACE_COUNT: none               */
    uint64_t values[2]; /* bit v: value v of that place    */
    const char *what;
};

enum isa_unit { UNIT_NONE, UNIT_LD, UNIT_ST, UNIT_MATRIX, UNIT_ATOMIC, UNIT_CAS, UNIT_CA, UNIT_CG };
enum isa_folding { FOLD_WORDS, FOLD_LANES };
enum isa_merging { MERGE_NEVER, MERGE_PAIRED };

struct isa_banks {
    uint8_t unit, least_bytes, most_bytes, lanes;
    uint8_t folding, merging, passes;
    uint8_t measured; /* generation on which it was; elsewhere it is inferred */
    const char *source;
};

enum isa_fragment_matrix { MATRIX_FACTOR, MATRIX_RESULT };
enum isa_fragment_order { ORDER_ALONG, ORDER_ACROSS, ORDER_EITHER };
enum isa_fragment_unit { ACCESS_ROWS, ACCESS_LANES };

/* The accesses that make up a wmma.load or wmma.store. */
struct isa_fragments {
    uint8_t matrix, least_bits, most_bits, order;
    uint8_t unit;
    uint8_t lines; /* ROWS: of the fragment, at most, in one access */
    uint8_t elements;
    uint8_t measured;
    const char *source;
};

enum isa_costing { COST_CHAIN, COST_CROWD, COST_FILLS };
enum isa_batching { BATCH_NEVER, BATCH_COLD };

struct isa_copies {
    uint8_t unit, counters; /* enum wsim_counters */
    uint8_t bytes, lanes, costing, batching;
    uint8_t measured;
    const char *source;
};

/* Tag bank of a global address: the parities of the address under two masks, of which bits from
 * `known` on are not known. */
struct isa_tags {
    uint32_t mask[2];
    uint8_t known;
    const char *source;
};

#define NO_CODE 0xFF

struct isa_swizzle {
    const char *name;
    uint8_t span, shift[2], mask[2];
    uint8_t code, tcgen; /* in a matrix descriptor of wgmma, of tcgen05; NO_CODE: none */
};

extern const struct isa_swizzle isa_swizzles[WSIM_SWIZZLES];
extern const char *const isa_feature_names[FEATURE_COUNT];
extern const struct wsim_format isa_formats[FORMAT_COUNT]; /* [FORMAT_NONE] has a NULL name */
extern const struct isa_type isa_types[FORMAT_COUNT];
extern const struct isa_word isa_words[];
extern const size_t isa_word_count;
extern const uint16_t isa_place_at[PLACE_COUNT + 1]; /* in isa_words: the row that opens it */
extern const char *const isa_place_words[PLACE_COUNT];
extern const struct isa_family isa_families[WSIM_FAMILIES];
extern const struct isa_door isa_doors[DOOR_COUNT];
extern const uint8_t isa_manner_places[ISA_MANNER_PLACES];
extern const struct isa_manner isa_manners[];
extern const size_t isa_manner_count;
extern const struct isa_word_need isa_word_needs[];
extern const size_t isa_word_need_count;
extern const struct isa_form isa_forms[FORM_COUNT];
extern const struct isa_layout_row isa_layouts[LAYOUT_COUNT];
extern const uint32_t isa_layout_keys[LAYOUT_COUNT]; /* ISA_LAYOUT_KEY of each */
extern const struct isa_square isa_squares[];
extern const size_t isa_square_count;
extern const uint32_t isa_warpgroup[WSIM_LAYOUT_LANE_BITS - ISA_WARP_BITS];
extern const struct isa_pattern isa_patterns[PATTERN_COUNT];
extern const struct wsim_arch isa_archs[]; /* the targets, then the products */
extern const size_t isa_arch_count;        /* targets */
extern const struct isa_product isa_products[PRODUCT_COUNT + 1];
extern const struct isa_alias isa_aliases[];
extern const size_t isa_alias_count;
extern const struct isa_accum isa_accums[];
extern const size_t isa_accum_count;
extern const struct isa_runs isa_run_rows[];
extern const size_t isa_run_row_count;
extern const struct isa_evidence_limit isa_evidence_limits[];
extern const size_t isa_evidence_limit_count;
extern const struct isa_unmodelled isa_unmodelled_rows[];
extern const size_t isa_unmodelled_count;
extern const struct isa_caveat isa_caveats[];
extern const size_t isa_caveat_count;
extern const struct isa_banks isa_bank_rules[];
extern const size_t isa_bank_rule_count;
extern const struct isa_fragments isa_fragment_rules[];
extern const size_t isa_fragment_rule_count;
extern const struct isa_copies isa_copy_rules[];
extern const size_t isa_copy_rule_count;
extern const uint8_t isa_exchange[5]; /* EXCHANGE of banks.def */
extern const struct isa_tags isa_tags;
extern const struct isa_unexecuted isa_unexecuted_rows[];
extern const size_t isa_unexecuted_count;

/* --- look-ups --- */

/* Refuses what wsim_op_parse and wsim_op_next do not make, and undocumented operations. */
enum wsim_status isa_refuse_foreign(const struct wsim_op *op, struct wsim_diag *diag);

/* Refuses `what` where `arch` lacks a feature. `all`: the features it needs altogether, bit per
 * isa_feature, for the architecture to go to. */
enum wsim_status isa_need(unsigned feature, const struct wsim_arch *arch, const char *what,
                          uint32_t all, struct wsim_diag *diag);

/* Whether the row of an operation, and the values of its places, are those of the tables: a row
 * that is undocumented is. Nothing below may be asked of an operation that is not. */
int isa_op_known(const struct wsim_op *op);

/* The row of an operation, and that of its family. */
static inline const struct isa_form *isa_form(const struct wsim_op *op) {
    return &isa_forms[op->form];
}

static inline const struct isa_family *isa_family(const struct wsim_op *op) {
    return &isa_families[isa_form(op)->family];
}

/* The row of its door. */
static inline const struct isa_door *isa_door(const struct wsim_op *op) {
    return &isa_doors[isa_family(op)->door];
}

static inline int isa_does(const struct wsim_op *op, unsigned does) {
    return (isa_door(op)->does & does) != 0;
}

/* Whether a warpgroup multiplies with it. */
static inline int isa_is_group(const struct wsim_op *op) {
    return isa_does(op, WSIM_DOES_MULTIPLY) && isa_door(op)->threads > WSIM_LANES;
}

/* wsim_op_layout of an operation that `arch`, if one is given, was found to have. */
enum wsim_status isa_op_layout(const struct wsim_op *op, const struct wsim_arch *arch,
                               enum wsim_operand operand, struct wsim_layout *layout,
                               struct wsim_diag *diag);

/* Refuses fragments of `op` that are not in the tables for `arch`. */
enum wsim_status isa_need_fragments(const struct wsim_op *op, const struct wsim_arch *arch,
                                    struct wsim_diag *diag);

/* The layout of A, B, C or D in the multiplication. It is that of isa_op_layout; a wmma fragment
 * made of four m8n8k4 is its four batches. The fragments of `op` are known. */
struct wsim_layout isa_factor_layout(const struct wsim_op *op, const struct wsim_arch *arch,
                                     enum wsim_operand operand);

/* Where it is known from that a fragment of `op` on `arch` is four of m8n8k4; NULL: it is not. */
const char *isa_square_source(const struct wsim_op *op, const struct wsim_arch *arch);

/* The first version of PTX, times 10, with a target such as "sm_90a"; 0: none has it. */
unsigned isa_target_version(const char *name);
/* Whether a target has a higher number than all that are known. */
int isa_target_is_newer(const char *name);
/* Whether PTX has a version, times 10; those to come count. */
int isa_ptx_exists(unsigned version);

/* Whether the tables have all instructions of a version of PTX, so that any other one is illegal.
 */
int isa_ptx_is_whole(unsigned version);

/* Whether it has registers of this name. */
int isa_op_has(const struct wsim_op *op, enum wsim_operand operand);

/* The arithmetic of `op` on `arch`; NULL: not modelled. */
const struct isa_accum *isa_accum(const struct wsim_op *op, const struct wsim_arch *arch);

/* Why not, if others with the same kind of products are; NULL: they are not either. */
const char *isa_op_unmodelled(const struct wsim_op *op, const struct wsim_arch *arch);

/* How the products of SCALAR add up to `result`; every such row has one. */
const struct isa_runs *isa_runs(const struct wsim_format *result);

/* The bank rule of `op` (its bytes a lane); NULL: not modelled. */
const struct isa_banks *isa_banks(const struct wsim_op *op);

/* The rule of `unit` for `bytes` bytes a lane; NULL: no rule. */
const struct isa_banks *isa_bank_rule(unsigned unit, unsigned bytes);

/* The accesses of a fragment with elements of `bits`, whose neighbours lie along the lines of
 * memory or across them. NULL: not a load or store in shared memory, or not counted. */
const struct isa_fragments *isa_fragments(const struct wsim_op *op, unsigned bits, int along);

/* Alignment in bytes that hardware wants for the address and lines of such a fragment: that of one
 * access in the state space of `op`. 0: not a load or store of a fragment. */
unsigned isa_fragment_align(const struct wsim_op *op, unsigned bits, int along);

/* The rule of a copy of `bytes` a lane (0: any) for a kind of counters; NULL: not modelled. */
const struct isa_copies *isa_copies(const struct wsim_op *op, unsigned counters, unsigned bytes);

/* The type in a place (PLACE_D .. PLACE_STYPE), NULL if none is written; of A and B also the one
 * that goes without saying. */
const struct wsim_format *isa_op_type(const struct wsim_op *op, enum isa_place place);

/* m, n, k of the shape; k is 0 for tiles. */
struct isa_shape {
    uint16_t m, n, k;
};
struct isa_shape isa_op_shape(const struct wsim_op *op);

/* Why a bulk copy is not executed; NULL: it is. */
const char *isa_op_unexecuted(const struct wsim_op *op);

/* Room of the engine for one warp; limits.c checks every row against these. */
#define ISA_MOST_ROWS 16   /* of a wgmma, and of a sparse A                            */
#define ISA_MOST_A 4096    /* elements: 16 x 256                                       */
#define ISA_MOST_B 2048    /* 256 x 8                                                  */
#define ISA_MOST_C 256     /* 4 x 8 x 8, m8n8k4                                        */
#define ISA_MOST_STORED 64 /* columns of a sparse A                                    */
#define ISA_MOST_COORDINATES 5
#define ISA_MOST_BLOCKS 4 /* scale factors of a row                                   */

#define ISA_ROW_BYTES 16 /* a memory row of every matrix move */

/* Bytes of shared memory one lane accesses (a matrix move: 16, a row); 0: none, or several times.
 */
unsigned isa_op_bytes(const struct wsim_op *op);

/* The first address after the largest shared memory of a block on `arch`. */
uint32_t isa_shared_end(const struct wsim_arch *arch);

/* By a name of a target, or of a product: then it has the figures of the product. NULL: none. */
const struct wsim_arch *isa_arch_named(const char *name);
/* The same target with the product of arch.def. */
const struct wsim_arch *isa_target(const struct wsim_arch *arch);
/* In the units of product.def. */
uint32_t isa_figure(const struct wsim_arch *arch, enum wsim_figure figure);

/* Whether the approximate functions (ex2.approx ...) were measured on that generation. */
int isa_approximates(const struct wsim_arch *arch);

/* The rounding that the spelling names (f64 mma), or else to nearest even. */
enum wsim_rounding isa_op_rounding(const struct wsim_op *op);

/* Lanes whose address a matrix move of `rows` rows looks at on `arch`. */
unsigned isa_address_lanes(const struct wsim_arch *arch, unsigned rows);

/* Whether fragments of wmma consist of fragments of mma, and move as in banks.def. */
int isa_fragments_counted(const struct wsim_arch *arch);

/* Matrices a move moves: 1, 2, 4. */
unsigned isa_op_matrices(const struct wsim_op *op);

/* Coordinates of a copy of a tensor; 0: it has none. */
unsigned isa_op_dimensions(const struct wsim_op *op);

/* Threads that execute an operation together. */
unsigned isa_op_threads(const struct wsim_op *op);

/* Stored columns of A: k, or the columns left after compression. */
unsigned isa_op_stored_k(const struct wsim_op *op);

/* Whether `form` allows value `v` in place `p`. */
static inline int isa_form_allows(const struct isa_form *form, int p, unsigned v) {
    uint64_t allow = form->allow[p];
    return allow ? (int)(allow >> v & 1) : v == 0;
}

/* The row of value `v`, not 0, of place `p`, which has no types. */
const struct isa_word *isa_word_of(int p, unsigned v);

/* Whether the words of `op` go together as some row of isa_manners has it. */
int isa_manner_fits(const struct wsim_op *op);

/* The text of value `v` of place `p` without the dot; "" for 0. A * in it stands for the text of
 * the next place. */
const char *isa_word_text(int p, unsigned v);

/* Writes the text of place `p` of `op` as it is spelled. */
void isa_word_put(struct base_text *text, const struct wsim_op *op, int p);

/* Whether a bulk copy of this mode, a value of PLACE_MODE, names its rows one by one: a column and
 * four rows. */
int isa_names_rows(unsigned mode);

/* Whether place `p` has types: a value is then an isa_format. */
static inline int isa_place_has_types(int p) {
    return p >= PLACE_D && p <= PLACE_STYPE;
}

/* Whether the words of place `p` are part of the words of the place before. */
int isa_place_inner(int p);

/* "mma", "ldmatrix", ... */
const char *isa_family_name(enum wsim_family family);

/* The name of an operation in messages: its family and its distinctive words, as users spell them,
 * "mma.m16n8k16.f32.f16.f16.f32". */
struct isa_op_text {
    char text[112];
};
struct isa_op_text isa_op_called(const struct wsim_op *op);

#endif
