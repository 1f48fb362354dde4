/* The beginning and the end of the process: settings, fork, the report at exit. */
#define _GNU_SOURCE
#include "api.h"
#include "look.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    look_forget();
    api_forget();
}

/* Lacks that came before the settings could be read: before main, and before libc. */
static struct lack *early;

static void take_early(void) {
    for (struct lack *next; early; early = next) {
        next = early->next;
        if (early->what && early->text)
            report_lack(early->what, early->text);
        free(early->what);
        free(early->text);
        free(early);
    }
}

/* The status in place of 0. A check that was not made, or is lost, never looks like a good one. */
static int status_of_report(void) {
    if (core.settings.wrong || core.report.failed)
        return 2;
    if (!core.settings.status)
        return 0;
    return core.report.mistakes ? 1 : core.report.lacks ? 3 : 0;
}

static void finish(void) {
    int status;
    api_end(core.status);
    record_write(1);
    status = status_of_report();
    if (core.status || !status)
        return;
    fflush(NULL);
    _exit(status);
}

/* The report comes after the destructors of the program, which may free memory. */
__attribute__((destructor)) static void end(void) {
    core.destroyed = 1;
    if (core.exits)
        finish();
}

/* Destructors run first if this was registered before main. */
static void at_exit(int status, void *unused) {
    (void)unused;
    core.status = status;
    if (early)
        wsimrt_init();
    core.exits = 1;
    calls_end();
    if (core.destroyed)
        finish();
}

static void hear_exit(void) {
    static int heard;
    if (!heard++)
        on_exit(at_exit, NULL);
}

void wsimrt_lack(const char *what, const char *text) {
    struct lack *lack = calloc(1, sizeof *lack);
    wsimrt_say("%s %s", what, text);
    if (!lack)
        return;
    *lack = (struct lack){early, strdup(what), strdup(text), 1};
    pthread_mutex_lock(&core.lock);
    early = lack;
    hear_exit();
    if (core.started)
        take_early();
    pthread_mutex_unlock(&core.lock);
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
    take_early();
    pthread_atfork(before_fork, after_fork, in_child);
    hear_exit();
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
