/* run.h - runs the tests of a program: a case, or a list; every.h has the list with loops. */
#ifndef TESTS_RUN_H
#define TESTS_RUN_H

#include <check.h>
#include <stdlib.h>

/* Runs the tests of a case; the exit status of the program. */
static inline int run_case(const char *name, TCase *tcase) {
    Suite *suite = suite_create(name);
    SRunner *runner;
    int failed;
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Runs `n` tests in one case. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t n) {
    TCase *tcase = tcase_create("all");
    size_t i;
    for (i = 0; i < n; i++)
        tcase_add_test(tcase, tests[i]);
    return run_case(name, tcase);
}

#endif
