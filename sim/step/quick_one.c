/* The expressions of quick.def for one lane: what a loop computes once for all lanes (loop.h). */
#include "quick.h"
#include "quick_target.h"

#include <string.h>

#include "quick_rows.h"

#include "quick_whole.h"

#include "quick_float.h"

#define T(type) (UINT64_C(1) << SCALAR_TYPE_##type)

#define QUICK(id, method, types, second, which, d, a, b, c, ...)                                   \
    static uint64_t one_##id(const struct run_op *op, uint64_t p, uint64_t q, uint64_t r) {        \
        const AS_##a x = (AS_##a)p;                                                                \
        const AS_##b y = (AS_##b)q;                                                                \
        const AS_##c z = (AS_##c)r;                                                                \
        const quick_word fourth[1] = {0};                                                          \
        const unsigned i = 0;                                                                      \
        (void)x, (void)y, (void)z, (void)op, (void)fourth, (void)i;                                \
        return (AS_##d)(__VA_ARGS__);                                                              \
    }
#define QUICK_TEST(id, method, types, second, which, a, b, ...)                                    \
    QUICK(id, method, types, second, which, u32, a, b, none, __VA_ARGS__)
#include "quick.def"

/* Whole numbers of 32 and 64 bits. */
#define IS_WHOLE(types, second) (!(((types) | (second)) & ~(W | L)))
#define QUICK(id, method, types, second, ...) IS_WHOLE(types, second) ? one_##id : NULL,
#define QUICK_TEST QUICK
#define QUICK_FLOAT(id, ...) NULL,
#define QUICK_ODD QUICK_FLOAT
loop_one *const wsim_quick_ones[] = {
#include "quick.def"
};

void loop_range(const struct loop_even *even, int is_signed, int64_t *low, int64_t *high) {
    *low = *high = is_signed ? (int32_t)even->at[0] : (int64_t)(uint32_t)even->at[0];
    for (unsigned k = 1; k < 4; k++) {
        const int64_t far = (int64_t)(int32_t)even->at[k] * (k == 1 ? 7 : 1);
        *(far < 0 ? low : high) += far;
    }
}

/* Whether no lane of a register of 32 bits wraps: then it is even with 64 bits too. */
static int stays_even(const struct loop_even *even, int is_signed) {
    int64_t low, high;
    loop_range(even, is_signed, &low, &high);
    return is_signed ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

/* The result of a LOOP_ONE in lane 0 (k = 0), or in the lane that distance k leads to. */
static inline uint64_t one_of(const struct run_op *op, const struct loop_op *in,
                              const struct loop_even *const from[3], unsigned k) {
    uint64_t lane[3];
    for (unsigned i = 0; i < 3; i++)
        lane[i] = from[i]->at[0] + (k ? from[i]->at[k] : 0);
    return in->one(op, lane[0], lane[1], lane[2]);
}

int loop_compute(const struct run_op *op, const struct loop_op *in, struct loop_even *even) {
    static const struct loop_even none;
    const struct loop_shape *shape = &in->shape;
    const struct loop_even *const from[3] = {in->n_in > 0 ? &even[in->in[0]] : &none,
                                             in->n_in > 1 ? &even[in->in[1]] : &none,
                                             in->n_in > 2 ? &even[in->in[2]] : &none};
    const uint64_t mask = shape->is_long ? UINT64_MAX : UINT32_MAX;
    uint64_t first, a = 0, b = 0, c = 0;
    unsigned vary = 0;
    for (unsigned i = 0; i < 3; i++)
        vary |= (unsigned)loop_differs(from[i]) << i;
    if (vary & ~(unsigned)shape->vary || (shape->is_product && (vary & 3) == 3))
        return 0;
    for (unsigned i = 0; i < 2; i++)
        if (shape->extends && vary >> i & 1 && !stays_even(from[i], shape->is_signed))
            return 0;
    first = one_of(op, in, from, 0);
    if (vary) {
        a = one_of(op, in, from, 1) - first;
        b = one_of(op, in, from, 2) - first;
        c = one_of(op, in, from, 3) - first;
    }
    even[in->to].at[0] = first & mask;
    even[in->to].at[1] = a & mask;
    even[in->to].at[2] = b & mask;
    even[in->to].at[3] = c & mask;
    return 1;
}
