/* wsim ptx: the contents of PTX files, and their code without a model. */
#include "../common/doc.h"
#include "../common/memory.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "../../lib/launch_files.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/kernel.h>

/* Bytes of one file; the largest files of compilers have a tenth. */
#define MOST_BYTES ((uint64_t)256 << 20)

static const char about[] =
    "Lists the kernels of PTX files, plain or packed (.zst, .xz, .gz), with their parameters\n"
    "and resources, and counts unmodelled and invalid code. '-' is standard input. A kernel is\n"
    "modelled if wsim models all its code and the functions that it calls: wsim run then\n"
    "accepts it, whatever else the file contains. Instruction counts include called functions;\n"
    "register counts are of registers in use. --link reads all files as one program, as wsim\n"
    "run does, and resolves .extern. Exit status 2 if a file cannot be read or is not PTX,\n"
    "else 3 if some code is not modelled, else 0.\n";
static const char examples[] =
    "  wsim check --contents tests/kernels/divergence/divergence.ptx\n"
    "  wsim check --contents --quiet tests/kernels/reductions/reductions.ptx\n";

struct options {
    int quiet, lenient, together;
};

/* --- files --- */

struct file {
    void *bytes; /* of the heap */
    uint64_t size;
};

static int read_stdin(struct file *out) {
    enum { FIRST = 1 << 16 };
    size_t room = FIRST, n = 1;
    for (; n; room *= 2) {
        out->bytes = memory_grow(out->bytes, room + 1);
        n = fread((char *)out->bytes + out->size, 1, room - (size_t)out->size, stdin);
        out->size += n;
        if (out->size > MOST_BYTES)
            return tool_error("<stdin> has more than %lu bytes", (unsigned long)MOST_BYTES);
    }
    return ferror(stdin) ? tool_error("<stdin> cannot be read") : TOOL_GO;
}

static int read_file(const char *name, struct file *out) {
    const struct wsim_launch_files files = launch_files(NULL);
    struct wsim_diag diag;
    enum wsim_status status;
    if (strcmp(name, "-") == 0)
        return read_stdin(out);
    status = files.open(NULL, name, MOST_BYTES, &out->bytes, &out->size, &diag);
    if (status == WSIM_NO_MEMORY)
        memory_out();
    if (status)
        return tool_error("%s", diag.text);
    return out->size <= MOST_BYTES ? TOOL_GO
                                   : tool_error("%s has more than %lu bytes", text_path(name).text,
                                                (unsigned long)MOST_BYTES);
}

/* --- the answer --- */

static const char *plural(unsigned long n) {
    return n == 1 ? "" : "s";
}

/* An extent as JSON and, if there is one, at the end of `line`. */
static void state_extents(struct doc *doc, const char *key, const uint32_t extent[3],
                          const char *word, char line[400]) {
    const size_t used = strlen(line);
    doc_set(doc, key,
            extent[0] ? json_pack("[i,i,i]", (int)extent[0], (int)extent[1], (int)extent[2])
                      : NULL);
    if (extent[0])
        snprintf(line + used, 400 - used, ", %s %ux%ux%u", word, (unsigned)extent[0],
                 (unsigned)extent[1], (unsigned)extent[2]);
}

static void state_params(struct doc *doc, const struct wsim_kernel *kernel) {
    struct wsim_kernel_param param;
    doc_list(doc, "parameters");
    for (size_t i = 0; wsim_kernel_param_at(kernel, i, &param); i++) {
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:o,s:s,s:I,s:I,s:I,s:b}", "name", tool_json_text(param.name), "type",
                 param.type, "bytes", (json_int_t)param.bytes, "align", (json_int_t)param.align,
                 "offset", (json_int_t)param.offset, "pointer", param.pointer);
        doc_line(doc, "    %4lu  %s %s%s, %lu byte%s", (unsigned long)param.offset, param.type,
                 param.name, param.pointer ? " (pointer)" : "", (unsigned long)param.bytes,
                 plural(param.bytes));
        doc_leave(doc);
    }
    doc_leave(doc);
}

/* Accesses of shared memory that machine code has in another way. */
static void state_merged(struct doc *doc, const struct wsim_kernel *kernel) {
    struct wsim_merged merged;
    doc_list(doc, "merged");
    for (size_t i = 0; wsim_kernel_merged(kernel, i, &merged); i++) {
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:I,s:I}", "line", (json_int_t)merged.line, "head",
                 (json_int_t)merged.head);
        doc_list(doc, "accesses");
        for (uint32_t k = 0; k < merged.n; k++) {
            doc_object(doc, NULL, "{s:I,s:I}", "bytes", (json_int_t)merged.bytes[k], "from",
                       (json_int_t)merged.from[k]);
        }
        doc_leave(doc);
        doc_leave(doc);
    }
    doc_leave(doc);
}

static void state_kernel(struct doc *doc, const struct wsim_kernel *kernel) {
    struct wsim_kernel_info info;
    char line[400] = "";
    wsim_kernel_describe(kernel, &info);
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:o,s:I,s:b,s:I,s:I,s:I,s:I,s:b,s:I,s:I,s:I,s:I}", "name",
             tool_json_text(info.name), "line", (json_int_t)info.line, "modelled",
             info.problems == 0, "instructions", (json_int_t)info.instructions, "registers",
             (json_int_t)info.registers, "machine_registers", (json_int_t)info.machine_registers,
             "shared", (json_int_t)info.shared, "dynamic_shared", info.dynamic_shared, "local",
             (json_int_t)info.local, "const", (json_int_t)info.constant, "contractible",
             (json_int_t)info.contractible, "parameter_bytes", (json_int_t)info.param_bytes);
    snprintf(line, sizeof line,
             "%lu instruction%s, %lu registers (about %lu in machine code), shared %lu%s, local "
             "%lu, const %lu bytes",
             (unsigned long)info.instructions, plural(info.instructions),
             (unsigned long)info.registers, (unsigned long)info.machine_registers,
             (unsigned long)info.shared, info.dynamic_shared ? " plus dynamic" : "",
             (unsigned long)info.local, (unsigned long)info.constant);
    state_extents(doc, "reqntid", info.reqntid, "reqntid", line);
    state_extents(doc, "maxntid", info.maxntid, "maxntid", line);
    state_extents(doc, "cluster", info.cluster, "cluster", line);
    doc_line(doc, "  %s: %s%s", info.name, line, info.problems ? "; not modelled" : "");
    state_params(doc, kernel);
    state_merged(doc, kernel);
    doc_leave(doc);
}

static void state_problem(struct doc *doc, const char *name, const struct wsim_problem *problem) {
    char count[32];
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:s,s:s,s:o,s:I,s:I,s:I}", "status", wsim_status_name(problem->status), "rule",
             problem->rule, "text", tool_json_text(problem->text), "line",
             (json_int_t)problem->line, "column", (json_int_t)problem->col, "count",
             (json_int_t)problem->count);
    if (problem->file)
        doc_set(doc, "file", tool_json_text(problem->file));
    doc_set(doc, "kernel", problem->kernel ? tool_json_text(problem->kernel) : NULL);
    snprintf(count, sizeof count, problem->count == 1 ? "once" : "%lu times",
             (unsigned long)problem->count);
    doc_line(doc, "%s:%lu:%lu: %s: %s (%s%s%s) [%s]",
             text_path(problem->file ? problem->file : name).text, (unsigned long)problem->line,
             (unsigned long)problem->col,
             problem->status == WSIM_UNMODELLED ? "not modelled" : "wrong", problem->text, count,
             problem->kernel ? " in " : "", problem->kernel ? problem->kernel : "", problem->rule);
    doc_leave(doc);
}

/* "PTX 9.0 for sm_90a: ..." without parts that the file lacks. */
static void state_head(struct doc *doc, const char *name, const struct wsim_module_info *info,
                       const char *verdict) {
    char version[24] = "";
    if (info->version)
        snprintf(version, sizeof version, " %u.%u", info->version / 10, info->version % 10);
    doc_line(doc, "%s: PTX%s%s%.60s, %lu line%s, %lu instruction%s, %lu kernel%s: %s",
             text_path(name).text, version, *info->target ? " for " : "", info->target,
             (unsigned long)info->lines, plural(info->lines), (unsigned long)info->instructions,
             plural(info->instructions), (unsigned long)info->kernels, plural(info->kernels),
             verdict);
}

static void state_module(struct doc *doc, const char *name, const struct wsim_module *module,
                         int status, int quiet) {
    static const char *const words[][2] = {[TOOL_FINE] = {"modelled", "all modelled"},
                                           [TOOL_UNMODELLED] = {"unmodelled", "not all modelled"},
                                           [TOOL_USAGE] = {"wrong", "not PTX"}};
    char version[24];
    struct wsim_module_info info;
    const struct wsim_kernel *kernel;
    struct wsim_problem problem;
    wsim_module_describe(module, &info);
    snprintf(version, sizeof version, "%u.%u", info.version / 10, info.version % 10);
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:o,s:s,s:s,s:o,s:I,s:I,s:I}", "file", tool_json_text(name), "status",
             words[status][0], "version", version, "target", tool_json_text(info.target), "lines",
             (json_int_t)info.lines, "instructions", (json_int_t)info.instructions, "variables",
             (json_int_t)info.variables);
    if (!quiet)
        state_head(doc, name, &info, words[status][1]);
    doc_list(doc, "kernels");
    for (size_t i = 0; !quiet && (kernel = wsim_module_kernel(module, i)) != NULL; i++)
        state_kernel(doc, kernel);
    doc_leave(doc);
    doc_list(doc, "problems");
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++)
        state_problem(doc, name, &problem);
    doc_leave(doc);
    doc_leave(doc);
}

/* --- the command --- */

static const char *shown_name(const char *name) {
    return strcmp(name, "-") == 0 ? "<stdin>" : name;
}

/* Illegal instructions outweigh unmodelled ones. */
static int status_of(const struct wsim_module *module) {
    struct wsim_problem problem;
    int status = TOOL_FINE;
    for (size_t i = 0; status != TOOL_USAGE && wsim_module_problem(module, i, &problem); i++)
        status = problem.status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
    return status;
}

/* Links the texts and states the program: its exit status. */
static int state_texts(struct doc *doc, const struct wsim_text *texts, size_t n,
                       const struct options *o) {
    const uint32_t flags = WSIM_MODULE_DIAGNOSE | (o->lenient ? WSIM_MODULE_LENIENT : 0);
    struct wsim_module *module = NULL;
    struct wsim_diag diag = {0};
    size_t wrong = 0;
    const enum wsim_status loaded = wsim_module_link(texts, n, flags, &module, &wrong, &diag);
    int status;
    if (!module)
        return tool_refused(text_path(texts[wrong].name).text, &diag);
    status = loaded && loaded != WSIM_UNMODELLED ? TOOL_USAGE : status_of(module);
    state_module(doc, texts[0].name, module, status, o->quiet);
    wsim_module_free(module);
    return status;
}

/* Reads files that are one program and states it: its exit status. */
static int state_files(struct doc *doc, const char *const *names, size_t n,
                       const struct options *o) {
    struct file *files = memory_make(n, sizeof *files);
    struct wsim_text *texts = memory_make(n, sizeof *texts);
    int status = TOOL_GO;
    for (size_t i = 0; i < n && status == TOOL_GO; i++) {
        status = read_file(names[i], &files[i]);
        if (status == TOOL_GO && launch_files_unpack(&files[i].bytes, &files[i].size, MOST_BYTES))
            memory_out();
        texts[i] = (struct wsim_text){shown_name(names[i]), (const char *)files[i].bytes,
                                      (size_t)files[i].size, NULL};
    }
    if (status == TOOL_GO)
        status = state_texts(doc, texts, n, o);
    for (size_t i = 0; i < n; i++)
        free(files[i].bytes);
    free(files);
    free(texts);
    return status;
}

/* Unreadable input outweighs unmodelled code. */
static int worse(int a, int b) {
    static const int rank[] = {[TOOL_FINE] = 0, [TOOL_UNMODELLED] = 1, [TOOL_USAGE] = 2};
    return rank[a] >= rank[b] ? a : b;
}

static int run(struct tool *tool) {
    const char *const *args = (const char *const *)tool->args;
    const struct options *o = tool->options;
    struct doc *doc;
    size_t n = 0;
    int status = TOOL_FINE;
    if (!args[0])
        return tool_error("no file given ('-' reads standard input)");
    while (args[n])
        n++;
    screen_widen(); /* FILE:LINE:COLUMN and its message are one line */
    doc = doc_open(tool->format, "wsim.ptx");
    doc_list(doc, "files");
    for (size_t i = 0; i < n; i += o->together ? n : 1)
        status = worse(status, state_files(doc, args + i, o->together ? n : 1, o));
    doc_leave(doc);
    return worse(status, doc_close(doc, TOOL_FINE));
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"quiet", 'q', TOOL_FLAG, TOOL_AT(quiet), "List only unmodelled and invalid code", NULL},
    {"link", 0, TOOL_FLAG, TOOL_AT(together), "Link the files into one program", NULL},
    {"lenient", 0, TOOL_FLAG, TOOL_AT(lenient), "Accept code of compilers that no assembler accepts (rcp.approx.f64)", NULL},
    TOOL_OPTIONS_END};

const struct tool_command ptx_command = {
    "FILE... | -", about, examples, rows, sizeof(struct options), TOOL_TEXT | TOOL_JSON | TOOL_JSON_FLAG, NULL, run};
/* clang-format on */
