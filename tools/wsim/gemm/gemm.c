/* wsim gemm: a product of whole matrices through one instruction, on one architecture or several.
 */
#include "gemm.h"
#include "../common/memory.h"
#include "../common/screen.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char about[] =
    "Computes D = A B + C tile by tile with one instruction, bit for bit as the architecture\n"
    "does. Accumulators start as C and pass through the instructions in ascending k; edges are\n"
    "padded with zeros. See docs/gemm.md for the differences to GPU libraries.\n"
    "\n"
    "Files are NumPy arrays in either memory order: A is m x k, B is k x n, C and D are m x n;\n"
    "'-' is standard input or output. f16 is f2, f32 and tf32 f4, f64 f8, s32 i4, s8 and s4 i1,\n"
    "u8 and u4 u1, b1 b1 or u1. With --bits, types that NumPy lacks are their bits in u1, u2,\n"
    "V1 or V2. With --round, floats of any width are rounded to the type of the instruction.\n"
    "\n"
    "Block-scaled instructions (mxf8f6f4, mxf4, nvfp4) quantise floats: a factor for each block\n"
    "along k. The answer has the relative error of D. With --bits, --sfa and --sfb name factors.\n"
    "\n"
    "--split-k N computes N slices of k and adds them to C in ascending order, in the type of\n"
    "D. --compare names more architectures, --expect a file with the expected D. An\n"
    "architecture that lacks the instruction runs its own with equal types, or that of\n"
    "SPELLING@ARCH; those with tcgen05 run that instead of a wgmma. The answer is the number of "
    "elements that differ, the first one and the "
    "largest difference (exit status 1 if any differ). The digest identifies all of D.\n"
    "\n"
    "--random draws A and B from a distribution: raw, near-one, finite, cancelling, subnormal,\n"
    "wide, specials, overflow, narrow, one-hot, position, extremes.\n";
static const char examples[] =
    "  wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random near-one --size "
    "64x64x256 --compare sm_80\n"
    "  wsim gemm wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 --random near-one --size "
    "64x8x512 --promote 128\n";

struct options {
    char *arch, *c, *d, *sfa, *sfb, *compare, *expect, *random, *seed, *size, *promote, *split;
    int jobs, timed;
    uint32_t path;
    struct matrix_reading reading;
};

/* --- operands --- */

/* MxNxK. */
static void read_size(const char *text, struct wsim_gemm_size *size) {
    size_t *extent[] = {&size->m, &size->n, &size->k};
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(at, "x");
        uint32_t value;
        if (!tool_is_number(at, length, 1u << 30, &value) || (at[length] != 0) != (i < 2))
            tool_fail("--size '%s': write M x N x K, such as 128x64x256", text_cut(text).text);
        *extent[i] = value;
        at += length + 1;
    }
}

/* Zero bits below the values of an operand; those of wgmma in shared memory are its format's. */
static unsigned pad_of(const struct gemm_run *run, enum wsim_operand operand,
                       const struct wsim_format *format) {
    struct wsim_layout layout;
    const unsigned bits = instruction_bits(&run->results[0].in, operand);
    if (bits)
        return bits > format->bits ? format->pad : 0;
    if (!instruction_layout(&run->results[0].in, run->results[0].arch, operand, &layout))
        return format->pad;
    return layout.elem_bits > format->bits ? format->pad : 0;
}

/* The formats of A, B, C and D, and what their elements take in memory. */
static void open_matrices(struct gemm_run *run, const struct wsim_gemm *gemm) {
    run->a = (struct matrix){.name = "A", .format = gemm->a, .bytes = gemm->element_a};
    run->b = (struct matrix){.name = "B", .format = gemm->b, .bytes = gemm->element_b};
    run->c = (struct matrix){.name = "C", .format = gemm->d, .bytes = gemm->element_d};
    run->d = (struct matrix){.name = "D", .format = gemm->d, .bytes = gemm->element_d};
    run->a.pad = pad_of(run, WSIM_A, gemm->a);
    run->b.pad = pad_of(run, WSIM_B, gemm->b);
    run->c.pad = run->d.pad = pad_of(run, WSIM_D, gemm->d);
    run->a.is_scaled = run->b.is_scaled = gemm->scale != NULL;
}

static void draw(struct gemm_run *run, const struct options *o, struct wsim_gemm_size *size) {
    static char drawn[TEXT_CUT + 32];
    const struct instruction *in = &run->results[0].in;
    int dist = wsim_dist_find(o->random);
    struct wsim_op op = in->op;
    struct wsim_plan plan;
    struct wsim_diag diag;
    uint32_t seed = 1;
    tool_number("--seed", o->seed, UINT32_MAX, &seed);
    if (dist < 0 || dist >= WSIM_DISTS)
        tool_fail("--random: unknown distribution '%s' (--help lists them)",
                  text_cut(o->random).text);
    if (!o->size)
        tool_fail("--random needs the size of A and B: --size MxNxK");
    read_size(o->size, size);
    if (in->is_umma && !other_drawn(&in->umma, &op))
        tool_fail("--random: no other instruction has these types; give files");
    if (wsim_plan_make(&op, 0, &plan, &diag))
        tool_refuse(NULL, &diag);
    snprintf(drawn, sizeof drawn, "%s, seed %lu", wsim_dist_name((unsigned)dist),
             (unsigned long)seed);
    plan.key = 0; /* the same matrices for every instruction that takes these types */
    run->drawn = drawn;
    matrix_draw(&run->a, &plan, WSIM_IN_A, seed, (unsigned)dist, size->m, size->k);
    matrix_draw(&run->b, &plan, WSIM_IN_B, seed, (unsigned)dist, size->k, size->n);
}

static void check_extent(const struct matrix *m, size_t rows, size_t columns) {
    if (!m->elements || (m->rows == rows && m->columns == columns))
        return;
    tool_fail("%s is %zu x %zu: A and B need %zu x %zu", m->name, m->rows, m->columns, rows,
              columns);
}

static void read_files(struct gemm_run *run, const struct options *o, const char **files,
                       struct wsim_gemm_size *size) {
    if (!files[0] || !files[1] || files[2])
        tool_fail("two files are needed, A.npy and B.npy, or --random and --size");
    if (o->size || o->seed)
        tool_fail("--size and --seed need --random: files have their own size");
    matrix_read(&run->a, files[0], &o->reading);
    matrix_read(&run->b, files[1], &o->reading);
    *size = (struct wsim_gemm_size){.m = run->a.rows, .n = run->b.columns, .k = run->a.columns};
    if (run->a.columns != run->b.rows)
        tool_fail("A is %zu x %zu and B is %zu x %zu: B needs as many rows as A has "
                  "columns",
                  run->a.rows, run->a.columns, run->b.rows, run->b.columns);
}

static void fill(struct gemm_run *run, const struct options *o, const char **files,
                 struct wsim_gemm_size *size) {
    uint32_t promote = 0, split = 0;
    if (o->random && files[0])
        tool_fail("--random draws A and B: unexpected file '%s'", text_cut(*files).text);
    if (o->random)
        draw(run, o, size);
    else
        read_files(run, o, files, size);
    if (o->c)
        matrix_read(&run->c, o->c, &o->reading);
    check_extent(&run->c, size->m, size->n);
    tool_number("--promote", o->promote, 1u << 30, &promote);
    tool_number("--split-k", o->split, 1u << 30, &split);
    size->promote = promote;
    size->split = split;
}

/* --- products --- */

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct progress {
    const char *name;
    double started;
};

static void show(void *context, uint64_t done, uint64_t all) {
    const struct progress *p = context;
    const double time = now(CLOCK_MONOTONIC) - p->started;
    if (done)
        screen_progress("%s: %.0f %%, %.1f s, %.1f s to go", p->name,
                        100 * (double)done / (double)all, time,
                        time * (double)(all - done) / (double)done);
}

static uint64_t digest(const struct matrix *m) {
    uint64_t hash = wsim_stream_hash(m->rows, m->columns);
    for (size_t row = 0; row < m->rows; row++)
        for (size_t column = 0; column < m->columns; column++)
            hash = wsim_hash_mix(hash ^ matrix_get(m, row, column)) + 0x9e3779b97f4a7c15u;
    return hash;
}

_Noreturn static void refuse_on(const struct gemm_result *result, const struct wsim_diag *diag) {
    if (diag->status == WSIM_NO_MEMORY)
        memory_out();
    tool_refuse(result->name, diag);
}

/* The product on the architecture of a result, into `d`. */
static void multiply(struct gemm_run *run, struct gemm_result *result, const struct wsim_code *code,
                     const struct wsim_gemm_size *size, unsigned jobs, struct matrix *d) {
    struct progress progress = {.name = result->name, .started = now(CLOCK_MONOTONIC)};
    struct wsim_gemm_how how = {jobs, show, &progress};
    double processor = now(CLOCK_PROCESS_CPUTIME_ID);
    struct wsim_gemm_to to;
    struct wsim_gemm gemm;
    struct wsim_diag diag;
    enum wsim_status status = wsim_gemm_prepare(code, size, &gemm, &diag);
    if (status)
        refuse_on(result, &diag);
    if (result == run->results)
        run->gemm = gemm;
    *d = (struct matrix){.name = "D",
                         .format = gemm.d,
                         .bytes = gemm.element_d,
                         .rows = size->m,
                         .columns = size->n,
                         .from = {.row = size->n, .column = 1}};
    d->elements = memory_make(size->m * size->n + 1, gemm.element_d);
    to = (struct wsim_gemm_to){d->elements, size->n, 1};
    status = wsim_gemm_multiply(&gemm, &run->a.from, &run->b.from,
                                run->c.elements ? &run->c.from : NULL, &to, &how, &diag);
    result->seconds = now(CLOCK_MONOTONIC) - progress.started;
    result->processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
    screen_progress(NULL);
    if (status)
        refuse_on(result, &diag);
    result->path = wsim_code_path(code);
    result->digest = digest(d);
    if (scaled_is_rounded(run))
        result->error = scaled_error(run, d);
}

/* The instruction on the architecture of a result; its own one if it lacks that of the first. */
static void choose(const struct gemm_run *run, struct gemm_result *result,
                   const struct wsim_code *first) {
    const struct instruction *in = &run->results[0].in;
    struct wsim_op other = {0};
    struct wsim_gemm gemm;
    struct wsim_diag diag;
    result->in = *in;
    if (!instruction_check(in, result->arch, &diag) ||
        wsim_gemm_prepare(first, &(struct wsim_gemm_size){0}, &gemm, NULL))
        return;
    result->is_other = 1;
    if (instruction_tensor(in, 128, 128, &result->in) &&
        !instruction_check(&result->in, result->arch, NULL))
        return;
    if (!other_find(in, first, result->arch, &other))
        tool_fail("%s; no other instruction of %s multiplies %s by %s to %s", diag.text,
                  result->name, gemm.a->name, gemm.b->name, gemm.d->name);
    result->in = instruction_of(&other);
}

/* Prepares the code of every architecture before the first product: a wrong name costs no time. */
static void prepare_all(struct gemm_run *run, uint32_t flags, struct wsim_code *codes) {
    struct wsim_diag diag;
    for (size_t i = 0; i < run->count; i++) {
        struct gemm_result *result = &run->results[i];
        if (i > 0 && !result->is_other)
            choose(run, result, &codes[0]);
        if (instruction_prepare(&result->in, result->arch, flags, &codes[i], &diag))
            tool_refuse(result->name, &diag);
        if (result->is_other)
            other_check(&run->results[0].in, &codes[0], result, &codes[i]);
        result->evidence = instruction_evidence(&result->in, result->arch);
    }
}

static void multiply_all(struct gemm_run *run, const struct wsim_code *codes,
                         const struct wsim_gemm_size *size, unsigned jobs) {
    multiply(run, &run->results[0], &codes[0], size, jobs, &run->d);
    for (size_t i = 1; i < run->count; i++) {
        struct matrix d = {0};
        multiply(run, &run->results[i], &codes[i], size, jobs, &d);
        compare(&run->d, &d, &run->results[i].comparison);
        free(d.elements);
    }
}

/* --- the command --- */

enum { MOST_WORDS = 24, MOST_FILES = 3 };

/* The instruction, of tcgen05 with fields like M=128 among the other arguments; the rest are files,
 * of which one too many is kept. */
static void read_instruction(const char **args, struct instruction *in, const char **files) {
    const int is_umma = umma_is(args[0]);
    const char *words[MOST_WORDS + 1] = {args[0], is_umma ? "N=128" : NULL};
    size_t n = 2, f = 0;
    for (size_t i = 1; args[0] && args[i]; i++)
        if (is_umma && strchr(args[i], '=') && n < MOST_WORDS)
            words[n++] = args[i];
        else if (f < MOST_FILES)
            files[f++] = args[i];
    instruction_read(words, in);
}

/* "ARCH" or "SPELLING@ARCH". */
static void add_result(struct gemm_run *run, const char *text) {
    struct gemm_result *result = &run->results[run->count];
    const char *at = strrchr(text, '@'), *name = at ? at + 1 : text;
    if (run->count == GEMM_RESULTS - 1)
        tool_fail("--compare: at most %d architectures", GEMM_RESULTS - 2);
    result->arch = tool_target(name);
    name = wsim_arch_name(result->arch);
    if (at) {
        char *spelling = memory_text(text, (size_t)(at - text));
        read_instruction((const char *[]){spelling, NULL}, &result->in, NULL);
        free(spelling);
        result->is_other = 1;
    }
    if (at && result->arch == run->results[0].arch)
        name = text;
    result->name = memory_text(name, strlen(name));
    text_mask(result->name);
    run->count++;
}

static void name_all(struct gemm_run *run, const struct options *o) {
    const char *at = o->compare;
    add_result(run, o->arch ? o->arch : instruction_arch(&run->results[0].in));
    while (at) {
        size_t length = strcspn(at, ",");
        char *one = memory_text(at, length);
        add_result(run, one);
        free(one);
        at = at[length] ? at + length + 1 : NULL;
    }
}

/* Compares D with a file. */
static void expect(struct gemm_run *run, const struct options *o) {
    struct gemm_result *result = &run->results[run->count];
    struct matrix expected = run->d;
    if (!o->expect)
        return;
    expected.name = "the expected D";
    expected.elements = NULL;
    matrix_read(&expected, o->expect, &(struct matrix_reading){0});
    check_extent(&expected, run->d.rows, run->d.columns);
    compare(&run->d, &expected, &result->comparison);
    result->name = memory_text(o->expect, strlen(o->expect));
    text_mask(result->name);
    run->count++;
    free(expected.elements);
}

static int differs(const struct gemm_run *run) {
    for (size_t i = 1; i < run->count; i++)
        if (run->results[i].comparison.different)
            return 1;
    return 0;
}

/* Reads the matrices after checking that the instruction multiplies any. */
static void fill_for(struct gemm_run *run, const struct options *o, const char **args,
                     const struct wsim_code *code, struct wsim_gemm_size *size) {
    const char *const scales[] = {o->sfa, o->sfb};
    struct wsim_gemm gemm;
    struct wsim_diag diag;
    if (wsim_gemm_prepare(code, size, &gemm, &diag))
        tool_refuse(run->results[0].name, &diag);
    if (!instruction_layout(&run->results[0].in, run->results[0].arch, WSIM_D, &run->layout))
        run->layout = (struct wsim_layout){.format = gemm.d, .elem_bits = gemm.d->bits};
    open_matrices(run, &gemm);
    fill(run, o, args, size);
    scaled_fill(run, code, size, scales);
}

static void run_gemm(struct gemm_run *run, const struct options *o, const char **args) {
    struct wsim_code *codes = memory_make(GEMM_RESULTS, sizeof *codes);
    const char *files[MOST_FILES + 1] = {NULL};
    struct wsim_gemm_size size = {0};
    unsigned jobs;
    read_instruction(args, &run->results[0].in, files);
    name_all(run, o);
    jobs = tool_jobs(o->jobs, WSIM_GEMM_JOBS);
    prepare_all(run, o->path, codes);
    fill_for(run, o, files, &codes[0], &size);
    multiply_all(run, codes, &size, jobs);
    expect(run, o);
    if (o->d)
        matrix_write(&run->d, o->d);
    free(codes);
}

static int print(const struct gemm_run *run, enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.gemm");
    gemm_answer(doc, run);
    return doc_close(doc, differs(run) ? TOOL_FOUND : TOOL_FINE);
}

static int run_command(struct tool *tool) {
    const struct options *o = tool->options;
    struct gemm_run *run = memory_make(1, sizeof *run);
    const int is_piped = o->d && strcmp(o->d, "-") == 0;
    int status;
    run->timed = o->timed;
    run_gemm(run, o, tool->args);
    status = !is_piped ? print(run, tool->format) : differs(run) ? TOOL_FOUND : TOOL_FINE;
    for (size_t i = 0; i < run->count; i++)
        free(run->results[i].name);
    matrix_free(&run->a);
    matrix_free(&run->b);
    matrix_free(&run->c);
    matrix_free(&run->d);
    free(run);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Input"),
    {"arch", 0, TOOL_STRING, TOOL_AT(arch), "Target, such as sm_80 or h100", "NAME"},
    {"c", 'c', TOOL_STRING, TOOL_AT(c), "Matrix C (zeros)", "FILE"},
    {"sfa", 0, TOOL_STRING, TOOL_AT(sfa), "Scale factors of A, if A is bits", "FILE"},
    {"sfb", 0, TOOL_STRING, TOOL_AT(sfb), "Scale factors of B, if B is bits", "FILE"},
    {"bits", 0, TOOL_FLAG, TOOL_AT(reading.bits), "Read files as bits of types NumPy lacks", NULL},
    {"round", 0, TOOL_FLAG, TOOL_AT(reading.round), "Round floats to the operand type", NULL},
    {"random", 0, TOOL_STRING, TOOL_AT(random), "Draw A and B from this distribution", "NAME"},
    {"seed", 0, TOOL_STRING, TOOL_AT(seed), "Seed of --random (1)", "NUMBER"},
    {"size", 0, TOOL_STRING, TOOL_AT(size), "Size of --random", "MxNxK"},
    TOOL_GROUP("Arithmetic"),
    {"promote", 0, TOOL_STRING, TOOL_AT(promote), "Add accumulators to f32 every K elements of k", "K"},
    {"split-k", 0, TOOL_STRING, TOOL_AT(split), "Split k into N slices and add them", "N"},
    TOOL_GROUP("Comparison"),
    {"compare", 0, TOOL_STRING, TOOL_AT(compare), "Compare with these targets", "[SPELLING@]NAME,..."},
    {"expect", 0, TOOL_STRING, TOOL_AT(expect), "Compare D with this file", "FILE"},
    TOOL_GROUP("Speed"),
    {"jobs", 0, TOOL_INT, TOOL_AT(jobs), "Threads (0: one per processor)", "N"},
    {"path", 0, TOOL_PATH, TOOL_AT(path), "Limit the path: plain, avx2 ...", "PATH"},
    {"time", 0, TOOL_FLAG, TOOL_AT(timed), "Print the elapsed time", NULL},
    TOOL_GROUP(TOOL_REPORT),
    {"d", 'd', TOOL_STRING, TOOL_AT(d), "Write D into this file", "FILE"},
    TOOL_OPTIONS_END};

const struct tool_command gemm_command = {
    "SPELLING [FIELD=VALUE...] [A.npy B.npy]", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON | TOOL_JSON_FLAG, NULL, run_command};
/* clang-format on */
