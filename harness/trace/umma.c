/* Cases of tcgen05.mma: shared memory and tensor memory of a block, or of both blocks of a pair. A
 * window of tensor memory has the first columns of all lanes, lane by lane. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <string.h>

enum { LANE = WSIM_TENSOR_COLUMNS * 4, TENSOR = WSIM_TENSOR_LANES * LANE, MASK_WORDS = 8 };

/* Bytes of a lane in the window of a block. */
static size_t lane_of(const struct trace_case *now, unsigned odd) {
    return now->tmem[odd].size / WSIM_TENSOR_LANES;
}

static int is_there(const struct trace_case *now, unsigned odd) {
    return trace_has(now, odd ? TRACE_TMEM_ODD : TRACE_TMEM);
}

static int fill(struct wsim_trace *trace, unsigned odd) {
    const struct trace_case *now = &trace->now;
    const size_t lane = is_there(now, odd) ? lane_of(now, odd) : 0;
    if (!trace_bytes_resize(&trace->tensor[odd], TENSOR))
        return 0;
    memset(trace->tensor[odd].at, 0, TENSOR);
    for (size_t i = 0; lane && i < WSIM_TENSOR_LANES; i++)
        memcpy(trace->tensor[odd].at + i * LANE, now->tmem[odd].at + i * lane, lane);
    return 1;
}

/* Whether lanes differ from the window, or the rest from zeros. */
static int is_other(const struct wsim_trace *trace, unsigned odd) {
    const struct trace_case *now = &trace->now;
    const size_t lane = is_there(now, odd) ? lane_of(now, odd) : 0;
    for (size_t i = 0; i < WSIM_TENSOR_LANES; i++) {
        const uint8_t *at = trace->tensor[odd].at + i * LANE;
        if (lane && memcmp(at, now->tmem[odd].at + i * lane, lane) != 0)
            return 1;
        for (size_t byte = lane; byte < LANE; byte++)
            if (at[byte])
                return 1;
    }
    return 0;
}

int trace_umma_is_touched(const struct wsim_trace *trace) {
    return is_other(trace, 0) || is_other(trace, 1);
}

void trace_umma_window(struct wsim_trace *trace, unsigned odd) {
    const size_t lane = is_there(&trace->now, odd) ? lane_of(&trace->now, odd) : 0;
    trace->work.size = lane * WSIM_TENSOR_LANES;
    for (size_t i = 0; lane && i < WSIM_TENSOR_LANES; i++)
        memcpy(trace->work.at + i * lane, trace->tensor[odd].at + i * LANE, lane);
}

static uint32_t word_of(const struct trace_case *now, enum trace_field_id field) {
    return trace_has(now, field) ? (uint32_t)now->number[field] : 0;
}

/* Whether the operands that the form has are there, and no others. */
static enum wsim_status check(const struct trace_case *now, const struct wsim_umma *umma,
                              struct wsim_diag *diag) {
    const struct {
        enum trace_field_id field;
        int wanted;
    } list[] = {{TRACE_E_AT, umma->sparse},          {TRACE_SFA_AT, umma->factors},
                {TRACE_SFB_AT, umma->factors},       {TRACE_SMEM_ODD, umma->blocks == 2},
                {TRACE_TMEM_ODD, umma->blocks == 2}, {TRACE_ZERO, umma->stationary}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (trace_has(now, list[i].field) && !list[i].wanted)
            return base_refuse(diag, RULE_TRACE_FIELD_FOREIGN, 0,
                               "field '%s' does not belong to %s", trace_fields[list[i].field].name,
                               now->spelling);
        else if (!trace_has(now, list[i].field) && list[i].wanted && list[i].field != TRACE_ZERO)
            return base_refuse(diag, RULE_TRACE_FIELD_MISSING, 0,
                               "input field '%s' is missing, which %s needs",
                               trace_fields[list[i].field].name, now->spelling);
    if (word_of(now, TRACE_SCALE_D) > 1 || word_of(now, TRACE_SCALE_INPUT) > 15)
        return base_refuse(diag, RULE_TRACE_NUMBER_RANGE, 0,
                           "scaled is 0 or 1, and scale_d at most 15");
    if (trace_has(now, TRACE_KEEP) && now->list[TRACE_KEEP].count != 4u * umma->blocks)
        return base_refuse(diag, RULE_TRACE_LIST_COUNT, 0, "keep has %u words; a block has 4",
                           now->list[TRACE_KEEP].count);
    return WSIM_OK;
}

/* The operands; memories of the odd block follow those of the even one. */
static void operands_of(const struct trace_case *now, const struct wsim_memory shared[2],
                        const struct wsim_memory tensor[2], uint32_t keep[MASK_WORDS],
                        struct wsim_io *io) {
    io->shared = &shared[0];
    io->umma = (struct wsim_io_umma){
        .tensor = &tensor[0],
        .odd_shared = &shared[1],
        .odd_tensor = &tensor[1],
        .desc_a = trace_has(now, TRACE_DESC_A) ? now->number[TRACE_DESC_A] : 0,
        .desc_b = now->number[TRACE_DESC_B],
        .zero_columns = trace_has(now, TRACE_ZERO) ? now->number[TRACE_ZERO] : 0,
        .mask = trace_has(now, TRACE_KEEP) ? keep : NULL,
        .d = word_of(now, TRACE_D_AT),
        .a = word_of(now, TRACE_A_AT),
        .e = word_of(now, TRACE_E_AT),
        .sfa = word_of(now, TRACE_SFA_AT),
        .sfb = word_of(now, TRACE_SFB_AT),
        .a_in_tensor = (uint8_t)trace_has(now, TRACE_A_AT),
        .adds = (uint8_t)word_of(now, TRACE_SCALE_D),
        .scale_d = (uint8_t)word_of(now, TRACE_SCALE_INPUT)};
    for (unsigned i = 0; i < MASK_WORDS; i++)
        keep[i] = i < now->list[TRACE_KEEP].count ? (uint32_t)now->list[TRACE_KEEP].at[i] : 0;
}

enum wsim_status trace_umma_run(struct wsim_trace *trace, const struct wsim_arch *arch,
                                struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    struct wsim_memory shared[2], tensor[2];
    uint32_t keep[MASK_WORDS];
    struct wsim_umma umma = {0};
    struct wsim_io io = {0};
    enum wsim_status status = wsim_umma_of(&now->access.scalar, &umma, diag);
    trace->d.rows = 0;
    if (!fill(trace, 0) || !fill(trace, 1) || !trace_bytes_resize(&trace->work, TENSOR))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for a case");
    if (!status)
        status = check(now, &umma, diag);
    trace->code.arch = NULL; /* the code of the last case is gone */
    if (!status)
        status = wsim_umma_prepare(&umma, word_of(now, TRACE_IDESC), arch, trace->flags,
                                   &trace->code, diag);
    for (unsigned odd = 0; odd < 2; odd++) {
        const struct trace_bytes *from = odd && umma.blocks == 2 ? &now->smem_odd : &now->smem;
        shared[odd] = wsim_memory_over(WSIM_SHARED, from->at, from->size, 0);
        tensor[odd] = wsim_memory_over(WSIM_TENSOR, trace->tensor[odd].at, TENSOR, 0);
    }
    if (!status) {
        operands_of(now, shared, tensor, keep, &io);
        status = wsim_run(&trace->code, &io, diag);
    }
    trace->code.arch = NULL;
    return status;
}

uint64_t trace_umma_elements(const struct trace_case *now) {
    struct wsim_umma umma;
    struct wsim_umma_shape shape;
    if (wsim_umma_of(&now->access.scalar, &umma, NULL) ||
        wsim_umma_decode(&umma, word_of(now, TRACE_IDESC), &shape, NULL))
        return 0;
    return (uint64_t)shape.m * shape.n;
}
