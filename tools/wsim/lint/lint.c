/* wsim check FILE...: mistakes in PTX and inline assembly, found without a compiler. */
#include "../common/doc.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/output.h"
#include "../common/sarif.h"
#include "../common/screen.h"
#include "../common/suppress.h"
#include "../common/text.h"
#include "files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/lint.h>

static const char about[] =
    "Checks inline assembly of CUDA C++ and PTX files: spellings, features of the target,\n"
    "number and type of operands, vector sizes. In asm statements it also checks constraints,\n"
    "volatile and \"memory\", % and %%, scopes of registers and labels, generic pointers used as\n"
    "shared addresses, and missing commits, waits and fences. It runs no compiler and no\n"
    "preprocessor: it evaluates only #if conditions on __CUDA_ARCH__, and skips statements that\n"
    "a macro hides in part. Without --arch, anything legal on some target is accepted.\n"
    "An unknown spelling is an error only if it has a slip; --ptx makes all of them errors.\n"
    "\n"
    "Each line is FILE:LINE:COLUMN: error, warning or note: problem [rule]. Notes are optional.\n"
    "wsim why --rules RULE explains one. The last line, on standard error, counts the judged "
    "statements.\n"
    "A FOLDER is searched for sources.\n"
    "Comments switch rules off: wsim-lint: off, on, off-line, off-next-line, then rules or none.\n"
    "Exit status 1 if there are errors or warnings (--strict: or notes), 2 if a file cannot be "
    "read.\n";
static const char examples[] = "  wsim check -q --arch sm_90a examples/cuda/kernels.cu\n"
                               "  wsim check -q --ignore asm.memory --format github tests/lint\n";

struct options {
    const struct wsim_arch *arch;
    char *ptx, *format;
    struct suppress_options suppress;
    int strict, quiet;
};

enum format { TEXT, GITHUB, JSON, SARIF, FORMATS };
enum { PTX_MAJOR = 9 }; /* of the newest PTX; versions of CUDA are larger */
static const char *const formats[] = {"text", "github", "json", "sarif"};

struct answer {
    enum format format;
    unsigned ptx; /* version times 10; 0: unknown */
    struct doc *doc;
    json_t *results, *rules; /* of SARIF */
    struct suppress suppress;
    uint64_t *ignored; /* findings of each entry of --ignore */
    struct wsim_lint_counts counts;
    uint64_t files, stale; /* files read; entries of the baseline without a finding */
};

static void counts_add(struct wsim_lint_counts *all, const struct wsim_lint_counts *one) {
    all->statements += one->statements;
    all->hidden += one->hidden;
    all->judged += one->judged;
    all->unmodelled += one->unmodelled;
    all->ignored += one->ignored;
    all->known += one->known;
    for (unsigned i = 0; i < sizeof all->findings / sizeof all->findings[0]; i++)
        all->findings[i] += one->findings[i];
}

/* --- formats --- */

/* A workflow command of GitHub escapes '%' and ends of lines, its properties also ',' and ':'. */
static char *escaped(const char *text, const char *also) {
    char *out = memory_make(strlen(text) + 1, 3), *to = out;
    for (; *text; text++)
        if (strchr("%\r\n", *text) || strchr(also, *text))
            to += sprintf(to, "%%%02X", (unsigned char)*text);
        else
            *to++ = *text;
    return out;
}

static void state_github(struct doc *doc, const char *name,
                         const struct wsim_lint_finding *finding) {
    static const char *const commands[] = {"notice", "warning", "error"};
    char *file = escaped(text_path(name).text, ":,"), *text = escaped(finding->text, "");
    doc_line(doc, "::%s file=%s,line=%u,col=%u,endColumn=%u,title=%s::%s",
             commands[finding->severity], file, (unsigned)finding->line, (unsigned)finding->col,
             (unsigned)finding->end_col, finding->rule, text);
    free(file);
    free(text);
}

static void state_finding(struct answer *answer, const char *name,
                          const struct wsim_lint_finding *finding, enum wsim_suppress_kind kind,
                          const char *reason) {
    struct doc *doc = answer->doc;
    const char *severity = wsim_lint_severity_name(finding->severity);
    if (answer->format == SARIF) {
        sarif_add(answer->results, answer->rules,
                  &(struct sarif_finding){.rule = finding->rule,
                                          .level = wsim_lint_severity_name(finding->severity),
                                          .text = finding->text,
                                          .file = name,
                                          .line = finding->line,
                                          .col = finding->col,
                                          .end_col = finding->end_col,
                                          .fingerprint = finding->fingerprint,
                                          .suppressed = kind,
                                          .reason = reason});
    } else if (answer->format == GITHUB) {
        state_github(doc, name, finding);
    } else {
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:o,s:I,s:I,s:I,s:s,s:s,s:o}", "file", tool_json_text(name), "line",
                 (json_int_t)finding->line, "column", (json_int_t)finding->col, "end_column",
                 (json_int_t)finding->end_col, "severity", severity, "rule", finding->rule, "text",
                 tool_json_text(finding->text));
        if (finding->suggestion)
            doc_set(doc, "suggestion", tool_json_text(finding->suggestion));
        if (kind)
            doc_set(doc, "suppressed", suppress_json(kind, reason));
        doc_line(doc, "%s:%u:%u: %s: %s [%s]", text_path(name).text, (unsigned)finding->line,
                 (unsigned)finding->col, severity, finding->text, finding->rule);
        doc_leave(doc);
    }
}

/* --- the command --- */

/* Formats that other programs read have the findings too that do not count. */
static void state_suppressed(struct answer *answer, const char *name,
                             const struct wsim_lint *lint) {
    struct wsim_lint_finding finding;
    enum wsim_suppress_kind kind;
    const char *reason;
    for (size_t i = 0; (kind = wsim_lint_suppressed(lint, i, &finding, &reason)) != 0; i++)
        state_finding(answer, name, &finding, kind, reason);
}

/* States the findings in a file. */
static int state_file(struct answer *answer, const char *name, const struct options *o) {
    const char *recorded = text_below(name);
    char **ignore = o->suppress.ignore;
    const struct wsim_lint_options options = {.arch = o->arch,
                                              .name = recorded,
                                              .ptx = answer->ptx,
                                              .ignore = (const char *const *)ignore,
                                              .baseline = answer->suppress.baseline};
    struct wsim_lint_finding finding;
    struct wsim_lint_counts counts;
    struct wsim_lint *lint;
    size_t size;
    char *bytes = input_bytes(name, &size);
    if (!bytes)
        return TOOL_USAGE;
    if (wsim_lint_text(bytes, size, &options, &lint, NULL))
        memory_out();
    for (size_t i = 0; wsim_lint_at(lint, i, &finding); i++)
        if (o->suppress.write)
            suppress_record(&answer->suppress, name, finding.rule, finding.fingerprint);
        else
            state_finding(answer, input_name(name), &finding, WSIM_SUPPRESS_NOT, "");
    if (!o->suppress.write && (answer->format == JSON || answer->format == SARIF))
        state_suppressed(answer, input_name(name), lint);
    wsim_lint_count(lint, &counts);
    counts_add(&answer->counts, &counts);
    for (size_t i = 0; ignore && ignore[i]; i++)
        answer->ignored[i] += wsim_lint_ignored(lint, i);
    if (answer->suppress.baseline)
        answer->stale +=
            wsim_lint_baseline_size(answer->suppress.baseline, recorded) - counts.known;
    wsim_lint_free(lint);
    free(bytes);
    return counts.findings[WSIM_LINT_ERROR] || counts.findings[WSIM_LINT_WARNING] ||
                   (o->strict && counts.findings[WSIM_LINT_NOTE])
               ? TOOL_FOUND
               : TOOL_FINE;
}

/* "4,307 statements": a number with a noun in singular or plural. */
static void put_count(FILE *file, const char *before, uint64_t n, const char *one,
                      const char *many) {
    char digits[24];
    const int length = sprintf(digits, "%" PRIu64, n);
    fputs(before, file);
    for (int i = 0; i < length; i++) {
        fputc(digits[i], file);
        if (i + 1 < length && (length - i - 1) % 3 == 0)
            fputc(',', file);
    }
    fprintf(file, " %s", n == 1 ? one : many);
}

/* States how much was judged, on standard error. */
static void print_summary(const struct answer *answer) {
    const struct wsim_lint_counts *counts = &answer->counts;
    fflush(stdout); /* the findings come first in a log of both */
    put_count(stderr, "wsim check: ", answer->files, "file", "files");
    put_count(stderr, ", ", counts->statements, "asm statement", "asm statements");
    if (counts->hidden)
        put_count(stderr, " (", counts->hidden, "hidden by macros)", "hidden by macros)");
    put_count(stderr, ", ", counts->judged, "instruction judged", "instructions judged");
    put_count(stderr, ", ", counts->unmodelled, "not judged", "not judged");
    put_count(stderr, ", ", counts->findings[WSIM_LINT_ERROR], "error", "errors");
    put_count(stderr, ", ", counts->findings[WSIM_LINT_WARNING], "warning", "warnings");
    put_count(stderr, ", ", counts->findings[WSIM_LINT_NOTE], "note", "notes");
    if (counts->ignored)
        put_count(stderr, ", ", counts->ignored, "ignored", "ignored");
    if (counts->known)
        put_count(stderr, ", ", counts->known, "in the baseline", "in the baseline");
    fputc('\n', stderr);
    if (!counts->statements && !counts->judged && !counts->unmodelled)
        tool_note("no asm statement here; wsim run checks what kernels do");
    suppress_note_unused(&answer->suppress, answer->ignored);
    if (answer->stale) {
        put_count(stderr, "wsim check: ", answer->stale, "entry of the baseline has no finding now",
                  "entries of the baseline have no finding now");
        fputs(": --write-baseline drops old entries\n", stderr);
    }
}

/* Reads the options that are not plain numbers or names. */
static int read_options(struct answer *answer, const struct options *o) {
    size_t n = 0;
    while (o->format && answer->format < FORMATS && strcmp(o->format, formats[answer->format]) != 0)
        answer->format++;
    if (answer->format == FORMATS)
        return tool_error("--format '%s': must be text, github, json or sarif%s",
                          text_cut(o->format).text, name_near(o->format, formats, FORMATS).text);
    if (o->ptx) {
        unsigned major, minor;
        char end;
        if (sscanf(o->ptx, "%2u.%1u%c", &major, &minor, &end) != 2 || !major || major > PTX_MAJOR)
            return tool_error(
                "--ptx '%s' is not a version of PTX, such as 8.7 (CUDA 12.8) or 9.0 (13.0)",
                text_cut(o->ptx).text);
        answer->ptx = major * 10 + minor;
    }
    while (o->suppress.ignore && o->suppress.ignore[n])
        n++;
    answer->ignored = memory_make(n + 1, sizeof *answer->ignored);
    return suppress_open(&answer->suppress, &o->suppress, NULL, NULL);
}

static int state_files(struct answer *answer, const struct options *o, const char **args) {
    struct files files = files_of((const char *const *)args);
    int status = files.failed ? TOOL_USAGE : TOOL_FINE;
    for (size_t i = 0; i < files.n; i++) {
        const int found = state_file(answer, files.all[i], o);
        status = found > status ? found : status;
        answer->files += found != TOOL_USAGE;
    }
    files_free(&files);
    return status;
}

static void state_counts(struct doc *doc, const struct answer *answer) {
    const struct wsim_lint_counts *counts = &answer->counts;
    doc_object(doc, "counts", "{s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "files", (json_int_t)answer->files,
               "statements", (json_int_t)counts->statements, "hidden", (json_int_t)counts->hidden,
               "judged", (json_int_t)counts->judged, "not_judged", (json_int_t)counts->unmodelled,
               "ignored", (json_int_t)counts->ignored, "known", (json_int_t)counts->known);
}

static void close_answer(struct answer *answer) {
    suppress_close(&answer->suppress);
    free(answer->ignored);
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct answer answer = {.results = NULL};
    if (!tool->args[0])
        return tool_error("no file given ('-' reads standard input)");
    int status = read_options(&answer, o);
    if (status != TOOL_GO) {
        close_answer(&answer);
        return status;
    }
    screen_widen(); /* FILE:LINE:COLUMN and its message are one line */
    answer.doc = doc_open(answer.format == JSON ? TOOL_JSON : TOOL_TEXT, "wsim.lint");
    answer.results = answer.format == SARIF ? json_array() : NULL;
    answer.rules = answer.format == SARIF ? json_array() : NULL;
    doc_list(answer.doc, "findings");
    status = state_files(&answer, o, tool->args);
    doc_leave(answer.doc);
    state_counts(answer.doc, &answer);
    if (answer.results)
        sarif_print("wsim lint", answer.results, answer.rules);
    if (doc_close(answer.doc, TOOL_FINE) != TOOL_FINE)
        status = TOOL_USAGE;
    if (o->suppress.write && status != TOOL_USAGE)
        status = suppress_write(&answer.suppress, "wsim check") == TOOL_GO ? TOOL_FINE : TOOL_USAGE;
    if (!o->quiet && answer.files)
        print_summary(&answer);
    close_answer(&answer);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "Target, such as sm_80 (PTX: its own)", "NAME"},
    {"ptx", 0, TOOL_STRING, TOOL_AT(ptx), "PTX version of the compiler: unknown spellings are errors", "VERSION"},
    SUPPRESS_ROWS(suppress),
    {"strict", 0, TOOL_FLAG, TOOL_AT(strict), "Count notes for the exit status", NULL},
    {"quiet", 'q', TOOL_FLAG, TOOL_AT(quiet), "Do not print the last line", NULL},
    {"format", 0, TOOL_STRING, TOOL_AT(format), "text, github, json or sarif", "FORMAT"},
    TOOL_OPTIONS_END};

const struct tool_command lint_command = {"FILE|FOLDER... | -", about, examples, rows, sizeof(struct options), TOOL_OUTPUT, NULL, run};
/* clang-format on */
