/* A recorded copy on the model: its operands out of the fields of the case. */
#include "../base/base.h"
#include "../isa/isa.h"
#include "trace.h"

#include <string.h>
#include <wsim/bulk.h>

/* A swizzle moves bytes of the last row of a tile inside their line, past the end of a window that
 * ends with the tile; what is recorded is the window. */
#define LINE 128

static enum wsim_status take(const struct trace_case *now, enum trace_field_id field, unsigned n,
                             int64_t least, int64_t most, int64_t *out, struct wsim_diag *diag) {
    const struct trace_list *list = &now->list[field];
    unsigned i;
    if (list->count != n)
        return base_refuse(diag, RULE_TRACE_LIST_COUNT, 0, "field '%s' has %u numbers, not %u",
                           trace_fields[field].name, list->count, n);
    for (i = 0; i < n; i++) {
        out[i] = (int64_t)list->at[i];
        if (out[i] < least || out[i] > most)
            return base_refuse(diag, RULE_TRACE_NUMBER_RANGE, 0,
                               "field '%s': %lld is not %lld to %lld", trace_fields[field].name,
                               (long long)out[i], (long long)least, (long long)most);
    }
    return WSIM_OK;
}

static unsigned coordinates(const struct trace_case *now) {
    return isa_names_rows(now->op.q[PLACE_MODE]) ? WSIM_TENSOR_RANK : now->tensor.rank;
}

static enum wsim_status place(const struct trace_case *now, struct wsim_bulk *io,
                              struct wsim_diag *diag) {
    int64_t list[TRACE_LIST_MAX];
    unsigned i, n = coordinates(now), rank = now->tensor.rank, spatial = rank > 2 ? rank - 2 : 0;
    enum wsim_status status = take(now, TRACE_COORD, n, INT32_MIN, INT32_MAX, list, diag);
    for (i = 0; i < n && !status; i++)
        io->coord[i] = (int32_t)list[i];
    if (status || !trace_has(now, TRACE_OFFSETS))
        return status;
    status = take(now, TRACE_OFFSETS, spatial, 0, UINT16_MAX, list, diag);
    for (i = 0; i < spatial && !status; i++)
        io->offset[i] = (uint16_t)list[i];
    return status;
}

/* Shared addresses and sizes have 32 bits. */
static enum wsim_status word_of(const struct trace_case *now, enum trace_field_id field,
                                uint32_t *out, struct wsim_diag *diag) {
    uint64_t number = trace_has(now, field) ? now->number[field] : 0;
    *out = (uint32_t)number;
    if (number <= UINT32_MAX)
        return WSIM_OK;
    return base_refuse(diag, RULE_TRACE_NUMBER_RANGE, 0, "field '%s': %llu has more than 32 bits",
                       trace_fields[field].name, (unsigned long long)number);
}

static enum wsim_status copy_of(struct trace_bytes *out, const struct trace_bytes *in, size_t room,
                                struct wsim_diag *diag) {
    if (!trace_bytes_resize(out, room))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for a copy of a window");
    memcpy(out->at, in->at, in->size);
    memset(out->at + in->size, 0, room - in->size);
    return WSIM_OK;
}

/* Where the windows of a case are copied to, so that it can be run again. */
static struct trace_bytes *open_windows(struct wsim_trace *trace, size_t room,
                                        enum wsim_status *status, struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    int changes = trace_has(now, TRACE_GLOBAL_FNV) || trace_has(now, TRACE_TRAP);
    *status = copy_of(&trace->work, &now->smem, room, diag);
    if (!*status && changes)
        *status = copy_of(&trace->global, &now->global, now->global.size, diag);
    return changes ? &trace->global : &trace->now.global;
}

/* A cp.async; the source is `global`, from offset 0 on. */
static enum wsim_status copy_lanes(struct wsim_trace *trace, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    enum wsim_status status;
    struct trace_bytes *bytes = open_windows(trace, now->smem.size, &status, diag);
    struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, bytes->at, bytes->size, 0);
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, trace->work.at, trace->work.size, 0);
    struct wsim_copy copy = {
        .mask = (uint32_t)now->number[TRACE_MASK],
        .dst = now->addr,
        .src = trace_has(now, TRACE_SRC) ? now->src : NULL,
        .src_size = trace_has(now, TRACE_SRC_SIZE) ? now->src_size : NULL,
    };
    uint32_t size = 0;
    if (!status)
        status = word_of(now, TRACE_SIZE, &size, diag);
    copy.bytes = size;
    return status ? status : wsim_copy_async(&now->op, arch, &copy, &global, &shared, diag);
}

enum wsim_status trace_copy(struct wsim_trace *trace, const struct wsim_arch *arch,
                            struct trace_copied *copied, struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    struct trace_bytes *bytes;
    struct wsim_memory global, shared;
    struct wsim_bulk io = {.global_at =
                               trace_has(now, TRACE_GLOBAL_AT) ? now->number[TRACE_GLOBAL_AT] : 0};
    struct wsim_bulk_result result = {0, 0, 0, 0};
    struct wsim_tensor_map map;
    enum wsim_status status;
    if (now->family == TRACE_FAMILY_CP_ASYNC)
        return copy_lanes(trace, arch, diag);
    bytes = open_windows(trace, (now->smem.size + LINE - 1) / LINE * LINE, &status, diag);
    if (!status)
        status = word_of(now, TRACE_SMEM_AT, &io.shared_at, diag);
    if (!status)
        status = word_of(now, TRACE_BYTES, &io.bytes, diag);
    if (!status && trace_has(now, TRACE_DTYPE))
        status = wsim_tensor_encode(&now->tensor, arch, &map, diag);
    if (!status && trace_has(now, TRACE_DTYPE))
        status = place(now, &io, diag);
    if (status)
        return status;
    global = wsim_memory_over(WSIM_GLOBAL, bytes->at, bytes->size, 0);
    shared = wsim_memory_over(WSIM_SHARED, trace->work.at, trace->work.size, 0);
    io.global = &global;
    io.shared = &shared;
    io.map = trace_has(now, TRACE_DTYPE) ? &map : NULL;
    status = wsim_bulk_run(&now->op, arch, &io, &result, diag);
    copied->bytes = result.bytes;
    copied->global = bytes;
    return status;
}
