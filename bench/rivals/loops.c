/* The plain loops, compiled for each extent and level of machine with -O3, without flags that
 * change results (tools/CMakeLists.txt). */

#include "rivals.h"
#include <stdint.h>

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
#define NAME_(what, level, T, m, n, k) what##_##level##_##T##_##m##_##n##_##k
#define NAME(what, level, T, m, n, k) NAME_(what, level, T, m, n, k)

/* One order of B, with or without `restrict`; not inlined, so that nothing but the declaration says
 * what overlaps. */
#define LOOP(what, target, level, T, M, N, K, qualifier, B_ROW, B_AT)                              \
    target NOINLINE static void NAME(what, level, T, M, N,                                         \
                                     K)(const T(*qualifier a)[K], const T(*qualifier b)[B_ROW],    \
                                        const T(*qualifier c)[N], T(*qualifier d)[N]) {            \
        for (int i = 0; i < M; i++)                                                                \
            for (int j = 0; j < N; j++) {                                                          \
                T sum = c[i][j];                                                                   \
                for (int k = 0; k < K; k++)                                                        \
                    sum += a[i][k] * B_AT;                                                         \
                d[i][j] = sum;                                                                     \
            }                                                                                      \
    }                                                                                              \
    static void NAME(call_##what, level, T, M, N, K)(const void *a, const void *b, const void *c,  \
                                                     void *d) {                                    \
        NAME(what, level, T, M, N, K)                                                              \
        ((const T(*)[K])a, (const T(*)[B_ROW])b, (const T(*)[N])c, (T(*)[N])d);                    \
    }
#define LOOPS(target, level, T, M, N, K)                                                           \
    LOOP(rows, target, level, T, M, N, K, , N, b[k][j])                                            \
    LOOP(columns, target, level, T, M, N, K, , K, b[j][k])                                         \
    LOOP(restricted, target, level, T, M, N, K, restrict, N, b[k][j])

/* Levels of x86-64, best last; elsewhere the one that the program is compiled for. */
#if defined(__x86_64__) && defined(__GNUC__)
#define TARGET_V3 __attribute__((target("avx2,fma,f16c,bmi2")))
#define TARGET_V4                                                                                  \
    __attribute__((target("avx2,fma,f16c,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define EXTENT(T, M, N, K)                                                                         \
    LOOPS(, base, T, M, N, K)                                                                      \
    LOOPS(TARGET_V3, v3, T, M, N, K)                                                               \
    LOOPS(TARGET_V4, v4, T, M, N, K)
#else
#define EXTENT(T, M, N, K) LOOPS(, base, T, M, N, K)
#endif
#include "extents.def"

#define TYPE_float LOOP_FLOAT
#define TYPE_double LOOP_DOUBLE
#define TYPE_int32_t LOOP_INT

#define LINE(level, T, M, N, K)                                                                    \
    {TYPE_##T,                                                                                     \
     M,                                                                                            \
     N,                                                                                            \
     K,                                                                                            \
     #level,                                                                                       \
     NAME(call_rows, level, T, M, N, K),                                                           \
     NAME(call_columns, level, T, M, N, K),                                                        \
     NAME(call_restricted, level, T, M, N, K)},
#if defined(__x86_64__) && defined(__GNUC__)
#define EXTENT(T, M, N, K) LINE(base, T, M, N, K) LINE(v3, T, M, N, K) LINE(v4, T, M, N, K)
#else
#define EXTENT(T, M, N, K) LINE(base, T, M, N, K)
#endif
static const struct loop loops[] = {
#include "extents.def"
};

static int runs(const struct loop *loop) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (loop->level[0] == 'v' && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")))
        return 0;
    if (loop->level[1] == '4')
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512vnni");
#endif
    return loop->by_rows != NULL;
}

const struct loop *loop_find(enum loop_type type, unsigned m, unsigned n, unsigned k, int index) {
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        const struct loop *loop = &loops[i];
        if (loop->type == type && loop->m == m && loop->n == n && loop->k == k && runs(loop) &&
            index-- == 0)
            return loop;
    }
    return NULL;
}
