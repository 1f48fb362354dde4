/* Conversions. Formats of few bits are compared with a search among all their numbers, f64, f32 and
 * integers with the four roundings of this machine. NaNs, flushing and saturation follow
 * recordings of an H200. */
#include "host.h"

#include "../../../sim/num/real.h"

#include <math.h>

static const struct real_mode plain;

/* --- to few bits --- */

/* The number of `to` for a finite x, by a search over all numbers. Takes the nearer one of the next
 * below and above, or the one with an even last bit, or the one in the direction.
 * Beyond the largest one a further place is thought, where infinity is. */
static uint64_t search(const struct wsim_format *to, unsigned rounding, int satfinite, double x) {
    uint64_t sign = signbit(x) ? UINT64_C(1) << (to->bits - 1) : 0, below = 0, above, largest;
    double mag = fabs(x), low, high;
    for (largest = (UINT64_C(1) << (to->bits - 1)) - 1;; largest--) {
        enum wsim_class cls = wsim_format_decode(to, largest).cls;
        if (cls == WSIM_FINITE)
            break;
    }
    for (uint64_t i = 0; i <= largest; i++)
        if (real_of(to, i) <= mag)
            below = i;
    above = below + 1;
    low = real_of(to, below);
    high = below == largest ? 2 * low - real_of(to, below - 1) : real_of(to, above);
    if (low == mag || rounding == WSIM_RZ || rounding == (sign ? WSIM_RP : WSIM_RM))
        return sign | below;
    if (rounding == WSIM_RN &&
        (mag - low < high - mag || (mag - low == high - mag && !(below & 1))))
        return sign | below;
    return sign | (above > largest && satfinite ? largest : above);
}

/* Operands of f32: around every number of `to`, and the middles between them. */
START_TEST(to_few_bits) {
    static const struct wsim_format *const narrow[] = {&E4M3, &E5M2, &E3M2, &E2M3, &E2M1};
    const struct wsim_format *to = narrow[_i / 2];
    unsigned last = to->specials == WSIM_SPECIALS_IEEE ? WSIM_RP : WSIM_RN;
    int satfinite = _i % 2 || to->specials != WSIM_SPECIALS_IEEE;
    uint64_t state = (uint64_t)_i;
    for (unsigned i = 0; i < 4000; i++) {
        uint64_t code = random_bits(&state) & ((UINT64_C(1) << to->bits) - 1);
        uint64_t x = 0;
        if (wsim_format_decode(to, code).cls <= WSIM_FINITE)
            x = bits32((float)(real_of(to, code) + (i & 1) * real_of(to, code & 1 ? 1 : 3) / 2));
        x += i / 2 % 5 - 2;
        if (i % 16 == 0)
            x = 0x477FE000 + i; /* about the end of e5m2 */
        if (!isfinite(real32(x)))
            continue;
        for (uint8_t rounding = WSIM_RN; rounding <= last; rounding++) {
            struct real_mode mode = {.rounding = rounding, .satfinite = (uint8_t)satfinite};
            ck_hex(convert_real(&F32, to, &mode, x),
                   search(to, rounding, satfinite, (double)real32(x)));
        }
    }
}
END_TEST

/* Every f16 and bf16 through f32 and f64, and back, is itself; a NaN is what it becomes. */
START_TEST(halves_widened) {
    const struct wsim_format *half = _i ? &BF16 : &F16;
    for (unsigned x = 0; x < 0x10000; x++) {
        uint64_t wide = convert_real(half, &F32, &plain, x);
        uint64_t wider = convert_real(half, &F64, &plain, x);
        if (is_nan(half, x)) {
            ck_hex(wide, _i ? (uint64_t)x << 16 : 0x7FFFFFFF);
            ck_hex(convert_real(&F32, half, &plain, wide), half->nan);
            ck_hex(convert_real(&F64, half, &plain, wider), x | 1u << (half->frac_bits - 1));
            continue;
        }
        ck_hex(wide, bits32((float)real_of(half, x)));
        ck_hex(wider, bits64(real_of(half, x)));
        ck_hex(convert_real(&F32, half, &plain, wide), x);
        ck_hex(convert_real(&F64, half, &plain, wider), x);
    }
}
END_TEST

START_TEST(to_halves_tf32_and_f32) {
    static const struct wsim_format *const narrow[] = {&F16, &BF16, &TF32, &F32};
    uint64_t state = 21 + (uint64_t)_i;
    for (unsigned i = 0; i < 60000; i++) {
        const struct wsim_format *to = narrow[_i];
        uint64_t wide = nasty(&F64, &state, 1023 - 150 + i % 300);
        uint64_t middle = nasty(&F32, &state, i % 16 ? i % 254 + 1 : 0);
        wide = i & 1 ? wide & ~((UINT64_C(1) << (51 - to->frac_bits)) - 1) : wide; /* ties */
        for (uint8_t rounding = WSIM_RN; rounding <= WSIM_RP; rounding++) {
            struct real_mode mode = {.rounding = rounding};
            ck_hex(convert_real(&F64, to, &mode, wide), host_narrow(to, rounding, real64(wide)));
            if (isfinite(real32(middle)) && to != &F32)
                ck_hex(convert_real(&F32, to, &mode, middle),
                       host_narrow(to, rounding, (double)real32(middle)));
        }
    }
}
END_TEST

/* Ties away are of tf32: an addition to the bits, which knows no NaN. */
START_TEST(ties_away) {
    static const struct real_mode away = {.rounding = WSIM_RNA};
    static const struct real_mode finite = {.rounding = WSIM_RNA, .satfinite = 1};
    static const uint32_t cases[][3] = {
        {0x3F800FFF, 0x3F800000, 0x3F800000}, {0x3F801000, 0x3F802000, 0x3F802000},
        {0xBF803000, 0xBF804000, 0xBF804000}, {0x3FFFFFFF, 0x40000000, 0x40000000},
        {0x00001000, 0x00002000, 0x00002000}, {0x7F7FFFFF, 0x7F800000, 0x7F7FE000},
        {0xFF800000, 0xFF800000, 0xFF7FE000}, {0x7FBFFFFF, 0x7FBFE000, 0x7FBFC000},
        {0x7F800001, 0x7F800000, 0x7F7FE000},
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        ck_hex(convert_real(&F32, &TF32, &away, cases[i][0]) << 13, cases[i][1]);
        ck_hex(convert_real(&F32, &TF32, &finite, cases[i][0]) << 13, cases[i][2]);
    }
    for (uint64_t x = 0; x < 0x40000000; x += 0xFFF3) { /* in the middle the larger one */
        struct real_mode up = {.rounding = x & 0x1000 ? WSIM_RP : WSIM_RZ};
        ck_hex(convert_real(&F32, &TF32, &away, x), convert_real(&F32, &TF32, &up, x));
    }
}
END_TEST

/* --- NaNs and words --- */

START_TEST(nans) {
    static const struct real_mode ftz = {.ftz = 1}, sat = {.sat = 1}, finite = {.satfinite = 1};
    ck_hex(convert_real(&F32, &F32, &plain, 0xFF800001), UINT64_C(0xFF800001)); /* a move */
    ck_hex(convert_real(&F32, &F32, &ftz, 0xFF800001), UINT64_C(0x7FFFFFFF));
    ck_hex(convert_real(&F64, &F64, &plain, 0x7FF0000000000001), UINT64_C(0x7FF0000000000001));
    ck_hex(convert_real(&F64, &F64, &sat, 0x7FF0000000000001), UINT64_C(0));
    ck_hex(convert_real(&F64, &F32, &plain, 0xFFF0000020000000), UINT64_C(0xFFC00001));
    ck_hex(convert_real(&F64, &F16, &plain, 0xFFF8000000000000), UINT64_C(0xFE00));
    ck_hex(convert_real(&F64, &BF16, &plain, 0x7FF7FFFFFFFFFFFF), UINT64_C(0x7FFF));
    ck_hex(convert_real(&F32, &F64, &plain, 0xFF800001), UINT64_C(0xFFF8000020000000));
    ck_hex(convert_real(&F32, &F64, &ftz, 0xFF800001), UINT64_C(0x7FFFFFFFE0000000));
    ck_hex(convert_real(&BF16, &F32, &plain, 0xFF81), UINT64_C(0xFF810000));
    ck_hex(convert_real(&BF16, &F32, &ftz, 0xFF81), UINT64_C(0x7FFFFFFF));
    ck_hex(convert_real(&F16, &BF16, &plain, 0xFC01), UINT64_C(0x7FFF));
    ck_hex(convert_real(&F16, &F16, &plain, 0xFC01), UINT64_C(0x7FFF));
    ck_hex(convert_real(&F32, &TF32, &plain, 0xFFC00000), UINT64_C(0x3FFFF));
    ck_hex(convert_real(&F32, &E4M3, &finite, 0xFFC00000), UINT64_C(0x7F));
    ck_hex(convert_real(&F32, &E5M2, &finite, 0xFFC00000), UINT64_C(0x7F));
    ck_hex(convert_real(&F32, &F16, &finite, 0xFFC00000), UINT64_C(0x7FFF));
    ck_hex(convert_real(&F32, &E2M1, &finite, 0xFFC00000), UINT64_C(0x7)); /* CUDA, fp4: 6 */
    ck_hex(convert_real(&F32, &E3M2, &finite, 0x7FC00000), UINT64_C(0x1F));
}
END_TEST

START_TEST(words) {
    static const struct real_mode relu = {.relu = 1}, sat = {.sat = 1}, finite = {.satfinite = 1};
    static const struct real_mode up = {.rounding = WSIM_RP, .ftz = 1}, ftz = {.ftz = 1};
    ck_hex(convert_real(&F32, &E4M3, &relu, 0xFF7FFFFF), UINT64_C(0));
    ck_hex(convert_real(&F32, &F16, &relu, 0x80000000), UINT64_C(0));
    ck_hex(convert_real(&F32, &F16, &relu, 0xFFC00000), UINT64_C(0x7FFF));
    ck_hex(convert_real(&F32, &F16, &sat, 0x40000000), UINT64_C(0x3C00));
    ck_hex(convert_real(&F32, &F16, &sat, 0xBF800000), UINT64_C(0));
    ck_hex(convert_real(&F32, &F16, &finite, 0x7F800000), UINT64_C(0x7BFF));
    ck_hex(convert_real(&F32, &F16, &finite, 0xFF7FFFFF), UINT64_C(0xFBFF));
    ck_hex(convert_real(&F32, &BF16, &finite, 0xFF800000), UINT64_C(0xFF7F));
    ck_hex(convert_real(&F32, &E5M2, &finite, 0x7F800000), UINT64_C(0x7B));
    ck_hex(convert_real(&F32, &E5M2, &plain, 0x7F800000), UINT64_C(0x7C));
    /* f32 is flushed, but not on its way to f16, whose subnormals are kept as well */
    ck_hex(convert_real(&F32, &F16, &up, 0x00000001), UINT64_C(0x0001));
    ck_hex(convert_real(&F32, &BF16, &up, 0x00000001), UINT64_C(0));
    ck_hex(convert_real(&F32, &F16, &ftz, 0x33800000), UINT64_C(0x0001));
    ck_hex(convert_real(&F16, &F32, &ftz, 0x0001), UINT64_C(0x33800000));
    ck_hex(convert_real(&BF16, &F32, &ftz, 0x8001), UINT64_C(0x80000000));
    ck_hex(convert_real(&F64, &F32, &ftz, 0xB80FBE9085B132C0), UINT64_C(0x80000000));
    ck_hex(convert_real(&F32, &F64, &ftz, 0x807FFFFF), UINT64_C(0x8000000000000000));
}
END_TEST

/* --- integers --- */

static const struct wsim_format S8 = {"", WSIM_INT, 8, 0, 1, 0, 0, WSIM_SPECIALS_NONE, 0, 0};
static const struct wsim_format S16 = {"", WSIM_INT, 16, 0, 1, 0, 0, WSIM_SPECIALS_NONE, 0, 0};
static const struct wsim_format U16 = {"", WSIM_INT, 16, 0, 0, 0, 0, WSIM_SPECIALS_NONE, 0, 0};
static const struct wsim_format U64 = {"", WSIM_INT, 64, 0, 0, 0, 0, WSIM_SPECIALS_NONE, 0, 0};
static const struct wsim_format *const integers[] = {&S8, &U8, &S16, &U16, &S32, &U32, &S64, &U64};

/* x rounded to an integer by the C library of this machine. A compiler's own rint may assume the
 * default rounding. */
static double whole(unsigned rounding, double x) {
    double (*volatile function)(double) = rint;
    host_set(rounding);
    x = function(x);
    host_set(WSIM_RN);
    return x;
}

static uint64_t host_integer(const struct wsim_format *to, unsigned rounding, double x) {
    uint64_t mask = ~UINT64_C(0) >> (64 - to->bits);
    double top = ldexp(1, to->bits - to->is_signed), bottom = to->is_signed ? -top : 0;
    x = whole(rounding, x);
    if (x >= top)
        return mask >> to->is_signed;
    if (x <= bottom)
        return to->is_signed ? (mask >> 1) + 1 : 0;
    return (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & mask;
}

START_TEST(to_integers) {
    static const struct wsim_format *const from[] = {&F32, &F64, &F16, &BF16};
    const struct wsim_format *format = from[_i % 4], *to = integers[_i / 4];
    uint64_t state = (uint64_t)_i;
    for (unsigned i = 0; i < 6000; i++) {
        uint64_t x = i < LANDMARKS ? landmark(format, i)
                                   : nasty(format, &state, (unsigned)format->bias + i % 68 - 2);
        for (uint8_t rounding = WSIM_RN; rounding <= WSIM_RP; rounding++) {
            struct real_mode mode = {.rounding = rounding};
            uint64_t want =
                is_nan(format, x)
                    ? format == &F64 || to->bits == 64 ? UINT64_C(1) << (to->bits - 1) : 0
                    : host_integer(to, rounding, real_of(format, x));
            ck_hex(convert_to_integer(format, to, &mode, x), want);
        }
    }
}
END_TEST

START_TEST(from_integers) {
    const struct wsim_format *from = integers[_i];
    uint64_t state = (uint64_t)_i, mask = ~UINT64_C(0) >> (64 - from->bits);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t x = random_bits(&state) >> random_bits(&state) % 64;
        x = (i & 1 ? x : i & 2 ? ~x : (x | (UINT64_C(1) << 63) >> i / 4 % 64)) & mask;
        for (uint8_t rounding = WSIM_RN; rounding <= WSIM_RP; rounding++) {
            struct real_mode mode = {.rounding = rounding};
            int64_t s =
                from->is_signed && x >> (from->bits - 1) ? (int64_t)(x | ~mask) : (int64_t)x;
            volatile int64_t in = s;
            volatile uint64_t unsigned_in = x;
            volatile double d;
            volatile float f;
            host_set(rounding);
            d = from->is_signed ? (double)in : (double)unsigned_in;
            f = from->is_signed ? (float)in : (float)unsigned_in;
            host_set(WSIM_RN);
            if (x == 0)
                d = 0, f = 0;
            ck_hex(convert_from_integer(from, &F64, &mode, x), bits64(d));
            ck_hex(convert_from_integer(from, &F32, &mode, x), bits32(f));
            if (from->bits <= 32) /* exact in f64 */
                ck_hex(convert_from_integer(from, &F16, &mode, x), host_narrow(&F16, rounding, d));
        }
    }
}
END_TEST

START_TEST(whole_numbers) {
    static const struct wsim_format *const formats[] = {&F32, &F64, &F16, &BF16};
    static const struct real_mode sat = {.sat = 1}, ftz = {.ftz = 1, .rounding = WSIM_RP};
    const struct wsim_format *format = formats[_i];
    uint64_t state = (uint64_t)_i;
    for (unsigned i = 0; i < 30000; i++) {
        uint64_t x = i < LANDMARKS ? landmark(format, i)
                                   : nasty(format, &state, (unsigned)format->bias + i % 60 - 3);
        for (uint8_t rounding = WSIM_RN; rounding <= WSIM_RP; rounding++) {
            struct real_mode mode = {.rounding = rounding};
            uint64_t got = convert_integral(format, &mode, x);
            if (is_nan(format, x))
                ck_hex(got, format == &F64 ? x | UINT64_C(1) << 51 : format->nan);
            else
                ck_hex(bits64(real_of(format, got)), bits64(whole(rounding, real_of(format, x))));
        }
    }
    ck_hex(convert_integral(&F32, &sat, 0x40200000), UINT64_C(0x3F800000));
    ck_hex(convert_integral(&F32, &sat, 0xBF800000), UINT64_C(0));
    ck_hex(convert_integral(&F32, &sat, 0x7FC00000), UINT64_C(0));
    ck_hex(convert_integral(&F32, &ftz, 0x00000001), UINT64_C(0));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {to_few_bits, 0, 10}, {halves_widened, 0, 2}, {to_halves_tf32_and_f32, 0, 4},
        {ties_away, 0, 1},    {nans, 0, 1},           {words, 0, 1},
        {to_integers, 0, 32}, {from_integers, 0, 8},  {whole_numbers, 0, 4}};
    return every_run("convert", tests, COUNT(tests));
}
