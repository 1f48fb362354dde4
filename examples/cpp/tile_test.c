/* tile_test.c - tests the same layout in C with Check: ldmatrix has no bank conflict and loads
 * operand A. */
#include <check.h>
#include <stdlib.h>
#include <wsim/check.h>
#include <wsim/wsim.h>

static uint32_t tile_address(unsigned row, unsigned col) {
    return wsim_swizzle_apply(WSIM_SWIZZLE_128B, 128 * row + 2 * col);
}

static void addresses_of(unsigned k, uint32_t addresses[32]) {
    for (unsigned lane = 0; lane < 32; lane++)
        addresses[lane] = tile_address(lane % 16, 16 * k + lane / 16 * 8);
}

static struct wsim_op op_of(const char *spelling) {
    struct wsim_op op;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    return op;
}

START_TEST(has_no_bank_conflict) {
    struct wsim_op ldmatrix = op_of("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    uint32_t addresses[32];
    addresses_of(_i, addresses);
    ck_assert_conflict_free(&ldmatrix, wsim_arch_find("h100"), addresses);
}
END_TEST

START_TEST(is_operand_a) {
    struct wsim_op ldmatrix = op_of("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    struct wsim_op mma = op_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    static uint8_t bytes[16 * 128];
    static uint64_t matrix[16 * 16];
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 0);
    struct wsim_regs loaded, expected;
    struct wsim_layout a;
    uint32_t addresses[32];
    struct wsim_operands io = {.d = &loaded, .smem = &shared, .addr = addresses};
    unsigned k = (unsigned)_i;
    for (unsigned row = 0; row < 16; row++)
        for (unsigned col = 0; col < 64; col++) {
            bytes[tile_address(row, col)] = (uint8_t)col;
            bytes[tile_address(row, col) + 1] = (uint8_t)row;
        }
    for (unsigned i = 0; i < 16 * 16; i++)
        matrix[i] = i / 16 << 8 | (16 * k + i % 16);
    addresses_of(k, addresses);
    ck_assert_int_eq(wsim_op_layout(&mma, NULL, WSIM_A, &a, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_exec(&ldmatrix, wsim_arch_find("h100"), &io, NULL), WSIM_OK);
    wsim_fragment_pack(&a, matrix, &expected);
    ck_assert_fragment_eq(&a, loaded.r[0], expected.r[0]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tile");
    TCase *tests = tcase_create("ldmatrix");
    SRunner *runner;
    int failed;
    tcase_add_loop_test(tests, has_no_bank_conflict, 0, 4);
    tcase_add_loop_test(tests, is_operand_a, 0, 4);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
