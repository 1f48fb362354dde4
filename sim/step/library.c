/* Functions that every device has: vprintf, __assertfail, malloc, free. */
#include "../state/device.h"
#include "../state/heap.h"
#include "../state/launch.h"
#include "output.h"
#include "access.h"
#include "flow.h"

#define MOST_TEXT 4096

static uint64_t argument(const struct call_site *site, uint8_t *frame, uint32_t index,
                         unsigned lane) {
    return index < site->n_args ? call_get(frame, &site->args[index], lane) : 0;
}

static void answer(const struct call_site *site, uint8_t *frame, unsigned lane, uint64_t value) {
    if (site->n_results)
        call_put(frame, &site->results[0], lane, value);
}

/* printf: lanes that print together appear one after another. */
static enum run_next print(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                           struct run_warp *warp) {
    const struct call_site *site = op->more;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        int arguments;
        enum run_next next = output_print(warp, op, lane, argument(site, frame, 0, lane),
                                          argument(site, frame, 1, lane), &arguments);
        if (next)
            return next;
        answer(site, frame, lane, (uint32_t)arguments);
    }
    return RUN_ON;
}

/* __assertfail(condition, file, line, function, size of a character) */
static enum run_next fail(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct call_site *site = op->more;
    const uint32_t *block = warp->block->id;
    unsigned lane = run_lowest(lanes);
    char condition[200], file[200], function[200], text[800];
    struct base_text out = {.at = text, .size = sizeof text};
    if (!library_text(warp, op, lane, argument(site, frame, 0, lane), condition,
                      sizeof condition) ||
        !library_text(warp, op, lane, argument(site, frame, 1, lane), file, sizeof file) ||
        !library_text(warp, op, lane, argument(site, frame, 3, lane), function, sizeof function))
        return RUN_STOP;
    for (; lanes; lanes &= lanes - 1) {
        unsigned failed = run_lowest(lanes);
        out.used = 0;
        base_put(&out, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                 file, (unsigned)argument(site, frame, 2, lane), function, block[0], block[1],
                 block[2], warp->tid[0][failed], warp->tid[1][failed], warp->tid[2][failed],
                 condition);
        if (run_print(warp, text, strlen(text)))
            return RUN_STOP;
    }
    return run_finding(warp, op, lane, RULE_CALL_ASSERT, 1, "assertion `%s` failed in %s",
                       condition, function);
}

static enum run_next allocate(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    const struct call_site *site = op->more;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        answer(
            site, frame, lane,
            heap_take(warp->worker->launch, argument(site, frame, 0, lane), run_number(warp, op)));
    }
    return RUN_ON;
}

static enum run_next release(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    const struct call_site *site = op->more;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = run_lowest(lanes);
        uint64_t at = argument(site, frame, 0, lane);
        if (at && !heap_give(warp->worker->launch, at))
            return run_finding(warp, op, lane, RULE_CALL_FREE, 1,
                               "free(0x%llx), which malloc did not return", (unsigned long long)at);
    }
    return RUN_ON;
}

run_step *library_find(const char *name) {
    static const struct {
        const char *name;
        run_step *step;
    } functions[] = {
        {"vprintf", print}, {"__assertfail", fail}, {"malloc", allocate}, {"free", release}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].step;
    return NULL;
}

int library_uses_heap(run_step *step) {
    return step == allocate;
}
