/* Work of streams: queued in order, run when nothing before it is left.
 *
 * Work runs on the thread that issues it or waits for it, under the lock. A seed or
 * WSIM_STREAMS=late delays work and picks among streams that may go on: every order that CUDA
 * allows can happen. */
#include "state.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CHOICES = 128 };
#define MILLISECOND UINT64_C(1000000)
#define GRACE (300 * MILLISECOND) /* other threads may still help launches that are stuck */

/* --- items --- */

struct work *work_make(struct wsimrt_stream *stream, enum work_kind kind, size_t extra) {
    struct work *work = calloc(1, sizeof *work + extra);
    if (!work)
        return NULL;
    work->kind = (uint8_t)kind;
    work->stream = stream;
    work->context = stream->context;
    work->number = ++core.next_number;
    return work;
}

void mark_release(struct mark *mark) {
    if (mark && --mark->uses == 0)
        free(mark);
}

void work_free(struct work *work) {
    if (work->kind == WORK_LAUNCH) {
        if (work->is.launch.flight)
            launch_end(work);
        module_release(work->is.launch.function->module);
    } else if (work->kind == WORK_RECORD || work->kind == WORK_WAIT) {
        mark_release(work->is.mark);
    }
    free(work);
}

void work_fail(struct work *work, int error) {
    if (work->error)
        *work->error = error;
    else if (error)
        context_fail(work->context, WSIMRT_ILLEGAL_ADDRESS);
}

/* --- which work may run --- */

/* Work of the stream without a handle waits for all earlier work of blocking streams, and theirs
 * for its. */
static int may_begin(const struct wsimrt_stream *stream) {
    const struct wsimrt_stream *const legacy = stream->context->legacy;
    if (stream->flags & WSIMRT_STREAM_NON_BLOCKING)
        return 1;
    if (stream != legacy)
        return !legacy->first || legacy->first->number > stream->first->number;
    for (const struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (at != legacy && at->context == stream->context &&
            !(at->flags & WSIMRT_STREAM_NON_BLOCKING) && at->first->number < stream->first->number)
            return 0;
    return 1;
}

static int compare_value(const struct work *work) {
    uint64_t value = 0;
    const uint64_t wanted = work->is.value.value;
    if (!memory_peek(&value, work->is.value.address, work->is.value.bytes))
        return -1;
    switch (work->is.value.how & 3) {
    case 0:
        return work->is.value.bytes == 4 ? (int32_t)((uint32_t)value - (uint32_t)wanted) >= 0
                                         : (int64_t)(value - wanted) >= 0;
    case 1: return value == wanted;
    case 2: return (value & wanted) != 0;
    default: return ~(value | wanted) << (64 - 8 * work->is.value.bytes) != 0;
    }
}

static int call_run(struct work *work) {
    if (work->done)
        return 1;
    if (!work->begun)
        work->begun = (uint8_t)calls_begin(work);
    return 0;
}

static int write_value(struct work *work) {
    struct wsim_diag diag;
    uint64_t at = work->is.value.address;
    int there = memory_find(at, work->is.value.bytes)
                    ? !wsim_device_write(work->context->device, at, &work->is.value.value,
                                         work->is.value.bytes, &diag)
                    : memory_poke(at, &work->is.value.value, work->is.value.bytes);
    work_fail(work, there ? 0 : WSIMRT_INVALID_VALUE);
    return 1;
}

/* As copy_run and the others answer: 1 done, 0 cannot go on now, -1 went on and is not done. */
static int run(struct work *work) {
    /* After a sticky error only what others wait for still happens. */
    if (work->context->error && work->kind != WORK_RECORD &&
        !(work->kind == WORK_CALL && (work->is.call.callback || work->begun)) &&
        !(work->kind == WORK_LAUNCH && work->is.launch.flight)) {
        if (work->error)
            *work->error = work->context->error;
        return 1;
    }
    switch ((enum work_kind)work->kind) {
    case WORK_COPY: return copy_run(work);
    case WORK_FILL: return fill_run(work);
    case WORK_LAUNCH: return launch_run(work);
    case WORK_CALL: return call_run(work);
    case WORK_RECORD:
        work->is.mark->time = core_now();
        work->is.mark->done = 1;
        return 1;
    case WORK_WAIT: return work->is.mark->done;
    case WORK_WAIT_VALUE: {
        const int met = compare_value(work);
        if (met < 0)
            work_fail(work, WSIMRT_INVALID_VALUE);
        return met != 0;
    }
    case WORK_WRITE_VALUE: return write_value(work);
    case WORK_FREE: memory_free(work->context, work->is.address); return 1;
    }
    return 1;
}

/* --- queues --- */

static void activate(struct wsimrt_stream *stream) {
    if (stream->active)
        return;
    stream->active = 1;
    stream->next_active = core.active;
    core.active = stream;
}

/* Takes the first work of a stream away. */
static void shift(struct wsimrt_stream *stream) {
    struct work *work = stream->first;
    struct wsimrt_stream **at = &core.active;
    stream->first = work->next;
    work_free(work);
    if (stream->first)
        return;
    stream->last = NULL;
    stream->active = 0;
    while (*at != stream)
        at = &(*at)->next_active;
    *at = stream->next_active;
    if (stream->destroyed)
        stream_free(stream);
}

void work_drop(struct wsimrt_context *context) {
    for (struct wsimrt_stream *next, *at = core.active; at; at = next) {
        next = at->next_active;
        if (at->context != context)
            continue;
        while (at->active && at->first) {
            const int last = !at->first->next;
            if (at->first->kind == WORK_CALL && at->first->begun && !at->first->done)
                core.calls.work = NULL; /* the thread of calls must not touch it again */
            shift(at);
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
    for (unsigned i = 0; i < n; i++) {
        const int went = run(choices[i]->first);
        if (went > 0)
            shift(choices[i]);
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

static void pause_for(uint64_t nanoseconds) {
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
        if (at->first->kind == WORK_LAUNCH && at->first->is.launch.flight &&
            at->first->is.launch.waits)
            return at->first;
    return NULL;
}

static int waits_outside(void) {
    for (struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (at->first->kind == WORK_CALL || at->first->kind == WORK_WAIT_VALUE)
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
    for (const struct wsimrt_stream *at = core.active; at; at = at->next_active)
        if (target->stream ? at == target->stream : at->context == target->context)
            return 0;
    return 1;
}

static void wait_for(const struct target *target) {
    uint64_t since = 0;
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
            struct wsimrt_stream *stream = stuck->stream;
            launch_end(stuck);
            shift(stream);
            since = 0;
            continue;
        }
        pause_for(MILLISECOND);
    }
}

int work_drain(struct wsimrt_context *context, struct wsimrt_stream *stream) {
    const struct target target = {.context = context, .stream = stream};
    wait_for(&target);
    if (!handle_is(context, HANDLE_CONTEXT))
        return WSIMRT_CONTEXT_IS_DESTROYED;
    context_flush(context);
    return context->error;
}

int work_reach(struct wsimrt_context *context, struct mark *mark) {
    const struct target target = {.context = context, .mark = mark};
    mark->uses++;
    wait_for(&target);
    mark_release(mark);
    if (!handle_is(context, HANDLE_CONTEXT))
        return WSIMRT_CONTEXT_IS_DESTROYED;
    context_flush(context);
    return context->error;
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

static void append(struct work *work) {
    struct wsimrt_stream *stream = work->stream;
    if (stream->last)
        stream->last->next = work;
    else
        stream->first = work;
    stream->last = work;
    activate(stream);
}

int work_issue(struct work *work, int wait) {
    struct wsimrt_context *const context = work->context;
    struct wsimrt_stream *const stream = work->stream;
    struct work *record;
    int result = 0, error;
    if (!wait) {
        append(work);
        advance_some();
        return 0;
    }
    record = work_make(stream, WORK_RECORD, 0);
    if (record)
        record->is.mark = calloc(1, sizeof *record->is.mark);
    if (!record || !record->is.mark) {
        free(record);
        work_free(work);
        return WSIMRT_OUT_OF_MEMORY;
    }
    record->is.mark->uses = 1;
    work->error = &result;
    append(work);
    append(record);
    error = work_reach(context, record->is.mark);
    return error ? error : result;
}
