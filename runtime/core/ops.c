/* Values in memory that streams and graphs write, or wait for. */
#include "ops.h"
#include "graph.h"
#include "order.h"
#include "repeat.h"

#include <stdlib.h>
#include <string.h>

/* Flags of waits: how to compare, and a flush of remote writes, which an H200 lacks. */
enum { HOW = 3, FLUSHES = 1 << 30 };

static int waits(const struct wsimrt_op *op) {
    return op->what == WSIMRT_OP_WAIT_32 || op->what == WSIMRT_OP_WAIT_64;
}

/* The bytes of its value; 0: it has none. */
static unsigned bytes_of(const struct wsimrt_op *op) {
    switch (op->what) {
    case WSIMRT_OP_WAIT_32:
    case WSIMRT_OP_WRITE_32: return 4;
    case WSIMRT_OP_WAIT_64:
    case WSIMRT_OP_WRITE_64: return 8;
    default: return 0;
    }
}

static int check_flags(const struct wsimrt_op *op) {
    if (op->what < WSIMRT_OP_WAIT_32 || op->what > WSIMRT_OP_BARRIER)
        return WSIMRT_INVALID_VALUE;
    if (waits(op))
        return op->flags & FLUSHES          ? WSIMRT_NOT_SUPPORTED
               : op->flags & ~(unsigned)HOW ? WSIMRT_INVALID_VALUE
                                            : 0;
    return bytes_of(op) && op->flags ? WSIMRT_INVALID_VALUE : 0;
}

static int check_memory(const struct wsimrt_op *op) {
    const unsigned bytes = bytes_of(op);
    const struct allocation *memory;
    uint64_t value;
    if (!bytes)
        return 0;
    if (op->address % bytes || !memory_peek(&value, op->address, bytes))
        return WSIMRT_INVALID_VALUE;
    memory = memory_find(op->address, 1);
    return memory && memory->kind == WSIMRT_MANAGED ? WSIMRT_INVALID_VALUE : 0; /* as an H200 */
}

int ops_check(const struct wsimrt_op *ops, unsigned n) {
    int error = 0;
    for (unsigned i = 0; i < n && !error; i++) {
        const unsigned bytes = bytes_of(&ops[i]);
        error = check_flags(&ops[i]);
        if (!error && ops[i].what == WSIMRT_OP_FLUSH)
            error = WSIMRT_NOT_SUPPORTED;
        if (!error && bytes && ops[i].address % bytes)
            error = WSIMRT_INVALID_VALUE;
    }
    return error;
}

/* --- the work --- */

static int compare(const struct work *work) {
    uint64_t value = 0;
    const uint64_t wanted = work->is.value.value;
    if (!memory_peek(&value, work->is.value.address, work->is.value.bytes))
        return -1;
    switch (work->is.value.how) {
    case 0:
        return work->is.value.bytes == 4 ? (int32_t)((uint32_t)value - (uint32_t)wanted) >= 0
                                         : (int64_t)(value - wanted) >= 0;
    case 1: return value == wanted;
    case 2: return (value & wanted) != 0;
    default: return ~(value | wanted) << (64 - 8 * work->is.value.bytes) != 0;
    }
}

static int run_write(struct work *work) {
    struct wsim_diag diag;
    uint64_t at = work->is.value.address;
    int there = memory_find(at, work->is.value.bytes)
                    ? !wsim_device_write(work->context->device, at, &work->is.value.value,
                                         work->is.value.bytes, &diag)
                    : memory_poke(at, &work->is.value.value, work->is.value.bytes);
    work_fail(work, there ? 0 : WSIMRT_INVALID_VALUE);
    repeat_wrote(at, 1);
    order_called(work); /* the host may wait for the value */
    return 1;
}

static int run_wait(struct work *work) {
    const int met = compare(work);
    if (met < 0)
        work_fail(work, WSIMRT_INVALID_VALUE);
    return met != 0;
}

static const struct work_kind wait_kind = {.run = run_wait, .outside = 1};
static const struct work_kind write_kind = {.run = run_write};

/* The work of an operation that has a value. */
static struct work *make(const struct wsimrt_op *op, struct wsimrt_stream *stream) {
    struct work *const work = work_make(stream, waits(op) ? &wait_kind : &write_kind, 0);
    if (work) {
        work->is.value.address = op->address;
        work->is.value.value = bytes_of(op) == 4 ? (uint32_t)op->value : op->value;
        work->is.value.bytes = bytes_of(op);
        work->is.value.how = op->flags & HOW;
    }
    return work;
}

int ops_expand(const struct wsimrt_op *ops, unsigned n, struct wsimrt_stream *stream,
               struct work ***at) {
    for (unsigned i = 0; i < n; i++) {
        if (!bytes_of(&ops[i])) /* writes are seen at once */
            continue;
        if (check_memory(&ops[i]))
            return WSIMRT_INVALID_VALUE;
        **at = make(&ops[i], stream);
        if (!**at)
            return WSIMRT_OUT_OF_MEMORY;
        *at = &(**at)->next;
    }
    return 0;
}

/* --- of streams --- */

/* Operations that a capture makes a node of, or work. */
static int issue(struct wsimrt_stream *stream, const struct wsimrt_op *ops, unsigned n) {
    struct work *list = NULL, **at = &list;
    int error = capture_check(stream);
    if (!error && stream->capture) {
        struct wsimrt_node_params params = {.kind = WSIMRT_NODE_OPS,
                                            .ops = {ops, n, stream->context}};
        error = ops_check(ops, n);
        return error ? error : capture_node(stream, &params);
    }
    for (unsigned i = 0; i < n && !error; i++)
        error = check_memory(&ops[i]);
    error = error ? error : ops_expand(ops, n, stream, &at);
    return error ? error : work_issue_list(list);
}

int wsimrt_stream_ops(struct wsimrt_stream *stream, unsigned n, const struct wsimrt_op *ops,
                      unsigned flags) {
    enum { MOST_OPS = 256 };
    struct wsimrt_context *context;
    int error = wsimrt_stream_asked(stream, 0);
    if (!error && (!ops || n > MOST_OPS || flags))
        error = WSIMRT_INVALID_VALUE;
    for (unsigned i = 0; i < n && !error; i++)
        error = check_flags(&ops[i]);
    error = error ? error : core_enter_stream(stream, &context);
    if (error)
        return error;
    stream = stream_of(stream, context);
    return core_leave(stream ? issue(stream, ops, n) : stream_missing());
}
