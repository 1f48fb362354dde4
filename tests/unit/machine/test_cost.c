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

START_TEST(accesses) {
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_op_info info;
    uint64_t seed = (uint64_t)_i;
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    arch = every_first_arch(&op);
    if (!arch || !info.bytes || !wsim_op_evidence(&op, arch, WSIM_COUNTS, NULL))
        return;
    for (int turn = 0; turn < TURNS; turn++) {
        struct wsim_code code = prepared(&op, arch);
        uint32_t addr[WSIM_LANES];
        struct wsim_io io = {.addr = addr, .mask = UINT32_MAX};
        struct wsim_banks old;
        struct wsim_cost cost;
        draw(addr, info.bytes, &seed);
        if (info.counting == WSIM_COUNT_ACCESS)
            io.mask = (uint32_t)every_random(&seed);
        ck_assert_int_eq(wsim_banks_count(&op, arch, addr, io.mask, &old, NULL), WSIM_OK);
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
        struct wsim_io io = {.addr = addr, .stride = stride};
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
        struct wsim_io io = {.addr = dst, .src = src, .src_size = size, .bytes = list[_i].bytes};
        struct wsim_copy old = {.dst = dst, .src = src, .src_size = size, .bytes = list[_i].bytes};
        struct wsim_copy_banks banks;
        struct wsim_cost cost;
        uint32_t reading = 0;
        draw(dst, io.bytes, &seed);
        draw(src, io.bytes, &seed);
        io.mask = old.mask = (uint32_t)every_random(&seed);
        io.warm = (uint8_t)(old.warm = turn & 1);
        old.counters = list[_i].counters;
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            size[l] = every_random(&seed) & 1 && turn < TURNS - 1 ? io.bytes : 0;
            reading |= size[l] ? io.mask & UINT32_C(1) << l : 0;
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
    struct wsim_io io = {.addr = addr, .mask = UINT32_MAX};
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
    struct wsim_io io = {.addr = addr, .mask = list[_i].mask};
    struct wsim_cost cost = {.wavefronts = 77};
    struct wsim_diag diag;
    ck_assert_int_ne(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &cost, &diag), WSIM_OK);
    ck_assert_str_eq(diag.rule, list[_i].rule);
    ck_assert_uint_eq(cost.wavefronts, 77);
    io.addr = NULL;
    ck_assert_int_ne(wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &cost, NULL), WSIM_OK);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{accesses, 0, every_op_count()},
                                       {parts_of_a_fragment, 0, COUNT(fragments)},
                                       {copies, 0, 4},
                                       {groups_fit, 0, 1},
                                       {refusals_leave_the_cost, 0, 4}};
    return every_run("unit/machine/cost", tests, COUNT(tests));
}
