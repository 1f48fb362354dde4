/* operands.c - the fields of a case as operands of wsim_run and wsim_cost. Registers are used in
 * place; memory is copied, so that a case can run again. */
#include "../../sim/base/base.h"
#include "../../sim/isa/isa.h"
#include "trace.h"

#include <string.h>

/* A swizzle can move bytes of a tile's last row past the end of a recorded window that ends with
 * the tile. */
#define LINE 128

/* --- registers --- */

/* Pointers to the rows of an operand; NULL if the case lacks it. */
static const uint32_t *const *rows_of(struct wsim_trace *trace, enum trace_field_id field,
                                      const uint32_t ***next) {
    const struct trace_words *words = &trace->now.regs[trace_fields[field].operand];
    const uint32_t **first = *next;
    if (!trace_has(&trace->now, field))
        return NULL;
    for (size_t row = 0; row < words->rows; row++)
        *(*next)++ = words->at + row * WSIM_LANES;
    return first;
}

static void name_registers(struct wsim_trace *trace, enum wsim_view view, struct wsim_io *io) {
    static const enum trace_field_id fields[] = {TRACE_A, TRACE_B,   TRACE_C,  TRACE_R,
                                                 TRACE_E, TRACE_SFA, TRACE_SFB};
    const uint32_t **next = trace->in;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const uint32_t *const *rows = rows_of(trace, fields[i], &next);
        wsim_io_put(io, view, trace_fields[fields[i]].operand, rows);
    }
}

/* Registers for the result, if any, filled with a value that no recording starts from. */
static enum wsim_status open_result(struct wsim_trace *trace, struct wsim_io *io,
                                    struct wsim_diag *diag) {
    struct wsim_layout layout;
    trace->d.rows = 0;
    if (!(trace->now.runs & RUN_EXEC) ||
        wsim_op_layout(&trace->now.op, NULL, WSIM_D, &layout, NULL))
        return WSIM_OK;
    if (!trace_words_resize(&trace->d, layout.regs * (size_t)layout.lanes / WSIM_LANES))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for the registers of D");
    memset(trace->d.at, TRACE_UNTOUCHED, trace->d.rows * WSIM_LANES * sizeof *trace->d.at);
    for (size_t row = 0; row < trace->d.rows; row++)
        trace->out[row] = trace->d.at + row * WSIM_LANES;
    wsim_io_put_result(io, wsim_op_describe(&trace->now.op).view, trace->out);
    return WSIM_OK;
}

/* --- numbers --- */

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

static enum wsim_status place(const struct trace_case *now, struct wsim_io *io,
                              struct wsim_diag *diag) {
    int64_t list[TRACE_LIST_MAX];
    unsigned i, n = coordinates(now), rank = now->tensor.rank, spatial = rank > 2 ? rank - 2 : 0;
    enum wsim_status status = take(now, TRACE_COORD, n, INT32_MIN, INT32_MAX, list, diag);
    for (i = 0; i < n && !status; i++)
        io->bulk.coord[i] = (int32_t)list[i];
    if (status || !trace_has(now, TRACE_OFFSETS))
        return status;
    status = take(now, TRACE_OFFSETS, spatial, 0, UINT16_MAX, list, diag);
    for (i = 0; i < spatial && !status; i++)
        io->bulk.offset[i] = (uint16_t)list[i];
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

static const uint32_t *lanes_of(const struct trace_case *now, enum trace_field_id field,
                                const uint32_t words[WSIM_LANES]) {
    return trace_has(now, field) ? words : NULL;
}

static uint64_t long_of(const struct trace_case *now, enum trace_field_id field) {
    return trace_has(now, field) ? now->number[field] : 0;
}

/* Numbers that the case does not have are 0; a missing mask is full. */
static void name_mma(const struct trace_case *now, struct wsim_io_mma *io) {
    io->selector = trace_number(now, TRACE_SEL);
    io->bid_a = trace_number(now, TRACE_BID_A);
    io->tid_a = trace_number(now, TRACE_TID_A);
    io->bid_b = trace_number(now, TRACE_BID_B);
    io->tid_b = trace_number(now, TRACE_TID_B);
}

static void name_wgmma(const struct trace_case *now, struct wsim_io_wgmma *io) {
    io->selector = trace_number(now, TRACE_SEL);
    io->scale_d = trace_number(now, TRACE_SCALE_D);
    io->negate_a = trace_number(now, TRACE_SCALE_A);
    io->negate_b = trace_number(now, TRACE_SCALE_B);
    io->trans_a = trace_number(now, TRACE_TRANSPOSE_A);
    io->trans_b = trace_number(now, TRACE_TRANSPOSE_B);
    io->desc_a = long_of(now, TRACE_DESC_A);
    io->desc_b = long_of(now, TRACE_DESC_B);
}

static void name_move(const struct trace_case *now, struct wsim_io_move *io) {
    io->addr = lanes_of(now, TRACE_ADDR, now->addr);
    io->mask = (uint32_t)now->number[TRACE_MASK];
    io->stride = trace_number(now, TRACE_STRIDE);
}

static void name_lanes(const struct trace_case *now, struct wsim_io_copy *io) {
    io->addr = lanes_of(now, TRACE_ADDR, now->addr);
    io->src = lanes_of(now, TRACE_SRC, now->src);
    io->src_size = lanes_of(now, TRACE_SRC_SIZE, now->src_size);
    io->mask = (uint32_t)now->number[TRACE_MASK];
    io->warm = trace_number(now, TRACE_LINES) != 0;
}

static void name_numbers(const struct trace_case *now, enum wsim_view view, struct trace_io *it) {
    switch (view) {
    case WSIM_VIEW_MMA: name_mma(now, &it->io.mma); break;
    case WSIM_VIEW_WGMMA: name_wgmma(now, &it->io.wgmma); break;
    case WSIM_VIEW_MOVE: name_move(now, &it->io.move); break;
    case WSIM_VIEW_COPY: name_lanes(now, &it->io.copy); break;
    case WSIM_VIEW_BULK:
        it->io.bulk.global_at = long_of(now, TRACE_GLOBAL_AT);
        it->io.bulk.copied = &it->copied;
        break;
    default: break;
    }
}

/* The tile of a tensor copy, and numbers of copies that must fit. */
static enum wsim_status name_copy(const struct trace_case *now, const struct wsim_arch *arch,
                                  struct trace_io *it, struct wsim_diag *diag) {
    enum trace_field_id size = trace_has(now, TRACE_SIZE) ? TRACE_SIZE : TRACE_BYTES;
    enum wsim_view view = wsim_op_describe(&now->op).view;
    enum wsim_status status = WSIM_OK;
    if (view == WSIM_VIEW_COPY)
        return word_of(now, size, &it->io.copy.bytes, diag);
    if (view != WSIM_VIEW_BULK)
        return WSIM_OK;
    status = word_of(now, TRACE_SMEM_AT, &it->io.bulk.shared_at, diag);
    if (!status)
        status = word_of(now, size, &it->io.bulk.bytes, diag);
    if (status || !(now->runs & RUN_COPY) || !trace_has(now, TRACE_DTYPE))
        return status;
    it->io.bulk.map = &it->map;
    status = wsim_tensor_encode(&now->tensor, arch, &it->map, diag);
    return status ? status : place(now, &it->io, diag);
}

/* --- memory --- */

static enum wsim_status copy_window(struct trace_bytes *out, const struct trace_bytes *in,
                                    size_t room, struct wsim_diag *diag) {
    if (!trace_bytes_resize(out, room))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for a copy of a window");
    if (room)
        memcpy(out->at, in->at, in->size);
    memset(out->at + in->size, 0, room - in->size);
    return WSIM_OK;
}

/* Global memory is copied if it may change. A fragment of wmma is moved from and to one window,
 * whichever state space its spelling names. */
static enum wsim_status open_memory(struct wsim_trace *trace, struct trace_io *it,
                                    struct wsim_diag *diag) {
    struct trace_case *now = &trace->now;
    int lines = now->runs & RUN_COPY && isa_op_threads(&now->op) == 1;
    int changes = trace_has(now, TRACE_GLOBAL_FNV) || trace_has(now, TRACE_TRAP);
    size_t size = trace_has(now, TRACE_SMEM) ? now->smem.size : 0;
    size_t room = lines ? (size + LINE - 1) / LINE * LINE : size;
    enum wsim_status status = size ? copy_window(&trace->work, &now->smem, room, diag) : WSIM_OK;
    if (!status && now->runs & RUN_COPY && changes)
        status = copy_window(&trace->global, &now->global, now->global.size, diag);
    if (status)
        return status;
    it->left = now->runs & RUN_COPY ? changes ? &trace->global : &now->global : &trace->work;
    it->shared = wsim_memory_over(WSIM_SHARED, trace->work.at, room, 0);
    it->global = wsim_memory_over(WSIM_GLOBAL, it->left->at,
                                  now->runs & RUN_COPY ? it->left->size : room, 0);
    it->io.shared = size || now->runs & RUN_COPY ? &it->shared : NULL;
    it->io.global = it->io.shared ? &it->global : NULL;
    return WSIM_OK;
}

enum wsim_status trace_operands_make(struct wsim_trace *trace, const struct wsim_arch *arch,
                                     struct trace_io *it, struct wsim_diag *diag) {
    enum wsim_view view = wsim_op_describe(&trace->now.op).view;
    enum wsim_status status;
    memset(it, 0, sizeof *it);
    name_registers(trace, view, &it->io);
    name_numbers(&trace->now, view, it);
    status = open_result(trace, &it->io, diag);
    if (!status)
        status = open_memory(trace, it, diag);
    return status ? status : name_copy(&trace->now, arch, it, diag);
}
