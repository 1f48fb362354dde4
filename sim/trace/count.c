/* The access of a case, counted: one side or two, or several accesses. */
#include "../isa/isa.h"
#include "trace.h"

static enum wsim_status count_access(const struct trace_case *now, const struct wsim_arch *arch,
                                     struct trace_counts *counts, struct wsim_diag *diag) {
    struct wsim_banks banks;
    uint32_t mask = (uint32_t)now->number[TRACE_MASK];
    enum wsim_status status = wsim_banks_count(&now->op, arch, now->addr, mask, &banks, diag);
    if (status == WSIM_OK)
        *counts = (struct trace_counts){banks.wavefronts, banks.conflicts};
    return status;
}

static enum wsim_status count_fragment(const struct trace_case *now, const struct wsim_arch *arch,
                                       struct trace_counts *counts, struct wsim_diag *diag) {
    uint64_t stride = trace_has(now, TRACE_STRIDE) ? now->number[TRACE_STRIDE] : 0;
    struct wsim_fragment_banks banks;
    enum wsim_status status =
        wsim_banks_fragment(&now->op, arch, now->addr,
                            stride < UINT32_MAX ? (uint32_t)stride : UINT32_MAX, &banks, diag);
    if (status == WSIM_OK)
        *counts = (struct trace_counts){banks.wavefronts, banks.conflicts};
    return status;
}

/* What the case does not say: the source is consecutive, of full size, and cold. */
static enum wsim_status count_copy(const struct trace_case *now, const struct wsim_arch *arch,
                                   enum wsim_counters counters, struct trace_counts *counts,
                                   struct wsim_diag *diag) {
    uint64_t size = now->number[TRACE_SIZE];
    struct wsim_copy_banks banks;
    struct wsim_copy copy = {
        .bytes = size < UINT32_MAX ? (unsigned)size : UINT32_MAX,
        .mask = (uint32_t)now->number[TRACE_MASK],
        .dst = now->addr,
        .src = trace_has(now, TRACE_SRC) ? now->src : NULL,
        .src_size = trace_has(now, TRACE_SRC_SIZE) ? now->src_size : NULL,
        .warm = trace_has(now, TRACE_LINES) && now->number[TRACE_LINES],
        .counters = counters,
    };
    enum wsim_status status = wsim_banks_copy(&now->op, arch, &copy, &banks, diag);
    if (status == WSIM_OK)
        *counts = (struct trace_counts){banks.wavefronts, banks.conflicts};
    return status;
}

enum wsim_status trace_count(const struct trace_case *now, const struct wsim_arch *arch,
                             enum wsim_counters counters, struct trace_counts *counts,
                             struct wsim_diag *diag) {
    switch (isa_family(&now->op)->counting) {
    case WSIM_COUNT_COPY: return count_copy(now, arch, counters, counts, diag);
    case WSIM_COUNT_FRAGMENT: return count_fragment(now, arch, counts, diag);
    default: return count_access(now, arch, counts, diag);
    }
}
