/* test_cost.c - wsim_cost is the three old counts with one answer, and knows what it does not know.
 */
#include "../../every.h"

enum { TURNS = 20 };

static struct wsim_cost_group groups[64];

static struct wsim_code prepared(const struct wsim_op *op, const struct wsim_arch *arch) {
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(op, arch, 0, &code, NULL), WSIM_OK);
    return code;
}

/* Aligned addresses of a small window, so that words and banks are shared. */
static void draw(uint32_t *addr, unsigned bytes, uint64_t *seed) {
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = (uint32_t)(every_random(seed) % 1024) / bytes * bytes;
}

static void same_access(const struct wsim_banks *old, const struct wsim_cost_group *group,
                        unsigned count) {
    ck_assert_uint_eq(old->ngroups, count);
    for (unsigned i = 0; i < count; i++) {
        ck_assert_uint_eq(group[i].lanes, old->group[i].lanes);
        ck_assert_uint_eq(group[i].ways, old->group[i].ways);
        ck_assert_uint_eq(group[i].wavefronts, old->group[i].wavefronts);
        ck_assert_uint_eq(group[i].bank, old->group[i].bank);
        ck_assert_uint_eq(group[i].nwords, old->group[i].nwords);
        ck_assert_int_eq(memcmp(group[i].words, old->group[i].words, 4u * group[i].nwords), 0);
    }
}

/* Operation `index`, if it is one access whose cost is known where it is first legal. */
static int is_counted(int index, struct wsim_op *op, struct wsim_op_info *info,
                      const struct wsim_arch **arch) {
    every_op(index, op);
    *info = wsim_op_describe(op);
    *arch = every_first_arch(op);
    return *arch && info->bytes && wsim_op_evidence(op, *arch, WSIM_COUNTS, NULL);
}

START_TEST(accesses) {
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_op_info info;
    uint64_t seed = (uint64_t)_i;
    if (!is_counted(_i, &op, &info, &arch))
        return;
    for (int turn = 0; turn < TURNS; turn++) {
        struct wsim_code code = prepared(&op, arch);
        uint32_t addr[WSIM_LANES];
        struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
        struct wsim_banks old;
        struct wsim_cost cost;
        draw(addr, info.bytes, &seed);
        if (info.counting == WSIM_COUNT_ACCESS)
            io.move.mask = (uint32_t)every_random(&seed);
        ck_assert_int_eq(wsim_banks_count(&op, arch, addr, io.move.mask, &old, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, groups, 64, &cost, NULL),
                         WSIM_OK);
        ck_assert_uint_eq(cost.wavefronts, old.wavefronts);
        ck_assert_uint_eq(cost.ideal, old.ideal);
        ck_assert_uint_eq(cost.conflicts, old.conflicts);
        ck_assert_uint_eq(cost.merged, old.merged);
        ck_assert_uint_eq(cost.known, 1);
        same_access(&old, groups, cost.groups);
    }
}
END_TEST

static const char *const fragments[] = {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
                                        "wmma.load.b.sync.aligned.row.m16n16k16.shared.s8",
                                        "wmma.load.a.sync.aligned.row.m8n8k128.shared.b1",
                                        "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32",
                                        "wmma.store.d.sync.aligned.col.m8n8k4.shared.f64"};

START_TEST(parts_of_a_fragment) {
    struct wsim_op op = every_parse(fragments[_i]);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint32_t addr[WSIM_LANES] = {0};
    for (uint32_t stride = 128; stride <= 512; stride += 128) {
        struct wsim_io io = {.move = {.addr = addr, .stride = stride}};
        struct wsim_fragment_banks old;
        struct wsim_cost cost;
        unsigned at = 0;
        ck_assert_int_eq(wsim_banks_fragment(&op, wsim_arch_find("h200"), addr, stride, &old, NULL),
                         WSIM_OK);
        ck_assert_int_eq(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, groups, 64, &cost, NULL),
                         WSIM_OK);
        ck_assert_uint_eq(cost.wavefronts, old.wavefronts);
        ck_assert_uint_eq(cost.ideal, old.ideal);
        ck_assert_uint_eq(cost.conflicts, old.conflicts);
        for (unsigned i = 0; i < old.naccesses; i++) {
            same_access(&old.access[i].banks, groups + at, old.access[i].banks.ngroups);
            for (unsigned g = 0; g < old.access[i].banks.ngroups; g++)
                ck_assert_uint_eq(groups[at++].access, i);
        }
        ck_assert_uint_eq(cost.groups, at);
    }
}
END_TEST

START_TEST(copies) {
    static const struct {
        const char *spelling;
        unsigned bytes;
        enum wsim_counters counters;
    } list[] = {
        {"cp.async.ca.shared.global", 4, WSIM_HARDWARE_COUNTERS},
        {"cp.async.ca.shared.global", 16, WSIM_HARDWARE_COUNTERS},
        {"cp.async.ca.shared.global", 8, WSIM_SOURCE_PAGE},
        {"cp.async.cg.shared.global", 16, WSIM_HARDWARE_COUNTERS},
    };
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint64_t seed = 9;
    for (int turn = 0; turn < TURNS; turn++) {
        uint32_t dst[WSIM_LANES], src[WSIM_LANES], size[WSIM_LANES];
        struct wsim_io io = {
            .copy = {.addr = dst, .src = src, .src_size = size, .bytes = list[_i].bytes}};
        struct wsim_copy old = {.dst = dst, .src = src, .src_size = size, .bytes = list[_i].bytes};
        struct wsim_copy_banks banks;
        struct wsim_cost cost;
        uint32_t reading = 0;
        draw(dst, io.copy.bytes, &seed);
        draw(src, io.copy.bytes, &seed);
        io.copy.mask = old.mask = (uint32_t)every_random(&seed);
        io.copy.warm = (uint8_t)(old.warm = turn & 1);
        old.counters = list[_i].counters;
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            size[l] = every_random(&seed) & 1 && turn < TURNS - 1 ? io.copy.bytes : 0;
            reading |= size[l] ? io.copy.mask & UINT32_C(1) << l : 0;
        }
        ck_assert_int_eq(wsim_banks_copy(&op, wsim_arch_find("h200"), &old, &banks, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_cost(&code, &io, list[_i].counters, groups, 64, &cost, NULL),
                         WSIM_OK);
        ck_assert_uint_eq(cost.wavefronts, banks.wavefronts);
        ck_assert_uint_eq(cost.ideal, banks.ideal);
        ck_assert_uint_eq(cost.conflicts, banks.conflicts);
        ck_assert_uint_eq(cost.groups, banks.ngroups);
        ck_assert_uint_eq(cost.known, banks.known);
        ck_assert_uint_eq(cost.known, _i != 3 || !reading);
        for (unsigned g = 0; g < cost.groups; g++) {
            ck_assert_uint_eq(groups[g].lanes, banks.group[g].lanes);
            ck_assert_uint_eq(groups[g].worst, banks.group[g].worst);
            ck_assert_uint_eq(groups[g].wavefronts, banks.group[g].wavefronts);
            ck_assert_uint_eq(groups[g].batch, banks.group[g].batch);
        }
    }
}
END_TEST

/* No more groups are written than there is room for, and all are counted. */
START_TEST(groups_fit) {
    struct wsim_op op = every_parse("ld.shared.v4.b32");
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint32_t addr[WSIM_LANES];
    struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
    struct wsim_cost_group two[3];
    struct wsim_cost cost;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = l * 16;
    memset(two, 0x77, sizeof two);
    ck_assert_int_eq(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, two, 2, &cost, NULL), WSIM_OK);
    ck_assert_uint_eq(cost.groups, 4);
    ck_assert_uint_eq(two[1].lanes, 0xFF00);
    ck_assert_uint_eq(two[2].lanes, 0x77777777);
}
END_TEST

START_TEST(refusals_leave_the_cost) {
    static const struct {
        const char *spelling, *rule;
        uint32_t first, mask;
    } list[] = {
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "op.door.wrong", 0, UINT32_MAX},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", "banks.mask.partial", 0, 1},
        {"ld.shared.b32", "banks.address.align", 2, UINT32_MAX},
        {"wmma.load.a.sync.aligned.row.m16n16k16.f16", "banks.space.unmeasured", 0, UINT32_MAX},
    };
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint32_t addr[WSIM_LANES] = {list[_i].first};
    struct wsim_io io = {.move = {.addr = addr, .mask = list[_i].mask}};
    struct wsim_cost cost = {.wavefronts = 77};
    struct wsim_diag diag;
    ck_assert_int_ne(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &cost, &diag), WSIM_OK);
    ck_assert_str_eq(diag.rule, list[_i].rule);
    ck_assert_uint_eq(cost.wavefronts, 77);
    io.move.addr = NULL;
    ck_assert_int_ne(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &cost, NULL), WSIM_OK);
}
END_TEST

/* --- which lane goes in which pass --- */

static uint32_t word_there(const struct wsim_cost_access *access, unsigned lane, unsigned bank) {
    for (uint32_t byte = 0; byte < access->bytes; byte++)
        if ((access->addr[lane] + byte) / 4 % 32 == bank)
            return (access->addr[lane] + byte) / 4;
    return UINT32_MAX;
}

/* Turns are numbered without a gap. Lanes of one turn share one word; a later turn has
 * a later word (folds) or a later lane. A lane without a turn does not use the bank. */
static void expect_turns(const struct wsim_cost_access *access, uint32_t lanes, unsigned bank,
                         unsigned passes, const uint8_t *turn) {
    uint32_t seen = 0;
    for (unsigned a = 0; a < WSIM_LANES; a++) {
        uint32_t word = word_there(access, a, bank);
        int in = (lanes & access->mask) >> a & 1 && word != UINT32_MAX;
        ck_assert_int_eq(turn[a] != 0, in);
        ck_assert_uint_le(turn[a], passes);
        if (in)
            seen |= UINT32_C(1) << (turn[a] - 1);
        for (unsigned b = 0; b < a && in; b++)
            if (turn[b] && access->folds)
                ck_assert_int_eq((turn[a] > turn[b]) - (turn[a] < turn[b]),
                                 (word > word_there(access, b, bank)) -
                                     (word < word_there(access, b, bank)));
            else if (turn[b])
                ck_assert_uint_gt(turn[a], turn[b]);
    }
    ck_assert_uint_eq(seen, (uint32_t)((UINT64_C(1) << passes) - 1));
}

/* The worst bank of a group has as many passes as it has ways, those below it fewer. */
static void expect_group(const struct wsim_cost_access *access,
                         const struct wsim_cost_group *group) {
    uint8_t turn[WSIM_LANES];
    ck_assert_uint_eq(group->lanes & ~access->mask, 0);
    for (unsigned bank = 0; bank < WSIM_BANKS; bank++) {
        unsigned passes = wsim_cost_turns(access, group->lanes, bank, turn);
        expect_turns(access, group->lanes, bank, passes, turn);
        ck_assert_uint_le(passes, group->ways);
        ck_assert(bank >= group->bank || passes < group->ways);
        if (bank != group->bank)
            continue;
        ck_assert_uint_eq(passes, group->ways);
        for (unsigned l = 0; l < WSIM_LANES && access->folds; l++)
            if (turn[l])
                ck_assert_uint_eq(word_there(access, l, bank), group->words[turn[l] - 1]);
    }
}

static void expect_accesses(const struct wsim_code *code, const struct wsim_io *io) {
    struct wsim_cost cost;
    struct wsim_cost_access access;
    unsigned at = 0, merged = 0;
    ck_assert_int_eq(wsim_cost(code, io, WSIM_HARDWARE_COUNTERS, groups, 64, &cost, NULL), WSIM_OK);
    for (unsigned i = 0; i < cost.accesses; i++) {
        uint32_t lanes = 0;
        ck_assert_int_eq(wsim_cost_access(code, io, i, &access, NULL), WSIM_OK);
        for (; at < cost.groups && groups[at].access == i; at++) {
            ck_assert_uint_eq(lanes & groups[at].lanes, 0);
            lanes |= groups[at].lanes;
            expect_group(&access, &groups[at]);
        }
        ck_assert_uint_eq(lanes, access.mask);
        for (unsigned l = 0; l < WSIM_LANES; l++)
            ck_assert(lanes >> l & 1 || access.addr[l] == 0);
        merged |= access.merged;
    }
    ck_assert_uint_eq(at, cost.groups);
    ck_assert_uint_eq(merged, cost.merged);
    memset(&access, 0x5A, sizeof access);
    ck_assert_int_eq(wsim_cost_access(code, io, cost.accesses, &access, NULL), WSIM_OPERAND);
    ck_assert_uint_eq(access.mask, 0x5A5A5A5A);
}

START_TEST(turns_of_accesses) {
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_op_info info;
    uint64_t seed = (uint64_t)_i;
    if (!is_counted(_i, &op, &info, &arch))
        return;
    for (int turn = 0; turn < 4; turn++) {
        struct wsim_code code = prepared(&op, arch);
        uint32_t addr[WSIM_LANES];
        struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
        struct wsim_cost_access access;
        draw(addr, info.bytes, &seed);
        if (info.counting == WSIM_COUNT_ACCESS)
            io.move.mask = (uint32_t)every_random(&seed);
        expect_accesses(&code, &io);
        ck_assert_int_eq(wsim_cost_access(&code, &io, 0, &access, NULL), WSIM_OK);
        ck_assert_uint_eq(access.bytes, info.bytes);
        ck_assert_uint_eq(access.rows, 8u * info.matrices);
    }
}
END_TEST

START_TEST(turns_of_fragments) {
    struct wsim_op op = every_parse(fragments[_i]);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint32_t addr[WSIM_LANES] = {0};
    struct wsim_io io = {.move = {.addr = addr, .stride = 256}};
    struct wsim_fragment_banks old;
    struct wsim_cost cost;
    expect_accesses(&code, &io);
    ck_assert_int_eq(wsim_banks_fragment(&op, wsim_arch_find("h200"), addr, 256, &old, NULL),
                     WSIM_OK);
    ck_assert_int_eq(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &cost, NULL), WSIM_OK);
    ck_assert_uint_eq(cost.accesses, old.naccesses);
    for (unsigned i = 0; i < old.naccesses; i++) {
        struct wsim_cost_access access;
        ck_assert_int_eq(wsim_cost_access(&code, &io, i, &access, NULL), WSIM_OK);
        ck_assert_uint_eq(access.bytes, old.access[i].bytes);
        ck_assert_uint_eq(access.rows, old.access[i].rows);
        ck_assert_int_eq(memcmp(access.addr, old.access[i].addr, sizeof access.addr), 0);
    }
}
END_TEST

/* Lanes 0 and 2 have word 32, lane 1 word 0, lane 3 word 64, all of bank 0; lane 4 word 1. */
START_TEST(turns_by_hand) {
    static const uint8_t folded[] = {2, 1, 2, 3, 0}, single[] = {1, 2, 3, 4, 0};
    struct wsim_cost_access access = {.mask = 0x1F, .addr = {128, 0, 130, 256, 4}, .bytes = 2};
    uint8_t turn[WSIM_LANES];
    ck_assert_uint_eq(wsim_cost_turns(&access, UINT32_MAX, 0, turn), 4);
    ck_assert_int_eq(memcmp(turn, single, 5), 0);
    access.folds = 1;
    ck_assert_uint_eq(wsim_cost_turns(&access, UINT32_MAX, 32, turn), 3);
    ck_assert_int_eq(memcmp(turn, folded, 5), 0);
    ck_assert_uint_eq(wsim_cost_turns(&access, 0xD, 0, turn), 2);
    ck_assert_uint_eq(turn[0], 1);
    ck_assert_uint_eq(turn[1], 0);
    ck_assert_uint_eq(turn[3], 2);
}
END_TEST

START_TEST(a_copy_has_no_access) {
    struct wsim_op op = every_parse("cp.async.ca.shared.global");
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint32_t addr[WSIM_LANES] = {0};
    struct wsim_io io = {.copy = {.addr = addr, .mask = UINT32_MAX, .bytes = 4}};
    struct wsim_cost_access access = {.mask = 7};
    struct wsim_cost cost;
    ck_assert_int_eq(wsim_cost_access(&code, &io, 0, &access, NULL), WSIM_ILLEGAL);
    ck_assert_uint_eq(access.mask, 7);
    ck_assert_int_eq(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &cost, NULL), WSIM_OK);
    ck_assert_uint_eq(cost.accesses, 0);
}
END_TEST

/* After the exchange by MOVM a lane holds two neighbours of a column: its own lane's place in the
 * transposed matrix of 8 x 8. The counts of a whole warp do not tell lanes apart. */
START_TEST(lanes_exchange_what_lies_across) {
    const struct wsim_op op = every_parse("wmma.store.d.sync.aligned.col.m16n16k16.shared.f16");
    const struct wsim_code code = prepared(&op, wsim_arch_find("sm_90a"));
    const uint32_t addr[WSIM_LANES] = {0};
    const struct wsim_io io = {.move = {.addr = addr, .stride = 24}};
    struct wsim_cost_access access;
    ck_assert_int_eq(wsim_cost_access(&code, &io, 0, &access, NULL), WSIM_OK);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        ck_assert_uint_eq(access.addr[lane], lane / 4 * 48 + lane % 4 * 4);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{accesses, 0, every_op_count()},
                                       {parts_of_a_fragment, 0, COUNT(fragments)},
                                       {copies, 0, 4},
                                       {groups_fit, 0, 1},
                                       {refusals_leave_the_cost, 0, 4},
                                       {turns_of_accesses, 0, every_op_count()},
                                       {turns_of_fragments, 0, COUNT(fragments)},
                                       {turns_by_hand, 0, 1},
                                       {lanes_exchange_what_lies_across, 0, 1},
                                       {a_copy_has_no_access, 0, 1}};
    return every_run("unit/machine/cost", tests, COUNT(tests));
}
