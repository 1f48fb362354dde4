/* State of threads: the last error and the device. */
#include "cudart.h"

static _Thread_local struct {
    int error, device;
    unsigned char chose; /* the device, by cudaSetDevice */
} thread;

static const char *name_of(int error);

int rt_note(int error) {
    if (error && error != WSIMRT_NOT_READY) { /* which is an answer, as on an H200 */
        thread.error = error;
        wsimrt_error_returned(error, name_of(error));
    }
    return error;
}

int rt_device(void) {
    return thread.device;
}

int rt_primary(int device, struct wsimrt_context **context) {
    const int error = wsimrt_primary_retain(device, context);
    return error && error == wsimrt_sticky_error() ? WSIMRT_DEVICE_UNAVAILABLE : error;
}

static int known_devices; /* to a child of fork too */

int rt_need(void) {
    struct wsimrt_context_info info;
    struct wsimrt_context *context = NULL;
    int error = wsimrt_init();
    if (!error && !known_devices)
        wsimrt_device_count(&known_devices);
    error = error ? error : wsimrt_context_info(NULL, &info);
    if (error != WSIMRT_INVALID_CONTEXT && error != WSIMRT_CONTEXT_IS_DESTROYED)
        return error;
    error = rt_primary(thread.device, &context);
    return error ? error : wsimrt_context_set(context);
}

RT cudaGetLastError(void) {
    const int error = thread.error;
    thread.error = 0;
    if (error)
        wsimrt_error_seen();
    return error;
}

RT cudaPeekAtLastError(void) {
    if (thread.error)
        wsimrt_error_seen();
    return thread.error;
}

/* --- texts --- */

static const struct row {
    int number;
    const char *name, *text;
} rows[] = {
#define RUNTIME_ERROR(name, number, text) {number, #name, text},
#include "error.def"
};

static const struct row *row_of(int error) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].number == error)
            return &rows[i];
    return NULL;
}

static const char *name_of(int error) {
    const struct row *row = row_of(error);
    return row ? row->name : "unrecognized error code";
}

WSIMRT_API const char *cudaGetErrorName(int error) {
    if (error)
        wsimrt_error_seen();
    return name_of(error);
}

WSIMRT_API const char *cudaGetErrorString(int error) {
    const struct row *row = row_of(error);
    const char *text = row ? row->text : "unrecognized error code";
    if (error)
        wsimrt_error_seen();
    return text ? text : wsimrt_error_text(error);
}

/* Texts for kernels; NULL: there is no such error. */
static const char *known_name(int error) {
    return error < 0 || row_of(error) ? name_of(error) : NULL;
}

static const char *known_text(int error) {
    const struct row *row = row_of(error);
    return row && !row->text ? wsimrt_error_text(error) : row ? row->text : known_name(error);
}

__attribute__((constructor)) static void name_errors(void) {
    wsimrt_error_names(known_name, known_text);
}

/* --- the device of a thread --- */

RT cudaGetDeviceCount(int *count) {
    int error = wsimrt_init();
    if (error == WSIMRT_NOT_INITIALIZED && known_devices && count) {
        *count = known_devices;
        return rt_note(0);
    }
    error = error ? error : wsimrt_device_count(count);
    if (!error && !*count)
        error = WSIMRT_NO_DEVICE;
    return rt_note(error);
}

/* The next call takes the primary context of the device of the thread. */
static void leave_context(void) {
    struct wsimrt_context_info info;
    if (!wsimrt_context_info(NULL, &info) && info.primary)
        wsimrt_context_set(NULL);
}

RT cudaSetDevice(int device) {
    struct wsimrt_context *context;
    int error = wsimrt_init();
    error = error ? error : rt_primary(device, &context);
    error = error ? error : wsimrt_context_set(context);
    if (error == WSIMRT_DEVICE_UNAVAILABLE)
        leave_context();
    if (!error || error == WSIMRT_DEVICE_UNAVAILABLE) {
        thread.device = device;
        thread.chose = 1;
    }
    return rt_note(error);
}

RT cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    struct wsimrt_context *context;
    int error = wsimrt_init();
    (void)device_flags, (void)flags;
    return rt_note(error ? error : rt_primary(device, &context));
}

/* The first device of the list is that of the calling thread. Source: two H200 (driver 580). */
RT cudaSetValidDevices(const int *devices, int n) {
    int count = 0, error = n < 0 || (n && !devices) ? WSIMRT_INVALID_VALUE : wsimrt_init();
    error = error ? error : wsimrt_device_count(&count);
    if (!error && n > count)
        error = WSIMRT_INVALID_VALUE;
    for (int i = 0; i < n && !error; i++) {
        if (devices[i] < 0 || devices[i] >= count)
            error = WSIMRT_INVALID_DEVICE;
    }
    if (!error && !thread.chose) {
        thread.device = n ? devices[0] : 0;
        leave_context();
    }
    return rt_note(error);
}

RT cudaGetDevice(int *device) {
    struct wsimrt_context_info info;
    int error = wsimrt_init();
    error = error ? error : wsimrt_permitted();
    if (error || !device)
        return rt_note(error ? error : WSIMRT_INVALID_VALUE);
    *device = wsimrt_context_info(NULL, &info) ? thread.device : info.device;
    return 0;
}

RT cudaSetDeviceFlags(unsigned flags) {
    enum { SCHEDULES = 7, KEPT = 0x97 };
    int error =
        (flags & SCHEDULES) & ((flags & SCHEDULES) - 1) ? WSIMRT_INVALID_VALUE : wsimrt_init();
    return rt_note(error ? error : wsimrt_primary_flags(thread.device, flags & KEPT));
}

RT cudaGetDeviceFlags(unsigned *flags) {
    enum { MAPS_HOST = 8 };
    struct wsimrt_context_info info;
    int active, error = wsimrt_init();
    if (!error && flags && !wsimrt_context_info(NULL, &info)) {
        *flags = info.flags | (info.primary ? MAPS_HOST : 0);
        return 0;
    }
    error = error ? error : wsimrt_primary_state(thread.device, flags, &active);
    if (!error)
        *flags |= MAPS_HOST;
    return rt_note(error);
}

RT cudaDeviceReset(void) {
    int error = wsimrt_init();
    return rt_note(error ? error : wsimrt_primary_reset(rt_device()));
}

RT cudaDeviceSynchronize(void) {
    RT_CALL(wsimrt_context_sync());
}

RT cudaThreadSynchronize(void) {
    return cudaDeviceSynchronize();
}

RT cudaThreadExit(void) {
    return cudaDeviceReset();
}
