/* Layouts: applies and inverts them, and moves elements between matrix and registers. Knows bits
 * and coordinates, but no instruction and no number format. */
#include "layout.h"

uint32_t layout_packed(const struct wsim_layout *layout, unsigned lane, unsigned elem) {
    return wsim_layout_apply(layout->lane, layout->elem, lane, elem);
}

struct wsim_coord wsim_layout_coord(const struct wsim_layout *layout, unsigned lane,
                                    unsigned elem) {
    uint32_t packed = layout_packed(layout, lane, elem);
    struct wsim_coord coord;
    coord.batch = (uint16_t)(packed >> 24);
    coord.row = packed & 0xFFF;
    coord.col = packed >> 12 & 0xFFF;
    return coord;
}

struct wsim_place wsim_layout_place(const struct wsim_layout *layout, unsigned lane,
                                    unsigned elem) {
    struct wsim_place place;
    unsigned bit = elem * layout->elem_bits;
    place.lane = (uint16_t)lane;
    place.elem = (uint16_t)elem;
    place.reg = (uint16_t)(bit / 32);
    place.lsb = (uint16_t)(bit % 32);
    return place;
}

size_t wsim_layout_places(const struct wsim_layout *layout, struct wsim_coord coord,
                          struct wsim_place *out, size_t max) {
    uint32_t wanted = coord.row | (uint32_t)coord.col << 12 | (uint32_t)coord.batch << 24;
    uint32_t of_elem[1 << WSIM_LAYOUT_ELEM_BITS];
    unsigned elems =
        layout->elems < 1 << WSIM_LAYOUT_ELEM_BITS ? layout->elems : 1 << WSIM_LAYOUT_ELEM_BITS;
    unsigned lane, elem;
    size_t n = 0;
    if (coord.row >= layout->rows || coord.col >= layout->cols || coord.batch >= layout->batches)
        return 0;
    for (elem = 0; elem < elems; elem++)
        of_elem[elem] = layout_packed(layout, 0, elem);
    for (lane = 0; lane < layout->lanes; lane++) {
        uint32_t rest = wanted ^ layout_packed(layout, lane, 0); /* what the element has to add */
        for (elem = 0; elem < elems; elem++)
            if (of_elem[elem] == rest) {
                if (n < max)
                    out[n] = wsim_layout_place(layout, lane, elem);
                n++;
            }
    }
    return n;
}

static size_t word_of(const struct wsim_layout *layout, struct wsim_place place) {
    return (size_t)place.reg * layout->lanes + place.lane;
}

uint64_t wsim_words_get(const struct wsim_layout *layout, const uint32_t *words,
                        struct wsim_place place) {
    const uint32_t *low = words + word_of(layout, place);
    if (layout->elem_bits == 64)
        return (uint64_t)low[layout->lanes] << 32 | *low;
    if (layout->elem_bits == 32)
        return *low;
    return *low >> place.lsb & ((UINT32_C(1) << layout->elem_bits) - 1);
}

void wsim_words_set(const struct wsim_layout *layout, uint32_t *words, struct wsim_place place,
                    uint64_t bits) {
    uint32_t *low = words + word_of(layout, place);
    if (layout->elem_bits == 64)
        low[layout->lanes] = (uint32_t)(bits >> 32);
    if (layout->elem_bits >= 32) {
        *low = (uint32_t)bits;
    } else {
        uint32_t mask = ((UINT32_C(1) << layout->elem_bits) - 1) << place.lsb;
        *low = (*low & ~mask) | ((uint32_t)bits << place.lsb & mask);
    }
}

static size_t index_of(const struct wsim_layout *layout, unsigned lane, unsigned elem) {
    struct wsim_coord c = wsim_layout_coord(layout, lane, elem);
    return ((size_t)c.batch * layout->rows + c.row) * layout->cols + c.col;
}

void wsim_words_pack(const struct wsim_layout *layout, const uint64_t *matrix, uint32_t *words) {
    unsigned lane, elem;
    for (lane = 0; lane < layout->lanes; lane++)
        for (elem = 0; elem < layout->elems; elem++)
            wsim_words_set(layout, words, wsim_layout_place(layout, lane, elem),
                           matrix[index_of(layout, lane, elem)]);
}

/* Runs backwards, so that the first of several places is written last. */
void wsim_words_unpack(const struct wsim_layout *layout, const uint32_t *words, uint64_t *matrix) {
    unsigned lane, elem;
    for (lane = layout->lanes; lane-- > 0;)
        for (elem = layout->elems; elem-- > 0;)
            matrix[index_of(layout, lane, elem)] =
                wsim_words_get(layout, words, wsim_layout_place(layout, lane, elem));
}

uint64_t wsim_regs_get(const struct wsim_layout *layout, const struct wsim_regs *regs,
                       struct wsim_place place) {
    return wsim_words_get(layout, regs->r[0], place);
}

void wsim_regs_set(const struct wsim_layout *layout, struct wsim_regs *regs,
                   struct wsim_place place, uint64_t bits) {
    wsim_words_set(layout, regs->r[0], place, bits);
}

void wsim_fragment_pack(const struct wsim_layout *layout, const uint64_t *matrix,
                        struct wsim_regs *regs) {
    wsim_words_pack(layout, matrix, regs->r[0]);
}

void wsim_fragment_unpack(const struct wsim_layout *layout, const struct wsim_regs *regs,
                          uint64_t *matrix) {
    wsim_words_unpack(layout, regs->r[0], matrix);
}
