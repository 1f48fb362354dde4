/* The assertions of check.h, and what they say: tests that fail on purpose, whose messages are
 * looked at. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/check.h>

static const char product[] = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
static const char *const said[] = {
    "actual == expected: 1 of 128 elements differ, first lane 5, register 1 (element 1), row 1,",
    "addresses: 32 wavefronts, not 1\nld.shared.f32 on sm_90",
    "addresses: address 0x2 of lane 1 is not a multiple of the 4 bytes"};

static struct wsim_op op_of(const char *spelling) {
    struct wsim_op op;
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    return op;
}

static void compare_fragments(uint32_t word) {
    static uint32_t actual[4 * 32], expected[4 * 32];
    struct wsim_op op = op_of(product);
    struct wsim_layout d;
    ck_assert_int_eq(wsim_op_layout(&op, NULL, WSIM_D, &d, NULL), WSIM_OK);
    actual[32 + 5] = word;
    ck_assert_fragment_eq(&d, actual, expected);
}

static void count_wavefronts(uint32_t stride) {
    struct wsim_op op = op_of("ld.shared.f32");
    uint32_t addresses[32];
    for (uint32_t lane = 0; lane < 32; lane++)
        addresses[lane] = lane * stride;
    ck_assert_conflict_free(&op, wsim_arch_find("h100"), addresses);
}

START_TEST(equal_fragments) {
    compare_fragments(0);
}
END_TEST
START_TEST(no_conflict) {
    count_wavefronts(4);
}
END_TEST
START_TEST(another_fragment) {
    compare_fragments(0x3f800000);
}
END_TEST
START_TEST(conflicts) {
    count_wavefronts(128);
}
END_TEST
START_TEST(refused) {
    count_wavefronts(2);
}
END_TEST

/* The suite of the failures, run here. */
START_TEST(messages) {
    Suite *suite = suite_create("on purpose");
    TCase *tests = tcase_create("fail");
    SRunner *runner;
    TestResult **failures;
    int count;
    tcase_add_test(tests, another_fragment);
    tcase_add_test(tests, conflicts);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    count = srunner_ntests_failed(runner);
    failures = srunner_failures(runner);
    ck_assert_int_eq(count, 3);
    for (int i = 0; i < count; i++)
        ck_assert_msg(strncmp(tr_msg(failures[i]), said[i], strlen(said[i])) == 0, "%s",
                      tr_msg(failures[i]));
    ck_assert(strstr(tr_msg(failures[0]), ", column 3: 0x3f800000 (1), expected 0x00000000 (0)"));
    /* And its picture: lane 1 goes through bank 0 in the second pass. */
    ck_assert(strstr(tr_msg(failures[1]), "\n   1  0x00000080  2....."));
    free(failures);
    srunner_free(runner);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("assertions");
    SRunner *runner;
    int failed;
    tcase_add_test(tests, equal_fragments);
    tcase_add_test(tests, no_conflict);
    tcase_add_test(tests, messages);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
