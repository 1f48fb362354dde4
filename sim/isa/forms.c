/* The rows of the instruction tables as constant data: for each table the words that it is written
 * in, which end with it. */
#include "isa.h"
#include "sets.h"

/* --- words of several tables --- */
#define ANYWAY(q) (1 | BIT(q)) /* may be written, may be left out */
#define F16_F32 (T(F16) | T(F32))
#define FLOAT8 (T(E4M3) | T(E5M2))
#define INT8 (T(S8) | T(U8))
#define INT4 (T(S4) | T(U4))
#define ROW_COL .allow[PLACE_ALAYOUT] = BIT(AROW), .allow[PLACE_BLAYOUT] = BIT(BCOL)
#define ANY_PAIR                                                                                   \
    .allow[PLACE_ALAYOUT] = BIT(AROW) | BIT(ACOL), .allow[PLACE_BLAYOUT] = BIT(BROW) | BIT(BCOL)
#define DENSE .pattern = PATTERN_NONE
#define COMPRESSED(p, where) .pattern = PATTERN_##p, .placement = PLACEMENT_##where

/* the rest of a row */
#define PLAIN .scheme = SCHEME_FRAGMENT
#define ROUNDING PLAIN, .allow[PLACE_ROUND] = 1 | BIT(RN) | BIT(RZ) | BIT(RM) | BIT(RP)
#define SATURATION PLAIN, .allow[PLACE_SATURATE] = ANYWAY(SATFINITE)
#define POPCOUNT(op) PLAIN, .allow[PLACE_BITOP] = BIT(op), .allow[PLACE_POPC] = BIT(POPC)
#define UNDOCUMENTED .undocumented = 1

/* what rows of all three tables share, and what all instructions of a whole warp do */
#define ROW(fam, feat, version, src)                                                               \
    .family = WSIM_##fam, .feature = FEATURE_##feat, .ptx = version, .source = src
#define WARP_WIDE(shape)                                                                           \
    .allow[PLACE_SYNC] = BIT(SYNC), .allow[PLACE_ALIGNED] = BIT(ALIGNED),                          \
    .allow[PLACE_SHAPE] = BIT(shape)
#define NO_ATOMIC 0
#define MIN_MAX (BIT(MIN) | BIT(MAX))
#define AND_OR_XOR (BIT(ATOMIC_AND) | BIT(OR) | BIT(ATOMIC_XOR))
#define INC_DEC (BIT(INC) | BIT(DEC))
#define LOAD_ORDERS (BIT(RELAXED) | BIT(ACQUIRE))
#define STORE_ORDERS (BIT(RELAXED) | BIT(RELEASE))
#define ATOM_ORDERS (LOAD_ORDERS | STORE_ORDERS | BIT(ACQ_REL))
#define SCOPES (BIT(SCOPE_CTA) | BIT(SCOPE_CLUSTER) | BIT(SCOPE_GPU) | BIT(SCOPE_SYS))
#define BOTH_CACHES (BIT(CACHE_GLOBAL) | BIT(CACHE_STREAM))
#define LOAD_CACHES (1 | BOTH_CACHES | BIT(CACHE_ALL) | BIT(LAST_USE) | BIT(NO_CACHE))
#define STORE_CACHES (1 | BOTH_CACHES | BIT(WRITE_BACK) | BIT(WRITE_THROUGH))
#define TOGETHER .allow[PLACE_SYNC] = BIT(SYNC), .allow[PLACE_ALIGNED] = BIT(ALIGNED)
#define GROUPS (BIT(GROUP_1) | BIT(GROUP_2))
#define TENSOR(id, fam, dims, dst, src_space, modes, done, feat, version, src)                     \
    .name = #id, ROW(fam, feat, version, src), .scheme = SCHEME_BULK,                              \
    .allow[PLACE_DIMENSIONS] = dims, .allow[PLACE_TO] = dst, .allow[PLACE_FROM] = src_space,       \
    .allow[PLACE_MODE] = modes, .allow[PLACE_COMPLETION] = done,                                   \
    .allow[PLACE_HINT] = ANYWAY(CACHE_HINT)

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

const struct isa_form isa_forms[FORM_COUNT] = {

/* --- mma.def --- */
#define NARROW (FLOAT8 | T(E3M2) | T(E2M3) | T(E2M1))
#define SPARSE(p, where) COMPRESSED(p, where), .allow[PLACE_SPARSE] = BIT(SP) | BIT(SP_ORDERED)
#define ORDERED(p, where) COMPRESSED(p, where), .allow[PLACE_SPARSE] = BIT(SP_ORDERED)
#define QUAD_SCHEME .scheme = SCHEME_QUAD
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
#include "mma.def"
#undef NARROW
#undef SPARSE
#undef ORDERED
#undef QUAD_SCHEME
#undef KIND
#undef FOREIGN_KIND
#undef IN_BYTES
#undef BLOCKS
#undef SCALED
#undef MMA

/* --- move.def --- */
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
#include "move.def"
#undef MUST
#undef NEVER
#undef NO_NUMBER
#undef X1_X2
#undef X1_X2_X4
#undef X8_AND_MORE
#undef NO_TYPE
#undef PACKED
#undef SPACES
#undef NO_SPACE
#undef BANKED
#undef MOVE

/* --- access.def --- */
#define NO_VECTOR 0
#define WORDS (T(B8) | T(U8) | T(S8) | T(B16) | T(U16) | T(S16) | T(B32) | T(U32) | T(S32) | T(F32))
#define LOADABLE (WORDS | T(B64) | T(U64) | T(S64) | T(F64))
#define ADD_MIN_MAX (BIT(ADD) | MIN_MAX)
#define LOOPED_ADD (T(U64) | T(F32) | T(F64))
#define UNFLUSHED(one, two) T(one) | T(two), [PLACE_NOFTZ] = BIT(NOFTZ)

/* The MANNER rows give the orders, scopes and cache operators that combine. */
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
#include "access.def"
#undef NO_VECTOR
#undef WORDS
#undef LOADABLE
#undef ADD_MIN_MAX
#undef LOOPED_ADD
#undef UNFLUSHED
#undef NO_HINT
#undef HINTED

/* --- wmma.def --- */

/* wmma. The operand distinguishes families of loads and their layouts. */
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
#include "wmma.def"
#undef DEEP_16
#undef SMALL
#undef ONLY_ROW
#undef ONLY_COL
#undef ROW_OR_COL
#undef BOTH_OF
#undef ANY_SPACE
#undef REPEATED
#undef STEP
#undef FACTORS
#undef UNWRITTEN

/* --- wgmma.def --- */

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
#include "wgmma.def"
#undef UNALIGNED
#undef LAYOUTS
#undef EITHER_MAJOR
#undef SIGNS
#undef EIGHTS
#undef SIXTEENS
#undef WHOLES
#undef ONLY_SP

/* --- bulk.def --- */

/* Bulk copies. A tensor has as many coordinates as dimensions. */
#define ANY_D (BIT(1D) | BIT(2D) | PIXEL_D)
#define PIXEL_D (BIT(3D) | BIT(4D) | BIT(5D))
#define TILES ANYWAY(TILE)
#define PIXELS (BIT(IM2COL) | BIT(IM2COL_W) | BIT(IM2COL_W128))
#define ADDABLE (T(U32) | T(S32) | T(U64) | T(F32) | T(F64))
#define HALVES (T(F16) | T(BF16))
#define ORDERED_NUMBERS (T(U32) | T(S32) | T(U64) | T(S64) | HALVES)
#define MAYBE(q, can) ((can) ? ANYWAY(q) : 0)
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
#include "bulk.def"
#undef ANY_D
#undef PIXEL_D
#undef TILES
#undef PIXELS
#undef ADDABLE
#undef HALVES
#undef ORDERED_NUMBERS
#undef MAYBE
#undef ANY_REDUCTION
};

const uint8_t isa_manner_places[ISA_MANNER_PLACES] = {PLACE_MEMORY_ORDER, PLACE_SCOPE,
                                                      PLACE_CACHING};
const struct isa_manner isa_manners[] = {
#define MANNER(fam, orders, scopes, caches) {WSIM_##fam, {orders, scopes, caches}},
#include "access.def"
};
const size_t isa_manner_count = sizeof isa_manners / sizeof isa_manners[0];

const struct isa_unexecuted isa_unexecuted_rows[] = {
#define PLACE_ALONE PLACE_COUNT
#define ALONE 0
#define UNEXECUTED(place, values, also, others, what)                                              \
    {{PLACE_##place, PLACE_##also}, {values, others}, what},
#include "bulk.def"
};
const size_t isa_unexecuted_count = sizeof isa_unexecuted_rows / sizeof isa_unexecuted_rows[0];
