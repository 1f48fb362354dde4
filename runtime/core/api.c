/* Checks of calls; see api.h. */
#include "api.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

/* --- freed memory --- */

void api_freed(const char *verb, uint64_t address) {
    const struct allocation *freed = memory_find(address, 1) ? NULL : memory_freed(address);
    struct caller caller;
    if (!freed || !(core.settings.checks & CHECK_API))
        return;
    api_caller(&caller);
    report_call(API_FREED, &caller, "%s address 0x%llx, byte %llu of %llu bytes that are freed",
                verb, (unsigned long long)address, (unsigned long long)(address - freed->base),
                (unsigned long long)freed->bytes);
}

/* --- errors --- */

void wsimrt_error_returned(int error, const char *name) {
    struct unchecked *left;
    pthread_mutex_lock(&core.lock);
    /* Errors that come of what wsim lacks are no mistakes of the program. */
    if (error == WSIMRT_NOT_SUPPORTED || error == WSIMRT_NOT_READY || !core.started || core.error ||
        core.report.lacks || core.n_unchecked == CORE_UNCHECKED || core.fault.error) {
        pthread_mutex_unlock(&core.lock);
        return;
    }
    left = &core.unchecked[core.n_unchecked++];
    left->name = name;
    snprintf(left->reason, sizeof left->reason, "%s", core_reason());
    api_further(&left->caller);
    pthread_mutex_unlock(&core.lock);
}

void wsimrt_error_seen(void) {
    pthread_mutex_lock(&core.lock);
    core.n_unchecked = 0;
    pthread_mutex_unlock(&core.lock);
}

static void tell_unchecked(void) {
    for (unsigned i = 0; i < core.n_unchecked; i++) {
        const struct unchecked *at = &core.unchecked[i];
        const char *call = at->caller.call ? at->caller.call : "the call";
        call += strspn(call, "_");
        report_call(API_UNCHECKED, &at->caller,
                    "%.*s returns %s%s%s%s, and the program never asks for its errors afterwards",
                    (int)strcspn(call, "_"), call, at->name, *at->reason ? " (" : "", at->reason,
                    *at->reason ? ")" : "");
    }
}

/* --- memory that is left --- */

static int is_left(const struct allocation *allocation) {
    return allocation->kind != WSIMRT_VARIABLE && allocation->kind != WSIMRT_REGISTERED &&
           !allocation->graph && allocation->id > core.inherited &&
           !(allocation->context && core.fault.error);
}

static int is_same(const struct caller *a, const struct caller *b) {
    return a->object == b->object && a->offset == b->offset && a->outer == b->outer;
}

/* One finding for each place of the program that allocates. */
static void tell_left(void) {
    const struct memory *memory = &core.memory;
    for (size_t i = 0; i < memory->n; i++) {
        const struct allocation *const first = memory->list[i];
        uint64_t n = 0, bytes = 0;
        int known = !is_left(first);
        for (size_t k = 0; k < i && !known; k++)
            known = is_left(memory->list[k]) && is_same(&memory->list[k]->caller, &first->caller);
        for (size_t k = i; k < memory->n && !known; k++)
            if (is_left(memory->list[k]) && is_same(&memory->list[k]->caller, &first->caller))
                n++, bytes += memory->list[k]->bytes;
        if (!known)
            report_call(API_LEAK, &first->caller,
                        "%llu allocation%s with %llu bytes of %s memory %s not freed at exit",
                        (unsigned long long)n, n == 1 ? "" : "s", (unsigned long long)bytes,
                        memory_word(first), n == 1 ? "is" : "are");
    }
}

void api_end(int status) {
    if (status || core.error || !(core.settings.checks & CHECK_API))
        return;
    tell_unchecked();
    tell_left();
}

void api_forget(void) {
    core.n_unchecked = 0;
    core.inherited = core.next_id;
}
