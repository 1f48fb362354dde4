/* Mistakes in PTX and inline assembly; see lint.h. */
#include "baseline.h"
#include "control.h"
#include "rules.h"
#include "slip.h"
#include "suppress.h"
#include "wrap.h"

#include "../../sim/base/base.h"
#include "../../sim/isa/scalar.h"

#include <wsim/harness/statement.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wsim_lint {
    struct lint_heap heap;
    const struct wsim_arch *arch;
    unsigned ptx; /* the version of PTX, as major * 10 + minor; 0: unknown */
    int cuda;     /* the file is one of CUDA */
    char *bytes;  /* the text, with a 0 at the end and none inside; only while it is read */
    size_t size;
    struct wsim_lint_counts counts;
    struct lint_findings findings;
    size_t n;             /* findings that count, which come first */
    size_t opens, closes; /* statements that leave a scope open, or close one of others; hidden
                             ones may do both */
    uint64_t *ignored;    /* findings that each entry of options->ignore left out */
    size_t n_ignored;
};

/* PTX begins with .version, after comments. */
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

/* --- asm statements --- */

/* How far an instruction looks like PTX: it is known, or has a slip: 2; a qualifier: 1; 0: neither.
 */
static int likeness_of(const char *spelling, int *family) {
    struct wsim_instruction instruction;
    struct wsim_diag diag;
    *family = 0;
    if (!strchr(spelling, '.') || *spelling == '.')
        return 0;
    const enum wsim_status status = wsim_instruction_parse(spelling, &instruction, &diag);
    *family = status == WSIM_OK || strcmp(diag.rule, "spelling.family.unknown") != 0;
    if (status == WSIM_OK || status == WSIM_UNMODELLED)
        return 2;
    return lint_is_slip(spelling, diag.col ? diag.col - 1 : 0) ? 2 : 1;
}

static int has_constraints(const struct lint_asm *statement) {
    for (unsigned i = 0; i < statement->n_operands; i++)
        if (!lint_is_constraint(statement->operands[i].letter))
            return 0;
    return 1;
}

/* Whether a statement is PTX, not assembly of the host: an instruction of PTX is in it. In a CUDA
 * file an unknown one will do, with operands of CUDA. If a macro hides a part, one of a known
 * family will do. */
static int is_device_code(struct wsim_lint *lint, const struct lint_asm *statement) {
    const struct lint_text *text = &statement->text;
    struct lint_instructions all = lint_instructions_of(text);
    int is = all.n == 0, maybe = 0, family;
    for (size_t i = 0; i < all.n && !is; i++) {
        const struct lint_span span = all.all[i].spelling;
        char *spelling = lint_copy(&lint->heap, text->bytes + span.at, span.n);
        const int likeness = spelling ? likeness_of(spelling, &family) : 0;
        is = likeness == 2;
        maybe |= likeness && (lint->cuda || (family && !statement->whole));
        free(spelling);
    }
    lint_instructions_free(&all);
    /* A name without an end is a label of asm: int f(void) asm("name.of.f"). */
    const int ends = text->n && strpbrk(text->bytes, ";{}%") != NULL;
    return is || (maybe && (ends || !statement->whole) && has_constraints(statement));
}

/* Whether a text is CUDA by its words. */
static int has_cuda_words(const char *text) {
    static const char *const words[] = {"__device__", "__global__", "__CUDA_ARCH__", "__CUDACC__"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]))
            return 1;
    return 0;
}

/* The spelling that the diag recommends, or NULL. */
static const char *suggestion_of(const char *spelling, const struct wsim_diag *diag,
                                 char out[WSIM_SPELLING_MAX]) {
    struct wsim_op nearest;
    if (!wsim_op_nearest(spelling, &nearest))
        return NULL;
    wsim_op_spell(&nearest, out);
    return strcmp(out, spelling) != 0 && strstr(diag->text, out) ? out : NULL;
}

/* Whether no version of PTX has a spelling that the tables refuse. The version is known, or the
 * spelling has a slip or an empty word. */
static int is_wrong(unsigned ptx, const char *spelling, const struct wsim_diag *diag) {
    if ((ptx && ptx <= LINT_TABLES_PTX) || strcmp(diag->rule, "spelling.qualifier.empty") == 0)
        return 1;
    return (strcmp(diag->rule, "spelling.family.unknown") == 0 ||
            strcmp(diag->rule, "spelling.qualifier.unknown") == 0) &&
           lint_is_slip(spelling, diag->col ? diag->col - 1 : 0);
}

/* Checks a spelling of `text`, which begins at `at` of the file. */
static void check_spelling(struct wsim_lint *lint, const char *text, struct lint_span span,
                           size_t at, const struct lint_wrap *wrap) {
    struct wsim_instruction instruction;
    struct wsim_diag diag;
    char nearest[WSIM_SPELLING_MAX], *spelling = lint_copy(&lint->heap, text + span.at, span.n);
    if (!spelling)
        return;
    const enum wsim_status status = lint_check_spelling(spelling, wrap->arch, &diag);
    const size_t place = at + (diag.col ? diag.col - 1 : 0);
    if (status == WSIM_OK || (wrap->some && strncmp(diag.rule, "op.version.", 11) == 0)) {
        lint->counts.judged++;
    } else if (status == WSIM_UNMODELLED) {
        lint->counts.unmodelled++;
    } else if (wsim_instruction_parse(spelling, &instruction, NULL) == WSIM_OK ||
               is_wrong(wrap->ptx, spelling, &diag)) {
        lint->counts.judged++;
        lint_find_refusal(&lint->findings, WSIM_LINT_ERROR, diag.rule, place,
                          suggestion_of(spelling, &diag, nearest), diag.text);
    } else {
        char why[WSIM_DIAG_TEXT + 64];
        lint->counts.unmodelled++;
        snprintf(why, sizeof why, "not in PTX %u.%u: %s", LINT_TABLES_PTX / 10,
                 LINT_TABLES_PTX % 10, diag.text);
        lint_find_refusal(&lint->findings, WSIM_LINT_NOTE, diag.rule, place,
                          suggestion_of(spelling, &diag, nearest), why);
    }
    free(spelling);
}

/* The operands of an instruction, which commas separate. */
static unsigned count_operands(const char *operands) {
    unsigned n = operands[strspn(operands, " \t\r\n")] != '\0', depth = 0;
    for (; *operands; operands++) {
        depth += strchr("([{", *operands) != NULL;
        depth -= depth && strchr(")]}", *operands);
        n += *operands == ',' && !depth;
    }
    return n;
}

/* Whether the last operand of the row, which may be left out, is written. Lists in braces before it
 * may be left out too. */
static int has_last(const struct wsim_scalar_info *info, const char *operands) {
    unsigned before = 0, braces = strchr(operands, '{') != NULL;
    for (unsigned i = 0; i + 1 < info->operands; i++)
        before += !info->operand[i].pair && (!info->operand[i].optional ||
                                             (info->operand[i].kind == WSIM_SCALAR_LIST && braces));
    return count_operands(operands) > before;
}

/* Finds an operand that the target lacks: a further source, max.f32 d, a, b, c, or the last one. */
static void check_again(struct wsim_lint *lint, const struct wsim_instruction *is,
                        const struct wsim_arch *arch, const char *operands, size_t at) {
    struct wsim_scalar_info info;
    struct wsim_diag diag;
    if (!arch || !is->is_scalar || !wsim_scalar_info(&is->scalar, &info) || !info.operands)
        return;
    const struct wsim_scalar_operand *last = &info.operand[info.operands - 1u];
    if (*info.again ? count_operands(operands) > info.operands
                    : *last->needs && last->optional && has_last(&info, operands))
        if (wsim_instruction_check(is, arch, &diag) == WSIM_OK &&
            isa_scalar_need_again(&is->scalar, arch, &diag) != WSIM_OK)
            lint_find_refusal(&lint->findings, WSIM_LINT_ERROR, diag.rule, at, NULL, diag.text);
}

/* Checks the instructions of a statement. Code under unknown conditions may be for another version
 * of PTX, so lint does not judge its spellings. */
static void check_instructions(struct wsim_lint *lint, const struct lint_wrap *wrap,
                               const struct lint_asm *statement, const struct lint_text *text) {
    struct lint_instructions all = lint_instructions_of(text);
    for (size_t i = 0; i < all.n && !lint->heap.full; i++) {
        const struct lint_instruction *one = &all.all[i];
        if (wrap->certain) {
            check_spelling(lint, text->bytes, one->spelling, text->from[one->spelling.at], wrap);
        } else {
            lint->counts.unmodelled += !one->known;
            lint->counts.judged += one->known != 0;
        }
        char *operands =
            one->known ? lint_copy(&lint->heap, text->bytes + one->operands.at, one->operands.n)
                       : NULL;
        if (operands)
            check_again(lint, &one->is, wrap->arch, operands, text->from[one->spelling.at]);
        free(operands);
    }
    if (!lint->heap.full) {
        lint_check_operands(wrap, statement, &lint->findings);
        lint_check_order(text, &all, &lint->findings);
        lint_check_binding(wrap->file, statement, text, &all, &lint->findings);
        lint_check_fields(text, &all, &lint->findings);
    }
    lint_instructions_free(&all);
}

/* Finds scopes that another statement would have to close or open; scopes_drop removes them if
 * there is one. */
static void check_scopes(struct wsim_lint *lint, const struct lint_asm *statement) {
    int lowest;
    const int more = lint_braces(&statement->text, &lowest);
    lint->opens += more > lowest || !statement->whole;
    lint->closes += lowest < 0 || !statement->whole;
    if (!statement->whole || statement->reached == TRUTH_UNKNOWN)
        return;
    if (more > lowest)
        lint_find_scope(&lint->findings, 1, statement->at);
    if (lowest < 0)
        lint_find_scope(&lint->findings, -1, statement->at);
}

static int scope_has_other(void *user, const struct lint_finding *finding) {
    const struct wsim_lint *lint = user;
    return finding->scope > 0 ? lint->closes != 0 : finding->scope < 0 && lint->opens != 0;
}

static void check_statement(struct wsim_lint *lint, const struct lint_asm *statement) {
    const int some = statement->chosen || statement->reached == TRUTH_TARGET;
    const struct lint_wrap wrap = {.file = lint->bytes,
                                   .arch =
                                       statement->reached == TRUTH_YES && !some ? lint->arch : NULL,
                                   .certain = statement->reached != TRUTH_UNKNOWN,
                                   .some = some,
                                   .ptx = lint->ptx};
    struct lint_text text;
    if (statement->reached == TRUTH_NO || !is_device_code(lint, statement))
        return;
    lint->counts.statements++;
    if (!statement->whole) {
        lint->counts.hidden++;
        return;
    }
    if (lint_wrap_text(&wrap, statement, &text, &lint->findings) && !lint->heap.full)
        check_instructions(lint, &wrap, statement, &text);
    lint_text_free(&text);
}

static void check_source(struct wsim_lint *lint) {
    lint->cuda = lint->cuda || has_cuda_words(lint->bytes);
    const unsigned number = lint->arch ? wsim_target_number(wsim_arch_name(lint->arch)) * 10 : 0;
    struct lint_source source = lint_source_of(&lint->heap, lint->bytes, lint->size, number);
    struct lint_asm statement;
    int more = 1;
    while (more && !lint->heap.full) {
        more = lint_source_next(&source, &statement);
        if (more && !lint->heap.full) {
            const size_t first = lint->findings.n;
            check_scopes(lint, &statement);
            check_statement(lint, &statement);
            lint_findings_in(&lint->findings, first,
                             (struct lint_span){statement.at, statement.end - statement.at});
        }
        lint_source_free(&statement);
    }
    lint_findings_drop(&lint->findings, scope_has_other, lint);
}

/* --- files of PTX --- */

static size_t offset_of(const struct wsim_lint *lint, uint32_t line, uint32_t col) {
    size_t at = 0;
    while (line-- > 1 && at < lint->size) {
        const char *end = memchr(lint->bytes + at, '\n', lint->size - at);
        at = end ? (size_t)(end - lint->bytes) + 1 : lint->size;
    }
    at += col ? col - 1 : 0;
    return at < lint->size ? at : lint->size;
}

/* Finds cvta of 32 bits in PTX, whose addresses have 64. An asm statement may be for others. */
static void check_narrow(struct wsim_lint *lint, const char *spelling, size_t at) {
    char why[WSIM_SPELLING_MAX + 80];
    const size_t n = strlen(spelling);
    if (strncmp(spelling, "cvta.", 5) != 0 || strcmp(spelling + n - 4, ".u32") != 0)
        return;
    snprintf(why, sizeof why,
             "'%.100s' converts an address of 32 bits, and addresses have 64: write .u64",
             spelling);
    lint_find_refusal(&lint->findings, WSIM_LINT_ERROR, "ptx.operand.type", at, NULL, why);
}

/* Finds instructions that `arch` lacks, and bit fields that leave their register. The reader of PTX
 * accepts an instruction of any target, and reports unknown spellings and versions itself. */
static void check_known(struct wsim_lint *lint, const struct wsim_arch *arch, unsigned ptx) {
    struct wsim_statements in = wsim_statements_of(lint->bytes);
    struct wsim_statement statement;
    while (wsim_statements_next(&in, &statement)) {
        struct wsim_instruction instruction;
        struct wsim_diag diag;
        if (wsim_instruction_parse(statement.spelling, &instruction, NULL) != WSIM_OK)
            continue;
        lint->counts.judged++;
        if (arch && wsim_instruction_check(&instruction, arch, &diag) == WSIM_ILLEGAL &&
            strncmp(diag.rule, "op.version.", 11) != 0)
            lint_find_refusal(&lint->findings, WSIM_LINT_ERROR, diag.rule, statement.column, NULL,
                              diag.text);
        check_again(lint, &instruction, arch, statement.operands, statement.column);
        check_narrow(lint, statement.spelling, statement.column);
        lint_check_version(&instruction, statement.spelling, ptx, statement.column,
                           &lint->findings);
        lint_check_address(statement.spelling, statement.operands, statement.column,
                           &lint->findings);
        lint_check_field(statement.spelling, statement.operands, statement.column, &lint->findings);
        lint_check_guard(statement.spelling, lint->bytes, statement.column, statement.column,
                         &lint->findings);
    }
}

/* Adds the problems of a module. */
static void check_problems(struct wsim_lint *lint, const struct wsim_module *module, unsigned ptx) {
    const struct lint_wrap wrap = {.file = lint->bytes, .certain = 1, .ptx = ptx};
    struct lint_text text = {.heap = &lint->heap};
    struct lint_instructions all = {NULL, 0, 0};
    struct wsim_problem problem;
    size_t last = lint->size; /* the last spelling that is checked */
    if (wsim_module_problem(module, 0, &problem)) {
        for (size_t i = 0; i < lint->size; i++)
            lint_text_put(&text, lint->bytes[i], i);
        if (text.n == lint->size)
            all = lint_instructions_of(&text);
    }
    for (size_t i = 0; !lint->heap.full && wsim_module_problem(module, i, &problem); i++) {
        const size_t at = offset_of(lint, problem.line, problem.col);
        const struct lint_instruction *unknown = lint_unknown(&all, at);
        struct lint_span spelling = {at, strcspn(lint->bytes + at, " \t\r\n;")};
        if (!lint_is_spelling(&problem) && unknown) /* its operands have no meaning */
            spelling = unknown->spelling;
        if (lint_is_spelling(&problem) || (unknown && problem.status != WSIM_UNMODELLED)) {
            if (spelling.at != last)
                check_spelling(lint, lint->bytes, spelling, spelling.at, &wrap);
            last = spelling.at;
        } else if (problem.status == WSIM_UNMODELLED)
            lint->counts.unmodelled += problem.count;
        else
            lint_find_refusal(&lint->findings, WSIM_LINT_ERROR, problem.rule, at, NULL,
                              problem.text);
    }
    lint_instructions_free(&all);
    lint_text_free(&text);
}

/* Checks PTX for the target and version of the options or, without them, for its own. */
static void check_ptx(struct wsim_lint *lint) {
    struct wsim_module_info info;
    struct wsim_module *module;
    struct wsim_diag diag;
    if (wsim_module_load(lint->bytes, lint->size, WSIM_MODULE_DIAGNOSE, &module, &diag) ==
        WSIM_NO_MEMORY)
        lint->heap.full = 1;
    else if (!module)
        lint_find_refusal(&lint->findings, WSIM_LINT_ERROR, diag.rule, 0, NULL, diag.text);
    if (!module)
        return;
    wsim_module_describe(module, &info);
    const unsigned ptx = lint->ptx ? lint->ptx : info.version;
    check_problems(lint, module, ptx);
    check_known(lint, lint->arch ? lint->arch : wsim_arch_find(info.target), ptx);
    wsim_module_free(module);
}

/* --- the answer --- */

static int ends_with(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* A lint with a copy of the text, in which blanks replace bytes of 0. */
static struct wsim_lint *lint_new(const char *text, size_t size,
                                  const struct wsim_lint_options *options) {
    const char *name = options && options->name ? options->name : "";
    struct wsim_lint *lint = calloc(1, sizeof *lint);
    if (!lint)
        return NULL;
    lint->arch = options ? options->arch : NULL;
    lint->ptx = options ? options->ptx : 0;
    lint->cuda = ends_with(name, ".cu") || ends_with(name, ".cuh");
    lint->findings.heap = &lint->heap;
    lint->size = size;
    lint->bytes = lint_copy(&lint->heap, text, size);
    for (size_t i = 0; lint->bytes && i < size; i++)
        lint->bytes[i] = lint->bytes[i] ? lint->bytes[i] : ' ';
    return lint;
}

static const char *name_of(const struct wsim_lint_options *options) {
    return options->name ? options->name : "";
}

/* Judges by --ignore, then by comments, as wsim_suppress_find does. */
static void judge(struct wsim_lint *lint, const struct lint_controls *controls,
                  const struct wsim_lint_options *options, struct lint_finding *finding) {
    const struct wsim_suppress_finding is = {
        .rule = finding->is.rule, .file = name_of(options), .line = finding->is.line};
    for (size_t i = 0; lint->ignored && i < lint->n_ignored; i++)
        if (suppress_fits(options->ignore[i], &is)) {
            const char *entry = options->ignore[i];
            lint->ignored[i]++;
            finding->kind = WSIM_SUPPRESS_IGNORED;
            finding->reason = lint_copy(&lint->heap, entry, strlen(entry));
            return;
        }
    const struct lint_control *off = lint_controls_off(controls, is.rule, finding->statement);
    if (off) {
        const struct lint_span reason = lint_control_reason(lint->bytes, off);
        finding->kind = WSIM_SUPPRESS_COMMENT;
        finding->reason = lint_copy(&lint->heap, lint->bytes + reason.at, reason.n);
    }
}

static void judge_all(struct wsim_lint *lint, const struct lint_controls *controls,
                      const struct wsim_lint_options *options) {
    struct lint_known known = {NULL, NULL, 0};
    if (options->baseline)
        known = lint_known_of(&lint->heap, options->baseline);
    for (size_t i = 0; i < lint->findings.n; i++) {
        struct lint_finding *one = &lint->findings.all[i];
        judge(lint, controls, options, one);
        if (options->baseline && !one->kind &&
            lint_known_take(&known, name_of(options), one->is.rule, one->is.fingerprint,
                            one->at + 1))
            one->kind = WSIM_SUPPRESS_KNOWN;
        lint->counts.known += one->kind == WSIM_SUPPRESS_KNOWN;
        lint->counts.ignored += one->kind && one->kind != WSIM_SUPPRESS_KNOWN;
        lint->counts.findings[one->is.severity] += !one->kind;
    }
    lint_known_free(&known);
}

/* Sorts the findings, judges and counts them. */
static void lint_finish(struct wsim_lint *lint, const struct wsim_lint_options *options) {
    static const struct wsim_lint_options none = {.name = NULL};
    struct lint_controls controls = lint_controls_of(lint->bytes, &lint->heap, &lint->findings);
    options = options ? options : &none;
    for (const char *const *at = options->ignore; at && *at; at++)
        lint->n_ignored++;
    if (lint->n_ignored)
        lint->ignored = lint_grow(&lint->heap, NULL, lint->n_ignored, sizeof *lint->ignored);
    for (size_t i = 0; lint->ignored && i < lint->n_ignored; i++)
        lint->ignored[i] = 0;
    if (!lint->heap.full) {
        lint_findings_sort(&lint->findings, lint->bytes, lint->size);
        judge_all(lint, &controls, options);
        lint->n = lint_findings_part(&lint->findings);
    }
    lint_controls_free(&controls);
}

static enum wsim_status check_ignored(const struct wsim_lint_options *options,
                                      struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    for (const char *const *entry = options ? options->ignore : NULL; !status && entry && *entry;
         entry++)
        status = suppress_check(*entry, diag);
    return status;
}

enum wsim_status wsim_lint_text(const char *text, size_t size,
                                const struct wsim_lint_options *options, struct wsim_lint **lint,
                                struct wsim_diag *diag) {
    *lint = NULL;
    const enum wsim_status status = check_ignored(options, diag);
    if (status)
        return status;
    struct wsim_lint *made = lint_new(text, size, options);
    if (made && made->bytes) {
        if (is_ptx(made->bytes))
            check_ptx(made);
        else
            check_source(made);
        lint_finish(made, options);
    }
    if (!made || made->heap.full) {
        wsim_lint_free(made);
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0,
                           "out of memory for the check of %llu bytes", (unsigned long long)size);
    }
    free(made->bytes);
    made->bytes = NULL;
    *lint = made;
    return WSIM_OK;
}

void wsim_lint_free(struct wsim_lint *lint) {
    if (!lint)
        return;
    lint_findings_free(&lint->findings);
    free(lint->bytes);
    free(lint->ignored);
    free(lint);
}

int wsim_lint_at(const struct wsim_lint *lint, size_t index, struct wsim_lint_finding *finding) {
    if (index >= lint->n)
        return 0;
    *finding = lint->findings.all[index].is;
    return 1;
}

enum wsim_suppress_kind wsim_lint_suppressed(const struct wsim_lint *lint, size_t index,
                                             struct wsim_lint_finding *finding,
                                             const char **reason) {
    if (index >= lint->findings.n - lint->n)
        return WSIM_SUPPRESS_NOT;
    const struct lint_finding *one = &lint->findings.all[lint->n + index];
    *finding = one->is;
    *reason = one->reason ? one->reason : "";
    return one->kind;
}

uint64_t wsim_lint_ignored(const struct wsim_lint *lint, size_t index) {
    return index < lint->n_ignored && lint->ignored ? lint->ignored[index] : 0;
}

void wsim_lint_count(const struct wsim_lint *lint, struct wsim_lint_counts *counts) {
    *counts = lint->counts;
}
