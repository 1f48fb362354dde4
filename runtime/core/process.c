/* The process: its only global state, its lock, its beginning and its end. */
#define _GNU_SOURCE
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct process core = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void wsimrt_say(const char *format, ...) {
    char line[1024] = "wsim: ";
    va_list values;
    size_t used;
    va_start(values, format);
    vsnprintf(line + 6, sizeof line - 7, format, values);
    va_end(values);
    for (used = 0; line[used]; used++)
        ;
    line[used] = '\n';
    if (write(STDERR_FILENO, line, used + 1) < 0) /* a closed stderr is the program's choice */
        return;
}

uint64_t core_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t core_random(void) {
    uint64_t z = core.random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int core_error(enum wsim_status status) {
    switch (status) {
    case WSIM_OK: return WSIMRT_OK;
    case WSIM_NO_MEMORY: return WSIMRT_OUT_OF_MEMORY;
    case WSIM_UNMODELLED: return WSIMRT_NOT_SUPPORTED;
    default: return WSIMRT_INVALID_VALUE;
    }
}

static void before_fork(void) {
    pthread_mutex_lock(&core.lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&core.lock);
}

/* The child has the lock's only thread, and no thread of calls. */
static void in_child(void) {
    pthread_mutex_init(&core.lock, NULL);
    pthread_cond_init(&core.changed, NULL);
    core.calls.started = 0;
    core.calls.work = NULL;
}

/* The report, when the process exits with `status`. */
static void at_exit(int status, void *unused) {
    (void)unused;
    report_print();
    if (!core.settings.status || status || !core.report.mistakes)
        return;
    fflush(NULL);
    _exit(1);
}

static int start(void) {
    struct wsim_diag diag;
    int error = settings_read(&core.settings);
    if (!error && wsim_device_make(core.settings.arch, &core.root, &diag))
        error = WSIMRT_OUT_OF_MEMORY;
    core.random = core.settings.seed;
    core.report.last_finding = &core.report.findings;
    pthread_atfork(before_fork, after_fork, in_child);
    on_exit(at_exit, NULL);
    return error;
}

int wsimrt_init(void) {
    pthread_mutex_lock(&core.lock);
    if (!core.started) {
        core.started = 1;
        core.error = start();
    }
    return core_leave(core.error);
}

int core_enter(struct wsimrt_context **context) {
    int error;
    pthread_mutex_lock(&core.lock);
    error = core.started ? core.error : WSIMRT_NOT_INITIALIZED;
    if (error || !context)
        return error;
    error = core_current(context);
    return error ? error : (*context)->error;
}

int core_leave(int error) {
    pthread_mutex_unlock(&core.lock);
    return error;
}

int wsimrt_unsupported(const char *function) {
    int first;
    pthread_mutex_lock(&core.lock);
    first = report_missing(function);
    pthread_mutex_unlock(&core.lock);
    if (first)
        wsimrt_say("%s is not there yet: it returns the error \"operation not supported\"",
                   function);
    return WSIMRT_NOT_SUPPORTED;
}
