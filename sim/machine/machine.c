/* Banks and passes of one warp access. */
#include "machine.h"

/* The number of words of a lane: 1 for up to 4 bytes, else bytes / 4. */
static unsigned lane_words(const struct machine_access *access) {
    return access->bytes <= 4 ? 1 : access->bytes / 4u;
}

struct tally {
    uint8_t ways[MACHINE_BANKS];
    uint8_t count;                  /* entries of `words`                  */
    uint32_t words[WSIM_LANES * 4]; /* distinct words, ascending            */
};

/* Inserts a word in order; returns 0 if it was present. */
static int insert(struct tally *tally, uint32_t word) {
    unsigned i = tally->count;
    while (i > 0 && tally->words[i - 1] > word)
        i--;
    if (i > 0 && tally->words[i - 1] == word)
        return 0;
    for (unsigned j = tally->count++; j > i; j--)
        tally->words[j] = tally->words[j - 1];
    tally->words[i] = word;
    return 1;
}

static void add_lane(struct tally *tally, uint32_t addr, unsigned nwords, int fold) {
    unsigned w;
    for (w = 0; w < nwords; w++) {
        uint32_t word = addr / 4 + w;
        if (insert(tally, word) || !fold)
            tally->ways[word % MACHINE_BANKS]++;
    }
}

void machine_count(const struct machine_access *access, uint32_t lanes, int fold,
                   struct machine_group *group) {
    struct tally tally = {{0}, 0, {0}};
    unsigned i;
    for (i = 0; i < WSIM_LANES; i++)
        if (lanes & access->mask & UINT32_C(1) << i)
            add_lane(&tally, access->addr[i], lane_words(access), fold);
    group->ways = group->bank = group->nwords = 0;
    for (i = 0; i < MACHINE_BANKS; i++)
        if (tally.ways[i] > group->ways) {
            group->ways = tally.ways[i];
            group->bank = (uint8_t)i;
        }
    for (i = 0; i < tally.count; i++)
        if (tally.words[i] % MACHINE_BANKS == group->bank)
            group->words[group->nwords++] = tally.words[i];
}

/* Finds the word of `bank` that a lane accesses, at most one; returns 0 if there is none. */
static int word_in(const struct machine_access *access, unsigned lane, unsigned bank,
                   uint32_t *word) {
    uint32_t first = access->addr[lane] / 4;
    unsigned ahead = (bank - first) % MACHINE_BANKS;
    *word = first + ahead;
    return ahead < lane_words(access);
}

unsigned machine_turns(const struct machine_access *access, uint32_t lanes, int fold, unsigned bank,
                       uint8_t turn[WSIM_LANES]) {
    struct tally there = {{0}, 0, {0}};
    uint32_t word;
    uint8_t touching = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        turn[l] = 0;
        if (!(lanes & access->mask & UINT32_C(1) << l) || !word_in(access, l, bank, &word))
            continue;
        insert(&there, word);
        turn[l] = ++touching;
    }
    for (unsigned l = 0; l < WSIM_LANES && fold; l++)
        if (turn[l]) {
            word_in(access, l, bank, &word);
            for (turn[l] = 1; there.words[turn[l] - 1] != word;)
                turn[l]++;
        }
    return fold ? there.count : touching;
}

static int paired_at(const struct machine_access *access, unsigned distance) {
    unsigned i;
    for (i = 0; i < WSIM_LANES; i++) {
        unsigned other = i ^ distance;
        if ((access->mask >> i & 1) && (access->mask >> other & 1) &&
            access->addr[i] != access->addr[other])
            return 0;
    }
    return 1;
}

int machine_paired(const struct machine_access *access) {
    return paired_at(access, 1) || paired_at(access, 2);
}
