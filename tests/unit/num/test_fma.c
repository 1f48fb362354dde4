/* Fused multiply-add equals that of this machine bit for bit, in every rounding, on random
 * and on difficult operands. NaN results follow the two rules of the hardware. */
#include "host.h"

#include <math.h>

/* volatile: the compiler must not compute with the rounding that holds while it compiles */
static uint64_t fma_of_host(const struct wsim_format *format, uint64_t a, uint64_t b, uint64_t c,
                            enum wsim_rounding mode) {
    uint64_t bits;
    host_set(mode);
    if (format == &F64) {
        volatile double x = real64(a), y = real64(b), z = real64(c), d = fma(x, y, z);
        bits = bits64(d);
    } else {
        volatile float x = real32(a), y = real32(b), z = real32(c), d = fmaf(x, y, z);
        bits = bits32(d);
    }
    host_set(WSIM_RN);
    return bits;
}

static void check(const struct wsim_format *format, uint64_t a, uint64_t b, uint64_t c) {
    unsigned mode;
    for (mode = WSIM_RN; mode <= WSIM_RP; mode++) {
        uint64_t got = num_fma(format, a, b, c, mode, 1);
        uint64_t want = fma_of_host(format, a, b, c, mode);
        if (is_nan(format, want))
            want = format->nan;
        if (got != want)
            ck_abort_msg("%llx * %llx + %llx, mode %u: %llx, not %llx", (unsigned long long)a,
                         (unsigned long long)b, (unsigned long long)c, mode,
                         (unsigned long long)got, (unsigned long long)want);
    }
}

static void check_random(const struct wsim_format *format, unsigned cases) {
    uint64_t state = 1;
    unsigned i;
    for (i = 0; i < cases; i++) {
        uint64_t a = random_bits(&state), b = random_bits(&state), c = random_bits(&state);
        uint64_t mask = ~UINT64_C(0) >> (64 - format->bits);
        check(format, a & mask, b & mask, c & mask);
    }
}

/* Exponents so that product and addend meet at any distance, also at both ends of the range. */
static void check_nasty(const struct wsim_format *format, unsigned cases) {
    unsigned top = (1u << format->exp_bits) - 1, bias = (unsigned)format->bias, i;
    uint64_t state = 2;
    for (i = 0; i < cases; i++) {
        unsigned ea = (unsigned)(random_bits(&state) % (top + 1));
        unsigned low = bias > ea ? bias - ea : 0; /* so that a*b is near the least exponent */
        unsigned high = top + bias - ea < top ? top + bias - ea : top;
        unsigned eb = i & 1 ? low + i / 2 % 5 : i & 2 ? high : (unsigned)random_bits(&state) & top;
        unsigned ec = (unsigned)(random_bits(&state) % 240);
        ec = i & 4 ? ec % 8 : ea + eb + ec < bias + 120 ? 0 : ea + eb + ec - bias - 120;
        check(format, nasty(format, &state, ea), nasty(format, &state, eb > top ? top : eb),
              nasty(format, &state, ec > top ? top : ec));
    }
}

/* c next to -a*b: all the high bits cancel. */
static void check_cancelling(const struct wsim_format *format, unsigned cases) {
    uint64_t state = 3, sign = UINT64_C(1) << (format->bits - 1);
    unsigned i;
    for (i = 0; i < cases; i++) {
        uint64_t a = nasty(format, &state, (unsigned)random_bits(&state));
        uint64_t b = nasty(format, &state, (unsigned)random_bits(&state));
        uint64_t c = fma_of_host(format, a, b, sign & ~(a ^ b), WSIM_RN) ^ sign;
        check(format, a, b, c);
        check(format, a, b, c ^ 1);
        check(format, a, b, c ^ 3);
    }
}

START_TEST(f64_as_the_host) {
    check_random(&F64, 50000);
    check_nasty(&F64, 200000);
    check_cancelling(&F64, 50000);
}
END_TEST

START_TEST(f32_as_the_host) {
    check_random(&F32, 50000);
    check_nasty(&F32, 200000);
    check_cancelling(&F32, 50000);
}
END_TEST

/* Every triple of landmarks: zeros, ends of the subnormals, ones, ends of the range, infinities. */
START_TEST(landmarks) {
    static const uint64_t f64[] = {
        0,
        1,
        0xFFFFFFFFFFFFF,
        0x10000000000000,
        0x10000000000001,
        0x3CA0000000000000, /* 2^-53 */
        0x3FEFFFFFFFFFFFFF,
        0x3FF0000000000000,
        0x3FF0000000000001,
        0x4340000000000000, /* 2^53 */
        0x7FEFFFFFFFFFFFFF,
        0x7FF0000000000000,
        0x7FF8000000000000,
    };
    static const uint64_t f32[] = {0,          1,          0x7FFFFF,   0x800000,   0x800001,
                                   0x33800000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x4B800000,
                                   0x7F7FFFFF, 0x7F800000, 0x7FC00000};
    unsigned i, signs, n = COUNT(f64);
    for (i = 0; i < n * n * n; i++)
        for (signs = 0; signs < 8; signs++) {
            check(&F64, f64[i % n] | (uint64_t)(signs & 1) << 63,
                  f64[i / n % n] | (uint64_t)(signs >> 1 & 1) << 63,
                  f64[i / n / n] | (uint64_t)(signs >> 2) << 63);
            check(&F32, f32[i % n] | (uint64_t)(signs & 1) << 31,
                  f32[i / n % n] | (uint64_t)(signs >> 1 & 1) << 31,
                  f32[i / n / n] | (uint64_t)(signs >> 2) << 31);
        }
}
END_TEST

/* The sum in 53 bits, its last bit odd if something was lost: enough to round to 11 bits once. */
static struct wsim_value odd_sum(double x, double y) {
    volatile double sum = x + y, back = sum - x, lost = (x - (sum - back)) + (y - back);
    struct wsim_value value = {WSIM_FINITE, 0, 0, 0};
    uint64_t bits = bits64(sum);
    if (lost != 0 && !(bits & 1))
        bits = (lost < 0) == (sum < 0) ? bits | 1 : bits - 1;
    value = wsim_format_decode(&F64, bits);
    return value;
}

START_TEST(f16_as_through_f64) {
    uint64_t state = 4;
    unsigned i, mode;
    for (i = 0; i < 300000; i++) {
        uint64_t r = random_bits(&state), a = r & 0xFFFF, b = r >> 16 & 0xFFFF,
                 c = r >> 32 & 0xFFFF;
        struct wsim_value sum;
        if ((a & 0x7C00) == 0x7C00 || (b & 0x7C00) == 0x7C00 || (c & 0x7C00) == 0x7C00)
            continue;
        sum = odd_sum(real_of(&F16, a) * real_of(&F16, b), real_of(&F16, c));
        for (mode = WSIM_RN; mode <= WSIM_RP && sum.cls == WSIM_FINITE; mode++)
            ck_hex(num_fma(&F16, a, b, c, mode, 1), wsim_format_encode(&F16, sum, mode));
    }
}
END_TEST

START_TEST(zeros) {
    const uint64_t minus = UINT64_C(1) << 63, one = 0x3FF0000000000000;
    ck_hex(num_fma(&F64, minus, one, minus, WSIM_RN, 0), minus);
    ck_hex(num_fma(&F64, minus, one, 0, WSIM_RN, 0), UINT64_C(0));
    ck_hex(num_fma(&F64, minus, one, 0, WSIM_RM, 0), minus);
    ck_hex(num_fma(&F64, one, one, one | minus, WSIM_RN, 0), UINT64_C(0));
    ck_hex(num_fma(&F64, one, one, one | minus, WSIM_RM, 0), minus);
    ck_hex(num_fma(&F64, 1, 1 | minus, 0, WSIM_RN, 0), minus); /* underflow keeps its sign */
}
END_TEST

/* f64: the first NaN among b, c, a, made quiet; without one, the negative default. */
START_TEST(nan_payloads) {
    const uint64_t a = 0x7FF0000000000001, b = 0xFFF8000000000123, c = 0x7FF0000000ABC000;
    const uint64_t one = 0x3FF0000000000000, quiet = UINT64_C(1) << 51;
    const uint64_t inf = 0x7FF0000000000000, invalid = 0xFFF8000000000000;
    ck_hex(num_fma(&F64, a, b, c, WSIM_RN, 0), b);
    ck_hex(num_fma(&F64, a, one, c, WSIM_RN, 0), c | quiet);
    ck_hex(num_fma(&F64, a, one, one, WSIM_RN, 0), a | quiet);
    ck_hex(num_fma(&F64, inf, 0, c, WSIM_RN, 0), c | quiet);
    ck_hex(num_fma(&F64, inf, 0, one, WSIM_RN, 0), invalid);
    ck_hex(num_fma(&F64, 0, inf, inf, WSIM_RZ, 0), invalid);
    ck_hex(num_fma(&F64, inf, one, inf | UINT64_C(1) << 63, WSIM_RN, 0), invalid);
    ck_hex(num_fma(&F64, a, b, c, WSIM_RN, 1), UINT64_C(0x7FF8000000000000));
    ck_hex(num_fma(&F32, 0xFF800001, 0x3F800000, 0, WSIM_RN, 1), UINT64_C(0x7FFFFFFF));
    ck_hex(num_fma(&F16, 0x7C00, 0x8000, 0, WSIM_RN, 1), UINT64_C(0x7FFF));
}
END_TEST

/* The order of a chain shows: 2^53 - 2^53 + 1 against 1 + 2^53 - 2^53; and no sum is fused. */
START_TEST(f64_chain) {
    const uint64_t one = 0x3FF0000000000000, big = 0x41A0000000000000, mate = 0x4190000000000000;
    const uint64_t minus = UINT64_C(1) << 63, tiny = 0x3CA0000000000000;
    uint64_t d = num_fma(&F64, big, mate, one, WSIM_RN, 0);
    ck_hex(num_fma(&F64, big | minus, mate, d, WSIM_RN, 0), UINT64_C(0));
    d = num_fma(&F64, big | minus, mate, one, WSIM_RN, 0);
    ck_hex(num_fma(&F64, big, mate, d, WSIM_RN, 0), one);
    d = num_fma(&F64, tiny, one, one, WSIM_RN, 0);
    ck_hex(num_fma(&F64, tiny, one, d, WSIM_RN, 0), one);
}
END_TEST

START_TEST(additions) {
    ck_hex(num_add(&F32, 0x3F800000, 0x33800001), UINT64_C(0x3F800001));
    ck_hex(num_add(&F32, 0x80000000, 0x80000000), UINT64_C(0x80000000));
    ck_hex(num_add(&F32, 0x3F800000, 0xBF800000), UINT64_C(0));
    ck_hex(num_add(&F32, 0xFFC12345, 0), UINT64_C(0x7FFFFFFF));
    ck_hex(num_add(&F16, 0x7C00, 0xFC00), UINT64_C(0x7FFF));
    ck_hex(num_add(&F16, 0x7BFF, 0x4C00), UINT64_C(0x7C00));
    ck_hex(num_add(&F16, 0x0001, 0x8002), UINT64_C(0x8001));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {f64_as_the_host, f32_as_the_host, landmarks, f16_as_through_f64,
                                  zeros,           nan_payloads,    f64_chain, additions};
    return run_tests("fma", tests, COUNT(tests));
}
