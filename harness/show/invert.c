/* Layouts backwards. A layout is linear over bits, so its inverse is elimination over the images of
 * all lane and element bits. Independent images are kept, each with a leading bit of its own. Sums
 * of zero are the steps from one place of an element to its other places. */
#include "show.h"

static uint32_t lowest(uint32_t bits) {
    return bits & (~bits + 1);
}

/* Element bits below, lane bits above: places are in the order of these numbers. */
static uint32_t image_of(const struct wsim_layout *layout, unsigned bit, unsigned elem_bits) {
    return bit < elem_bits ? layout->elem[bit] : layout->lane[bit - elem_bits];
}

static unsigned bits_of(unsigned count) {
    unsigned bits = 0;
    while (1u << bits < count)
        bits++;
    return bits;
}

/* Largest numbers first, none with the leading bit of another, so that reduction leaves
 * the smallest number. */
static void add_kernel(struct wsim_layout_inverse *inverse, uint32_t source) {
    unsigned at = inverse->kernels++;
    while (at > 0 && inverse->kernel[at - 1] < source) {
        inverse->kernel[at] = inverse->kernel[at - 1];
        at--;
    }
    inverse->kernel[at] = (uint16_t)source;
}

void show_invert(const struct wsim_layout *layout, struct wsim_layout_inverse *inverse) {
    unsigned elem_bits = bits_of(layout->elems), bits = elem_bits + bits_of(layout->lanes);
    inverse->pivots = inverse->kernels = 0;
    inverse->elem_bits = (uint8_t)elem_bits;
    for (unsigned bit = 0; bit < bits; bit++) {
        uint32_t image = image_of(layout, bit, elem_bits), source = UINT32_C(1) << bit;
        for (unsigned i = 0; i < inverse->pivots; i++)
            if (image & inverse->pivot[i]) {
                image ^= inverse->image[i];
                source ^= inverse->source[i];
            }
        if (!image) {
            add_kernel(inverse, source); /* `bit` leads it, and no other */
            continue;
        }
        inverse->pivot[inverse->pivots] = lowest(image);
        inverse->image[inverse->pivots] = image;
        inverse->source[inverse->pivots++] = (uint16_t)source;
    }
}

uint32_t show_place(const struct wsim_layout *layout, const struct wsim_layout_inverse *inverse,
                    struct wsim_coord coord, struct wsim_place *place) {
    uint32_t left = coord.row | (uint32_t)coord.col << 12 | (uint32_t)coord.batch << 24, at = 0;
    unsigned elem, bit;
    for (unsigned i = 0; i < inverse->pivots; i++)
        if (left & inverse->pivot[i]) {
            left ^= inverse->image[i];
            at ^= inverse->source[i];
        }
    if (left)
        return 0;
    for (unsigned i = 0; i < inverse->kernels; i++)
        if ((at ^ inverse->kernel[i]) < at)
            at ^= inverse->kernel[i];
    elem = at & ((1u << inverse->elem_bits) - 1);
    if (elem >= layout->elems)
        return 0;
    bit = elem * layout->elem_bits;
    place->lane = (uint16_t)(at >> inverse->elem_bits);
    place->elem = (uint16_t)elem;
    place->reg = (uint16_t)(bit / 32);
    place->lsb = (uint16_t)(bit % 32);
    return UINT32_C(1) << inverse->kernels;
}
