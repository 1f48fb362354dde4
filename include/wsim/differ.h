/* differ.h - for tests: where two fragments differ first, and what an access costs, in words. The
 * matchers of check.h (Check) and gtest.hpp (GoogleTest) print with it; any other framework can.
 * Needs <math.h>'s library (-lm) beside libwsim.
 */
#ifndef WSIM_DIFFER_H
#define WSIM_DIFFER_H

#include "banks.h"
#include "layout.h"

#include <math.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first element, in order of lane and element, that two fragments do not have in common. */
struct wsim_difference {
    size_t count; /* how many differ; 0: none, and nothing else counts                          */
    size_t total;
    struct wsim_place place;
    struct wsim_coord coord;
    uint64_t actual, expected; /* raw bits                                                      */
};

/* Compares registers of a layout element by element: words in rows of layout->lanes, as
 * wsim_words_get (layout.h) has them; of struct wsim_regs that is regs.r[0]. Bits of a register
 * that are no element are not looked at. */
static inline struct wsim_difference wsim_words_differ(const struct wsim_layout *layout,
                                                       const uint32_t *actual,
                                                       const uint32_t *expected) {
    struct wsim_difference found;
    found.count = 0;
    found.total = (size_t)layout->lanes * layout->elems;
    for (unsigned lane = 0; lane < layout->lanes; lane++)
        for (unsigned elem = 0; elem < layout->elems; elem++) {
            struct wsim_place place = wsim_layout_place(layout, lane, elem);
            uint64_t is = wsim_words_get(layout, actual, place);
            uint64_t wanted = wsim_words_get(layout, expected, place);
            if (is == wanted || found.count++)
                continue;
            found.place = place;
            found.coord = wsim_layout_coord(layout, lane, elem);
            found.actual = is;
            found.expected = wanted;
        }
    return found;
}

#define WSIM_ELEMENT_TEXT 64

/* The bits of an element and what number they are: "0x3c00 (1)". */
static inline void wsim_element_text(const struct wsim_layout *layout, uint64_t raw,
                                     char out[WSIM_ELEMENT_TEXT]) {
    const struct wsim_format *format = layout->format;
    unsigned pad = layout->elem_bits >= format->bits + format->pad ? format->pad : 0;
    struct wsim_value value = wsim_format_decode(format, raw >> pad);
    const char *sign = value.negative ? "-" : "";
    int n = snprintf(out, WSIM_ELEMENT_TEXT, "0x%0*llx", (layout->elem_bits + 3) / 4,
                     (unsigned long long)raw);
    size_t left = WSIM_ELEMENT_TEXT - (size_t)n;
    if (value.cls == WSIM_NAN || value.cls == WSIM_INF)
        snprintf(out + n, left, " (%s%s)", value.cls == WSIM_INF ? sign : "",
                 value.cls == WSIM_INF ? "inf" : "nan");
    else if (format->kind == WSIM_BINARY) /* enough digits to tell any two numbers apart */
        snprintf(out + n, left, " (%s%.*g)", sign, format->frac_bits * 3 / 10 + 3,
                 ldexp((double)value.sig, value.exp));
    else
        snprintf(out + n, left, " (%s%llu)", sign, (unsigned long long)value.sig);
}

#define WSIM_DIFFER_TEXT 512

/* "2 of 128 elements differ, first lane 5, register 1 (element 2), row 9, column 2: 0x3f800000 (1),
 * expected 0x40000000 (2)". */
static inline void wsim_difference_text(const struct wsim_layout *layout,
                                        const struct wsim_difference *d,
                                        char out[WSIM_DIFFER_TEXT]) {
    char is[WSIM_ELEMENT_TEXT], wanted[WSIM_ELEMENT_TEXT], bits[32] = "", batch[32] = "";
    if (!d->count) {
        snprintf(out, WSIM_DIFFER_TEXT, "all %lu elements are equal", (unsigned long)d->total);
        return;
    }
    wsim_element_text(layout, d->actual, is);
    wsim_element_text(layout, d->expected, wanted);
    if (layout->elem_bits < 32)
        snprintf(bits, sizeof bits, " bits %u..%u", (unsigned)d->place.lsb,
                 d->place.lsb + layout->elem_bits - 1u);
    if (layout->batches > 1)
        snprintf(batch, sizeof batch, ", matrix %u", (unsigned)d->coord.batch);
    snprintf(out, WSIM_DIFFER_TEXT,
             "%lu of %lu elements differ, first lane %u, register %u%s (element %u)%s, row %u, "
             "column %u: %s, expected %s",
             (unsigned long)d->count, (unsigned long)d->total, (unsigned)d->place.lane,
             (unsigned)d->place.reg, bits, (unsigned)d->place.elem, batch, (unsigned)d->coord.row,
             (unsigned)d->coord.col, is, wanted);
}

#define WSIM_BANKS_TEXT 1024

/* What an access costs, and of each group of lanes that costs more than a pass its worst bank with
 * the words there. */
static inline void wsim_banks_text(const struct wsim_banks *banks, char out[WSIM_BANKS_TEXT]) {
    size_t n = (size_t)snprintf(out, WSIM_BANKS_TEXT, "%lu wavefronts, %lu without conflicts",
                                (unsigned long)banks->wavefronts, (unsigned long)banks->ideal);
    for (unsigned g = 0; g < banks->ngroups && n < WSIM_BANKS_TEXT; g++) {
        const struct wsim_bank_group *group = &banks->group[g];
        if (group->ways < 2)
            continue;
        n += (size_t)snprintf(
            out + n, WSIM_BANKS_TEXT - n, "\n  lanes 0x%08lx: %u passes, most in bank %u, at",
            (unsigned long)group->lanes, (unsigned)group->ways, (unsigned)group->bank);
        for (unsigned w = 0; w < group->nwords && w < 6 && n < WSIM_BANKS_TEXT; w++)
            n += (size_t)snprintf(out + n, WSIM_BANKS_TEXT - n, " 0x%lx",
                                  4 * (unsigned long)group->words[w]);
        if (group->nwords > 6 && n < WSIM_BANKS_TEXT)
            n += (size_t)snprintf(out + n, WSIM_BANKS_TEXT - n, " ...");
    }
}

#ifdef __cplusplus
}
#endif
#endif
