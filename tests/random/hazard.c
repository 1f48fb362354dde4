/* Random PTX kernels whose races are known by construction.
 *
 * A plan is a list of hand-overs. A warp accesses a region of 32 words, a link orders another warp
 * after it, and that one accesses the region. Building a plan writes the text of each warp
 * (hazard_text.c), and keeps a vector clock of each thread and of each copy (hazard_judge.c). The
 * clocks decide which accesses race. A region is used again only if that is no race. */
#include "hazard.h"
#include "hazard_plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const access_names[] = {"read",      "write",      "red",    "cp.async",
                                           "bulk load", "bulk store", "product"};
static const char *const link_names[] = {"barrier",     "bar.arrive", "mbarrier", "copies arrive",
                                         "one arrives", "one waits",  "flag",     "fences",
                                         "lane flags",  "cluster",    "meeting",  "halves meet"};
static const char *const fault_names[] = {
    "none",       "drop",           "early",          "late",    "no gather",
    "no scatter", "other mbarrier", "own number",     "relaxed", "narrow",
    "less lanes", "no wait",        "one group more", "no proxy"};

_Static_assert(sizeof access_names / sizeof *access_names == ACCESSES, "one name an access");
_Static_assert(sizeof link_names / sizeof *link_names == LINKS, "one name a link");
_Static_assert(sizeof fault_names / sizeof *fault_names == FAULTS, "one name a fault");

/* --- links --- */

/* All accesses of some actors so far are known to others. */
static struct order orders[MOST], lane_orders[LANES];

static void warp_meets(unsigned warp, unsigned how) {
    emit_meeting(warp, how);
    judge_meet(warp * LANES, LANES);
}

static void release_all(unsigned number, unsigned warp) {
    for (unsigned lane = 0; lane < LANES; lane++)
        judge_release(&orders[number], warp * LANES + lane);
}

static void acquire_all(unsigned number, unsigned warp) {
    for (unsigned lane = 0; lane < LANES; lane++)
        judge_acquire(&orders[number], warp * LANES + lane);
}

static int crosses(const struct hand_over *over) {
    return block_of(over->from) != block_of(over->to);
}

/* Whether the flag orders nothing. */
static int orders_nothing(enum fault fault) {
    return fault == RELAXED || fault == NARROW;
}

static const char *scope_of(const struct hand_over *over, enum fault fault) {
    static const char *const scopes[] = {"cta", "cluster", "gpu"};
    return scopes[fault == NARROW ? 0 : over->scope];
}

/* A store to the flag in %at. With the fault NARROW of fences the flag itself has its scope. */
static void emit_flag(const struct hand_over *over, unsigned number, const char *guard,
                      enum fault fault) {
    const int fenced = over->link == FENCES;
    emit_remote(over->from, block_of(over->to));
    emit(over->from, "%sst.%s.%s.shared%s.u32 [%%at+%u], 1;\n", guard,
         !fenced && fault != RELAXED ? "release" : "relaxed", scope_of(over, fenced ? NONE : fault),
         crosses(over) ? "::cluster" : "", number * 128);
}

static void emit_spin(const struct hand_over *over, unsigned number, enum fault fault) {
    const unsigned label = emit_label(), lanes = over->link == LANE_FLAGS;
    const int acquires = over->link != FENCES && fault != RELAXED;
    if (lanes)
        emit(over->to, "mad.lo.u32 %%at, %%lane, 4, %%flags;\n");
    else
        emit(over->to, "mov.u32 %%at, %%flags;\n@!%%q bra E%u;\n", label);
    emit(over->to,
         "L%u: ld.%s.%s.shared.u32 %%t, [%%at+%u];\nsetp.eq.u32 %%p, %%t, 0;\n@%%p bra "
         "L%u;\nE%u:\n",
         label, acquires ? "acquire" : "relaxed",
         scope_of(over, over->link == FENCES ? NONE : fault), number * 128, label, label);
}

/* The clocks of each lane at its flag. */
static void keep_lanes(unsigned from) {
    memset(lane_orders, 0, sizeof lane_orders);
    for (unsigned lane = 0; lane < LANES; lane++)
        judge_release(&lane_orders[lane], from * LANES + lane);
}

/* The first half of a link, in the first warp. */
static void link_release(unsigned number, const struct hand_over *over, enum fault fault) {
    const unsigned from = over->from, leader = from * LANES + over->leader, id = 1 + number;
    const int one = over->link == ONE_ARRIVES || over->link == FLAG || over->link == FENCES;
    if (one && fault != NO_GATHER)
        warp_meets(from, over->meeting);
    switch (over->link) {
    case ARRIVAL:
        emit(from, "bar.arrive %u, 64;\n", id);
        release_all(number, from);
        return;
    case MBARRIER:
    case ONE_WAITS:
        emit(from, "mbarrier.arrive.shared.b64 _, [%%bars+%u];\n", number * 8);
        release_all(number, from);
        return;
    case COPIES:
        emit(from, "cp.async.mbarrier.arrive.noinc.shared.b64 [%%bars+%u];\n", number * 8);
        for (unsigned lane = 0; lane < LANES; lane++)
            judge_release(&orders[number], THREADS + from * LANES + lane);
        return;
    case ONE_ARRIVES:
        emit_one(from, over->leader);
        emit(from, "@%%q mbarrier.arrive.shared.b64 _, [%%bars+%u];\n", number * 8);
        judge_release(&orders[number], leader);
        return;
    case FLAG:
    case FENCES:
        emit_one(from, over->leader);
        if (over->link == FENCES && fault != RELAXED)
            emit(from, "fence.acq_rel.%s;\n", scope_of(over, fault));
        emit(from, "mov.u32 %%at, %%flags;\n");
        emit_flag(over, number, "@%q ", fault);
        if (!orders_nothing(fault))
            judge_release(&orders[number], leader);
        return;
    case LANE_FLAGS:
        emit(from, "mad.lo.u32 %%at, %%lane, 4, %%flags;\n");
        emit_flag(over, number, "", fault);
        return; /* each lane for itself: see keep_lanes */
    default: return;
    }
}

/* A barrier of some warps is one event. */
static void meet_warps(unsigned number, const struct hand_over *over) {
    static const char *const texts[] = {
        "bar.sync %u, %u;\n", "barrier.sync %u, %u;\n",
        "setp.eq.u32 %%p, %%lane, 0;\nbar.red.popc.u32 %%t, %u, %u, %%p;\n",
        "setp.eq.u32 %%p, %%lane, 0;\nbarrier.red.or.pred %%p, %u, %u, %%p;\n"};
    const unsigned warps = 1u << over->from | 1u << over->to | over->others;
    unsigned n = 0;
    for (unsigned warp = 0; warp < WARPS; warp++)
        n += warps >> warp & 1;
    for (unsigned warp = 0; warp < WARPS; warp++)
        if (warps >> warp & 1) {
            emit(warp, texts[over->meeting % 4], 1 + number, n * LANES);
            release_all(number, warp);
        }
    for (unsigned warp = 0; warp < WARPS; warp++)
        if (warps >> warp & 1)
            acquire_all(number, warp);
}

static void link_acquire(unsigned number, const struct hand_over *over, enum fault fault) {
    const unsigned to = over->to, waiter = to * LANES + over->waiter, id = 1 + number;
    const int one = over->link == ONE_WAITS || over->link == FLAG || over->link == FENCES;
    const unsigned part = fault == LESS ? 8 : 16;
    switch (over->link) {
    case BARRIER:
        if (fault != OWN_NUMBER) {
            meet_warps(number, over);
            break;
        }
        emit(over->from, "bar.sync %u, 32;\n", id);
        judge_meet(over->from * LANES, LANES);
        emit(to, "bar.sync %u, 32;\n", id + MOST > 15 ? 0 : id + MOST);
        judge_meet(to * LANES, LANES);
        break;
    case ARRIVAL:
        emit(to, "bar.sync %u, 64;\n", id);
        acquire_all(number, to);
        judge_meet(to * LANES, LANES);
        break;
    case MBARRIER:
    case COPIES:
    case ONE_ARRIVES:
        emit_wait(to, fault == OTHER_BAR ? NO_BAR : number * 8, fault == OTHER_BAR, 0);
        if (fault != OTHER_BAR)
            acquire_all(number, to);
        break;
    case ONE_WAITS:
        emit_one(to, over->waiter);
        emit_wait(to, fault == OTHER_BAR ? NO_BAR : number * 8, fault == OTHER_BAR, 1);
        if (fault != OTHER_BAR)
            judge_acquire(&orders[number], waiter);
        break;
    case FLAG:
    case FENCES:
        emit_one(to, over->waiter);
        emit_spin(over, number, fault);
        if (over->link == FENCES && fault != RELAXED)
            emit(to, "fence.acq_rel.%s;\n", scope_of(over, fault));
        if (!orders_nothing(fault))
            judge_acquire(&orders[number], waiter);
        break;
    case LANE_FLAGS:
        emit_spin(over, number, fault);
        for (unsigned lane = 0; lane < LANES && !orders_nothing(fault); lane++)
            judge_acquire(&lane_orders[lane], to * LANES + lane);
        break;
    case WARP_SYNC: warp_meets(to, over->meeting); break;
    case HALF_SYNC:
        emit(to, "and.b32 %%t, %%lane, %u;\nshl.b32 %%t, %u, %%t;\nbar.warp.sync %%t;\n",
             LANES - part, (1u << part) - 1);
        for (unsigned lane = 0; lane < LANES; lane += part)
            judge_meet(to * LANES + lane, part);
        break;
    default: break;
    }
    if (one && fault != NO_SCATTER)
        warp_meets(to, over->meeting);
}

static void cluster_sync(void) {
    for (unsigned warp = 0; warp < WARPS; warp++)
        emit(warp, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n");
    judge_meet(0, THREADS);
}

static int is_copy(unsigned access) {
    return access >= CP_ASYNC;
}

static void hand(unsigned number, const struct hand_over *over, enum fault fault) {
    const int wait_first = over->link != COPIES && !(fault == NO_WAIT && is_copy(over->first));
    const int wait_second = !(fault == NO_WAIT && !is_copy(over->first));
    const enum fault of_first = fault == ONE_MORE && over->first != CP_ASYNC ? NONE : fault;
    const enum fault of_second = fault == ONE_MORE && over->first == CP_ASYNC ? NONE : fault;
    memset(&orders[number], 0, sizeof orders[number]);
    if (over->link == CLUSTER) {
        if (fault == EARLY)
            cluster_sync();
        hazard_access(over, 0, wait_first, of_first);
        if (fault != EARLY && fault != LATE && fault != DROP)
            cluster_sync();
        hazard_access(over, 1, wait_second, of_second);
        if (fault == LATE)
            cluster_sync();
        return;
    }
    if (fault == EARLY) {
        link_release(number, over, fault);
        if (over->link == LANE_FLAGS)
            keep_lanes(over->from);
    }
    /* A barrier is one event of all warps, so the first one passes it before its access. */
    if (fault == EARLY && over->link == BARRIER)
        link_acquire(number, over, fault);
    hazard_access(over, 0, wait_first, of_first);
    if (fault != EARLY && fault != DROP) {
        link_release(number, over, fault);
        if (over->link == LANE_FLAGS)
            keep_lanes(over->from);
    }
    if (fault == LATE)
        hazard_access(over, 1, wait_second, of_second);
    if (fault != DROP && !(fault == EARLY && over->link == BARRIER))
        link_acquire(number, over, fault);
    if (fault != LATE)
        hazard_access(over, 1, wait_second, of_second);
}

/* --- plans --- */

static uint64_t state;

static unsigned draw(unsigned n) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((z ^ z >> 31) >> 33) % n;
}

static int is_within(const struct hand_over *over) {
    return over->link == WARP_SYNC || over->link == HALF_SYNC;
}

/* Links that order blocks of a cluster. */
static int is_wide(unsigned link) {
    return link == CLUSTER || (link >= FLAG && link <= LANE_FLAGS);
}

/* The accesses of a hand-over whose link is drawn. */
static void draw_accesses(struct hand_over *over) {
    const int remote = crosses(over);
    const int by_words = over->link == LANE_FLAGS || over->link == HALF_SYNC;
    do {
        over->first =
            (uint8_t)(over->link == COPIES ? CP_ASYNC : draw(remote ? CP_ASYNC : BULK_STORE));
        over->second = (uint8_t)draw(remote ? CP_ASYNC : ACCESSES);
    } while ((over->first == READ && (over->second == READ || over->second >= BULK_STORE)) ||
             (over->link == COPIES && over->second >= BULK_LOAD) || /* no fence behind the copies */
             (over->second == PRODUCT && (over->link != BARRIER || hazard_blocks > 1)) ||
             (by_words && (over->first > CP_ASYNC || over->second > CP_ASYNC)));
    if (over->first == BULK_LOAD && over->second == BULK_STORE)
        over->second = READ; /* no proxy between */
    if (over->second == PRODUCT) {
        over->others = (1u << WARPS) - 1;
        over->region &= (uint8_t)~1u;
    }
}

static void draw_hand_over(struct hand_over *over) {
    const int remote = hazard_blocks > 1 && !draw(3);
    memset(over, 0, sizeof *over);
    over->from = (uint8_t)draw(WARPS);
    over->link = (uint8_t)draw(LINKS);
    over->to = over->from;
    if (over->link == CLUSTER && hazard_blocks == 1)
        over->link = BARRIER;
    while (remote && !is_wide(over->link))
        over->link = (uint8_t)draw(LINKS);
    while (!is_within(over) && (over->to == over->from || crosses(over) != remote))
        over->to = (uint8_t)draw(WARPS);
    over->region = (uint8_t)draw(REGIONS);
    over->region_block = (uint8_t)block_of(draw(2) ? over->from : over->to);
    over->turn_from = (uint8_t)draw(LANES);
    over->turn_to = over->link == LANE_FLAGS  ? over->turn_from
                    : over->link == HALF_SYNC ? (uint8_t)(over->turn_from ^ draw(LANES / 2))
                                              : (uint8_t)draw(LANES);
    over->leader = (uint8_t)draw(LANES);
    over->waiter = (uint8_t)draw(LANES);
    over->meeting = (uint8_t)draw(24);
    over->groups = (uint8_t)(draw(2) ? draw(3) : 0);
    over->scope = (uint8_t)(remote ? 1 + draw(2) : draw(3));
    for (unsigned warp = 0; warp < WARPS; warp++)
        if (block_of(warp) == block_of(over->from) && !draw(3))
            over->others |= (uint8_t)(1u << warp);
    draw_accesses(over);
}

/* A lane reads, and another one of its warp has an atomic: a guess, which is no finding. */
static int is_guess(const struct hand_over *over) {
    return is_within(over) && over->first == READ && over->second == ATOMIC;
}

/* Whether the hand-over has an order that the fault takes away, and that wsim looks for. */
static int fits(const struct hand_over *over, enum fault fault) {
    switch (fault) {
    case DROP: return !is_guess(over);
    case EARLY:
    case LATE: return !is_within(over);
    case NO_GATHER: return over->link == ONE_ARRIVES || over->link == FLAG || over->link == FENCES;
    case NO_SCATTER: return over->link == ONE_WAITS || over->link == FLAG || over->link == FENCES;
    case OTHER_BAR: return over->link >= MBARRIER && over->link <= ONE_WAITS;
    case OWN_NUMBER: return over->link == BARRIER;
    case RELAXED: return over->link >= FLAG && over->link <= LANE_FLAGS;
    case NARROW: return over->link >= FLAG && over->link <= LANE_FLAGS && crosses(over);
    case LESS: return over->link == HALF_SYNC && !is_guess(over);
    case NO_WAIT: return is_copy(over->first) ? over->link != COPIES : is_copy(over->second);
    case ONE_MORE:
        return over->link != COPIES && (over->first == CP_ASYNC || over->second == CP_ASYNC);
    case NO_PROXY: return over->second >= BULK_LOAD;
    default: return 0;
    }
}

static void begin(void) {
    judge_begin();
    text_begin();
}

/* --- the whole text --- */

static void put(struct hazard *hazard, size_t *used, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (*used < HAZARD_TEXT)
        *used += (size_t)vsnprintf(hazard->text + *used, HAZARD_TEXT - *used, format, list);
    va_end(list);
}

/* Functions with a product, so that all four warps execute one instruction. The tile of B has
 * 8 columns of 32 bytes. */
static const char *product_text(void) {
    static char text[2048];
    size_t used = 0;
    for (unsigned waits = 0; waits < 2; waits++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            ".func %s(.reg .b32 at)\n{\n.reg .b32 %%a<4>, %%d<4>, %%t;\n.reg .b64 %%b;\n"
            ".reg .pred %%p;\n"
            "mov.u32 %%a0, 0;\nmov.u32 %%a1, 0;\nmov.u32 %%a2, 0;\nmov.u32 %%a3, 0;\n"
            "mov.u32 %%d0, 0;\nmov.u32 %%d1, 0;\nmov.u32 %%d2, 0;\nmov.u32 %%d3, 0;\n"
            "shr.u32 %%t, at, 4;\ncvt.u64.u32 %%b, %%t;\nor.b64 %%b, %%b, 0x800080000;\n"
            "setp.ne.u32 %%p, 1, 0;\nwgmma.fence.sync.aligned;\n"
            "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%%d0, %%d1, %%d2, %%d3}, "
            "{%%a0, %%a1, %%a2, %%a3}, %%b, %%p;\nwgmma.commit_group.sync.aligned;\n%sret;\n}\n",
            waits ? "product" : "no_wait", waits ? "wgmma.wait_group.sync.aligned 0;\n" : "");
    return text;
}

static void write_text(struct hazard *hazard, const struct hand_over *plan, unsigned n) {
    size_t used = 0;
    put(hazard, &used,
        ".version 8.7\n.target sm_90a\n.address_size 64\n%s.visible .entry k(.param .u64 in, "
        ".param .u64 out)\n{\n.reg .b32 %%lane, %%warp, %%t, %%at, %%box, %%bars, %%flags, %%sum;\n"
        ".reg .b64 %%in, %%in4, %%out, %%d;\n.reg .pred %%p, %%q;\n"
        ".shared .align 128 .b8 box[%u];\n.shared .align 8 .b8 bars[%u];\n.shared .align 128 .b8 "
        "flags[%u];\n",
        product_text(), REGIONS * 128, 128 + BULKS * 8, MOST * 128);
    put(hazard, &used,
        "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\nmov.u32 %%t, %%tid.x;\n"
        "and.b32 %%lane, %%t, 31;\nmov.u32 %%box, box;\nmov.u32 %%bars, bars;\nmov.u32 %%flags, "
        "flags;\n"
        "mul.wide.u32 %%in4, %%lane, 4;\nadd.u64 %%in4, %%in4, %%in;\nmov.u32 %%sum, 0;\n");
    for (unsigned i = 0; i < REGIONS; i++)
        put(hazard, &used, "mad.lo.u32 %%at, %%lane, 4, %%box;\nst.shared.u32 [%%at+%u], %u;\n",
            i * 128, i);
    for (unsigned i = 0; i < MOST; i++)
        put(hazard, &used, "mad.lo.u32 %%at, %%lane, 4, %%flags;\nst.shared.u32 [%%at+%u], 0;\n",
            i * 128);
    put(hazard, &used, "setp.ne.u32 %%p, %%t, 0;\n@%%p bra MADE;\n");
    for (unsigned i = 0; i < n; i++)
        put(hazard, &used, "mbarrier.init.shared.b64 [bars+%u], %u;\n", i * 8,
            plan[i].link == ONE_ARRIVES ? 1 : LANES);
    put(hazard, &used, "mbarrier.init.shared.b64 [bars+%u], 1;\n", NO_BAR);
    for (unsigned i = 0; i < hazard_bulks; i++)
        put(hazard, &used, "mbarrier.init.shared.b64 [bars+%u], 1;\n", 128 + i * 8);
    put(hazard, &used,
        "fence.mbarrier_init.release.cluster;\nMADE:\nfence.proxy.async;\nbar.sync 0;\n");
    if (hazard_blocks > 1)
        put(hazard, &used, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n");
    put(hazard, &used,
        "shr.u32 %%warp, %%t, 5;\nmov.u32 %%t, %%cluster_ctarank;\n"
        "mad.lo.u32 %%warp, %%t, %u, %%warp;\n",
        hazard_per_block);
    for (unsigned warp = 0; warp < WARPS; warp++)
        put(hazard, &used, "setp.eq.u32 %%p, %%warp, %u;\n@%%p bra W%u;\n", warp, warp);
    for (unsigned warp = 0; warp < WARPS; warp++)
        put(hazard, &used, "W%u:\n%sbra END;\n", warp, text_of(warp));
    put(hazard, &used, "END:\n");
    if (hazard_blocks > 1)
        put(hazard, &used, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n");
    put(hazard, &used,
        "mad.lo.u32 %%t, %%warp, 32, %%lane;\nmul.wide.u32 %%d, %%t, 4;\n"
        "add.u64 %%d, %%d, %%out;\nst.global.u32 [%%d], %%sum;\nret;\n}\n");
}

/* Takes a region that is new, or the one that is drawn if that is no race. */
static void take_region(unsigned number, struct hand_over *over, unsigned fresh[2]) {
    unsigned *next = &fresh[over->region_block];
    const unsigned n = over->second == PRODUCT ? 2 : 1;
    judge_keep();
    if (over->region + n <= *next) {
        hand(number, over, NONE);
        if (!judge_races())
            return;
        judge_back();
    }
    over->region = (uint8_t)((*next + n - 1) / n * n);
    *next = over->region + n;
    hand(number, over, NONE);
}

int hazard_draw(uint64_t seed, int broken, struct hazard *hazard) {
    struct hand_over plan[MOST];
    unsigned fresh[2] = {0, 0}, n, at = MOST;
    enum fault fault = NONE;
    state = seed * 0x2545F4914F6CDD1Du + 1;
    hazard_blocks = draw(3) ? 1 : 2;
    hazard_per_block = WARPS / hazard_blocks;
    n = 2 + draw(MOST - 1);
    n = n > MOST - 1 ? MOST - 1 : n;
    begin();
    for (unsigned i = 0; i < n; i++) {
        draw_hand_over(&plan[i]);
        take_region(i, &plan[i], fresh);
    }
    for (unsigned tries = 0; broken && tries < 64; tries++) {
        at = draw(n);
        fault = (enum fault)(1 + draw(FAULTS - 1));
        if (fits(&plan[at], fault))
            break;
        fault = NONE;
    }
    if (broken && fault == NONE)
        return 0;
    begin();
    for (unsigned i = 0; i < n; i++)
        hand(i, &plan[i], i == at ? fault : NONE);
    hazard->blocks = hazard_blocks;
    hazard->threads = hazard_per_block * LANES;
    hazard->races = judge_races();
    snprintf(hazard->what, sizeof hazard->what,
             "%s: %s of warp %u, %s, %s of warp %u (number %u of %u)", fault_names[fault],
             at < n ? access_names[plan[at].first] : "-", at < n ? plan[at].from : 0,
             at < n ? link_names[plan[at].link] : "-", at < n ? access_names[plan[at].second] : "-",
             at < n ? plan[at].to : 0, at, n);
    write_text(hazard, plan, n);
    return 1;
}
