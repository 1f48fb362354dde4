/* Approximate functions: results recorded on an H200, one by one and as digests; near to the truth
 * everywhere; the ends of each argument. */
#include "host.h"

#include "../../../sim/num/mufu.h"

#include <math.h>

/* FNV-1a over 64-bit words. */
static uint64_t digest(uint64_t sum, uint64_t word) {
    return (sum ^ word) * UINT64_C(0x100000001B3);
}
#define DIGEST_OF_NOTHING UINT64_C(0xCBF29CE484222325)

/* All 65,536 arguments, as the H200 gave them. */
START_TEST(all_halves) {
    static const struct {
        enum mufu_function function;
        const struct wsim_format *format;
        uint64_t recorded;
    } forms[] = {{MUFU_TANH, &F16, 0xAD1F254087177B9D},
                 {MUFU_EX2, &F16, 0x80729AC6AD55E21A},
                 {MUFU_TANH, &BF16, 0x0483E97475BF5A09},
                 {MUFU_EX2, &BF16, 0x70809A4DEA78138A}};
    uint64_t sum = DIGEST_OF_NOTHING;
    for (uint32_t x = 0; x < 0x10000; x++)
        sum = digest(sum, mufu_f16(forms[_i].function, forms[_i].format, x));
    ck_hex(sum, forms[_i].recorded);
}
END_TEST

START_TEST(recorded_f32) {
    static const struct {
        uint8_t function, ftz;
        uint32_t x, y;
    } rows[] = {
        {MUFU_EX2, 0, 0x7E8A3969, 0x7F800000},   {MUFU_EX2, 0, 0xC006259D, 0x3E6F8313},
        {MUFU_EX2, 0, 0xFFB11F98, 0x7FFFFFFF},   {MUFU_EX2, 0, 0xB117F423, 0x3F800000},
        {MUFU_EX2, 1, 0x41C8E723, 0x4C0A6A52},   {MUFU_EX2, 1, 0x3D052C80, 0x3F82EADC},
        {MUFU_EX2, 1, 0xF55E0412, 0x00000000},   {MUFU_LG2, 0, 0xFECD40CA, 0x7FFFFFFF},
        {MUFU_LG2, 0, 0x31D2DCF2, 0xC1DA3D1B},   {MUFU_LG2, 0, 0x6AB1243E, 0x42ACF001},
        {MUFU_LG2, 0, 0x151E5BEB, 0xC2A962C9},   {MUFU_LG2, 1, 0x3CB5DCE9, 0xC0AFC90C},
        {MUFU_LG2, 1, 0x42F98540, 0x40DED103},   {MUFU_LG2, 1, 0x3F800000, 0x00000000},
        {MUFU_RCP, 0, 0x8CE30D77, 0xF21051A9},   {MUFU_RCP, 0, 0x7A35E72D, 0x04B423D3},
        {MUFU_RCP, 0, 0x82B34855, 0xFC36C5E0},   {MUFU_RCP, 1, 0xF61197EB, 0x88E110AB},
        {MUFU_RCP, 1, 0x3BB4871F, 0x4335831F},   {MUFU_RSQRT, 0, 0x407900EB, 0x3F01C92A},
        {MUFU_RSQRT, 0, 0x7E2B2221, 0x201C8DAF}, {MUFU_RSQRT, 0, 0x90B43837, 0x7FFFFFFF},
        {MUFU_RSQRT, 1, 0x57A19962, 0x3363D66D}, {MUFU_RSQRT, 1, 0x4213BC53, 0x3E287EC0},
        {MUFU_SQRT, 0, 0x0C027792, 0x25B6C168},  {MUFU_SQRT, 0, 0x418240F8, 0x40811F39},
        {MUFU_SQRT, 1, 0x7AA08721, 0x5D0F581E},  {MUFU_SQRT, 1, 0x90053EFC, 0x7FFFFFFF},
        {MUFU_SIN, 0, 0xBE7D25CE, 0xBE7A93AC},   {MUFU_SIN, 0, 0xFEB0E5AD, 0x80000000},
        {MUFU_SIN, 1, 0x38E7B4FF, 0x38E7B3BE},   {MUFU_SIN, 0, 0xB28FA108, 0x80000000},
        {MUFU_COS, 0, 0xB982BC20, 0x3F7FFFFF},   {MUFU_COS, 0, 0x49B2DAB4, 0x00000000},
        {MUFU_COS, 1, 0xC729943B, 0xBE039509},   {MUFU_COS, 1, 0x4833CE3A, 0x00000000},
        {MUFU_TANH, 0, 0x10ACBDC2, 0x10ACBDC2},  {MUFU_TANH, 0, 0x3E600D8B, 0x3E5C8B60},
        {MUFU_TANH, 0, 0xC41077BD, 0xBF800000},  {MUFU_TANH, 0, 0x7F9817CE, 0x7FFFFFFF},
    };
    for (unsigned i = 0; i < COUNT(rows); i++)
        ck_hex(mufu_f32(rows[i].function, rows[i].ftz, rows[i].x), rows[i].y);
}
END_TEST

START_TEST(recorded_f64) {
    static const uint64_t reciprocals[][2] = {
        {0x0000000000000000, 0x7FF0000000000000}, {0x8000000000000001, 0xFFF0000000000000},
        {0x000FFFFFFFFFFFFF, 0x7FF0000000000000}, {0x8010000000000000, 0xFFD0000000000000},
        {0x3FF0000000000000, 0x3FF0000000000000}, {0xBFF0000000000001, 0xBFF0000000000000},
        {0x4011F951B0CAEE3F, 0x3FCC7C5A00000000}, {0xC0150C671D9ACF2B, 0xBFC8532800000000},
        {0x3E3002138C000000, 0x41AFFBDA00000000}, {0x3FD6BDA397D31E43, 0x400683BE00000000}};
    static const uint64_t roots[][3] = {
        /* x, with .ftz, without */
        {0x0000000000000000, 0x7FF0000000000000, 0x7FF0000000000000},
        {0x8000000000000001, 0xFFF0000000000000, 0xFFF8000000000000},
        {0x000FFFFFFFFFFFFF, 0x7FF0000000000000, 0x5FE0000000000001},
        {0x8010000000000000, 0x7FFFFFFF00000000, 0xFFF8000000000000},
        {0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000},
        {0x3FE0000000000000, 0x3FF6A09E00000000, 0x3FF6A09E667F3BCD}};
    for (unsigned i = 0; i < COUNT(reciprocals); i++)
        ck_hex(mufu_f64(MUFU_RCP, 1, reciprocals[i][0]), reciprocals[i][1]);
    for (unsigned i = 0; i < COUNT(roots); i++) {
        ck_hex(mufu_f64(MUFU_RSQRT, 1, roots[i][0]), roots[i][1]);
        ck_hex(mufu_f64(MUFU_RSQRT, 0, roots[i][0]), roots[i][2]);
    }
    ck_hex(mufu_f64(MUFU_RSQRT, 0, 0x436002EEBAAB6455), UINT64_C(0x3E369E8BD6ED7C57));
    ck_hex(mufu_f64(MUFU_RSQRT, 1, 0x3FF27B7B22987C37), UINT64_C(0x3FEDC60B00000000));
    ck_hex(mufu_f64(MUFU_RSQRT, 0, 0x7FF0000000000001), UINT64_C(0x7FF8000000000001));
    ck_hex(mufu_f64(MUFU_RSQRT, 0, 0x7FF0000000000000), UINT64_C(0));
}
END_TEST

START_TEST(recorded_quotients) {
    static const struct {
        uint8_t full, ftz;
        uint32_t a, b, d;
    } rows[] = {
        {0, 0, 0x00FEF66C, 0x800E0B21, 0xC1913DEE}, {0, 0, 0x7F800000, 0xC0400000, 0xFF800000},
        {0, 0, 0xCF7FFFFF, 0xBF400000, 0x4FAAAAAA}, {0, 0, 0x40400000, 0x7F7FFFFE, 0x00000000},
        {0, 0, 0xFF800000, 0x7F7FFFFF, 0x7FFFFFFF}, {0, 1, 0x3F5DB61A, 0xC0A195E0, 0xBE2FA0F5},
        {0, 1, 0x80389570, 0x80C4C652, 0x00000000}, {0, 1, 0x4B000000, 0x7F7FFFFE, 0x00000000},
        {1, 0, 0x8006FAF2, 0x009A5240, 0xBD394527}, {1, 0, 0x4B6FE000, 0xC96166F0, 0xC1883803},
        {1, 0, 0x3F800001, 0xBEFFFFFF, 0xC0000002}, {1, 1, 0x80A1D270, 0x001937A3, 0xFF800000},
        {1, 1, 0x3F400000, 0x00800000, 0x7E400000}, {1, 1, 0x76087689, 0xEF7F1593, 0xC608F3F2},
        {0, 1, 0x00800001, 0x3F800001, 0x00800000}};
    for (unsigned i = 0; i < COUNT(rows); i++)
        ck_hex((rows[i].full ? mufu_div_full : mufu_div_approx)(rows[i].ftz, rows[i].a, rows[i].b),
               rows[i].d);
    ck_hex(mufu_div_full(1, 0x7F000000, 0x7F000000), UINT64_C(0x3F800000)); /* b > 2^126 */
}
END_TEST

/* Results for arguments all over f32. When they were taken, the functions agreed with 983,040
 * recorded results, and no other coefficients fitted all arguments. */
START_TEST(digests) {
    static const uint64_t sums[][2] = {
        {0x58D155F5C3B591E0, 0xFC9E6C06E8030C7D}, {0x5C23684792457190, 0x9FB059DB2EC9C28F},
        {0xEBA95F6E5C2C091A, 0x8C6EB9716B75143C}, {0xB5E470C17AC39D7C, 0x61D22D9F7D8FEA78},
        {0x5CC8F6731A9AEFC3, 0x4D067970F6D18A89}, {0x1D263D6587B6B64A, 0x1D263D6587B6B64A},
        {0x278626C6EBB77931, 0x278626C6EBB77931}, {0x04A837ACCC7C9AFD, 0x04A837ACCC7C9AFD}};
    for (int ftz = 0; ftz < 2; ftz++) {
        uint64_t sum = DIGEST_OF_NOTHING;
        for (uint64_t x = 0; x < UINT64_C(1) << 32; x += 4099)
            sum = digest(sum, mufu_f32((enum mufu_function)_i, ftz, (uint32_t)x));
        ck_hex(sum, sums[_i][ftz]);
    }
}
END_TEST

/* --- the truth --- */

static double truth(enum mufu_function function, double x) {
    switch (function) {
    case MUFU_EX2: return exp2(x);
    case MUFU_LG2: return log2(x);
    case MUFU_RCP: return 1 / x;
    case MUFU_RSQRT: return 1 / sqrt(x);
    case MUFU_SQRT: return sqrt(x);
    case MUFU_SIN: return sin(x);
    case MUFU_COS: return cos(x);
    default: return tanh(x);
    }
}

/* PTX ISA: the most that a result is away, relative or absolute. */
START_TEST(errors_as_documented) {
    static const struct {
        double relative, absolute, from, to; /* of log2 |x| */
        int negative;
    } bound[] = {
        [MUFU_EX2] = {0x1p-22, 0, -20, 6.9, 1},    [MUFU_LG2] = {0x1p-22, 0x1p-22, -148, 127, 0},
        [MUFU_RCP] = {0x1p-23, 0, -126, 125.9, 1}, [MUFU_RSQRT] = {0x1.2p-23, 0, -148, 127, 0},
        [MUFU_SQRT] = {0x1p-22, 0, -148, 127, 0},  [MUFU_SIN] = {0, 0x1p-20, -20, 1.6, 1},
        [MUFU_COS] = {0, 0x1p-20, -20, 1.6, 1},    [MUFU_TANH] = {0x1.03p-11, 0, -30, 5, 1},
    };
    uint64_t state = (uint64_t)_i;
    for (unsigned i = 0; i < 20000; i++) {
        double at = (double)(random_bits(&state) >> 11) * 0x1p-53;
        float x = (float)exp2(bound[_i].from + at * (bound[_i].to - bound[_i].from));
        double want, got;
        x = bound[_i].negative && i % 2 ? -x : x;
        want = truth((enum mufu_function)_i, (double)x);
        got = (double)real32(mufu_f32((enum mufu_function)_i, 0, (uint32_t)bits32(x)));
        if (!(fabs(got - want) <= bound[_i].relative * fabs(want) + bound[_i].absolute))
            ck_abort_msg("function %d of %a: %a, not %a", _i, (double)x, got, want);
    }
}
END_TEST

START_TEST(refined_roots_and_quotients) {
    uint64_t state = 9;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t x = random_bits(&state) >> 1, a = random_bits(&state), b = a >> 32;
        double root = real64(x), full;
        if (x >= UINT64_C(0x7FF) << 52)
            continue;
        root = 1 / sqrt(root);
        ck_assert(fabs(real64(mufu_f64(MUFU_RSQRT, 0, x)) / root - 1) < 0x1p-51);
        a = (a & 0x807FFFFF) | 0x3F000000;
        full = (double)real32(a) / (double)real32(b);
        if (!isfinite(full) || fabs(full) > 0x1p127 || fabs(full) < 0x1p-125)
            continue;
        ck_assert(fabs((double)real32(mufu_div_full(0, (uint32_t)a, (uint32_t)b)) / full - 1) <
                  0x1p-22);
    }
}
END_TEST

/* --- ends --- */

#define ZERO UINT32_C(0)
#define MINUS UINT32_C(0x80000000)
#define INF UINT32_C(0x7F800000)
#define NEITHER UINT32_C(0x7FFFFFFF)

/* Results of 0, -0, infinity, -infinity, -1 and the least subnormal; the last also with ftz. */
START_TEST(ends) {
    static const uint32_t x[] = {ZERO, MINUS, INF, MINUS | INF, 0xBF800000, 1};
    static const uint32_t y[][7] = {
        [MUFU_EX2] = {0x3F800000, 0x3F800000, INF, ZERO, 0x3F000000, 0x3F800000, 0x3F800000},
        [MUFU_LG2] = {MINUS | INF, MINUS | INF, INF, NEITHER, NEITHER, 0xC3150000, MINUS | INF},
        [MUFU_RCP] = {INF, MINUS | INF, ZERO, MINUS, 0xBF800000, INF, INF},
        [MUFU_RSQRT] = {INF, MINUS | INF, ZERO, NEITHER, NEITHER, 0x64B504F2, INF},
        [MUFU_SQRT] = {ZERO, MINUS, INF, NEITHER, NEITHER, 0x1A3504F3, ZERO},
        [MUFU_SIN] = {ZERO, MINUS, NEITHER, NEITHER, 0xBF576AA3, ZERO, ZERO},
        [MUFU_COS] = {0x3F800000, 0x3F800000, NEITHER, NEITHER, 0x3F0A5141, 0x3F800000, 0x3F800000},
        [MUFU_TANH] = {ZERO, MINUS, 0x3F800000, 0xBF800000, 0xBF42F848, 1, 1},
    };
    enum mufu_function function = (enum mufu_function)_i;
    for (unsigned i = 0; i < COUNT(x); i++)
        ck_hex(mufu_f32(function, 0, x[i]), y[_i][i]);
    ck_hex(mufu_f32(function, 1, 1), y[_i][6]);
    ck_hex(mufu_f32(function, 0, 0xFF800001), NEITHER);
    ck_hex(mufu_f32(function, 1, 0x7FC00000), NEITHER);
}
END_TEST

/* Results below the normal numbers: kept without ftz, zeros with it. */
START_TEST(subnormal_results) {
    ck_hex(mufu_f32(MUFU_EX2, 0, 0xC3140000), UINT64_C(2)); /* 2^-148 */
    ck_hex(mufu_f32(MUFU_EX2, 1, 0xC3140000), UINT64_C(0));
    ck_hex(mufu_f32(MUFU_EX2, 0, 0xC2FC0000), UINT64_C(0x00800000)); /* 2^-126 */
    ck_hex(mufu_f32(MUFU_EX2, 1, 0xC2FC0000), UINT64_C(0x00800000));
    ck_hex(mufu_f32(MUFU_RCP, 0, 0xFF000000), UINT64_C(0x80400000)); /* 1 / -2^127 */
    ck_hex(mufu_f32(MUFU_RCP, 1, 0xFF000000), UINT64_C(0x80000000));
}
END_TEST

/* Functions of numbers, out of machine code (lab/contract/numbers.py). */
START_TEST(folded) {
    static const struct {
        uint8_t function, ftz;
        uint32_t x, y;
    } rows[] = {
        {MUFU_RSQRT, 0, 0x40100000, 0x3F2AAAAB},
        {MUFU_RSQRT, 0, 0x43000000, 0x3DB504F3},
        {MUFU_RSQRT, 0, 0x3EB33333, 0x3FD85C08},
        {MUFU_RSQRT, 0, 0x00000001, 0x64B504F3},
        {MUFU_RSQRT, 0, 0x3DCCCCCD, 0x404A62C2},
        {MUFU_SQRT, 0, 0x40000000, 0x3FB504F3},
        {MUFU_SQRT, 0, 0x7F7FFFFF, 0x5F7FFFFF},
        {MUFU_SQRT, 0, 0x00400000, 0x1FB504F3},
        {MUFU_RCP, 0, 0x40400000, 0x3EAAAAAB},
        {MUFU_RCP, 0, 0xFEEF8DFA, 0x804464C2},
        {MUFU_RCP, 0, 0x7EB1439B, 0x005C6D54},
        {MUFU_RCP, 0, 0x42C80000, 0x3C23D70A},
        {MUFU_LG2, 0, 0x41200000, 0x40549A78},
        {MUFU_LG2, 0, 0x3F800001, 0x3438AA3A},
        {MUFU_LG2, 0, 0x3F7FFFFF, 0xB3B8AA3C},
        {MUFU_LG2, 0, 0x000D1584, 0xC3014A4E},
        {MUFU_EX2, 0, 0x3F000000, 0x3FB504F3},
        {MUFU_EX2, 0, 0xBFB8AA3B, 0x3EBC5AB2},
        {MUFU_EX2, 0, 0xC300C394, 0x0012D808},
        {MUFU_EX2, 0, 0xC2FC87D6, 0x006A7FBC},
        {MUFU_EX2, 0, 0x42FF0000, 0x7F3504F3},
        {MUFU_SIN, 0, 0x3F800000, 0x3F576AA4},
        {MUFU_SIN, 0, 0x40490FDB, 0xB3BBBD2E},
        {MUFU_SIN, 0, 0x40C90FDB, 0x343BBD2E},
        {MUFU_SIN, 0, 0x7F7FFFFF, 0xBF0599B3},
        {MUFU_SIN, 0, 0xBF000000, 0xBEF57744},
        {MUFU_COS, 0, 0x3FC90FDB, 0xB33BBD2E},
        {MUFU_COS, 0, 0x40E80000, 0x3F11637B},
        {MUFU_COS, 0, 0x7F7FFFFF, 0x3F5A5F96},
        {MUFU_COS, 0, 0x42480000, 0x3F770803},
        /* the unit gives the result */
        {MUFU_RSQRT, 0, 0xBF800000, 0},
        {MUFU_LG2, 0, 0, 0},
        {MUFU_EX2, 0, 0x43000000, 0},
        {MUFU_SIN, 0, 0x00400000, 0},
        {MUFU_RCP, 1, 1, 0},
        {MUFU_EX2, 1, 0xC2FD0000, 0},
        {MUFU_COS, 0, 0x7F800000, 0},
        {MUFU_TANH, 0, 0x3F800000, 0},
    };
    for (unsigned i = 0; i < COUNT(rows); i++)
        ck_hex(mufu_folded((enum mufu_function)rows[i].function, rows[i].ftz, rows[i].x),
               rows[i].y);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{all_halves, 0, 4},
                                       {recorded_f32, 0, 1},
                                       {recorded_f64, 0, 1},
                                       {recorded_quotients, 0, 1},
                                       {digests, 0, 8},
                                       {errors_as_documented, 0, 8},
                                       {refined_roots_and_quotients, 0, 1},
                                       {ends, 0, 8},
                                       {subnormal_results, 0, 1},
                                       {folded, 0, 1}};
    return every_run("mufu", tests, COUNT(tests));
}
