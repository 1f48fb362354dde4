/* run.h - runs the tests of a suite: a case, a list of tests, or a list of tests with loops.
 *
 * Tests are not forked, which is several times faster. CK_FORK=yes does it, to see the tests after
 * a crash, and so does TEST_FORKS, for tests that end what the process can do. Every function of a
 * list is a case of its own, so that CK_RUN_CASE=FUNCTION runs it alone. WSIM_TEST_SAMPLE=N runs
 * one round in N of long loops (tools/test.sh --quick). */
#ifndef TESTS_RUN_H
#define TESTS_RUN_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* An assertion that holds leaves a mark in a file, for the message of a crash. In a loop it leaves
 * the same mark again and again, which takes more time than what it asserts: only a new one is
 * written. */
static inline void run_mark(const char *file, int line) {
    static const char *last_file;
    static int last_line;
    if (line == last_line && file == last_file)
        return;
    last_file = file, last_line = line;
    _mark_point(file, line);
}
#define _mark_point run_mark

enum { RUN_LONG = 256, RUN_LEAST = 32 }; /* rounds of a loop that is sampled, and of a sample */

/* A sample runs one round in run_sample() of a long loop; 1: it runs all rounds. */
static inline int run_sample(void) {
    const char *text = getenv("WSIM_TEST_SAMPLE");
    int sample = text ? atoi(text) : 1;
    return sample > 1 ? sample : 1;
}

/* The sample of loops that are short: at most one in `most`. Sanitizers ask for samples from one in
 * 32, and they look for wrong accesses rather than for wrong results: one in twice as many. */
static inline int run_at_most(int most) {
    const int sample = run_sample();
    return sample < most ? sample : sample < 32 ? most : 2 * most;
}

/* The number of random rounds in a test with `all` rounds. */
static inline int run_turns(int all) {
    const int sample = run_at_most(8);
    return (all + sample - 1) / sample;
}

/* Whether a sample leaves out round i of a loop that is short and slow. It runs round 0. */
static inline int run_skips(int i) {
    return ((uint32_t)i * UINT32_C(2654435761) >> 16) % (unsigned)run_at_most(4) != 0;
}

/* Adds rounds from, from + 1, ... to - 1 of a test. A sample takes one of each `sample` neighbours,
 * not always the same one, so that no period of the tables hides from it. */
static inline void run_add_loop(TCase *tcase, const TTest *test, int from, int to) {
    int sample = run_sample();
    if (sample == 1 || to - from < RUN_LONG) {
        tcase_add_loop_test(tcase, test, from, to);
        return;
    }
    if (sample > (to - from) / RUN_LEAST)
        sample = (to - from) / RUN_LEAST;
    for (uint32_t k = 0; from + (int)k * sample < to; k++) {
        int i = from + (int)k * sample + (int)((k * UINT32_C(2654435761) >> 16) % (unsigned)sample);
        if (i < to)
            tcase_add_loop_test(tcase, test, i, i + 1);
    }
}

/* Runs the cases of a suite; the exit status of the program. */
static inline int run_suite(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    int failed;
#ifndef TEST_FORKS
    if (!getenv("CK_FORK"))
        srunner_set_fork_status(runner, CK_NOFORK);
#endif
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner) > 0;
    if (srunner_ntests_run(runner) == 0) {
        puts("no such test");
        failed = 1;
    }
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int run_case(const char *name, TCase *tcase) {
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}

/* Runs `n` tests, each a case named as its function. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t n) {
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < n; i++) {
        TCase *tcase = tcase_create(tests[i]->name);
        tcase_add_test(tcase, tests[i]);
        suite_add_tcase(suite, tcase);
    }
    return run_suite(suite);
}

/* A test, and its loop: _i = from, from + 1, ... to - 1. {test, 0, 1} runs once. */
struct every_test {
    const TTest *test;
    int from, to;
};

/* The same with loops. */
static inline int every_run(const char *name, const struct every_test *tests, int n) {
    Suite *suite = suite_create(name);
    for (int i = 0; i < n; i++) {
        TCase *tcase = tcase_create(tests[i].test->name);
        tcase_set_timeout(tcase, 120);
        run_add_loop(tcase, tests[i].test, tests[i].from, tests[i].to);
        suite_add_tcase(suite, tcase);
    }
    return run_suite(suite);
}

#endif
