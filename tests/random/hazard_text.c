/* The text of each warp, and what its accesses mean to the judge. */
#include "hazard_plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 24000 /* text of a warp */ };

static struct text {
    char bytes[ROOM];
    size_t used;
} texts[WARPS];
static unsigned labels, products;
unsigned hazard_per_block, hazard_blocks, hazard_bulks, hazard_values;

void text_begin(void) {
    memset(texts, 0, sizeof texts);
    labels = products = hazard_bulks = hazard_values = 0;
}

const char *text_of(unsigned warp) {
    return texts[warp].bytes;
}

void emit(unsigned warp, const char *format, ...) {
    struct text *text = &texts[warp];
    va_list list;
    va_start(list, format);
    if (text->used < ROOM)
        text->used += (size_t)vsnprintf(text->bytes + text->used, ROOM - text->used, format, list);
    va_end(list);
}

unsigned emit_label(void) {
    return ++labels;
}

void emit_one(unsigned warp, unsigned lane) {
    emit(warp, "setp.eq.u32 %%q, %%lane, %u;\n", lane);
}

unsigned block_of(unsigned warp) {
    return warp / hazard_per_block;
}

void emit_remote(unsigned warp, unsigned block) {
    if (block != block_of(warp))
        emit(warp, "mapa.shared::cluster.u32 %%at, %%at, %u;\n", block);
}

void emit_wait(unsigned warp, unsigned bar, unsigned parity, int one) {
    const unsigned label = emit_label();
    if (one)
        emit(warp, "@!%%q bra E%u;\n", label);
    emit(warp,
         "L%u: mbarrier.try_wait.parity.shared.b64 %%p, [%%bars+%u], %u;\n@!%%p bra L%u;\nE%u:\n",
         label, bar, parity, label, label);
}

void emit_meeting(unsigned warp, unsigned how) {
    static const char *const texts_of[] = {
        "bar.warp.sync -1;\n",
        "setp.eq.u32 %%p, %%lane, 0;\nvote.sync.ballot.b32 %%t, %%p, -1;\n",
        "match.any.sync.b32 %%t, %%lane, -1;\n",
        "redux.sync.add.u32 %%t, %%lane, -1;\n",
        "shfl.sync.bfly.b32 %%t, %%lane, 1, 31, -1;\n",
        "elect.sync _|%%p, -1;\n"};
    emit(warp, texts_of[how % (sizeof texts_of / sizeof *texts_of)]);
}

/* --- accesses --- */

/* One access on its way. */
struct doing {
    const struct hand_over *over;
    unsigned warp, turn, kind, leader;
    const char *space; /* "::cluster", if the region is that of another block */
    int wait;
    enum fault fault;
};

/* %at: the word of the lane. */
static void emit_place(const struct doing *doing) {
    emit(doing->warp,
         "xor.b32 %%t, %%lane, %u;\nmad.lo.u32 %%at, %%t, 4, %%box;\nadd.u32 %%at, %%at, %u;\n",
         doing->turn, doing->over->region * 128);
    emit_remote(doing->warp, doing->over->region_block);
}

static struct touch touch_of(const struct doing *doing, unsigned actor, int writes) {
    return (struct touch){.block = doing->over->region_block,
                          .region = doing->over->region,
                          .writes = (uint8_t)writes,
                          .of_block = (uint8_t)block_of(doing->warp),
                          .actor = actor};
}

static void touch_lane(const struct doing *doing, unsigned lane, unsigned actor, int writes,
                       unsigned strong) {
    struct touch touch = touch_of(doing, actor, writes);
    touch.word = (uint8_t)(lane ^ doing->turn);
    touch.strong = (uint8_t)strong;
    judge_touch(&touch);
}

static void touch_all(const struct doing *doing, unsigned actor, int writes) {
    struct touch touch = touch_of(doing, actor, writes);
    touch.proxy = 1;
    for (touch.word = 0; touch.word < LANES; touch.word++)
        judge_touch(&touch);
}

static void threads_access(const struct doing *doing) {
    const int narrow = doing->fault == NARROW || !doing->over->scope;
    emit_place(doing);
    if (doing->kind == READ)
        emit(doing->warp, "ld.shared%s.u32 %%t, [%%at];\nadd.u32 %%sum, %%sum, %%t;\n",
             doing->space);
    else if (doing->kind == WRITE)
        emit(doing->warp, "add.u32 %%t, %%lane, %u;\nst.shared%s.u32 [%%at], %%t;\n",
             ++hazard_values * 64, doing->space);
    else
        emit(doing->warp, "red.relaxed.%s.shared%s.add.u32 [%%at], %u;\n",
             narrow ? "cta" : "cluster", doing->space, ++hazard_values);
    for (unsigned lane = 0; lane < LANES; lane++)
        touch_lane(doing, lane, doing->warp * LANES + lane, doing->kind != READ,
                   doing->kind != ATOMIC ? 0
                   : narrow              ? 2
                                         : 1);
}

/* A group with one copy of each lane, and empty ones behind it. */
static void copy_words(const struct doing *doing) {
    const unsigned groups = doing->over->groups;
    emit_place(doing);
    emit(doing->warp, "cp.async.ca.shared.global [%%at], [%%in4+%u], 4;\n", ++hazard_values * 128);
    for (unsigned i = 0; i <= groups; i++)
        emit(doing->warp, "cp.async.commit_group;\n");
    for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned thread = doing->warp * LANES + lane, copy = THREADS + thread;
        judge_join(copy, thread);
        judge_step(copy);
        touch_lane(doing, lane, copy, 1, 0);
        if (doing->wait && doing->fault != ONE_MORE)
            judge_join(thread, copy);
        judge_step(thread);
    }
    if (doing->wait && !groups && doing->turn & 1 && doing->fault != ONE_MORE)
        emit(doing->warp, "cp.async.wait_all;\n");
    else if (doing->wait)
        emit(doing->warp, "cp.async.wait_group %u;\n", groups + (doing->fault == ONE_MORE));
}

static void emit_bulk(const struct doing *doing) {
    const unsigned number = hazard_bulks;
    emit_one(doing->warp, doing->leader % LANES);
    emit(doing->warp, "add.u32 %%at, %%box, %u;\n", doing->over->region * 128);
    if (doing->kind == BULK_LOAD)
        emit(doing->warp,
             "@%%q mbarrier.arrive.expect_tx.shared.b64 _, [%%bars+%u], 128;\n"
             "@%%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%at], "
             "[%%in+%u], 128, [%%bars+%u];\n",
             128 + number * 8, ++hazard_values * 128, 128 + number * 8);
    else
        emit(doing->warp,
             "@%%q cp.async.bulk.global.shared::cta.bulk_group [%%out+%u], [%%at], 128;\n"
             "@%%q cp.async.bulk.commit_group;\n",
             512 + 128 * number);
}

/* A bulk copy of one lane. All lanes of the warp wait for a load, or with the fault none. */
static void copy_region(const struct doing *doing) {
    const unsigned bulk = FIRST_BULK + hazard_bulks, leader = doing->leader;
    emit_bulk(doing);
    judge_join(bulk, leader);
    judge_step(bulk);
    touch_all(doing, bulk, doing->kind == BULK_LOAD);
    if (doing->kind == BULK_LOAD) {
        emit_wait(doing->warp, doing->wait ? 128 + hazard_bulks * 8u : NO_BAR, !doing->wait, 0);
        for (unsigned lane = 0; doing->wait && lane < LANES; lane++) {
            judge_join(doing->warp * LANES + lane, bulk);
            if (doing->warp * LANES + lane != leader)
                judge_join(doing->warp * LANES + lane, leader);
        }
    } else if (doing->wait) {
        emit(doing->warp, "@%%q cp.async.bulk.wait_group.read 0;\n");
        judge_join(leader, bulk);
    }
    judge_step(leader);
    hazard_bulks++;
}

/* All four warps multiply by a tile of two regions. */
static void multiply(const struct doing *doing) {
    const unsigned product = FIRST_PRODUCT + products++;
    struct doing next = *doing;
    struct hand_over over = *doing->over;
    for (unsigned warp = 0; warp < WARPS; warp++)
        emit(warp, "add.u32 %%at, %%box, %u;\ncall %s, (%%at);\n", over.region * 128,
             doing->wait ? "product" : "no_wait");
    judge_product(product);
    next.over = &over;
    touch_all(&next, product, 0);
    over.region ^= 1;
    touch_all(&next, product, 0);
    for (unsigned thread = 0; thread < THREADS; thread++) {
        if (doing->wait)
            judge_join(thread, product);
        judge_step(thread);
    }
}

void hazard_access(const struct hand_over *over, int second, int wait, enum fault fault) {
    const unsigned warp = second ? over->to : over->from;
    const struct doing doing = {.over = over,
                                .warp = warp,
                                .turn = second ? over->turn_to : over->turn_from,
                                .kind = second ? over->second : over->first,
                                .leader = warp * LANES + (second ? over->waiter : over->leader),
                                .space = over->region_block != block_of(warp) ? "::cluster" : "",
                                .wait = wait,
                                .fault = fault};
    switch (doing.kind) {
    case READ:
    case WRITE:
    case ATOMIC: threads_access(&doing); break;
    case CP_ASYNC: copy_words(&doing); break;
    case PRODUCT: multiply(&doing); break;
    default: copy_region(&doing);
    }
    if (!second && over->second >= BULK_LOAD && fault != NO_PROXY) {
        emit(warp, "fence.proxy.async;\n");
        for (unsigned lane = 0; lane < LANES; lane++)
            judge_fence(warp * LANES + lane);
    }
}
