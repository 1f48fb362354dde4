/* Random kernels whose races are known by construction.
 *
 * A plan is a list of hand-overs. A warp accesses a region of 32 words, a link orders another warp
 * after it, and that one accesses the region. Building a plan writes the text of each warp, and
 * keeps a vector clock of each thread and of each copy. The clocks decide which accesses race. They
 * know lanes, while those of the library know warps. A region is used again only if that is no
 * race. */
#include "hazard.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    WARPS = 4,  /* of the cluster */
    LANES = 32, /* also words of a region */
    THREADS = WARPS * LANES,
    BULKS = 24,                   /* bulk copies */
    ACTORS = 2 * THREADS + BULKS, /* threads, their cp.async, bulk copies */
    REGIONS = 12,
    MOST = 8,     /* hand-overs */
    LOGGED = 96,  /* accesses of a word */
    ROOM = 24000, /* text of a warp */
    NO_BAR = 120  /* an mbarrier without arrivals */
};

enum access { READ, WRITE, CP_ASYNC, BULK_LOAD, BULK_STORE, ACCESSES };
enum link {
    BARRIER,     /* bar.sync of two warps */
    ARRIVAL,     /* bar.arrive and bar.sync */
    MBARRIER,    /* each lane arrives, each lane waits */
    ONE_ARRIVES, /* one lane arrives for its warp, behind bar.warp.sync */
    ONE_WAITS,   /* one lane waits for its warp, and bar.warp.sync follows */
    FLAG,        /* st.release and ld.acquire of one lane each */
    FENCES,      /* the same, relaxed, with fences */
    LANE_FLAGS,  /* a flag for each lane */
    CLUSTER,     /* barrier.cluster */
    WARP_SYNC,   /* within one warp */
    LINKS
};
enum fault {
    NONE,
    DROP,       /* no link */
    EARLY,      /* the release comes before the access */
    LATE,       /* the wait comes after the access */
    NO_GATHER,  /* no bar.warp.sync before the release of one lane */
    NO_SCATTER, /* no bar.warp.sync behind the wait of one lane */
    OTHER_BAR,  /* a wait for an mbarrier that is over at once */
    OWN_NUMBER, /* each warp has another barrier */
    RELAXED,    /* no release, no acquire, no fence */
    NO_WAIT,    /* no wait for the copies of the thread */
    NO_PROXY,   /* no fence.proxy.async */
    FAULTS
};

static const char *const access_names[] = {"read", "write", "cp.async", "bulk load", "bulk store"};
static const char *const link_names[] = {"bar.sync",  "bar.arrive",   "mbarrier", "one arrives",
                                         "one waits", "flag",         "fences",   "lane flags",
                                         "cluster",   "bar.warp.sync"};
static const char *const fault_names[] = {"none",      "drop",       "early",          "late",
                                          "no gather", "no scatter", "other mbarrier", "own number",
                                          "relaxed",   "no wait",    "no proxy"};

struct hand_over {
    uint8_t from, to;      /* warps */
    uint8_t first, second; /* enum access */
    uint8_t link, region, region_block;
    uint8_t turn_from, turn_to; /* lane i takes word i ^ turn */
    uint8_t leader, waiter;     /* lanes */
};

/* --- the judge --- */

struct log {
    uint16_t actor, clock;
    uint8_t writes, async;
};

static struct judge {
    uint16_t clocks[ACTORS][ACTORS], seen[ACTORS][ACTORS];
    struct log log[2][REGIONS][LANES][LOGGED];
    uint16_t n[2][REGIONS][LANES];
    uint16_t bulks;
    int races;
} judge, before;

static void join(unsigned to, unsigned from) {
    for (unsigned i = 0; i < ACTORS; i++) {
        if (judge.clocks[from][i] > judge.clocks[to][i])
            judge.clocks[to][i] = judge.clocks[from][i];
        if (judge.seen[from][i] > judge.seen[to][i])
            judge.seen[to][i] = judge.seen[from][i];
    }
}

static void step(unsigned actor) {
    judge.clocks[actor][actor]++;
}

/* All accesses of some actors so far are known to others. */
static struct order { uint16_t clocks[ACTORS], seen[ACTORS]; } orders[MOST];

static void release(struct order *order, unsigned actor) {
    for (unsigned i = 0; i < ACTORS; i++) {
        if (judge.clocks[actor][i] > order->clocks[i])
            order->clocks[i] = judge.clocks[actor][i];
        if (judge.seen[actor][i] > order->seen[i])
            order->seen[i] = judge.seen[actor][i];
    }
    step(actor);
}

static void acquire(const struct order *order, unsigned actor) {
    for (unsigned i = 0; i < ACTORS; i++) {
        if (order->clocks[i] > judge.clocks[actor][i])
            judge.clocks[actor][i] = order->clocks[i];
        if (order->seen[i] > judge.seen[actor][i])
            judge.seen[actor][i] = order->seen[i];
    }
}

static void touch(const struct hand_over *over, unsigned word, unsigned actor, int writes,
                  int proxy) {
    uint16_t *n = &judge.n[over->region_block][over->region][word];
    struct log *log = judge.log[over->region_block][over->region][word];
    for (unsigned i = 0; i < *n; i++) {
        if (log[i].actor == actor || !(log[i].writes | writes))
            continue;
        if (log[i].clock > judge.clocks[actor][log[i].actor])
            judge.races = 1;
        else if (proxy && log[i].writes && log[i].actor < THREADS &&
                 log[i].clock > judge.seen[actor][log[i].actor])
            judge.races = 1;
    }
    for (unsigned i = 0; writes && i < *n; i++) /* a write replaces what it is ordered after */
        if (log[i].clock <= judge.clocks[actor][log[i].actor])
            log[i--] = log[--*n];
    if (*n < LOGGED)
        log[(*n)++] = (struct log){(uint16_t)actor, judge.clocks[actor][actor], (uint8_t)writes, 0};
}

static void meet(unsigned first, unsigned n) {
    struct order order;
    memset(&order, 0, sizeof order);
    for (unsigned i = first; i < first + n; i++)
        release(&order, i);
    for (unsigned i = first; i < first + n; i++)
        acquire(&order, i);
}

/* --- text --- */

static struct text {
    char bytes[ROOM];
    size_t used;
} texts[WARPS];
static unsigned labels, values;

static void emit(unsigned warp, const char *format, ...) {
    struct text *text = &texts[warp];
    va_list list;
    va_start(list, format);
    if (text->used < ROOM)
        text->used += (size_t)vsnprintf(text->bytes + text->used, ROOM - text->used, format, list);
    va_end(list);
}

/* One lane alone: @%q guards it. */
static void choose(unsigned warp, unsigned lane) {
    emit(warp, "setp.eq.u32 %%q, %%lane, %u;\n", lane);
}

static unsigned per_block, blocks;

static unsigned block_of(unsigned warp) {
    return warp / per_block;
}

/* --- accesses --- */

/* %at: the word of the lane. */
static void emit_place(unsigned warp, const struct hand_over *over, unsigned turn) {
    emit(warp,
         "xor.b32 %%t, %%lane, %u;\nmad.lo.u32 %%at, %%t, 4, %%box;\nadd.u32 %%at, %%at, %u;\n",
         turn, over->region * 128);
    if (over->region_block != block_of(warp))
        emit(warp, "mapa.shared::cluster.u32 %%at, %%at, %u;\n", over->region_block);
}

static void emit_bulk(unsigned warp, const struct hand_over *over, unsigned number, int loads) {
    if (loads)
        emit(warp,
             "@%%q mbarrier.arrive.expect_tx.shared.b64 _, [%%bars+%u], 128;\nadd.u32 %%at, %%box, "
             "%u;\n"
             "@%%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%at], "
             "[%%in+%u], "
             "128, [%%bars+%u];\n",
             128 + number * 8, over->region * 128, ++values * 128, 128 + number * 8);
    else
        emit(warp,
             "add.u32 %%at, %%box, %u;\n"
             "@%%q cp.async.bulk.global.shared::cta.bulk_group [%%out+%u], [%%at], 128;\n"
             "@%%q cp.async.bulk.commit_group;\n",
             over->region * 128, 512 + 128 * number);
}

static void emit_wait(unsigned warp, unsigned bar, unsigned parity, int one) {
    const unsigned label = ++labels;
    if (one)
        emit(warp, "@!%%q bra E%u;\n", label);
    emit(warp,
         "L%u: mbarrier.try_wait.parity.shared.b64 %%p, [%%bars+%u], %u;\n@!%%p bra L%u;\nE%u:\n",
         label, bar, parity, label, label);
}

/* An access of a warp. `wait` is 0 if a copy of the thread is not waited for. */
static void access(unsigned number, const struct hand_over *over, int second, int wait,
                   enum fault fault) {
    const unsigned warp = second ? over->to : over->from;
    const unsigned turn = second ? over->turn_to : over->turn_from;
    const unsigned kind = second ? over->second : over->first;
    const unsigned leader = warp * LANES + (second ? over->waiter : over->leader);
    const unsigned bulk = 2 * THREADS + judge.bulks;
    switch (kind) {
    case READ:
    case WRITE:
        emit_place(warp, over, turn);
        if (kind == READ)
            emit(warp, "ld.shared%s.u32 %%t, [%%at];\nadd.u32 %%sum, %%sum, %%t;\n",
                 over->region_block != block_of(warp) ? "::cluster" : "");
        else
            emit(warp, "add.u32 %%t, %%lane, %u;\nst.shared%s.u32 [%%at], %%t;\n", ++values * 64,
                 over->region_block != block_of(warp) ? "::cluster" : "");
        for (unsigned lane = 0; lane < LANES; lane++)
            touch(over, lane ^ turn, warp * LANES + lane, kind == WRITE, 0);
        break;
    case CP_ASYNC:
        emit_place(warp, over, turn);
        emit(warp, "cp.async.ca.shared.global [%%at], [%%in4+%u], 4;\ncp.async.commit_group;\n",
             ++values * 128);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned thread = warp * LANES + lane, copy = THREADS + thread;
            join(copy, thread);
            step(copy);
            touch(over, lane ^ turn, copy, 1, 0);
            if (wait)
                join(thread, copy);
            step(thread);
        }
        if (wait)
            emit(warp, "cp.async.wait_group 0;\n");
        break;
    default: /* of one lane */
        choose(warp, leader % LANES);
        emit_bulk(warp, over, judge.bulks, kind == BULK_LOAD);
        judge.bulks++;
        join(bulk, leader);
        step(bulk);
        for (unsigned word = 0; word < LANES; word++)
            touch(over, word, bulk, kind == BULK_LOAD, 1);
        if (kind == BULK_LOAD) {
            /* all lanes of the warp wait, or with the fault none */
            emit_wait(warp, wait ? 128 + (judge.bulks - 1) * 8u : NO_BAR, !wait, 0);
            for (unsigned lane = 0; wait && lane < LANES; lane++) {
                join(warp * LANES + lane, bulk);
                if (warp * LANES + lane != leader)
                    join(warp * LANES + lane, leader);
            }
        } else if (wait) {
            emit(warp, "@%%q cp.async.bulk.wait_group.read 0;\n");
            join(leader, bulk);
        }
        step(leader);
    }
    if (!second && over->second >= BULK_LOAD && fault != NO_PROXY) {
        emit(warp, "fence.proxy.async;\n");
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned thread = warp * LANES + lane;
            for (unsigned i = 0; i < 2 * THREADS; i++)
                if (judge.clocks[thread][i] > judge.seen[thread][i])
                    judge.seen[thread][i] = judge.clocks[thread][i];
            step(thread);
        }
    }
    (void)number;
}

/* --- links --- */

static void warp_sync(unsigned warp) {
    emit(warp, "bar.warp.sync -1;\n");
    meet(warp * LANES, LANES);
}

static void release_all(unsigned number, unsigned warp) {
    for (unsigned lane = 0; lane < LANES; lane++)
        release(&orders[number], warp * LANES + lane);
}

static void acquire_all(unsigned number, unsigned warp) {
    for (unsigned lane = 0; lane < LANES; lane++)
        acquire(&orders[number], warp * LANES + lane);
}

/* The first half of a link, in the first warp. Barriers of both warps are there alone. */
static void link_release(unsigned number, const struct hand_over *over, enum fault fault) {
    const unsigned from = over->from, leader = from * LANES + over->leader, id = 1 + number;
    const int one = over->link == ONE_ARRIVES || over->link == FLAG || over->link == FENCES;
    if (one && fault != NO_GATHER)
        warp_sync(from);
    switch (over->link) {
    case BARRIER:
        if (fault == OWN_NUMBER) {
            emit(from, "bar.sync %u, 32;\n", id);
            meet(from * LANES, LANES);
            return;
        }
        emit(from, "bar.sync %u, 64;\n", id);
        release_all(number, from);
        return;
    case ARRIVAL:
        emit(from, "bar.arrive %u, 64;\n", id);
        release_all(number, from);
        return;
    case MBARRIER:
    case ONE_WAITS:
        emit(from, "mbarrier.arrive.shared.b64 _, [%%bars+%u];\n", number * 8);
        release_all(number, from);
        return;
    case ONE_ARRIVES:
        choose(from, over->leader);
        emit(from, "@%%q mbarrier.arrive.shared.b64 _, [%%bars+%u];\n", number * 8);
        release(&orders[number], leader);
        return;
    case FLAG:
    case FENCES:
        choose(from, over->leader);
        if (over->link == FENCES && fault != RELAXED)
            emit(from, "fence.acq_rel.cta;\n");
        emit(from, "@%%q st.%s.cta.shared.u32 [%%flags+%u], 1;\n",
             over->link == FLAG && fault != RELAXED ? "release" : "relaxed", number * 128);
        if (fault != RELAXED)
            release(&orders[number], leader);
        return;
    case LANE_FLAGS:
        emit(from, "mad.lo.u32 %%t, %%lane, 4, %%flags;\nst.%s.cta.shared.u32 [%%t+%u], 1;\n",
             fault == RELAXED ? "relaxed" : "release", number * 128);
        return; /* each lane for itself: see link_acquire */
    case WARP_SYNC: warp_sync(from); return;
    default: return;
    }
}

static void emit_spin(unsigned warp, unsigned flag, int lanes, int acquires) {
    const unsigned label = ++labels;
    if (lanes)
        emit(warp, "mad.lo.u32 %%at, %%lane, 4, %%flags;\n");
    else
        emit(warp, "mov.u32 %%at, %%flags;\n@!%%q bra E%u;\n", label);
    emit(warp,
         "L%u: ld.%s.cta.shared.u32 %%t, [%%at+%u];\nsetp.eq.u32 %%p, %%t, 0;\n@%%p bra "
         "L%u;\nE%u:\n",
         label, acquires ? "acquire" : "relaxed", flag, label, label);
}

static struct order lane_orders[LANES];

/* The clocks of each lane at its flag. */
static void keep_lanes(unsigned from) {
    memset(lane_orders, 0, sizeof lane_orders);
    for (unsigned lane = 0; lane < LANES; lane++)
        release(&lane_orders[lane], from * LANES + lane);
}

static void link_acquire(unsigned number, const struct hand_over *over, enum fault fault) {
    const unsigned to = over->to, waiter = to * LANES + over->waiter, id = 1 + number;
    const int one = over->link == ONE_WAITS || over->link == FLAG || over->link == FENCES;
    switch (over->link) {
    case BARRIER:
        if (fault == OWN_NUMBER) {
            emit(to, "bar.sync %u, 32;\n", id + MOST > 15 ? 0 : id + MOST);
            meet(to * LANES, LANES);
            return;
        }
        emit(to, "bar.sync %u, 64;\n", id);
        acquire_all(number, to);
        meet(to * LANES, LANES);
        break;
    case ARRIVAL:
        emit(to, "bar.sync %u, 64;\n", id);
        acquire_all(number, to);
        meet(to * LANES, LANES);
        break;
    case MBARRIER:
    case ONE_ARRIVES:
        emit_wait(to, fault == OTHER_BAR ? NO_BAR : number * 8, fault == OTHER_BAR, 0);
        if (fault != OTHER_BAR)
            acquire_all(number, to);
        break;
    case ONE_WAITS:
        choose(to, over->waiter);
        emit_wait(to, fault == OTHER_BAR ? NO_BAR : number * 8, fault == OTHER_BAR, 1);
        if (fault != OTHER_BAR)
            acquire(&orders[number], waiter);
        break;
    case FLAG:
    case FENCES:
        choose(to, over->waiter);
        emit_spin(to, number * 128, 0, over->link == FLAG && fault != RELAXED);
        if (over->link == FENCES && fault != RELAXED)
            emit(to, "fence.acq_rel.cta;\n");
        if (fault != RELAXED)
            acquire(&orders[number], waiter);
        break;
    case LANE_FLAGS:
        emit_spin(to, number * 128, 1, fault != RELAXED);
        for (unsigned lane = 0; lane < LANES && fault != RELAXED; lane++)
            acquire(&lane_orders[lane], to * LANES + lane);
        break;
    case CLUSTER: break;
    default: break;
    }
    if (one && fault != NO_SCATTER)
        warp_sync(to);
}

/* Both warps of bar.sync learn of each other. */
static void link_back(unsigned number, const struct hand_over *over, enum fault fault) {
    if (over->link == BARRIER && fault != OWN_NUMBER) {
        release_all(number, over->to);
        acquire_all(number, over->from);
        meet(over->from * LANES, LANES);
    }
}

static void cluster_sync(void) {
    for (unsigned warp = 0; warp < WARPS; warp++)
        emit(warp, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n");
    meet(0, THREADS);
}

static void hand(unsigned number, const struct hand_over *over, enum fault fault) {
    const int wait_first = !(fault == NO_WAIT && over->first >= CP_ASYNC);
    const int wait_second = !(fault == NO_WAIT && over->first < CP_ASYNC);
    memset(&orders[number], 0, sizeof orders[number]);
    if (over->link == CLUSTER) {
        if (fault == EARLY)
            cluster_sync();
        access(number, over, 0, wait_first, fault);
        if (fault == NONE || fault == NO_WAIT || fault == NO_PROXY)
            cluster_sync();
        access(number, over, 1, wait_second, fault);
        if (fault == LATE)
            cluster_sync();
        return;
    }
    if (fault == EARLY) {
        link_release(number, over, fault);
        if (over->link == LANE_FLAGS)
            keep_lanes(over->from);
    }
    /* A barrier is one event of both warps, so the first one passes it before its access. */
    if (fault == EARLY && over->link == BARRIER) {
        link_acquire(number, over, fault);
        link_back(number, over, fault);
    }
    access(number, over, 0, wait_first, fault);
    if (fault != EARLY && fault != DROP) {
        link_release(number, over, fault);
        if (over->link == LANE_FLAGS)
            keep_lanes(over->from);
    }
    if (fault == LATE)
        access(number, over, 1, wait_second, fault);
    if (fault != DROP && !(fault == EARLY && over->link == BARRIER)) {
        link_acquire(number, over, fault);
        link_back(number, over, fault);
    }
    if (fault != LATE)
        access(number, over, 1, wait_second, fault);
}

/* --- plans --- */

static uint64_t state;

static unsigned draw(unsigned n) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((z ^ z >> 31) >> 33) % n;
}

/* The lane of each warp that acts for it. Groups of bulk copies are counted for each lane. */
static uint8_t leaders[WARPS];

static void draw_hand_over(struct hand_over *over) {
    const int remote = blocks > 1 && !draw(3);
    memset(over, 0, sizeof *over);
    over->from = (uint8_t)draw(WARPS);
    over->link = (uint8_t)draw(LINKS);
    over->region_block = (uint8_t)block_of(over->from);
    over->to = over->from;
    if (over->link == CLUSTER && blocks == 1)
        over->link = BARRIER;
    if (remote)
        over->link = CLUSTER;
    while (over->link != WARP_SYNC &&
           (over->to == over->from || (!remote && block_of(over->to) != block_of(over->from))))
        over->to = (uint8_t)draw(WARPS);
    over->turn_from = (uint8_t)draw(LANES);
    over->turn_to = over->link == LANE_FLAGS ? over->turn_from : (uint8_t)draw(LANES);
    over->leader = leaders[over->from];
    over->waiter = leaders[over->to];
    do {
        over->first = (uint8_t)draw(remote ? CP_ASYNC : BULK_STORE);
        over->second = (uint8_t)draw(remote ? CP_ASYNC : ACCESSES);
    } while ((over->first == READ && (over->second == READ || over->second == BULK_STORE)) ||
             (over->link == LANE_FLAGS && (over->first > CP_ASYNC || over->second > CP_ASYNC)));
    if (over->first == BULK_LOAD && over->second == BULK_STORE)
        over->second = READ; /* no proxy between */
}

/* Whether an order of the hand-over can be taken away so that wsim promises to find it. It takes a
 * fence for that of all lanes of the warp, and a wait too if copies come behind it. It takes copies
 * of a lane for those of the warp, whose lanes may run apart after the wait of one lane. A relaxed
 * flag is looked for between accesses of threads. */
static int fits(const struct hand_over *over, enum fault fault) {
    const int threads = over->first <= WRITE;
    const int copies = over->link == BARRIER || over->link == ARRIVAL || over->link == CLUSTER ||
                       (over->first != CP_ASYNC && over->second != CP_ASYNC);
    switch (fault) {
    case DROP: return copies && (over->link != WARP_SYNC || (threads && over->second <= WRITE));
    case EARLY:
    case LATE: return over->link != WARP_SYNC && copies;
    case NO_GATHER: return threads && (over->link == ONE_ARRIVES || over->link == FLAG);
    case NO_SCATTER:
        return over->second <= WRITE && (over->link == ONE_WAITS || over->link == FLAG);
    case OTHER_BAR:
        return over->link == MBARRIER || over->link == ONE_ARRIVES || over->link == ONE_WAITS;
    case OWN_NUMBER: return over->link == BARRIER;
    case RELAXED:
        return threads && (over->link == FLAG || over->link == FENCES || over->link == LANE_FLAGS);
    case NO_WAIT:
        return copies && over->link != WARP_SYNC &&
               (over->first == CP_ASYNC || over->first == BULK_LOAD || over->second == CP_ASYNC);
    case NO_PROXY: return over->second >= BULK_LOAD;
    default: return 0;
    }
}

static void begin(void) {
    memset(&judge, 0, sizeof judge);
    memset(texts, 0, sizeof texts);
    labels = values = 0;
    for (unsigned i = 0; i < ACTORS; i++)
        judge.clocks[i][i] = 1;
}

/* --- the whole text --- */

static void put(struct hazard *hazard, size_t *used, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (*used < HAZARD_TEXT)
        *used += (size_t)vsnprintf(hazard->text + *used, HAZARD_TEXT - *used, format, list);
    va_end(list);
}

static void write_text(struct hazard *hazard, const struct hand_over *plan, unsigned n) {
    size_t used = 0;
    put(hazard, &used,
        ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param "
        ".u64 "
        "out)\n{\n.reg .b32 %%lane, %%warp, %%t, %%at, %%box, %%bars, %%flags, %%sum;\n"
        ".reg .b64 %%in, %%in4, %%out, %%d;\n.reg .pred %%p, %%q;\n"
        ".shared .align 128 .b8 box[%u];\n.shared .align 8 .b8 bars[%u];\n.shared .align 128 .b8 "
        "flags[%u];\n",
        REGIONS * 128, 128 + BULKS * 8, MOST * 128);
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
    for (unsigned i = 0; i < judge.bulks; i++)
        put(hazard, &used, "mbarrier.init.shared.b64 [bars+%u], 1;\n", 128 + i * 8);
    put(hazard, &used,
        "fence.mbarrier_init.release.cluster;\nMADE:\nfence.proxy.async;\nbar.sync 0;\n");
    if (blocks > 1)
        put(hazard, &used, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n");
    put(hazard, &used,
        "shr.u32 %%warp, %%t, 5;\nmov.u32 %%t, %%cluster_ctarank;\n"
        "mad.lo.u32 %%warp, %%t, %u, %%warp;\n",
        per_block);
    for (unsigned warp = 0; warp < WARPS; warp++)
        put(hazard, &used, "setp.eq.u32 %%p, %%warp, %u;\n@%%p bra W%u;\n", warp, warp);
    for (unsigned warp = 0; warp < WARPS; warp++)
        put(hazard, &used, "W%u:\n%sbra END;\n", warp, texts[warp].bytes);
    put(hazard, &used, "END:\n");
    if (blocks > 1)
        put(hazard, &used, "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n");
    put(hazard, &used,
        "mad.lo.u32 %%t, %%warp, 32, %%lane;\nmul.wide.u32 %%d, %%t, 4;\n"
        "add.u64 %%d, %%d, %%out;\nst.global.u32 [%%d], %%sum;\nret;\n}\n");
}

int hazard_draw(uint64_t seed, int broken, struct hazard *hazard) {
    struct hand_over plan[MOST];
    unsigned fresh[2] = {0, 0}, n, at = MOST;
    enum fault fault = NONE;
    state = seed * 0x2545F4914F6CDD1Du + 1;
    blocks = draw(3) ? 1 : 2;
    per_block = WARPS / blocks;
    n = 2 + draw(MOST - 1);
    n = n > MOST - 1 ? MOST - 1 : n;
    for (unsigned i = 0; i < WARPS; i++)
        leaders[i] = (uint8_t)draw(LANES);
    begin();
    for (unsigned i = 0; i < n; i++) {
        draw_hand_over(&plan[i]);
        plan[i].region = (uint8_t)draw(REGIONS);
        before = judge;
        if (plan[i].region < fresh[plan[i].region_block])
            hand(i, &plan[i], NONE);
        if (plan[i].region >= fresh[plan[i].region_block] || judge.races) {
            judge = before;
            plan[i].region = (uint8_t)fresh[plan[i].region_block]++;
            hand(i, &plan[i], NONE);
        }
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
    hazard->blocks = blocks;
    hazard->threads = per_block * LANES;
    hazard->races = judge.races;
    snprintf(hazard->what, sizeof hazard->what,
             "%s: %s of warp %u, %s, %s of warp %u (number %u of %u)", fault_names[fault],
             at < n ? access_names[plan[at].first] : "-", at < n ? plan[at].from : 0,
             at < n ? link_names[plan[at].link] : "-", at < n ? access_names[plan[at].second] : "-",
             at < n ? plan[at].to : 0, at, n);
    write_text(hazard, plan, n);
    return 1;
}
