/* run.h - runs tests without loops; every.h has the runner for loops. */
#ifndef TESTS_RUN_H
#define TESTS_RUN_H

#include <check.h>
#include <stdlib.h>

/* Runs `n` tests in one case; the exit status of the program. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t n) {
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create("all");
    SRunner *runner;
    size_t i;
    int failed;
    for (i = 0; i < n; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
