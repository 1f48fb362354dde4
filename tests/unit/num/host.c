#include "host.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

void host_set(unsigned rounding) {
    static const int mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    fesetround(mode[rounding]);
}

double real64(uint64_t bits) {
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

uint64_t bits64(double real) {
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

float real32(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float real;
    memcpy(&real, &low, sizeof real);
    return real;
}

uint64_t bits32(float real) {
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

int is_nan(const struct wsim_format *format, uint64_t bits) {
    return wsim_format_decode(format, bits).cls == WSIM_NAN;
}

double real_of(const struct wsim_format *format, uint64_t bits) {
    struct wsim_value value = wsim_format_decode(format, bits);
    double real = value.cls == WSIM_INF ? (double)INFINITY : ldexp((double)value.sig, value.exp);
    return value.negative ? -real : real;
}

/* Rounds to multiples of 2^quantum by adding a number with that last place, in the
 * rounding of the machine. The subtraction of this number is exact. */
static double round_to(double real, int quantum) {
    volatile double magic = ldexp(real < 0 ? -1.5 : 1.5, quantum + 52), sum = magic + real;
    volatile double rounded = sum - magic;
    return rounded;
}

uint64_t host_narrow(const struct wsim_format *format, unsigned rounding, double real) {
    uint64_t sign = signbit(real) ? UINT64_C(1) << (format->bits - 1) : 0;
    uint64_t infinity = ((UINT64_C(1) << format->exp_bits) - 1) << format->frac_bits;
    int least = 1 - format->bias, exp, up;
    double rounded;
    if (real == 0)
        return sign;
    exp = ilogb(real) < least ? least : ilogb(real);
    host_set(rounding);
    rounded = fabs(round_to(real, exp - format->frac_bits));
    host_set(WSIM_RN);
    up = rounding == WSIM_RN || rounding == (sign ? WSIM_RM : WSIM_RP);
    if (rounded >= ldexp(1, format->bias + 1))
        return sign | (infinity - !up);
    if (rounded < ldexp(1, least))
        return sign | (uint64_t)ldexp(rounded, format->frac_bits - least);
    exp = ilogb(rounded);
    return sign + ((uint64_t)(exp + format->bias - 1) << format->frac_bits) +
           (uint64_t)ldexp(rounded, format->frac_bits - exp);
}

double host_fma(unsigned rounding, double x, double y, double z) {
    volatile double a = x, b = y, c = z, d;
    host_set(rounding);
    d = fma(a, b, c);
    host_set(WSIM_RN);
    return d;
}

double host_odd_fma(double x, double y, double z) {
    volatile double a = x, b = y, c = z, d;
    uint64_t bits;
    host_set(WSIM_RZ);
    feclearexcept(FE_INEXACT);
    d = fma(a, b, c);
    bits = bits64(d) | (fetestexcept(FE_INEXACT) != 0);
    host_set(WSIM_RN);
    return real64(bits);
}

uint64_t nasty(const struct wsim_format *format, uint64_t *state, unsigned near) {
    uint64_t r = random_bits(state), ones = (UINT64_C(1) << format->frac_bits) - 1;
    uint64_t top = (UINT64_C(1) << format->exp_bits) - 1;
    uint64_t frac = random_bits(state) & ones;
    uint64_t field = (near + (r >> 8) % 7 - 3) & top;
    switch (r & 7) {
    case 0: frac = 0; break;
    case 1: frac = ones; break;
    case 2: frac = 1; break;
    case 3: frac = UINT64_C(1) << (frac % format->frac_bits); break;
    case 4: frac = ones ^ UINT64_C(1) << (frac % format->frac_bits); break;
    default: break;
    }
    return (r >> 63) << (format->bits - 1) | field << format->frac_bits | frac;
}

uint64_t landmark(const struct wsim_format *format, unsigned i) {
    uint64_t least = UINT64_C(1) << format->frac_bits, half = least >> 1;
    uint64_t infinity = ((UINT64_C(1) << format->exp_bits) - 1) << format->frac_bits;
    uint64_t one = (uint64_t)format->bias << format->frac_bits;
    const uint64_t magnitude[LANDMARKS / 2] = {
        0,
        1,
        2,
        half,
        least - 1,
        least,
        least + 1,
        one - (format->frac_bits + 1u) * least, /* half of the last place of one */
        one - 1,
        one,
        one + 1,
        one + half,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + half + 5,
    };
    return magnitude[i / 2] | (uint64_t)(i & 1) << (format->bits - 1);
}
