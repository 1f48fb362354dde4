/* test_legality.c - every operation is legal somewhere and refused somewhere, except those of every
 * architecture. Newer and more specific targets have all operations of older ones of their line.
 * Undocumented operations are never enumerated and always refused. Legal operations are modelled.
 */
#include "../every.h"

#include "../../sim/isa/isa.h"

/* Rows that every architecture has: there is nothing to refuse. */
static const char *const everywhere[] = {"m8n8k4_f16",
                                         "m8n8k4_f16_f32",
                                         "ld_scalar",
                                         "ld_b128",
                                         "ld_v2",
                                         "ld_v4",
                                         "st_scalar",
                                         "st_b128",
                                         "st_v2",
                                         "st_v4",
                                         "atom_arithmetic",
                                         "atom_logic",
                                         "atom_count",
                                         "atom_exch",
                                         "atom_cas",
                                         "atom_loop_add",
                                         "atom_loop_wide",
                                         "atom_loop_cas",
                                         "atom_loop_half",
                                         "red_loop_half",
                                         "atom_loop_logic",
                                         "red_arithmetic",
                                         "red_logic",
                                         "red_count",
                                         "red_loop_add",
                                         "red_loop_wide",
                                         "red_loop_logic",
                                         "wmma_load_a_f16",
                                         "wmma_load_b_f16",
                                         "wmma_load_c_float",
                                         "wmma_store_float",
                                         "wmma_f16"};

/* From old to new, from general to specific: who stands right has all that stands left. */
static const char *const chains[][8] = {
    {"sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89"},
    {"sm_89", "sm_90", "sm_90a"},
    {"sm_90", "sm_100", "sm_100f", "sm_100a"},
    {"sm_90", "sm_103", "sm_103f", "sm_103a"},
    {"sm_90", "sm_107", "sm_107f", "sm_107a"},
    {"sm_90", "sm_110", "sm_110f", "sm_110a"},
    {"sm_90", "sm_120", "sm_120f", "sm_120a"},
    {"sm_90", "sm_121", "sm_121f", "sm_121a"},
    {"sm_100f", "sm_103f", "sm_107f"},
    {"sm_120f", "sm_121f"},
    {"sm_120a", "sm_121a"},
};

static int is_everywhere(const char *row) {
    int i;
    for (i = 0; i < COUNT(everywhere); i++)
        if (strcmp(row, everywhere[i]) == 0)
            return 1;
    return 0;
}

START_TEST(legal_somewhere_refused_somewhere) {
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    int i, legal = 0, n = every_arch_count();
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    for (i = 0; i < n; i++)
        legal += wsim_op_check(&op, wsim_arch_at((size_t)i), NULL) == WSIM_OK;
    expect(legal > 0, "%s: no architecture has it", text);
    expect((legal == n) == is_everywhere(wsim_op_describe(&op).row), "%s: %d of %d have it", text,
           legal, n);
}
END_TEST

START_TEST(no_exemption_is_stale) {
    struct wsim_op op;
    int i, seen[COUNT(everywhere)] = {0}, k;
    for (i = 0; every_op(i, &op); i++)
        for (k = 0; k < COUNT(everywhere); k++)
            seen[k] |= strcmp(wsim_op_describe(&op).row, everywhere[k]) == 0;
    for (k = 0; k < COUNT(everywhere); k++)
        expect(seen[k], "no row %s", everywhere[k]);
}
END_TEST

/* The refusal names the feature that is missing, the target that lacks it, and one to go to. */
START_TEST(a_refusal_names_a_target_that_has_it) {
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX], name[16];
    struct wsim_diag diag;
    const struct wsim_arch *arch;
    const char *at;
    size_t i;
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    for (i = 0; (arch = wsim_arch_at(i)) != NULL; i++) {
        if (wsim_op_check(&op, arch, &diag) == WSIM_OK)
            continue;
        ck_assert_int_eq(diag.status, WSIM_ILLEGAL);
        expect(strstr(diag.text, wsim_arch_name(arch)) != NULL, "%s: %s", text, diag.text);
        at = strstr(diag.text, "; sm_");
        expect(at && sscanf(at, "; %15[a-z_0-9]", name) == 1, "%s: %s", text, diag.text);
        expect(every_legal(&op, name), "%s on %s: %s", text, wsim_arch_name(arch), diag.text);
    }
}
END_TEST

START_TEST(the_newer_target_has_all_of_the_older) {
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    int c, i;
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    for (c = 0; c < COUNT(chains); c++)
        for (i = 1; i < COUNT(chains[c]) && chains[c][i]; i++)
            expect(!every_legal(&op, chains[c][i - 1]) || every_legal(&op, chains[c][i]),
                   "%s: on %s, but not on %s", text, chains[c][i - 1], chains[c][i]);
}
END_TEST

START_TEST(every_target_is_in_a_chain) {
    int i, c, k, seen;
    for (i = 0; i < every_arch_count(); i++) {
        for (seen = c = 0; c < COUNT(chains); c++)
            for (k = 0; k < COUNT(chains[c]) && chains[c][k]; k++)
                seen |= strcmp(chains[c][k], wsim_arch_name(wsim_arch_at((size_t)i))) == 0;
        expect(seen, "%s", wsim_arch_name(wsim_arch_at((size_t)i)));
    }
}
END_TEST

/* --- what only the assembler takes --- */

static void any_of_form(int form, uint64_t *seed, struct wsim_op *op) {
    int p;
    memset(op, 0, sizeof *op);
    op->form = (uint16_t)form;
    for (p = 0; p < PLACE_COUNT; p++)
        do
            op->q[p] = (uint8_t)(every_random(seed) % 64);
        while (!isa_form_allows(&isa_forms[form], p, op->q[p]));
}

START_TEST(undocumented_rows_parse_and_are_refused) {
    struct wsim_op op, again;
    struct wsim_layout layout;
    struct wsim_diag diag;
    char text[WSIM_SPELLING_MAX];
    uint64_t seed = (uint64_t)_i;
    int i;
    if (!isa_forms[_i].undocumented)
        return;
    any_of_form(_i, &seed, &op);
    wsim_op_spell(&op, text);
    expect(wsim_op_parse(text, &again, &diag) == WSIM_OK, "%s", text);
    expect(memcmp(&op, &again, sizeof op) == 0, "%s is also a documented row", text);
    ck_assert(!wsim_op_describe(&op).documented);
    for (i = 0; i < every_arch_count(); i++) {
        ck_assert_int_eq(wsim_op_check(&op, wsim_arch_at((size_t)i), &diag), WSIM_ILLEGAL);
        expect(strstr(diag.text, "undocumented") != NULL, "%s", diag.text);
    }
    for (i = 0; i < WSIM_OPERANDS; i++)
        ck_assert_int_eq(wsim_op_layout(&op, NULL, (enum wsim_operand)i, &layout, &diag),
                         WSIM_ILLEGAL);
}
END_TEST

START_TEST(only_documented_rows_are_enumerated_and_all_of_them) {
    struct wsim_op op;
    int i, seen[FORM_COUNT] = {0};
    for (i = 0; every_op(i, &op); i++) {
        ck_assert(wsim_op_describe(&op).documented);
        seen[op.form] = 1;
    }
    for (i = 0; i < FORM_COUNT; i++)
        expect(seen[i] != isa_forms[i].undocumented, "%s", isa_forms[i].name);
}
END_TEST

static int is_wmma(const struct wsim_op_info *info) {
    return (info->does & WSIM_DOES_WMMA) != 0;
}

/* Volta has only published fragments: f16 of one shape of sm_70, with f32 products. */
static int is_of_v100(const struct wsim_op *op, const struct wsim_arch *arch) {
    char text[WSIM_SPELLING_MAX];
    wsim_op_spell(op, text);
    return strcmp(wsim_arch_name(arch), "sm_70") == 0 && strstr(text, ".m16n16k16.") &&
           (strncmp(text, "wmma.mma.", 9) != 0 || strstr(text, ".f32.f32"));
}

/* With no operands at all, what wsim_exec has a model of asks for one. */
static enum wsim_status asked(const struct wsim_op *op, const struct wsim_op_info *info,
                              const struct wsim_arch *arch) {
    if (is_wmma(info) && !(arch->features >> FEATURE_TURING & 1))
        return is_of_v100(op, arch) ? WSIM_OPERAND : WSIM_UNMODELLED;
    if (is_wmma(info))
        return WSIM_OPERAND;
    return info->operands && info->does && info->threads == WSIM_LANES ? WSIM_OPERAND
                                                                       : WSIM_UNMODELLED;
}

START_TEST(what_is_legal_is_modelled) {
    struct wsim_op op;
    const struct wsim_operands none = {0};
    const struct wsim_wgmma nothing = {0};
    const struct wsim_arch *arch;
    struct wsim_op_info info;
    size_t i;
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    for (i = 0; (arch = wsim_arch_at(i)) != NULL; i++)
        if (wsim_op_check(&op, arch, NULL) == WSIM_OK)
            expect(wsim_exec(&op, arch, &none, NULL) == asked(&op, &info, arch) &&
                       wsim_wgmma_run(&op, arch, &nothing, NULL) ==
                           (info.family == WSIM_WGMMA ? WSIM_OPERAND : WSIM_ILLEGAL),
                   "%s on %s", info.row, wsim_arch_name(arch));
}
END_TEST

START_TEST(an_operation_says_where_it_comes_from) {
    struct wsim_op op;
    struct wsim_op_info info;
    int memory, bytes;
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    memory = info.counting == WSIM_COUNT_ACCESS || info.counting == WSIM_COUNT_COPY;
    bytes = info.counting == WSIM_COUNT_ACCESS || info.counting == WSIM_COUNT_ROWS;
    ck_assert_int_ge((int)strlen(info.source), 8);
    ck_assert_int_ge(info.ptx, memory ? 10 : is_wmma(&info) ? 63 : 64);
    ck_assert_int_le(info.ptx, 91);
    ck_assert(info.sparse == (info.selectors > 0));
    ck_assert((info.bytes != 0) == bytes);
    ck_assert_int_gt((int)strlen(info.feature), 0);
}
END_TEST

int main(void) {
    int ops = every_op_count();
    const struct every_test tests[] = {{legal_somewhere_refused_somewhere, 0, ops},
                                       {no_exemption_is_stale, 0, 1},
                                       {a_refusal_names_a_target_that_has_it, 0, ops},
                                       {the_newer_target_has_all_of_the_older, 0, ops},
                                       {every_target_is_in_a_chain, 0, 1},
                                       {undocumented_rows_parse_and_are_refused, 0, FORM_COUNT},
                                       {only_documented_rows_are_enumerated_and_all_of_them, 0, 1},
                                       {what_is_legal_is_modelled, 0, ops},
                                       {an_operation_says_where_it_comes_from, 0, ops}};
    return every_run("rows/legality", tests, COUNT(tests));
}
