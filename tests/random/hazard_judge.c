/* The judge: a vector clock of each thread, copy and product. */
#include "hazard_plan.h"

#include <string.h>

enum { LOGGED = 96 /* accesses of a word */ };

struct log {
    uint16_t actor, clock;
    uint8_t writes, strong, of_block;
};

static struct judge {
    uint16_t clocks[ACTORS][ACTORS], seen[ACTORS][ACTORS];
    struct log log[2][REGIONS][LANES][LOGGED];
    uint16_t n[2][REGIONS][LANES];
    int races;
} judge, before;

void judge_begin(void) {
    memset(&judge, 0, sizeof judge);
    for (unsigned i = 0; i < ACTORS; i++)
        judge.clocks[i][i] = 1;
}

int judge_races(void) {
    return judge.races;
}

void judge_keep(void) {
    before = judge;
}

void judge_back(void) {
    judge = before;
}

static void raise(uint16_t *to, const uint16_t *from) {
    for (unsigned i = 0; i < ACTORS; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

void judge_join(unsigned to, unsigned from) {
    raise(judge.clocks[to], judge.clocks[from]);
    raise(judge.seen[to], judge.seen[from]);
}

void judge_step(unsigned actor) {
    judge.clocks[actor][actor]++;
}

void judge_release(struct order *order, unsigned actor) {
    raise(order->clocks, judge.clocks[actor]);
    raise(order->seen, judge.seen[actor]);
    judge_step(actor);
}

void judge_acquire(const struct order *order, unsigned actor) {
    raise(judge.clocks[actor], order->clocks);
    raise(judge.seen[actor], order->seen);
}

void judge_meet(unsigned first, unsigned n) {
    struct order order;
    memset(&order, 0, sizeof order);
    for (unsigned i = first; i < first + n; i++)
        judge_release(&order, i);
    for (unsigned i = first; i < first + n; i++)
        judge_acquire(&order, i);
}

void judge_fence(unsigned thread) {
    for (unsigned i = 0; i < FIRST_BULK; i++)
        if (judge.clocks[thread][i] > judge.seen[thread][i])
            judge.seen[thread][i] = judge.clocks[thread][i];
    judge_step(thread);
}

void judge_product(unsigned product) {
    for (unsigned warp = 0; warp < WARPS; warp++) {
        struct order order;
        memset(&order, 0, sizeof order);
        for (unsigned lane = 0; lane < LANES; lane++) {
            raise(order.clocks, judge.clocks[warp * LANES + lane]);
            raise(order.seen, judge.seen[warp * LANES + lane]);
        }
        for (unsigned i = 0; i < ACTORS; i++) {
            uint16_t *clock = &judge.clocks[product][i], *seen = &judge.seen[product][i];
            *clock = !warp || order.clocks[i] < *clock ? order.clocks[i] : *clock;
            *seen = !warp || order.seen[i] < *seen ? order.seen[i] : *seen;
        }
    }
    judge_step(product);
}

/* Whether both accesses are morally strong. */
static int are_strong(const struct log *log, const struct touch *touch) {
    return log->strong && touch->strong &&
           (log->of_block == touch->of_block || (log->strong < 2 && touch->strong < 2));
}

/* Whether an actor knows an access of its own. cp.async of one thread are unordered. */
static int is_known(unsigned actor, unsigned clock) {
    return actor < THREADS || actor >= FIRST_BULK || clock <= judge.clocks[actor - THREADS][actor];
}

void judge_touch(const struct touch *touch) {
    uint16_t *n = &judge.n[touch->block][touch->region][touch->word];
    struct log *log = judge.log[touch->block][touch->region][touch->word];
    const uint16_t *clocks = judge.clocks[touch->actor], *seen = judge.seen[touch->actor];
    for (unsigned i = 0; i < *n; i++) {
        if (log[i].actor == touch->actor && is_known(touch->actor, log[i].clock))
            continue;
        if (!(log[i].writes | touch->writes) || are_strong(&log[i], touch))
            continue;
        if (log[i].clock > clocks[log[i].actor] || log[i].actor == touch->actor ||
            (touch->proxy && log[i].writes && log[i].actor < FIRST_BULK &&
             log[i].clock > seen[log[i].actor]))
            judge.races = 1;
    }
    /* A weak write replaces what it is ordered after. */
    for (unsigned i = 0; touch->writes && !touch->strong && i < *n; i++)
        if (log[i].clock <= clocks[log[i].actor] && is_known(log[i].actor, log[i].clock))
            log[i--] = log[--*n];
    if (*n < LOGGED)
        log[(*n)++] = (struct log){(uint16_t)touch->actor, clocks[touch->actor], touch->writes,
                                   touch->strong, touch->of_block};
}
