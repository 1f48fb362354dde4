/* Runs a case: knows the fields that are expectations; how an instruction works is asked of exec,
 * where two answers part of compare.c. */
#include "../base/base.h"
#include "trace.h"

#include <assert.h>
#include <string.h>

/* What registers hold before the model writes them; no recording starts from it. */
#define UNTOUCHED 0xA5u

/* Statuses that mean "not comparable", not "the hardware does otherwise". */
static int is_beyond(enum wsim_status status) {
    return status == WSIM_UNMODELLED || status == WSIM_SYNTAX || status == WSIM_ILLEGAL ||
           status == WSIM_NO_MEMORY;
}

/* The model refused: a difference, or a case that it has not. */
static void refused(struct wsim_replay *replay, const struct wsim_diag *why) {
    if (replay->verdict != WSIM_DIFFERENT)
        replay->why = *why;
    if (!is_beyond(why->status))
        trace_differ(replay, "trap", 0, 1);
    else if (replay->verdict == WSIM_EQUAL)
        replay->verdict = WSIM_UNSUPPORTED;
}

static const struct wsim_regs *regs_of(const struct trace_case *now, enum trace_field_id field) {
    return trace_has(now, field) ? &now->regs[trace_fields[field].operand] : NULL;
}

static const uint32_t *words_of(const struct trace_case *now, enum trace_field_id field) {
    return trace_has(now, field) ? regs_of(now, field)->r[0] : NULL;
}

static enum wsim_status execute(const struct trace_case *now, const struct wsim_arch *arch,
                                struct wsim_regs *d, struct wsim_smem *smem,
                                struct wsim_diag *diag) {
    struct wsim_operands io = {
        .d = d,
        .a = regs_of(now, TRACE_A),
        .b = regs_of(now, TRACE_B),
        .c = regs_of(now, TRACE_C),
        .r = regs_of(now, TRACE_R),
        .e = words_of(now, TRACE_E),
        .selector = trace_number(now, TRACE_SEL),
        .sfa = words_of(now, TRACE_SFA),
        .sfb = words_of(now, TRACE_SFB),
        .bid_a = trace_number(now, TRACE_BID_A),
        .tid_a = trace_number(now, TRACE_TID_A),
        .bid_b = trace_number(now, TRACE_BID_B),
        .tid_b = trace_number(now, TRACE_TID_B),
        .smem = smem->size ? smem : NULL,
        .addr = trace_has(now, TRACE_ADDR) ? now->addr : NULL,
        .stride = trace_number(now, TRACE_STRIDE),
    };
    return wsim_exec(&now->op, arch, &io, diag);
}

static const struct wsim_group_regs *group_of(const struct trace_case *now,
                                              enum trace_field_id field) {
    return trace_has(now, field) ? &now->group[trace_fields[field].operand] : NULL;
}

/* A warpgroup; the window starts at address 0. */
static enum wsim_status execute_group(const struct trace_case *now, const struct wsim_arch *arch,
                                      struct wsim_group_regs *d, const struct wsim_smem *smem,
                                      struct wsim_diag *diag) {
    struct wsim_wgmma io = {
        .d = d,
        .a = group_of(now, TRACE_A),
        .c = group_of(now, TRACE_C),
        .desc_a = now->number[TRACE_DESC_A],
        .desc_b = now->number[TRACE_DESC_B],
        .smem = smem->bytes,
        .smem_size = smem->size,
        .e = trace_has(now, TRACE_E) ? trace_words(now, WSIM_E) : NULL,
        .selector = trace_number(now, TRACE_SEL),
        .scale_d = trace_number(now, TRACE_SCALE_D),
        .negate_a = trace_number(now, TRACE_SCALE_A),
        .negate_b = trace_number(now, TRACE_SCALE_B),
        .trans_a = trace_number(now, TRACE_TRANSPOSE_A),
        .trans_b = trace_number(now, TRACE_TRANSPOSE_B),
    };
    return wsim_wgmma_run(&now->op, arch, &io, diag);
}

static size_t d_bytes(const struct trace_case *now) {
    return now->family == TRACE_FAMILY_WGMMA ? sizeof(struct wsim_group_regs)
                                             : sizeof(struct wsim_regs);
}

/* Whether a window is not what the case began with; the model may have been given more of it. */
static int is_other(const struct trace_bytes *before, const struct trace_bytes *after) {
    return before->size && memcmp(before->at, after->at, before->size) != 0;
}

/* Whether the model wrote to what it was given. */
static int is_touched(const struct wsim_trace *trace) {
    const struct trace_case *now = &trace->now;
    const uint8_t *byte = (const uint8_t *)&trace->d, *end = byte + d_bytes(now);
    if (now->runs & RUN_EXEC)
        while (byte < end)
            if (*byte++ != UNTOUCHED)
                return 1;
    return (trace_has(now, TRACE_SMEM) && is_other(&now->smem, &trace->work)) ||
           (now->runs & RUN_COPY && is_other(&now->global, &trace->global));
}

/* Whether there is a result to compare: not if the GPU trapped, for which the model has to refuse
 * and write nothing, nor if the model alone refused. */
static int has_result(const struct wsim_trace *trace, enum wsim_status status,
                      const struct wsim_diag *diag, struct wsim_replay *replay) {
    int trapped = trace_has(&trace->now, TRACE_TRAP);
    if (status == WSIM_OK) {
        trace_differ(replay, "trap", trapped, 0);
    } else if (!trapped || is_beyond(status)) {
        refused(replay, diag);
    } else if (is_touched(trace)) {
        base_repeat(&replay->why, diag, 0, "refused, but something had been written");
        trace_differ(replay, "trap", 1, 0);
    }
    return status == WSIM_OK && !trapped;
}

static void run_exec(struct wsim_trace *trace, const struct wsim_arch *arch,
                     struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    struct wsim_smem smem = {trace->work.at, (uint32_t)trace->work.size};
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    memset(&trace->d, UNTOUCHED, d_bytes(now));
    status = now->family == TRACE_FAMILY_WGMMA
                 ? execute_group(now, arch, &trace->d.group, &smem, &diag)
                 : execute(now, arch, &trace->d.warp, &smem, &diag);
    if (!has_result(trace, status, &diag, replay))
        return;
    if (trace_has(now, TRACE_D))
        trace_compare_regs(now, trace->d.group.r[0], replay);
    if (trace_has(now, TRACE_D_FNV))
        trace_differ(replay, "d_fnv", now->number[TRACE_D_FNV],
                     trace_hash_regs(now, trace->d.group.r[0]));
    if (trace_has(now, TRACE_SMEM_AFTER))
        trace_compare_bytes(&now->smem_after, &trace->work, replay);
}

/* A count of the case, if it is expected. */
static void compare_count(const struct trace_case *now, enum trace_field_id field, uint32_t got,
                          struct wsim_replay *replay) {
    if (trace_has(now, field))
        trace_differ(replay, trace_fields[field].name, now->number[field], got);
}

static void run_banks(struct wsim_trace *trace, const struct wsim_arch *arch,
                      enum wsim_counters counters, struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    int page = counters == WSIM_SOURCE_PAGE;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct trace_counts got;
    enum wsim_status status = trace_count(now, arch, counters, &got, &diag);
    if (!has_result(trace, status, &diag, replay))
        return;
    compare_count(now, page ? TRACE_SASS_WAVEFRONTS : TRACE_WAVEFRONTS, got.wavefronts, replay);
    compare_count(now, page ? TRACE_SASS_CONFLICTS : TRACE_CONFLICTS, got.conflicts, replay);
}

static void run_digest(struct wsim_trace *trace, const struct wsim_arch *arch,
                       struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    uint64_t digest = 0;
    if (trace_digest(now, arch, &digest, &diag))
        refused(replay, &diag);
    else
        trace_differ(replay, "digest", now->number[TRACE_DIGEST], digest);
}

static void run_copy(struct wsim_trace *trace, const struct wsim_arch *arch,
                     struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct trace_copied got = {NULL, 0};
    enum wsim_status status = trace_copy(trace, arch, &got, &diag);
    if (!has_result(trace, status, &diag, replay))
        return;
    if (trace_has(now, TRACE_SMEM_AFTER))
        trace_compare_bytes(&now->smem_after, &trace->work, replay);
    if (trace_has(now, TRACE_TX))
        trace_differ(replay, "tx", now->number[TRACE_TX], got.bytes);
    if (trace_has(now, TRACE_GLOBAL_FNV))
        trace_differ(replay, "global_fnv", now->number[TRACE_GLOBAL_FNV],
                     trace_hash_bytes(got.global));
}

/* Whether there is a map; a refusal is an answer here. */
static void run_map(const struct trace_case *now, const struct wsim_arch *arch,
                    struct wsim_replay *replay) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status = wsim_tensor_check(&now->tensor, arch, &diag);
    trace_differ(replay, "result", now->number[TRACE_RESULT], status != WSIM_OK);
    if (replay->verdict == WSIM_DIFFERENT)
        replay->why = diag;
}

static void unsupported(struct wsim_replay *replay, enum base_rule rule, const char *why) {
    replay->verdict = WSIM_UNSUPPORTED;
    base_refuse(&replay->why, rule, 0, "%s", why);
}

void wsim_trace_replay(struct wsim_trace *trace, const struct wsim_arch *arch,
                       struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    size_t size = trace_has(now, TRACE_SMEM) ? now->smem.size : 0;
    memset(replay, 0, sizeof *replay);
    replay->verdict = WSIM_EQUAL;
    arch = arch ? arch : trace->arch;
    if (!now->fields) {
        unsupported(replay, RULE_TRACE_CASE_NONE, "there is no current case");
    } else if (trace_families[now->family].runs == RUN_NOTHING) {
        unsupported(replay, RULE_TRACE_FAMILY_UNMODELLED,
                    "instructions of this family are not modelled");
    } else if (now->runs & RUN_MAP) {
        run_map(now, arch, replay);
    } else if (now->known != WSIM_OK) {
        replay->verdict = WSIM_UNSUPPORTED;
        base_repeat(&replay->why, &now->why, 0, "%s", now->why.text);
    } else if (!trace_bytes_resize(&trace->work, size)) {
        unsupported(replay, RULE_MEMORY_HEAP_FULL, "no memory for a copy of the shared window");
    } else {
        assert(now->runs); /* an expectation that asks for nothing would be equal to anything */
        if (size)
            memcpy(trace->work.at, now->smem.at, size);
        if (now->runs & RUN_EXEC)
            run_exec(trace, arch, replay);
        if (now->runs & RUN_COPY)
            run_copy(trace, arch, replay);
        if (now->runs & RUN_BANKS)
            run_banks(trace, arch, WSIM_HARDWARE_COUNTERS, replay);
        if (now->runs & RUN_PAGE)
            run_banks(trace, arch, WSIM_SOURCE_PAGE, replay);
        if (now->runs & RUN_DIGEST)
            run_digest(trace, arch, replay);
    }
}

/* Elements that the instruction writes: to registers, or from them to memory. */
static uint64_t elements_of(const struct trace_case *now) {
    struct wsim_layout layout;
    if (wsim_op_layout(&now->op, WSIM_D, &layout, NULL) != WSIM_OK &&
        wsim_op_layout(&now->op, WSIM_R, &layout, NULL) != WSIM_OK)
        return 0;
    return (uint64_t)layout.lanes * layout.elems;
}

static uint64_t lanes_of(const struct trace_case *now) {
    uint64_t mask = now->number[TRACE_MASK], lanes = 0;
    for (; mask; mask &= mask - 1)
        lanes++;
    return lanes;
}

/* Elements, bytes, or pieces of lanes that a copy moves; parameters that make no map have no tile.
 */
static uint64_t moved(const struct trace_case *now, const struct wsim_arch *arch) {
    struct wsim_tensor_tile tile;
    if (now->family == TRACE_FAMILY_CP_ASYNC)
        return lanes_of(now);
    if (trace_has(now, TRACE_BYTES)) /* a size beyond the window is cut to some other */
        return now->number[TRACE_BYTES] <= now->smem.size ? now->number[TRACE_BYTES] : 0;
    if (wsim_tensor_check(&now->tensor, arch, NULL))
        return 0;
    tile = wsim_tensor_measure(&now->tensor);
    return tile.rows * tile.extent[0];
}

uint64_t wsim_trace_held(const struct wsim_trace *trace, enum wsim_claim claim) {
    const struct trace_case *now = &trace->now;
    if (trace_has(now, TRACE_TRAP))
        return 0;
    if (claim == WSIM_COUNTS)
        return now->runs & (RUN_BANKS | RUN_PAGE) ? 1 : 0;
    if (now->runs & RUN_DIGEST)
        return elements_of(now) * now->number[TRACE_CASES];
    if (now->runs & RUN_COPY)
        return moved(now, trace->arch);
    return now->runs & RUN_EXEC ? elements_of(now) : 0;
}

uint64_t wsim_trace_results(const struct wsim_trace *trace) {
    const struct trace_case *now = &trace->now;
    if (trace_has(now, TRACE_TRAP))
        return now->runs ? 1 : 0;
    return wsim_trace_held(trace, WSIM_RESULTS) + wsim_trace_held(trace, WSIM_COUNTS) +
           (now->runs & RUN_MAP ? 1 : 0);
}
