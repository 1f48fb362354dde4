/* Streams and events. */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

CU cuStreamCreate(CUstream *stream, unsigned flags) {
    return wsimrt_stream_make(flags, 0, stream);
}

CU cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    return wsimrt_stream_make(flags, priority, stream);
}

CU cuStreamDestroy_v2(CUstream stream) {
    return wsimrt_stream_destroy(stream);
}

CU cuStreamSynchronize(CUstream stream) {
    return wsimrt_stream_sync(stream);
}

CU cuStreamQuery(CUstream stream) {
    return wsimrt_stream_query(stream);
}

/* A question that captures refuse. `ends`: it also makes the capture of the stream invalid, as on
 * an H200. */
static int ask(CUstream stream, int ends, struct wsimrt_stream_info *info) {
    const int error = wsimrt_stream_asked(stream, ends);
    return error ? error : wsimrt_stream_info(stream, info);
}

CU cuStreamGetFlags(CUstream stream, unsigned *flags) {
    struct wsimrt_stream_info info;
    const int error = flags ? ask(stream, 1, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = info.flags;
    return error;
}

CU cuStreamGetPriority(CUstream stream, int *priority) {
    struct wsimrt_stream_info info;
    const int error = priority ? ask(stream, 0, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *priority = info.priority;
    return error;
}

CU cuStreamGetId(CUstream stream, unsigned long long *id) {
    struct wsimrt_stream_info info;
    const int error = id ? ask(stream, 1, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *id = info.id;
    return error;
}

CU cuStreamGetDevice(CUstream stream, CUdevice *device) {
    struct wsimrt_stream_info info;
    const int error = device ? ask(stream, 1, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *device = info.device;
    return error;
}

CU cuStreamGetCtx(CUstream stream, CUcontext *context) {
    struct wsimrt_stream_info info;
    struct wsimrt_green *green = NULL;
    int error = context ? ask(stream, 0, &info) : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_green_of_stream(stream, &green);
    if (!error)
        *context = info.context;
    return error || !green ? error : wsimrt_green_context(green, context);
}

CU cuStreamGetCtx_v2(CUstream stream, CUcontext *context, struct wsimrt_green **green) {
    struct wsimrt_stream_info info;
    int error = context ? ask(stream, 0, &info) : WSIMRT_INVALID_VALUE;
    error = error || !green ? error : wsimrt_green_of_stream(stream, green);
    if (!error)
        *context = info.context;
    return error;
}

CU cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    const int error = wsimrt_stream_asked(stream, 0);
    if (error || flags & ~1u)
        return error ? error : WSIMRT_INVALID_VALUE;
    return flags ? wsimrt_event_external(event, stream, 0) : wsimrt_event_wait(stream, event);
}

CU cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data) {
    return wsimrt_stream_call(stream, function, data);
}

CU cuStreamAddCallback(CUstream stream, void (*function)(CUstream, int, void *), void *data,
                       unsigned flags) {
    return flags ? WSIMRT_INVALID_VALUE : wsimrt_stream_callback(stream, function, data);
}

/* Where managed memory may be used changes no result. */
CU cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags) {
    struct wsimrt_stream_info info;
    struct wsimrt_range range;
    const int error = wsimrt_stream_info(stream, &info);
    (void)bytes, (void)flags;
    return error ? error : wsimrt_memory_of(address, &range);
}

static int value_op(CUstream stream, enum wsimrt_op_kind what, CUdeviceptr address, uint64_t value,
                    unsigned flags) {
    const struct wsimrt_op op = {.what = what, .address = address, .value = value, .flags = flags};
    return wsimrt_stream_ops(stream, 1, &op, 0);
}

CU cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
    return value_op(stream, WSIMRT_OP_WAIT_32, address, value, flags);
}

CU cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags) {
    return value_op(stream, WSIMRT_OP_WAIT_64, address, value, flags);
}

CU cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
    return value_op(stream, WSIMRT_OP_WRITE_32, address, value, flags);
}

CU cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags) {
    return value_op(stream, WSIMRT_OP_WRITE_64, address, value, flags);
}

CU cuStreamBatchMemOp_v2(CUstream stream, unsigned n, const struct wsimrt_op *ops, unsigned flags) {
    return wsimrt_stream_ops(stream, n, ops, flags);
}

CU cuStreamGetAttribute(CUstream stream, int attribute, void *value) {
    return wsimrt_stream_get(stream, attribute, value);
}

CU cuStreamSetAttribute(CUstream stream, int attribute, const void *value) {
    const int error = wsimrt_stream_asked(stream, 0);
    return error ? error : wsimrt_stream_set(stream, attribute, value);
}

CU cuStreamCopyAttributes(CUstream to, CUstream from) {
    return wsimrt_stream_copy(to, from);
}

/* --- events --- */

CU cuEventCreate(CUevent *event, unsigned flags) {
    const int shares_time = flags & WSIMRT_EVENT_SHARED && !(flags & WSIMRT_EVENT_NO_TIMING);
    const int error = driver_context();
    if (!error && (flags & ~7u || shares_time))
        return WSIMRT_INVALID_VALUE;
    return error ? error : wsimrt_event_make(flags, event);
}

CU cuEventDestroy_v2(CUevent event) {
    return wsimrt_event_destroy(event);
}

CU cuEventRecord(CUevent event, CUstream stream) {
    return wsimrt_event_record(event, stream);
}

CU cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
    const int error = wsimrt_stream_asked(stream, 0);
    if (error || flags & ~1u)
        return error ? error : WSIMRT_INVALID_VALUE;
    return flags ? wsimrt_event_external(event, stream, 1) : wsimrt_event_record(event, stream);
}

CU cuEventQuery(CUevent event) {
    return event ? wsimrt_event_query(event) : WSIMRT_INVALID_HANDLE;
}

CU cuEventSynchronize(CUevent event) {
    return event ? wsimrt_event_sync(event) : WSIMRT_INVALID_HANDLE;
}

CU cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
    return wsimrt_event_elapsed(milliseconds, from, to);
}

CU cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to) {
    return wsimrt_event_elapsed(milliseconds, from, to);
}
