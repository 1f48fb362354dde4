/* Access of library functions to a kernel: arguments, memory, text. */
#include "access.h"
#include "flow.h"
#include "output.h"

static uint8_t *lane_memory(uint8_t *frame, const struct run_param *param, unsigned lane) {
    return frame + param->at + (size_t)param->stride * lane;
}

uint64_t call_get(uint8_t *frame, const struct call_value *value, unsigned lane) {
    uint32_t n = value->param.bytes < 8 ? value->param.bytes : 8;
    const uint8_t *from;
    uint64_t bits = 0;
    if (!value->in_memory)
        return run_get(frame, value->row, lane);
    from = lane_memory(frame, &value->param, lane);
    for (uint32_t i = 0; i < n; i++)
        bits |= (uint64_t)from[i] << 8 * i;
    return bits;
}

void call_put(uint8_t *frame, const struct call_value *value, unsigned lane, uint64_t bits) {
    uint32_t n = value->param.bytes < 8 ? value->param.bytes : 8;
    uint8_t *to;
    if (!value->in_memory) {
        run_put(frame, value->row, lane, bits);
        return;
    }
    to = lane_memory(frame, &value->param, lane);
    for (uint32_t i = 0; i < n; i++)
        to[i] = (uint8_t)(bits >> 8 * i);
}

/* Bytes at a generic address of one lane; 0: a finding was made. */
int library_read(struct run_warp *warp, const struct run_op *op, unsigned lane, uint64_t at,
                 uint32_t bytes, uint64_t *value) {
    struct run_access access = {.kind = RUN_READ, .weak = 1, .bytes = bytes, .lanes = 1u << lane};
    uint32_t rest;
    access.at[lane] = at;
    if (run_reach_generic(warp, op, &access, 1, &rest))
        return 0;
    *value = reach_load(access.host[lane], bytes);
    return 1;
}

int library_text(struct run_warp *warp, const struct run_op *op, unsigned lane, uint64_t at,
                 char *text, size_t size) {
    uint64_t byte = 1;
    size_t n = 0;
    while (byte && n + 1 < size) {
        if (!library_read(warp, op, lane, at + n, 1, &byte))
            return 0;
        text[n++] = (char)byte;
    }
    text[byte ? n : n - 1] = 0;
    return 1;
}
