/* What did not come from wsim_op_parse or wsim_op_next is refused, never followed. */
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
    ck_assert_int_eq(wsim_op_layout(op, WSIM_A, &layout, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_exec(op, arch, &io, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_banks_count(op, arch, addr, ~0u, &banks, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_sparse_compress(op, dense, 0, &a, addr, &diag), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_sparse_expand(op, &a, addr, 0, dense, &diag), WSIM_ILLEGAL);
}

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
                                       {no_architecture_is_refused, 0, 1}};
    return every_run("unit/isa/foreign", tests, COUNT(tests));
}
