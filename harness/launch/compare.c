/* Memory beside what was expected. Floats are compared as doubles, which hold every f16, bf16, f32
 * and f64 exactly; the simulator computes nothing with them. */
#include "../../sim/base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wsim/harness/launch.h>
#include <wsim/number.h>

static uint64_t load(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* --- floats --- */

/* Floats of one sign are in the order of their bits; this orders both signs, zeros beside each
 * other. */
static int64_t order_of(uint64_t bits, unsigned width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static uint64_t steps_between(uint64_t a, uint64_t b, unsigned width) {
    int64_t x = order_of(a, width), y = order_of(b, width);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

/* Whether an element is within the limits; how far off goes into *out if both are finite. NaN is
 * near NaN alone, and an infinity near itself. */
static int is_near(uint64_t want, uint64_t got, const struct wsim_launch_limits *limits,
                   struct wsim_launch_comparison *out) {
    const struct wsim_format *format = limits->format;
    struct wsim_value a = wsim_format_decode(format, want), b = wsim_format_decode(format, got);
    double x, y, off;
    uint64_t steps;
    if (a.cls == WSIM_NAN || b.cls == WSIM_NAN)
        return a.cls == b.cls;
    if (a.cls == WSIM_INF || b.cls == WSIM_INF)
        return want == got;
    x = wsim_to_double(format, want);
    y = wsim_to_double(format, got);
    off = fabs(x - y);
    steps = steps_between(want, got, format->bits);
    out->abs = off > out->abs ? off : out->abs;
    if (x != 0 && off / fabs(x) > out->rel)
        out->rel = off / fabs(x);
    out->ulp = steps > out->ulp ? steps : out->ulp;
    return off <= limits->abs + limits->rel * fabs(x) || steps <= limits->ulp;
}

static void note(struct wsim_launch_comparison *out, uint64_t index, uint64_t word, uint64_t start,
                 uint64_t want, uint64_t got, unsigned width) {
    if (out->different++)
        return;
    out->first = index;
    out->word = word;
    out->start = start;
    out->want = want;
    out->got = got;
    out->width = width;
}

static void compare_elements(const uint8_t *want, const uint8_t *got, uint64_t size,
                             const struct wsim_launch_limits *limits,
                             struct wsim_launch_comparison *out) {
    unsigned width = limits->format->bits / 8;
    out->compared = size / width;
    for (uint64_t i = 0; i < size / width; i++) {
        uint64_t a = load(want + i * width, width), b = load(got + i * width, width);
        if (a == b)
            continue;
        out->unequal++;
        if (!is_near(a, b, limits, out))
            note(out, i, i, i * width, a, b, width);
    }
}

/* --- bytes --- */

/* The element, or the aligned word, that byte `i` belongs to. */
static void note_byte(const uint8_t *want, const uint8_t *got, uint64_t size, uint64_t i,
                      unsigned width, struct wsim_launch_comparison *out) {
    uint64_t begin = i / width * width;
    unsigned n = size - begin < width ? (unsigned)(size - begin) : width;
    note(out, i, i / width, begin, load(want + begin, n), load(got + begin, n), n);
}

static void compare_exactly(const uint8_t *want, const uint8_t *got, uint64_t size, unsigned width,
                            struct wsim_launch_comparison *out) {
    enum { PIECE = 4096 };
    out->compared = size;
    for (uint64_t at = 0; at < size; at += PIECE) {
        uint64_t end = size - at < PIECE ? size : at + PIECE;
        if (memcmp(want + at, got + at, (size_t)(end - at)) == 0)
            continue;
        for (uint64_t i = at; i < end; i++)
            if (want[i] != got[i])
                note_byte(want, got, size, i, width, out);
    }
    out->unequal = out->different;
}

void wsim_launch_compare(const void *want, const void *got, uint64_t size,
                         const struct wsim_launch_limits *limits,
                         struct wsim_launch_comparison *out) {
    *out = (struct wsim_launch_comparison){0};
    if (limits->given)
        compare_elements(want, got, size, limits, out);
    else
        compare_exactly(want, got, size, limits->format ? limits->format->bits / 8 : 4, out);
}

/* --- words --- */

/* "1.5 (0x3fc00000)", or the bits alone. */
static void show(uint64_t bits, unsigned width, const struct wsim_format *format, char *out,
                 size_t room) {
    char number[WSIM_NUMBER_TEXT];
    if (!format) {
        snprintf(out, room, "0x%0*llx", (int)(2 * width), (unsigned long long)bits);
        return;
    }
    wsim_format_write(format, bits, number);
    snprintf(out, room, "%s (0x%0*llx)", number, (int)(2 * width), (unsigned long long)bits);
}

/* How far two finite elements are apart, "" of others. */
static void show_distance(const struct wsim_launch_comparison *c, const struct wsim_format *format,
                          char *out, size_t room) {
    struct wsim_value a = wsim_format_decode(format, c->want);
    struct wsim_value b = wsim_format_decode(format, c->got);
    out[0] = 0;
    if (a.cls != WSIM_NAN && b.cls != WSIM_NAN && a.cls != WSIM_INF && b.cls != WSIM_INF)
        snprintf(out, room, ", %g or %llu ulp apart",
                 fabs(wsim_to_double(format, c->want) - wsim_to_double(format, c->got)),
                 (unsigned long long)steps_between(c->want, c->got, format->bits));
}

void wsim_launch_compare_words(const struct wsim_launch_comparison *c,
                               const struct wsim_launch_limits *limits,
                               char out[WSIM_LAUNCH_WORDS]) {
    char want[WSIM_NUMBER_TEXT + 24], got[WSIM_NUMBER_TEXT + 24], apart[64] = "";
    const char *what = limits->given ? "elements" : "bytes";
    if (!c->different && !c->unequal) {
        snprintf(out, WSIM_LAUNCH_WORDS, "equal, %llu %s", (unsigned long long)c->compared, what);
        return;
    }
    if (!c->different) {
        snprintf(out, WSIM_LAUNCH_WORDS,
                 "within its limits, %llu of %llu elements are not the same bits, at most %g, "
                 "relative %.3g, or %llu ulp apart",
                 (unsigned long long)c->unequal, (unsigned long long)c->compared, c->abs, c->rel,
                 (unsigned long long)c->ulp);
        return;
    }
    show(c->want, c->width, limits->format, want, sizeof want);
    show(c->got, c->width, limits->format, got, sizeof got);
    if (limits->format)
        show_distance(c, limits->format, apart, sizeof apart);
    if (limits->given)
        snprintf(out, WSIM_LAUNCH_WORDS,
                 "%llu of %llu elements are beyond their limit, the first element %llu: %s "
                 "expected, got %s%s",
                 (unsigned long long)c->different, (unsigned long long)c->compared,
                 (unsigned long long)c->first, want, got, apart);
    else
        snprintf(out, WSIM_LAUNCH_WORDS,
                 "%llu of %llu bytes differ, the first byte %llu, %s %llu: %s expected, got %s%s",
                 (unsigned long long)c->different, (unsigned long long)c->compared,
                 (unsigned long long)c->first,
                 limits->format  ? "element"
                 : c->width == 4 ? "32-bit word"
                                 : "at the end, piece",
                 (unsigned long long)c->word, want, got, apart);
}
