/* Runs a case and says where the model and the GPU part. Knows the fields that are expectations;
 * how an instruction works is asked of exec. */
#include "../base/base.h"
#include "trace.h"

#include <assert.h>
#include <string.h>

/* What registers hold before the model writes them; no recording starts from it. */
#define UNTOUCHED 0xA5u

static void differ(struct wsim_replay *replay, const struct wsim_difference *one) {
    if (replay->differences++ == 0)
        replay->first = *one;
    replay->verdict = WSIM_DIFFERENT;
}

static void differ_count(struct wsim_replay *replay, const char *field, uint64_t expected,
                         uint64_t got) {
    struct wsim_difference one = {.field = field, .expected = expected, .got = got};
    if (expected != got)
        differ(replay, &one);
}

/* The model refused what the GPU did. */
static void refused(struct wsim_replay *replay, const struct wsim_diag *why) {
    int beyond =
        why->status == WSIM_UNMODELLED || why->status == WSIM_SYNTAX || why->status == WSIM_ILLEGAL;
    if (replay->verdict != WSIM_DIFFERENT)
        replay->why = *why;
    if (!beyond)
        differ_count(replay, "trap", 0, 1);
    else if (replay->verdict == WSIM_EQUAL)
        replay->verdict = WSIM_UNSUPPORTED;
}

/* Registers element by element. */
static void compare_regs(const struct trace_case *now, const uint32_t *got,
                         struct wsim_replay *replay) {
    const uint32_t *expected = trace_words(now, WSIM_D);
    struct wsim_difference one = {.field = "d"};
    struct wsim_layout layout;
    unsigned lane, elem;
    wsim_op_layout(&now->op, WSIM_D, &layout, NULL);
    if (memcmp(got, expected, (size_t)layout.regs * layout.lanes * sizeof *got) == 0)
        return;
    one.format = layout.format;
    for (lane = 0; lane < layout.lanes; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            one.place = wsim_layout_place(&layout, lane, elem);
            one.coord = wsim_layout_coord(&layout, lane, elem);
            one.expected = wsim_words_get(&layout, expected, one.place);
            one.got = wsim_words_get(&layout, got, one.place);
            if (one.expected != one.got)
                differ(replay, &one);
        }
}

/* FNV-1a, 64 bits: start with FNV, then a byte at a time. */
#define FNV UINT64_C(0xcbf29ce484222325)

static uint64_t fnv(uint64_t hash, unsigned byte) {
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

/* Of the registers of D as little-endian words. */
static uint64_t hash_of_d(const struct trace_case *now, const uint32_t *words) {
    uint64_t hash = FNV;
    struct wsim_layout layout;
    unsigned i, byte;
    wsim_op_layout(&now->op, WSIM_D, &layout, NULL);
    for (i = 0; i < (unsigned)layout.regs * layout.lanes; i++)
        for (byte = 0; byte < 4; byte++)
            hash = fnv(hash, words[i] >> 8 * byte & 0xFF);
    return hash;
}

static void compare_bytes(const struct trace_bytes *expected, const struct trace_bytes *got,
                          struct wsim_replay *replay) {
    struct wsim_difference one = {.field = "smem_after"};
    size_t i;
    if (memcmp(expected->at, got->at, expected->size) == 0)
        return;
    for (i = 0; i < expected->size; i++) {
        one.offset = (uint32_t)i;
        one.expected = expected->at[i];
        one.got = got->at[i];
        if (one.expected != one.got)
            differ(replay, &one);
    }
}

static const struct wsim_regs *regs_of(const struct trace_case *now, enum trace_field_id field) {
    return trace_has(now, field) ? &now->regs[trace_fields[field].operand] : NULL;
}

static const uint32_t *words_of(const struct trace_case *now, enum trace_field_id field) {
    return trace_has(now, field) ? regs_of(now, field)->r[0] : NULL;
}

static unsigned number_of(const struct trace_case *now, enum trace_field_id field) {
    uint64_t number = trace_has(now, field) ? now->number[field] : 0;
    return number < UINT32_MAX ? (unsigned)number
                               : UINT32_MAX; /* refused by the model either way */
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
        .selector = number_of(now, TRACE_SEL),
        .sfa = words_of(now, TRACE_SFA),
        .sfb = words_of(now, TRACE_SFB),
        .bid_a = number_of(now, TRACE_BID_A),
        .tid_a = number_of(now, TRACE_TID_A),
        .bid_b = number_of(now, TRACE_BID_B),
        .tid_b = number_of(now, TRACE_TID_B),
        .smem = smem->size ? smem : NULL,
        .addr = trace_has(now, TRACE_ADDR) ? now->addr : NULL,
        .stride = number_of(now, TRACE_STRIDE),
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
        .selector = number_of(now, TRACE_SEL),
        .scale_d = number_of(now, TRACE_SCALE_D),
        .negate_a = number_of(now, TRACE_SCALE_A),
        .negate_b = number_of(now, TRACE_SCALE_B),
        .trans_a = number_of(now, TRACE_TRANSPOSE_A),
        .trans_b = number_of(now, TRACE_TRANSPOSE_B),
    };
    return wsim_wgmma(&now->op, arch, &io, diag);
}

/* Of the registers that the model may write. */
static size_t d_bytes(const struct trace_case *now) {
    return now->family == TRACE_FAMILY_WGMMA ? sizeof(struct wsim_group_regs)
                                             : sizeof(struct wsim_regs);
}

static int is_untouched(const void *at, size_t bytes) {
    const uint8_t *byte = at;
    while (bytes && *byte == UNTOUCHED)
        byte++, bytes--;
    return bytes == 0;
}

/* trap=1: refused, and nothing written. */
static void expect_trap(const struct wsim_trace *trace, struct wsim_replay *replay,
                        enum wsim_status status, const struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    const struct trace_bytes *work = &trace->work;
    if (status == WSIM_UNMODELLED || status == WSIM_ILLEGAL) {
        refused(replay, diag);
    } else if (status == WSIM_OK) {
        differ_count(replay, "trap", 1, 0);
    } else if (!is_untouched(&trace->d, d_bytes(now)) ||
               (work->size && memcmp(work->at, now->smem.at, work->size) != 0)) {
        base_refuse(&replay->why, WSIM_OPERAND, 0, "refused, but something had been written");
        differ_count(replay, "trap", 1, 0);
    }
}

static void run_exec(struct wsim_trace *trace, const struct wsim_arch *arch,
                     struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    struct wsim_smem smem = {trace->work.at, (uint32_t)trace->work.size};
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    enum wsim_status status;
    memset(&trace->d, UNTOUCHED, d_bytes(now));
    status = now->family == TRACE_FAMILY_WGMMA
                 ? execute_group(now, arch, &trace->d.group, &smem, &diag)
                 : execute(now, arch, &trace->d.warp, &smem, &diag);
    if (trace_has(now, TRACE_TRAP)) {
        expect_trap(trace, replay, status, &diag);
        return;
    }
    if (status) {
        refused(replay, &diag);
        return;
    }
    if (trace_has(now, TRACE_D))
        compare_regs(now, trace->d.group.r[0], replay);
    if (trace_has(now, TRACE_D_FNV))
        differ_count(replay, "d_fnv", now->number[TRACE_D_FNV],
                     hash_of_d(now, trace->d.group.r[0]));
    if (trace_has(now, TRACE_SMEM_AFTER))
        compare_bytes(&now->smem_after, &trace->work, replay);
}

/* A count of the case, if it is expected. */
static void compare_count(const struct trace_case *now, enum trace_field_id field, uint32_t got,
                          struct wsim_replay *replay) {
    if (trace_has(now, field))
        differ_count(replay, trace_fields[field].name, now->number[field], got);
}

static void run_banks(const struct trace_case *now, const struct wsim_arch *arch,
                      enum wsim_counters counters, struct wsim_replay *replay) {
    int page = counters == WSIM_SOURCE_PAGE;
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    struct trace_counts got;
    enum wsim_status status = trace_count(now, arch, counters, &got, &diag);
    if (trace_has(now, TRACE_TRAP)) {
        if (status == WSIM_OK)
            differ_count(replay, "trap", 1, 0);
        else if (status == WSIM_UNMODELLED || status == WSIM_ILLEGAL)
            refused(replay, &diag);
        return;
    }
    if (status) {
        refused(replay, &diag);
        return;
    }
    compare_count(now, page ? TRACE_SASS_WAVEFRONTS : TRACE_WAVEFRONTS, got.wavefronts, replay);
    compare_count(now, page ? TRACE_SASS_CONFLICTS : TRACE_CONFLICTS, got.conflicts, replay);
}

static void run_digest(const struct trace_case *now, const struct wsim_arch *arch,
                       struct wsim_replay *replay) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    uint64_t digest = 0;
    if (trace_digest(now, arch, &digest, &diag))
        refused(replay, &diag);
    else
        differ_count(replay, "digest", now->number[TRACE_DIGEST], digest);
}

/* trap=1: refused, and nothing written. */
static void expect_untouched(struct wsim_trace *trace, struct wsim_replay *replay,
                             enum wsim_status status, const struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    if (status == WSIM_UNMODELLED || status == WSIM_ILLEGAL || status == WSIM_SYNTAX) {
        refused(replay, diag);
    } else if (status == WSIM_OK) {
        differ_count(replay, "trap", 1, 0);
    } else if (memcmp(trace->work.at, now->smem.at, now->smem.size) != 0 ||
               memcmp(trace->global.at, now->global.at, now->global.size) != 0) {
        base_refuse(&replay->why, WSIM_OPERAND, 0, "refused, but something had been written");
        differ_count(replay, "trap", 1, 0);
    }
}

static uint64_t hash_of(const struct trace_bytes *bytes) {
    uint64_t hash = FNV;
    size_t i;
    for (i = 0; i < bytes->size; i++)
        hash = fnv(hash, bytes->at[i]);
    return hash;
}

static void run_copy(struct wsim_trace *trace, const struct wsim_arch *arch,
                     struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    struct trace_copied got = {NULL, 0};
    enum wsim_status status = trace_copy(trace, arch, &got, &diag);
    if (trace_has(now, TRACE_TRAP)) {
        expect_untouched(trace, replay, status, &diag);
        return;
    }
    if (status) {
        refused(replay, &diag);
        return;
    }
    if (trace_has(now, TRACE_SMEM_AFTER))
        compare_bytes(&now->smem_after, &trace->work, replay);
    if (trace_has(now, TRACE_TX))
        differ_count(replay, "tx", now->number[TRACE_TX], got.bytes);
    if (trace_has(now, TRACE_GLOBAL_FNV))
        differ_count(replay, "global_fnv", now->number[TRACE_GLOBAL_FNV], hash_of(got.global));
}

/* Whether there is a map; a refusal is an answer here. */
static void run_map(const struct trace_case *now, const struct wsim_arch *arch,
                    struct wsim_replay *replay) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    enum wsim_status status = wsim_tensor_check(&now->tensor, arch, &diag);
    differ_count(replay, "result", now->number[TRACE_RESULT], status != WSIM_OK);
    if (replay->verdict == WSIM_DIFFERENT)
        replay->why = diag;
}

static void unsupported(struct wsim_replay *replay, enum wsim_status status, const char *why) {
    replay->verdict = WSIM_UNSUPPORTED;
    base_refuse(&replay->why, status, 0, "%s", why);
}

void wsim_trace_replay(struct wsim_trace *trace, const struct wsim_arch *arch,
                       struct wsim_replay *replay) {
    const struct trace_case *now = &trace->now;
    size_t size = trace_has(now, TRACE_SMEM) ? now->smem.size : 0;
    memset(replay, 0, sizeof *replay);
    replay->verdict = WSIM_EQUAL;
    arch = arch ? arch : trace->arch;
    if (!now->fields) {
        unsupported(replay, WSIM_SYNTAX, "there is no current case");
    } else if (trace_families[now->family].runs == RUN_NOTHING) {
        unsupported(replay, WSIM_UNMODELLED, "instructions of this family are not modelled");
    } else if (now->runs & RUN_MAP) {
        run_map(now, arch, replay);
    } else if (now->known != WSIM_OK) {
        unsupported(replay, now->known, now->why.text);
    } else if (!trace_bytes_resize(&trace->work, size)) {
        unsupported(replay, WSIM_UNMODELLED, "no memory for a copy of the shared window");
    } else {
        assert(now->runs); /* an expectation that asks for nothing would be equal to anything */
        if (size)
            memcpy(trace->work.at, now->smem.at, size);
        if (now->runs & RUN_EXEC)
            run_exec(trace, arch, replay);
        if (now->runs & RUN_COPY)
            run_copy(trace, arch, replay);
        if (now->runs & RUN_BANKS)
            run_banks(now, arch, WSIM_HARDWARE_COUNTERS, replay);
        if (now->runs & RUN_PAGE)
            run_banks(now, arch, WSIM_SOURCE_PAGE, replay);
        if (now->runs & RUN_DIGEST)
            run_digest(now, arch, replay);
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

/* Elements, or bytes, that a copy moves. */
static uint64_t moved(const struct trace_case *now) {
    struct wsim_tensor_tile tile;
    if (trace_has(now, TRACE_BYTES))
        return now->number[TRACE_BYTES];
    tile = wsim_tensor_tile(&now->tensor);
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
        return moved(now);
    return now->runs & RUN_EXEC ? elements_of(now) : 0;
}

uint64_t wsim_trace_results(const struct wsim_trace *trace) {
    const struct trace_case *now = &trace->now;
    if (trace_has(now, TRACE_TRAP))
        return now->runs ? 1 : 0;
    return wsim_trace_held(trace, WSIM_RESULTS) + wsim_trace_held(trace, WSIM_COUNTS) +
           (now->runs & RUN_MAP ? 1 : 0);
}
