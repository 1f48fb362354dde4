/* cases.c - whole operands from elements, and the metadata and scale factors that go with them. */
#include "cases.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[CASES_KINDS] = {
    "raw bits",        "extremes",      "cancelling",  "C alone",   "one-hot",
    "position-unique", "near one",      "finite",      "subnormal", "wide spread",
    "specials",        "tiny products", "at the floor"};

const char *cases_name(enum cases_kind kind) {
    return names[kind];
}

uint64_t cases_hash(uint64_t seed, uint64_t counter) {
    uint64_t z = seed * 0x9e3779b97f4a7c15u + counter;
    for (int i = 0; i < 2; i++) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return z;
}

int cases_repeats(int usual, int deep) {
    const char *asked = getenv("WSIM_DEEP");
    return asked && *asked && *asked != '0' ? deep : usual;
}

void cases_noise(uint32_t *words, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)cases_hash(seed, i);
}

static void fill(struct filling f, enum place_operand operand, struct wsim_regs *regs) {
    f.operand = operand;
    cases_noise(&regs->r[0][0], sizeof regs->r / sizeof(uint32_t), ~f.seed);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_own(f.op, operand); elem++)
            place_set(regs, place_width(f.op, operand), lane, elem,
                      values_element(&f, place_of(f.op, operand, lane, elem)));
}

unsigned cases_nibble(const struct oracle_op *op, uint64_t r) {
    static const unsigned char ordered[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
    static const unsigned char any[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe, 0x1, 0x2, 0x6, 0x3, 0x7, 0xb};
    if (place_chunk_kept(op) == 1)
        return r & 1 ? 0xe : 0x4;
    return op->ordered ? ordered[r % 6] : any[r % 12];
}

static void fill_metadata(const struct oracle_op *op, uint64_t seed, struct cases_warp *warp) {
    int chunks = op->k / place_chunk_width(op), lane, bit;
    warp->io.selector = (unsigned)(seed % (uint64_t)place_selectors(op));
    for (int row = 0; row < op->m; row++)
        for (int chunk = 0; chunk < chunks; chunk++) {
            uint64_t r = cases_hash(seed ^ 0xe, (uint64_t)(row * chunks + chunk));
            place_nibble(op, (int)warp->io.selector, row, chunk, &lane, &bit);
            warp->e[lane] &= ~(15u << bit);
            warp->e[lane] |= cases_nibble(op, r) << bit;
        }
}

/* Mostly about one; raw bytes (NaN among them) or the ends of the range where the kind says so. For
 * the floor: the product of two is about 2^-149, or 25 bits less. */
static unsigned scale_byte(const struct oracle_op *op, enum cases_kind kind, uint64_t r) {
    int e8m0 = strcmp(op->scale_type, "ue8m0") == 0, bias = e8m0 ? 127 : 7 << 3;
    unsigned low = r >> 32 & 0x3f;
    switch (kind) {
    case CASES_RAW: return r >> 32 & 0xff;
    case CASES_EXTREMES: return 0x5fu + (unsigned)bias / 2 + low;
    case CASES_TINY:
    case CASES_SUBNORMAL: return low;
    case CASES_FLOOR:
        return 52 + r % 2 - (place_width(op, PLACE_A) == 4 && low & 1 ? low / 4 + 5 : 0);
    default:
        return kind == CASES_SPECIALS && r >> 60 == 0 ? r >> 32 & 0xff
                                                      : (unsigned)(bias + (int)(r % 17) - 8);
    }
}

static void fill_scales(const struct oracle_op *op, enum cases_kind kind, uint64_t seed,
                        uint32_t words[WSIM_LANES]) {
    memset(words, 0, WSIM_LANES * sizeof *words);
    for (int i = 0; i < WSIM_LANES; i++)
        for (int byte = 0; byte < 4; byte++) {
            uint64_t r = cases_hash(seed, (uint64_t)(4 * i + byte));
            words[i] |= (scale_byte(op, kind, r) & 0xff) << 8 * byte;
        }
}

static void fill_scale_selectors(const struct oracle_op *op, uint64_t seed,
                                 struct wsim_operands *io) {
    uint64_t r = cases_hash(seed, 0x5e1);
    unsigned step = (unsigned)op->scales;
    io->bid_a = (unsigned)(r % (4 / step)) * step;
    io->bid_b = (unsigned)((r >> 8) % (4 / step)) * step;
    io->tid_a = r >> 16 & 1;
    io->tid_b = r >> 24 & 3;
}

void cases_mma(const struct oracle_op *op, enum cases_kind kind, uint64_t seed,
               struct cases_warp *warp) {
    struct filling f = {op, kind, PLACE_A, seed};
    memset(&warp->io, 0, sizeof warp->io);
    fill(f, PLACE_A, &warp->a);
    fill(f, PLACE_B, &warp->b);
    fill(f, PLACE_C, &warp->c);
    warp->io.a = &warp->a, warp->io.b = &warp->b, warp->io.c = &warp->c;
    cases_noise(warp->e, WSIM_LANES, seed ^ 0xeeee);
    if (op->sparse) {
        warp->io.e = warp->e;
        fill_metadata(op, seed, warp);
    }
    if (op->scales > 0) {
        fill_scales(op, kind, seed ^ 0xa, warp->sfa);
        fill_scales(op, kind, seed ^ 0xb, warp->sfb);
        fill_scale_selectors(op, seed, &warp->io);
        warp->io.sfa = warp->sfa, warp->io.sfb = warp->sfb;
    }
}
