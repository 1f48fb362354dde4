/* wsim bench: the time of instructions on this machine, beside a plain loop. */
#include "../../../bench/rivals/rivals.h"
#include "../common/doc.h"
#include "../common/memory.h"
#include "../common/screen.h"

static const char about[] =
    "Measures the nanoseconds of one instruction through wsim_run on prepared code, from\n"
    "registers to registers, on each path with a kernel for it and on the plain path, which\n"
    "defines the result. The rival is a plain C loop with equal m, n and k over floats (f64:\n"
    "doubles, integers: int32), compiled with -O3 for this machine, in its faster loop order;\n"
    "another column has restrict pointers. All rivals run in turns; the minimum of many rounds\n"
    "counts. Operands are near one; more columns have distant exponents, subnormals, and raw\n"
    "bits full of NaNs and infinities. Without a spelling it times a selection of forms on the\n"
    "architectures that compute them differently; --arch limits these.\n";
static const char examples[] =
    "  wsim replay --bench mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80\n"
    "  wsim replay --bench wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --path plain --json\n";

/* One form of each class, on a target of each generation that differs. */
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

/* Three significant digits. */
static const char *number_text(double x, char text[16]) {
    if (x <= 0)
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.*f", x < 0.1 ? 4 : x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0, x);
    return text;
}

/* A cell of a measure; 0: there is none. */
static void add_number(struct doc *doc, double x) {
    char text[16];
    doc_cell(doc, x > 0 ? json_real(x) : NULL, "%s", number_text(x, text));
}

static double ratio(double ns, double loop) {
    return loop > 0 ? ns / loop : 0;
}

static void add_path(struct doc *doc, const struct bench_form *form,
                     const struct bench_path *path) {
    doc_row(doc);
    doc_word(doc, wsim_path_name(path->path));
    doc_cell(doc, path->kernel ? json_string(path->kernel) : NULL, "%s",
             path->kernel ? path->kernel : "-");
    add_number(doc, path->ns[0]);
    add_number(doc, ratio(path->ns[0], form->loop));
    add_number(doc, ratio(path->ns[0], form->restricted));
    for (int dist = 1; dist < BENCH_DISTS; dist++)
        add_number(doc, path->ns[dist]);
}

/* A table of the paths for people; JSON has one list of all forms. */
static void add_table(struct doc *doc, const struct bench_form *form) {
    static const struct doc_column columns[] = {
        {NULL, "path", DOC_LEFT}, {NULL, "kernel", DOC_LEFT}, {NULL, "ns", 0},
        {NULL, "of loop", 0},     {NULL, "of restrict", 0},   {NULL, NULL, 0}};
    char loop[16], restricted[16];
    doc_table(doc, NULL, columns);
    for (int dist = 1; dist < BENCH_DISTS; dist++)
        doc_column(doc, 0, NULL, "%s", wsim_dist_name(bench_dists[dist]));
    doc_heading(doc, "%s on %s", form->spelling, wsim_arch_name(form->arch));
    if (form->loop > 0)
        doc_caption(doc, "plain loop, B %s: %s ns; restrict: %s ns (%s)", form->order,
                    number_text(form->loop, loop), number_text(form->restricted, restricted),
                    form->level);
    for (int i = 0; i < form->paths; i++)
        add_path(doc, form, &form->path[i]);
    doc_leave(doc);
}

static json_t *real_or_null(double x) {
    return x > 0 ? json_real(x) : json_null();
}

static void add_form(struct doc *doc, const struct bench_form *form) {
    for (int i = 0; i < form->paths; i++) {
        const struct bench_path *path = &form->path[i];
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:s, s:s, s:s, s:s?, s:f, s:o, s:o, s:o, s:o}", "spelling", form->spelling,
                 "arch", wsim_arch_name(form->arch), "path", wsim_path_name(path->path), "kernel",
                 path->kernel, "ns", path->ns[0], "ratio_to_float_loop",
                 real_or_null(ratio(path->ns[0], form->loop)), "ratio_to_restrict_loop",
                 real_or_null(ratio(path->ns[0], form->restricted)), "loop_ns",
                 real_or_null(form->loop), "restrict_loop_ns", real_or_null(form->restricted));
        doc_enter(doc, "distributions_ns");
        for (int dist = 0; dist < BENCH_DISTS; dist++)
            doc_set(doc, wsim_dist_name(bench_dists[dist]), json_real(path->ns[dist]));
        doc_leave(doc);
        doc_leave(doc);
    }
}

/* Times one form; only products are timed. */
static int time_one(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                    struct doc *doc) {
    struct bench_form form;
    struct wsim_diag diag;
    const enum wsim_status status = bench_time(op, arch, flags, &form, &diag);
    if (status == WSIM_NO_MEMORY)
        memory_out();
    if (status)
        return tool_refused(form.spelling, &diag);
    add_form(doc, &form);
    if (doc_is(doc, TOOL_TEXT))
        add_table(doc, &form);
    return TOOL_GO;
}

static int time_choice(const struct wsim_arch *only, uint32_t flags, struct doc *doc) {
    int status = TOOL_GO;
    for (unsigned i = 0; i < FORMS && status == TOOL_GO; i++) {
        const struct wsim_arch *arch = wsim_arch_find(forms[i].arch);
        struct wsim_op op;
        struct wsim_diag diag;
        if (only && only != arch)
            continue;
        screen_progress("[%u/%u] %.60s", i, FORMS, forms[i].spelling);
        if (wsim_op_parse(forms[i].spelling, &op, &diag))
            status = tool_refused(forms[i].spelling, &diag);
        else
            status = time_one(&op, arch, flags, doc);
    }
    screen_progress(NULL);
    return status;
}

static int time_named(const char **args, const struct wsim_arch *arch, uint32_t flags,
                      struct doc *doc) {
    int status = TOOL_GO;
    for (unsigned i = 0; args[i] && status == TOOL_GO; i++) {
        const char *one[] = {args[i], NULL};
        struct wsim_op op;
        tool_op(one, &op);
        status = time_one(&op, arch, flags, doc);
    }
    return status;
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    const struct wsim_arch *arch = tool->args[0] && !o->arch ? tool_arch(NULL) : o->arch;
    struct doc *doc = doc_open(tool->format, "wsim.bench");
    int status;
    doc_list(doc, "results");
    status = tool->args[0] ? time_named(tool->args, arch, o->path, doc)
                           : time_choice(arch, o->path, doc);
    doc_leave(doc);
    return doc_close(doc, status);
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "Target (" WSIM_ARCH_USUAL ")", "ARCH"},
    {"path", 0, TOOL_PATH, TOOL_AT(path), "Measure one path: plain, avx2 ...", "PATH"},
    TOOL_OPTIONS_END};

const struct tool_command bench_command = {
    "[SPELLING...]", about, examples, rows, sizeof(struct options), TOOL_TEXT | TOOL_JSON | TOOL_JSON_FLAG, NULL, run};
/* clang-format on */
