/* Refusals that no line of text can ask for: operations, names, numbers, traces, the end of the
 * heap. Each other direct_*.c has the refusals of one subject. */
#include "case.h"

#include <wsim/harness/harness.h>

#if REJECT_HEAP_ENDS
#include <sys/resource.h>
#endif

/* --- operations --- */

static const struct wsim_arch *hopper(void) {
    return wsim_arch_find("sm_90a");
}

static enum wsim_status no_arch(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    return wsim_op_check(&op, NULL, diag);
}

/* A heap of malloc with a size beyond its limits. */
static enum wsim_status heap_of(uint64_t bytes, struct wsim_diag *diag) {
    struct wsim_device *device;
    enum wsim_status status;
    ck_assert(!wsim_device_make(hopper(), &device, NULL));
    status = wsim_device_heap(device, bytes, diag);
    wsim_device_free(device);
    return status;
}

static enum wsim_status heap_small(struct wsim_diag *diag) {
    return heap_of(15, diag);
}

static enum wsim_status heap_large(struct wsim_diag *diag) {
    return heap_of(UINT64_C(1) << 36, diag);
}

static enum wsim_status find(const char *name, struct wsim_diag *diag) {
    struct wsim_op op;
    size_t count;
    return wsim_op_find(name, &op, 1, &count, diag);
}

static enum wsim_status read_f16(const char *text, struct wsim_diag *diag) {
    uint64_t bits = 0x5A5A;
    enum wsim_status status =
        wsim_format_read(wsim_format_find("f16"), text, WSIM_RN, NULL, &bits, diag);
    ck_assert_uint_eq(bits, 0x5A5A);
    return status;
}

static enum wsim_status number_text(struct wsim_diag *diag) {
    return read_f16("1.5f", diag);
}

static enum wsim_status number_inexact(struct wsim_diag *diag) {
    return read_f16("0.1", diag);
}

static enum wsim_status number_range(struct wsim_diag *diag) {
    return read_f16("65520", diag);
}

static enum wsim_status move_row(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("ldmatrix.sync.aligned.m8n8.x2.shared.b16");
    struct wsim_coord row;
    return wsim_move_row(&op, 16, &row, diag);
}

static enum wsim_status packed(struct wsim_diag *diag) {
    struct wsim_tensor t = {.dtype = WSIM_TENSOR_FLOAT16, .rank = 2, .dims = {65, 8}};
    return wsim_tensor_pack(&t, diag);
}

static enum wsim_status name_word(struct wsim_diag *diag) {
    return find("mma.m16n8k99.f16", diag);
}

static enum wsim_status name_match(struct wsim_diag *diag) {
    return find("HMMA.1688.F32.BF16.BF16.SAT", diag);
}

static enum wsim_status name_argument(struct wsim_diag *diag) {
    return find("SM90_64x8x32_S32S8S8_SS_TN<GMMA::Major::K, GMMA::Major::K>", diag);
}

static enum wsim_status name_unclosed(struct wsim_diag *diag) {
    return find("SM90_64x8x16_F32F16F16_SS<GMMA::Major::K", diag);
}

static enum wsim_status name_beyond(struct wsim_diag *diag) {
    return find("SM100_MMA_F16BF16_SS<half_t>", diag);
}

static enum wsim_status name_lanes(struct wsim_diag *diag) {
    return find("SM90_TMA_LOAD_2D::PREFETCH", diag);
}

static enum wsim_status name_several(struct wsim_diag *diag) {
    return find("SM50_Shuffle_U32_2x2Trans_XOR4", diag);
}

static enum wsim_status flags(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    struct wsim_code code;
    return wsim_prepare(&op, hopper(), UINT32_C(1) << 31, &code, diag);
}

static enum wsim_status access_number(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("ld.shared.b32");
    uint32_t addr[WSIM_LANES] = {0};
    struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
    struct wsim_cost_access access;
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(&op, hopper(), 0, &code, NULL), WSIM_OK);
    return wsim_cost_access(&code, &io, 1, &access, diag);
}

static enum wsim_status no_element(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_code code;
    struct wsim_why *why = malloc(sizeof *why);
    enum wsim_status status;
    ck_assert(why && !wsim_prepare(&op, hopper(), 0, &code, NULL));
    status = wsim_why(&code, &(struct wsim_io){0}, (struct wsim_coord){0, 16, 0}, why, diag);
    free(why);
    return status;
}

static enum wsim_status no_group(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    uint32_t e[WSIM_LANES] = {0};
    struct wsim_meta_group group;
    return wsim_meta_read(&op, e, 0, 0, 4, &group, diag);
}

static enum wsim_status foreign(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    op.q[0] ^= 1;
    return wsim_op_check(&op, hopper(), diag);
}

/* --- traces --- */

static enum wsim_status no_case(struct wsim_diag *diag) {
    static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES];
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_plan plan;
    enum wsim_status status = wsim_trace_block(trace, &plan, in, NULL, diag);
    wsim_trace_free(trace);
    return status;
}

#if REJECT_HEAP_ENDS
/* From now on the program gets no further address space. */
static struct rlimit end_heap(void) {
    struct rlimit before, none;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 1;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
    return before;
}

/* Reads a case whose window has 16 MiB and replays it; memory ends before the one or the other. */
static enum wsim_status without_memory(int read, struct wsim_diag *diag) {
    static const char *const lines[] = {"#wsim-trace 1",
                                        "#gpu: none",
                                        "#arch: sm_90a",
                                        "#driver: 1",
                                        "#toolkit: 1",
                                        "#generator: none",
                                        "#seed: 0",
                                        "#date: 2026-11-22",
                                        ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16\t"
                                         "smem=@fill:00:16777216\ttrap=1\taddr=")};
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_replay replay = {0};
    struct rlimit before;
    enum wsim_status status = WSIM_OK;
    char line[1024];
    int i, is_case;
    ck_assert_ptr_nonnull(trace);
    for (i = 0; i < COUNT(lines) - 1; i++)
        wsim_trace_line(trace, lines[i], strlen(lines[i]), &is_case, NULL);
    snprintf(line, sizeof line, "%s%0256d", lines[i], 0);
    if (read)
        status = wsim_trace_line(trace, line, strlen(line), &is_case, diag);
    before = end_heap();
    if (read)
        wsim_trace_replay(trace, NULL, &replay);
    else
        status = wsim_trace_line(trace, line, strlen(line), &is_case, diag);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
    wsim_trace_free(trace);
    if (!read)
        return status;
    ck_assert_int_eq(status, WSIM_OK);
    ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
    if (diag)
        *diag = replay.why;
    return replay.why.status;
}

static enum wsim_status no_memory_to_read(struct wsim_diag *diag) {
    return without_memory(0, diag);
}

static enum wsim_status no_memory_to_replay(struct wsim_diag *diag) {
    return without_memory(1, diag);
}
#endif

static enum wsim_status no_cases(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("ld.shared.u32");
    struct wsim_plan plan;
    return wsim_plan_make(&op, 0, &plan, diag);
}

const struct reject_direct reject_alone[] = {
    {"why.element.outside", no_element},
    {"mma.group.outside", no_group},
    {"arch.missing", no_arch},
    {"memory.heap.size", heap_small},
    {"memory.heap.size", heap_large},
    {"matrix.row.none", move_row},
    {"tensor.stride.packed", packed},
    {"name.argument.wrong", name_argument},
    {"name.argument.wrong", name_unclosed},
    {"name.atom.beyond", name_beyond},
    {"name.atom.lanes", name_lanes},
    {"name.atom.several", name_several},
    {"name.match.none", name_match},
    {"name.word.unknown", name_word},
    {"number.text.wrong", number_text},
    {"number.value.inexact", number_inexact},
    {"number.value.range", number_range},
    {"banks.number.range", access_number},
    {"code.flags.unknown", flags},
    {"op.tables.foreign", foreign},
    {"trace.case.none", no_case},
#if REJECT_HEAP_ENDS
    {"memory.heap.full", no_memory_to_read},
    {"memory.heap.full", no_memory_to_replay},
#endif
    {"cases.family.none", no_cases},
};

const int reject_alone_count = COUNT(reject_alone);
