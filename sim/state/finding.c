/* Findings of a launch, each kept once for its rule and operations. */
#include "launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_FINDINGS 1000 /* that are kept one by one */

static void lock(struct run_shared *shared) {
    while (atomic_flag_test_and_set_explicit(&shared->lock, memory_order_acquire)) {
    }
}

static void unlock(struct run_shared *shared) {
    atomic_flag_clear_explicit(&shared->lock, memory_order_release);
}

enum run_next run_no_memory(struct run_warp *warp) {
    struct run_shared *shared = warp->worker->launch->shared;
    shared->no_memory = 1;
    atomic_store(&shared->stop, 1);
    return RUN_STOP;
}

/* Doubles a list if it is full. */
static int make_room(void **list, size_t used, size_t *room, size_t size) {
    size_t more = *room ? 2 * *room : 8;
    void *grown;
    if (used < *room)
        return 1;
    grown = realloc(*list, more * size);
    if (!grown)
        return 0;
    *list = grown;
    *room = more;
    return 1;
}

static struct launch_finding *find(struct run_shared *shared, const char *rule, uint32_t op,
                                   uint32_t other) {
    for (size_t i = 0; i < shared->n_findings; i++) {
        struct launch_finding *known = &shared->findings[i];
        if (known->rule == rule && known->op == op && known->other == other)
            return known;
    }
    return NULL;
}

/* Keeps it if it is the first, or of a lower block than the one that was kept. */
static void keep(struct run_shared *shared, const struct launch_finding *found, const char *text) {
    struct launch_finding *known = find(shared, found->rule, found->op, found->other);
    size_t size = strlen(text) + 1;
    void *list = shared->findings;
    shared->all_findings += !found->advice;
    if (!known) {
        if (shared->n_findings >= MOST_FINDINGS)
            return;
        if (!make_room(&list, shared->n_findings, &shared->room_findings, sizeof *known)) {
            shared->no_memory = 1;
            return;
        }
        shared->findings = list;
        known = &shared->findings[shared->n_findings++];
        *known = *found;
        known->count = 0;
        known->text = NULL;
    }
    known->count++;
    if (known->text && known->block <= found->block)
        return;
    free(known->text);
    known->block = found->block;
    known->when = shared->when++;
    memcpy(known->id, found->id, sizeof known->id);
    memcpy(known->thread, found->thread, sizeof known->thread);
    known->text = malloc(size);
    if (known->text)
        memcpy(known->text, text, size);
    else
        shared->no_memory = 1;
}

static enum run_next keep_finding(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                  const struct run_op *other, int fatal,
                                  const struct wsim_diag *diag) {
    struct run_shared *shared = warp->worker->launch->shared;
    struct launch_finding found = {.rule = diag->rule,
                                   .status = diag->status,
                                   .op = op ? run_number(warp, op) : RUN_NOWHERE,
                                   .other = other ? run_number(warp, other) : RUN_NOWHERE,
                                   .block = warp->block->number,
                                   .fatal = (uint8_t)fatal,
                                   .advice = diag->status == WSIM_OK};
    if (lane >= RUN_LANES)
        lane = warp->born ? run_lowest(warp->born) : 0;
    memcpy(found.id, warp->block->id, sizeof found.id);
    for (unsigned i = 0; i < 3; i++)
        found.thread[i] = warp->tid[i][lane];
    lock(shared);
    keep(shared, &found, diag->text);
    unlock(shared);
    if (warp->worker->launch->look && op)
        warp->worker->launch->look->finding(warp, op, diag);
    if (!fatal)
        return RUN_ON;
    atomic_store(&shared->stop, 1);
    return RUN_STOP;
}

static void word_finding(struct wsim_diag *diag, enum base_rule rule, const char *format,
                         va_list values) {
    char text[WSIM_DIAG_TEXT];
    vsnprintf(text, sizeof text, format, values);
    base_refuse(diag, rule, 0, "%s", text);
}

enum run_next run_finding(struct run_warp *warp, const struct run_op *op, unsigned lane,
                          enum base_rule rule, int fatal, const char *format, ...) {
    struct wsim_diag diag;
    va_list values;
    va_start(values, format);
    word_finding(&diag, rule, format, values);
    va_end(values);
    return keep_finding(warp, op, lane, NULL, fatal, &diag);
}

enum run_next run_finding_pair(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct run_op *other, enum base_rule rule, int fatal,
                               const char *format, ...) {
    struct wsim_diag diag;
    va_list values;
    va_start(values, format);
    word_finding(&diag, rule, format, values);
    va_end(values);
    return keep_finding(warp, op, lane, other, fatal, &diag);
}

/* Counts a finding that is kept already for this block or a lower one. Returns 0 if it is not. */
static int count_again(struct run_shared *shared, const struct launch_finding *found) {
    struct launch_finding *known = find(shared, found->rule, found->op, found->other);
    if (!known || known->block > found->block)
        return 0;
    shared->all_findings++;
    known->count++;
    return 1;
}

void launch_find_pair(struct run_launch *launch, uint64_t unit, uint32_t rank, uint32_t thread,
                      uint32_t op, uint32_t other, enum base_rule rule, const char *format, ...) {
    struct run_shared *shared = launch->shared;
    struct launch_finding found = {.op = op, .other = other};
    char text[WSIM_DIAG_TEXT];
    struct wsim_diag diag;
    va_list values;
    base_refuse(&diag, rule, 0, "%s", "");
    found.rule = diag.rule;
    found.status = diag.status;
    block_locate(launch, unit, rank, found.id);
    found.block = found.id[0] + launch->grid[0] * ((uint64_t)found.id[1] +
                                                   (uint64_t)launch->grid[1] * found.id[2]);
    found.thread[0] = thread % launch->block[0];
    found.thread[1] = thread / launch->block[0] % launch->block[1];
    found.thread[2] = thread / launch->block[0] / launch->block[1];
    lock(shared);
    if (!count_again(shared, &found)) {
        va_start(values, format);
        vsnprintf(text, sizeof text, format, values);
        va_end(values);
        keep(shared, &found, text);
    }
    unlock(shared);
}

enum run_next run_refused(struct run_warp *warp, const struct run_op *op, unsigned lane,
                          const struct wsim_diag *diag) {
    return keep_finding(warp, op, lane, NULL, 1, diag);
}

enum run_next run_print(struct run_warp *warp, const char *text, size_t size) {
    struct run_block *block = warp->block;
    if (size > block->text_size - block->text_used) {
        size_t room = (block->text_size + size) * 2;
        char *grown = realloc(block->text, room);
        if (!grown)
            return run_no_memory(warp);
        block->text = grown;
        block->text_size = room;
    }
    memcpy(block->text + block->text_used, text, size);
    block->text_used += size;
    return RUN_ON;
}

int launch_print(struct run_launch *launch, struct run_block *block) {
    struct run_shared *shared = launch->shared;
    void *list;
    int kept;
    lock(shared);
    list = shared->outputs;
    kept = make_room(&list, shared->n_outputs, &shared->room_outputs, sizeof *shared->outputs);
    shared->outputs = list;
    if (kept)
        shared->outputs[shared->n_outputs++] =
            (struct launch_output){block->number, block->text, block->text_used};
    unlock(shared);
    if (kept) {
        block->text = NULL;
        block->text_used = block->text_size = 0;
    }
    return kept;
}
