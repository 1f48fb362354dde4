/* The beginning and the end of the process: settings, fork, the report at exit. */
#define _GNU_SOURCE
#include "api.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void before_fork(void) {
    pthread_mutex_lock(&core.lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&core.lock);
}

/* The child has the lock's only thread, and no other of the runtime. A GPU's contexts do not follow
 * it: its calls fail. */
static void in_child(void) {
    pthread_mutex_init(&core.lock, NULL);
    pthread_cond_init(&core.changed, NULL);
    core.calls.started = 0;
    core.calls.work = NULL;
    core.calls.waits = 0;
    core.polled = 0;
    core.watch.inside = 0;
    if (core.contexts)
        core.error = WSIMRT_NOT_INITIALIZED;
    report_forget();
    api_forget();
}

static void at_exit(int status, void *unused) {
    (void)unused;
    core.exits = 1;
    core.status = status;
    calls_end();
}

/* The report comes after the destructors of the program, which may free memory. */
__attribute__((destructor)) static void end(void) {
    if (!core.exits)
        return;
    api_end(core.status);
    record_write(1);
    if (!core.settings.status || core.status || !core.report.mistakes)
        return;
    fflush(NULL);
    _exit(1);
}

/* A launch frees what the next one allocates, so freed memory stays in the heap. */
static void keep_heap(void) {
#ifdef __GLIBC__
    enum { KEPT = 64 << 20 };
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, KEPT / 2);
#endif
}

static int start(void) {
    struct wsim_diag diag;
    int error = settings_read(&core.settings);
    keep_heap();
    if (!error && wsim_device_make(core.settings.arch, &core.root, &diag))
        error = WSIMRT_OUT_OF_MEMORY;
    core.random = core.settings.seed;
    report_forget();
    pthread_atfork(before_fork, after_fork, in_child);
    on_exit(at_exit, NULL);
    return error;
}

int wsimrt_init(void) {
    int error;
    pthread_mutex_lock(&core.lock);
    if (!core.started) {
        core.started = 1;
        core.error = start();
    }
    error = core.error;
    pthread_mutex_unlock(&core.lock);
    return error;
}
