/* wsim lint: mistakes in PTX and inline assembly, found without a compiler. */
#include "print.h"
#include "rules.h"
#include "wrap.h"

#include "../common/input.h"
#include "../common/memory.h"
#include "../common/statement.h"
#include "../common/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Checks inline assembly of CUDA C++ and PTX files: spellings, features of the target,\n"
    "number and type of operands, vector sizes. In asm statements it also checks constraints,\n"
    "volatile and \"memory\", % and %%, scopes of registers and labels, generic pointers used as\n"
    "shared addresses, and missing commits, waits and fences. It runs no compiler and no\n"
    "preprocessor: it evaluates only #if conditions on __CUDA_ARCH__, and skips statements that\n"
    "a macro hides in part. Without --arch, anything legal on some target is accepted.\n"
    "\n"
    "Each line is FILE:LINE:COLUMN: error, warning or note: problem [rule]. Notes are optional.\n"
    "Standard error counts skipped statements. Exit status 1 if there are errors or\n"
    "warnings (--strict: or notes), 2 if a file cannot be read.\n";
static const char examples[] = "  wsim lint -q --arch sm_90a examples/cuda/kernels.cu\n"
                               "  wsim lint -q --format github tests/lint/statements.cu\n";

struct lint {
    const struct wsim_arch *arch;
    struct lint_print print;
    int strict, quiet, status;
    int cuda; /* the name of the file is that of one of CUDA */
    unsigned long statements, hidden, unmodelled;
};

/* A file of PTX begins with its version; before it may be comments. */
static int is_ptx(const char *at) {
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*' && strstr(at + 2, "*/"))
            at = strstr(at + 2, "*/") + 2;
        else
            return strncmp(at, ".version", 8) == 0;
    }
}

/* Whether a statement is PTX and not assembly of the host: one of its instructions has several
 * words and is known, or the file is CUDA. */
static int is_of_ptx(const struct lint *lint, const char *bytes,
                     const struct lint_instructions *instructions) {
    int is = instructions->n == 0;
    for (size_t i = 0; i < instructions->n && !is; i++) {
        const struct lint_span span = instructions->all[i].spelling;
        struct wsim_instruction instruction;
        struct wsim_diag diag;
        char *spelling = memory_text(bytes + span.at, span.n);
        is = strchr(spelling, '.') != NULL &&
             (lint->cuda || wsim_instruction_parse(spelling, &instruction, &diag) == WSIM_OK ||
              strcmp(diag.rule, "spelling.family.unknown") != 0);
        free(spelling);
    }
    return is;
}

/* Checks the spelling in `span` of a text, which stands at `at` in the file. */
static void look_at_spelling(struct lint *lint, const char *bytes, struct lint_span span, size_t at,
                             const struct wsim_arch *arch, struct findings *findings) {
    struct wsim_diag diag;
    char *spelling = memory_text(bytes + span.at, span.n);
    const enum wsim_status status = wrap_spelling(spelling, arch, &diag);
    if (status == WSIM_UNMODELLED)
        lint->unmodelled++;
    else if (status)
        finding_refusal(findings, diag.rule, at + (diag.col ? diag.col - 1 : 0), diag.text);
    free(spelling);
}

/* Checks the instructions of a statement. Code under unknown conditions may be for another version
 * of PTX, so its spellings are skipped. */
static void look_at_instructions(struct lint *lint, const struct wrap *wrap,
                                 const struct lint_asm *statement, const struct lint_text *text,
                                 const struct lint_instructions *instructions,
                                 struct findings *findings) {
    for (size_t i = 0; i < instructions->n; i++) {
        const struct lint_instruction *one = &instructions->all[i];
        if (!wrap->certain)
            lint->unmodelled += !one->known;
        else
            look_at_spelling(lint, text->bytes, one->spelling, text->from[one->spelling.at],
                             wrap->arch, findings);
    }
    wrap_check(wrap, statement, findings);
    rules_order(text, instructions, findings);
    rules_binding(wrap->file, statement, text, instructions, findings);
}

static void look_at_statement(struct lint *lint, const char *bytes,
                              const struct lint_asm *statement, struct findings *findings) {
    const int certain = statement->reached == TRUTH_YES;
    const struct wrap wrap = {bytes, certain ? lint->arch : NULL, certain};
    struct lint_instructions raw = instructions_of(&statement->text);
    const int is_ptx = is_of_ptx(lint, statement->text.bytes, &raw);
    struct lint_text text = {NULL, NULL, 0, 0};
    instructions_free(&raw);
    if (statement->reached == TRUTH_NO || !is_ptx)
        return;
    lint->statements++;
    if (!statement->whole) {
        lint->hidden++;
    } else if (wrap_text(&wrap, statement, &text, findings)) {
        struct lint_instructions instructions = instructions_of(&text);
        look_at_instructions(lint, &wrap, statement, &text, &instructions, findings);
        instructions_free(&instructions);
    }
    lint_text_free(&text);
}

static void look_at_source(struct lint *lint, const char *bytes, size_t size,
                           struct findings *findings) {
    const unsigned number =
        lint->arch ? (unsigned)atoi(wsim_arch_name(lint->arch) + strlen("sm_")) * 10 : 0;
    struct lint_source source = source_of(bytes, size, number);
    struct lint_asm statement;
    while (source_next(&source, &statement)) {
        look_at_statement(lint, bytes, &statement, findings);
        source_free(&statement);
    }
    source_free(&statement);
}

static size_t place_of(const char *bytes, size_t size, uint32_t line, uint32_t col) {
    size_t at = 0;
    while (line-- > 1 && at < size) {
        const char *end = memchr(bytes + at, '\n', size - at);
        at = end ? (size_t)(end - bytes) + 1 : size;
    }
    return at + (col ? col - 1 : 0) < size ? at + (col ? col - 1 : 0) : size;
}

/* Finds instructions that `arch` lacks. The reader of PTX accepts what any target has, and reports
 * unknown spellings and versions itself. */
static void look_at_target(const char *bytes, const struct wsim_arch *arch,
                           struct findings *findings) {
    struct statements in = statements_of(bytes);
    struct statement statement;
    while (statements_next(&in, &statement)) {
        const size_t at = (size_t)(in.line - bytes) + statement.column;
        struct wsim_instruction instruction;
        struct wsim_diag diag;
        if (wsim_instruction_parse(statement.spelling, &instruction, NULL) == WSIM_OK &&
            wsim_instruction_check(&instruction, arch, &diag) == WSIM_ILLEGAL &&
            strncmp(diag.rule, "op.version.", 11) != 0)
            finding_refusal(findings, diag.rule, at, diag.text);
    }
}

/* Checks a file of PTX for --arch or, without it, for its .target. */
static void look_at_ptx(struct lint *lint, const char *bytes, size_t size,
                        struct findings *findings) {
    const struct wsim_arch *arch = lint->arch;
    struct wsim_module_info info;
    struct wsim_module *module;
    struct wsim_problem problem;
    struct wsim_diag diag;
    wsim_module_load(bytes, size, WSIM_MODULE_DIAGNOSE, &module, &diag);
    if (!module) {
        finding_refusal(findings, diag.rule, 0, diag.text);
        return;
    }
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++) {
        const size_t at = place_of(bytes, size, problem.line, problem.col);
        const struct lint_span spelling = {at, strcspn(bytes + at, " \t\r\n;")};
        if (wrap_is_spelling(&problem))
            look_at_spelling(lint, bytes, spelling, at, NULL, findings);
        else if (problem.status == WSIM_UNMODELLED)
            lint->unmodelled += problem.count;
        else
            finding_refusal(findings, problem.rule, at, problem.text);
    }
    wsim_module_describe(module, &info);
    if (arch || (arch = wsim_arch_find(info.target)) != NULL)
        look_at_target(bytes, arch, findings);
    wsim_module_free(module);
}

static int ends_with(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static void look_at_file(struct lint *lint, const char *name) {
    struct findings findings = {NULL, 0, 0};
    size_t size;
    char *bytes = input_bytes(name, &size);
    if (!bytes) {
        lint->status = TOOL_USAGE;
        return;
    }
    for (size_t i = 0; i < size; i++)
        bytes[i] = bytes[i] ? bytes[i] : ' '; /* functions of strings stop at a 0 */
    lint->cuda = ends_with(name, ".cu") || ends_with(name, ".cuh");
    if (is_ptx(bytes))
        look_at_ptx(lint, bytes, size, &findings);
    else
        look_at_source(lint, bytes, size, &findings);
    findings_sort(&findings, bytes, size);
    for (size_t i = 0; i < findings.n; i++)
        if (lint->status == TOOL_FINE && (lint->strict || findings.all[i].severity > SEVERITY_NOTE))
            lint->status = TOOL_FOUND;
    lint_print_file(&lint->print, input_name(name), &findings);
    findings_free(&findings);
    free(bytes);
}

/* Counts what lint skipped; silent if that is nothing. */
static void print_summary(const struct lint *lint) {
    if (!lint->hidden && !lint->unmodelled)
        return;
    fprintf(stderr, "%lu asm statement%s", lint->statements, lint->statements == 1 ? "" : "s");
    if (lint->hidden)
        fprintf(stderr, "; %lu skipped, hidden in part by macros", lint->hidden);
    if (lint->unmodelled)
        fprintf(stderr, "; %lu instruction%s without a model", lint->unmodelled,
                lint->unmodelled == 1 ? "" : "s");
    fputc('\n', stderr);
}

struct options {
    struct lint lint;
    char *format;
};

static int run(struct tool *tool) {
    struct options *o = tool->options;
    struct lint *lint = &o->lint;
    int status = tool->args[0] ? lint_print_open(&lint->print, o->format)
                               : tool_error("no file given ('-' reads standard input)");
    if (status != TOOL_GO)
        return status;
    for (const char **arg = tool->args; *arg; arg++)
        look_at_file(lint, *arg);
    lint_print_close(&lint->print);
    if (!lint->quiet)
        print_summary(lint);
    return lint->status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(lint.arch), "Target, such as sm_80 (PTX: its own)", "NAME"},
    {"strict", 0, TOOL_FLAG, TOOL_AT(lint.strict), "Count notes for the exit status", NULL},
    {"quiet", 'q', TOOL_FLAG, TOOL_AT(lint.quiet), "Do not count skipped statements", NULL},
    {"format", 0, TOOL_STRING, TOOL_AT(format), "text, github, json or sarif", "FORMAT"},
    TOOL_OPTIONS_END};

const struct tool_command lint_command = {"FILE... | -", about, examples, rows, sizeof(struct options), 0, NULL, run};
/* clang-format on */
