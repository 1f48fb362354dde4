/* An operation as users type or paste it: a spelling or words of one, a line of PTX, an asm
 * statement, an atom of CuTe. Declared in tool.h. */
#include "memory.h"
#include "pasted.h"
#include "said.h"
#include "text.h"
#include "tool.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/statement.h>

/* --- names that are no spellings --- */

enum { MOST_NAMED = TOOL_CANDIDATES };

/* The command line, to be repeated with another instruction; NULL: there is none. */
static const char *const *typed;

void tool_typed(const char *const *line) {
    typed = line;
}

/* The same line with `spelling` in the place of `name`. Nothing is printed if it does not fit. */
static void note_again(const char *name, const char *spelling) {
    char line[256] = "";
    size_t n = 0;
    int found = 0;
    for (const char *const *word = typed; word && *word; word++) {
        const int is_name = !found && word != typed && strcmp(*word, name) == 0;
        const char *text = is_name ? spelling : *word;
        const char *quote = word != typed && strpbrk(text, " *()[]{}<>;&|$!#~?") ? "'" : "";
        const int more = snprintf(line + n, sizeof line - n, " %s%s%s", quote, text, quote);
        if (strpbrk(text, "'\n") || more < 0 || (size_t)more >= sizeof line - n)
            return;
        n += (size_t)more;
        found |= is_name;
    }
    if (found)
        tool_note("for example:%s", line);
}

void tool_candidates(const char *name, const struct wsim_op *ops, size_t count) {
    char spelling[WSIM_SPELLING_MAX];
    size_t shown = count < MOST_NAMED ? count : MOST_NAMED;
    tool_error("'%s' matches %lu operations:", text_cut(name).text, (unsigned long)count);
    for (size_t i = 0; i < shown; i++) {
        wsim_op_spell(&ops[i], spelling);
        tool_note("  %s", spelling);
    }
    if (shown == count)
        note_again(name, spelling);
    if (shown < count)
        tool_note("  ... and %lu more; add words, such as the shape and types: m16n8k16.f32.f16",
                  (unsigned long)(count - shown));
}

struct atom_words tool_atom_words(const struct wsim_atom *atom) {
    struct atom_words words = {""};
    const struct {
        int is;
        const char *what;
    } parts[] = {{atom->a_in == WSIM_ATOM_SHARED, ", A in shared memory"},
                 {atom->a_in == WSIM_ATOM_REGISTERS, ", A in registers"},
                 {atom->trans_a, ", A MN-major (trans-a 1)"},
                 {atom->trans_b, ", B MN-major (trans-b 1)"},
                 {atom->negate_a, ", A negated (scale-a -1)"},
                 {atom->negate_b, ", B negated (scale-b -1)"},
                 {atom->selector, ", selector 1"}};
    size_t n = 0;
    if (atom->times > 1)
        n = (size_t)snprintf(words.text, sizeof words.text, ", %d times for complex numbers",
                             atom->times);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].is)
            n += (size_t)snprintf(words.text + n, sizeof words.text - n, "%s", parts[i].what);
    return words;
}

/* Finds the operation of a name that wsim_op_parse refuses because of *why. A text with .sync is a
 * whole spelling and is wrong. */
static void find_op(const char *name, const struct wsim_diag *why, struct wsim_op *op,
                    struct wsim_atom *atom) {
    struct wsim_op ops[MOST_NAMED];
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_diag diag;
    size_t count;
    if (!wsim_scalar_parse(name, &(struct wsim_scalar){0}, NULL))
        tool_fail("%s is a scalar instruction without fragments or banks: use wsim check "
                  "or wsim run; ld.shared and st.shared have banks",
                  text_cut(name).text);
    if (strstr(name, ".sync") || why->status == WSIM_UNMODELLED)
        tool_refuse(NULL, why);
    if (wsim_atom_find(name, atom, ops, MOST_NAMED, &count, &diag))
        tool_refuse(NULL, why->col == 1 ? &diag : why);
    if (count > 1) {
        tool_candidates(name, ops, count);
        tool_end(TOOL_USAGE);
    }
    *op = ops[0];
    wsim_op_spell(op, spelling);
    tool_note("%s is %s%s", text_cut(name).text, spelling, tool_atom_words(atom).text);
}

/* --- pasted text --- */

static int is_documented(const struct wsim_op *op, struct wsim_diag *diag) {
    return wsim_op_describe(op).documented || !wsim_op_check(op, wsim_arch_at(0), diag);
}

/* The one instruction of the tables among those of several statements; *why is about the first that
 * is none. `others`: there was more than one statement. */
static int find_statement(const char *ptx, struct wsim_op *op, int *others, char name[],
                          struct wsim_diag *why) {
    struct wsim_statements in = wsim_statements_of(ptx);
    struct wsim_statement statement;
    unsigned found = 0, all = 0;
    for (; wsim_statements_next(&in, &statement); all++) {
        struct wsim_op one;
        struct wsim_diag diag = {0};
        if (wsim_op_parse(statement.spelling, &one, &diag)) {
            if (all == 0 || (why->status == WSIM_UNMODELLED && diag.status != WSIM_UNMODELLED)) {
                *why = diag;
                why->col += diag.col ? (uint32_t)statement.column : 0;
                memcpy(name, statement.spelling, WSIM_STATEMENT_SPELLING);
            }
            continue;
        }
        if (found++ == 0)
            *op = one;
        else if (memcmp(&one, op, sizeof one) == 0)
            found--;
    }
    *others = all > 1;
    return (int)found;
}

_Noreturn static void list_statements(const char *ptx) {
    struct wsim_statements in = wsim_statements_of(ptx);
    struct wsim_statement statement;
    struct wsim_op op;
    unsigned shown = 0;
    tool_error("several instructions given; choose one:");
    while (shown < MOST_NAMED && wsim_statements_next(&in, &statement))
        if (wsim_op_parse(statement.spelling, &op, NULL) == WSIM_OK && ++shown)
            tool_note("  %s", statement.spelling);
    tool_end(TOOL_USAGE);
}

static void from_text(const char *text, struct wsim_op *op, struct wsim_atom *atom) {
    char *ptx = pasted_ptx(text), name[WSIM_STATEMENT_SPELLING] = "", spelling[WSIM_SPELLING_MAX];
    struct wsim_diag why = {0};
    int others = 0, found = find_statement(ptx, op, &others, name, &why);
    if (found > 1)
        list_statements(ptx);
    if (!found && !*name)
        tool_fail("no instruction in '%s'", text_cut(text).text);
    if (!found)
        find_op(name, &why, op, atom);
    wsim_op_spell(op, spelling);
    if (found && others)
        tool_note("of these instructions: %s", spelling);
    free(ptx);
}

static void parse_op(const char *text, struct wsim_op *op, struct wsim_atom *used) {
    char *atom = pasted_atom(text);
    struct wsim_statements in = wsim_statements_of(text);
    struct wsim_statement first;
    const char *spelling = wsim_statements_next(&in, &first) ? first.spelling : "";
    const char *about = said_about(text);
    struct wsim_diag diag = {0};
    int empty = *spelling == 0, plain = !strchr(text, '"');
    enum wsim_status parsed = wsim_op_parse(spelling, op, &diag);
    if (diag.col)
        diag.col += (uint32_t)first.column;
    if (about)
        tool_fail("'%s' is %s", text_cut(text).text, about);
    else if (atom)
        find_op(atom, &diag, op, used);
    else if (parsed && (!plain || empty || strchr(text, ';') || strchr(text, '\n')) &&
             !isupper((unsigned char)*spelling))
        from_text(text, op, used);
    else if (parsed)
        find_op(spelling, &diag, op, used);
    free(atom);
    if (!is_documented(op, &diag))
        tool_refuse(NULL, &diag);
}

/* Whether the word is an operand of a line without quotes. */
static int is_operand(const char *word) {
    return *word && strchr("{%[(|,", *word) != NULL;
}

/* "kernel.cu": no instruction ends so. */
static int is_file(const char *word) {
    static const char *const ends[] = {".cu", ".cuh", ".ptx", ".cubin", ".fatbin", ".json"};
    const size_t length = strlen(word);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strcmp(word + length - end, ends[i]) == 0)
            return !strpbrk(word, " ;{");
    }
    return 0;
}

void tool_op_atom(const char **args, struct wsim_op *op, struct wsim_atom *atom) {
    *atom = (struct wsim_atom){.times = 1};
    if (!args[0])
        tool_fail("no instruction given, such as "
                  "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    if (is_file(args[0]))
        tool_fail("'%s' is a file: wsim run %s runs its kernels and counts each line, and "
                  "wsim check %s checks its inline assembly",
                  text_cut(args[0]).text, text_cut(args[0]).text, text_cut(args[0]).text);
    if (args[1] && !is_operand(args[1]))
        tool_fail("unexpected argument '%s' after the instruction (quote a line with "
                  "operands; --help lists the options)",
                  text_cut(args[1]).text);
    parse_op(args[0], op, atom);
}

void tool_op(const char **args, struct wsim_op *op) {
    struct wsim_atom atom;
    tool_op_atom(args, op, &atom);
}
