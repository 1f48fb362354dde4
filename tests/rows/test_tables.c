/* test_tables.c - no row of a table is stale, doubled or without a source. Some legal operation
 * uses every accumulation policy, layout, pattern, feature, alias, bank rule and format. */
#include "../../sim/evidence/evidence.h"
#include "../every.h"

#include "../../sim/isa/isa.h"
#include "../../sim/isa/scalar.h"
#include "../../sim/num/num.h"
#include "../../sim/num/num.h"
#include "../../sim/tensor/tensor.h"

static int is_legal_anywhere(const struct wsim_op *op) {
    return every_first_arch(op) != NULL;
}

/* --- arithmetic --- */

/* tcgen05.mma has arithmetic and, so far, no forms. */
static int has_forms(unsigned products) {
    return products < PRODUCTS_TENSOR_HALF;
}

START_TEST(every_accum_row_is_used_and_alone) {
    const struct isa_accum *row = &isa_accums[_i];
    struct wsim_op op;
    uint32_t cursor = 0;
    size_t i, used = 0;
    for (i = 0; i < isa_accum_count; i++)
        expect(i == (size_t)_i || isa_accums[i].generation != row->generation ||
                   isa_accums[i].products != row->products,
               "rows %d and %d have the same keys", _i, (int)i);
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        for (i = 0; i < isa_arch_count; i++)
            if (isa_accum(&op, &isa_archs[i]) == row)
                used += wsim_op_check(&op, &isa_archs[i], NULL) == WSIM_OK;
    expect(used || !has_forms(row->products), "accum row %d is stale", _i);
}
END_TEST

START_TEST(every_legal_mma_has_one_accum_row) {
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    size_t i, k, rows;
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    for (i = 0; i < isa_arch_count && isa_form(&op)->family == WSIM_MMA; i++) {
        for (rows = k = 0; k < isa_accum_count; k++)
            rows += isa_accums[k].generation == isa_archs[i].generation &&
                    isa_accums[k].products == isa_form(&op)->products;
        expect(rows == 1 || wsim_op_check(&op, &isa_archs[i], NULL), "%s on %s: %d rows", text,
               isa_archs[i].name, (int)rows);
    }
}
END_TEST

static int in_steps(const struct isa_accum *row) {
    return row->method == METHOD_FUSED || row->method == METHOD_SPLIT ||
           row->method == METHOD_GROUPED;
}

START_TEST(accum_rows_are_sane) {
    const struct isa_accum *row = &isa_accums[_i];
    expect(row->source && strlen(row->source) > 7, "row %d has no source", _i);
    expect(in_steps(row) == (row->width > 0), "row %d: width %d", _i, row->width);
    expect(in_steps(row) == (row->keep > 0), "row %d: keep %d", _i, row->keep);
    expect(row->width <= 64 && !(row->width & (row->width - 1)), "row %d", _i);
    expect(!in_steps(row) || row->floor32 < -100, "row %d: floor %d", _i, row->floor32);
    expect((row->method == METHOD_SPLIT || row->method == METHOD_SCALAR) == (row->as != 0),
           "row %d: operands enter as %d", _i, row->as);
}
END_TEST

/* Each takes something from a row, somewhere, and says from what. */
START_TEST(every_end_of_evidence_is_met) {
    const struct isa_evidence_limit *row = &isa_evidence_limits[_i];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    size_t met = 0;
    while (wsim_op_next(&cursor, &op))
        for (size_t i = 0; i < isa_arch_count && !met; i++) {
            enum isa_evidence evidence;
            met = !wsim_op_check(&op, &isa_archs[i], NULL) &&
                  evidence_claimed(&op, &isa_archs[i], WSIM_RESULTS, &evidence) == row->because;
        }
    expect(met, "row %d is stale", _i);
}
END_TEST

/* Each caveat applies to some operation. */
START_TEST(every_caveat_is_told) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    size_t told = 0;
    while (wsim_op_next(&cursor, &op))
        for (size_t i = 0; i < isa_arch_count && !told; i++)
            told = wsim_op_caveat(&op, &isa_archs[i], WSIM_RESULTS) == isa_caveats[_i].text;
    expect(told || (isa_caveats[_i].products != ISA_ANY && !has_forms(isa_caveats[_i].products)),
           "caveat %d is stale", _i);
}
END_TEST

/* --- layouts --- */

static int same_bits(const struct isa_layout_row *a, const struct isa_layout_row *b) {
    return memcmp(a->lane, b->lane, sizeof a->lane) == 0 &&
           memcmp(a->elem, b->elem, sizeof a->elem) == 0;
}

START_TEST(every_layout_row_is_used_and_alone) {
    const struct isa_layout_row *row = &isa_layouts[_i];
    struct wsim_layout layout;
    struct wsim_op op;
    uint32_t cursor = 0;
    int i, operand, used = 0;
    for (i = 1; i < LAYOUT_COUNT; i++) {
        const struct isa_layout_row *other = &isa_layouts[i];
        if (i == _i || other->scheme != row->scheme || other->operand != row->operand)
            continue;
        expect(!same_bits(row, other), "%s is %s", row->name, other->name);
        expect(row->scheme == SCHEME_MOVE || row->key1 != other->key1 || row->key2 != other->key2,
               "%s and %s have the same keys", row->name, other->name);
    }
    memset(&op, 0, sizeof op);
    while (!used && wsim_op_next(&cursor, &op))
        for (operand = 0; operand < WSIM_OPERANDS; operand++)
            if (wsim_op_layout(&op, NULL, (enum wsim_operand)operand, &layout, NULL) == WSIM_OK)
                used |= strcmp(layout.name, row->name) == 0;
    expect(used, "layout row %s is stale", row->name);
}
END_TEST

/* --- patterns, features, names --- */

START_TEST(every_pattern_is_used_and_sane) {
    const struct isa_pattern *row = &isa_patterns[_i];
    int i, nibble, used = 0;
    for (i = 0; i < FORM_COUNT; i++)
        used |= isa_forms[i].pattern == _i && !isa_forms[i].undocumented;
    expect(used, "pattern %s is stale", row->name);
    expect(row->chunk == 2 * row->kept, "pattern %s", row->name);
    expect((row->ordered & ~row->valid) == 0, "pattern %s: ordered but not valid", row->name);
    for (nibble = 0; nibble < 16; nibble++) {
        int low = nibble & 3, high = nibble >> 2, one = row->kept == 1;
        int valid = one ? nibble == 0x4 || nibble == 0xE : low != high;
        int ordered = one ? valid : low < high;
        expect((row->valid >> nibble & 1) == valid, "%s: nibble %x", row->name, nibble);
        expect((row->ordered >> nibble & 1) == ordered, "%s: nibble %x", row->name, nibble);
    }
}
END_TEST

/* Whether an operand needs the feature: ^feature, up to a blank. */
static int needs_operand(const char *operands, const char *feature) {
    const char *at = strchr(operands, '^');
    size_t n = strlen(feature);
    return at && strncmp(at + 1, feature, n) == 0 && (at[n + 1] == 0 || at[n + 1] == ' ');
}

/* True if a row or type of an operation, a scalar row or a tensor map needs it. Matrix moves need
 * IDLE_ADDRESSES, wsim_tensor_replace needs REPLACE_MAP, copies need PACKED_LOAD. */
static int is_needed(int feature) {
    struct wsim_op op;
    uint32_t cursor = 0;
    int p, i;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        if (isa_form(&op)->feature == feature)
            return 1;
        for (p = PLACE_D; p <= PLACE_STYPE; p++)
            if (op.q[p] && isa_types[op.q[p]].needs == feature)
                return 1;
    }
    for (size_t row = 0; row < isa_scalar_row_count; row++)
        if (isa_scalar_rows[row].feature == feature ||
            needs_operand(isa_scalar_rows[row].operands, isa_feature_names[feature]))
            return 1;
    for (i = 0; i < WSIM_TENSOR_TYPES; i++)
        if (tensor_types[i].needs == feature)
            return 1;
    for (i = 0; i < WSIM_SWIZZLES; i++)
        if (tensor_swizzles[i].needs == feature)
            return 1;
    return feature == FEATURE_IDLE_ADDRESSES || feature == FEATURE_REPLACE_MAP ||
           feature == FEATURE_PACKED_LOAD;
}

START_TEST(every_feature_is_needed_and_tells_targets_apart) {
    int have = 0, k;
    size_t i;
    for (i = 0; i < isa_arch_count; i++)
        have += isa_archs[i].features >> _i & 1;
    expect(is_needed(_i), "feature %s is stale", isa_feature_names[_i]);
    expect(have > 0, "no target has %s", isa_feature_names[_i]);
    expect((have == (int)isa_arch_count) == (_i == FEATURE_TENSOR), "all have %s",
           isa_feature_names[_i]);
    for (k = 0; k < _i; k++)
        expect(strcmp(isa_feature_names[k], isa_feature_names[_i]) != 0, "two features %s",
               isa_feature_names[k]);
}
END_TEST

START_TEST(every_generation_has_targets_and_arithmetic) {
    size_t i, targets = 0, rows = 0;
    for (i = 0; i < isa_arch_count; i++)
        targets += isa_archs[i].generation == _i;
    for (i = 0; i < isa_accum_count; i++)
        rows += isa_accums[i].generation == _i;
    expect(targets && rows, "generation %d", _i);
}
END_TEST

START_TEST(every_alias_finds_its_target) {
    const struct isa_alias *alias = &isa_aliases[_i];
    size_t i;
    ck_assert_ptr_eq(wsim_arch_find(alias->name), &isa_archs[alias->arch]);
    for (i = 0; i < isa_alias_count; i++)
        expect(i == (size_t)_i || strcmp(isa_aliases[i].name, alias->name) != 0, "two aliases %s",
               alias->name);
    for (i = 0; i < isa_arch_count; i++)
        expect(strcmp(isa_archs[i].name, alias->name) != 0, "alias %s is a target", alias->name);
}
END_TEST

/* --- banks --- */

START_TEST(every_bank_rule_is_used_and_alone) {
    const struct isa_banks *rule = &isa_bank_rules[_i];
    struct wsim_op op;
    uint32_t cursor = 0;
    size_t i;
    int used = 0;
    for (i = 0; i < isa_bank_rule_count; i++) {
        const struct isa_banks *other = &isa_bank_rules[i];
        expect(i == (size_t)_i || other->unit != rule->unit ||
                   other->most_bytes < rule->least_bytes || rule->most_bytes < other->least_bytes,
               "rules %d and %d overlap", _i, (int)i);
    }
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        used |= isa_banks(&op) == rule && is_legal_anywhere(&op);
    expect(used, "bank rule %d is stale", _i);
    expect(rule->source && strlen(rule->source) > 7, "rule %d has no source", _i);
    expect(rule->lanes == 32 || rule->lanes == 16 || rule->lanes == 8, "rule %d", _i);
}
END_TEST

START_TEST(every_copy_rule_is_used_and_alone) {
    const struct isa_copies *rule = &isa_copy_rules[_i];
    struct wsim_op op;
    uint32_t cursor = 0;
    size_t i;
    int used = 0;
    for (i = 0; i < isa_copy_rule_count; i++)
        expect(i == (size_t)_i || isa_copy_rules[i].unit != rule->unit ||
                   isa_copy_rules[i].counters != rule->counters ||
                   isa_copy_rules[i].bytes != rule->bytes,
               "rules %d and %d have the same keys", _i, (int)i);
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        used |= isa_copies(&op, rule->counters, rule->bytes) == rule &&
                isa_form(&op)->sizes & rule->bytes && is_legal_anywhere(&op);
    expect(used, "copy rule %d is stale", _i);
    expect(rule->source && strlen(rule->source) > 7, "rule %d has no source", _i);
    expect(rule->lanes * rule->bytes == 128, "rule %d: %d lanes", _i, rule->lanes);
}
END_TEST

/* --- formats --- */

static int is_written(int format) {
    struct wsim_op op;
    uint32_t cursor = 0;
    int p;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        for (p = PLACE_D; p <= PLACE_STYPE; p++)
            if (op.q[p] == format)
                return 1;
    return 0;
}

START_TEST(every_format_is_used_and_alone) {
    const struct wsim_format *format = &isa_formats[_i];
    int k;
    if (_i != FORMAT_PAIR) /* metadata: never spelled, always there */
        expect(is_written(_i), "format %s is stale", format->name);
    for (k = 1; k < _i; k++)
        expect(strcmp(isa_formats[k].name, format->name) != 0, "two formats %s", format->name);
    ck_assert_ptr_eq(wsim_format_find(format->name), format);
}
END_TEST

static void sane_binary(const struct wsim_format *format) {
    struct wsim_value zero = wsim_format_decode(format, 0);
    struct wsim_value least = wsim_format_decode(format, 1), nan;
    ck_assert_int_eq(format->bits, format->is_signed + format->exp_bits + format->frac_bits);
    if (format->frac_bits) { /* without a fraction there is no subnormal, and no zero */
        ck_assert_int_eq(zero.cls, WSIM_ZERO);
        ck_assert_int_eq(least.cls, WSIM_FINITE);
        ck_assert_uint_eq(least.sig, 1);
        ck_assert_int_eq(least.exp, 1 - format->bias - format->frac_bits);
    }
    nan = wsim_format_decode(format, format->nan);
    ck_assert_int_eq(nan.cls == WSIM_NAN, format->specials != WSIM_SPECIALS_NONE);
    if (nan.cls == WSIM_NAN)
        ck_assert_uint_eq(wsim_format_encode(format, nan, WSIM_RN), format->nan);
}

static void sane_whole(const struct wsim_format *format) {
    struct wsim_value ones = wsim_format_decode(format, UINT64_MAX >> (64 - format->bits));
    ck_assert_int_eq(ones.cls, WSIM_FINITE);
    ck_assert_int_eq(ones.negative, format->is_signed);
    ck_assert_uint_eq(ones.sig, format->is_signed ? 1 : UINT64_MAX >> (64 - format->bits));
}

/* Every finite number decodes to a value that encodes to equal bits in every rounding. */
static void there_and_back(const struct wsim_format *format) {
    uint64_t seed = format->bits, mask = UINT64_MAX >> (64 - format->bits);
    int i;
    for (i = 0; i < 512; i++) {
        uint64_t bits = (format->bits <= 8 ? (uint64_t)i : every_random(&seed)) & mask;
        struct wsim_value value = wsim_format_decode(format, bits);
        if (value.cls == WSIM_FINITE || value.cls == WSIM_ZERO)
            expect(wsim_format_encode(format, value, (enum wsim_rounding)(i % 4)) == bits,
                   "%s: %llx", format->name, (unsigned long long)bits);
    }
}

START_TEST(formats_decode_as_their_columns_say) {
    const struct wsim_format *format = &isa_formats[_i];
    if (format->kind == WSIM_BINARY)
        sane_binary(format);
    else if (format->kind == WSIM_INT)
        sane_whole(format);
    if (format->kind != WSIM_BITS)
        there_and_back(format);
}
END_TEST

/* --- forms and words --- */

START_TEST(every_form_has_source_version_and_a_name_of_its_own) {
    const struct isa_form *form = &isa_forms[_i];
    int k;
    expect(form->source && strlen(form->source) > 5, "%s has no source", form->name);
    expect(form->ptx >= 10 && form->ptx <= 91, "%s: PTX %d", form->name, form->ptx);
    for (k = 0; k < _i; k++)
        expect(strcmp(isa_forms[k].name, form->name) != 0, "two rows %s", form->name);
    expect((form->pattern != PATTERN_NONE) == (form->placement != PLACEMENT_NONE), "%s",
           form->name);
    expect((form->family == WSIM_MMA || form->family == WSIM_WGMMA || form->family == WSIM_WMMA) ==
               (form->products != PRODUCTS_NONE),
           "%s", form->name);
}
END_TEST

/* No operation belongs to two rows: then a spelling would mean two things. */
START_TEST(no_two_forms_have_an_operation_in_common) {
    int k, p;
    for (k = 0; k < _i; k++) {
        int apart = isa_forms[k].family != isa_forms[_i].family;
        for (p = 0; p < PLACE_COUNT; p++) {
            uint64_t a = isa_forms[k].allow[p], b = isa_forms[_i].allow[p];
            apart |= !((a ? a : 1) & (b ? b : 1));
        }
        expect(apart, "%s and %s", isa_forms[k].name, isa_forms[_i].name);
    }
}
END_TEST

START_TEST(no_word_stands_twice_in_a_place) {
    size_t i, k;
    for (i = 0; i < isa_word_count; i++)
        for (k = i + 1; k < isa_word_count && isa_words[i].text && isa_words[k].text; k++)
            expect(strcmp(isa_words[i].text, isa_words[k].text) != 0 &&
                       isa_words[i].value != isa_words[k].value,
                   "twice: %s", isa_words[i].text);
}
END_TEST

/* A number of 0 is "none" in three of the tables; their loops skip it. */
int main(void) {
    const struct every_test tests[] = {
        {every_accum_row_is_used_and_alone, 0, (int)isa_accum_count},
        {every_legal_mma_has_one_accum_row, 0, every_op_count()},
        {accum_rows_are_sane, 0, (int)isa_accum_count},
        {every_end_of_evidence_is_met, 0, (int)isa_evidence_limit_count},
        {every_caveat_is_told, 0, (int)isa_caveat_count},
        {every_layout_row_is_used_and_alone, 1, LAYOUT_COUNT},
        {every_pattern_is_used_and_sane, 1, PATTERN_COUNT},
        {every_feature_is_needed_and_tells_targets_apart, 0, FEATURE_COUNT},
        {every_generation_has_targets_and_arithmetic, 0, GENERATION_COUNT},
        {every_alias_finds_its_target, 0, (int)isa_alias_count},
        {every_bank_rule_is_used_and_alone, 0, (int)isa_bank_rule_count},
        {every_copy_rule_is_used_and_alone, 0, (int)isa_copy_rule_count},
        {every_format_is_used_and_alone, 1, FORMAT_COUNT},
        {formats_decode_as_their_columns_say, 1, FORMAT_COUNT},
        {every_form_has_source_version_and_a_name_of_its_own, 0, FORM_COUNT},
        {no_two_forms_have_an_operation_in_common, 0, FORM_COUNT},
        {no_word_stands_twice_in_a_place, 0, 1}};
    return every_run("rows/tables", tests, COUNT(tests));
}
