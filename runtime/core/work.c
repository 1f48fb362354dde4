/* Work of streams: queued in order, run when nothing before it is left.
 *
 * Work runs on the thread that issues it or waits for it, under the lock. A seed or
 * WSIM_STREAMS=late delays work and picks among streams that may go on: every order that CUDA
 * allows can happen. */
#include "order.h"
#include "watch.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_CHOICES = 128 };
#define MILLISECOND UINT64_C(1000000)
#define GRACE (300 * MILLISECOND) /* other threads may still help launches that are stuck */

/* --- which work may run --- */

/* Work of the stream without a handle waits for all earlier work of blocking streams, and theirs
 * for its. */
static int may_begin(const struct wsimrt_stream *stream) {
    const struct wsimrt_stream *const legacy = stream_legacy(stream);
    if (stream->flags & WSIMRT_STREAM_NON_BLOCKING)
        return 1;
    if (stream != legacy)
        return !legacy->first || legacy->first->number > stream->first->number;
    for (const struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (at != legacy && stream_shares(at, stream) &&
            !(at->flags & WSIMRT_STREAM_NON_BLOCKING) && at->first->number < stream->first->number)
            return 0;
    return 1;
}

/* After a sticky error only what others wait for still happens. */
static int run(struct work *work) {
    const struct work_kind *const kind = work->kind;
    const int fault = context_fault(work->context);
    int went;
    if (fault && !(kind->goes_on && kind->goes_on(work))) {
        if (work->error)
            *work->error = fault;
        if (kind->leave)
            kind->leave(work);
        return 1;
    }
    went = kind->run(work);
    if (went > 0 && kind->lasts && !work->error)
        work->stream->ended = core_now();
    return went;
}

/* --- queues --- */

void work_drop(struct wsimrt_context *context) {
    for (struct wsimrt_stream *next, *at = core.active; at; at = next) {
        next = at->next_active;
        if (at->context != context)
            continue;
        while (at->active && at->first) {
            const int last = !at->first->next;
            if (core.calls.work == at->first)
                core.calls.work = NULL; /* the thread of calls must not touch it again */
            queue_shift(at);
            if (last)
                break;
        }
    }
}

/* Streams whose first work may run, the oldest work first, or in the order of the seed. */
static unsigned list_choices(struct wsimrt_stream *choices[MOST_CHOICES]) {
    unsigned n = 0;
    for (struct wsimrt_stream *at = core.active; at && n < MOST_CHOICES; at = at->next_active) {
        unsigned place = n;
        if (!may_begin(at))
            continue;
        if (core.settings.seed) {
            place = (unsigned)(core_random() % (n + 1));
            choices[n] = choices[place];
        } else {
            for (; place && choices[place - 1]->first->number > at->first->number; place--)
                choices[place] = choices[place - 1];
        }
        choices[place] = at;
        n++;
    }
    return n;
}

/* Runs one piece of work. 1: something went on. */
static int step(void) {
    struct wsimrt_stream *choices[MOST_CHOICES];
    const unsigned n = list_choices(choices);
    watch_open();
    for (unsigned i = 0; i < n; i++) {
        const int went = run(choices[i]->first);
        if (went > 0)
            queue_shift(choices[i]);
        if (went)
            return 1;
    }
    return 0;
}

void work_advance(void) {
    while (core.active && step())
        ;
}

/* --- waiting --- */

void core_pause(uint64_t nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)nanoseconds;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&core.changed, &core.lock, &until);
}

/* A launch that cannot go on alone; NULL: none. */
static struct work *stuck_launch(void) {
    for (struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (at->first->stuck)
            return at->first;
    return NULL;
}

static int waits_outside(void) {
    for (struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (at->first->kind->outside)
            return 1;
    return 0;
}

int stream_is_busy(const struct wsimrt_stream *legacy) {
    for (const struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (stream_shares(at, legacy) && !(at->flags & WSIMRT_STREAM_NON_BLOCKING))
            return 1;
    return 0;
}

struct target {
    struct wsimrt_context *context; /* alive, or the wait is over */
    struct wsimrt_stream *stream;   /* NULL: all of the context */
    struct mark *mark;              /* or this mark */
};

static int is_reached(const struct target *target) {
    if (!handle_is(target->context, HANDLE_CONTEXT))
        return 1;
    if (target->mark)
        return target->mark->done;
    if (target->stream && handle_is(target->stream, HANDLE_STREAM) &&
        target->stream == stream_legacy(target->stream))
        return !stream_is_busy(target->stream);
    for (const struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (target->stream ? at == target->stream : at->context == target->context)
            return 0;
    return 1;
}

static void wait_for(const struct target *target) {
    uint64_t since = 0;
    core.calls.waits++;
    if (core.calls.work)
        pthread_cond_broadcast(&core.changed);
    while (!is_reached(target)) {
        struct work *stuck;
        if (step()) {
            since = 0;
            if (!is_reached(target) && core.calls.started) { /* give other threads the lock */
                pthread_mutex_unlock(&core.lock);
                sched_yield();
                pthread_mutex_lock(&core.lock);
            }
            continue;
        }
        since = since ? since : core_now();
        stuck = waits_outside() ? NULL : stuck_launch();
        if (stuck && core_now() - since > GRACE) {
            queue_shift(stuck->stream);
            since = 0;
            continue;
        }
        core_pause(MILLISECOND);
    }
    core.calls.waits--;
}

/* The sticky error for a call that waited. */
static int waited(struct wsimrt_context *context) {
    context->waited = core_now();
    memory_rest();
    return context_looked(context);
}

int work_drain(struct wsimrt_context *context, struct wsimrt_stream *stream) {
    const struct target target = {.context = context, .stream = stream};
    wait_for(&target);
    if (!handle_is(context, HANDLE_CONTEXT))
        return WSIMRT_CONTEXT_IS_DESTROYED;
    order_drained(context, stream && handle_is(stream, HANDLE_STREAM) ? stream : NULL);
    context_flush(context);
    return waited(context);
}

static struct wsimrt_stream *host_of(const struct wsimrt_context *context) {
    for (struct wsimrt_stream *at = core.active; at; at = at->next_active)
        for (const struct work *work = at->first; work; work = work->next)
            if (at->context != context && work->context == context)
                return at;
    return NULL;
}

void work_drain_guests(struct wsimrt_context *context) {
    struct wsimrt_stream *host;
    while ((host = host_of(context)))
        work_drain(host->context, host);
}

int work_reach(struct wsimrt_context *context, struct mark *mark) {
    const struct target target = {.context = context, .mark = mark};
    mark->uses++;
    wait_for(&target);
    order_reached(mark);
    mark_release(mark);
    if (!handle_is(context, HANDLE_CONTEXT))
        return WSIMRT_CONTEXT_IS_DESTROYED;
    context_flush(context);
    return waited(context);
}

/* Without a seed all work that may run does. With one, some of it stays for later. */
static void advance_some(void) {
    if (core.settings.late)
        return;
    if (!core.settings.seed) {
        work_advance();
        return;
    }
    for (uint64_t left = core_random() % 4; left && step(); left--)
        ;
}

int work_issue_list(struct work *list) {
    for (struct work *next; list; list = next) {
        next = list->next;
        list->next = NULL;
        queue_append(list);
    }
    advance_some();
    return 0;
}

int work_issue(struct work *work, int wait) {
    struct wsimrt_context *const context = work->context;
    struct wsimrt_stream *const stream = work->stream;
    struct work *record;
    int result = 0, error = capture_check(stream);
    if (!error && stream->capture)
        error = capture_work(work);
    if (error || stream->capture) {
        work_free(work);
        return error;
    }
    if (!wait) {
        queue_append(work);
        advance_some();
        return 0;
    }
    record = work_make(stream, &work_record, 0);
    if (record)
        record->is.mark = calloc(1, sizeof *record->is.mark);
    if (!record || !record->is.mark) {
        free(record);
        work_free(work);
        return WSIMRT_OUT_OF_MEMORY;
    }
    record->is.mark->uses = 1;
    work->error = &result;
    queue_append(work);
    queue_append(record);
    error = work_reach(context, record->is.mark);
    return error ? error : result;
}
