/* Accesses of the host; see watch.h. Signals of programs that have a handler of their own are left
 * alone, and then nothing is protected. */
#define _GNU_SOURCE
#include "watch.h"
#include "api.h"
#include "order.h"
#include "report.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#define PAGE UINT64_C(4096)

static void protect(uint64_t from, uint64_t to, int access) {
    if (to > from)
        mprotect((void *)(uintptr_t)from, (size_t)(to - from), access);
}

void watch_open(void) {
    struct watch *watch = &core.watch;
    for (size_t i = 0; i < watch->n; i++)
        protect(watch->regions[i].from, watch->regions[i].to, PROT_READ | PROT_WRITE);
    watch->n = 0;
}

/* --- the fault --- */

static int is_write(const void *context) {
#if defined(__x86_64__)
    return (int)(((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1);
#else
    (void)context;
    return 0;
#endif
}

static int holds(const struct stamp *stamp, int kind, uint64_t address) {
    for (size_t i = 0; i < stamp->n; i++)
        if (stamp->ranges[i].kind == kind &&
            address - stamp->ranges[i].address < stamp->ranges[i].bytes)
            return 1;
    return 0;
}

/* Functions that the runtime calls in the order of a stream may use its memory. */
static int is_call(void) {
    return core.calls.started && pthread_equal(pthread_self(), core.calls.thread);
}

static void tell(uint64_t address, int writes) {
    const struct allocation *const memory = memory_find(address, 1);
    char place[80], stream[32];
    struct caller caller;
    if (memory && memory->number)
        snprintf(place, sizeof place, "byte %llu of 'buffer %llu'",
                 (unsigned long long)(address - memory->base), (unsigned long long)memory->number);
    else
        snprintf(place, sizeof place, "address 0x%llx", (unsigned long long)address);
    for (struct stamp *at = core.order.past; at && !is_call(); at = at->next) {
        const int written = holds(at, WSIM_TOUCHED_WRITTEN, address);
        if (order_is_known(at) || at->told ||
            !(written || (writes && holds(at, WSIM_TOUCHED_READ, address))))
            continue;
        at->told = 1;
        snprintf(stream, sizeof stream, at->number ? "stream %u" : "the default stream",
                 at->number);
        api_caller(&caller);
        report_pair(API_HOST, &caller, &at->caller,
                    "the host %s %s, which %s in %s may still %s; missing: a wait, as "
                    "cudaStreamSynchronize, before this access",
                    writes ? "writes" : "reads", place, at->what, stream,
                    written ? "write" : "read");
        return;
    }
}

static int is_watched(uint64_t address) {
    const struct watch *watch = &core.watch;
    for (size_t i = 0; i < watch->n_ever; i++)
        if (address - watch->ever[i].from < watch->ever[i].to - watch->ever[i].from)
            return 1;
    return 0;
}

/* Takes the lock, which this thread has only if the runtime itself is wrong. */
static int take_lock(void) {
    const struct timespec moment = {0, 1000000};
    for (int i = 0; i < 5000; i++) {
        if (pthread_mutex_trylock(&core.lock) == 0)
            return 1;
        nanosleep(&moment, NULL);
    }
    return 0;
}

/* Addresses of devices are none of the host: the process ends, and its report says why. */
static void tell_apart(uint64_t address, int writes) {
    const struct allocation *memory = memory_find(address, 1);
    const int freed = !memory;
    struct caller caller;
    memory = freed ? memory_freed(address) : memory;
    if (!memory || !memory->apart)
        return;
    api_caller(&caller);
    report_pair(API_HOST, &caller, memory->caller.object ? &memory->caller : NULL,
                "the host %s byte %llu of buffer %llu, %llu bytes of device memory%s: only kernels "
                "and copies can, and the process ends, as on a GPU machine",
                writes ? "writes" : "reads", (unsigned long long)(address - memory->base),
                (unsigned long long)memory->number, (unsigned long long)memory->bytes,
                freed ? " that are freed" : "");
}

static void on_fault(int number, siginfo_t *info, void *context) {
    const uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    if (info->si_code == SEGV_ACCERR && is_watched(address) && take_lock()) {
        if (core.watch.n)
            tell(address, is_write(context));
        watch_open();
        pthread_mutex_unlock(&core.lock);
        return;
    }
    if (info->si_code == SEGV_ACCERR && take_lock()) {
        tell_apart(address, is_write(context));
        pthread_mutex_unlock(&core.lock);
    }
    signal(number, SIG_DFL); /* the access comes again, and ends the process */
}

/* --- protection --- */

/* Whether the handler is ours; it becomes so where the program has none. */
static int has_handler(void) {
    struct sigaction now, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (sigaction(SIGSEGV, NULL, &now))
        return 0;
    if (now.sa_flags & SA_SIGINFO)
        return now.sa_sigaction == on_fault;
    return now.sa_handler == SIG_DFL && sigaction(SIGSEGV, &ours, NULL) == 0;
}

/* Remembers that a region was protected once: a fault there is ours. 0: there are too many. */
static int remember(uint64_t from, uint64_t to) {
    struct watch *watch = &core.watch;
    for (size_t i = 0; i < watch->n_ever; i++)
        if (watch->ever[i].from <= from && to <= watch->ever[i].to)
            return 1;
    if (watch->n_ever == CORE_REGIONS)
        return 0;
    watch->ever[watch->n_ever++] = (struct region){from, to};
    return 1;
}

/* Pages of pinned or managed memory that hold a range. Only managed variables share pages. */
static void guard_range(const struct wsim_touched *range, int access) {
    struct watch *watch = &core.watch;
    const struct allocation *memory = memory_find(range->address, 1);
    const uint64_t from = range->address / PAGE * PAGE;
    const uint64_t to = (range->address + range->bytes + PAGE - 1) / PAGE * PAGE;
    struct region *last = watch->n ? &watch->regions[watch->n - 1] : NULL;
    if (!memory_is_seen(memory))
        return;
    if (last && from >= last->from && to <= last->to) {
        if (access == PROT_NONE)
            protect(from, to, access);
        return;
    }
    if (watch->n == CORE_REGIONS ||
        !remember(memory->base / PAGE * PAGE,
                  (memory->base + memory->bytes + PAGE - 1) / PAGE * PAGE))
        return;
    watch->regions[watch->n++] = (struct region){from, to};
    protect(from, to, access);
}

void watch_close(void) {
    if (core.memory.arena && !core.watch.asked) { /* there is device memory now */
        core.watch.asked = 1;
        if (core.settings.checks & CHECK_API)
            has_handler();
    }
    for (const struct stamp *at = core.order.n_seen ? core.order.past : NULL; at; at = at->next) {
        if (!at->seen || order_is_known(at) || at->told)
            continue;
        if (!core.watch.n && !has_handler())
            return;
        for (size_t i = 0; i < at->n; i++)
            if (at->ranges[i].kind == WSIM_TOUCHED_READ)
                guard_range(&at->ranges[i], PROT_READ);
        for (size_t i = 0; i < at->n; i++)
            if (at->ranges[i].kind == WSIM_TOUCHED_WRITTEN)
                guard_range(&at->ranges[i], PROT_NONE);
    }
}
