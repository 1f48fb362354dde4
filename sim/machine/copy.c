/* Bank conflicts between lanes of a copy: chains, crowds and batches. */
#include "machine.h"

static int has(uint32_t lanes, unsigned lane) {
    return (int)(lanes >> lane & 1);
}

static int same_bank(const struct machine_copy *copy, const uint32_t *address, unsigned a,
                     unsigned b) {
    unsigned banks = (unsigned)MACHINE_LINE / copy->bytes;
    return address[a] / copy->bytes % banks == address[b] / copy->bytes % banks;
}

/* A lane without a source has no source conflict itself, but later lanes conflict with its source
 * bank. */
static int waits(const struct machine_copy *copy, unsigned lane, unsigned before) {
    return same_bank(copy, copy->dst, lane, before) ||
           (has(copy->reads, lane) && same_bank(copy, copy->src, lane, before));
}

static int clash(const struct machine_copy *copy, unsigned a, unsigned b) {
    return same_bank(copy, copy->dst, a, b) ||
           (has(copy->reads, a) && has(copy->reads, b) && same_bank(copy, copy->src, a, b));
}

unsigned machine_chain(const struct machine_copy *copy, uint32_t lanes, uint32_t *chain) {
    uint32_t longest[WSIM_LANES]; /* chain that ends at the lane */
    unsigned length[WSIM_LANES], lane, before, most = 0;
    *chain = 0;
    lanes &= copy->mask;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        if (!has(lanes, lane))
            continue;
        longest[lane] = 0;
        length[lane] = 0;
        for (before = 0; before < lane; before++)
            if (has(lanes, before) && length[before] > length[lane] && waits(copy, lane, before)) {
                length[lane] = length[before];
                longest[lane] = longest[before];
            }
        longest[lane] |= UINT32_C(1) << lane;
        if (++length[lane] > most) {
            most = length[lane];
            *chain = longest[lane];
        }
    }
    return most;
}

unsigned machine_crowd(const struct machine_copy *copy, uint32_t lanes, uint32_t *crowd) {
    unsigned lane, other, most = 0;
    *crowd = 0;
    lanes &= copy->mask;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        uint32_t here = 0;
        unsigned n = 0;
        for (other = 0; other < WSIM_LANES && has(lanes, lane); other++)
            if (has(lanes, other) && (other == lane || clash(copy, lane, other))) {
                here |= UINT32_C(1) << other;
                n++;
            }
        if (n > most) {
            most = n;
            *crowd = here;
        }
    }
    return most;
}

static unsigned parity(uint32_t word) {
    unsigned odd = 0;
    for (; word; word &= word - 1)
        odd ^= 1;
    return odd;
}

unsigned machine_batches(const struct machine_copy *copy, const uint32_t tags[2],
                         uint32_t batch[WSIM_LANES]) {
    unsigned lines[4] = {0}, of[WSIM_LANES], lane, other, count = 0;
    uint32_t reads = copy->mask & copy->reads;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        if (!has(reads, lane))
            continue;
        for (other = 0; other < lane; other++)
            if (has(reads, other) &&
                copy->src[other] / MACHINE_LINE == copy->src[lane] / MACHINE_LINE)
                break;
        of[lane] = other < lane ? of[other]
                                : lines[parity(copy->src[lane] & tags[0]) +
                                        2 * parity(copy->src[lane] & tags[1])]++;
        if (of[lane] == count)
            batch[count++] = 0;
        batch[of[lane]] |= UINT32_C(1) << lane;
    }
    if (copy->mask & ~copy->reads)
        batch[count++] = copy->mask & ~copy->reads;
    return count;
}
