/* Chains, crowds and batches, each in one pass over the lanes. machine_chain, machine_crowd and
 * machine_batches (copy.c) define the results.
 *
 * Results of a bank or line are stored under it for the next lane. Tables are cleared only where
 * lanes will read. */
#include "machine.h"

static int has(uint32_t lanes, unsigned lane) {
    return (int)(lanes >> lane & 1);
}

/* The first lane of the set from `lane` on; there must be one. */
static unsigned next_lane(uint32_t lanes, unsigned lane) {
    while (!(lanes >> lane & 0xFF))
        lane += 8;
    while (!(lanes >> lane & 1))
        lane++;
    return lane;
}

static unsigned count_of(uint32_t lanes) {
    lanes -= lanes >> 1 & 0x55555555u;
    lanes = (lanes & 0x33333333u) + (lanes >> 2 & 0x33333333u);
    lanes = (lanes + (lanes >> 4)) & 0x0F0F0F0Fu;
    return (lanes * 0x01010101u & UINT32_MAX) >> 24;
}

/* The bank of an address; bytes are a power of two. */
struct banks {
    unsigned shift, mask;
};

static struct banks banks_of(const struct machine_copy *copy) {
    unsigned b = copy->bytes;
    struct banks banks = {0u + (b > 1) + (b > 2) + (b > 4) + (b > 8) + (b > 16),
                          (unsigned)MACHINE_LINE / b - 1};
    return banks;
}

static unsigned bank(struct banks banks, uint32_t address) {
    return address >> banks.shift & banks.mask;
}

/* True if no two lanes share a destination bank or a source bank. */
static int is_free(const struct machine_copy *copy, struct banks banks, uint32_t lanes) {
    uint32_t dst = 0, src = 0;
    for (uint32_t rest = lanes, l = 0; rest; rest &= rest - 1) {
        uint32_t to, from;
        l = next_lane(rest, l);
        to = machine_bit[bank(banks, copy->dst[l])];
        from = machine_bit[bank(banks, copy->src[l])];
        if ((dst & to) | (src & from))
            return 0;
        dst |= to;
        src |= from;
    }
    return 1;
}

/* The longest chain that ends in a bank, at the first lane that reaches its length. */
struct link {
    uint32_t chain;
    uint8_t length, lane;
};

static const struct link *longer(const struct link *a, const struct link *b) {
    if (a->length != b->length)
        return a->length > b->length ? a : b;
    return a->lane < b->lane ? a : b;
}

unsigned machine_chain_quick(const struct machine_copy *copy, uint32_t lanes, uint32_t *chain) {
    struct banks banks = banks_of(copy);
    struct link dst[MACHINE_BANKS], src[MACHINE_BANKS], longest = {0, 0, 0};
    lanes &= copy->mask;
    *chain = lanes & (0 - lanes); /* the first alone */
    if (is_free(copy, banks, lanes))
        return lanes != 0;
    for (uint32_t rest = lanes, l = 0; rest; rest &= rest - 1) {
        l = next_lane(rest, l);
        dst[bank(banks, copy->dst[l])] = src[bank(banks, copy->src[l])] = longest;
    }
    for (uint32_t rest = lanes, l = 0; rest; rest &= rest - 1) {
        struct link *to, *from, here;
        l = next_lane(rest, l);
        to = &dst[bank(banks, copy->dst[l])];
        from = &src[bank(banks, copy->src[l])];
        here = has(copy->reads, l) ? *longer(to, from) : *to;
        here.chain |= machine_bit[l];
        here.length++;
        here.lane = (uint8_t)l;
        *to = here;
        if (here.length > from->length)
            *from = here;
        if (here.length > longest.length)
            longest = here;
    }
    *chain = longest.chain;
    return longest.length;
}

unsigned machine_crowd_quick(const struct machine_copy *copy, uint32_t lanes, uint32_t *crowd) {
    struct banks banks = banks_of(copy);
    uint32_t dst[MACHINE_BANKS], src[MACHINE_BANKS];
    unsigned most = 0;
    lanes &= copy->mask;
    *crowd = lanes & (0 - lanes);
    if (is_free(copy, banks, lanes))
        return lanes != 0;
    for (uint32_t rest = lanes, l = 0; rest; rest &= rest - 1) {
        l = next_lane(rest, l);
        dst[bank(banks, copy->dst[l])] = src[bank(banks, copy->src[l])] = 0;
    }
    for (uint32_t rest = lanes, l = 0; rest; rest &= rest - 1) {
        l = next_lane(rest, l);
        dst[bank(banks, copy->dst[l])] |= machine_bit[l];
        src[bank(banks, copy->src[l])] |= machine_bit[l] & copy->reads;
    }
    for (uint32_t rest = lanes, l = 0; rest; rest &= rest - 1) {
        uint32_t here;
        l = next_lane(rest, l);
        here = dst[bank(banks, copy->dst[l])] |
               (has(copy->reads, l) ? src[bank(banks, copy->src[l])] : 0);
        if (count_of(here) > most) {
            most = count_of(here);
            *crowd = here;
        }
    }
    return most;
}

static unsigned parity(uint32_t word) {
    word ^= word >> 16;
    word ^= word >> 8;
    word ^= word >> 4;
    return 0x6996u >> (word & 0xF) & 1;
}

unsigned machine_batches_quick(const struct machine_copy *copy, const uint32_t tags[2],
                               uint32_t batch[WSIM_LANES]) {
    uint32_t line[WSIM_LANES], reads = copy->mask & copy->reads;
    unsigned of[WSIM_LANES], filled[4] = {0}, lines = 0, count = 0;
    for (uint32_t rest = reads, l = 0, i; rest; rest &= rest - 1) {
        l = next_lane(rest, l);
        for (i = lines; i > 0 && line[i - 1] != copy->src[l] / MACHINE_LINE;)
            i--;
        if (i == 0) {
            uint32_t src = copy->src[l];
            i = ++lines;
            line[i - 1] = src / MACHINE_LINE;
            of[i - 1] = filled[parity(src & tags[0]) + 2 * parity(src & tags[1])]++;
            if (of[i - 1] == count)
                batch[count++] = 0;
        }
        batch[of[i - 1]] |= machine_bit[l];
    }
    if (copy->mask & ~copy->reads)
        batch[count++] = copy->mask & ~copy->reads;
    return count;
}
