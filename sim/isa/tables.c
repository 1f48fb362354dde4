/* The *.def tables as constant data. Nothing is computed here; each macro below says how one kind
 * of row becomes one initializer. */
#include "isa.h"

/* --- features, architectures --- */

const char *const isa_feature_names[FEATURE_COUNT] = {
#define FEATURE(id, name) [FEATURE_##id] = name,
#include "feature.def"
#undef FEATURE
};

#define HAS(feature) (UINT32_C(1) << FEATURE_##feature)
#define SINCE_TENSOR HAS(TENSOR)
#define SINCE_XAVIER (SINCE_TENSOR | HAS(XAVIER))
#define SINCE_TURING (SINCE_XAVIER | HAS(TURING))
#define SINCE_AMPERE (SINCE_TURING | HAS(AMPERE) | HAS(IDLE_ADDRESSES))
#define SINCE_FP8 (SINCE_AMPERE | HAS(FP8))
#define SINCE_HOPPER (SINCE_FP8 | HAS(HOPPER))
#define SINCE_BLACKWELL (SINCE_HOPPER | HAS(BLACKWELL))
#define MAPS (HAS(REPLACE_MAP) | HAS(REPLACE_ATOM)) /* tensormap.replace, all fields */

const struct wsim_arch isa_archs[] = {
#define ARCH(id, generation, shared, features)                                                     \
    {#id, GENERATION_##generation, (shared)*UINT32_C(1024), features},
#include "arch.def"
};
const size_t isa_arch_count = sizeof isa_archs / sizeof isa_archs[0];

enum arch_index {
#define ARCH(id, generation, shared, features) ARCH_##id,
#include "arch.def"
    ARCH_COUNT
};

const struct isa_alias isa_aliases[] = {
#define ALIAS(name, arch) {name, ARCH_##arch},
#include "arch.def"
};
const size_t isa_alias_count = sizeof isa_aliases / sizeof isa_aliases[0];

/* --- formats --- */

const struct wsim_format isa_formats[FORMAT_COUNT] = {
#define BINARY(id, name, bits, pad, sign, exp, frac, bias, specials, nan, needs, ptx)              \
    [FORMAT_##id] = {name, WSIM_BINARY,  bits, pad, sign, exp, frac, WSIM_SPECIALS_##specials,     \
                     bias, UINT64_C(nan)},
#define WHOLE(id, name, bits, sign) [FORMAT_##id] = {name, WSIM_INT, bits, 0, sign, 0, 0, 0, 0, 0},
#define RAW(id, name, bits) [FORMAT_##id] = {name, WSIM_BITS, bits, 0, 0, 0, 0, 0, 0, 0},
#include "format.def"
};

const struct isa_type isa_types[FORMAT_COUNT] = {
#define BINARY(id, name, bits, pad, sign, exp, frac, bias, specials, nan, needs, ptx)              \
    [FORMAT_##id] = {FEATURE_##needs, ptx},
#include "format.def"
};

/* --- qualifiers --- */

#define REPEATS WORD_REPEATS
#define SYNONYM WORD_SYNONYM
#define FOLLOWS WORD_FOLLOWS
#define INNER WORD_INNER
/* PLACE rows separate the words: a word belongs to the place opened last. */
const struct isa_word isa_words[] = {
#define PLACE(id, words) {NULL, PLACE_##id, 0, 0, 0},
#define QUAL(id, spelling, flags, ptx) {spelling, 0, Q_##id, flags, ptx},
#include "qualifier.def"
};
const size_t isa_word_count = sizeof isa_words / sizeof isa_words[0];

enum word_index {
#define PLACE(id, words) PLACE_AT_##id,
#define QUAL(id, spelling, flags, ptx) WORD_AT_##id,
#include "qualifier.def"
    WORD_AT_END
};

const uint16_t isa_place_at[PLACE_COUNT + 1] = {
#define PLACE(id, words) [PLACE_##id] = PLACE_AT_##id,
#include "qualifier.def"
    [PLACE_COUNT] = WORD_AT_END,
};

const struct isa_word_need isa_word_needs[] = {
#define NEEDS(place, id, feature) {PLACE_##place, Q_##id, FEATURE_##feature},
#include "qualifier.def"
};
const size_t isa_word_need_count = sizeof isa_word_needs / sizeof isa_word_needs[0];

const char *const isa_place_words[PLACE_COUNT] = {
#define PLACE(id, words) [PLACE_##id] = words,
#include "qualifier.def"
};

/* --- layouts, patterns --- */

#define R(n) (UINT32_C(n))
#define C(n) (UINT32_C(n) << 12)
#define Q(n) (UINT32_C(n) << 24)
#define LANES(...)                                                                                 \
    { __VA_ARGS__ }
#define ELEMS(...)                                                                                 \
    { __VA_ARGS__ }
#define OPERAND_A WSIM_A
#define OPERAND_B WSIM_B
#define OPERAND_C WSIM_C
#define OPERAND_E WSIM_E
#define OPERAND_R WSIM_R
#define OPERAND_SFA WSIM_SFA
#define OPERAND_SFB WSIM_SFB
#define ONE PLACEMENT_ONE
#define PAIR_K PLACEMENT_PAIR_K
#define PAIR_M PLACEMENT_PAIR_M
#define ALL PLACEMENT_ALL

const struct isa_layout_row isa_layouts[LAYOUT_COUNT] = {
#define LAYOUT(id, scheme, operand, key1, key2, lanes, elems)                                      \
    [LAYOUT_##id] = {#id, SCHEME_##scheme, OPERAND_##operand, key1, key2, lanes, elems},
#include "layout.def"
};

const uint32_t isa_layout_keys[LAYOUT_COUNT] = {
#define LAYOUT(id, scheme, operand, key1, key2, lanes, elems)                                      \
    [LAYOUT_##id] = ISA_LAYOUT_KEY(SCHEME_##scheme, OPERAND_##operand, key1, key2),
#include "layout.def"
};

const uint32_t isa_warpgroup[WSIM_LAYOUT_LANE_BITS - ISA_WARP_BITS] = {
#define WARPGROUP(bit0, bit1) bit0, bit1
#include "layout.def"
};

#undef ONE
#undef PAIR_K
#undef PAIR_M
#undef ALL

const struct isa_pattern isa_patterns[PATTERN_COUNT] = {
#define PATTERN(id, name, chunk, kept, valid, ordered)                                             \
    [PATTERN_##id] = {name, chunk, kept, valid, ordered},
#include "pattern.def"
#undef PATTERN
};

/* --- families --- */

#define IN(operand) (1u << WSIM_##operand)
const struct isa_family isa_families[FAMILY_COUNT] = {
#define FAMILY(id, name, door, counted, threads, operands)                                         \
    [FAMILY_##id] = {name, WSIM_DOOR_##door, WSIM_COUNT_##counted, threads, operands},
#include "family.def"
};

/* --- instruction forms --- */

#define BIT(q) (UINT64_C(1) << Q_##q)
#define ANYWAY(q) (1 | BIT(q)) /* may be written, may be left out */
#define T(format) (UINT64_C(1) << FORMAT_##format)
#define F16_F32 (T(F16) | T(F32))
#define FLOAT8 (T(E4M3) | T(E5M2))
#define NARROW (FLOAT8 | T(E3M2) | T(E2M3) | T(E2M1))
#define INT8 (T(S8) | T(U8))
#define INT4 (T(S4) | T(U4))

#define ROW_COL .allow[PLACE_ALAYOUT] = BIT(AROW), .allow[PLACE_BLAYOUT] = BIT(BCOL)
#define ANY_PAIR                                                                                   \
    .allow[PLACE_ALAYOUT] = BIT(AROW) | BIT(ACOL), .allow[PLACE_BLAYOUT] = BIT(BROW) | BIT(BCOL)

#define DENSE .pattern = PATTERN_NONE
#define COMPRESSED(p, where) .pattern = PATTERN_##p, .placement = PLACEMENT_##where
#define SPARSE(p, where) COMPRESSED(p, where), .allow[PLACE_SPARSE] = BIT(SP) | BIT(SP_ORDERED)
#define ORDERED(p, where) COMPRESSED(p, where), .allow[PLACE_SPARSE] = BIT(SP_ORDERED)

/* the rest of a row */
#define PLAIN .scheme = SCHEME_FRAGMENT
#define QUAD_SCHEME .scheme = SCHEME_QUAD
#define ROUNDING PLAIN, .allow[PLACE_ROUND] = 1 | BIT(RN) | BIT(RZ) | BIT(RM) | BIT(RP)
#define SATURATION PLAIN, .allow[PLACE_SATURATE] = ANYWAY(SATFINITE)
#define POPCOUNT(op) PLAIN, .allow[PLACE_BITOP] = BIT(op), .allow[PLACE_POPC] = BIT(POPC)
#define KIND(kind) PLAIN, .allow[PLACE_KIND] = BIT(KIND_##kind)
#define FOREIGN_KIND                                                                               \
    PLAIN, .allow[PLACE_KIND] = BIT(KIND_MXF8F6F4) | BIT(KIND_MXF4) | BIT(KIND_MXF4NVF4) |         \
                                BIT(KIND_F16) | BIT(KIND_TF32) | BIT(KIND_I8)
#define IN_BYTES(kind) KIND(kind), .container = 8
#define BLOCKS(n)                                                                                  \
    ((n) + 0 * sizeof(struct {                                                                     \
               _Static_assert((n) <= ISA_MOST_BLOCKS,                                              \
                              "mma.def: scale factors exceed ISA_MOST_BLOCKS");                    \
               int none;                                                                           \
           }))
#define SCALED(n, vectors, type)                                                                   \
    .blocks = BLOCKS(n), .allow[PLACE_BLOCK] = BIT(BLOCK_SCALE), .allow[PLACE_VECTOR] = vectors,   \
    .allow[PLACE_STYPE] = T(type)
#define UNDOCUMENTED .undocumented = 1

/* what rows of all three tables share, and what all instructions of a whole warp do */
#define ROW(fam, feat, version, src)                                                               \
    .family = WSIM_##fam, .feature = FEATURE_##feat, .ptx = version, .source = src
#define WARP_WIDE(shape)                                                                           \
    .allow[PLACE_SYNC] = BIT(SYNC), .allow[PLACE_ALIGNED] = BIT(ALIGNED),                          \
    .allow[PLACE_SHAPE] = BIT(shape)

#define MMA(id, sparsity, shape, layouts, d, c, a, b, prod, feat, version, src, ...)               \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(MMA, feat, version, src),                                                   \
                   WARP_WIDE(shape),                                                               \
                   .products = PRODUCTS_##prod,                                                    \
                   .allow[PLACE_D] = d,                                                            \
                   .allow[PLACE_C] = c,                                                            \
                   .allow[PLACE_A] = a,                                                            \
                   .allow[PLACE_B] = b,                                                            \
                   layouts,                                                                        \
                   sparsity,                                                                       \
                   __VA_ARGS__},

#define MUST BIT(TRANS)
#define NEVER 0
#define NO_NUMBER 0
#define X1_X2 (BIT(X1) | BIT(X2))
#define X1_X2_X4 (X1_X2 | BIT(X4))
#define X8_AND_MORE (BIT(X8) | BIT(X16) | BIT(X32) | BIT(X64) | BIT(X128))
#define NO_TYPE 0
#define PACKED (T(B6X16) | T(B4X16))
#define SPACES .allow[PLACE_SPACE] = 1 | BIT(SHARED) | BIT(SHARED_CTA)
#define NO_SPACE .allow[PLACE_SPACE] = 0
#define BANKED .unit = UNIT_MATRIX
#define MOVE(id, fam, shape, nums, trans, type, source_type, lay, feat, version, src, ...)         \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(fam, feat, version, src),                                                   \
                   WARP_WIDE(shape),                                                               \
                   .scheme = SCHEME_MOVE,                                                          \
                   .layout = LAYOUT_##lay,                                                         \
                   .allow[PLACE_NUM] = nums,                                                       \
                   .allow[PLACE_TRANS] = trans,                                                    \
                   .allow[PLACE_D] = type,                                                         \
                   .allow[PLACE_A] = source_type,                                                  \
                   __VA_ARGS__},

#define NO_ATOMIC 0
#define NO_VECTOR 0
#define WORDS (T(B8) | T(U8) | T(S8) | T(B16) | T(U16) | T(S16) | T(B32) | T(U32) | T(S32) | T(F32))
#define LOADABLE (WORDS | T(B64) | T(U64) | T(S64) | T(F64))
#define ADD_MIN_MAX (BIT(ADD) | MIN_MAX)
#define MIN_MAX (BIT(MIN) | BIT(MAX))
#define AND_OR_XOR (BIT(ATOMIC_AND) | BIT(OR) | BIT(ATOMIC_XOR))
#define INC_DEC (BIT(INC) | BIT(DEC))
#define LOOPED_ADD (T(U64) | T(F32) | T(F64))
#define UNFLUSHED(one, two) T(one) | T(two), [PLACE_NOFTZ] = BIT(NOFTZ)
#define LOAD_ORDERS (BIT(RELAXED) | BIT(ACQUIRE))
#define STORE_ORDERS (BIT(RELAXED) | BIT(RELEASE))
#define ATOM_ORDERS (LOAD_ORDERS | STORE_ORDERS | BIT(ACQ_REL))
#define SCOPES (BIT(SCOPE_CTA) | BIT(SCOPE_CLUSTER) | BIT(SCOPE_GPU) | BIT(SCOPE_SYS))
#define BOTH_CACHES (BIT(CACHE_GLOBAL) | BIT(CACHE_STREAM))
#define LOAD_CACHES (1 | BOTH_CACHES | BIT(CACHE_ALL) | BIT(LAST_USE) | BIT(NO_CACHE))
#define STORE_CACHES (1 | BOTH_CACHES | BIT(WRITE_BACK) | BIT(WRITE_THROUGH))
/* What orders, scopes and cache operators go together, the MANNER rows say. */
#define ACCESS(id, fam, operations, vectors, types, rules, feat, version, src)                     \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(fam, feat, version, src),                                                   \
                   .unit = UNIT_##rules,                                                           \
                   .allow = {[PLACE_MEMORY_ORDER] = ANYWAY(WEAK) | BIT(VOLATILE) | ATOM_ORDERS,    \
                             [PLACE_SCOPE] = 1 | SCOPES,                                           \
                             [PLACE_CACHING] = LOAD_CACHES | STORE_CACHES,                         \
                             [PLACE_SPACE] = BIT(SHARED) | BIT(SHARED_CTA),                        \
                             [PLACE_ATOMIC] = operations,                                          \
                             [PLACE_WIDTH] = vectors,                                              \
                             [PLACE_D] = types}},

#define NO_HINT 0
#define HINTED BIT(CACHE_HINT)
#define COPY(id, cache, hint, bytes, rules, feat, version, src)                                    \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(CP_ASYNC, feat, version, src),                                              \
                   .unit = UNIT_##rules,                                                           \
                   .sizes = bytes,                                                                 \
                   .allow = {[PLACE_CACHE] = BIT(cache),                                           \
                             [PLACE_SPACE] = BIT(SHARED) | BIT(SHARED_CTA),                        \
                             [PLACE_SOURCE] = BIT(SOURCE_GLOBAL),                                  \
                             [PLACE_HINT] = hint,                                                  \
                             [PLACE_PREFETCH] = 1 | BIT(PREFETCH_64B) | BIT(PREFETCH_128B) |       \
                                                BIT(PREFETCH_256B)}},

#define TOGETHER .allow[PLACE_SYNC] = BIT(SYNC), .allow[PLACE_ALIGNED] = BIT(ALIGNED)

/* wmma. Families of loads are told apart by the operand, and so are their layouts. */
#define DEEP_16 (BIT(M16N16K16) | BIT(M8N32K16) | BIT(M32N8K16))
#define SMALL (BIT(M8N8K32) | BIT(M8N8K128))
#define ONLY_ROW 1
#define ONLY_COL 2
#define ROW_OR_COL 3
#define BOTH_OF(place, which)                                                                      \
    (((which)&ONLY_ROW ? BIT(place##ROW) : 0) | ((which)&ONLY_COL ? BIT(place##COL) : 0))
#define ANY_SPACE .allow[PLACE_SPACE] = 1 | BIT(SHARED) | BIT(SHARED_CTA) | BIT(GLOBAL)
#define REPEATED PLAIN, .least = 8
#define STEP(k) PLAIN, .step = k
#define FACTORS(type) .allow[PLACE_A] = T(type), .allow[PLACE_B] = T(type)
#define UNWRITTEN(type) .factor = FORMAT_##type
#define WMMA_LOAD(id, op, shapes, layouts, types, feat, version, src, ...)                         \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(WMMA_LOAD_##op, feat, version, src),                                        \
                   TOGETHER,                                                                       \
                   ANY_SPACE,                                                                      \
                   .role = WSIM_##op,                                                              \
                   .allow[PLACE_SHAPE] = shapes,                                                   \
                   .allow[PLACE_##op##LAYOUT] = BOTH_OF(op, layouts),                              \
                   .allow[PLACE_D] = types,                                                        \
                   __VA_ARGS__},
#define WMMA_STORE(id, shapes, types, feat, version, src, ...)                                     \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(WMMA_STORE, feat, version, src),                                            \
                   TOGETHER,                                                                       \
                   ANY_SPACE,                                                                      \
                   .role = WSIM_C,                                                                 \
                   .allow[PLACE_SHAPE] = shapes,                                                   \
                   .allow[PLACE_CLAYOUT] = BOTH_OF(C, ROW_OR_COL),                                 \
                   .allow[PLACE_D] = types,                                                        \
                   __VA_ARGS__},
#define WMMA(id, shapes, layouts, d, c, types, prod, feat, version, src, ...)                      \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(WMMA, feat, version, src),                                                  \
                   TOGETHER,                                                                       \
                   .products = PRODUCTS_##prod,                                                    \
                   .allow[PLACE_SHAPE] = shapes,                                                   \
                   .allow[PLACE_D] = d,                                                            \
                   .allow[PLACE_C] = c,                                                            \
                   layouts,                                                                        \
                   types,                                                                          \
                   __VA_ARGS__},

/* A warpgroup. Its A is a fragment of each warp or lies in shared memory like B; C is D. */
#define UNALIGNED .undocumented = 1, .allow[PLACE_SYNC] = BIT(SYNC)
#define LAYOUTS                                                                                    \
    .undocumented = 1, .allow[PLACE_SYNC] = BIT(SYNC), .allow[PLACE_ALIGNED] = ANYWAY(ALIGNED),    \
    .allow[PLACE_ALAYOUT] = BIT(AROW) | BIT(ACOL),                                                 \
    .allow[PLACE_BLAYOUT] = 1 | BIT(BROW) | BIT(BCOL)
#define EITHER_MAJOR .majors = 1
#define SIGNS .signs = 1
#define EIGHTS (UINT64_C(0x1FFFFFFFF) & ~UINT64_C(1))   /* n8 n16 ... n256 */
#define SIXTEENS (UINT64_C(0x155555555) & ~UINT64_C(1)) /* n16 n32 ... n256 */
#define WHOLES (SIXTEENS | BIT(N8) | BIT(N24))
#define ONLY_SP(p, where) COMPRESSED(p, where), .allow[PLACE_SPARSE] = BIT(SP)
#define WGMMA(id, sparsity, shape, widths, d, a, b, prod, version, src, ...)                       \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(WGMMA, WGMMA, version, src),                                                \
                   .products = PRODUCTS_##prod,                                                    \
                   .allow[PLACE_SHAPE] = BIT(shape),                                               \
                   .allow[PLACE_N] = widths,                                                       \
                   .allow[PLACE_D] = d,                                                            \
                   .allow[PLACE_A] = a,                                                            \
                   .allow[PLACE_B] = b,                                                            \
                   sparsity,                                                                       \
                   __VA_ARGS__},
#define WGMMA_SYNC(id, fam, version, src, ...)                                                     \
    [FORM_##id] = {.name = #id, ROW(fam, WGMMA, version, src), __VA_ARGS__},
/* Bulk copies. A tensor has as many coordinates as dimensions. */
#define ANY_D (BIT(1D) | BIT(2D) | PIXEL_D)
#define PIXEL_D (BIT(3D) | BIT(4D) | BIT(5D))
#define TILES ANYWAY(TILE)
#define PIXELS (BIT(IM2COL) | BIT(IM2COL_W) | BIT(IM2COL_W128))
#define GROUPS (BIT(GROUP_1) | BIT(GROUP_2))
#define ADDABLE (T(U32) | T(S32) | T(U64) | T(F32) | T(F64))
#define HALVES (T(F16) | T(BF16))
#define ORDERED_NUMBERS (T(U32) | T(S32) | T(U64) | T(S64) | HALVES)
#define MAYBE(q, can) ((can) ? ANYWAY(q) : 0)
#define TENSOR(id, fam, dims, dst, src_space, modes, done, feat, version, src)                     \
    .name = #id, ROW(fam, feat, version, src), .scheme = SCHEME_BULK,                              \
    .allow[PLACE_DIMENSIONS] = dims, .allow[PLACE_TO] = dst, .allow[PLACE_FROM] = src_space,       \
    .allow[PLACE_MODE] = modes, .allow[PLACE_COMPLETION] = done,                                   \
    .allow[PLACE_HINT] = ANYWAY(CACHE_HINT)
#define LOAD(id, dims, dst, modes, groups, cast, feat, version, src)                               \
    [FORM_##id] = {TENSOR(id, BULK_TENSOR, dims, dst, BIT(FROM_GLOBAL), modes, BIT(BYTES), feat,   \
                          version, src),                                                           \
                   .allow[PLACE_MULTICAST] = MAYBE(MULTICAST, cast),                               \
                   .allow[PLACE_GROUP] = groups},
#define STORE(id, dims, modes, feat, version, src)                                                 \
    [FORM_##id] = {TENSOR(id, BULK_TENSOR, dims, BIT(TO_GLOBAL), BIT(FROM_CTA), modes,             \
                          BIT(BULK_GROUP), feat, version, src)},
#define ANY_REDUCTION                                                                              \
    (BIT(REDUCE_ADD) | BIT(REDUCE_MIN) | BIT(REDUCE_MAX) | BIT(REDUCE_INC) | BIT(REDUCE_DEC) |     \
     BIT(REDUCE_AND) | BIT(REDUCE_OR) | BIT(REDUCE_XOR))
#define REDUCE(id, dims, modes, unwritten, feat, version, src)                                     \
    [FORM_##id] = {TENSOR(id, BULK_REDUCE_TENSOR, dims, BIT(TO_GLOBAL), BIT(FROM_CTA), modes,      \
                          BIT(BULK_GROUP), feat, version, src),                                    \
                   .undocumented = (unwritten), .allow[PLACE_REDUCTION] = ANY_REDUCTION},
/* The fields that each row of tensormap.replace writes, bit per word. */
enum {
    FIELDS_replace_word = 0
#define FIELD(id, slot, number, row) | (FORM_##row == FORM_replace_word ? 1 << Q_##id : 0)
#include "tensor.def"
    ,
    FIELDS_replace_bytes = 0
#define FIELD(id, slot, number, row) | (FORM_##row == FORM_replace_bytes ? 1 << Q_##id : 0)
#include "tensor.def"
    ,
    FIELDS_replace_atomicity = 0
#define FIELD(id, slot, number, row) | (FORM_##row == FORM_replace_atomicity ? 1 << Q_##id : 0)
#include "tensor.def"
};
#define REPLACE(id, types, feat, version, src)                                                     \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(MAP_REPLACE, feat, version, src),                                           \
                   .allow = {[PLACE_MAP_MODE] = BIT(MAP_TILE),                                     \
                             [PLACE_FIELD] = FIELDS_##id,                                          \
                             [PLACE_FROM] = 1 | BIT(FROM_GLOBAL) | BIT(FROM_CTA),                  \
                             [PLACE_MAP_SIZE] = BIT(MAP_BITS),                                     \
                             [PLACE_D] = types}},
#define BULK(id, fam, dst, src_space, done, cast, hint, mask, operations, types, noftz, feat,      \
             version, src)                                                                         \
    [FORM_##id] = {.name = #id,                                                                    \
                   ROW(fam, feat, version, src),                                                   \
                   .scheme = SCHEME_BULK,                                                          \
                   .allow = {[PLACE_TO] = BIT(dst),                                                \
                             [PLACE_FROM] = BIT(src_space),                                        \
                             [PLACE_COMPLETION] = BIT(done),                                       \
                             [PLACE_MULTICAST] = MAYBE(MULTICAST, cast),                           \
                             [PLACE_HINT] = MAYBE(CACHE_HINT, hint),                               \
                             [PLACE_MASK] = (mask) ? BIT(CP_MASK) : 0,                             \
                             [PLACE_ATOMIC] = operations,                                          \
                             [PLACE_NOFTZ] = (noftz) ? BIT(NOFTZ) : 0,                             \
                             [PLACE_D] = types}},

const struct isa_form isa_forms[FORM_COUNT] = {
#include "mma.def"
#include "move.def"
#include "access.def"
#include "wmma.def"
#include "wgmma.def"
#include "bulk.def"
};

const uint8_t isa_manner_places[ISA_MANNER_PLACES] = {PLACE_MEMORY_ORDER, PLACE_SCOPE,
                                                      PLACE_CACHING};
const struct isa_manner isa_manners[] = {
#undef ACCESS
#undef COPY
#define MANNER(fam, orders, scopes, caches) {WSIM_##fam, {orders, scopes, caches}},
#include "access.def"
};
const size_t isa_manner_count = sizeof isa_manners / sizeof isa_manners[0];

const struct isa_apart isa_aparts[] = {
#define PLACE_ALONE PLACE_COUNT
#define ALONE 0
#define APART(place, values, also, others, what)                                                   \
    {{PLACE_##place, PLACE_##also}, {values, others}, what},
#undef LOAD
#undef STORE
#undef REDUCE
#undef BULK
#undef REPLACE
#include "bulk.def"
};
const size_t isa_apart_count = sizeof isa_aparts / sizeof isa_aparts[0];

/* --- swizzles --- */

const struct isa_swizzle isa_swizzles[WSIM_SWIZZLES] = {
#define SWIZZLE(id, name, span, shift0, mask0, shift1, mask1, code)                                \
    [WSIM_SWIZZLE_##id] = {name, span, {shift0, shift1}, {mask0, mask1}, code},
#include "swizzle.def"
#undef SWIZZLE
};

/* --- arithmetic, banks, recordings --- */

#undef NEVER
#define FORMAT_OF(id) FORMAT_##id
const struct isa_accum isa_accums[] = {
#define ACCUM(gen, prod, method, as, width, keep, f32_frac, floor32, floor16, evidence, source)    \
    {GENERATION_##gen, PRODUCTS_##prod, METHOD_##method, FORMAT_OF(as),       width, keep,         \
     f32_frac,         floor32,         floor16,         EVIDENCE_##evidence, source},
#include "accum.def"
};
const size_t isa_accum_count = sizeof isa_accums / sizeof isa_accums[0];

const struct isa_beyond isa_beyonds[] = {
#define GENERATION_ANY ISA_ANY
#define WSIM_ANY ISA_ANY
#define PRODUCTS_ANY ISA_ANY
#define BEYOND(evidence, generation, family, products, place, values, because)                     \
    {EVIDENCE_##evidence,                                                                          \
     GENERATION_##generation,                                                                      \
     WSIM_##family,                                                                                \
     PRODUCTS_##products,                                                                          \
     PLACE_##place,                                                                                \
     values,                                                                                       \
     because},
#include "accum.def"
};
const size_t isa_beyond_count = sizeof isa_beyonds / sizeof isa_beyonds[0];

const struct isa_caveat isa_caveats[] = {
#define CAVEAT(generation, products, text) {GENERATION_##generation, PRODUCTS_##products, text},
#include "accum.def"
};
const size_t isa_caveat_count = sizeof isa_caveats / sizeof isa_caveats[0];

const struct isa_banks isa_bank_rules[] = {
#define BANKS(unit, least, most, lanes, folding, merging, passes, measured, source)                \
    {UNIT_##unit,           least, most, lanes, FOLD_##folding, MERGE_##merging, passes,           \
     GENERATION_##measured, source},
#include "banks.def"
};
const size_t isa_bank_rule_count = sizeof isa_bank_rules / sizeof isa_bank_rules[0];

const struct isa_fragments isa_fragment_rules[] = {
#define FRAGMENTS(matrix, least, most, order, unit, lines, elements, measured, source)             \
    {MATRIX_##matrix,       least, most, ORDER_##order, ACCESS_##unit, lines, elements,            \
     GENERATION_##measured, source},
#include "banks.def"
};
const size_t isa_fragment_rule_count = sizeof isa_fragment_rules / sizeof isa_fragment_rules[0];

const struct isa_leeway isa_leeways[] = {
#define LEEWAY(roles, shapes, types, spaces, bytes, measured, source)                              \
    {roles, shapes, types, spaces, bytes, GENERATION_##measured, source},
#include "banks.def"
};
const size_t isa_leeway_count = sizeof isa_leeways / sizeof isa_leeways[0];

const struct isa_copies isa_copy_rules[] = {
#define COPIES(unit, counters, bytes, lanes, costing, batching, measured, source)                  \
    {UNIT_##unit,      WSIM_##counters,       bytes, lanes, COST_##costing,                        \
     BATCH_##batching, GENERATION_##measured, source},
#include "banks.def"
};
const size_t isa_copy_rule_count = sizeof isa_copy_rules / sizeof isa_copy_rules[0];

const struct isa_tags isa_tags = {
#define TAGS(mask0, mask1, known, source) {mask0, mask1}, known, source
#include "banks.def"
};
