/* every.h - what tests of rows and of rooms share: operations by number and by spelling, a
 * generator, a runner. Uses the public headers only. */
#ifndef TESTS_EVERY_H
#define TESTS_EVERY_H

#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wsim/wsim.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ck_assert_msg for inner loops: that one leaves a mark in a file even when all is well. */
#define expect(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                             \
    } while (0)

/* Operation number `index` in the order of the tables; 0 if there are no more. */
static inline int every_op(int index, struct wsim_op *op) {
    uint32_t cursor = 0;
    memset(op, 0, sizeof *op);
    while (wsim_op_next(&cursor, op))
        if (index-- == 0)
            return 1;
    return 0;
}

static inline int every_op_count(void) {
    struct wsim_op op;
    uint32_t cursor = 0;
    int n = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        n++;
    return n;
}

/* Those that one warp executes alone come first. */
static inline int every_warp_op_count(void) {
    struct wsim_op op;
    uint32_t cursor = 0;
    int n = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op) && wsim_op_describe(&op).threads == WSIM_LANES)
        n++;
    return n;
}

static inline int every_arch_count(void) {
    int n = 0;
    while (wsim_arch_at((size_t)n))
        n++;
    return n;
}

/* The operation a test names; the test fails if it is none. */
static inline struct wsim_op every_parse(const char *spelling) {
    struct wsim_op op;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status = wsim_op_parse(spelling, &op, &diag);
    expect(status == WSIM_OK, "%s: %s", spelling, diag.text);
    return op;
}

static inline int every_legal(const struct wsim_op *op, const char *arch) {
    return wsim_op_check(op, wsim_arch_find(arch), NULL) == WSIM_OK;
}

/* The first architecture that has the operation; NULL: none. */
static inline const struct wsim_arch *every_first_arch(const struct wsim_op *op) {
    size_t i;
    for (i = 0; wsim_arch_at(i); i++)
        if (wsim_op_check(op, wsim_arch_at(i), NULL) == WSIM_OK)
            return wsim_arch_at(i);
    return NULL;
}

/* The first architecture on which the model executes it; NULL: none. */
static inline const struct wsim_arch *every_first_model(const struct wsim_op *op) {
    size_t i;
    for (i = 0; wsim_arch_at(i); i++)
        if (wsim_op_evidence(op, wsim_arch_at(i), WSIM_RESULTS, NULL))
            return wsim_arch_at(i);
    return NULL;
}

/* splitmix64, public domain */
static inline uint64_t every_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Any bits. */
static inline void every_fill(void *at, size_t bytes, uint64_t *state) {
    uint8_t *byte = at;
    while (bytes--)
        *byte++ = (uint8_t)every_random(state);
}

/* A test, and its loop: _i = from, from + 1, ... to - 1. {test, 0, 1} runs once. */
struct every_test {
    const TTest *test;
    int from, to;
};

/* Runs the tests; the exit status of the program. */
static inline int every_run(const char *name, const struct every_test *tests, int n) {
    TCase *tcase = tcase_create("all");
    int i;
    tcase_set_timeout(tcase, 120);
    for (i = 0; i < n; i++)
        tcase_add_loop_test(tcase, tests[i].test, tests[i].from, tests[i].to);
    return run_case(name, tcase);
}

#endif
