/* Counts all groups of an access at once. machine_count defines the results.
 *
 * An access is aligned to its size, so two lanes have the same words or no common word. One number
 * stands for the words of a lane: its key. The same lanes access all its banks, so one counter
 * serves them; all groups together have at most MACHINE_BANKS counters.
 *
 * Lanes write to tables unconditionally, and the last write stays. Tables need no clearing, because
 * only written places are read. */
#include "machine.h"

enum {
    WORD_BITS = 2,
    LANE_BITS = 5,
    KEY_BITS = 32 - WORD_BITS,
    SPREAD_BITS = 11, /* of the table of all keys                                    */
    SPREAD_FACTOR = 33,
    GROUP_SPREAD = KEY_BITS - SPREAD_BITS + 2
};

/* The logarithm of a power of two up to WSIM_LANES. */
static unsigned log2_of(unsigned power) {
    return 0u + (power > 1) + (power > 2) + (power > 4) + (power > 8) + (power > 16);
}

const uint32_t machine_bit[WSIM_LANES] = {
#define FOUR(l) UINT32_C(1) << (l), UINT32_C(2) << (l), UINT32_C(4) << (l), UINT32_C(8) << (l)
    FOUR(0),  FOUR(4),  FOUR(8), FOUR(12), FOUR(16),
    FOUR(20), FOUR(24), FOUR(28)
#undef FOUR
};

uint32_t machine_bits_of(const uint32_t *addr, uint32_t lanes) {
    uint32_t bits = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        bits |= addr[l] & machine_all_if(lanes & machine_bit[l]);
    return bits;
}

/* Gives idle lanes the words of the first active lane, which changes no count. */
static void fill_idle(uint32_t key[WSIM_LANES], uint32_t mask) {
    uint32_t given;
    unsigned first = 0;
    while (!(mask >> first & 1))
        first++;
    given = key[first];
    for (unsigned l = 0; l < WSIM_LANES; l++)
        key[l] = given ^ ((key[l] ^ given) & machine_all_if(mask & machine_bit[l]));
}

/* The group of a lane, in bits above all word addresses; groups have WSIM_LANES >> n lanes. */
static const uint32_t group_of[][WSIM_LANES] = {
#define EIGHT(a) a, a, a, a, a, a, a, a
#define GROUPS(a, b, c, d)                                                                         \
    { EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d) }
#define OF(n) UINT32_C(n) << KEY_BITS
    GROUPS(OF(0), OF(0), OF(0), OF(0)),
    GROUPS(OF(0), OF(0), OF(1), OF(1)),
    GROUPS(OF(0), OF(1), OF(2), OF(3)),
#undef EIGHT
#undef GROUPS
#undef OF
};

static void find_keys(const uint32_t *restrict addr, unsigned unit_bits, unsigned group_bits,
                      uint32_t *restrict key) {
    const uint32_t *group = group_of[group_bits];
    for (unsigned l = 0; l < WSIM_LANES; l++)
        key[l] = addr[l] >> unit_bits | group[l];
}

/* Counters of one bank are adjacent. */
static void find_counters(const uint32_t *restrict key, unsigned unit_bits, unsigned group_bits,
                          uint32_t *restrict counter) {
    uint32_t bank = (MACHINE_LINE >> unit_bits) - 1;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        counter[l] = (key[l] & bank) << group_bits | key[l] >> KEY_BITS;
}

/* True if no counter has two keys. */
static int is_free(const struct machine_groups *groups) {
    for (unsigned l = 0; l < WSIM_LANES; l++)
        if (groups->last[groups->counter[l]] != groups->key[l])
            return 0;
    return 1;
}

/* Keys whose place was overwritten by another key. */
static void count_lost(const uint32_t *key, const uint32_t *counter, const uint32_t *place,
                       const uint8_t *last, uint8_t ways[MACHINE_BANKS]) {
    uint32_t counted[WSIM_LANES];
    unsigned n = 0, i;
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        if (key[last[place[l]]] == key[l])
            continue;
        for (i = 0; i < n && counted[i] != key[l];)
            i++;
        if (i == n) {
            counted[n++] = key[l];
            ways[counter[l]]++;
        }
    }
}

/* Every key has a place in a table; the lane that remains there counts it. Few keys share a place:
 * keys of a line, and keys of a column, have different places. */
static void count_keys(const uint32_t *key, const uint32_t *counter, uint8_t ways[MACHINE_BANKS]) {
    uint8_t odd[MACHINE_BANKS] = {0}, last[1 << SPREAD_BITS];
    uint32_t place[WSIM_LANES], differ = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        place[l] = (key[l] + (key[l] >> SPREAD_BITS) * SPREAD_FACTOR + (key[l] >> GROUP_SPREAD)) %
                   (1 << SPREAD_BITS);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        last[place[l]] = (uint8_t)l;
    for (unsigned l = 0; l < WSIM_LANES; l += 2) {
        unsigned one = last[place[l]], other = last[place[l + 1]];
        differ |= (key[one] ^ key[l]) | (key[other] ^ key[l + 1]);
        ways[counter[l]] += one == l;
        odd[counter[l + 1]] += other == l + 1;
    }
    for (unsigned i = 0; i < MACHINE_BANKS; i++)
        ways[i] += odd[i];
    if (differ)
        count_lost(key, counter, place, last, ways);
}

static void count_lanes(const uint32_t *counter, uint32_t mask, uint8_t ways[MACHINE_BANKS]) {
    uint8_t odd[MACHINE_BANKS] = {0};
    for (unsigned l = 0; l < WSIM_LANES; l += 2) {
        ways[counter[l]] += mask >> l & 1;
        odd[counter[l + 1]] += mask >> l >> 1 & 1;
    }
    for (unsigned i = 0; i < MACHINE_BANKS; i++)
        ways[i] += odd[i];
}

static inline void halve(uint16_t *most, unsigned half) {
    for (unsigned i = 0; i < half; i++)
        most[i] = most[i] > most[i + half] ? most[i] : most[i + half];
}

/* The largest count and its lowest bank are the maximum of one combined number. Halves of the
 * counters are compared until one is left for each group. */
static void find_worst(const uint8_t ways[MACHINE_BANKS], struct machine_groups *groups) {
    unsigned each = MACHINE_BANKS - 1, bank_bits = groups->unit_bits - WORD_BITS;
    uint16_t most[MACHINE_BANKS];
    for (unsigned i = 0; i < MACHINE_BANKS; i++)
        most[i] = (uint16_t)(ways[i] * MACHINE_BANKS + (each - i));
    halve(most, 16);
    halve(most, 8);
    halve(most, 4);
    if (groups->group_bits < 2)
        halve(most, 2);
    if (groups->group_bits < 1)
        halve(most, 1);
    for (unsigned g = 0; g < 1u << groups->group_bits; g++) {
        groups->ways[g] = (uint8_t)(most[g] / MACHINE_BANKS);
        groups->worst[g] = (uint8_t)(each - most[g] % MACHINE_BANKS);
        groups->bank[g] = (uint8_t)(groups->worst[g] >> groups->group_bits << bank_bits);
    }
}

void machine_count_groups(const struct machine_access *access, unsigned size, int fold, int banks,
                          struct machine_groups *groups) {
    uint8_t ways[MACHINE_BANKS] = {0};
    groups->unit_bits =
        (uint8_t)log2_of(access->bytes > MACHINE_WORD ? access->bytes : MACHINE_WORD);
    groups->group_bits = (uint8_t)(LANE_BITS - log2_of(size));
    for (unsigned g = 0; g < 1u << groups->group_bits; g++)
        groups->ways[g] = (machine_lanes(g * size, size) & access->mask) != 0;
    if (!access->mask)
        return;
    find_keys(access->addr, groups->unit_bits, groups->group_bits, groups->key);
    if (access->mask != UINT32_MAX)
        fill_idle(groups->key, access->mask);
    find_counters(groups->key, groups->unit_bits, groups->group_bits, groups->counter);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        groups->last[groups->counter[l]] = groups->key[l];
    if (!fold)
        count_lanes(groups->counter, access->mask, ways);
    else if (!is_free(groups))
        count_keys(groups->key, groups->counter, ways);
    else if (banks)
        for (unsigned l = 0; l < WSIM_LANES; l++)
            ways[groups->counter[l]] = 1;
    else
        return;
    find_worst(ways, groups);
}

/* Inserts a word that is not the largest, unless it is present. */
static unsigned insert(uint32_t *words, unsigned n, uint32_t word) {
    unsigned i = n;
    while (i > 0 && words[i - 1] > word)
        i--;
    if (i > 0 && words[i - 1] == word)
        return n;
    for (unsigned j = n; j > i; j--)
        words[j] = words[j - 1];
    words[i] = word;
    return n + 1;
}

/* Sorts, each word once. */
static unsigned sort(const uint32_t *from, unsigned count, uint32_t *words) {
    uint32_t top = 0;
    unsigned n = 0;
    for (unsigned k = 0; k < count; k++)
        if (n == 0 || from[k] > top)
            words[n++] = top = from[k];
        else
            n = insert(words, n, from[k]);
    return n;
}

unsigned machine_words(const struct machine_groups *groups, unsigned g,
                       uint32_t words[MACHINE_MAX_WORDS]) {
    unsigned shift = groups->unit_bits, n = 0, size = WSIM_LANES >> groups->group_bits;
    uint32_t found[WSIM_LANES];
    words[0] = groups->last[groups->worst[g]] << shift >> WORD_BITS;
    if (groups->ways[g] == 1)
        return 1;
    for (unsigned l = g * size; l < (g + 1) * size; l++) {
        found[n] = groups->key[l] << shift >> WORD_BITS;
        n += groups->counter[l] == groups->worst[g];
    }
    return sort(found, n, words);
}
