/* The stack of contexts of a thread, and the way into every call. */
#include "green.h"
#include "report.h"
#include "watch.h"

enum { STACK = 64 };

static _Thread_local struct {
    struct wsimrt_context *stack[STACK];
    unsigned n;
    int calls;      /* it runs a function of the program for a stream */
    unsigned depth; /* calls under way: those of callbacks within others, too */
    int cancels;    /* as the program set it */
} thread;

int core_current(struct wsimrt_context **context) {
    if (!thread.n || !thread.stack[thread.n - 1])
        return WSIMRT_INVALID_CONTEXT;
    *context = thread.stack[thread.n - 1];
    if (green_of(*context))
        *context = green_of(*context)->primary;
    return handle_is(*context, HANDLE_CONTEXT) ? 0 : WSIMRT_CONTEXT_IS_DESTROYED;
}

struct wsimrt_green *thread_green(void) {
    return thread.n ? green_of(thread.stack[thread.n - 1]) : NULL;
}

static int is_context(const struct wsimrt_context *context) {
    return handle_is(context, HANDLE_CONTEXT) || handle_is(context, HANDLE_PAST) ||
           green_of(context);
}

int thread_is_full(void) {
    return thread.n == STACK;
}

void thread_push(struct wsimrt_context *context) {
    thread.stack[thread.n++] = context;
}

void thread_leave(const struct wsimrt_context *context) {
    thread.n -= thread.n && thread.stack[thread.n - 1] == context;
}

void thread_calls(int calls) {
    thread.calls = calls;
}

int wsimrt_permitted(void) {
    return thread.calls ? WSIMRT_NOT_PERMITTED : 0;
}

/* `error`: of the context. A call that is made for a stream has none. */
static int use_context(struct wsimrt_context **context, int error) {
    error = thread.calls ? WSIMRT_NOT_PERMITTED : error;
    if (error || !context_error())
        return error;
    context_flush(*context); /* no call waits for it any more */
    return context_error();
}

/* The program may cancel a thread. That waits for the end of its call, which gives the lock back.
 */
static void hold_cancel(void) {
    if (!thread.depth++)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &thread.cancels);
}

static void let_cancel(void) {
    if (--thread.depth)
        return;
    pthread_setcancelstate(thread.cancels, NULL);
    pthread_testcancel();
}

int core_enter(struct wsimrt_context **context) {
    int error;
    hold_cancel();
    pthread_mutex_lock(&core.lock);
    core_because("%s", "");
    core.watch.inside++;
    watch_open();
    error = core.started ? core.error : WSIMRT_NOT_INITIALIZED;
    return error || !context ? error : use_context(context, core_current(context));
}

int core_enter_with(struct wsimrt_context *own, struct wsimrt_context **context) {
    int error = core_current(context);
    if (error == WSIMRT_INVALID_CONTEXT && handle_is(own, HANDLE_CONTEXT)) {
        *context = own;
        error = 0;
    }
    return use_context(context, error);
}

int core_enter_stream(const struct wsimrt_stream *stream, struct wsimrt_context **context) {
    const int error = core_enter(NULL);
    const int lives = !error && handle_is(stream, HANDLE_STREAM) && !stream->left;
    return error ? error : core_enter_with(lives ? stream->context : NULL, context);
}

int wsimrt_context_past(int *device) {
    const int error = core_enter(NULL);
    struct wsimrt_context *const top = thread.n ? thread.stack[thread.n - 1] : NULL;
    const int is = !error && handle_is(top, HANDLE_PAST);
    for (int i = 0; is && i < CORE_DEVICES; i++)
        if (core.devices[i].past == top)
            *device = i;
    core_leave(0);
    return is;
}

int core_leave(int error) {
    if (--core.watch.inside == 0)
        watch_close();
    pthread_mutex_unlock(&core.lock);
    let_cancel();
    return error;
}

int wsimrt_context_push(struct wsimrt_context *context) {
    int error = core_enter(NULL);
    if (!error && (!is_context(context) || thread_is_full()))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error)
        thread_push(context);
    return core_leave(error);
}

int wsimrt_context_pop(struct wsimrt_context **context) {
    int error = core_enter(NULL);
    if (!error && !thread.n)
        error = WSIMRT_INVALID_CONTEXT;
    if (!error) {
        thread.n--;
        if (context)
            *context = thread.stack[thread.n];
    }
    return core_leave(error);
}

int wsimrt_context_set(struct wsimrt_context *context) {
    int error = core_enter(NULL);
    if (!error && context && !is_context(context))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error && !context) {
        thread.n -= thread.n != 0;
    } else if (!error) {
        thread.n += thread.n == 0;
        thread.stack[thread.n - 1] = context;
    }
    return core_leave(error);
}

int wsimrt_context_current(struct wsimrt_context **context) {
    int error = core_enter(NULL);
    if (!error && !context)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *context = thread.n ? thread.stack[thread.n - 1] : NULL;
    return core_leave(error);
}
