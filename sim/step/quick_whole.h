/* quick_whole.h - what the expressions of quick.def use of whole numbers. A part of quick_body.h.
 */

INLINE uint32_t quick_shift_signed(uint32_t x, uint32_t by) {
    uint32_t n = by < 31 ? by : 31, sign = 0u - (x >> 31);
    return ((x ^ sign) >> n) ^ sign;
}
INLINE uint64_t quick_shift_signed_64(uint64_t x, uint32_t by) {
    uint64_t n = by < 63 ? by : 63, sign = UINT64_C(0) - (x >> 63);
    return ((x ^ sign) >> n) ^ sign;
}
INLINE uint32_t quick_lop3(uint32_t x, uint32_t y, uint32_t z, unsigned table) {
    uint32_t all = 0;
    for (unsigned i = 0; i < 8; i++)
        all |= (0u - (table >> i & 1)) & (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    return all;
}
INLINE uint32_t quick_permute(uint32_t x, uint32_t y, uint32_t selectors) {
    const uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t selector = selectors >> 4 * i;
        const uint32_t byte = (uint32_t)(bytes >> (selector & 7) * 8) & 0xFF;
        const uint32_t copies = (0u - (byte >> 7)) & 0xFF;
        out |= (selector & 8 ? copies : byte) << 8 * i;
    }
    return out;
}
INLINE uint32_t quick_ones(uint32_t x) {
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return (x * 0x01010101u) >> 24;
}
INLINE uint32_t quick_zeros(uint32_t x) {
    x |= x >> 1, x |= x >> 2, x |= x >> 4, x |= x >> 8, x |= x >> 16;
    return 32 - quick_ones(x);
}
INLINE uint32_t quick_reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    x = (x >> 8 & 0x00FF00FFu) | (x & 0x00FF00FFu) << 8;
    return x >> 16 | x << 16;
}
INLINE uint32_t quick_ones_64(uint64_t x) {
    return quick_ones((uint32_t)x) + quick_ones((uint32_t)(x >> 32));
}
INLINE uint32_t quick_zeros_64(uint64_t x) {
    const uint32_t high = (uint32_t)(x >> 32);
    return high ? quick_zeros(high) : 32 + quick_zeros((uint32_t)x);
}
/* The upper half of a product, of four smaller ones. */
INLINE uint64_t quick_high(uint64_t x, uint64_t y) {
    const uint64_t low = (x & ALL) * (y & ALL), a = (x >> 32) * (y & ALL) + (low >> 32);
    const uint64_t b = (x & ALL) * (y >> 32) + (a & ALL);
    return (x >> 32) * (y >> 32) + (a >> 32) + (b >> 32);
}
INLINE uint64_t quick_high_signed(uint64_t x, uint64_t y) {
    return quick_high(x, y) - (x >> 63 ? y : 0) - (y >> 63 ? x : 0);
}
INLINE uint64_t quick_quotient_s64(int64_t x, int64_t y) {
    return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}
INLINE uint64_t quick_rest_s64(int64_t x, int64_t y) {
    return y == -1 ? 0 : (uint64_t)(x % y);
}
INLINE uint32_t quick_dot_u8(uint32_t x, uint32_t y, uint32_t sum) {
    for (unsigned i = 0; i < 32; i += 8)
        sum += (x >> i & 0xFF) * (y >> i & 0xFF);
    return sum;
}
INLINE uint32_t quick_dot_s8(uint32_t x, uint32_t y, uint32_t sum) {
    for (unsigned i = 0; i < 32; i += 8)
        sum += (uint32_t)((int32_t)(int8_t)(x >> i) * (int8_t)(y >> i));
    return sum;
}
/* `n` ones; 32 and more are all. */
INLINE uint32_t quick_mask(uint32_t n) {
    return n < 32 ? (UINT32_C(1) << (n & 31)) - 1 : ALL;
}
INLINE uint32_t quick_field(uint32_t x, uint32_t at, uint32_t length) {
    at &= 0xFF, length &= 0xFF;
    return at < 32 ? x >> (at & 31) & quick_mask(length) : 0;
}
/* The sign is the highest bit of the field, or of all where that has no more. */
INLINE uint32_t quick_field_signed(uint32_t x, uint32_t at, uint32_t length) {
    uint32_t last, sign, field;
    at &= 0xFF, length &= 0xFF;
    last = at + length - 1 < 31 ? at + length - 1 : 31;
    sign = length ? 0u - (x >> (last & 31) & 1) : 0;
    field = at < 32 ? x >> (at & 31) : 0;
    last = at < 32 ? (length < 32 - at ? length : 32 - at) : 0; /* bits of it that there are */
    return (field & quick_mask(last)) | (sign & ~quick_mask(last));
}
INLINE uint64_t quick_mask_64(uint32_t n) {
    return n < 64 ? (UINT64_C(1) << (n & 63)) - 1 : ~UINT64_C(0);
}
/* Numbers of 32 bits, unlike those above. */
INLINE uint64_t quick_field_64(uint64_t x, uint32_t at, uint32_t length) {
    return at < 64 ? x >> (at & 63) & quick_mask_64(length) : 0;
}
INLINE uint64_t quick_insert_64(uint64_t x, uint64_t into, uint32_t at, uint32_t length) {
    const uint64_t mask = at < 64 ? quick_mask_64(length) << (at & 63) : 0;
    return (into & ~mask) | (x << (at & 63) & mask);
}
INLINE uint32_t quick_insert(uint32_t x, uint32_t into, uint32_t at, uint32_t length) {
    uint32_t mask;
    at &= 0xFF, length &= 0xFF;
    mask = at < 32 ? quick_mask(length) << (at & 31) : 0;
    return (into & ~mask) | (x << (at & 31) & mask);
}

INLINE int quick_nan(uint32_t x) {
    return (x & ~QUICK_SIGN) > 0x7F800000u;
}
INLINE int quick_nan_64(uint64_t x) {
    return (x & INT64_MAX) > UINT64_C(0x7FF0000000000000);
}
/* In the order of the numbers, and both zeros are 0. */
INLINE int32_t quick_key(uint32_t x) {
    uint32_t sign = 0u - (x >> 31);
    return (int32_t)(((x & ~QUICK_SIGN) ^ sign) - sign);
}
INLINE int64_t quick_key_64(uint64_t x) {
    uint64_t sign = UINT64_C(0) - (x >> 63);
    return (int64_t)(((x & INT64_MAX) ^ sign) - sign);
}
/* A number without exponent becomes zero of its sign. */
INLINE uint32_t quick_flush(uint32_t x) {
    return x & (QUICK_SIGN | (0u - (uint32_t)((x & 0x7F800000u) != 0)));
}
INLINE int32_t quick_key_ftz(uint32_t x) {
    return quick_key(quick_flush(x));
}
/* -0 right below +0. */
INLINE int32_t quick_rank(uint32_t x) {
    return (int32_t)(x ^ ((0u - (x >> 31)) & ~QUICK_SIGN));
}
INLINE uint32_t quick_pick(uint32_t x, uint32_t y, int first) {
    uint32_t number = first ? x : y;
    return quick_nan(x) ? (quick_nan(y) ? QUICK_NAN : y) : quick_nan(y) ? x : number;
}
INLINE uint32_t quick_min(uint32_t x, uint32_t y) {
    return quick_pick(x, y, quick_rank(x) < quick_rank(y));
}
INLINE uint32_t quick_max(uint32_t x, uint32_t y) {
    return quick_pick(x, y, quick_rank(x) > quick_rank(y));
}

/* Into [0, 1]. NaN and what has a sign, as integers above infinity, are 0. */
INLINE uint32_t quick_saturate(uint32_t x) {
    const uint32_t most = x > 0x3F800000u ? 0x3F800000u : x;
    return x > 0x7F800000u ? 0 : most;
}

/* f16 to f32: the exponent is counted from another one; a subnormal is brought to normal, bit by
 * bit. */
INLINE uint32_t quick_widen(uint32_t x) {
    const uint32_t sign = (x & 0x8000u) << 16, magnitude = (x & 0x7FFFu) << 13;
    uint32_t normal = magnitude + (112u << 23), small = magnitude, exponent = 113;
    for (unsigned by = 8; by; by >>= 1) { /* at most 10 zeros in front */
        const uint32_t zeros = 0u - (uint32_t)(small < 1u << (24 - by));
        small <<= by & zeros;
        exponent -= by & zeros;
    }
    small = (small & 0x007FFFFFu) | exponent << 23;
    small &= 0u - (uint32_t)(magnitude != 0);
    normal = magnitude >= 31u << 23 ? magnitude + (224u << 23) : normal;
    normal = magnitude > 31u << 23 ? QUICK_NAN : normal | sign;
    return magnitude < 1u << 23 ? small | sign : normal;
}
/* f32 to f16, to nearest even. Adds half a unit in the last place less one below that place, and
 * one more if the place is odd. */
INLINE uint32_t quick_narrow(uint32_t x) {
    const uint32_t sign = x >> 16 & 0x8000u, magnitude = x & ~QUICK_SIGN;
    const uint32_t normal = (magnitude - (112u << 23) + 0xFFFu + (magnitude >> 13 & 1)) >> 13;
    /* below 2^-14: shift out fraction bits until the exponent is that of subnormals              */
    const uint32_t shift = 126u - (magnitude >> 23), whole = (magnitude & 0x007FFFFFu) | 1u << 23;
    const uint32_t by = shift < 31 ? shift : 31, kept = whole >> by, rest = whole - (kept << by);
    const uint32_t half = 1u << (by - 1) % 32;
    const uint32_t small = kept + (uint32_t)(rest > half || (rest == half && (kept & 1)));
    uint32_t r = magnitude < 113u << 23 ? small : normal;
    r = magnitude >= 143u << 23 ? 0x7C00u : r;
    return magnitude > 0x7F800000u ? 0x7FFFu : r | sign;
}
INLINE uint32_t quick_narrow_bf16(uint32_t x) {
    return quick_nan(x) ? 0x7FFFu : (x + 0x7FFFu + (x >> 16 & 1)) >> 16;
}

/* Rounds to an integer: to nearest even, or, without `nearest`, away from zero if the sign equals
 * `away`. `away` is 0 or QUICK_SIGN; any other value truncates. */
INLINE uint32_t quick_integral(uint32_t x, int nearest, uint32_t away) {
    const uint32_t magnitude = x & ~QUICK_SIGN, exponent = magnitude >> 23, sign = x & QUICK_SIGN;
    const uint32_t unit = UINT32_C(1) << ((150 - exponent) & 31), rest = magnitude & (unit - 1);
    const uint32_t half = nearest ? unit / 2 - 1 + (magnitude & unit ? 1 : 0) : 0;
    const uint32_t up = sign == away ? unit - 1 : half;
    uint32_t r = (magnitude + up) & ~(unit - 1);
    /* below one */
    const int one = nearest ? magnitude > 0x3F000000 : sign == away && magnitude;
    r = exponent < 127 ? (one ? 0x3F800000u : 0) : r;
    r = exponent >= 150 || (exponent >= 127 && !rest) ? magnitude : r;
    return quick_nan(x) ? QUICK_NAN : r | sign;
}
#define quick_rni(x) quick_integral(x, 1, 1)
#define quick_rzi(x) quick_integral(x, 0, 1)
#define quick_rmi(x) quick_integral(x, 0, QUICK_SIGN)
#define quick_rpi(x) quick_integral(x, 0, 0)

/* Whole numbers toward zero; what is out of range is the nearest end, NaN 0. */
INLINE uint32_t quick_whole(uint32_t x) {
    const uint32_t exponent = x >> 23 & 255, whole = (x & 0x007FFFFFu) | 1u << 23;
    const uint32_t down = 150 - exponent, up = exponent - 150;
    return exponent < 127 ? 0 : exponent < 150 ? whole >> (down & 31) : whole << (up & 31);
}
INLINE uint32_t quick_whole_s32(uint32_t x) {
    const uint32_t sign = 0u - (x >> 31), least = 0x7FFFFFFFu + (x >> 31);
    uint32_t r = (x & ~QUICK_SIGN) >= 158u << 23 ? least : (quick_whole(x) ^ sign) - sign;
    return quick_nan(x) ? 0 : r;
}
INLINE uint32_t quick_whole_u32(uint32_t x) {
    uint32_t r = x >= 159u << 23 ? ALL : quick_whole(x);
    return quick_nan(x) || x >> 31 ? 0 : r;
}

/* The same of f64, whose NaNs keep their payload. */
#define QUICK_SIGN_64 (UINT64_C(1) << 63)
INLINE uint64_t quick_integral_64(uint64_t x, int nearest, uint64_t away) {
    const uint64_t magnitude = x & INT64_MAX, exponent = magnitude >> 52, sign = x & QUICK_SIGN_64;
    const uint64_t unit = UINT64_C(1) << ((1075 - exponent) & 63), rest = magnitude & (unit - 1);
    const uint64_t half = nearest ? unit / 2 - 1 + (magnitude & unit ? 1 : 0) : 0;
    const uint64_t up = sign == away ? unit - 1 : half;
    uint64_t r = (magnitude + up) & ~(unit - 1);
    /* below one */
    const int one = nearest ? magnitude > UINT64_C(0x3FE) << 52 : sign == away && magnitude;
    r = exponent < 1023 ? (one ? UINT64_C(0x3FF) << 52 : 0) : r;
    r = exponent >= 1075 || (exponent >= 1023 && !rest) ? magnitude : r;
    return quick_nan_64(x) ? x | UINT64_C(1) << 51 : r | sign;
}
#define quick_rni_64(x) quick_integral_64(x, 1, 1)
#define quick_rzi_64(x) quick_integral_64(x, 0, 1)
#define quick_rmi_64(x) quick_integral_64(x, 0, QUICK_SIGN_64)
#define quick_rpi_64(x) quick_integral_64(x, 0, 0)

/* In the order of the numbers, -0 right below +0. */
INLINE int64_t quick_rank_64(uint64_t x) {
    return (int64_t)(x ^ ((UINT64_C(0) - (x >> 63)) & INT64_MAX));
}
/* If both are NaN, the second one stays, quiet. */
INLINE uint64_t quick_pick_64(uint64_t x, uint64_t y, int first) {
    const uint64_t number = first ? x : y;
    return quick_nan_64(x) ? (quick_nan_64(y) ? y | UINT64_C(1) << 51 : y)
                           : (quick_nan_64(y) ? x : number);
}
