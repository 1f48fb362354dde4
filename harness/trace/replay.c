/* Runs a case and checks its expectations. exec executes instructions; compare.c finds the first
 * difference. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <assert.h>
#include <string.h>

/* Statuses that mean "not comparable" instead of "different from the hardware". */
static int is_beyond(enum wsim_status status) {
    return status == WSIM_UNMODELLED || status == WSIM_SYNTAX || status == WSIM_ILLEGAL ||
           status == WSIM_NO_MEMORY;
}

/* The model refused: a difference, or a case without a model. */
static void refused(struct wsim_replay *replay, const struct wsim_diag *why) {
    if (replay->verdict != WSIM_DIFFERENT)
        replay->why = *why;
    if (!is_beyond(why->status))
        trace_differ(replay, "trap", 0, 1);
    else if (replay->verdict == WSIM_EQUAL)
        replay->verdict = WSIM_UNSUPPORTED;
}

/* True if a window differs from the initial one; the model's window may be longer. */
static int is_other(const struct trace_bytes *before, const struct trace_bytes *after) {
    return before->size && memcmp(before->at, after->at, before->size) != 0;
}

/* True if the model wrote to its input. */
static int is_touched(const struct wsim_trace *trace) {
    const struct trace_case *now = &trace->now;
    const uint8_t *byte = (const uint8_t *)trace->d.at;
    for (size_t i = 0; i < trace->d.rows * WSIM_LANES * sizeof *trace->d.at; i++)
        if (byte[i] != TRACE_UNTOUCHED)
            return 1;
    if (now->runs & RUN_UMMA)
        return trace_umma_is_touched(trace);
    return (trace_has(now, TRACE_SMEM) && is_other(&now->smem, &trace->work)) ||
           (now->runs & RUN_COPY && is_other(&now->global, &trace->global));
}

/* True if there is a result to compare. After a trap of the GPU the model must refuse and write
 * nothing; without one, a refusal is a difference. */
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

/* The result of a run of the model. */
struct answer {
    struct wsim_cost cost;
    struct wsim_sectors sectors;
    uint64_t digest;
};

/* Checks every expectation of this run; traps were checked before. */
static void compare(const struct wsim_trace *trace, unsigned run, const struct trace_io *it,
                    const struct answer *got, struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    for (int f = 0; f < TRACE_FIELDS; f++) {
        const struct trace_field *field = &trace_fields[f];
        uint64_t expected = now->number[f];
        if (!trace_has(now, (enum trace_field_id)f) || field->role != ROLE_EXPECTED ||
            !(field->runs & run))
            continue;
        switch ((enum trace_field_id)f) {
        case TRACE_D: trace_compare_regs(now, trace->code.arch, trace->d.at, replay); break;
        case TRACE_D_FNV:
            trace_differ(replay, field->name, expected, trace_hash_regs(now, trace->d.at));
            break;
        case TRACE_SMEM_AFTER:
            trace_compare_bytes(field->name, &now->smem_after, &trace->work, replay);
            break;
        case TRACE_TX: trace_differ(replay, field->name, expected, it->copied.bytes); break;
        case TRACE_GLOBAL_FNV:
            trace_differ(replay, field->name, expected, trace_hash_bytes(it->left));
            break;
        case TRACE_WAVEFRONTS:
        case TRACE_SASS_WAVEFRONTS:
            trace_differ(replay, field->name, expected, got->cost.wavefronts);
            break;
        case TRACE_CONFLICTS:
        case TRACE_SASS_CONFLICTS:
            trace_differ(replay, field->name, expected, got->cost.conflicts);
            break;
        case TRACE_SECTORS:
            trace_differ(replay, field->name, expected, got->sectors.sectors);
            break;
        case TRACE_LINES_MET:
            trace_differ(replay, field->name, expected, got->sectors.lines);
            break;
        case TRACE_DIGEST: trace_differ(replay, field->name, expected, got->digest); break;
        default: break;
        }
    }
}

/* Counts the sectors of a copy, or of a load, store or atomic. */
static enum wsim_status run_sectors(const struct trace_case *now, const struct wsim_arch *arch,
                                    const struct wsim_io *io, struct wsim_sectors *out,
                                    struct wsim_diag *diag) {
    uint64_t addr[WSIM_LANES];
    if (now->known == WSIM_OK) {
        const struct wsim_copy copy = {.bytes = io->copy.bytes,
                                       .mask = io->copy.mask,
                                       .dst = io->copy.addr,
                                       .src = io->copy.src,
                                       .src_size = io->copy.src_size};
        enum wsim_status status = wsim_sectors_copy(&now->op, arch, &copy, out, diag);
        if (!status && !out->lines_known && trace_has(now, TRACE_LINES_MET))
            return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0,
                               "no rule for the lines of a .cg copy is known");
        return status;
    }
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = now->addr[lane];
    return wsim_sectors_count(&now->access, arch, addr, (uint32_t)now->number[TRACE_MASK], out,
                              diag);
}

/* One of the runs of a case. */
static enum wsim_status run_model(const struct wsim_trace *trace, unsigned run,
                                  const struct trace_io *it, struct answer *got,
                                  struct wsim_diag *diag) {
    const struct wsim_code *code = &trace->code;
    switch (run) {
    case RUN_BANKS:
        return wsim_cost(code, &it->io, WSIM_HARDWARE_COUNTERS, NULL, 0, &got->cost, diag);
    case RUN_PAGE: return wsim_cost(code, &it->io, WSIM_SOURCE_PAGE, NULL, 0, &got->cost, diag);
    case RUN_SECTORS: return run_sectors(&trace->now, code->arch, &it->io, &got->sectors, diag);
    case RUN_DIGEST: return trace_digest(&trace->now, code, &got->digest, diag);
    default: return wsim_run(code, &it->io, diag);
    }
}

void wsim_trace_prepare(struct wsim_trace *trace, uint32_t flags) {
    trace->flags = flags;
}

/* Reuses the code of the last case if the spelling is equal. */
static enum wsim_status prepare(struct wsim_trace *trace, const struct wsim_arch *arch,
                                struct wsim_diag *diag) {
    if (trace->code.arch == arch && trace->code.flags == trace->flags &&
        memcmp(&trace->code.op, &trace->now.op, sizeof trace->now.op) == 0)
        return WSIM_OK;
    trace->code.arch = NULL;
    return wsim_prepare(&trace->now.op, arch, trace->flags, &trace->code, diag);
}

/* Runs a product of tcgen05, which is not an operation. */
static void run_umma(struct wsim_trace *trace, const struct wsim_arch *arch,
                     struct wsim_replay *replay) {
    static const enum trace_field_id after[] = {TRACE_TMEM_AFTER, TRACE_TMEM_ODD_AFTER},
                                     hash[] = {TRACE_TMEM_FNV, TRACE_TMEM_ODD_FNV};
    const struct trace_case *now = &trace->now;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    const enum wsim_status status = trace_umma_run(trace, arch, &diag);
    if (!has_result(trace, status, &diag, replay))
        return;
    for (unsigned odd = 0; odd < 2; odd++) {
        trace_umma_window(trace, odd);
        if (trace_has(now, after[odd]))
            trace_compare_tensor(trace_fields[after[odd]].name, &now->tmem_after[odd], &trace->work,
                                 replay);
        if (trace_has(now, hash[odd]))
            trace_differ(replay, trace_fields[hash[odd]].name, now->number[hash[odd]],
                         trace_hash_bytes(&trace->work));
    }
}

/* All runs of a case on an instruction. */
static void run_all(struct wsim_trace *trace, const struct wsim_arch *arch,
                    struct wsim_replay *replay) {
    static const unsigned runs[] = {RUN_EXEC, RUN_COPY,    RUN_BANKS,
                                    RUN_PAGE, RUN_SECTORS, RUN_DIGEST};
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct trace_io it;
    enum wsim_status begun = prepare(trace, arch, &diag), status;
    assert(trace->now.runs); /* an expectation without a run would always hold */
    if (!begun)
        begun = trace_operands_make(trace, arch, &it, &diag);
    for (unsigned i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct answer got = {0};
        if (!(trace->now.runs & runs[i]))
            continue;
        status = begun ? begun : run_model(trace, runs[i], &it, &got, &diag);
        if (has_result(trace, status, &diag, replay))
            compare(trace, runs[i], &it, &got, replay);
    }
}

/* Makes the map; here a refusal is a result. */
static void run_map(const struct trace_case *now, const struct wsim_arch *arch,
                    struct wsim_replay *replay) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status = wsim_tensor_check(&now->tensor, arch, &diag);
    trace_differ(replay, "result", now->number[TRACE_RESULT], status != WSIM_OK);
    if (replay->verdict == WSIM_DIFFERENT)
        replay->why = diag;
}

/* Counts the sectors of an access that is not an operation. */
static void run_access(const struct wsim_trace *trace, const struct wsim_arch *arch,
                       struct wsim_replay *replay) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct answer got = {0};
    if (run_sectors(&trace->now, arch, NULL, &got.sectors, &diag))
        refused(replay, &diag);
    else
        compare(trace, RUN_SECTORS, NULL, &got, replay);
}

static void unsupported(struct wsim_replay *replay, enum base_rule rule, const char *why) {
    replay->verdict = WSIM_UNSUPPORTED;
    base_refuse(&replay->why, rule, 0, "%s", why);
}

void wsim_trace_replay(struct wsim_trace *trace, const struct wsim_arch *arch,
                       struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
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
    } else if (now->runs & RUN_UMMA) {
        run_umma(trace, arch, replay);
    } else if (now->known != WSIM_OK && now->runs & RUN_SECTORS) {
        run_access(trace, arch, replay);
    } else if (now->known != WSIM_OK) {
        replay->verdict = WSIM_UNSUPPORTED;
        base_repeat(&replay->why, &now->why, 0, "%s", now->why.text);
    } else {
        run_all(trace, arch, replay);
    }
}

/* Elements that the instruction writes: to registers, or from them to memory. */
static uint64_t elements_of(const struct trace_case *now) {
    struct wsim_layout layout;
    if (wsim_op_layout(&now->op, NULL, WSIM_D, &layout, NULL) != WSIM_OK &&
        wsim_op_layout(&now->op, NULL, WSIM_R, &layout, NULL) != WSIM_OK)
        return 0;
    return (uint64_t)layout.lanes * layout.elems;
}

static uint64_t lanes_of(const struct trace_case *now) {
    uint64_t mask = now->number[TRACE_MASK], lanes = 0;
    for (; mask; mask &= mask - 1)
        lanes++;
    return lanes;
}

/* Elements, bytes, or pieces of lanes of a copy; illegal map parameters have no tile. */
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
    if (now->runs & RUN_UMMA)
        return trace_umma_elements(now);
    return now->runs & RUN_EXEC ? elements_of(now) : 0;
}

uint64_t wsim_trace_results(const struct wsim_trace *trace) {
    const struct trace_case *now = &trace->now;
    if (trace_has(now, TRACE_TRAP))
        return now->runs ? 1 : 0;
    return wsim_trace_held(trace, WSIM_RESULTS) + wsim_trace_held(trace, WSIM_COUNTS) +
           (now->runs & (RUN_MAP | RUN_SECTORS) ? 1 : 0);
}
