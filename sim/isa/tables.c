/* The *.def tables as constant data. Nothing is computed here; each macro below says how one kind
 * of row becomes one initializer. */
#include "isa.h"
#include "umma.h"

#include "../num/num.h"
#include "sets.h"

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
#define SINCE_FP8 (SINCE_AMPERE | HAS(XORSIGN) | HAS(FP8))
#define SINCE_HOPPER (SINCE_FP8 | HAS(HOPPER))
#define SINCE_BLACKWELL (SINCE_HOPPER | HAS(BLACKWELL))
#define OWN (HAS(REPLACE_MAP) | HAS(REPLACE_ATOM) | HAS(CANCEL_ALL)) /* of all a and f targets */

enum arch_index {
#define ARCH(id, generation, shared, warps, blocks, fragments, product, features) ARCH_##id,
#include "arch.def"
    ARCH_COUNT
};

enum { /* the targets of products */
#define PRODUCT(id, target, ...) TARGET_OF_##id = ARCH_##target,
#include "product.def"
};

/* The columns of a target, which its products have too. */
enum {
#define ARCH(id, generation, shared, warps, blocks, fragments, product, features)                  \
    id##_GENERATION = GENERATION_##generation, id##_FRAGMENTS = SCHEME_##fragments,                \
    id##_WARPS = (warps), id##_BLOCKS = (blocks), id##_SHARED = (shared)*1024,                     \
    id##_FEATURES = (int)(features),
#include "arch.def"
};

#define ROW(id, product)                                                                           \
    {                                                                                              \
#id, id##_GENERATION, id##_FRAGMENTS, id##_WARPS, id##_BLOCKS, product, id##_SHARED,       \
            id##_FEATURES                                                                          \
    }

const struct wsim_arch isa_archs[ARCH_COUNT + PRODUCT_COUNT] = {
#define ARCH(id, generation, shared, warps, blocks, fragments, product, features)                  \
    ROW(id, PRODUCT_##product),
#include "arch.def"
#define PRODUCT(id, target, ...) ROW(target, PRODUCT_##id),
#include "product.def"
};
const size_t isa_arch_count = ARCH_COUNT;

const struct isa_alias isa_aliases[] = {
#define ALIAS(name, arch) {name, ARCH_##arch, ARCH_##arch},
#include "arch.def"
#define PRODUCT(id, target, ...) {#id, ARCH_##target, ARCH_COUNT + PRODUCT_##id},
#define SAME(name, id) {name, TARGET_OF_##id, ARCH_COUNT + PRODUCT_##id},
#include "product.def"
};
const size_t isa_alias_count = sizeof isa_aliases / sizeof isa_aliases[0];

const struct isa_product isa_products[PRODUCT_COUNT + 1] = {
#define PRODUCT(id, target, name, sms, memory, cache, clock, memory_clock, bus, sources)           \
    {#id, name, sources, {sms, memory, cache, clock, memory_clock, bus}},
#include "product.def"
    {"", "NVIDIA GPU", "", {0, 0, 0, 0, 0, 0}} /* PRODUCT_NONE */
};

/* --- formats --- */

const struct wsim_format isa_formats[FORMAT_COUNT] = {
#define BINARY(id, name, bits, pad, sign, exp, frac, bias, specials, nan, needs, ptx)              \
    [FORMAT_##id] = {name, WSIM_BINARY,  bits, pad, sign, exp, frac, WSIM_SPECIALS_##specials,     \
                     bias, UINT64_C(nan)},
#define WHOLE(id, name, bits, sign, needs, ptx)                                                    \
    [FORMAT_##id] = {name, WSIM_INT, bits, 0, sign, 0, 0, 0, 0, 0},
#define RAW(id, name, bits, needs, ptx)                                                            \
    [FORMAT_##id] = {name, WSIM_BITS, bits, 0, 0, 0, 0, 0, 0, 0},
#include "format.def"
};

const struct isa_type isa_types[FORMAT_COUNT] = {
#define BINARY(id, name, bits, pad, sign, exp, frac, bias, specials, nan, needs, ptx)              \
    [FORMAT_##id] = {FEATURE_##needs, ptx},
#define WHOLE(id, name, bits, sign, needs, ptx) [FORMAT_##id] = {FEATURE_##needs, ptx},
#define RAW(id, name, bits, needs, ptx) [FORMAT_##id] = {FEATURE_##needs, ptx},
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

#define SAME 0
const struct isa_square isa_squares[] = {
#define SQUARE(operand, shape, bit0, bit1, source)                                                 \
    {OPERAND_##operand, Q_##shape, {bit0, bit1}, source},
#include "layout.def"
};
const size_t isa_square_count = sizeof isa_squares / sizeof isa_squares[0];
#undef SAME

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
const struct isa_family isa_families[WSIM_FAMILIES] = {
#define FAMILY(id, name, door, operands) [WSIM_##id] = {name, DOOR_##door, operands},
#include "family.def"
};

const struct isa_door isa_doors[DOOR_COUNT] = {
#define DOOR(id, does, threads, counted, typed, view, needs, takes, written, prepare, run,         \
             explain, refuse)                                                                      \
    [DOOR_##id] = {does, threads, WSIM_COUNT_##counted, TYPED_##typed, WSIM_VIEW_##view, {written}},
#include "door.def"
};

const uint8_t isa_umma_door = DOOR_UMMA;

/* --- swizzles --- */

const struct isa_swizzle isa_swizzles[WSIM_SWIZZLES] = {
#define SWIZZLE(id, name, span, shift0, mask0, shift1, mask1, code, tcgen)                         \
    [WSIM_SWIZZLE_##id] = {name, span, {shift0, shift1}, {mask0, mask1}, code, tcgen},
#include "swizzle.def"
#undef SWIZZLE
};

/* --- arithmetic, banks, recordings --- */

#define FORMAT_OF(id) FORMAT_##id
const struct isa_accum isa_accums[] = {
#define ACCUM(gen, prod, method, as, width, keep, f32, floor32, floor16, types, shapes, evidence,  \
              source)                                                                              \
    {GENERATION_##gen, PRODUCTS_##prod, METHOD_##method,     FORMAT_OF(as), width,  keep,  f32,    \
     floor32,          floor16,         EVIDENCE_##evidence, types,         shapes, source},
#include "accum.def"
};
const size_t isa_accum_count = sizeof isa_accums / sizeof isa_accums[0];

const struct isa_runs isa_run_rows[] = {
#define RUNS(result, products, begins, source) {FORMAT_##result, products, RUN_##begins, source},
#include "accum.def"
};
const size_t isa_run_row_count = sizeof isa_run_rows / sizeof isa_run_rows[0];

const struct isa_evidence_limit isa_evidence_limits[] = {
#define GENERATION_ANY ISA_ANY
#define WSIM_ANY ISA_ANY
#define PRODUCTS_ANY ISA_ANY
#define NOTHING NULL
#define EVIDENCE_LIMIT(evidence, generation, family, products, place, values, because)             \
    {EVIDENCE_##evidence,                                                                          \
     GENERATION_##generation,                                                                      \
     WSIM_##family,                                                                                \
     PRODUCTS_##products,                                                                          \
     PLACE_##place,                                                                                \
     values,                                                                                       \
     because},
#include "accum.def"
};
const size_t isa_evidence_limit_count = sizeof isa_evidence_limits / sizeof isa_evidence_limits[0];

const struct isa_unmodelled isa_unmodelled_rows[] = {
#define UNMODELLED(generation, family, products, place, values, because)                           \
    {GENERATION_##generation, WSIM_##family, PRODUCTS_##products, PLACE_##place, values, because},
#include "accum.def"
};
const size_t isa_unmodelled_count = sizeof isa_unmodelled_rows / sizeof isa_unmodelled_rows[0];

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

const struct isa_copies isa_copy_rules[] = {
#define COPIES(unit, counters, bytes, lanes, costing, batching, measured, source)                  \
    {UNIT_##unit,      WSIM_##counters,       bytes, lanes, COST_##costing,                        \
     BATCH_##batching, GENERATION_##measured, source},
#include "banks.def"
};
const size_t isa_copy_rule_count = sizeof isa_copy_rules / sizeof isa_copy_rules[0];

const uint8_t isa_exchange[] = {
#define EXCHANGE(bit0, bit1, bit2, bit3, bit4, source) bit0, bit1, bit2, bit3, bit4,
#include "banks.def"
};

const struct isa_tags isa_tags = {
#define TAGS(mask0, mask1, known, source) {mask0, mask1}, known, source
#include "banks.def"
};
