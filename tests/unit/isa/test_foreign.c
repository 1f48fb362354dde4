/* An operation that is not from wsim_op_parse or wsim_op_next is refused. */
#include "../../every.h"

static void refused_everywhere(const struct wsim_op *op) {
    struct wsim_layout layout;
    struct wsim_banks banks;
    struct wsim_operands io = {0};
    struct wsim_regs a = {0};
    struct wsim_diag diag;
    uint32_t addr[WSIM_LANES] = {0};
    uint64_t dense[1] = {0};
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    ck_assert_int_eq(wsim_op_check(op, arch, &diag), WSIM_ILLEGAL);
    ck_assert_ptr_nonnull(strstr(diag.text, "not an operation"));
    ck_assert_int_eq(wsim_op_layout(op, NULL, WSIM_A, &layout, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_exec(op, arch, &io, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_banks_count(op, arch, addr, ~0u, &banks, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_sparse_compress(op, dense, 0, &a, addr, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_sparse_expand(op, &a, addr, 0, dense, &diag), WSIM_ILLEGAL);
}

/* Functions without a status say nothing of it, and do not follow it either. */
static void nothing_is_said(const struct wsim_op *op) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_op_info info;
    struct wsim_op next = *op;
    struct wsim_recording recording;
    char spelling[WSIM_SPELLING_MAX];
    uint32_t cursor = 1, first = 0;
    memset(spelling, 'x', sizeof spelling);
    wsim_op_spell(op, spelling);
    ck_assert_str_eq(spelling, "");
    info = wsim_op_describe(op);
    ck_assert_ptr_null(info.family_name);
    ck_assert_ptr_null(info.row);
    ck_assert_int_eq(info.documented, 0);
    ck_assert_uint_eq(info.operands | info.threads | info.m | info.n | info.k | info.ptx, 0);
    ck_assert_int_eq(wsim_op_next(&cursor, &next), 0);
    ck_assert_uint_eq(cursor, 1);
    ck_assert_int_eq(wsim_op_claims(op, WSIM_RESULTS), 0);
    ck_assert_int_eq(wsim_op_claims(op, WSIM_COUNTS), 0);
    ck_assert_ptr_null(wsim_op_evidence(op, arch, WSIM_RESULTS, NULL));
    ck_assert_int_eq(wsim_op_recording(op, arch, WSIM_RESULTS, &first, &recording), 0);
}

START_TEST(nothing_is_said_of_foreign_operations) {
    struct wsim_op good, op;
    uint32_t cursor = 0;
    struct wsim_recording recording;
    memset(&op, 0xFF, sizeof op);
    nothing_is_said(&op);
    ck_assert_int_eq(
        wsim_op_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &good, NULL), WSIM_OK);
    for (unsigned place = 0; place < WSIM_OP_PLACES; place++) {
        op = good;
        op.q[place] = 63;
        if (wsim_op_check(&op, wsim_arch_find("sm_90a"), NULL)) /* the table has fewer places */
            nothing_is_said(&op);
        else
            ck_assert_uint_ge(place, 40);
    }
    op = good;
    op.form = UINT16_MAX;
    nothing_is_said(&op);
    ck_assert_int_eq(wsim_op_recording(&good, NULL, WSIM_RESULTS, &cursor, &recording), 0);
}
END_TEST

START_TEST(foreign_operations_are_refused) {
    struct wsim_op op = {0};
    refused_everywhere(&op); /* as a loop of wsim_op_next starts */
    memset(&op, 0xFF, sizeof op);
    refused_everywhere(&op);
    ck_assert_int_eq(wsim_op_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &op, NULL),
                     WSIM_OK);
    op.form = UINT16_MAX;
    refused_everywhere(&op);
}
END_TEST

START_TEST(no_architecture_is_refused) {
    struct wsim_op op;
    struct wsim_operands io = {0};
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_op_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &op, NULL),
                     WSIM_OK);
    ck_assert_int_eq(wsim_op_check(&op, NULL, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_exec(&op, wsim_arch_find("h1000"), &io, &diag), WSIM_ILLEGAL);
    ck_assert_ptr_nonnull(strstr(diag.text, "architecture"));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{foreign_operations_are_refused, 0, 1},
                                       {nothing_is_said_of_foreign_operations, 0, 1},
                                       {no_architecture_is_refused, 0, 1}};
    return every_run("unit/isa/foreign", tests, COUNT(tests));
}
