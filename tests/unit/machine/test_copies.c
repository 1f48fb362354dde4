/* test_copies.c - random copies cost what a counter says that walks the lanes once and keeps only
 * the last turn of each bank. */
#include "copies.h"

/* Turns of the lanes of one batch and group, in one walk. */
static unsigned walk(const struct pattern *p, uint32_t lanes) {
    unsigned dst[32] = {0}, src[32] = {0}, l, banks = 128 / p->copy.bytes, most = 0;
    for (l = 0; l < WSIM_LANES; l++) {
        unsigned d = p->dst[l] / p->copy.bytes % banks, s = p->src[l] / p->copy.bytes % banks, turn;
        if (!(lanes >> l & 1))
            continue;
        turn = 1 + (dst[d] > src[s] * (p->size[l] > 0) ? dst[d] : src[s] * (p->size[l] > 0));
        dst[d] = turn;
        src[s] = turn > src[s] ? turn : src[s];
        most = turn > most ? turn : most;
    }
    return most;
}

/* |same destination| + |same source| - |both|, of the lane for which that is most. */
static unsigned neighbours(const struct pattern *p, uint32_t lanes) {
    unsigned a, b, banks = 128 / p->copy.bytes, most = 0;
    for (a = 0; a < WSIM_LANES; a++) {
        unsigned n[3] = {0};
        for (b = 0; b < WSIM_LANES && (lanes >> a & 1); b++) {
            int d = (p->dst[a] ^ p->dst[b]) / p->copy.bytes % banks == 0;
            int s = (p->src[a] ^ p->src[b]) / p->copy.bytes % banks == 0;
            s = a == b || (s && p->size[a] && p->size[b]);
            if (lanes >> b & 1) {
                n[0] += (unsigned)d;
                n[1] += (unsigned)s;
                n[2] += (unsigned)(d && s);
            }
        }
        most = n[0] + n[1] - n[2] > most ? n[0] + n[1] - n[2] : most;
    }
    return most;
}

/* Two bits a line, to xor: the tag bank. */
static unsigned tag(uint32_t address) {
    static const uint8_t bits[] = {1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1, 3, 1, 3, 2};
    unsigned b, bank = 0;
    for (b = 0; b < 16; b++)
        bank ^= address >> (7 + b) & 1 ? bits[b] : 0;
    return bank;
}

#define LAST 40 /* the batch of lanes that fill */

/* The batch of every active lane: the place of its line in a list of those of its tag bank. */
static void put_in_batches(const struct pattern *p, unsigned batch[WSIM_LANES]) {
    uint32_t lines[4][WSIM_LANES];
    unsigned l, n[4] = {0};
    for (l = 0; l < WSIM_LANES; l++) {
        unsigned bank = tag(p->src[l]), k = 0;
        batch[l] = p->copy.warm ? 0 : LAST;
        if (!(p->copy.mask >> l & 1) || p->copy.warm || p->size[l] == 0)
            continue;
        while (k < n[bank] && lines[bank][k] != p->src[l] / 128)
            k++;
        if (k == n[bank])
            lines[bank][n[bank]++] = p->src[l] / 128;
        batch[l] = k;
    }
}

static void expect_sums(const struct pattern *p, const struct wsim_copy_banks *got) {
    unsigned g, l, n, total = 0;
    for (g = 0; g < got->ngroups; g++) {
        const struct wsim_copy_group *group = &got->group[g];
        for (l = n = 0; l < WSIM_LANES; l++)
            n += group->worst >> l & 1;
        expect(n == group->wavefronts && n > 0, "%u lanes cost %u", n, group->wavefronts);
        expect(!(group->worst & ~group->lanes) && !(group->lanes & ~p->copy.mask), "foreign lanes");
        total += n;
    }
    expect(total == got->wavefronts && got->ideal == got->ngroups &&
               got->conflicts == got->wavefronts - got->ideal,
           "%u of %u", total, (unsigned)got->wavefronts);
}

static void random_pattern(struct pattern *p, uint64_t *seed) {
    unsigned bytes = 4u << every_random(seed) % 3, l;
    uint32_t reach = UINT32_C(1) << (8 + every_random(seed) % 16), mask;
    consecutive(p, bytes);
    for (l = 0; l < WSIM_LANES; l++) {
        if (every_random(seed) % 4)
            p->dst[l] = (uint32_t)(every_random(seed) % 4096) * bytes;
        p->src[l] = (uint32_t)(every_random(seed) % reach) / bytes * bytes;
        if (every_random(seed) % 8 == 0)
            p->size[l] = (uint32_t)(every_random(seed) % (bytes + 1));
    }
    mask = (uint32_t)every_random(seed);
    p->copy.mask = every_random(seed) % 2 ? ALL : mask;
    p->copy.src_size = p->size;
    p->copy.warm = (int)(every_random(seed) % 2);
}

START_TEST(random_copies) {
    uint64_t seed = (uint64_t)_i;
    struct pattern p;
    struct wsim_copy_banks got;
    uint32_t group = 0;
    unsigned batches[WSIM_LANES], first, batch, l, hardware = 0, page = 0, n;
    random_pattern(&p, &seed);
    put_in_batches(&p, batches);
    n = 128 / p.copy.bytes;
    for (first = 0; first < WSIM_LANES; first += n) {
        group = (uint32_t)(((UINT64_C(1) << n) - 1) << first) & p.copy.mask;
        page += neighbours(&p, group);
        for (batch = 0; batch <= LAST; batch++) {
            uint32_t lanes = 0;
            for (l = 0; l < WSIM_LANES; l++)
                lanes |= (group >> l & 1) && batches[l] == batch ? UINT32_C(1) << l : 0;
            hardware += walk(&p, lanes);
        }
    }
    got = copy_count(CA, &p.copy);
    expect_sums(&p, &got);
    expect(got.wavefronts == hardware, "hardware: %u, not %u", (unsigned)got.wavefronts, hardware);
    p.copy.counters = WSIM_SOURCE_PAGE;
    got = copy_count(CA, &p.copy);
    expect_sums(&p, &got);
    expect(got.wavefronts == page, "page: %u, not %u", (unsigned)got.wavefronts, page);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{random_copies, 0, 2000}};
    return every_run("unit/machine/copies", tests, COUNT(tests));
}
