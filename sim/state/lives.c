/* Lives of what listeners keep data of. */
#include "lives.h"

#define EACH_LISTENER(listener, launch)                                                            \
    for (const struct run_listener *const *at_ = (launch)->listeners, *listener;                   \
         (listener = *at_) != NULL; at_++)

void hear_launch(struct run_launch *launch, const struct run_listener *const *all) {
    unsigned n = 0;
    for (; *all; all++) {
        const int asked = (*all)->asked(launch);
        if (asked)
            launch->listeners[n++] = *all;
        if ((*all)->hears->launch)
            (*all)->hears->launch(launch, asked);
    }
    launch->listeners[n] = NULL;
}

void hear_launch_end(struct run_launch *launch, const struct run_worker *workers, unsigned n) {
    EACH_LISTENER (listener, launch)
        if (listener->hears->launch_end)
            listener->hears->launch_end(launch, workers, n);
}

void hear_launch_again(struct run_launch *launch, const struct run_worker *workers) {
    EACH_LISTENER (listener, launch)
        if (listener->hears->launch_again)
            listener->hears->launch_again(launch, workers);
}

enum run_threads hear_threads(const struct run_launch *launch,
                              const struct run_listener *const *all) {
    enum run_threads strictest = RUN_ANY;
    for (; *all; all++)
        if ((*all)->threads && (*all)->asked(launch)) {
            const enum run_threads threads = (*all)->threads(launch);
            strictest = threads > strictest ? threads : strictest;
        }
    return strictest;
}

static void add_ear(struct run_ears *ears, const struct run_hears *hears, uint32_t of) {
    ears->ears[ears->n++] = (struct run_ear){hears, of};
}

int hear_worker_make(struct run_worker *worker) {
    EACH_LISTENER (listener, worker->launch) {
        const struct run_hears *hears = listener->hears;
        worker->hears_whole |= hears->access ? listener->spaces : 0;
        worker->hears_bytes |= hears->begin ? listener->spaces : 0;
        worker->orders |= listener->orders;
        if (hears->access)
            add_ear(&worker->whole, hears, listener->spaces);
        if (hears->begin)
            add_ear(&worker->bytes, hears, listener->spaces);
        if (hears->traffic)
            add_ear(&worker->traffic, hears, listener->spaces);
        if (hears->order)
            add_ear(&worker->order, hears, listener->orders);
        worker->values |= listener->values;
    }
    worker->hears = worker->hears_whole | worker->hears_bytes;
    worker->tells = worker->hears | (worker->traffic.n ? 1u << PTX_GLOBAL | 1u << PTX_SHARED : 0);
    EACH_LISTENER (listener, worker->launch)
        if (listener->hears->worker_make && !listener->hears->worker_make(worker))
            return 0;
    return 1;
}

void hear_worker_free(struct run_worker *worker) {
    EACH_LISTENER (listener, worker->launch)
        if (listener->hears->worker_free)
            listener->hears->worker_free(worker);
}

int hear_unit_make(struct run_unit *unit) {
    EACH_LISTENER (listener, unit->worker->launch)
        if (listener->hears->unit_make && !listener->hears->unit_make(unit))
            return 0;
    return 1;
}

void hear_unit_free(struct run_unit *unit) {
    EACH_LISTENER (listener, unit->worker->launch)
        if (listener->hears->unit_free)
            listener->hears->unit_free(unit);
}

void hear_unit_begin(struct run_unit *unit) {
    EACH_LISTENER (listener, unit->worker->launch)
        if (listener->hears->unit_begin)
            listener->hears->unit_begin(unit);
}

void hear_warp_begin(struct run_warp *warp) {
    EACH_LISTENER (listener, warp->worker->launch)
        if (listener->hears->warp_begin)
            listener->hears->warp_begin(warp);
}

int hear_local_grow(struct run_warp *warp, uint32_t stride) {
    EACH_LISTENER (listener, warp->worker->launch)
        if (listener->hears->local_grow && !listener->hears->local_grow(warp, stride))
            return 0;
    return 1;
}

void hear_local_reuse(struct run_warp *warp, uint32_t from, uint32_t to) {
    EACH_LISTENER (listener, warp->worker->launch)
        if (listener->hears->local_reuse)
            listener->hears->local_reuse(warp, from, to);
}
