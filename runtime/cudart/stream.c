/* Streams and events. */
#include "cudart.h"

#include <string.h>

RT cudaStreamCreate(cudaStream_t *stream) {
    RT_CALL(wsimrt_stream_make(0, 0, stream));
}

RT cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    RT_CALL(wsimrt_stream_make(flags, 0, stream));
}

RT cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    RT_CALL(wsimrt_stream_make(flags, priority, stream));
}

RT cudaStreamDestroy(cudaStream_t stream) {
    RT_CALL(wsimrt_stream_destroy(stream));
}

RT cudaStreamSynchronize(cudaStream_t stream) {
    RT_CALL(wsimrt_stream_sync(stream));
}

RT cudaStreamQuery(cudaStream_t stream) {
    RT_CALL(wsimrt_stream_query(stream));
}

static int stream_info(cudaStream_t stream, const void *out, struct wsimrt_stream_info *info) {
    const int error = out ? rt_need() : WSIMRT_INVALID_VALUE;
    return rt_note(error ? error : wsimrt_stream_info(stream, info));
}

/* A question that captures refuse. `ends`: it also makes the capture of the stream invalid, as on
 * an H200. */
static int ask(cudaStream_t stream, const void *out, int ends, struct wsimrt_stream_info *info) {
    int error = out ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_stream_asked(stream, ends);
    return error ? rt_note(error) : stream_info(stream, out, info);
}

RT cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    struct wsimrt_stream_info info;
    const int error = ask(stream, flags, 1, &info);
    if (!error)
        *flags = info.flags;
    return error;
}

RT cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    struct wsimrt_stream_info info;
    const int error = ask(stream, priority, 0, &info);
    if (!error)
        *priority = info.priority;
    return error;
}

RT cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
    struct wsimrt_stream_info info;
    const int error = stream_info(stream, id, &info);
    if (!error)
        *id = info.id;
    return error;
}

RT cudaStreamGetDevice(cudaStream_t stream, int *device) {
    struct wsimrt_stream_info info;
    const int error = ask(stream, device, 1, &info);
    if (!error)
        *device = info.device;
    return error;
}

/* Preferences of streams change no result. */
RT cudaStreamGetAttribute(cudaStream_t stream, int attribute, void *value) {
    RT_CALL(wsimrt_stream_get(stream, attribute, value));
}

RT cudaStreamSetAttribute(cudaStream_t stream, int attribute, const void *value) {
    RT_CALL(wsimrt_stream_set(stream, attribute, value));
}

RT cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    RT_CALL(wsimrt_stream_copy(to, from));
}

RT cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    RT_CALL(flags & ~1u ? WSIMRT_INVALID_VALUE
            : flags     ? wsimrt_event_external(event, stream, 0)
                        : wsimrt_event_wait(stream, event));
}

RT cudaStreamAddCallback(cudaStream_t stream, void (*function)(cudaStream_t, int, void *),
                         void *data, unsigned flags) {
    RT_CALL(flags ? WSIMRT_INVALID_VALUE : wsimrt_stream_callback(stream, function, data));
}

RT cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    const int error = rt_need();
    if (!error && least)
        *least = WSIMRT_PRIORITY_LEAST;
    if (!error && greatest)
        *greatest = WSIMRT_PRIORITY_GREATEST;
    return rt_note(error);
}

/* --- events --- */

RT cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    const unsigned shared = WSIMRT_EVENT_SHARED, untimed = WSIMRT_EVENT_NO_TIMING;
    if (flags & ~7u || (flags & shared && !(flags & untimed)))
        return rt_note(WSIMRT_INVALID_VALUE);
    RT_CALL(wsimrt_event_make(flags, event));
}

RT cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}

RT cudaEventDestroy(cudaEvent_t event) {
    RT_CALL(wsimrt_event_destroy(event));
}

RT cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    RT_CALL(wsimrt_event_record(event, stream));
}

RT cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    int error = rt_need();
    error = error ? error : wsimrt_stream_asked(stream, 0);
    if (!error && flags & ~1u)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        error =
            flags ? wsimrt_event_external(event, stream, 1) : wsimrt_event_record(event, stream);
    return rt_note(error);
}

RT cudaEventQuery(cudaEvent_t event) {
    RT_CALL(wsimrt_event_query(event));
}

RT cudaEventSynchronize(cudaEvent_t event) {
    RT_CALL(wsimrt_event_sync(event));
}

RT cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    RT_CALL(wsimrt_event_elapsed(milliseconds, from, to));
}

RT cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    return cudaEventElapsedTime(milliseconds, from, to);
}
