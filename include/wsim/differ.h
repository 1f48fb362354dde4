/* differ.h - for tests: where two fragments differ first, and what an access costs, in words. The
 * matchers of check.h (Check) and gtest.hpp (GoogleTest) print with it; any other framework can.
 * The picture of an access needs libwsim-harness (wsim::harness); the rest needs libwsim alone. */
#ifndef WSIM_DIFFER_H
#define WSIM_DIFFER_H

#include "code.h"
#include "harness/picture.h"
#include "layout.h"
#include "number.h"

#include <stdio.h>
#include <string.h>

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
        snprintf(out + n, left, " (%.*g)", format->frac_bits * 3 / 10 + 3,
                 wsim_to_double(format, raw >> pad));
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

/* Text that a picture is written into: what does not fit is left out. */
#define WSIM_ACCESS_TEXT 12288
struct wsim_access_text {
    size_t length;
    char text[WSIM_ACCESS_TEXT];
};

static inline int wsim_access_put(void *user, const char *bytes, size_t count) {
    struct wsim_access_text *to = (struct wsim_access_text *)user;
    size_t room = sizeof to->text - 1 - to->length;
    count = count < room ? count : room;
    memcpy(to->text + to->length, bytes, count);
    to->length += count;
    to->text[to->length] = '\0';
    return 0;
}

/* Counts the cost of `op` on `arch` with wsim_cost (code.h). `op` is ld st atom red ldmatrix
 * stmatrix, wmma.load or wmma.store. `addr` holds 32 byte addresses in shared memory, one a lane;
 * bit l of `mask` says that lane l takes part. `picture` (may be NULL) receives the lanes and banks
 * of every group, as `wsim banks` draws them. Errors: those of wsim_prepare, wsim_cost,
 * wsim_cost_access; *picture is empty then. */
static inline enum wsim_status
wsim_access_count(const struct wsim_op *op, const struct wsim_arch *arch,
                  const uint32_t addr[WSIM_LANES], uint32_t mask, struct wsim_cost *cost,
                  struct wsim_access_text *picture, struct wsim_diag *diag) {
    struct wsim_cost_group groups[WSIM_MAX_ACCESSES * WSIM_MAX_GROUPS];
    struct wsim_cost_access accesses[WSIM_MAX_ACCESSES];
    struct wsim_bank_card card;
    struct wsim_picture drawn;
    struct wsim_code code;
    struct wsim_io io;
    char spelling[WSIM_SPELLING_MAX];
    enum wsim_status status = wsim_prepare(op, arch, 0, &code, diag);
    memset(&io, 0, sizeof io);
    io.move.addr = addr;
    io.move.mask = mask;
    if (wsim_op_describe(op).view == WSIM_VIEW_COPY) { /* refused: it has no size */
        memset(&io, 0, sizeof io);
        io.copy.addr = addr;
        io.copy.mask = mask;
    }
    if (picture) {
        picture->length = 0;
        picture->text[0] = '\0';
    }
    if (status == WSIM_OK)
        status = wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, groups,
                           sizeof groups / sizeof groups[0], cost, diag);
    for (unsigned i = 0; status == WSIM_OK && picture && i < cost->accesses; i++)
        status = wsim_cost_access(&code, &io, i, &accesses[i], diag);
    if (status != WSIM_OK || !picture)
        return status;
    wsim_op_spell(op, spelling);
    memset(&card, 0, sizeof card);
    card.spelling = spelling;
    card.arch = arch;
    card.numbered = cost->accesses > 1;
    card.cost = *cost;
    card.group = groups;
    card.access = accesses;
    wsim_picture_banks(&card, &drawn);
    return wsim_picture_write(&drawn, WSIM_PICTURE_TEXT, NULL, wsim_access_put, picture, diag);
}

#ifdef __cplusplus
}
#endif
#endif
