/* Reads a decimal number as an exact value, ready for rounding: a bitwise division of two long
 * integers. Compilers rarely write decimals, so the code is short rather than fast. */
#include "large.h"
#include "num.h"

/* 770 digits determine every f64; of further digits only matters whether any is nonzero. So the
 * largest numerator is 10^(770 + 310), and the largest denominator 10^(770 + 345). */
enum { DIGITS = 770, LEAST = -345, MOST = 310 };

/* An exponent beyond all formats on either side. */
enum { FAR = 4000 };

static void times_power(struct large *x, unsigned power) {
    for (; power >= 9; power -= 9)
        large_multiply(x, 1000000000u, 0);
    for (; power; power--)
        large_multiply(x, 10, 0);
}

static int compare(const struct large *a, const struct large *b) {
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (unsigned i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void subtract(struct large *a, const struct large *b) {
    uint64_t borrow = 0;
    for (unsigned i = 0; i < a->n; i++) {
        uint64_t taken = borrow + (i < b->n ? b->limb[i] : 0);
        borrow = a->limb[i] < taken;
        a->limb[i] = (uint32_t)(a->limb[i] - taken);
    }
    while (a->n && a->limb[a->n - 1] == 0)
        a->n--;
}

static unsigned bits_of(const struct large *x) {
    unsigned bits = x->n * 32;
    for (uint32_t top = x->n ? x->limb[x->n - 1] : 0; x->n && !(top >> 31); top <<= 1)
        bits--;
    return bits;
}

/* top / bottom: the first bits of the quotient and a sticky bit for the rest. */
static struct num_exact quotient(struct large *top, struct large *bottom) {
    enum { BITS = 62 };
    uint64_t bits = 0;
    /* Shift to equal numbers of bits, so that bottom / 2 < top < 2 * bottom. */
    int exp = (int)bits_of(top) - (int)bits_of(bottom);
    large_shift(exp < 0 ? top : bottom, (unsigned)(exp < 0 ? -exp : exp));
    for (int i = 0; i < BITS; i++) {
        int one = compare(top, bottom) >= 0;
        if (one)
            subtract(top, bottom);
        bits = bits << 1 | (unsigned)one;
        large_multiply(top, 2, 0);
    }
    bits = bits << 1 | (top->n != 0);
    return (struct num_exact){.exp = exp - BITS, .mag = bits};
}

/* Reads digits into `x`, with a digit 1 at the end if nonzero digits were left out. Returns the
 * power of ten of the last digit. */
static int read_digits(const char *text, const char *end, struct large *x) {
    int power = 0, point = 0, left_out = 0;
    unsigned digits = 0;
    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            point = 1;
        } else if (digits < DIGITS) {
            large_multiply(x, 10, (uint32_t)(*text - '0'));
            digits += x->n != 0;
            power -= point;
        } else {
            left_out |= *text != '0';
            power += !point;
        }
        if (power > 1000000 || power < -1000000)
            break;
    }
    if (left_out) {
        large_multiply(x, 10, 1);
        power--;
    }
    return power;
}

static int read_exponent(const char *text, const char *end) {
    int power = 0, negative = 0;
    while (text < end && *text != 'e' && *text != 'E')
        text++;
    if (text == end)
        return 0;
    negative = *++text == '-';
    for (text += *text == '-' || *text == '+'; text < end; text++)
        if (power < 100000000)
            power = power * 10 + (*text - '0');
    return negative ? -power : power;
}

struct num_exact num_decimal(const char *text, size_t n) {
    const struct num_exact nothing = {.mag = 0}, little = {.exp = -FAR, .mag = 1},
                           much = {.exp = FAR, .mag = 1};
    struct large top = {.n = 0}, bottom = {.limb = {1}, .n = 1};
    int power = read_digits(text, text + n, &top);
    power += read_exponent(text, text + n);
    if (top.n == 0)
        return nothing;
    /* The decimal exponents of the first and the last digit differ by at most 9.6 a limb. */
    if (power + (int)top.n * 10 < LEAST)
        return little;
    if (power > MOST)
        return much;
    if (power >= 0)
        times_power(&top, (unsigned)power);
    else if (-power <= DIGITS - LEAST)
        times_power(&bottom, (unsigned)-power);
    else
        return little;
    return quotient(&top, &bottom);
}
