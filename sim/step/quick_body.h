/* quick_body.h - the steps of quick.def, compiled once for each machine. The including file
 * defines QUICK_STEPS and QUICK_ROUNDS, names of the table and of what runs loops, and the features
 * its compiler may use. QUICK_FMA: a
 * fused multiply-add is one instruction. QUICK_VECTOR: floats of a vector of x86. Other files hold
 * its parts: rows of a frame, helpers of expressions, memory, copies. */
#include "quick_rows.h"

#include "quick_whole.h"

#include "quick_float.h"

/* Fused multiply-adds of one lane, which loops compute with a factor that is one number. */
#define QUICK_FUSED(id, method, types, second, which, d, a, b, c, ...)                             \
    INLINE AS_##d quick_lane_##id(AS_##a x, AS_##b y, AS_##c z) {                                  \
        return (AS_##d)(__VA_ARGS__);                                                              \
    }
#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
#include "quick.def"
#else
#undef QUICK_FUSED
#endif

/* --- steps --- */

#define QUICK(id, method, types, second, which, d, a, b, c, ...)                                   \
    STEP_HEAD(quick_##id) {                                                                        \
        ROW_##d *to = ROW(d, 0);                                                                   \
        ROWS(a, b, c)                                                                              \
        if (lanes == ALL)                                                                          \
            ALL_LANES {                                                                            \
                OPERANDS(a, b, c)                                                                  \
                to[i] = (AS_##d)(__VA_ARGS__);                                                     \
            }                                                                                      \
        else                                                                                       \
            ALL_LANES {                                                                            \
                OPERANDS(a, b, c)                                                                  \
                to[i] = lanes >> i & 1 ? (AS_##d)(__VA_ARGS__) : to[i];                            \
            }                                                                                      \
        return RUN_ON;                                                                             \
    }

/* Results of some lanes. */
#define QUICK_RESULTS(to, results)                                                                 \
    if (lanes == ALL)                                                                              \
        ALL_LANES to[i] = results[i];                                                              \
    else                                                                                           \
        ALL_LANES to[i] = lanes >> i & 1 ? results[i] : to[i];

#define QUICK_LARGE(id, method, types, second, which, d, a, b, c, ...)                             \
    STEP_HEAD(quick_##id) {                                                                        \
        ROW_##d *to = ROW(d, 0);                                                                   \
        AS_##d results[RUN_LANES];                                                                 \
        ROWS(a, b, c)                                                                              \
        ALL_LANES {                                                                                \
            OPERANDS(a, b, c)                                                                      \
            results[i] = (AS_##d)(__VA_ARGS__);                                                    \
        }                                                                                          \
        QUICK_RESULTS(to, results)                                                                 \
        return RUN_ON;                                                                             \
    }

/* Combines the result of a comparison with a predicate, as quick_combination says. quick_answer
 * also stores the opposite if the instruction has a second result. */
INLINE uint32_t quick_combined(unsigned how, uint32_t found, uint32_t with) {
    switch (how) {
    case QUICK_WITH_AND: return found & with;
    case QUICK_WITH_OR: return found | with;
    case QUICK_WITH_XOR: return found ^ with;
    default: return found;
    }
}
INLINE void quick_answer(uint8_t *frame, const struct run_op *op, uint32_t lanes, uint32_t found) {
    const unsigned how = op->immediate & QUICK_WITH;
    const uint32_t flip = op->immediate & QUICK_WITH_FLIP ? ALL : 0;
    const uint32_t with = how ? *run_pred(frame, op->at[3]) ^ flip : 0;
    uint32_t *to = run_pred(frame, op->at[0]);
    *to = (*to & ~lanes) | (quick_combined(how, found, with) & lanes);
    if (op->immediate & QUICK_OPPOSITE) {
        to = run_pred(frame, op->at[4]);
        *to = (*to & ~lanes) | (quick_combined(how, ~found, with) & lanes);
    }
}

/* Bit i of the result is lane i. */
#define QUICK_TEST(id, method, types, second, which, a, b, ...)                                    \
    STEP_HEAD(quick_##id) {                                                                        \
        uint32_t bits[RUN_LANES];                                                                  \
        ROWS(a, b, none)                                                                           \
        ALL_LANES {                                                                                \
            OPERANDS(a, b, none)                                                                   \
            bits[i] = (__VA_ARGS__) ? UINT32_C(1) << i : 0;                                        \
        }                                                                                          \
        quick_answer(frame, op, lanes, quick_gather(bits));                                        \
        return RUN_ON;                                                                             \
    }

#if defined(QUICK_FLOATS)
#define QUICK_FLOAT QUICK
#define QUICK_LARGE_FLOAT QUICK_LARGE
/* The unit for a row, which several steps share. */
#define QUICK_ALL(unit, ...)                                                                       \
    QUICK_OUTSIDE void quick_all_##unit(const quick_word *from, uint32_t *to) {                    \
        ALL_LANES {                                                                                \
            const uint32_t x = from[i];                                                            \
            to[i] = __VA_ARGS__;                                                                   \
        }                                                                                          \
    }
QUICK_ALL(tanh, quick_unit_tanh(x))
#undef QUICK_ALL
/* The same of a unit with columns. */
#define QUICK_ALL_OF(unit, columns, which, ...)                                                    \
    QUICK_OUTSIDE void quick_all_##unit(const quick_word *from, uint32_t *to) {                    \
        uint32_t row[RUN_LANES];                                                                   \
        struct quick_found found;                                                                  \
        ALL_LANES {                                                                                \
            const uint32_t x = from[i];                                                            \
            row[i] = which;                                                                        \
        }                                                                                          \
        quick_look_up(quick_##columns##_columns[0],                                                \
                      sizeof quick_##columns##_columns[0] / sizeof(uint32_t), row, &found);        \
        ALL_LANES {                                                                                \
            const uint32_t x = from[i];                                                            \
            const uint32_t c0 = found.c[0][i], c1 = found.c[1][i], c2 = found.c[2][i];             \
            to[i] = __VA_ARGS__;                                                                   \
        }                                                                                          \
    }
QUICK_ALL_OF(rcp, rcp, quick_rcp_index(x), quick_unit_rcp(x, c0, c1, c2))
QUICK_ALL_OF(rsqrt, rsqrt, quick_root_index(x), quick_unit_rsqrt(x, c0, c1, c2))
QUICK_ALL_OF(sqrt, sqrt, quick_root_index(x), quick_unit_sqrt(x, c0, c1, c2))
QUICK_ALL_OF(ex2, ex2, quick_fraction_ex2(x) >> QUICK_D, quick_unit_ex2(x, c0, c1, c2))
QUICK_ALL_OF(lg2, lg2, quick_fraction_lg2(x) >> QUICK_D, quick_unit_lg2(x, c0, c1, c2))
QUICK_ALL_OF(sin, sin, quick_fraction_sine(x, 0) >> QUICK_D, quick_sine(x, 0, c0, c1, c2))
QUICK_ALL_OF(cos, sin, quick_fraction_sine(x, 1) >> QUICK_D, quick_sine(x, 1, c0, c1, c2))
#undef QUICK_ALL_OF
#if defined(QUICK_ROOTS)
QUICK_OUTSIDE void quick_all_root(const quick_word *from, uint32_t *to) {
    for (unsigned i = 0; i < RUN_LANES; i += 4)
        quick_four_roots(&from[i], &to[i]);
}
#endif

/* Odd lanes go first: the step of their function reads what the others may overwrite. */
#define QUICK_ODD_STEP(id, d, a, b, c, before, w_is, odd, ...)                                     \
    STEP_HEAD(quick_##id) {                                                                        \
        ROW_##d *to = ROW(d, 0);                                                                   \
        AS_##d results[RUN_LANES];                                                                 \
        uint32_t odds[RUN_LANES], some;                                                            \
        ROWS(a, b, c)                                                                              \
        before ALL_LANES {                                                                         \
            OPERANDS(a, b, c)                                                                      \
            w_is const AS_##d r = (AS_##d)(__VA_ARGS__);                                           \
            results[i] = r;                                                                        \
            odds[i] = (odd) ? UINT32_C(1) << i : 0;                                                \
        }                                                                                          \
        some = quick_gather(odds) & lanes;                                                         \
        if (some) {                                                                                \
            data_step(frame, op, some, warp);                                                      \
            lanes &= ~some;                                                                        \
        }                                                                                          \
        QUICK_RESULTS(to, results)                                                                 \
        return RUN_ON;                                                                             \
    }
#define QUICK_ODD(id, method, types, second, which, d, a, b, c, odd, ...)                          \
    QUICK_ODD_STEP(id, d, a, b, c, , , odd, __VA_ARGS__)
#define QUICK_UNIT(id, method, types, second, which, d, a, b, c, unit, of, odd, ...)               \
    QUICK_ODD_STEP(id, d, a, b, c, uint32_t all[RUN_LANES]; quick_all_##unit(of, all);             \
                   , const uint32_t w = all[i];, odd, __VA_ARGS__)
#endif
#if defined(QUICK_FLOATS) && defined(QUICK_DIVISION)
#define QUICK_DIVIDED QUICK_FLOAT
#define QUICK_DIVIDED_ODD QUICK_ODD
#elif defined(QUICK_FLOATS)
#define QUICK_DIVIDED(id, ...)
#define QUICK_DIVIDED_ODD(id, ...)
#endif
#if defined(QUICK_FLOATS) && defined(QUICK_ROOTS)
#define QUICK_ROOT(id, method, types, second, which, d, a, b, c, ...)                              \
    QUICK_UNIT(id, method, types, second, which, d, a, b, c, root, from_a, 0, __VA_ARGS__)
#define QUICK_ROOT_ODD QUICK_ODD
#elif defined(QUICK_FLOATS)
#define QUICK_ROOT(id, ...)
#define QUICK_ROOT_ODD(id, ...)
#endif
#if defined(QUICK_FLOATS) && QUICK_HAS_WIDE
#define QUICK_WIDE(id, ...)                                                                        \
    STEP_HEAD(quick_##id) {                                                                        \
        return lanes == ALL ? quick_wide(frame, op, ALL, warp, quick_does_##id)                    \
                            : quick_wide(frame, op, lanes, warp, quick_does_##id);                 \
    }
#define QUICK_FUSED_WIDE QUICK_WIDE
#endif
#if defined(QUICK_FLOATS) && !defined(QUICK_FMA)
#define QUICK_FUSED(id, ...)
#define QUICK_FUSED_ODD(id, ...)
#define QUICK_FUSED_UNIT(id, ...)
#endif
#include "quick.def"

/* --- with predicates --- */

STEP_HEAD(quick_select_32) {
    quick_word *to = ROW(u32, 0);
    const uint32_t first = *run_pred(frame, op->at[3]) ^ (op->immediate ? ALL : 0);
    ROWS(u32, u32, none)
#if defined(__AVX512F__)
    for (unsigned i = 0; i < RUN_LANES; i += 16) {
        const __m512i a = _mm512_loadu_si512(from_a + i), b = _mm512_loadu_si512(from_b + i);
        const __m512i either = _mm512_mask_blend_epi32((__mmask16)(first >> i), b, a);
        if (lanes == ALL)
            _mm512_storeu_si512(to + i, either);
        else
            _mm512_mask_storeu_epi32(to + i, (__mmask16)(lanes >> i), either);
    }
    return RUN_ON;
#endif
    if (lanes == ALL)
        ALL_LANES to[i] = first >> i & 1 ? from_a[i] : from_b[i];
    else
        ALL_LANES to[i] = lanes >> i & 1 ? (first >> i & 1 ? from_a[i] : from_b[i]) : to[i];
    return RUN_ON;
}

STEP_HEAD(quick_select_64) {
    quick_long *to = ROW(u64, 0);
    const uint32_t first = *run_pred(frame, op->at[3]) ^ (op->immediate ? ALL : 0);
    ROWS(u64, u64, none)
    if (lanes == ALL)
        ALL_LANES to[i] = first >> i & 1 ? from_a[i] : from_b[i];
    else
        ALL_LANES to[i] = lanes >> i & 1 ? (first >> i & 1 ? from_a[i] : from_b[i]) : to[i];
    return RUN_ON;
}

STEP_HEAD(quick_select_16) {
    quick_word *to = ROW(u32, 0);
    const uint32_t first = *run_pred(frame, op->at[3]) ^ (op->immediate ? ALL : 0);
    ROWS(u32, u32, none)
    ALL_LANES {
        const uint32_t value = (first >> i & 1 ? from_a[i] : from_b[i]) & 0xFFFF;
        to[i] = lanes >> i & 1 ? value : to[i];
    }
    return RUN_ON;
}

/* Predicates are all lanes in one word; a flipped operand has its bit in `small`. */
#define LOGIC(id, expression)                                                                      \
    STEP_HEAD(quick_##id) {                                                                        \
        uint32_t *to = run_pred(frame, op->at[0]);                                                 \
        const uint32_t x = *run_pred(frame, op->at[1]) ^ (op->immediate & 1 ? ALL : 0);            \
        const uint32_t y = *run_pred(frame, op->at[2]) ^ (op->immediate & 2 ? ALL : 0);            \
        (void)y, (void)warp;                                                                       \
        *to = (*to & ~lanes) | ((expression)&lanes);                                               \
        return RUN_ON;                                                                             \
    }
LOGIC(copy_pred, x)
LOGIC(not_pred, ~x)
LOGIC(and_pred, x &y)
LOGIC(or_pred, x | y)
LOGIC(xor_pred, x ^ y)

/* --- mov with braces: two halves and a whole --- */

#define JOIN(id, half, whole_type, bits)                                                           \
    STEP_HEAD(quick_join_##id) {                                                                   \
        ROW_##whole_type *to = ROW(whole_type, 0);                                                 \
        ROWS(half, half, none)                                                                     \
        if (lanes == ALL)                                                                          \
            ALL_LANES to[i] = (AS_##whole_type)((AS_##half)from_a[i]) |                            \
                              (AS_##whole_type)((AS_##half)from_b[i]) << bits;                     \
        else                                                                                       \
            ALL_LANES to[i] = lanes >> i & 1 ? (AS_##whole_type)((AS_##half)from_a[i]) |           \
                                                   (AS_##whole_type)((AS_##half)from_b[i]) << bits \
                                             : to[i];                                              \
        return RUN_ON;                                                                             \
    }
JOIN(16, u16, u32, 16)
JOIN(32, u32, u64, 32)

/* Results are rows of 32 bits, at[0] and at[1]; that there are two of them says `immediate`, bit by
 * bit. The whole is in at[2]. */
#define SPLIT(id, half, whole_type, bits)                                                          \
    STEP_HEAD(quick_split_##id) {                                                                  \
        const ROW_##whole_type *whole = ROW(whole_type, 2);                                        \
        quick_word *low = ROW(u32, 0), *high = ROW(u32, 1);                                        \
        AS_##whole_type both[RUN_LANES];                                                           \
        (void)warp;                                                                                \
        memcpy(both, whole, sizeof both);                                                          \
        if (op->immediate & 1)                                                                     \
            ALL_LANES low[i] = lanes >> i & 1 ? (AS_##half)both[i] : low[i];                       \
        if (op->immediate & 2)                                                                     \
            ALL_LANES high[i] = lanes >> i & 1 ? (AS_##half)(both[i] >> bits) : high[i];           \
        return RUN_ON;                                                                             \
    }
SPLIT(16, u16, u32, 16)
SPLIT(32, u32, u64, 32)

#include "quick_memory.h"

#include "quick_copy.h"

#include "quick_loop.h"

#include "quick_tape.h"

/* --- the table --- */

#define QUICK(id, ...) quick_##id,
#define QUICK_TEST QUICK
#if defined(QUICK_FLOATS)
#define QUICK_FLOAT QUICK
#define QUICK_ODD QUICK
#else
#define QUICK_FLOAT(id, ...) NULL,
#define QUICK_ODD QUICK_FLOAT
#endif
#if defined(QUICK_ROOTS)
#define QUICK_ROOT QUICK
#define QUICK_ROOT_ODD QUICK
#else
#define QUICK_ROOT(id, ...) NULL,
#define QUICK_ROOT_ODD QUICK_ROOT
#endif
#if defined(QUICK_DIVISION)
#define QUICK_DIVIDED QUICK
#define QUICK_DIVIDED_ODD QUICK
#else
#define QUICK_DIVIDED(id, ...) NULL,
#define QUICK_DIVIDED_ODD QUICK_DIVIDED
#endif
#if !defined(QUICK_FMA)
#define QUICK_FUSED(id, ...) NULL,
#define QUICK_FUSED_ODD(id, ...) NULL,
#define QUICK_FUSED_UNIT(id, ...) NULL,
#endif
run_step *const QUICK_STEPS[] = {
#include "quick.def"
#define OTHER(ID, id) quick_##id,
    QUICK_OTHERS(OTHER)
#undef OTHER
};
