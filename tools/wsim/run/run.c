/* wsim run: runs whole kernels from PTX, with their results, findings and the cost of each line. It
 * also runs a program with all the kernels that it launches. */
#include "again.h"
#include "command.h"
#include "judge.h"
#include "minimize.h"
#include "print.h"
#include "report.h"
#include "save.h"
#include "../common/child.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/output.h"
#include "../common/suppress.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "../program/program.h"
#include "../program/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "Runs kernels as a GPU does, bit for bit: blocks, warps, shared memory, barriers, matrix\n"
    "instructions, copies. Start with docs/kernels.md.\n\n"
    "PROGRAM runs as it is, without a GPU, with all the kernels that it launches: an executable\n"
    "of nvcc, a script, a test runner (docs/programs.md). Its output and exit status are its own,\n"
    "and the report follows on standard error. Exit status 1 instead of 0 for findings.\n\n"
    "--launch reads the launch from a file; without it the options launch FILE.ptx;\n"
    "several files are linked into one program (nvcc -rdc=true -ptx). nvcc compiles FILE.cu.\n"
    "Give --arg once for each parameter:\n\n"
    "  TYPE:VALUE   s32:5, f32:1.5, u64:0x10: u s b with 8 to 64 bits, f16 bf16 f32 f64\n"
    "  NAME@FILE    a buffer with these bytes; of FILE.npy the elements\n"
    "  NAME[BYTES]  an uninitialised buffer; with =FILL each byte is FILL\n"
    "  'float NAME[COUNT]=0'\n"
    "               the same, counted in elements; =0 fills it\n"
    "  NAME+OFFSET  a buffer of another --arg\n"
    "  {...}        an argument as a launch file has it: tensor maps, structs\n\n"
    "--buffer takes NAME@FILE or NAME[BYTES] for buffers that only a {...} names.\n\n"
    "--out NAME=FILE writes a buffer (FILE.npy,TYPE,SHAPE: its elements). --expect NAME=FILE "
    "compares\n"
    "one; ,TYPE with ,abs= ,rel= or ,ulp= compares floats within limits. Both are repeatable.\n\n"
    "--check takes all (default), none, or a list of " CHECK_WORDS ", which always has memory. "
    "Programs have api and leak too. Exit status 1 for findings or differences, 3 if wsim does not "
    "model all code of the kernels; then nothing ran. A program that --timeout ends has 124.\n";
static const char examples[] =
    "  wsim run --launch tests/kernels/sgemm/naive.json --lines 5\n"
    "  wsim run --check memory,race -o report.txt ctest --test-dir build\n";

enum { OF_KERNELS = TOOL_PICTURES | TOOL_JSON | TOOL_SARIF, FORMATS = OF_KERNELS | TOOL_JUNIT };

struct options {
    struct command command;
    struct machine_options machine;
    struct print_options print;
    struct program_options program; /* some of these are options of kernels too */
    char *report, *part, *seeds, *most, *lines, *source, *timeout, *variables;
    uint32_t orders;                 /* seeds to try */
    unsigned long long first, units; /* of --part */
    int no_contract, as_written, minimize, both, raw;
};

/* --- words --- */

static uint32_t read_checks(const char *text) {
    uint32_t checks = WSIM_CHECK_ALL;
    const char *wrong = text ? checks_read(text, WSIM_CHECK_ALL, &checks) : NULL;
    if (wrong)
        tool_fail("--check '%s': expected all, none, or a list of " CHECK_WORDS,
                  text_cut(wrong).text);
    return checks;
}

static uint8_t read_async(const char *text, int *both) {
    const int late = text && strcmp(text, "late") == 0;
    *both = text && strcmp(text, "both") == 0;
    if (text && !late && !*both && strcmp(text, "eager") != 0)
        tool_fail("--async '%s': expected eager, late or both", text_cut(text).text);
    return late ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER;
}

static uint64_t read_wide(const char *option, const char *text) {
    char *end;
    uint64_t number;
    if (!text)
        return 0;
    errno = 0;
    number = strtoull(text, &end, 0);
    if (errno)
        tool_fail("%s '%s': a number has at most 64 bits", option, text_cut(text).text);
    if (*text < '0' || *text > '9' || *end)
        tool_fail("%s '%s': expected a number", option, text_cut(text).text);
    return number;
}

/* "FIRST,COUNT". */
static void read_part(const char *text, unsigned long long *first, unsigned long long *units) {
    char rest;
    if (text &&
        (sscanf(text, "%llu,%llu%c", first, units, &rest) != 2 || strchr(text, '-') || !*units))
        tool_fail("--part '%s': expected FIRST,COUNT: two numbers", text_cut(text).text);
}

#define MOST_SECONDS 1e9 /* 31 years */

/* Seconds, more than 0; 0: no limit. */
static double read_timeout(const char *text) {
    char *end;
    const double seconds = text ? strtod(text, &end) : 0;
    if (text && (*text < '0' || *text > '9' || *end || !(seconds > 0 && seconds <= MOST_SECONDS)))
        tool_fail("--timeout '%s': give a number of seconds, such as 10 or 0.5",
                  text_cut(text).text);
    return seconds;
}

static void read_options(struct options *o, enum tool_format *format, uint32_t *lines) {
    struct wsim_launch_options *launch = &o->machine.launch;
    if (o->report)
        *format = tool_format(o->report, OF_KERNELS);
    *lines = *format == TOOL_TEXT ? 10 : 1u << 20;
    launch->checks = read_checks(o->program.runtime.check);
    launch->async = read_async(o->program.runtime.async, &o->both);
    launch->seed = read_wide("--seed", o->program.runtime.seed);
    launch->max_instructions = read_wide("--max-instructions", o->most);
    launch->variables = read_wide("--variables", o->variables);
    o->machine.timeout = read_timeout(o->timeout);
    tool_number("--seeds", o->seeds, 1000, &o->orders);
    read_part(o->part, &o->first, &o->units);
    tool_number("--threads", o->program.runtime.threads, 1024, &launch->threads);
    tool_number("--lines", o->lines, 1u << 20, lines);
    launch->flags = (o->no_contract ? WSIM_MODULE_NO_CONTRACT : 0) |
                    (o->as_written ? WSIM_MODULE_AS_WRITTEN : 0);
    launch->partial = !o->command.launch;
    o->machine.progress = isatty(STDERR_FILENO);
}

/* --- the command --- */

/* The folder of the sources: that of the PTX. */
static char *source_folder(const struct options *o, const struct opened *opened) {
    char *folder, *whole;
    if (o->source)
        return memory_text(o->source, strlen(o->source));
    folder = input_folder(opened->parts->ptx[0].name);
    if (!opened->folder || o->command.ptx)
        return folder;
    whole = memory_join(opened->folder, "/", folder);
    free(folder);
    return whole;
}

static int answer(const struct options *o, struct run_report *report, struct suppress *suppress,
                  struct machine *machine, const struct print *print, enum tool_format format,
                  uint32_t lines) {
    char *folder = source_folder(o, machine->opened);
    int status = TOOL_GO;
    report_open(report, machine, lines, folder, suppress);
    report->print = print;
    report->masks = !o->raw && isatty(STDOUT_FILENO);
    if (o->minimize && report_found(report))
        status = minimize(report);
    if (status == TOOL_GO && machine->ran == machine->launch->nlaunches)
        status = again_run(report, o->orders, o->both);
    if (status == TOOL_GO)
        status = report_print(report, format);
    if (status == TOOL_GO && machine->ran == machine->launch->nlaunches && !machine->stopped)
        status = save_all(machine);
    else if (status == TOOL_GO && machine->launch->nsaves)
        tool_note("launches[%zu] was stopped: --out and save write nothing", machine->ran - 1);
    if (status == TOOL_GO)
        status = suppress_write(suppress, "wsim run");
    if (status == TOOL_GO)
        status = report_found(report) ? TOOL_FOUND : TOOL_FINE;
    report_close(report);
    free(folder);
    return status;
}

static int run(struct options *o, struct print *print, enum tool_format format) {
    struct opened opened;
    struct machine machine;
    struct run_report report;
    struct suppress suppress;
    uint32_t lines;
    int status;
    read_options(o, &format, &lines);
    status = suppress_open(&suppress, &o->program.runtime.suppress, judge_text, &report);
    if (status != TOOL_GO) {
        suppress_close(&suppress);
        return status;
    }
    o->machine.launch.look = print_look(print);
    status = command_read(&o->command, &opened);
    if (status == TOOL_GO)
        status = save_check(&opened);
    if (status == TOOL_GO) {
        const size_t n = opened.parts->nlaunches;
        status = machine_open(&machine, &opened, &o->machine);
        if (status == TOOL_USAGE && !o->command.args && compile_main(o->command.ptx))
            tool_note(
                "%s has a main(): nvcc -lineinfo -o program %s, then wsim run ./program runs it "
                "whole",
                text_path(compile_main(o->command.ptx)).text,
                text_path(compile_main(o->command.ptx)).text);
        if (status == TOOL_GO)
            wsim_session_part(machine.session, n - 1, o->first, o->units);
        if (status == TOOL_GO)
            status = machine_fill(&machine);
        if (status == TOOL_GO)
            status = machine_check(&machine);
        if (status == TOOL_GO)
            status = print_begin(print);
        if (status == TOOL_GO)
            status = machine_run(&machine, n);
        if (status == TOOL_GO)
            status = print_end(print);
        if (status == TOOL_GO)
            status = answer(o, &report, &suppress, &machine, print, format, lines);
        if (status == TOOL_FINE && print_missing(print) != TOOL_GO)
            status = TOOL_USAGE;
        machine_close(&machine);
    }
    opened_close(&opened);
    suppress_close(&suppress);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Input"),
    {"launch", 0, TOOL_STRING, TOOL_AT(command.launch), "Read the launch from this JSON file", "FILE"},
    {"symbol", 0, TOOL_STRINGS, TOOL_AT(command.symbols), "Contents of a variable", "NAME=FILE"},
    {"arch", 0, TOOL_STRING, TOOL_AT(command.arch), "Target (that of the PTX)", "NAME"},
    {"nvcc", 0, TOOL_STRING, TOOL_AT(command.nvcc), "Compiler of FILE.cu (NVCC, CUDA_HOME, PATH)", "PROGRAM"},
    {"source", 0, TOOL_STRING, TOOL_AT(source), "Folder of the sources (that of the PTX)", "FOLDER"},
    TOOL_GROUP("Launch"),
    {"kernel", 0, TOOL_STRING, TOOL_AT(command.kernel), "Kernel, or a part of its name", "NAME"},
    {"grid", 0, TOOL_STRING, TOOL_AT(command.grid), "Blocks: 4,4 or 4x4 (1)", "X,Y,Z"},
    {"block", 0, TOOL_STRING, TOOL_AT(command.block), "Threads of a block (.reqntid, or 1)", "X,Y,Z"},
    {"cluster", 0, TOOL_STRING, TOOL_AT(command.cluster), "Blocks of a cluster", "X,Y,Z"},
    {"shared", 0, TOOL_STRING, TOOL_AT(command.shared), "Dynamic shared memory (0)", "BYTES"},
    {"cooperative", 0, TOOL_FLAG, TOOL_AT(command.cooperative), "Cooperative launch: blocks may wait for each other", NULL},
    {"arg", 'a', TOOL_STRINGS, TOOL_AT(command.args), "Parameter of the kernel", "ARG"},
    {"buffer", 0, TOOL_STRINGS, TOOL_AT(command.buffers), "Buffer of a tensor map or struct", "BUFFER"},
    {"out", 0, TOOL_STRINGS, TOOL_AT(command.outs), "Write a buffer into a file", "NAME=FILE"},
    {"expect", 0, TOOL_STRINGS, TOOL_AT(command.expects), "Compare a buffer with a file", "NAME=FILE"},
    {"no-contract", 0, TOOL_FLAG, TOOL_AT(no_contract),
     "Keep mul and add apart, which ptxas fuses", NULL},
    {"part", 0, TOOL_STRING, TOOL_AT(part), "Run COUNT blocks of the last launch", "FIRST,COUNT"},
    TOOL_GROUP("Programs"),
    RUNTIME_ROWS(program.runtime),
    {"records", 0, TOOL_STRING, TOOL_AT(program.records), "Keep the records of its processes, for wsim run --merge", "DIR"},
    TOOL_GROUP("Checks and findings"),
    {"check", 0, TOOL_STRING, TOOL_AT(program.runtime.check), "Checks, memory always: " CHECK_WORDS_ALL " (default: all but leak)", "LIST"},
    {"async", 0, TOOL_STRING, TOOL_AT(program.runtime.async), "When copies complete: eager, late or both", "WHEN"},
    {"seed", 0, TOOL_STRING, TOOL_AT(program.runtime.seed), "Shuffle warps and blocks (0: no)", "NUMBER"},
    {"seeds", 0, TOOL_STRING, TOOL_AT(seeds), "Compare N shuffled runs (1)", "N"},
    {"minimize", 0, TOOL_FLAG, TOOL_AT(minimize), "Find the blocks that a failure needs", NULL},
    SUPPRESS_ROWS(program.runtime.suppress),
    TOOL_GROUP("Look inside"),
    {"print", 0, TOOL_STRINGS, TOOL_AT(print.places), "Print values at FILE:LINE[:EXPRESSION]", "PLACE"},
    {"trace", 0, TOOL_STRING, TOOL_AT(print.trace), "Write each executed instruction to a file", "FILE"},
    {"at-block", 0, TOOL_STRING, TOOL_AT(print.block), "Block of --print and --trace (all)", "X,Y,Z"},
    {"at-warp", 0, TOOL_STRING, TOOL_AT(print.warp), "Warp of --print and --trace (all)", "N"},
    {"at-lane", 0, TOOL_STRING, TOOL_AT(print.lane), "Lane of --print and --trace (all)", "N"},
    {"at-most", 0, TOOL_STRING, TOOL_AT(print.limit), "Limit of prints for a place (8)", "N"},
    TOOL_GROUP("Counts"),
    {"lines", 0, TOOL_STRING, TOOL_AT(lines), "Lines of the cost table (text: 10)", "N"},
    {"assembler", 0, TOOL_STRING, TOOL_AT(machine.assembler),
     "Count shared accesses of machine code: auto, ptxas' PATH, none", "WHICH"},
    {"as-written", 0, TOOL_FLAG, TOOL_AT(as_written),
     "Count shared accesses of the PTX; ptxas merges neighbours", NULL},
    TOOL_GROUP("Speed and limits"),
    {"threads", 0, TOOL_STRING, TOOL_AT(program.runtime.threads), "Host threads (all)", "N"},
    {"max-instructions", 0, TOOL_STRING, TOOL_AT(most), "Stop after N instructions (0: never)", "N"},
    {"timeout", 0, TOOL_STRING, TOOL_AT(timeout), "Stop after this time (none)", "SECONDS"},
    {"variables", 0, TOOL_STRING, TOOL_AT(variables), "Limit of the variables of a module (4 GiB)", "BYTES"},
    TOOL_GROUP(TOOL_REPORT),
    {"raw", 0, TOOL_FLAG, TOOL_AT(raw), "Print control characters of printf to a terminal", NULL},
    {"output", 'o', TOOL_STRING, TOOL_AT(program.output), "Write the report into this file", "FILE"},
    {"report", 0, TOOL_STRING, TOOL_AT(report), "The older name of --format", "FORMAT"},
    TOOL_OPTIONS_END};
/* clang-format on */

static int is_given(const struct options *o, const struct tool_option *row) {
    const void *member = (const char *)o + row->at;
    return row->kind == TOOL_FLAG      ? *(const int *)member
           : row->kind == TOOL_STRINGS ? *(char **const *)member != NULL
                                       : *(char *const *)member != NULL;
}

/* Refuses options, a list of names that ends with NULL, that have no meaning here. */
static void refuse(const struct options *o, const char *what, const char *const *names) {
    for (; *names; names++)
        for (const struct tool_option *row = rows; row->name; row++)
            if (strcmp(row->name, *names) == 0 && is_given(o, row))
                tool_fail("--%s is an option of %s", *names, what);
}

static int run_program(struct options *o, const char *const *argv, enum tool_format format) {
    static const char *const names[] = {
        "launch", "kernel", "grid",   "block", "shared", "cluster", "arg",      "buffer",
        "out",    "expect", "symbol", "seeds", "part",   "source",  "minimize", NULL};
    struct program_options *program = &o->program;
    char *look;
    refuse(o, "kernels", names);
    read_wide("--max-instructions", o->most);
    program->runtime.arch = o->command.arch;
    program->runtime.most = o->most;
    program->timeout = read_timeout(o->timeout);
    program->assembler = o->machine.assembler;
    program->print = &o->print;
    if (print_json(&o->print, "", &look) != TOOL_GO) /* before anything runs */
        return TOOL_USAGE;
    free(look);
    program->format = o->report ? tool_format(o->report, FORMATS) : format;
    program->lines = records_lines(program->format);
    tool_number("--lines", o->lines, 1u << 20, &program->lines);
    /* a later wsim run --merge may show what records keep */
    program->runtime.lines = program->lines > 0 || (program->records && !o->lines);
    return program_run(program, argv);
}

/* Whether a name is that of a program in this folder. */
static int is_here(const char *name) {
    char *path = memory_join("./", name, "");
    const int is = child_is_command(path);
    free(path);
    return is;
}

static int run_kernels(struct tool *tool) {
    struct options *o = tool->options;
    static const char *const names[] = {"device-memory", "devices", "launches", "records",
                                        "shard",         "ptx",     NULL};
    struct print *print = NULL;
    const char *name = tool->args[0];
    int status;
    if (tool->is_program)
        return run_program(o, tool->args, tool->format);
    refuse(o, "programs", names);
    tool_allows(tool->format, OF_KERNELS);
    if (name && text_ends(name, ".json") && !tool->args[1] && !o->command.launch) {
        o->command.launch = memory_text(name, strlen(name));
        name = NULL;
    }
    if (name && !strchr(name, '/') && is_here(name))
        tool_fail("'%s': a program of this folder is wsim run ./%s", text_cut(name).text,
                  text_cut(name).text);
    if (name && !strchr(name, '.') && access(name, F_OK))
        tool_fail("'%s': no such program", text_cut(name).text);
    if (name && text_ends(name, ".py"))
        tool_fail("'%s' is no executable: wsim run python3 %s runs the script", text_cut(name).text,
                  text_cut(name).text);
    status = o->program.output ? output_redirect(o->program.output) : TOOL_GO;
    if (status == TOOL_GO)
        status = print_open(&o->print, &print);
    o->command.ptx = name ? (const char *const *)tool->args : NULL;
    if (status == TOOL_GO)
        status = run(o, print, tool->format);
    command_close(&o->command);
    print_close(print);
    return status;
}

/* clang-format off */
const struct tool_command run_command = {
    "[FILE.ptx|FILE.cu...|PROGRAM [ARGUMENT...]]", about, examples, rows, sizeof(struct options), FORMATS | TOOL_JSON_FLAG | TOOL_PROGRAM, NULL, run_kernels};
/* clang-format on */
