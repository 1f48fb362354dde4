/* lint.h - mistakes in inline assembly and PTX, found without a compiler.
 *
 *     struct wsim_lint *lint;
 *     struct wsim_lint_finding finding;
 *     if (wsim_lint_text(text, size, NULL, &lint, &diag) == WSIM_OK)
 *         for (size_t i = 0; wsim_lint_at(lint, i, &finding); i++)
 *             printf("%u:%u: %s [%s]\n", finding.line, finding.col, finding.text, finding.rule);
 *     wsim_lint_free(lint);
 *
 * A text that begins with .version is PTX; any other text is C or C++ with asm statements. Lint
 * makes a kernel of each statement, with its operands as registers, and reads it as PTX. Rules of
 * its own check how the statement fits into the program around it. No preprocessor runs: lint
 * evaluates only conditions on __CUDA_ARCH__, and judges no statement that a macro hides in part.
 */
#ifndef WSIM_HARNESS_LINT_H
#define WSIM_HARNESS_LINT_H

#include "../isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The severity of a finding. Errors and warnings are mistakes; a note is advice. */
enum wsim_lint_severity { WSIM_LINT_NOTE, WSIM_LINT_WARNING, WSIM_LINT_ERROR };

/* "note", "warning" or "error"; "unknown" for a value outside the enum. */
WSIM_API const char *wsim_lint_severity_name(enum wsim_lint_severity severity);

/* A rule of lint, or of the calls of programs (api.*). Findings can name a rule of wsim_rule_next
 * too; those are errors. */
struct wsim_lint_rule {
    const char *name; /* "asm.volatile" */
    enum wsim_lint_severity severity;
    const char *meaning; /* one sentence */
    const char *source;  /* a manual, or what a compiler answered */
    const char *help;    /* what to write instead */
};

/* Steps through these rules: start with *cursor = 0. Returns 1 and fills *rule, or 0 after
 * the last. */
WSIM_API int wsim_lint_rule_next(uint32_t *cursor, struct wsim_lint_rule *rule);

/* Known findings, which are not reported again. An entry is the rule, the file, and a fingerprint
 * of the statement: it survives changes elsewhere in the file. */
struct wsim_lint_baseline;

/* Reads a baseline: a line for each entry, made by wsim_lint_baseline_put, in any order. Empty
 * lines and lines that begin with # are comments. Free *baseline. Errors: WSIM_SYNTAX (a line is no
 * entry), WSIM_NO_MEMORY, with *baseline NULL. */
WSIM_API enum wsim_status wsim_lint_baseline_read(const char *text, size_t size,
                                                  struct wsim_lint_baseline **baseline,
                                                  struct wsim_diag *diag);

/* Frees a baseline; NULL is allowed. */
WSIM_API void wsim_lint_baseline_free(struct wsim_lint_baseline *baseline);

/* The entries of a file; NULL: of all files. */
WSIM_API size_t wsim_lint_baseline_size(const struct wsim_lint_baseline *baseline,
                                        const char *file);

struct wsim_lint_options {
    const struct wsim_arch *arch; /* the target; NULL: any, and for PTX its own .target */
    const char *name;             /* of the file; NULL: none                            */
    /* The newest version of PTX in the text, as major * 10 + minor; 0: unknown, and for PTX its own
     * .version. wsim knows the spellings of versions up to 9.0. Unknown spellings are errors if
     * this version is known, else notes, because a newer version may have them. */
    unsigned ptx;
    const char *const *ignore;                 /* as wsim_suppress_options.ignore ("asm.memory",
                                                  "asm@old.cu"), with NULL at the end; NULL: none */
    const struct wsim_lint_baseline *baseline; /* NULL: none */
};

struct wsim_lint; /* the findings in one text */

/* Checks `size` bytes of a text, which may be any bytes. A statement is PTX if one of its spellings
 * is. In a .cu or .cuh file, or one with words of CUDA, an unknown spelling will do. `options` may
 * be NULL. The text need not outlive the call; free *lint. Comments in the text switch rules off:
 * wsim-lint: off, on, off-line, off-next-line. Errors: WSIM_OPERAND (no rule to ignore has that
 * name), WSIM_SYNTAX (no entry to ignore), WSIM_NO_MEMORY, with *lint NULL. */
WSIM_API enum wsim_status wsim_lint_text(const char *text, size_t size,
                                         const struct wsim_lint_options *options,
                                         struct wsim_lint **lint, struct wsim_diag *diag);

/* Frees the findings; NULL is allowed. */
WSIM_API void wsim_lint_free(struct wsim_lint *lint);

struct wsim_lint_finding {
    enum wsim_lint_severity severity;
    const char *rule;       /* of wsim_lint_rule_next or wsim_rule_next                */
    uint32_t line, col;     /* from 1, in characters of UTF-8                          */
    uint32_t end_col;       /* after the word at `col`; col + 1 if there is none       */
    const char *text;       /* one sentence; can hold any bytes of the checked text    */
    const char *suggestion; /* code to write instead or to insert; NULL: none is short */
    uint64_t fingerprint;   /* of the rule and the statement without blanks            */
};

/* Finding `index`, by line and column: 1 and *finding, whose texts live as long as `lint`; 0 after
 * the last. */
WSIM_API int wsim_lint_at(const struct wsim_lint *lint, size_t index,
                          struct wsim_lint_finding *finding);

/* Writes the line of a baseline for a finding in `file`, with its newline and a 0, as snprintf
 * does. Returns its length; 0 if the name of the file has several lines. */
WSIM_API int wsim_lint_baseline_put(const char *file, const struct wsim_lint_finding *finding,
                                    char *out, size_t size);

/* Counts of checked and skipped code. */
struct wsim_lint_counts {
    uint64_t statements;  /* asm statements of PTX for this target                        */
    uint64_t hidden;      /* of these: not judged, because a macro hides a part           */
    uint64_t unmodelled;  /* instructions that wsim does not know: not judged             */
    uint64_t findings[3]; /* by enum wsim_lint_severity                                   */
    uint64_t judged;      /* instructions that wsim knows                                 */
    uint64_t ignored;     /* findings that a comment or an ignored rule leaves out        */
    uint64_t known;       /* findings that the baseline has                               */
};

/* The findings that entry `index` of options->ignore leaves out. */
WSIM_API uint64_t wsim_lint_ignored(const struct wsim_lint *lint, size_t index);

/* Fills *counts. */
WSIM_API void wsim_lint_count(const struct wsim_lint *lint, struct wsim_lint_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
