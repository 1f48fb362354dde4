/* Contexts, and the primary ones of devices. */
#include "children.h"
#include "green.h"

#include <stdlib.h>
#include <string.h>

/* Bits of CUctx_flags. A context that dumps for the user dumps. */
enum { MAPS_HOST = 8, DUMPS = 0x20, USER_DUMPS = 0x40 };

/* --- making and freeing --- */

/* Source: defaults of an H200 (driver 580). */
static const size_t default_limits[CORE_LIMITS] = {1024, 8650752, 8388608,  0,
                                                   2048, 64,      SIZE_MAX, 232448};

/* Frees a context and all that belongs to it. */
static void context_free(struct wsimrt_context *context) {
    struct wsimrt_context **at = &core.contexts;
    const int primary = context->primary, ordinal = context->ordinal;
    if (!context_fault(context))
        work_drain(context, NULL);
    work_drain_guests(context);
    context_flush(context);
    work_drop(context);
    while (context->streams)
        stream_free(context->streams);
    green_leave(context);
    gates_free(context->gates);
    module_leave(context);
    memory_leave(context);
    children_free(context);
    wsim_device_free(context->device);
    handle_remove(context);
    while (*at != context)
        at = &(*at)->next;
    *at = context->next;
    free(context->output);
    if (primary && handle_add(context, HANDLE_PAST))
        core.devices[ordinal].past = context;
    else
        free(context);
}

/* The place of a context. A primary one has always the same. */
static struct wsimrt_context *place_of(struct device *primary_of) {
    struct wsimrt_context *const past = primary_of ? primary_of->past : NULL;
    if (!past)
        return calloc(1, sizeof *past);
    primary_of->past = NULL;
    handle_remove(past);
    memset(past, 0, sizeof *past);
    return past;
}

/* `primary_of`: NULL of a context of the program. */
static int make(int ordinal, unsigned flags, struct device *primary_of,
                struct wsimrt_context **made) {
    struct wsimrt_context *context;
    struct wsim_diag diag;
    if (core.fault.error) {
        core.fault.unseen = 0;
        return core.fault.error;
    }
    context = place_of(primary_of);
    if (!context || wsim_device_make_peer(core.root, core.settings.arch, &context->device, &diag)) {
        free(context);
        return WSIMRT_OUT_OF_MEMORY;
    }
    context->ordinal = ordinal;
    context->primary = primary_of != NULL;
    context->flags = flags & USER_DUMPS ? (flags & ~(unsigned)USER_DUMPS) | DUMPS : flags;
    context->id = ++core.next_id;
    memcpy(context->limits, default_limits, sizeof default_limits);
    context->next = core.contexts;
    core.contexts = context;
    context->legacy = stream_new(context, 0, 0);
    if (!context->legacy || !handle_add(context, HANDLE_CONTEXT)) {
        context_free(context);
        return WSIMRT_OUT_OF_MEMORY;
    }
    *made = context;
    peers_changed();
    return 0;
}

int wsimrt_sticky_error(void) {
    const int error = core_enter(NULL);
    const int sticky = context_error();
    core_leave(0);
    return error ? error : sticky;
}

int wsimrt_context_info(struct wsimrt_context *context, struct wsimrt_context_info *info) {
    int error = core_enter(NULL);
    const struct wsimrt_green *const green = context ? green_of(context) : thread_green();
    if (!error && !info)
        error = WSIMRT_INVALID_VALUE;
    if (green)
        context = green->primary;
    if (!error && !context)
        error = core_current(&context);
    if (!error && !handle_is(context, HANDLE_CONTEXT))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error)
        *info = (struct wsimrt_context_info){.device = context->ordinal,
                                             .flags = context->flags,
                                             .id = green ? green->id : context->id,
                                             .primary = context->primary};
    return core_leave(error);
}

/* --- contexts of the program --- */

/* Flags of contexts: at most one way in which the host waits, and others without effect here. */
static int check_flags(unsigned flags) {
    const unsigned waits = flags & 7;
    return flags & ~0xFFu || waits & (waits - 1) ? WSIMRT_INVALID_VALUE : 0;
}

int wsimrt_context_make(int device, unsigned flags, struct wsimrt_context **context) {
    int error = core_enter(NULL);
    if (!error && (!context || thread_is_full()))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : core_device(device);
    error = error ? error : check_flags(flags);
    error = error ? error : make(device, flags, NULL, context);
    if (!error)
        thread_push(*context);
    return core_leave(error);
}

int wsimrt_context_destroy(struct wsimrt_context *context) {
    int error = core_enter(NULL);
    if (!error && (!handle_is(context, HANDLE_CONTEXT) || context->primary))
        error = WSIMRT_INVALID_CONTEXT;
    if (!error) {
        context_free(context);
        thread_leave(context);
    }
    return core_leave(error);
}

int wsimrt_primary_retain(int device, struct wsimrt_context **context) {
    int error = core_enter(NULL);
    struct device *of = NULL;
    if (!error && !context)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : core_device(device);
    if (!error) {
        of = &core.devices[device];
        error = of->primary ? 0 : make(device, of->flags, of, &of->primary);
    }
    if (!error) {
        of->retained++;
        *context = of->primary;
    }
    return core_leave(error);
}

static void free_primary(struct device *of) {
    if (of->primary)
        context_free(of->primary);
    of->primary = NULL;
}

int wsimrt_primary_release(int device) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    if (!error && !core.devices[device].retained)
        error = WSIMRT_INVALID_CONTEXT;
    if (!error && --core.devices[device].retained == 0)
        free_primary(&core.devices[device]);
    return core_leave(error);
}

int wsimrt_primary_reset(int device) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    if (!error) {
        free_primary(&core.devices[device]);
        core.devices[device].retained = 0;
    }
    return core_leave(error);
}

int wsimrt_primary_state(int device, unsigned *flags, int *active) {
    int error = core_enter(NULL);
    if (!error && (!flags || !active))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : core_device(device);
    if (!error) {
        *flags = core.devices[device].flags;
        *active = core.devices[device].primary != NULL;
    }
    return core_leave(error);
}

int wsimrt_primary_flags(int device, unsigned flags) {
    int error = core_enter(NULL);
    error = error ? error : core_device(device);
    error = error ? error : check_flags(flags);
    if (!error && core.fault.error && !core.devices[device].primary)
        error = WSIMRT_DEVICE_UNAVAILABLE;
    if (!error) {
        core.devices[device].flags = flags;
        if (core.devices[device].primary)
            core.devices[device].primary->flags = flags;
    }
    return core_leave(error);
}

/* Waits for the streams of a green context. */
static int drain_green(struct wsimrt_context *context, const struct wsimrt_green *green) {
    struct wsimrt_stream *at = green->legacy;
    int error = work_drain(context, at);
    while (at && !error) {
        for (at = context->streams; at && (at->green != green || !at->active);)
            at = at->next;
        error = at ? work_drain(context, at) : 0;
    }
    return error;
}

int wsimrt_context_sync(void) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    error = error ? error : capture_refuse_all(context);
    if (!error && thread_green())
        error = drain_green(context, thread_green());
    else if (!error)
        error = work_drain(context, NULL);
    return core_leave(error);
}

/* --- limits and peers --- */

/* Numbers of CUlimit. */
enum {
    LIMIT_STACK,
    LIMIT_PRINTF,
    LIMIT_HEAP,
    LIMIT_DEPTH,
    LIMIT_PENDING,
    LIMIT_GRANULARITY,
    LIMIT_PERSISTING,
    LIMIT_CIG,         /* of a context that graphics shares */
    LIMIT_UNKNOWN = 8, /* it has no public name, and an H200 answers 0 ... */
    LIMIT_NONE = 9     /* ... and refuses this one */
};

static int check_limit(int limit) {
    if (limit == LIMIT_NONE)
        return WSIMRT_UNSUPPORTED_LIMIT;
    if (limit < 0 || limit >= CORE_LIMITS)
        return WSIMRT_INVALID_VALUE;
    return limit == LIMIT_DEPTH ? WSIMRT_UNSUPPORTED_LIMIT : 0;
}

/* Persisting lines come in sixteenths of L2; three are the default. Source: an H100. */
static int round_persisting(int ordinal, size_t *value) {
    enum { L2_BYTES = 38 };
    int bytes = 0;
    const int error = wsimrt_device_attribute(&bytes, L2_BYTES, ordinal);
    const size_t unit = error || bytes < 16 ? 1 : (size_t)bytes / 16;
    *value = *value == SIZE_MAX ? 3 * unit : (*value + unit - 1) / unit * unit;
    return error;
}

int wsimrt_limit_get(int limit, size_t *value) {
    struct wsimrt_context *context;
    int ordinal = 0;
    int error = core_enter(&context);
    if (!error && !value)
        error = WSIMRT_INVALID_VALUE;
    if (!error && limit == LIMIT_UNKNOWN) {
        *value = 0;
        return core_leave(0);
    }
    error = error ? error : check_limit(limit);
    if (!error) {
        *value = context->limits[limit];
        ordinal = context->ordinal;
    }
    core_leave(0);
    return error || limit != LIMIT_PERSISTING ? error : round_persisting(ordinal, value);
}

/* A GPU gives at least `least`, multiples of `unit`, and `cap` instead of more. It refuses more
 * than `most`. Source: an H200 (driver 580). */
static const struct {
    size_t least, unit, most, cap;
} limit_rules[CORE_LIMITS] = {
    [LIMIT_STACK] = {0, 16, 512 * 1024 - 1, 0},
    [LIMIT_PRINTF] = {524288, 256, 0, 0},
    [LIMIT_HEAP] = {4194304, 65536, 0, 17681179680},
    [LIMIT_PENDING] = {32, 1, 0, 599186},
    [LIMIT_GRANULARITY] = {0, 1, 128, 0},
};

static int take_limit(const struct wsimrt_context *context, int limit, size_t *value) {
    enum { MOST_PERSISTING = 108 }; /* of CUdevice_attribute */
    const size_t least = limit_rules[limit].least, unit = limit_rules[limit].unit;
    int32_t persisting = 0;
    size_t most = limit_rules[limit].most;
    if (limit == LIMIT_PERSISTING) {
        if (!device_attribute(&persisting, MOST_PERSISTING, context->ordinal))
            return WSIMRT_INVALID_VALUE;
        most = (size_t)persisting;
    }
    if (most && *value > most)
        return WSIMRT_INVALID_VALUE;
    if (*value < least)
        *value = least;
    if (unit > 1 && *value <= SIZE_MAX - unit)
        *value = (*value + unit - 1) / unit * unit;
    if (limit_rules[limit].cap && *value > limit_rules[limit].cap)
        *value = limit_rules[limit].cap;
    return 0;
}

int wsimrt_limit_set(int limit, size_t value) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    error = error ? error : capture_unsafe();
    if (!error && (limit == LIMIT_CIG || limit == LIMIT_UNKNOWN))
        error = WSIMRT_NOT_PERMITTED;
    error = error ? error : check_limit(limit);
    error = error ? error : take_limit(context, limit, &value);
    error = error ? error : work_drain(context, NULL);
    if (!error && limit == LIMIT_HEAP) { /* a kernel that called malloc has made the heap */
        struct wsim_diag diag;
        error = core_error(wsim_device_heap(context->device, value, &diag));
    }
    if (!error) {
        context->limits[limit] = value;
        if (limit == LIMIT_STACK && core.devices[context->ordinal].primary == context)
            core.devices[context->ordinal].flags |= WSIMRT_KEEPS_LOCAL; /* it grows and stays */
    }
    return core_leave(error);
}

int wsimrt_context_set_flags(unsigned flags) {
    enum { KEPT = MAPS_HOST | DUMPS };
    struct wsimrt_context *context;
    int error = core_enter(&context);
    error = error ? error : check_flags(flags);
    if (!error)
        context->flags = (flags & ~(unsigned)(KEPT | USER_DUMPS)) | (context->flags & KEPT);
    return core_leave(error);
}

int wsimrt_context_cache(int set, int *get) {
    enum { CONFIGS = 4 };
    struct wsimrt_context *context;
    int error = core_enter(&context);
    if (!error && set >= 0)
        error = capture_unsafe();
    if (!error && (set < -1 || set >= CONFIGS))
        error = WSIMRT_INVALID_VALUE;
    if (!error && set >= 0)
        context->cache = set;
    if (!error && get)
        *get = context->cache;
    return core_leave(error);
}
