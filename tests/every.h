/* every.h - what tests of rows and of rooms share: operations by number and by spelling, a
 * generator. Uses the public headers only. */
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

/* All operations in the order of the tables, which a program counts once. */
struct every_ops {
    struct wsim_op *op;
    int n;
};

static inline const struct every_ops *every_ops(void) {
    static struct every_ops all;
    struct wsim_op op;
    uint32_t cursor = 0;
    if (all.op)
        return &all;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        if (all.n % 1024 == 0)
            all.op = realloc(all.op, (size_t)(all.n + 1024) * sizeof *all.op);
        expect(all.op != NULL, "out of memory");
        all.op[all.n++] = op;
    }
    return &all;
}

/* Operation number `index` in the order of the tables; 0 if there are no more. */
static inline int every_op(int index, struct wsim_op *op) {
    if (index >= every_ops()->n) {
        memset(op, 0, sizeof *op);
        return 0;
    }
    *op = every_ops()->op[index];
    return 1;
}

static inline int every_op_count(void) {
    return every_ops()->n;
}

/* Operations of a single warp come first. */
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

#endif
