/* Spellings as the library reads them: what a refusal leaves, which words count as what, and what
 * PTX has beside the tables. */
#include "../../../sim/isa/isa.h"
#include "../../../sim/spell/near.h"
#include "../../../sim/spell/outside.h"
#include "../../../sim/isa/scalar.h"
#include "../../run.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static enum wsim_status parse(const char *text, struct wsim_op *op, struct wsim_diag *diag) {
    memset(op, 0xFF, sizeof *op);
    memset(diag, 0, sizeof *diag);
    return wsim_op_parse(text, op, diag);
}

static int is_nothing(const struct wsim_op *op) {
    static const struct wsim_op nothing;
    return memcmp(op, &nothing, sizeof nothing) == 0;
}

/* --- refusals --- */

static const struct {
    const char *text, *rule;
    enum wsim_status status;
    uint32_t col;
} refusals[] = {
    {"mmma.sync", "spelling.family.unknown", WSIM_SYNTAX, 1},
    {"wmma.load.d.sync", "spelling.family.unknown", WSIM_SYNTAX, 11},
    {"nothing.like.it", "spelling.family.unknown", WSIM_SYNTAX, 1},
    {"mma..sync", "spelling.qualifier.empty", WSIM_SYNTAX, 5},
    {"multimem.st.", "spelling.qualifier.unknown", WSIM_SYNTAX,
     13}, /* anything follows, but a word */
    {"mma.snyc", "spelling.qualifier.unknown", WSIM_SYNTAX, 5},
    {"add.f31", "spelling.qualifier.unknown", WSIM_SYNTAX, 5},
    {"mbarrier.b64", "spelling.form.none", WSIM_ILLEGAL, 0},
    {"mma.shared", "spelling.qualifier.foreign", WSIM_ILLEGAL, 5},
    {"ld.shared.nc.f32", "spelling.qualifier.foreign", WSIM_ILLEGAL, 11},
    {"ldmatrix.x1.x2", "spelling.qualifier.twice", WSIM_SYNTAX, 13},
    {"ld.weak.volatile.shared.f32", "spelling.qualifier.twice", WSIM_SYNTAX, 9},
    {"mma.popc", "spelling.order.other", WSIM_SYNTAX, 5},
    {"ld.shared.f32.f32", "spelling.type.excess", WSIM_SYNTAX, 15},
    {"mma.sync", "spelling.form.none", WSIM_ILLEGAL, 0},
    {"mbarrier.init.b64", "spelling.table.other", WSIM_UNMODELLED, 1},
    {"ld.global.f32", "spelling.table.other", WSIM_UNMODELLED, 1},
    {"red.async.release.gpu.global.add.u32", "spelling.table.other", WSIM_UNMODELLED, 1},
    {"multimem.red.relaxed.gpu.global.add.u32", "spelling.family.unmodelled", WSIM_UNMODELLED, 1},
};

START_TEST(a_refusal_names_its_rule_and_leaves_nothing) {
    struct wsim_diag diag;
    struct wsim_op op;
    ck_assert_int_eq(parse(refusals[_i].text, &op, &diag), refusals[_i].status);
    ck_assert_int_eq(diag.status, refusals[_i].status);
    ck_assert_str_eq(diag.rule, refusals[_i].rule);
    ck_assert_uint_eq(diag.col, refusals[_i].col);
    ck_assert(is_nothing(&op));
    memset(&op, 0xFF, sizeof op);
    ck_assert_int_eq(wsim_op_parse(refusals[_i].text, &op, NULL), refusals[_i].status);
    ck_assert(is_nothing(&op));
}
END_TEST

/* The result of a failed parse cannot be executed. */
START_TEST(what_is_left_is_no_operation) {
    struct wsim_diag diag;
    struct wsim_op op;
    parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23", &op, &diag);
    ck_assert_int_eq(wsim_op_check(&op, wsim_arch_find("sm_90a"), &diag), WSIM_ILLEGAL);
}
END_TEST

START_TEST(the_nearest_of_what_is_legal_is_itself) {
    static const char *const same[] = {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                       "ld.relaxed.cta.shared.f32", "ld.shared.ca.v4.f32",
                                       "wgmma.fence.sync.aligned"};
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op;
    for (size_t i = 0; i < COUNT(same); i++) {
        ck_assert_int_eq(wsim_op_nearest(same[i], &op), 1);
        wsim_op_spell(&op, spelling);
        ck_assert_str_eq(spelling, same[i]);
    }
    ck_assert_int_eq(wsim_op_nearest("ldmatrix.sync.aligned.m8n8.x8.shared.b16", &op), 1);
    ck_assert(wsim_op_describe(&op).documented); /* .x8 assembles, but no manual has it */
}
END_TEST

/* --- words of accesses --- */

/* Order, scope and cache words are legal together as the assembler has them, and change nothing:
 * neither counts nor their evidence. */
START_TEST(manners_are_synonyms) {
    static const char *const pairs[][2] = {
        {"ld.weak.shared.f32", "ld.shared.f32"},
        {"ld.volatile.shared.v4.f32", "ld.shared.v4.f32"},
        {"ld.acquire.sys.shared.b64", "ld.shared.b64"},
        {"ld.weak.shared.cv.u32", "ld.shared.u32"},
        {"st.release.gpu.shared::cta.u32", "st.shared.u32"},
        {"st.shared.wt.v2.f32", "st.shared.v2.f32"},
        {"atom.acq_rel.cta.shared.add.u32", "atom.shared.add.u32"},
        {"atom.acquire.shared.cas.b32", "atom.shared.cas.b32"},
        {"red.release.shared.or.b32", "red.shared.or.b32"},
    };
    const struct wsim_arch *arch = wsim_arch_find("h100");
    uint32_t addr[WSIM_LANES];
    for (unsigned i = 0; i < WSIM_LANES; i++)
        addr[i] = i * 48;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct wsim_banks counts[2];
        struct wsim_diag diag;
        struct wsim_op op[2];
        const char *source[2], *evidence[2];
        for (int k = 0; k < 2; k++) {
            ck_assert_msg(!parse(pairs[i][k], &op[k], &diag), "%s", diag.text);
            ck_assert_int_eq(wsim_op_check(&op[k], arch, &diag), WSIM_OK);
            memset(&counts[k], 0, sizeof counts[k]);
            ck_assert_int_eq(wsim_banks_count(&op[k], arch, addr, ~0u, &counts[k], &diag), WSIM_OK);
            evidence[k] = wsim_op_evidence(&op[k], arch, WSIM_COUNTS, &source[k]);
        }
        ck_assert_uint_eq(counts[0].wavefronts, counts[1].wavefronts);
        ck_assert_uint_gt(counts[0].wavefronts, 1);
        ck_assert_str_eq(evidence[0], "hardware");
        ck_assert_str_eq(evidence[1], "hardware");
        ck_assert_str_eq(source[0], source[1]);
    }
}
END_TEST

START_TEST(a_scope_of_clusters_needs_clusters) {
    struct wsim_diag diag;
    struct wsim_op op;
    ck_assert_int_eq(parse("atom.cluster.shared.add.u32", &op, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_op_check(&op, wsim_arch_find("sm_90"), &diag), WSIM_OK);
    ck_assert_int_eq(wsim_op_check(&op, wsim_arch_find("sm_89"), &diag), WSIM_ILLEGAL);
    ck_assert_str_eq(diag.text, "cluster needs feature 'hopper', which sm_89 lacks; sm_90 has it");
    ck_assert_uint_eq(wsim_op_describe(&op).ptx, 78);
}
END_TEST

/* An operation put together by hand has to go together as well. */
START_TEST(words_that_do_not_go_together_are_no_operation) {
    struct wsim_diag diag;
    struct wsim_op op;
    ck_assert_int_eq(parse("ld.volatile.shared.f32", &op, &diag), WSIM_OK);
    op.q[PLACE_SCOPE] = Q_SCOPE_CTA;
    ck_assert_int_eq(wsim_op_check(&op, wsim_arch_find("h100"), &diag), WSIM_ILLEGAL);
}
END_TEST

/* --- what PTX has beside --- */

START_TEST(names_are_sorted_and_found) {
    for (size_t i = 0; i < isa_outside_count; i++) {
        char text[64];
        ck_assert_msg(i == 0 || strcmp(isa_outsides[i - 1].name, isa_outsides[i].name) < 0,
                      "%s follows %s", isa_outsides[i].name, isa_outsides[i - 1].name);
        ck_assert_ptr_eq(isa_outside_find(isa_outsides[i].name), &isa_outsides[i]);
        snprintf(text, sizeof text, "%s.x", isa_outsides[i].name);
        ck_assert_ptr_eq(isa_outside_find(text), &isa_outsides[i]);
        snprintf(text, sizeof text, "%sx", isa_outsides[i].name);
        ck_assert_ptr_ne(isa_outside_find(text), &isa_outsides[i]);
    }
    ck_assert_ptr_null(isa_outside_find(""));
    ck_assert_ptr_null(isa_outside_find("zzz"));
}
END_TEST

/* Instructions with rows, of a family or in scalar.def, have no line. */
START_TEST(no_instruction_is_told_twice) {
    for (size_t i = 0; i < isa_outside_count; i++) {
        const char *name = isa_outsides[i].name;
        for (unsigned f = 0; f < WSIM_FAMILIES; f++)
            ck_assert_str_ne(name, isa_families[f].name);
        ck_assert_msg(scalar_fixed_longest(name) == 0, "ptx.def: %s has rows", name);
    }
}
END_TEST

/* Each list is words with a blank after each, none twice. */
static void check_list(const char *name, const char *list) {
    size_t n = strlen(list);
    if (!n || strcmp(list, "*") == 0)
        return;
    ck_assert_msg(list[n - 1] == ' ' && *list != ' ' && !strstr(list, "  "), "%s: '%s'", name,
                  list);
}

START_TEST(each_is_told_to_be_unmodelled) {
    for (size_t i = 0; i < isa_outside_count; i++) {
        const struct isa_outside *row = &isa_outsides[i];
        const char *word = row->needed;
        check_list(row->name, row->needed);
        check_list(row->name, row->words);
        do { /* with every word that it needs, one at a time */
            char text[128];
            struct wsim_diag diag;
            struct wsim_op op;
            size_t n = strcspn(word, " ");
            snprintf(text, sizeof text, "%s%s%.*s", row->name, n ? "." : "", (int)n, word);
            ck_assert_msg(parse(text, &op, &diag) == WSIM_UNMODELLED, "%s: %s", text, diag.text);
            ck_assert(is_nothing(&op));
            ck_assert_int_eq(wsim_op_nearest(text, &op), 0);
            word += n + (word[n] == ' ');
        } while (*word);
    }
}
END_TEST

START_TEST(without_what_it_needs_it_is_illegal) {
    for (size_t i = 0; i < isa_outside_count; i++) {
        struct wsim_diag diag;
        struct wsim_op op;
        if (*isa_outsides[i].needed)
            ck_assert_int_ne(parse(isa_outsides[i].name, &op, &diag), WSIM_UNMODELLED);
    }
}
END_TEST

/* --- near words --- */

START_TEST(edits_are_counted_and_bounded) {
    static const struct {
        const char *a, *b;
        unsigned edits;
    } words[] = {
        {"f32", "f32", 0},
        {"F32", "f32", 0},
        {"f23", "f32", 1},
        {"f3", "f32", 1},
        {"f332", "f32", 1},
        {"f16", "f32", NEAR_NEVER},
        {"sync", "snyc", 1},
        {"swizzle", "swizle", 1},
        {"aligned", "aligened", 1},
        {"row", "col", NEAR_NEVER},
        {"", "x", 1},
        {"m16n8k16", "m16n8k32", 2},
        {"ab", "ba", 1},
        {"bar", "mma", NEAR_NEVER},
        {"shfl", "shf", 1},
    };
    for (size_t i = 0; i < COUNT(words); i++) {
        const char *a = words[i].a, *b = words[i].b;
        ck_assert_uint_eq(near_edits(a, strlen(a), b, strlen(b), NEAR_MAX), words[i].edits);
        ck_assert_uint_eq(near_edits(b, strlen(b), a, strlen(a), NEAR_MAX), words[i].edits);
    }
    ck_assert_uint_eq(near_edits("m16n8k16", 8, "m16n8k32", 8, 1), NEAR_NEVER);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("parse");
    tcase_add_loop_test(tcase, a_refusal_names_its_rule_and_leaves_nothing, 0,
                        (int)COUNT(refusals));
    tcase_add_test(tcase, what_is_left_is_no_operation);
    tcase_add_test(tcase, the_nearest_of_what_is_legal_is_itself);
    tcase_add_test(tcase, manners_are_synonyms);
    tcase_add_test(tcase, a_scope_of_clusters_needs_clusters);
    tcase_add_test(tcase, words_that_do_not_go_together_are_no_operation);
    tcase_add_test(tcase, names_are_sorted_and_found);
    tcase_add_test(tcase, no_instruction_is_told_twice);
    tcase_add_test(tcase, each_is_told_to_be_unmodelled);
    tcase_add_test(tcase, without_what_it_needs_it_is_illegal);
    tcase_add_test(tcase, edits_are_counted_and_bounded);
    return run_case("parse", tcase);
}
