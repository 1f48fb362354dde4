/* hazard_plan.h - plans of hand-overs, their judge and their text. */
#ifndef TESTS_RANDOM_HAZARD_PLAN_H
#define TESTS_RANDOM_HAZARD_PLAN_H

#include <stdint.h>

enum {
    WARPS = 4,  /* of the cluster */
    LANES = 32, /* also words of a region */
    THREADS = WARPS * LANES,
    BULKS = 24,   /* bulk copies */
    PRODUCTS = 8, /* wgmma */
    FIRST_BULK = 2 * THREADS,
    FIRST_PRODUCT = FIRST_BULK + BULKS,
    ACTORS = FIRST_PRODUCT + PRODUCTS, /* threads, their cp.async, bulk copies, products */
    REGIONS = 16,
    MOST = 8,    /* hand-overs */
    NO_BAR = 120 /* an mbarrier without arrivals */
};

enum access { READ, WRITE, ATOMIC, CP_ASYNC, BULK_LOAD, BULK_STORE, PRODUCT, ACCESSES };
enum link {
    BARRIER,     /* bar.sync of two warps, or more */
    ARRIVAL,     /* bar.arrive and bar.sync */
    MBARRIER,    /* each lane arrives, each lane waits */
    COPIES,      /* the same, by cp.async.mbarrier.arrive */
    ONE_ARRIVES, /* one lane arrives for its warp, behind a meeting of its lanes */
    ONE_WAITS,   /* one lane waits for its warp, and a meeting follows */
    FLAG,        /* st.release and ld.acquire of one lane each */
    FENCES,      /* the same, relaxed, with fences */
    LANE_FLAGS,  /* a flag for each lane */
    CLUSTER,     /* barrier.cluster */
    WARP_SYNC,   /* within one warp: its lanes meet */
    HALF_SYNC,   /* the same, each half for itself */
    LINKS
};
enum fault {
    NONE,
    DROP,       /* no link */
    EARLY,      /* the release comes before the access */
    LATE,       /* the wait comes after the access */
    NO_GATHER,  /* no meeting of the lanes before the release of one lane */
    NO_SCATTER, /* none behind the wait of one lane */
    OTHER_BAR,  /* a wait for an mbarrier that is over at once */
    OWN_NUMBER, /* each warp has another barrier */
    RELAXED,    /* no release, no acquire, no fence */
    NARROW,     /* scope .cta between blocks of the cluster */
    LESS,       /* a member mask of eight lanes */
    NO_WAIT,    /* no wait for the copies of the thread */
    ONE_MORE,   /* a wait that leaves one group more */
    NO_PROXY,   /* no fence.proxy.async */
    FAULTS
};

struct hand_over {
    uint8_t from, to;      /* warps */
    uint8_t others;        /* further warps of a barrier, a bit each */
    uint8_t first, second; /* enum access */
    uint8_t link, region, region_block;
    uint8_t turn_from, turn_to; /* lane i takes word i ^ turn */
    uint8_t leader, waiter;     /* lanes */
    uint8_t meeting;            /* enum meeting, or the sort of a barrier */
    uint8_t groups;             /* empty ones behind that of a copy */
    uint8_t scope;              /* 0: .cta, 1: .cluster, 2: .gpu */
};

/* --- the judge: hazard_judge.c --- */

struct order {
    uint16_t clocks[ACTORS], seen[ACTORS];
};
void judge_begin(void);
int judge_races(void);
/* A try of a hand-over: it may be taken back. */
void judge_keep(void);
void judge_back(void);
/* One actor learns all that another one knows; its own clock. */
void judge_join(unsigned to, unsigned from);
void judge_step(unsigned actor);
void judge_release(struct order *order, unsigned actor);
void judge_acquire(const struct order *order, unsigned actor);
void judge_meet(unsigned first, unsigned n);
void judge_fence(unsigned thread); /* fence.proxy.async */
/* A product knows what each warp of the block knows. */
void judge_product(unsigned product);
/* Access of a word. strong: 1, or 2 with scope .cta. proxy: by the async proxy. */
struct touch {
    uint8_t block, region, word, writes, strong, proxy, of_block;
    unsigned actor;
};
void judge_touch(const struct touch *touch);

/* --- text: hazard_text.c --- */

extern unsigned hazard_per_block, hazard_blocks, hazard_bulks, hazard_values;
void text_begin(void);
const char *text_of(unsigned warp);
void emit(unsigned warp, const char *format, ...);
unsigned emit_label(void);
unsigned block_of(unsigned warp);
/* One lane alone: @%q guards it. */
void emit_one(unsigned warp, unsigned lane);
/* %at: that word of a region of the block, or a word behind `name`. */
void emit_remote(unsigned warp, unsigned block);
void emit_wait(unsigned warp, unsigned bar, unsigned parity, int one);
/* The lanes of a warp meet, in one of several ways. */
void emit_meeting(unsigned warp, unsigned how);
/* An access of the hand-over. `wait` is 0 if a copy of the thread is not waited for. */
void hazard_access(const struct hand_over *over, int second, int wait, enum fault fault);

#endif
