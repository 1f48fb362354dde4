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

/* The type of the elements; NULL: they are no floats, or unknown. */
static const struct wsim_format *format_of(const struct wsim_launch_limits *limits) {
    const uint8_t bytes = limits->array.bytes;
    if (limits->format || limits->array.kind != 'f')
        return limits->format;
    return wsim_format_find(bytes == 2 ? "f16" : bytes == 4 ? "f32" : "f64");
}

/* Bytes of an element; 0: unknown. */
static unsigned width_of(const struct wsim_launch_limits *limits) {
    return limits->format ? limits->format->bits / 8 : limits->array.bytes;
}

static void compare_elements(const uint8_t *want, const uint8_t *got, uint64_t size,
                             const struct wsim_launch_limits *limits,
                             struct wsim_launch_comparison *out) {
    const unsigned width = width_of(limits);
    out->elements = 1;
    out->compared = size / width;
    for (uint64_t i = 0; i < size / width; i++) {
        uint64_t a, b;
        if (memcmp(want + i * width, got + i * width, width) == 0)
            continue;
        a = load(want + i * width, width);
        b = load(got + i * width, width);
        out->unequal++;
        if (!limits->given || !is_near(a, b, limits, out))
            note(out, i, i, i * width, a, b, width);
    }
}

/* --- bytes --- */

/* The aligned word that byte `i` belongs to. */
static void note_byte(const uint8_t *want, const uint8_t *got, uint64_t size, uint64_t i,
                      struct wsim_launch_comparison *out) {
    uint64_t begin = i / 4 * 4;
    unsigned n = size - begin < 4 ? (unsigned)(size - begin) : 4;
    note(out, i, i / 4, begin, load(want + begin, n), load(got + begin, n), n);
}

static void compare_bytes(const uint8_t *want, const uint8_t *got, uint64_t size,
                          struct wsim_launch_comparison *out) {
    enum { PIECE = 4096 };
    out->compared = size;
    for (uint64_t at = 0; at < size; at += PIECE) {
        uint64_t end = size - at < PIECE ? size : at + PIECE;
        if (memcmp(want + at, got + at, (size_t)(end - at)) == 0)
            continue;
        for (uint64_t i = at; i < end; i++)
            if (want[i] != got[i])
                note_byte(want, got, size, i, out);
    }
    out->unequal = out->different;
}

void wsim_launch_compare(const void *want, const void *got, uint64_t size,
                         const struct wsim_launch_limits *limits,
                         struct wsim_launch_comparison *out) {
    const unsigned width = width_of(limits);
    *out = (struct wsim_launch_comparison){0};
    if (width && (limits->given || size % width == 0))
        compare_elements(want, got, size, limits, out);
    else
        compare_bytes(want, got, size, out);
}

/* --- words --- */

/* "1.5 (0x3fc00000)", "-3", or the bits alone. */
static void show(uint64_t bits, unsigned width, const struct wsim_launch_limits *limits, char *out,
                 size_t room) {
    const struct wsim_format *format = format_of(limits);
    const uint64_t sign = UINT64_C(1) << (8 * width - 1);
    char number[WSIM_NUMBER_TEXT];
    if (format) {
        wsim_format_write(format, bits, number);
        snprintf(out, room, "%s (0x%0*llx)", number, (int)(2 * width), (unsigned long long)bits);
    } else if (limits->array.kind == 'i' && bits & sign) {
        snprintf(out, room, "-%llu", (unsigned long long)((sign << 1) - bits));
    } else if (limits->array.bytes && limits->array.kind != 'V') {
        snprintf(out, room, "%llu", (unsigned long long)bits);
    } else {
        snprintf(out, room, "0x%0*llx", (int)(2 * width), (unsigned long long)bits);
    }
}

/* The distance of two finite elements, "" of others. */
static void show_distance(const struct wsim_launch_comparison *c, const struct wsim_format *format,
                          char *out, size_t room) {
    struct wsim_value a = wsim_format_decode(format, c->want);
    struct wsim_value b = wsim_format_decode(format, c->got);
    out[0] = 0;
    if (a.cls != WSIM_NAN && b.cls != WSIM_NAN && a.cls != WSIM_INF && b.cls != WSIM_INF)
        snprintf(out, room, ", %g apart (%llu ulp)",
                 fabs(wsim_to_double(format, c->want) - wsim_to_double(format, c->got)),
                 (unsigned long long)steps_between(c->want, c->got, format->bits));
}

/* "[3, 17]" in the shape of the array, else "element 113". */
static void show_index(const struct wsim_launch_comparison *c, const struct wsim_npy *array,
                       char *out, size_t room) {
    struct base_text text = {out, room, 0};
    uint64_t index[WSIM_NPY_RANK], rest = c->first;
    out[0] = 0;
    if (!array->bytes || array->rank < 2 || wsim_npy_count(array) != c->compared) {
        base_put(&text, "element %llu", (unsigned long long)c->first);
        return;
    }
    for (unsigned i = 0; i < array->rank; i++) { /* the fastest index first */
        const unsigned at = array->fortran ? i : array->rank - 1u - i;
        index[at] = rest % array->extent[at];
        rest /= array->extent[at];
    }
    for (unsigned i = 0; i < array->rank; i++)
        base_put(&text, "%s%llu", i ? ", " : "[", (unsigned long long)index[i]);
    base_put(&text, "]");
}

void wsim_launch_compare_words(const struct wsim_launch_comparison *c,
                               const struct wsim_launch_limits *limits,
                               char out[WSIM_LAUNCH_WORDS]) {
    char want[WSIM_NUMBER_TEXT + 24], got[WSIM_NUMBER_TEXT + 24], apart[64] = "", index[192];
    const char *what = c->elements ? "elements" : "bytes";
    if (!c->different && !c->unequal) {
        snprintf(out, WSIM_LAUNCH_WORDS, "equal, %llu %s", (unsigned long long)c->compared, what);
        return;
    }
    if (!c->different) {
        snprintf(
            out, WSIM_LAUNCH_WORDS,
            "within its limits, %llu of %llu elements are not the same bits, at most %g apart, "
            "relative %.3g (%llu ulp)",
            (unsigned long long)c->unequal, (unsigned long long)c->compared, c->abs, c->rel,
            (unsigned long long)c->ulp);
        return;
    }
    if (!c->elements) {
        snprintf(out, WSIM_LAUNCH_WORDS,
                 "%llu of %llu bytes differ, the first byte %llu, %s %llu: 0x%0*llx expected, got "
                 "0x%0*llx",
                 (unsigned long long)c->different, (unsigned long long)c->compared,
                 (unsigned long long)c->first, c->width == 4 ? "32-bit word" : "at the end, piece",
                 (unsigned long long)c->word, (int)(2 * c->width), (unsigned long long)c->want,
                 (int)(2 * c->width), (unsigned long long)c->got);
        return;
    }
    show(c->want, c->width, limits, want, sizeof want);
    show(c->got, c->width, limits, got, sizeof got);
    show_index(c, &limits->array, index, sizeof index);
    if (format_of(limits))
        show_distance(c, format_of(limits), apart, sizeof apart);
    snprintf(out, WSIM_LAUNCH_WORDS, "%llu of %llu elements %s, first %s: %s expected, got %s%s",
             (unsigned long long)c->different, (unsigned long long)c->compared,
             limits->given ? "are beyond their limit" : "differ", index, want, got, apart);
}
