/* wsim bench: what instructions take on this machine, beside a plain loop of the same extent. */
#include "bench.h"

#include <unistd.h>

static const char about[] =
    "Measures the nanoseconds of one instruction through wsim_run on prepared code, from\n"
    "registers to registers, on each path with a kernel for it and on the plain path, which\n"
    "defines the result. The rival is a plain C loop of the same m, n and k over floats (f64:\n"
    "doubles, integers: int32), compiled with -O3 for this machine, in its faster loop order;\n"
    "another column has restrict pointers. All rivals run in turns; the minimum of many rounds\n"
    "counts. Operands are near one; more columns have distant exponents, subnormals, and raw\n"
    "bits full of NaNs and infinities. Without a spelling it times a selection of forms on the\n"
    "architectures that compute them differently; --arch limits these.\n";
static const char examples[] =
    "  wsim bench mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80\n"
    "  wsim bench wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --path plain --json\n";

/* Forms of one class each, on a target of each generation that differs. */
static const struct {
    const char *spelling, *arch;
} forms[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_80"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m3.f32", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0",
     "sm_120a"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", "sm_120a"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32"
     ".ue4m3",
     "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_90a"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "sm_90a"},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

struct options {
    const struct wsim_arch *arch;
    uint32_t path;
};

static void show_progress(const char *spelling, unsigned done, unsigned all) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K[%u/%u] %.60s", done, all, spelling);
    if (isatty(STDERR_FILENO) && done == all)
        fputs("\r\033[K", stderr);
}

/* Only what measures products is timed. */
static int time_one(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                    json_t *list) {
    struct bench_form form;
    int status = bench_time(op, arch, flags, &form);
    if (status != TOOL_GO)
        return status;
    if (list) {
        json_t *rows = bench_json(&form);
        json_array_extend(list, rows);
        json_decref(rows);
    } else {
        bench_print_text(&form);
    }
    fflush(stdout);
    return TOOL_GO;
}

static int time_choice(const struct wsim_arch *only, uint32_t flags, json_t *list) {
    int status = TOOL_GO;
    for (unsigned i = 0; i < FORMS && status == TOOL_GO; i++) {
        const struct wsim_arch *arch = wsim_arch_find(forms[i].arch);
        struct wsim_op op;
        struct wsim_diag diag;
        if (only && only != arch)
            continue;
        show_progress(forms[i].spelling, i, FORMS);
        if (wsim_op_parse(forms[i].spelling, &op, &diag))
            status = tool_refused(forms[i].spelling, &diag);
        else
            status = time_one(&op, arch, flags, list);
    }
    show_progress("", FORMS, FORMS);
    return status;
}

static int time_named(const char **args, const struct wsim_arch *arch, uint32_t flags,
                      json_t *list) {
    int status = TOOL_GO;
    for (unsigned i = 0; args[i] && status == TOOL_GO; i++) {
        const char *one[] = {args[i], NULL};
        struct wsim_op op;
        status = tool_op(one, &op);
        if (status == TOOL_GO)
            status = time_one(&op, arch, flags, list);
    }
    return status;
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    const struct wsim_arch *arch = tool->args[0] && !o->arch ? tool_arch(NULL) : o->arch;
    json_t *list = tool->format == TOOL_JSON ? json_array() : NULL;
    int status = tool->args[0] ? time_named(tool->args, arch, o->path, list)
                               : time_choice(arch, o->path, list);
    if (status == TOOL_GO && list)
        tool_print_json(
            json_pack("{s:s, s:i, s:O}", "schema", "wsim.bench", "version", 1, "results", list));
    json_decref(list);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 'a', TOOL_TARGET, TOOL_AT(arch), "Target (" TOOL_ARCH ")", "ARCH"},
    {"path", 0, TOOL_PATH, TOOL_AT(path), "Measure one path: plain, avx2 ...", "PATH"},
    TOOL_OPTIONS_END};

const struct tool_command bench_command = {
    "[SPELLING...]", about, examples, rows, sizeof(struct options), TOOL_TEXT | TOOL_JSON | TOOL_JSON_FLAG, NULL, run};
/* clang-format on */
