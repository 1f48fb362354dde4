/* test_quick.c - quick counts equal plain ones, group by group and word by word.
 * WSIM_PLAIN counts each group by itself, lane after lane. */
#include "../../every.h"

enum { GROUPS = 64, TURNS = 60, MANY = 30000 };

struct counted {
    enum wsim_status status;
    const char *rule;
    struct wsim_cost cost;
    struct wsim_cost_group group[GROUPS];
};

static struct counted count(const struct wsim_code *code, const struct wsim_io *io,
                            enum wsim_counters counters, size_t max) {
    struct counted got;
    struct wsim_diag diag = {.rule = NULL};
    memset(&got, 0, sizeof got);
    got.status = wsim_cost(code, io, counters, got.group, max, &got.cost, &diag);
    got.rule = diag.rule;
    return got;
}

static int same_groups(const struct wsim_cost_group *a, const struct wsim_cost_group *b) {
    return a->lanes == b->lanes && a->worst == b->worst && a->access == b->access &&
           a->batch == b->batch && a->wavefronts == b->wavefronts && a->ways == b->ways &&
           a->bank == b->bank && a->nwords == b->nwords &&
           memcmp(a->words, b->words, sizeof *a->words * a->nwords) == 0;
}

static int same_costs(const struct wsim_cost *a, const struct wsim_cost *b) {
    return a->wavefronts == b->wavefronts && a->ideal == b->ideal && a->conflicts == b->conflicts &&
           a->groups == b->groups && a->merged == b->merged && a->known == b->known &&
           a->accesses == b->accesses;
}

/* Both ways to prepare an operation. */
struct pair {
    struct wsim_code quick, plain;
};

static struct pair prepare(const struct wsim_op *op, const struct wsim_arch *arch) {
    struct pair pair;
    ck_assert_int_eq(wsim_prepare(op, arch, 0, &pair.quick, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_prepare(op, arch, WSIM_PLAIN, &pair.plain, NULL), WSIM_OK);
    return pair;
}

static void compare(const struct pair *pair, const struct wsim_io *io,
                    enum wsim_counters counters) {
    struct counted quick = count(&pair->quick, io, counters, GROUPS);
    struct counted plain = count(&pair->plain, io, counters, GROUPS);
    struct counted alone = count(&pair->quick, io, counters, 0);
    int same = quick.status == plain.status && quick.rule == plain.rule;
    same = same && same_costs(&quick.cost, &plain.cost) && same_costs(&alone.cost, &plain.cost);
    for (unsigned g = 0; same && g < plain.cost.groups; g++)
        same = same_groups(&quick.group[g], &plain.group[g]);
    if (same)
        return;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        printf("%c0x%x", l % 8 ? ' ' : '\n', io->move.addr ? (unsigned)io->move.addr[l] : 0);
    ck_abort_msg("mask 0x%x: %u wavefronts in %u groups, plainly %u in %u", (unsigned)io->move.mask,
                 (unsigned)quick.cost.wavefronts, quick.cost.groups,
                 (unsigned)plain.cost.wavefronts, plain.cost.groups);
}

/* --- patterns --- */

enum { LINE, STRIDE, COLUMN, XORS, SWIZZLE, FEW, ANY, PATTERNS };

/* Aligned addresses in one of the patterns of kernels, in windows of any size. With strides
 * of 2015 words, all words collide in the table of quick.c. */
static void draw(uint32_t *addr, unsigned bytes, uint64_t *seed) {
    unsigned kind = (unsigned)(every_random(seed) % PATTERNS), turn = (unsigned)every_random(seed);
    uint32_t base = (uint32_t)every_random(seed), step, window, xors[5];
    window = UINT32_MAX >> every_random(seed) % 26;
    step = (uint32_t)every_random(seed) & UINT32_MAX >> (6 + every_random(seed) % 24);
    step = turn % 16 == 0 ? 2015 * bytes : step;
    for (unsigned bit = 0; bit < 5; bit++)
        xors[bit] = (uint32_t)every_random(seed) & window;
    for (uint32_t l = 0; l < WSIM_LANES; l++) {
        uint32_t at = base + (uint32_t)every_random(seed) % window;
        switch (kind) {
        case LINE: at = base + (turn % 2 ? l : WSIM_LANES - 1 - l) * bytes; break;
        case STRIDE: at = base + l * step; break;
        case COLUMN: at = base + l * 128 * (1 + turn % 9) + l / 8 * (turn / 16 % 8) * bytes; break;
        case XORS:
            at = base;
            for (unsigned bit = 0; bit < 5; bit++)
                at ^= l >> bit & 1 ? xors[bit] : 0;
            break;
        case SWIZZLE: at = (base & ~1023u) + l * 128 + (l ^ turn) % 8 * 16 + l % 2 * step; break;
        case FEW: at = base + xors[every_random(seed) % 5]; break;
        default: break;
        }
        addr[l] = at / bytes * bytes;
    }
    for (unsigned l = 0; turn >> 8 & 1 && l < WSIM_LANES; l++) /* what merges */
        addr[l] = addr[l & ~(1u << (turn >> 9 & 1))];
}

static uint32_t draw_mask(uint64_t *seed) {
    uint32_t mask = (uint32_t)every_random(seed);
    switch (every_random(seed) % 4) {
    case 0: return mask & (uint32_t)every_random(seed) & (uint32_t)every_random(seed);
    case 1: return mask;
    case 2: return UINT32_MAX << mask % 32;
    default: return UINT32_MAX;
    }
}

/* --- accesses --- */

static void count_turns(const struct wsim_op *op, const struct wsim_arch *arch, int turns,
                        uint64_t seed) {
    struct pair pair = prepare(op, arch);
    struct wsim_op_info info = wsim_op_describe(op);
    for (int turn = 0; turn < turns; turn++) {
        uint32_t addr[WSIM_LANES];
        struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
        draw(addr, info.bytes, &seed);
        if (info.counting == WSIM_COUNT_ACCESS)
            io.move.mask = draw_mask(&seed);
        compare(&pair, &io, WSIM_HARDWARE_COUNTERS);
    }
}

/* The operation `index` if its cost is known where it is first legal. */
static const struct wsim_arch *counted_on(int index, struct wsim_op *op) {
    const struct wsim_arch *arch;
    every_op(index, op);
    arch = every_first_arch(op);
    return arch && wsim_op_evidence(op, arch, WSIM_COUNTS, NULL) ? arch : NULL;
}

START_TEST(every_access) {
    struct wsim_op op;
    const struct wsim_arch *arch = counted_on(_i, &op);
    if (arch && wsim_op_describe(&op).bytes)
        count_turns(&op, arch, TURNS, (uint64_t)_i);
}
END_TEST

static const char *const spellings[] = {"ld.shared.u8",
                                        "ld.shared.b16",
                                        "ld.shared.b32",
                                        "ld.shared.b64",
                                        "ld.shared.v4.b32",
                                        "st.shared.b32",
                                        "st.shared.v2.b32",
                                        "st.shared.b128",
                                        "atom.shared.add.u32",
                                        "atom.shared.exch.b64",
                                        "atom.shared.exch.b128",
                                        "atom.shared.cas.b32",
                                        "atom.shared.cas.b64",
                                        "atom.shared.cas.b128",
                                        "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                        "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                        "ldmatrix.sync.aligned.m8n8.x4.shared.b16"};

START_TEST(each_rule) {
    struct wsim_op op = every_parse(spellings[_i]);
    count_turns(&op, wsim_arch_find("h200"), run_turns(MANY), 77 + (uint64_t)_i);
}
END_TEST

/* --- all that four lanes can do --- */

static const uint8_t four[][4] = {{0, 1, 2, 3}, {0, 1, 16, 17}, {0, 8, 16, 24}, {5, 7, 30, 31}};

/* Lines, and units of each: two neighbours, the first and the last bank. */
START_TEST(four_lanes) {
    enum { PLACES = 9 };
    struct wsim_op op = every_parse(spellings[_i / COUNT(four)]);
    struct pair pair = prepare(&op, wsim_arch_find("h200"));
    const uint8_t *lanes = four[_i % COUNT(four)];
    unsigned bytes = wsim_op_describe(&op).bytes, unit = bytes < 4 ? 4 : bytes;
    uint32_t addr[WSIM_LANES], place[PLACES];
    struct wsim_io io = {.move = {.addr = addr, .mask = 0}};
    for (unsigned p = 0; p < PLACES; p++)
        place[p] = p / 3 * 128 + (p % 3 == 2 ? 128 - unit : p % 3 * unit);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = 640;
    for (unsigned i = 0; i < 4; i++)
        io.move.mask |= UINT32_C(1) << lanes[i];
    if (wsim_op_describe(&op).counting == WSIM_COUNT_ROWS)
        io.move.mask = UINT32_MAX;
    for (unsigned all = 0; all < PLACES * PLACES * PLACES * PLACES; all++) {
        for (unsigned i = 0, rest = all; i < 4; i++, rest /= PLACES)
            addr[lanes[i]] = place[rest % PLACES];
        compare(&pair, &io, WSIM_HARDWARE_COUNTERS);
    }
}
END_TEST

/* Any lanes, on one word, on two of one bank, on a word each. */
START_TEST(masks) {
    struct wsim_op op = every_parse(spellings[_i]);
    struct pair pair = prepare(&op, wsim_arch_find("h200"));
    uint32_t addr[WSIM_LANES], apart[] = {0, 128, 16, 144};
    struct wsim_io io = {.move = {.addr = addr}};
    if (wsim_op_describe(&op).counting == WSIM_COUNT_ROWS)
        return;
    for (int p = 0; p < COUNT(apart); p++) {
        for (unsigned l = 0; l < WSIM_LANES; l++)
            addr[l] = (p == 1 ? l % 2 : l) * apart[p];
        for (unsigned low = 0; low < 32; low++)
            for (unsigned count = 0; count <= 32 - low; count++) {
                io.move.mask = (uint32_t)((UINT64_C(1) << count) - 1) << low;
                compare(&pair, &io, WSIM_HARDWARE_COUNTERS);
            }
    }
}
END_TEST

/* --- fragments and copies --- */

START_TEST(every_fragment) {
    struct wsim_op op;
    const struct wsim_arch *arch = counted_on(_i, &op);
    uint64_t seed = (uint64_t)_i;
    struct pair pair;
    if (!arch || wsim_op_describe(&op).counting != WSIM_COUNT_FRAGMENT)
        return;
    pair = prepare(&op, arch);
    for (int turn = 0; turn < TURNS / 4; turn++) {
        uint32_t addr[WSIM_LANES];
        struct wsim_io io = {
            .move = {.addr = addr, .stride = (uint32_t)every_random(&seed) % 16 * 32}};
        addr[0] = (uint32_t)every_random(&seed) % 4096 * 16;
        for (unsigned l = 1; l < WSIM_LANES; l++)
            addr[l] = addr[0];
        compare(&pair, &io, WSIM_HARDWARE_COUNTERS);
    }
}
END_TEST

static const char *const copies[] = {"cp.async.ca.shared.global", "cp.async.cg.shared.global"};

START_TEST(each_copy) {
    struct wsim_op op = every_parse(copies[_i % 2]);
    struct pair pair = prepare(&op, wsim_arch_find("h200"));
    uint64_t seed = 3 + (uint64_t)_i;
    for (int turn = 0; turn < run_turns(MANY / 4); turn++) {
        uint32_t dst[WSIM_LANES], src[WSIM_LANES], size[WSIM_LANES];
        struct wsim_io io = {.copy = {.addr = dst, .mask = draw_mask(&seed), .warm = turn & 1}};
        uint64_t how = every_random(&seed);
        io.copy.bytes = _i % 2 ? 16 : 4u << how % 3;
        draw(dst, io.copy.bytes, &seed);
        draw(src, io.copy.bytes, &seed);
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            src[l] = how >> 8 & 3 ? src[l] & 0x7FFFFF : src[l]; /* what tags are known of */
            size[l] = every_random(&seed) % 4 ? io.copy.bytes : 0;
        }
        io.copy.src = how >> 10 & 7 ? src : NULL;
        io.copy.src_size = how >> 13 & 1 ? size : NULL;
        compare(&pair, &io, _i / 2 ? WSIM_SOURCE_PAGE : WSIM_HARDWARE_COUNTERS);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{every_access, 0, every_op_count()},
                                       {each_rule, 0, COUNT(spellings)},
                                       {four_lanes, 0, COUNT(spellings) * COUNT(four)},
                                       {masks, 0, COUNT(spellings)},
                                       {every_fragment, 0, every_op_count()},
                                       {each_copy, 0, 4}};
    return every_run("unit/machine/quick", tests, COUNT(tests));
}
