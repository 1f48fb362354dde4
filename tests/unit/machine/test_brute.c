/* test_brute.c - on random patterns the counts equal those of a counter without lists. It
 * compares every pair of words, with the groups of lanes of the rule. */
#include "banks.h"

struct rule {
    const char *spelling;
    int bytes, lanes; /* a lane accesses; in a group                   */
    int folds;        /* lanes in one word cost one pass               */
    int merges;       /* pairs of groups may go together               */
    int shows;        /* wavefronts that a pass shows as               */
};

static const struct rule rules[] = {
    {"ld.shared.u8", 1, 32, 1, 0, 1},          {"ld.shared.b16", 2, 32, 1, 0, 1},
    {"ld.shared.v2.u8", 2, 32, 1, 0, 1},       {"ld.shared.v4.u8", 4, 32, 1, 0, 1},
    {"ld.shared.f32", 4, 32, 1, 0, 1},         {"ld.shared.v2.s32", 8, 16, 1, 1, 1},
    {"ld.shared.f64", 8, 16, 1, 1, 1},         {"ld.shared.v4.u16", 8, 16, 1, 1, 1},
    {"ld.shared.v2.f64", 16, 8, 1, 1, 1},      {"ld.shared.v4.b32", 16, 8, 1, 1, 1},
    {"ld.shared.b128", 16, 8, 1, 1, 1},        {"st.shared.u8", 1, 32, 1, 0, 1},
    {"st.shared.v4.s8", 4, 32, 1, 0, 1},       {"st.shared.u32", 4, 32, 1, 0, 1},
    {"st.shared.u64", 8, 16, 1, 0, 1},         {"st.shared.v4.f32", 16, 8, 1, 0, 1},
    {"atom.shared.add.u32", 4, 32, 0, 0, 1},   {"atom.shared.exch.b32", 4, 32, 0, 0, 1},
    {"red.shared.add.s32", 4, 32, 0, 0, 1},    {"atom.shared.max.s32", 4, 32, 0, 0, 1},
    {"atom.shared.xor.b32", 4, 32, 0, 0, 1},   {"atom.shared.exch.b64", 8, 16, 0, 0, 1},
    {"atom.shared.exch.b128", 16, 8, 0, 0, 1}, {"red.shared.inc.u32", 4, 32, 0, 0, 1},
    {"atom.shared.cas.b32", 4, 32, 0, 0, 2},   {"atom.shared.cas.b64", 8, 16, 0, 0, 2},
    {"atom.shared.cas.b128", 16, 8, 0, 0, 2},
};

/* Whether some lane of the group before (lane, word) already pays for this word. */
static int paid(const uint32_t *addr, uint32_t lanes, int words, int lane, int word) {
    uint32_t wanted = addr[lane] / 4 + (uint32_t)word;
    int l, w;
    for (l = 0; l <= lane; l++)
        for (w = 0; w < words; w++)
            if ((lanes >> l & 1) && (l < lane || w < word) && addr[l] / 4 + (uint32_t)w == wanted)
                return 1;
    return 0;
}

static unsigned ways(const struct rule *rule, const uint32_t *addr, uint32_t lanes, unsigned bank) {
    int words = rule->bytes < 4 ? 1 : rule->bytes / 4, l, w;
    unsigned n = 0;
    for (l = 0; l < 32; l++)
        for (w = 0; w < words; w++)
            if ((lanes >> l & 1) && (addr[l] / 4 + (unsigned)w) % 32 == bank)
                n += !rule->folds || !paid(addr, lanes, words, l, w);
    return n;
}

static int pairs_at(const uint32_t *addr, uint32_t mask, int d) {
    int i, all = 1;
    for (i = 0; i < 32; i++)
        all &= !(mask >> i & 1) || !(mask >> (i ^ d) & 1) || addr[i] == addr[i ^ d];
    return all;
}

static uint32_t lanes_from(int first, int n) {
    return (uint32_t)(((UINT64_C(1) << n) - 1) << first);
}

/* Compares the detail of group number *group, which exists if a lane of it is active. */
static unsigned check_group(const struct rule *rule, const uint32_t *addr, uint32_t lanes,
                            const struct wsim_banks *got, int *group) {
    const struct wsim_bank_group *g = &got->group[*group];
    unsigned most = 0, bank = 0, b, i;
    if (!lanes)
        return 0;
    for (b = 0; b < 32; b++)
        if (ways(rule, addr, lanes, b) > most) {
            most = ways(rule, addr, lanes, b);
            bank = b;
        }
    ++*group;
    expect(g->lanes == lanes && g->ways == most && g->bank == bank &&
               g->wavefronts == rule->shows * (int)most,
           "%s group %d: %u in bank %u", rule->spelling, *group, g->ways, g->bank);
    expect(g->nwords <= most && g->nwords >= 1, "%s: %d words", rule->spelling, g->nwords);
    expect(!rule->folds || g->nwords == most, "%s: %d words", rule->spelling, g->nwords);
    for (i = 0; i < g->nwords; i++)
        expect(g->words[i] % 32 == bank && (i == 0 || g->words[i] > g->words[i - 1]), "%s",
               rule->spelling);
    return most;
}

static void compare(const struct rule *rule, const uint32_t *addr, uint32_t mask) {
    struct wsim_banks got = banks_count(rule->spelling, addr, mask);
    int merged = rule->merges && (pairs_at(addr, mask, 1) || pairs_at(addr, mask, 2));
    int size = rule->lanes << merged, first, groups = 0;
    unsigned passes = 0;
    for (first = 0; first < 32; first += size)
        passes += check_group(rule, addr, lanes_from(first, size) & mask, &got, &groups);
    expect(got.merged == merged && got.ngroups == groups, "%s: %d groups", rule->spelling,
           got.ngroups);
    expect(got.wavefronts == (unsigned)rule->shows * passes &&
               got.ideal == (unsigned)(rule->shows * groups) &&
               got.conflicts == passes - (unsigned)groups,
           "%s: %u/%u", rule->spelling, (unsigned)got.wavefronts, (unsigned)got.conflicts);
}

/* Half of them at random within some window, half XOR-linear in the lane; lanes doubled; masks. */
static uint32_t pattern(uint64_t *seed, const struct rule *rule, uint32_t *addr) {
    uint64_t how = every_random(seed), step[5], window = UINT64_C(64) << how % 8;
    int i, bit;
    for (bit = 0; bit < 5; bit++)
        step[bit] = how >> 3 & 1 && bit == (int)(how >> 8) % 5 ? 0 : every_random(seed);
    for (i = 0; i < 32; i++) {
        uint64_t at = how >> 4 & 1 ? every_random(seed) : 0;
        for (bit = 0; bit < 5; bit++)
            if (!(how >> 4 & 1) && i >> bit & 1)
                at ^= step[bit];
        addr[i] = (uint32_t)(at % window * (unsigned)rule->bytes);
    }
    for (i = 0; how >> 5 & 1 && i < 32; i++)
        addr[i] = addr[i & ~(1 + (int)(how >> 6 & 1))];
    return how >> 7 & 1 ? (uint32_t)every_random(seed) : ALL;
}

START_TEST(counts_agree_with_brute_force) {
    uint32_t addr[WSIM_LANES];
    uint64_t seed = (uint64_t)_i;
    int round;
    for (round = 0; round < 24; round++) {
        uint32_t mask = pattern(&seed, &rules[_i], addr);
        compare(&rules[_i], addr, mask);
    }
    compare(&rules[_i], addr, 0);
    compare(&rules[_i], addr, UINT32_C(1) << _i);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{counts_agree_with_brute_force, 0, COUNT(rules)}};
    return every_run("unit/machine/brute", tests, COUNT(tests));
}
