/* test_info.c - properties of operations in the tables: family, shape, first PTX version, feature,
 * selectors, bytes; the first target; and synonymous spellings. */
#include "../../../sim/isa/scalar.h"
#include "../../every.h"

static const struct {
    const char *spelling, *family;
    int ptx;
    const char *first; /* architecture in the order of the table */
    int m, n, k, selectors, matrices, bytes;
} infos[] = {
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", "mma", 64, "sm_70", 8, 8, 4, 0, 0, 0},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "mma", 65, "sm_75", 16, 8, 8, 0, 0, 0},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "mma", 70, "sm_80", 16, 8, 16, 0, 0, 0},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.rz", "mma", 70, "sm_80", 8, 8, 4, 0, 0, 0},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "mma", 78, "sm_90", 16, 8, 16, 0, 0, 0},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "mma", 84, "sm_89", 16, 8, 32, 0, 0, 0},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16", "mma", 87, "sm_89", 16, 8, 32, 0, 0, 0},
    {"mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32", "mma", 87, "sm_89", 16, 8, 16, 0, 0, 0},
    {"mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32", "mma", 65, "sm_75", 8, 8, 16, 0, 0,
     0},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "mma", 70, "sm_75", 8, 8, 128, 0,
     0, 0},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc", "mma", 71, "sm_80", 8, 8, 128, 0,
     0, 0},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32", "mma", 86, "sm_100a", 16,
     8, 32, 0, 0, 0},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32", "mma", 87, "sm_120a", 16,
     8, 32, 0, 0, 0},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", "mma", 87,
     "sm_120a", 16, 8, 64, 0, 0, 0},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "mma.sp", 71, "sm_80", 16, 8, 16, 4, 0,
     0},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16",
     "mma.sp::ordered_metadata", 85, "sm_80", 16, 8, 32, 2, 0, 0},
    {"mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", "mma.sp", 84, "sm_89", 16, 8, 64, 1,
     0, 0},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "ldmatrix", 65, "sm_75", 8, 8, 0, 0, 4, 16},
    {"ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16", "ldmatrix", 78, "sm_75", 8, 8, 0, 0, 4, 16},
    {"ldmatrix.sync.aligned.m16n16.x2.trans.b8", "ldmatrix", 86, "sm_100a", 16, 16, 0, 0, 2, 16},
    {"stmatrix.sync.aligned.m8n8.x1.b16", "stmatrix", 78, "sm_90", 8, 8, 0, 0, 1, 16},
    {"stmatrix.sync.aligned.m16n8.x2.trans.b8", "stmatrix", 86, "sm_100a", 16, 8, 0, 0, 2, 16},
    {"movmatrix.sync.aligned.m8n8.trans.b16", "movmatrix", 78, "sm_75", 8, 8, 0, 0, 1, 0},
    {"ld.shared.v4.f32", "ld", 10, "sm_70", 0, 0, 0, 0, 0, 16},
    {"st.shared.v2.u16", "st", 10, "sm_70", 0, 0, 0, 0, 0, 4},
};

START_TEST(an_operation_is_described) {
    struct wsim_op op = every_parse(infos[_i].spelling);
    struct wsim_op_info info = wsim_op_describe(&op);
    ck_assert_str_eq(info.family_name, infos[_i].family);
    ck_assert_int_eq(info.ptx, infos[_i].ptx);
    ck_assert_str_eq(wsim_arch_name(every_first_arch(&op)), infos[_i].first);
    ck_assert_int_eq(info.m, infos[_i].m);
    ck_assert_int_eq(info.n, infos[_i].n);
    ck_assert_int_eq(info.k, infos[_i].k);
    ck_assert_int_eq(info.selectors, infos[_i].selectors);
    ck_assert_int_eq(info.matrices, infos[_i].matrices);
    ck_assert_int_eq(info.bytes, infos[_i].bytes);
    ck_assert_int_eq(info.sparse, infos[_i].selectors > 0);
}
END_TEST

/* Spellings that the assembler takes besides the canonical one: order, repetition, synonyms. */
static const struct {
    const char *written, *canonical;
} loose[] = {
    {"mma.f32.f16.f16.f32.m16n8k16.row.col.aligned.sync",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32.satfinite",
     "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32"},
    {"mma.sync.aligned.m8n8k128.xor.popc.row.col.s32.b1.b1.s32",
     "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc"},
    {"mma.sync.aligned.m16n8k16.row.sp.col.f32.f16.f16.f32",
     "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m8n8k4.rn.row.col.f64.f64.f64.f64",
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.rn"},
    {"ldmatrix.b16.x2.trans.m8n8.shared::cta.aligned.sync",
     "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16"},
    {"ld.f32.v2.shared", "ld.shared.v2.f32"},
};

START_TEST(loose_spellings_are_made_canonical) {
    struct wsim_op op = every_parse(loose[_i].written);
    char text[WSIM_SPELLING_MAX];
    wsim_op_spell(&op, text);
    ck_assert_str_eq(text, loose[_i].canonical);
}
END_TEST

/* First and second layout, and the order of types, carry meaning. */
START_TEST(order_of_layouts_and_types_matters) {
    struct wsim_op a = every_parse("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32");
    struct wsim_op b = every_parse("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32");
    struct wsim_op c = every_parse("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32");
    struct wsim_op d = every_parse("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32");
    ck_assert_mem_ne(&a, &b, sizeof a);
    ck_assert_mem_ne(&c, &d, sizeof c);
}
END_TEST

/* Synonyms are legal on the targets of their meaning, and are not enumerated. */
START_TEST(synonyms_behave_alike) {
    static const char *const pairs[][2] = {{"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64.rn"},
                                           {"ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                            "ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16"},
                                           {"st.shared.v2.f32", "st.shared::cta.v2.f32"}};
    int i, k;
    for (i = 0; i < COUNT(pairs); i++) {
        struct wsim_op plain = every_parse(pairs[i][0]), synonym = every_parse(pairs[i][1]), op;
        ck_assert_int_eq(plain.form, synonym.form);
        for (k = 0; k < every_arch_count(); k++)
            ck_assert_int_eq(wsim_op_check(&plain, wsim_arch_at((size_t)k), NULL),
                             wsim_op_check(&synonym, wsim_arch_at((size_t)k), NULL));
        for (k = 0; every_op(k, &op); k++)
            expect(memcmp(&op, &synonym, sizeof op) != 0, "%s is enumerated", pairs[i][1]);
    }
}
END_TEST

/* A call that succeeds leaves the diag alone. */
START_TEST(success_says_nothing) {
    struct wsim_diag diag = {WSIM_BOUNDS, 3, 4, NULL, "old"}, before = diag;
    struct wsim_op op;
    struct wsim_layout layout;
    ck_assert_int_eq(wsim_op_parse("ld.shared.u32", &op, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_op_check(&op, wsim_arch_at(0), &diag), WSIM_OK);
    op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    ck_assert_int_eq(wsim_op_layout(&op, NULL, WSIM_A, &layout, &diag), WSIM_OK);
    ck_assert_mem_eq(&diag, &before, sizeof diag);
}
END_TEST

/* Rows of barriers say in a text which numbers there are, limit.def how many a block has. */
START_TEST(barriers_are_those_of_a_block) {
    struct wsim_scalar op = {0};
    unsigned barriers = 0;
    while (wsim_scalar_next(&op)) {
        struct scalar_meaning meaning;
        struct wsim_scalar_info info;
        isa_scalar_meaning(&op, &meaning);
        wsim_scalar_info(&op, &info);
        if (meaning.method != SCALAR_METHOD_BAR_SYNC &&
            meaning.method != SCALAR_METHOD_BAR_ARRIVE && meaning.method != SCALAR_METHOD_BAR_RED)
            continue;
        for (unsigned i = 0; i < info.operands; i++) {
            const struct isa_range range = isa_scalar_range(&op, &meaning, i);
            if (info.operand[i].name == 'a') {
                ck_assert_uint_eq(range.least, 0);
                ck_assert_uint_eq(range.most, ISA_BLOCK_BARRIERS - 1);
                barriers++;
            }
            if (info.operand[i].name == 'b') /* threads, of whole warps */
                ck_assert_uint_eq(range.step, WSIM_LANES);
        }
    }
    ck_assert_uint_gt(barriers, 8);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{an_operation_is_described, 0, COUNT(infos)},
                                       {loose_spellings_are_made_canonical, 0, COUNT(loose)},
                                       {order_of_layouts_and_types_matters, 0, 1},
                                       {synonyms_behave_alike, 0, 1},
                                       {success_says_nothing, 0, 1},
                                       {barriers_are_those_of_a_block, 0, 1}};
    return every_run("unit/isa/info", tests, COUNT(tests));
}
