/* The linear filter: texels times weights in 1/256, as an H100 blends them.
 *
 * Weights have 8 bits, as fractions do, and are 256 together. An axis splits each weight of the
 * axis before it into two. One of them is rounded, and the other is the rest.
 *
 * Floats. Significands are aligned to the largest texel that has a weight, and cut off 4 bits below
 * its last one. Their weighted sum is exact, and is rounded once to the format of the texel, halves
 * away from zero.
 *
 * Fractions of integers become numbers of 16 bits, and so does their weighted sum, rounded to
 * nearest, halves up. Signed bytes are summed first.
 *
 * Evidence: 160,000 results of an H100, with mipmaps and cubes (lab/textures). The way in
 * which sums of two planes of 3D are joined is inferred: 8 of 4,000 differ in the last bit. */
#include "../isa/isa.h"
#include "../num/num.h"
#include "texture.h"

#include <string.h>

enum { HALF = TEXTURE_ONE / 2, GUARD = 4, QUIET = 0x7FFFFFFF, QUIET_HALF = 0x7FFF };

/* The weight of a texel whose fraction is 0. One whose weight is rounded to 0 is read. */
#define NOT_READ UINT32_MAX

/* weight * fraction / 256, halves up or down. */
static uint32_t part_of(uint32_t weight, uint32_t fraction, int up) {
    return (weight * fraction + HALF - !up) / TEXTURE_ONE;
}

/* Splits levels, then along z, x and y. Halves are rounded down along z and up along x.
 * Along y, they go the way that x took. */
static void weights_of(const struct texture_taps *taps, uint32_t weight[TEXTURE_TAPS + 4]) {
    const unsigned each = taps->n / taps->levels;
    for (unsigned level = 0; level < taps->levels; level++) {
        const uint16_t *fraction = taps->fraction[level];
        const uint32_t share = taps->levels == 1 ? TEXTURE_ONE
                               : level           ? taps->between
                                                 : (uint32_t)TEXTURE_ONE - taps->between;
        const uint32_t back = each == TEXTURE_CELL ? part_of(share, fraction[2], 0) : 0;
        for (unsigned z = 0; 4 * z < each; z++) {
            uint32_t *const w = &weight[each * level + 4 * z];
            w[0] = z ? back : share - back;
            w[1] = part_of(w[0], fraction[0], 1);
            w[0] -= w[1];
            w[2] = part_of(w[0], fraction[1], 0);
            w[3] = part_of(w[1], fraction[1], 1);
            w[0] -= w[2];
            w[1] -= w[3];
        }
    }
    for (unsigned i = 0; i < taps->n; i++)
        for (unsigned k = 0; k < 3; k++)
            if ((i % each) >> k & 1 && !taps->fraction[i / each][k])
                weight[i] = NOT_READ;
}

/* --- floats --- */

enum { F32_BITS = 32, F32_DIGITS = 23, F32_LEAST = -150, F32_SPECIAL = 255 };

/* f32 has no subnormals here, f16 has. */
static struct wsim_value value_of(const struct wsim_format *format, uint32_t bits) {
    const uint32_t digits = bits & ((UINT32_C(1) << F32_DIGITS) - 1);
    const uint32_t field = bits >> F32_DIGITS & F32_SPECIAL;
    struct wsim_value x = {.cls = WSIM_ZERO, .negative = (uint8_t)(bits >> (F32_BITS - 1))};
    if (format->bits != F32_BITS)
        return wsim_format_decode(format, bits);
    if (field == F32_SPECIAL)
        x.cls = digits ? WSIM_NAN : WSIM_INF;
    else if (field) {
        x.cls = WSIM_FINITE;
        x.sig = UINT32_C(1) << F32_DIGITS | digits;
        x.exp = (int)field + F32_LEAST;
    }
    return x;
}

static int length_of(const struct wsim_format *format, uint64_t x) {
    int n = 0;
    if (format->bits == F32_BITS)
        return x ? F32_DIGITS + 1 : 0;
    for (; x; x >>= 1)
        n++;
    return n;
}

/* The result if a texel is infinite or no number; else 0. */
static uint32_t special_of(const struct wsim_format *format, const uint32_t *texel,
                           const uint32_t *weight, unsigned n) {
    const uint32_t nan = format->bits == 32 ? QUIET : texture_widened(QUIET_HALF);
    int infinite = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct wsim_value x = value_of(format, texel[i]);
        const int sign = x.negative ? -1 : 1;
        if (weight[i] == NOT_READ || (x.cls != WSIM_NAN && x.cls != WSIM_INF))
            continue;
        if (x.cls == WSIM_NAN || infinite == -sign)
            return nan;
        infinite = sign;
    }
    return !infinite ? 0 : infinite < 0 ? 0xFF800000u : 0x7F800000u;
}

/* sum * 2^exp. */
struct sum {
    int64_t sum;
    int exp, negative; /* negative: all that is added */
};

/* sum / 2^by, rounded down. */
static int64_t shifted(int64_t sum, unsigned by) {
    const int64_t unit = by < 62 ? INT64_C(1) << by : INT64_C(1) << 62;
    return sum >= 0 ? sum / unit : -((-sum + unit - 1) / unit);
}

/* The texels of a plane. */
static struct sum sum_of(const struct wsim_format *format, const uint32_t *texel,
                         const uint32_t *weight, unsigned n) {
    struct sum all = {.exp = INT16_MIN, .negative = 1};
    int top = INT16_MIN;
    for (unsigned i = 0; i < n; i++) {
        const struct wsim_value x = value_of(format, texel[i]);
        const int most = x.exp + length_of(format, x.sig);
        if (weight[i] && weight[i] != NOT_READ) {
            all.negative &= x.negative;
            top = x.cls == WSIM_FINITE && most > top ? most : top;
        }
    }
    if (top == INT16_MIN)
        return all;
    all.exp = top - 1 - format->frac_bits - GUARD;
    for (unsigned i = 0; i < n; i++) {
        const struct wsim_value x = value_of(format, texel[i]);
        const int drop = all.exp - x.exp;
        if (x.cls == WSIM_FINITE && weight[i] && weight[i] != NOT_READ) {
            const uint64_t sig = drop <= 0 ? x.sig << -drop : drop < 64 ? x.sig >> drop : 0;
            const int64_t product = (int64_t)(sig * weight[i]);
            all.sum += x.negative ? -product : product;
        }
    }
    all.exp -= 8;
    return all;
}

/* Two planes together, down to the last bit of the larger. */
static struct sum joined(struct sum a, struct sum b) {
    const int exp = a.exp > b.exp ? a.exp : b.exp;
    a.sum = shifted(a.sum, (unsigned)(exp - a.exp)) + shifted(b.sum, (unsigned)(exp - b.exp));
    a.exp = exp;
    a.negative &= b.negative;
    return a;
}

static int is_normal(uint32_t bits) {
    const uint32_t field = bits >> F32_DIGITS & F32_SPECIAL;
    return field && field != F32_SPECIAL;
}

/* The blend of planes as f32, which has the digits of the format. */
static uint32_t blend_floats(const struct wsim_format *format, const uint32_t *texel,
                             const uint32_t *weight, unsigned n, unsigned plane) {
    const struct num_result nearest = {format, format->frac_bits, WSIM_RNA};
    uint32_t special;
    struct sum all;
    uint64_t bits;
    if (n == 1 && format->bits == F32_BITS && is_normal(*texel))
        return *texel; /* its weight is 1 */
    special = special_of(format, texel, weight, n);
    all = sum_of(format, texel, weight, plane);
    if (special)
        return special;
    for (unsigned i = plane; i < n; i += plane)
        all = joined(all, sum_of(format, texel + i, weight + i, plane));
    if (!all.sum)
        return all.negative ? 0x80000000u : 0;
    bits = num_round(&nearest, all.sum < 0, all.sum < 0 ? (uint64_t)-all.sum : (uint64_t)all.sum,
                     all.exp, 0);
    if (format->bits == 32)
        return bits & 0x7F800000u ? (uint32_t)bits : (uint32_t)bits & 0x80000000u;
    return texture_widened((uint32_t)bits);
}

/* --- fractions of integers --- */

static int32_t integer_of(const struct wsim_array *array, uint32_t texel) {
    const uint32_t sign = UINT32_C(1) << (array->bits - 1);
    return array->kind == WSIM_CHANNEL_SIGNED ? (int32_t)((texel ^ sign) - sign) : (int32_t)texel;
}

static uint32_t blend_integers(const struct wsim_array *array, const uint32_t *texel,
                               const uint32_t *weight, unsigned n) {
    const int is_signed = array->kind == WSIM_CHANNEL_SIGNED;
    int64_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        if (weight[i] != NOT_READ)
            sum += (int64_t)integer_of(array, texel[i]) * weight[i];
    if (array->bits == 8 && is_signed)
        sum = shifted(8 * sum + shifted(sum, 4) + shifted(sum, 12) + 4, 3);
    else
        sum = shifted((array->bits == 8 ? 257 * sum : sum) + HALF, 8);
    if (sum < INT16_MIN + 1)
        sum = INT16_MIN + 1;
    return texture_fraction(16, is_signed, (uint32_t)sum & 0xFFFF);
}

/* --- results --- */

static uint32_t raw_of(const struct wsim_texture *texture, const struct texture_taps *taps,
                       const uint8_t *const texel[TEXTURE_TAPS], unsigned i, unsigned channel) {
    return taps->border >> i & 1 ? texture_border(texture, channel)
                                 : texture_raw(&texture->array, texel[i], channel);
}

static uint32_t blend_channel(const struct wsim_texture *texture, const struct texture_taps *taps,
                              const uint8_t *const texel[TEXTURE_TAPS],
                              const uint32_t weight[TEXTURE_TAPS], unsigned n, unsigned channel) {
    const struct wsim_array *array = &texture->array;
    const unsigned each = n == 1 ? 1 : n / taps->levels;
    uint32_t raw[TEXTURE_TAPS];
    for (unsigned i = 0; i < n; i++)
        raw[i] = raw_of(texture, taps, texel, i, channel);
    if (array->kind != WSIM_CHANNEL_FLOAT)
        return blend_integers(array, raw, weight, n);
    return blend_floats(&isa_formats[array->bits == F32_BITS ? FORMAT_F32 : FORMAT_F16], raw,
                        weight, n, each == TEXTURE_CELL ? each / 2 : each);
}

/* The taps that a lookup without fractions reads: the first one. */
static unsigned read_of(const struct texture_taps *taps) {
    const uint16_t *fraction = taps->fraction[0];
    return taps->levels == 1 && !fraction[0] && !fraction[1] && !fraction[2] ? 1 : taps->n;
}

void texture_blend(const struct wsim_texture *texture, const struct texture_taps *taps,
                   const uint8_t *const texel[TEXTURE_TAPS], uint32_t out[4]) {
    uint32_t weight[TEXTURE_TAPS + 4] = {TEXTURE_ONE};
    const unsigned n = read_of(taps);
    if (n > 1)
        weights_of(taps, weight);
    for (unsigned channel = 0; channel < 4; channel++)
        if (!taps->n || channel >= texture->array.channels)
            out[channel] = 0;
        else if (taps->n == 1)
            out[channel] =
                texture_value(texture, raw_of(texture, taps, texel, 0, channel), channel);
        else
            out[channel] = blend_channel(texture, taps, texel, weight, n, channel);
}

/* --- a lane of a row --- */

/* The weights of the taps of one plane: as weights_of, without marks. */
static void plane_weights(uint32_t x, uint32_t y, uint32_t w[TEXTURE_PLANE]) {
    w[1] = part_of(TEXTURE_ONE, x, 1);
    w[0] = TEXTURE_ONE - w[1];
    w[2] = part_of(w[0], y, 0);
    w[3] = part_of(w[1], y, 1);
    w[0] -= w[2];
    w[1] -= w[3];
}

/* blend_floats of f32 where all texels are finite and the result is normal; otherwise 0. */
static int blend_quickly(const uint32_t *texel, const uint32_t *weight, unsigned n, uint32_t *out) {
    const uint32_t digits = (UINT32_C(1) << F32_DIGITS) - 1;
    uint32_t top = 0, most = 0;
    int64_t sum = 0;
    uint64_t size;
    int field;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t exponent = texel[i] >> F32_DIGITS & F32_SPECIAL;
        most = exponent > most ? exponent : most;
        top = weight[i] && exponent > top ? exponent : top;
    }
    if (most == F32_SPECIAL || !top)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t exponent = texel[i] >> F32_DIGITS & F32_SPECIAL;
        const uint64_t sig = exponent ? (uint64_t)(digits + 1) | (texel[i] & digits) : 0;
        const uint32_t drop = top - exponent;
        const int64_t product =
            weight[i] && drop < 32 ? (int64_t)((sig << GUARD >> drop) * weight[i]) : 0;
        sum += texel[i] >> (F32_BITS - 1) ? -product : product;
    }
    if (!sum)
        return 0;
    size = sum < 0 ? (uint64_t)-sum : (uint64_t)sum;
    field = (int)top - GUARD - 8;
    for (; size <= digits; size *= 2)
        field--;
    if (size > 2 * (uint64_t)digits + 1) { /* halves away from zero */
        unsigned by = 0;
        while (size >> by > 2 * (uint64_t)digits + 1)
            by++;
        size = (size + (UINT64_C(1) << (by - 1))) >> by;
        field += (int)by;
        if (size > 2 * (uint64_t)digits + 1) {
            size /= 2;
            field++;
        }
    }
    if (field <= 0 || field >= F32_SPECIAL)
        return 0;
    *out = (sum < 0 ? 0x80000000u : 0) | (uint32_t)field << F32_DIGITS | ((uint32_t)size & digits);
    return 1;
}

static void blend_plainly(const struct wsim_texture *texture, const struct texture_row *row,
                          unsigned lane, const uint8_t *const texel[TEXTURE_PLANE],
                          uint32_t out[4]) {
    struct texture_taps taps = {.n = (uint8_t)row->n, .levels = 1};
    const uint8_t *all[TEXTURE_TAPS] = {texel[0], texel[1], texel[2], texel[3]};
    taps.fraction[0][0] = row->fraction[0][lane];
    taps.fraction[0][1] = row->fraction[1][lane];
    for (unsigned i = 0; i < row->n; i++)
        taps.border |= (uint16_t)((row->border[i] >> lane & 1) << i);
    texture_blend(texture, &taps, all, out);
}

void texture_blend_row(const struct wsim_texture *texture, const struct texture_row *row,
                       unsigned lane, const uint8_t *const texel[TEXTURE_PLANE], uint32_t out[4]) {
    const struct wsim_array *array = &texture->array;
    uint32_t weight[TEXTURE_PLANE], raw[TEXTURE_PLANE], border = 0;
    const int one = !row->fraction[0][lane] && !row->fraction[1][lane];
    memset(out, 0, 4 * sizeof *out);
    if (row->beyond >> lane & 1)
        return;
    for (unsigned i = 0; i < row->n; i++)
        border |= row->border[i] >> lane & 1;
    if (border || (row->n > 1 && array->kind == WSIM_CHANNEL_FLOAT && array->bits != F32_BITS)) {
        blend_plainly(texture, row, lane, texel, out);
        return;
    }
    if (row->n > 1)
        plane_weights(row->fraction[0][lane], row->fraction[1][lane], weight);
    for (unsigned channel = 0; channel < array->channels; channel++) {
        raw[0] = texture_raw(array, texel[0], channel);
        if (row->n == 1) {
            out[channel] = texture_value(texture, raw[0], channel);
            continue;
        }
        if (one && array->kind == WSIM_CHANNEL_FLOAT && is_normal(raw[0])) {
            out[channel] = raw[0];
            continue;
        }
        for (unsigned i = 1; i < row->n; i++) /* the weight of one that is not needed is 0 */
            raw[i] = row->needs[i] >> lane & 1 ? texture_raw(array, texel[i], channel) : 0;
        if (array->kind != WSIM_CHANNEL_FLOAT)
            out[channel] = blend_integers(array, raw, weight, row->n);
        else if (!blend_quickly(raw, weight, row->n, &out[channel])) {
            blend_plainly(texture, row, lane, texel, out);
            return;
        }
    }
}

void texture_gather(const struct wsim_texture *texture, const struct texture_taps *taps,
                    const uint8_t *const texel[TEXTURE_TAPS], unsigned channel, uint32_t out[4]) {
    static const uint8_t order[] = {2, 3, 1, 0};
    for (unsigned i = 0; i < 4; i++)
        out[i] =
            channel >= texture->array.channels
                ? 0
                : texture_value(texture, raw_of(texture, taps, texel, order[i], channel), channel);
}
