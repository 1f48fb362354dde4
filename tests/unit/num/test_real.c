/* Arithmetic of scalar instructions: f32 and f64 against the four roundings of this machine, f16
 * and bf16 through f64. Operands are random, difficult and all landmarks. Also the effects of the
 * words of an instruction. NaNs and flushing as recorded on an H200. */
#include "host.h"

#include "../../../sim/num/real.h"

#include <math.h>

enum operation { ADD, SUB, MUL, FMA, DIV, RCP, SQRT, OPERATIONS };

static uint64_t compute(enum operation op, const struct wsim_format *format,
                        const struct real_mode *mode, uint64_t a, uint64_t b, uint64_t c) {
    switch (op) {
    case ADD: return real_add(format, mode, a, b);
    case SUB: return real_sub(format, mode, a, b);
    case MUL: return real_mul(format, mode, a, b);
    case FMA: return real_fma(format, mode, a, b, c);
    case DIV: return real_div(format, mode, a, b);
    case RCP: return real_rcp(format, mode, a);
    default: return real_sqrt(format, mode, a);
    }
}

/* volatile: the compiler must not compute with the rounding that holds while it compiles. */
static uint64_t host64(enum operation op, uint64_t a, uint64_t b, uint64_t c) {
    volatile double x = real64(a), y = real64(b), z = real64(c), d = 0;
    switch (op) {
    case ADD: d = x + y; break;
    case SUB: d = x - y; break;
    case MUL: d = x * y; break;
    case FMA: d = fma(x, y, z); break;
    case DIV: d = x / y; break;
    case RCP: d = 1 / x; break;
    default: d = sqrt(x); break;
    }
    return bits64(d);
}

static uint64_t host32(enum operation op, uint64_t a, uint64_t b, uint64_t c) {
    volatile float x = real32(a), y = real32(b), z = real32(c), d = 0;
    switch (op) {
    case ADD: d = x + y; break;
    case SUB: d = x - y; break;
    case MUL: d = x * y; break;
    case FMA: d = fmaf(x, y, z); break;
    case DIV: d = x / y; break;
    case RCP: d = 1 / x; break;
    default: d = sqrtf(x); break;
    }
    return bits32(d);
}

/* The exact sum or product of f16 or bf16 as an f64 with equal rounding. */
static uint64_t host16(enum operation op, const struct wsim_format *format, unsigned rounding,
                       uint64_t a, uint64_t b, uint64_t c) {
    double x = real_of(format, a), y = real_of(format, b), z = real_of(format, c), d;
    if (op == ADD || op == SUB) {
        z = op == SUB ? -y : y;
        y = 1;
    } else if (op == MUL) {
        z = copysign(0.0, signbit(x) == signbit(y) ? 1.0 : -1.0);
    }
    if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
        d = fma(x, y, z);
        return (signbit(d) ? 0x8000 : 0) | (format == &F16 ? 0x7C00 : 0x7F80) | (isnan(d) != 0);
    }
    d = host_odd_fma(x, y, z);
    if (d == 0) /* its sign is a matter of the rounding */
        d = host_fma(rounding, x, y, z);
    return host_narrow(format, rounding, d);
}

static void check(enum operation op, const struct wsim_format *format, uint64_t a, uint64_t b,
                  uint64_t c) {
    for (uint8_t rounding = WSIM_RN; rounding <= WSIM_RP; rounding++) {
        struct real_mode mode = {.rounding = rounding};
        uint64_t got = compute(op, format, &mode, a, b, c), want;
        if (format->bits == 16) {
            want = is_nan(format, a) || is_nan(format, b) || (op == FMA && is_nan(format, c))
                       ? format->nan
                       : host16(op, format, rounding, a, b, c);
        } else {
            host_set(rounding);
            want = (format == &F64 ? host64 : host32)(op, a, b, c);
            host_set(WSIM_RN);
        }
        if (is_nan(format, want) && (format != &F64 || is_nan(format, got)))
            want = format == &F64 ? got : format->nan; /* which NaN: see nans_of_f64 */
        if (got != want)
            ck_abort_msg("%s %d of %llx %llx %llx, rounding %u: %llx, not %llx", format->name, op,
                         (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
                         rounding, (unsigned long long)got, (unsigned long long)want);
    }
}

/* Loops are over formats and operations; there are no quotients and roots of 16 bits. */
static const struct wsim_format *const formats[] = {&F32, &F64, &F16, &BF16};
enum { KINDS = 4 * OPERATIONS };

static int is_there(int i) {
    return i / OPERATIONS < 2 || i % OPERATIONS <= FMA;
}

START_TEST(random_operands) {
    const struct wsim_format *format = formats[_i / OPERATIONS];
    uint64_t state = (uint64_t)_i, mask = ~UINT64_C(0) >> (64 - format->bits);
    for (unsigned i = 0; i < 20000 && is_there(_i); i++) {
        uint64_t a = random_bits(&state), b = random_bits(&state), c = random_bits(&state);
        check(_i % OPERATIONS, format, a & mask, b & mask, c & mask);
    }
}
END_TEST

/* Exponents near each other, near the middle or near the ends, with runs of equal bits. */
START_TEST(nasty_operands) {
    const struct wsim_format *format = formats[_i / OPERATIONS];
    uint64_t state = 100 + (uint64_t)_i, top = (UINT64_C(1) << format->exp_bits) - 1;
    for (int i = 0; i < run_turns(40000) && is_there(_i); i++) {
        uint64_t r = random_bits(&state), at = r % 3 ? r >> 8 & top : (unsigned)format->bias;
        uint64_t other = r >> 24 & 1 ? at : top - at, third = (at + other - format->bias) & top;
        check(_i % OPERATIONS, format, nasty(format, &state, (unsigned)at),
              nasty(format, &state, (unsigned)other), nasty(format, &state, (unsigned)third));
    }
}
END_TEST

START_TEST(all_landmarks) {
    const struct wsim_format *format = formats[_i / OPERATIONS];
    unsigned last = _i % OPERATIONS == FMA ? LANDMARKS : 1;
    for (unsigned i = 0; i < LANDMARKS * LANDMARKS * last && is_there(_i); i++)
        check(_i % OPERATIONS, format, landmark(format, i % LANDMARKS),
              landmark(format, i / LANDMARKS % LANDMARKS),
              landmark(format, i / LANDMARKS / LANDMARKS));
}
END_TEST

/* Quotients and roots that lie close to the middle between two results: products of short numbers
 * and their neighbours, and squares. */
START_TEST(quotients_and_roots_near_ties) {
    uint64_t state = 7;
    for (unsigned i = 0; i < 50000; i++) {
        uint64_t q = 0x3F800000 | (random_bits(&state) & 0x7FFFFF);
        uint64_t b = 0x3F800000 | (random_bits(&state) & 0x7FF000);
        uint64_t a = bits32(real32(q) * real32(b));
        check(DIV, &F32, a, b, 0);
        check(DIV, &F32, a + 1, b, 0);
        check(SQRT, &F32, bits32(real32(b) * real32(b)) + i % 3 - 1, 0, 0);
        q = 0x3FF0000000000000 | random_bits(&state) >> 12;
        b = 0x3FF0000000000000 | random_bits(&state) >> 38 << 26;
        a = bits64(real64(q) * real64(b));
        check(DIV, &F64, a, b, 0);
        check(DIV, &F64, a - 1, b, 0);
        check(SQRT, &F64, bits64(real64(b) * real64(b)) + i % 3 - 1, 0, 0);
    }
}
END_TEST

/* f64 hands on payloads: of b before c before a, in quotients of a before b; invalid operations
 * make the negative default. Other formats have one NaN. */
START_TEST(nans_of_f64) {
    static const struct real_mode mode;
    const uint64_t a = 0x7FF0000000000001, b = 0xFFF8000000000123, c = 0x7FF0000000ABC000;
    const uint64_t one = 0x3FF0000000000000, quiet = UINT64_C(1) << 51, minus = UINT64_C(1) << 63;
    const uint64_t inf = 0x7FF0000000000000, invalid = 0xFFF8000000000000;
    ck_hex(real_add(&F64, &mode, a, b), b);
    ck_hex(real_add(&F64, &mode, a, one), a | quiet);
    ck_hex(real_sub(&F64, &mode, one, b), b); /* not negated */
    ck_hex(real_sub(&F64, &mode, inf, inf), invalid);
    ck_hex(real_mul(&F64, &mode, a, b), b);
    ck_hex(real_mul(&F64, &mode, 0, inf), invalid);
    ck_hex(real_fma(&F64, &mode, a, one, c), c | quiet);
    ck_hex(real_div(&F64, &mode, a, b), a | quiet);
    ck_hex(real_div(&F64, &mode, one, b), b);
    ck_hex(real_div(&F64, &mode, 0, minus), invalid);
    ck_hex(real_div(&F64, &mode, inf, inf | minus), invalid);
    ck_hex(real_rcp(&F64, &mode, a), a | quiet);
    ck_hex(real_sqrt(&F64, &mode, a), a | quiet);
    ck_hex(real_sqrt(&F64, &mode, one | minus), invalid);
    ck_hex(real_sqrt(&F32, &mode, 0xBF800000), UINT64_C(0x7FFFFFFF));
    ck_hex(real_div(&F32, &mode, 0, 0), UINT64_C(0x7FFFFFFF));
    ck_hex(real_sub(&F32, &mode, 0x7F800000, 0x7F800000), UINT64_C(0x7FFFFFFF));
    ck_hex(real_mul(&BF16, &mode, 0xFFC1, 0x3F80), UINT64_C(0x7FFF));
}
END_TEST

/* With ftz an f32 operand or result below 2^-126 is a zero of its sign. The comparison takes the
 * result rounded to 24 bits with any exponent. f64 holds both. */
static uint64_t host_flushed(enum operation op, unsigned rounding, uint64_t a, uint64_t b,
                             uint64_t c) {
    const double least = ldexp(1, -126);
    double x = real32(a), y = real32(b), z = real32(c), d;
    x = fabs(x) < least ? copysign(0, x) : x;
    y = fabs(y) < least ? copysign(0, y) : y;
    z = fabs(z) < least ? copysign(0, z) : z;
    z = op == ADD ? y : op == MUL ? copysign(0, signbit(x) == signbit(y) ? 1.0 : -1.0) : z;
    y = op == ADD ? 1 : y;
    d = host_odd_fma(x, y, z);
    if (d != 0) { /* 2^-126 of 24 bits is 2^2 in a format whose numbers begin lower */
        uint64_t raised = host_narrow(&F32, rounding, ldexp(d, 60));
        if ((raised & 0x7FFFFFFF) < UINT64_C(61) << 23)
            return raised & 0x80000000;
    }
    if (d == 0) /* its sign is a matter of the rounding */
        d = host_fma(rounding, x, y, z);
    return host_narrow(&F32, rounding, d);
}

START_TEST(flushed_results) {
    uint64_t state = 11;
    for (unsigned i = 0; i < 100000; i++) {
        unsigned at = (unsigned)(random_bits(&state) % 120 + 4);
        uint64_t a = nasty(&F32, &state, at), b = nasty(&F32, &state, 128 - at);
        uint64_t c = nasty(&F32, &state, i % 16);
        enum operation op = i % 3 == 0 ? ADD : i % 3 == 1 ? MUL : FMA;
        if (op == ADD)
            a = nasty(&F32, &state, i % 32), b = c;
        if (!isfinite(real32(a)) || !isfinite(real32(b)) || !isfinite(real32(c)))
            continue;
        for (uint8_t rounding = WSIM_RN; rounding <= WSIM_RP; rounding++) {
            struct real_mode mode = {.rounding = rounding, .ftz = 1};
            uint64_t got = compute(op, &F32, &mode, a, b, c);
            uint64_t want = host_flushed(op, rounding, a, b, c);
            if (got != want)
                ck_abort_msg("%d of %llx %llx %llx, rounding %u: %llx, not %llx", op,
                             (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
                             rounding, (unsigned long long)got, (unsigned long long)want);
        }
    }
}
END_TEST

/* (1 + 2^-23)(1 - 2^-23) 2^-126 is 2^-126 in 24 bits and stays. In 11 bits (1 - 2^-11) 2^-14 is
 * below 2^-14, though as a subnormal it would round to 2^-14. Both are recorded of an H200. */
START_TEST(flushed_after_rounding) {
    static const struct real_mode ftz = {.ftz = 1}, plain;
    ck_hex(real_mul(&F32, &ftz, 0x00800001, 0x3F7FFFFE), UINT64_C(0x00800000));
    ck_hex(real_mul(&F16, &ftz, 0x3BFF, 0x0400), UINT64_C(0));
    ck_hex(real_mul(&F16, &ftz, 0xBBFF, 0x0400), UINT64_C(0x8000));
    ck_hex(real_mul(&F16, &plain, 0x3BFF, 0x0400), UINT64_C(0x0400));
    ck_hex(real_sqrt(&F32, &ftz, 0x80000001), UINT64_C(0x80000000));
    ck_hex(real_rcp(&F32, &ftz, 0x00000001), UINT64_C(0x7F800000));
    ck_hex(real_rcp(&F32, &ftz, 0x7F000001), UINT64_C(0));
    ck_hex(real_rcp(&F32, &plain, 0x7F000001), UINT64_C(0x00400000));
}
END_TEST

START_TEST(words_behind_the_rounding) {
    static const struct real_mode sat = {.sat = 1}, relu = {.relu = 1}, oob = {.oob = 0x7FF7};
    ck_hex(real_add(&F32, &sat, 0x3F800000, 0x3F800000), UINT64_C(0x3F800000));
    ck_hex(real_add(&F32, &sat, 0x3F000000, 0x3E800000), UINT64_C(0x3F400000));
    ck_hex(real_add(&F32, &sat, 0xBF000000, 0x3E800000), UINT64_C(0));
    ck_hex(real_add(&F32, &sat, 0x80000000, 0x80000000), UINT64_C(0));
    ck_hex(real_add(&F32, &sat, 0x7FC00000, 0), UINT64_C(0));
    ck_hex(real_add(&F32, &sat, 0x7F800000, 0), UINT64_C(0x3F800000));
    ck_hex(real_fma(&F16, &relu, 0xBC00, 0x3C00, 0), UINT64_C(0));
    ck_hex(real_fma(&F16, &relu, 0x3C00, 0x3C00, 0x3C00), UINT64_C(0x4000));
    ck_hex(real_fma(&F16, &relu, 0x8000, 0x3C00, 0x8000), UINT64_C(0));
    ck_hex(real_fma(&F16, &relu, 0xFFFF, 0x3C00, 0), UINT64_C(0x7FFF));
    ck_hex(real_fma(&F16, &oob, 0x7FF7, 0x3C00, 0x3C00), UINT64_C(0));
    ck_hex(real_fma(&F16, &oob, 0x3C00, 0x7FF7, 0x3C00), UINT64_C(0));
    ck_hex(real_fma(&F16, &oob, 0x3C00, 0x3C00, 0x7FF7), UINT64_C(0x7FFF));
    ck_hex(real_fma(&F16, &oob, 0x7FFF, 0x3C00, 0x3C00), UINT64_C(0x7FFF));
    ck_hex(real_fma(&BF16, &oob, 0x7FF7, 0x7FFF, 0x3F80), UINT64_C(0));
    ck_hex(real_fma(&BF16, &relu, 0x7FF7, 0x3F80, 0x3F80), UINT64_C(0x7FFF));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{random_operands, 0, KINDS},
                                       {nasty_operands, 0, KINDS},
                                       {all_landmarks, 0, KINDS},
                                       {quotients_and_roots_near_ties, 0, 1},
                                       {nans_of_f64, 0, 1},
                                       {flushed_results, 0, 1},
                                       {flushed_after_rounding, 0, 1},
                                       {words_behind_the_rounding, 0, 1}};
    return every_run("real", tests, COUNT(tests));
}
