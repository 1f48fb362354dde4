/* A statement as a kernel; see wrap.h. */
#include "wrap.h"
#include "../../sim/ptx/ptx.h"
#include "../../sim/spell/near.h"
#include "slip.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The register type of each constraint. Source: Inline PTX Assembly in CUDA, "Constraints"; nvcc
 * 13.0 declares .b registers for r, l and h, which every type of their width takes. */
static const struct {
    char letter;
    const char *type; /* NULL: a constant */
} letters[] = {{'h', ".b16"}, {'r', ".b32"}, {'l', ".b64"}, {'q', ".b128"},
               {'f', ".f32"}, {'d', ".f64"}, {'n', NULL}};

static int find_letter(char letter) {
    for (unsigned i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].letter == letter)
            return (int)i;
    return -1;
}

int lint_is_constraint(char letter) {
    return letter == 'C' || (letter && find_letter(letter) >= 0);
}

static int is_constant(const struct lint_operand *operand) {
    return operand->letter == 'n';
}

/* --- constants --- */

/* Values to try for an unknown constant of C++: sizes, flags, steps of k. */
static const long long guesses[] = {16, 1, 0, 8, 4, 2, 32, 64, 128, -1};
#define GUESSES (sizeof guesses / sizeof guesses[0])

/* Reads a literal, perhaps with a cast: 1 and its value, or 0. */
static int constant_of(const char *file, struct lint_span span, long long *value) {
    char text[64], *end;
    size_t n = 0;
    for (size_t i = 0; i < span.n && n + 1 < sizeof text; i++)
        if (!strchr("() \t\r\n", file[span.at + i]))
            text[n++] = file[span.at + i];
    text[n] = '\0';
    const char *at = text;
    static const char *const casts[] = {"int32_t", "uint32_t", "unsigned", "int", "int64_t"};
    for (unsigned k = 0; k < sizeof casts / sizeof casts[0]; k++)
        if (strncmp(at, casts[k], strlen(casts[k])) == 0)
            at += strlen(casts[k]);
    *value = strtoll(at, &end, 0);
    return end > at && strspn(end, "uUlL") == strlen(end);
}

/* --- the text --- */

/* The number of the operand at `at`, after '%', or -1 after a finding; *length is its length. */
static long operand_at(const struct lint_wrap *wrap, const struct lint_asm *statement, size_t at,
                       size_t *length, struct lint_findings *findings) {
    const struct lint_text *text = &statement->text;
    const char *c = text->bytes + at;
    if (isdigit((unsigned char)*c)) {
        char *end;
        unsigned long number = strtoul(c, &end, 10);
        *length = (size_t)(end - c);
        if (number < statement->n_operands)
            return (long)number;
        lint_find(findings, LINT_OPERAND_MISSING, text->from[at], NULL,
                  "%%%.*s is none of the %u operand%s, which are %%0 to %%%u",
                  (int)(*length < 12 ? *length : 12), c, statement->n_operands,
                  statement->n_operands == 1 ? "" : "s", statement->n_operands - 1);
        return -1;
    }
    *length = strcspn(c, "]") + (strchr(c, ']') != NULL);
    for (unsigned i = 0; i < statement->n_operands; i++) {
        const struct lint_span *name = &statement->operands[i].name;
        if (name->n && name->n + 2 == *length &&
            strncmp(wrap->file + name->at, c + 1, name->n) == 0) {
            char number[16];
            snprintf(number, sizeof number, "%%%u", i);
            lint_find(findings, LINT_CONSTRAINT_NAME, text->from[at], number,
                      "nvcc has no operand names: write %%%u instead of %%%.*s", i,
                      (int)(*length < 40 ? *length : 40), c);
            return (long)i;
        }
    }
    lint_find(findings, LINT_OPERAND_MISSING, text->from[at], NULL, "no operand is named %%%.*s",
              (int)(*length < 40 ? *length : 40), c);
    return -1;
}

/* Appends a constant, `guess` if its value is unknown. */
static void put_constant(const struct lint_wrap *wrap, const struct lint_operand *operand,
                         long long guess, size_t from, struct lint_text *body) {
    char number[32];
    long long value;
    snprintf(number, sizeof number, "%lld",
             constant_of(wrap->file, operand->value, &value) ? value : guess);
    lint_text_add(body, number, from);
}

/* Appends the text as PTX, with `guess` for unknown constants. */
static int put_text(const struct lint_wrap *wrap, const struct lint_asm *statement, long long guess,
                    struct lint_text *body, struct lint_findings *findings) {
    const struct lint_text *text = &statement->text;
    int good = 1;
    for (size_t i = 0; i < text->n; i++) {
        const char c = text->bytes[i], after = text->bytes[i + 1];
        size_t length, from = text->from[i];
        if (c != '%' || !after || isspace((unsigned char)after)) {
            lint_text_put(body, c, from);
        } else if (after == '%' || after == '=') { /* %= is a number of its own */
            if (!statement->n_operands)
                lint_find(findings, LINT_PERCENT_DOUBLE, from, after == '%' ? "%" : NULL,
                          after == '%'
                              ? "the statement has no operands, so nvcc leaves %%%% unchanged: "
                                "write %%"
                              : "the statement has no operands, so nvcc leaves %%= unchanged");
            lint_text_put(body, after == '%' ? '%' : '0', from);
            i++;
        } else if (statement->n_operands && (isdigit((unsigned char)after) || after == '[')) {
            const long number = operand_at(wrap, statement, i + 1, &length, findings);
            if (number < 0)
                good = 0;
            else if (is_constant(&statement->operands[number]))
                put_constant(wrap, &statement->operands[number], guess, from, body);
            else {
                char name[24];
                snprintf(name, sizeof name, "%%%ld", number);
                lint_text_add(body, name, from);
            }
            i += length;
        } else {
            if (statement->n_operands && isalpha((unsigned char)after) &&
                isdigit((unsigned char)text->bytes[i + 2]))
                lint_find(findings, LINT_PERCENT_MODIFIER, from, "%%",
                          "nvcc reads '%%%c%c' as an operand with modifier '%c' and refuses it: a "
                          "statement with operands writes the %% of a register as %%%%",
                          after, text->bytes[i + 2], after);
            else if (statement->n_operands)
                lint_find(findings, LINT_PERCENT_SINGLE, from, "%%",
                          "a statement with operands writes the %% of a register as %%%%");
            lint_text_put(body, '%', from);
        }
    }
    return good;
}

/* Removes the blanks of a spelling, which may precede its dots: "mov .u32". */
static void join_spellings(struct lint_text *body) {
    int begins = 1, name = 0; /* a statement begins; inside of its first word */
    size_t kept = 0;
    for (size_t i = 0; i < body->n; i++) {
        const char c = body->bytes[i];
        const size_t blanks = strspn(body->bytes + i, " \t");
        if (name && blanks && body->bytes[i + blanks] == '.') {
            i += blanks - 1;
            continue;
        }
        name = (isalpha((unsigned char)c) && begins) ||
               (name && (isalnum((unsigned char)c) || strchr("_.:", c)));
        begins = strchr(";{}", c) || (begins && isspace((unsigned char)c));
        body->bytes[kept] = c;
        body->from[kept++] = body->from[i];
    }
    body->bytes[kept] = '\0';
    body->n = kept;
}

int lint_wrap_text(const struct lint_wrap *wrap, const struct lint_asm *statement,
                   struct lint_text *body, struct lint_findings *findings) {
    int good = 1;
    *body = (struct lint_text){.heap = statement->text.heap};
    for (unsigned i = 0; i < statement->n_operands; i++) {
        const struct lint_operand *operand = &statement->operands[i];
        char constraint[24] = "";
        if (lint_is_constraint(operand->letter) && operand->letter != 'C')
            continue;
        good = 0;
        if (operand->letter == 'C') /* a text of the program, unknown here */
            continue;
        memcpy(constraint, wrap->file + operand->constraint.at,
               operand->constraint.n < sizeof constraint ? operand->constraint.n
                                                         : sizeof constraint - 1);
        lint_find(
            findings, LINT_CONSTRAINT_LETTER, operand->constraint.at, NULL,
            "\"%s\" of %%%u is no constraint: it can be h r l q f d, n for a constant, with = "
            "or + for an output",
            constraint, i);
    }
    good &= put_text(wrap, statement, 0, body, findings);
    if (body->n)
        join_spellings(body);
    return good;
}

/* --- as a kernel --- */

static void make_kernel(const struct lint_wrap *wrap, const struct lint_asm *statement,
                        const struct wsim_arch *arch, long long guess, struct lint_text *out) {
    struct lint_heap *heap = statement->text.heap;
    struct lint_findings known = {.heap = heap};
    const unsigned ptx = wrap->ptx ? wrap->ptx : LINT_TABLES_PTX;
    char line[96];
    snprintf(line, sizeof line, ".version %u.%u\n.target %s\n.address_size 64\n", ptx / 10,
             ptx % 10, wsim_arch_name(arch));
    lint_text_add(out, line, statement->at);
    lint_text_add(out, ".visible .entry statement()\n{\n", statement->at);
    for (unsigned i = 0; i < statement->n_operands; i++) {
        const char *type = letters[find_letter(statement->operands[i].letter)].type;
        if (!type)
            continue;
        snprintf(line, sizeof line, ".reg %s %%%u;\n", type, i);
        lint_text_add(out, line, statement->at);
    }
    int lowest, more = lint_braces(&statement->text, &lowest);
    for (int i = lowest; i < 0; i++) /* other statements open and close the rest */
        lint_text_add(out, "{\n", statement->at);
    put_text(wrap, statement, guess, out, &known);
    lint_findings_free(&known);
    const size_t last = statement->text.from[statement->text.n - 1];
    lint_text_add(out, "\n", last);
    for (int i = lowest; i <= more; i++)
        lint_text_add(out, "}\n", last);
}

/* The offset in the kernel of a line and column. */
static size_t offset_of(const struct lint_text *kernel, uint32_t line, uint32_t col) {
    const char *at = kernel->bytes;
    while (line-- > 1 && strchr(at, '\n'))
        at = strchr(at, '\n') + 1;
    const size_t offset = (size_t)(at - kernel->bytes) + (col ? col - 1 : 0);
    return offset < kernel->n ? offset : kernel->n - 1;
}

const struct lint_instruction *lint_unknown(const struct lint_instructions *instructions,
                                            size_t at) {
    const struct lint_instruction *around = NULL;
    for (size_t i = 0; i < instructions->n && instructions->all[i].spelling.at <= at; i++)
        around = &instructions->all[i];
    const int inside = around && at <= around->operands.at + around->operands.n;
    return inside && !around->known && around->word ? around : NULL;
}

/* The name at `at`; n is 0: none. */
static struct lint_span name_at(const char *bytes, size_t at) {
    struct lint_span name = {at, strchr("%$_", bytes[at]) != NULL};
    if (isdigit((unsigned char)bytes[at]))
        return name;
    while (isalnum((unsigned char)bytes[name.at + name.n]) || bytes[name.at + name.n] == '_' ||
           bytes[name.at + name.n] == '$')
        name.n++;
    return name;
}

/* Whether a name is a special register but for one letter: other statements do not declare it. */
static int is_special_slip(const char *name, size_t n) {
    enum { LEAST = 5 };
    if (n < LEAST || *name != '%')
        return 0;
    for (size_t i = 1; i < n; i++)
        if (isdigit((unsigned char)name[i]))
            return 0;
    for (uint32_t i = 0; i < PTX_SPECIALS; i++) {
        const char *special = ptx_special_name(i);
        if (special[1] == name[1] && near_edits(name, n, special, strlen(special), 1) <= 1)
            return 1;
    }
    return 0;
}

/* Whether code outside of the statement decides: it can declare a name, or choose another version
 * of PTX. `offset` is the place of the problem in the kernel. */
static int is_elsewhere(const struct lint_wrap *wrap, const struct wsim_problem *problem,
                        const struct lint_text *kernel, size_t offset) {
    const struct lint_span name = name_at(kernel->bytes, offset);
    if (strcmp(problem->rule, "ptx.name.unknown") == 0)
        return !is_special_slip(kernel->bytes + name.at, name.n);
    if ((!wrap->certain || wrap->some) && strncmp(problem->rule, "op.version.", 11) == 0)
        return 1;
    return strcmp(problem->rule, "ptx.operand.kind") == 0 && name.n &&
           !lint_names(kernel, (struct lint_span){0, offset}, name);
}

int lint_is_spelling(const struct wsim_problem *problem) {
    return strncmp(problem->rule, "ptx.opcode.", 11) == 0;
}

enum wsim_status lint_check_spelling(const char *spelling, const struct wsim_arch *arch,
                                     struct wsim_diag *diag) {
    struct wsim_instruction instruction;
    enum wsim_status status = wsim_instruction_parse(spelling, &instruction, diag);
    const struct wsim_arch *any;
    if (status || arch)
        return status ? status : wsim_instruction_check(&instruction, arch, diag);
    for (size_t i = 0; (any = wsim_arch_at(i)) != NULL; i++)
        if ((status = wsim_instruction_check(&instruction, any, diag)) == WSIM_OK)
            break;
    return status;
}

/* Whether the operand at `at`, or a list in braces, has an unknown number. */
static int is_unknown(const struct lint_wrap *wrap, const struct lint_asm *statement, size_t at) {
    const char *from = wrap->file + at, *end = from + (*from == '{' ? strcspn(from, "}") : 1);
    long long value;
    for (; from < end; from++) {
        if (*from != '%' || !isdigit((unsigned char)from[1]))
            continue;
        const unsigned long number = strtoul(from + 1, NULL, 10);
        if (number < statement->n_operands && is_constant(&statement->operands[number]) &&
            !constant_of(wrap->file, statement->operands[number].value, &value))
            return 1;
    }
    return 0;
}

/* Counts the problems of a statement and adds them to `findings` unless it is NULL. */
static unsigned long judge(const struct lint_wrap *wrap, const struct lint_asm *statement,
                           const struct wsim_arch *arch, long long guess,
                           struct lint_findings *findings) {
    struct lint_text kernel = {.heap = statement->text.heap};
    unsigned long wrong = 0;
    struct wsim_module *module = NULL;
    struct wsim_problem problem;
    struct wsim_diag diag;
    make_kernel(wrap, statement, arch, guess, &kernel);
    if (!kernel.heap->full)
        kernel.heap->full = wsim_module_load(kernel.bytes, kernel.n, WSIM_MODULE_DIAGNOSE, &module,
                                             &diag) == WSIM_NO_MEMORY;
    struct lint_instructions all = {NULL, 0, 0};
    if (module && wsim_module_problem(module, 0, &problem))
        all = lint_instructions_of(&kernel);
    for (size_t i = 0; module && wsim_module_problem(module, i, &problem); i++) {
        const size_t offset = offset_of(&kernel, problem.line, problem.col);
        const size_t place = kernel.from[offset];
        if (problem.status == WSIM_UNMODELLED || lint_is_spelling(&problem) ||
            is_elsewhere(wrap, &problem, &kernel, offset) || lint_unknown(&all, offset) ||
            (strcmp(problem.rule, "ptx.operand.range") == 0 && is_unknown(wrap, statement, place)))
            continue;
        wrong++;
        if (findings)
            lint_find_refusal(findings, WSIM_LINT_ERROR, problem.rule, place, NULL, problem.text);
    }
    lint_instructions_free(&all);
    wsim_module_free(module);
    lint_text_free(&kernel);
    return wrong;
}

static int has_unknown_constants(const struct lint_wrap *wrap, const struct lint_asm *statement) {
    long long value;
    for (unsigned i = 0; i < statement->n_operands; i++)
        if (is_constant(&statement->operands[i]) &&
            !constant_of(wrap->file, statement->operands[i].value, &value))
            return 1;
    return 0;
}

/* The guess for unknown constants that leaves the fewest problems. */
static long long best_guess(const struct lint_wrap *wrap, const struct lint_asm *statement,
                            const struct wsim_arch *arch, unsigned long *wrong) {
    const unsigned tries = has_unknown_constants(wrap, statement) ? GUESSES : 1;
    long long guess = guesses[0];
    *wrong = judge(wrap, statement, arch, guess, NULL);
    for (unsigned i = 1; *wrong && i < tries; i++) {
        const unsigned long other = judge(wrap, statement, arch, guesses[i], NULL);
        if (other < *wrong) {
            *wrong = other;
            guess = guesses[i];
        }
    }
    return guess;
}

void lint_check_operands(const struct lint_wrap *wrap, const struct lint_asm *statement,
                         struct lint_findings *findings) {
    const struct wsim_arch *arch = wrap->arch ? wrap->arch : wsim_arch_find(WSIM_ARCH_USUAL);
    unsigned long wrong;
    const long long guess = best_guess(wrap, statement, arch, &wrong);
    if (wrong)
        judge(wrap, statement, arch, guess, findings);
}
