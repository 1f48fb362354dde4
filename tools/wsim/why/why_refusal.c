/* Why an instruction is refused: the rule, its source, and the smallest changes that are legal. */
#include "why.h"
#include "../common/names.h"
#include "../common/pasted.h"
#include "../common/said.h"
#include "../common/text.h"
#include "../common/umma.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/statement.h>

struct refusal {
    const char *spelling;
    const struct wsim_arch *arch;
    struct wsim_diag diag;
    struct wsim_rule rule;  /* with an empty name if it has none */
    struct wsim_op nearest; /* legal on arch, if `has_nearest`   */
    int has_nearest;
    const struct wsim_arch *elsewhere; /* the first that has the instruction */
};

/* --- the smallest change --- */

enum { WORDS = 48, WORD = 40 };

struct words {
    unsigned n;
    char word[WORDS][WORD];
};

/* The words of a spelling, masked. */
static void split(const char *text, struct words *words) {
    words->n = 0;
    while (words->n < WORDS) {
        size_t length = strcspn(text, ".");
        snprintf(words->word[words->n++], WORD, "%.*s", (int)(length < WORD ? length : WORD - 1),
                 text);
        text_mask(words->word[words->n - 1]);
        if (!text[length])
            return;
        text += length + 1;
    }
}

/* The cost of changing, leaving out or adding a word: sparsity and types change the meaning most,
 * then the shape. */
static unsigned weight(const char *word) {
    if (wsim_format_find(word) || strncmp(word, "sp", 2) == 0)
        return 6;
    return *word == 'm' && word[1] >= '0' && word[1] <= '9' ? 4 : 2;
}

static unsigned change(const char *from, const char *to) {
    return strcmp(from, to) == 0 ? 0 : weight(from) > weight(to) ? weight(from) : weight(to);
}

static unsigned least(unsigned x, unsigned y) {
    return x < y ? x : y;
}

/* The cheapest way from one list of words to the other, by changing, leaving out and adding. */
static unsigned distance(const struct words *from, const struct words *to) {
    unsigned row[WORDS + 1] = {0};
    for (unsigned j = 0; j < to->n; j++)
        row[j + 1] = row[j] + weight(to->word[j]);
    for (unsigned i = 0; i < from->n; i++) {
        unsigned across = row[0];
        row[0] += weight(from->word[i]);
        for (unsigned j = 0; j < to->n; j++) {
            unsigned next =
                least(across + change(from->word[i], to->word[j]),
                      least(row[j + 1] + weight(from->word[i]), row[j] + weight(to->word[j])));
            across = row[j + 1];
            row[j + 1] = next;
        }
    }
    return row[to->n];
}

/* The form of an instruction that is legal on the architecture and costs least; of several the one
 * with the fewest changed letters. */
static int find_nearest(const char *spelling, const struct wsim_arch *arch, struct wsim_op *out) {
    struct words from, to;
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    unsigned best = UINT32_MAX;
    memset(&op, 0, sizeof op);
    split(spelling, &from);
    for (uint32_t cursor = 0; wsim_op_next(&cursor, &op);) {
        unsigned cost;
        wsim_op_spell(&op, text);
        split(text, &to);
        if (strcmp(from.word[0], to.word[0]) != 0 || wsim_op_check(&op, arch, NULL))
            continue;
        cost = distance(&from, &to) * (NAME_FAR + 1) + name_distance(spelling, text);
        if (cost < best) {
            best = cost;
            *out = op;
        }
    }
    return best != UINT32_MAX;
}

/* The nearest form by the library may belong to another target. */
static void look_around(struct refusal *r, const struct wsim_op *op) {
    if (op && r->diag.status == WSIM_UNMODELLED)
        return; /* it is legal there */
    r->has_nearest = !op && wsim_op_nearest(r->spelling, &r->nearest) &&
                     !wsim_op_check(&r->nearest, r->arch, NULL);
    if (!r->has_nearest)
        r->has_nearest = find_nearest(r->spelling, r->arch, &r->nearest);
    for (size_t i = 0; op && !r->elsewhere && wsim_arch_at(i); i++)
        if (!wsim_op_check(op, wsim_arch_at(i), NULL))
            r->elsewhere = wsim_arch_at(i);
}

/* --- printing --- */

static void join(const struct words *words, unsigned from, unsigned to,
                 char out[WSIM_SPELLING_MAX]) {
    size_t used = 0;
    for (unsigned i = from; i < to && used < WSIM_SPELLING_MAX; i++)
        used += (size_t)snprintf(out + used, WSIM_SPELLING_MAX - used, ".%s", words->word[i]);
}

/* As many words: those that change. */
static void word_words(struct doc *doc, const struct words *from, const struct words *to) {
    for (unsigned i = 0; i < from->n; i++)
        if (strcmp(from->word[i], to->word[i]) != 0)
            doc_line(doc, "    %s -> %s", from->word[i], to->word[i]);
}

/* With fewer or more words: the part from the first to the last change. */
static void word_change(struct doc *doc, const char *spelling, const char *nearest) {
    struct words from, to;
    unsigned begin = 0, end = 0;
    char old[WSIM_SPELLING_MAX] = "", other[WSIM_SPELLING_MAX] = "";
    split(spelling, &from);
    split(nearest, &to);
    if (from.n == to.n) {
        word_words(doc, &from, &to);
        return;
    }
    while (begin < least(from.n, to.n) && strcmp(from.word[begin], to.word[begin]) == 0)
        begin++;
    while (end < least(from.n, to.n) - begin &&
           strcmp(from.word[from.n - 1 - end], to.word[to.n - 1 - end]) == 0)
        end++;
    join(&from, begin, from.n - end, old);
    join(&to, begin, to.n - end, other);
    doc_line(doc, "    %s -> %s", *old ? old : "(nothing)", *other ? other : "(nothing)");
}

static void add_reason(struct doc *doc, const struct refusal *r) {
    doc_enter(doc, "refused");
    doc_set(doc, "status", json_string(wsim_status_name(r->diag.status)));
    doc_fact(doc, "reason", tool_json_text(r->diag.text), "  %s", r->diag.text);
    if (r->diag.col)
        doc_set(doc, "column", json_integer(r->diag.col));
    if (r->rule.name) {
        doc_object(doc, "rule", "{s:s, s:s, s:s}", "name", r->rule.name, "meaning", r->rule.meaning,
                   "source", r->rule.source);
        doc_line(doc, "  rule %s: %s", r->rule.name, r->rule.meaning);
        doc_line(doc, "  source: %s", r->rule.source);
    }
    doc_leave(doc);
}

/* Pages have a table in place of the lines. */
static void add_rows(struct doc *doc, const struct refusal *r, const char *nearest) {
    static const struct doc_column columns[] = {
        {NULL, "refused", 0}, {NULL, "what", DOC_LEFT}, {NULL, NULL, 0}};
    doc_only(doc, DOC_PAGES);
    doc_table(doc, NULL, columns);
    doc_row_of(doc, "ss", "because", r->diag.text);
    if (r->rule.name) {
        doc_row_of(doc, "ss", "rule", r->rule.name);
        doc_row_of(doc, "ss", "meaning", r->rule.meaning);
        doc_row_of(doc, "ss", "source", r->rule.source);
    }
    if (r->has_nearest)
        doc_row_of(doc, "ss", "smallest legal change", nearest);
    if (r->elsewhere)
        doc_row_of(doc, "ss", "first legal on", wsim_arch_name(r->elsewhere));
    doc_leave(doc);
}

static int print(struct refusal *r, enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.why.refusal");
    char nearest[WSIM_SPELLING_MAX] = "";
    if (!r->diag.rule || !wsim_rule_find(r->diag.rule, &r->rule))
        r->rule.name = NULL;
    doc_pack(doc, "{s:o, s:s}", "spelling", tool_json_text(r->spelling), "arch",
             wsim_arch_name(r->arch));
    doc_line(doc, "%s: %s on %s", wsim_status_name(r->diag.status), text_path(r->spelling).text,
             wsim_arch_name(r->arch));
    doc_only(doc, TOOL_TEXT);
    add_reason(doc, r);
    if (r->has_nearest) {
        wsim_op_spell(&r->nearest, nearest);
        doc_line(doc, "  smallest change that is legal on %s:", wsim_arch_name(r->arch));
        word_change(doc, r->spelling, nearest);
        doc_fact(doc, "nearest", json_string(nearest), "    %s", nearest);
    }
    if (r->elsewhere)
        doc_fact(doc, "legal_on", json_string(wsim_arch_name(r->elsewhere)),
                 "  the first target that has the instruction: %s", wsim_arch_name(r->elsewhere));
    add_rows(doc, r, nearest);
    if (doc_close(doc, TOOL_FOUND) != TOOL_FOUND)
        return TOOL_USAGE;
    return r->diag.status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_FOUND;
}

/* --- reading --- */

enum reading {
    IS_OP,   /* *op                                                            */
    IS_NONE, /* no instruction, because of *why                                 */
    IS_OTHER /* neither: tool_op reports it, or lists several                   */
};

static enum reading read_name(const char *name, struct wsim_op *op) {
    size_t count;
    return !wsim_op_find(name, op, 1, &count, NULL) && count == 1 ? IS_OP : IS_OTHER;
}

/* The first instruction of the tables among statements; *why has the first refusal. */
static enum reading read_statements(const char *ptx, char name[WSIM_STATEMENT_SPELLING],
                                    struct wsim_op *op, struct wsim_diag *why) {
    struct wsim_statements in = wsim_statements_of(ptx);
    struct wsim_statement statement;
    struct wsim_diag diag = {0};
    enum reading reading = IS_OTHER;
    while (wsim_statements_next(&in, &statement)) {
        if (!wsim_op_parse(statement.spelling, op, &diag))
            return IS_OP;
        if (reading == IS_NONE &&
            (why->status != WSIM_UNMODELLED || diag.status == WSIM_UNMODELLED))
            continue;
        reading = IS_NONE;
        *why = diag;
        memcpy(name, statement.spelling, WSIM_STATEMENT_SPELLING);
    }
    return reading;
}

static enum reading read_text(const char *text, char name[WSIM_STATEMENT_SPELLING],
                              struct wsim_op *op, struct wsim_diag *why) {
    char *atom = pasted_atom(text), *ptx = pasted_ptx(text);
    enum reading reading = atom ? read_name(atom, op) : read_statements(ptx, name, op, why);
    free(atom);
    free(ptx);
    if (reading != IS_NONE || strstr(name, ".sync") || why->status == WSIM_UNMODELLED)
        return reading;
    return wsim_op_find(name, NULL, 0, &(size_t){0}, NULL) ? reading : read_name(name, op);
}

/* Whether it is a legal instruction of one thread; if not, *why has the reason. */
static int is_of_thread(const char *name, const struct wsim_arch *arch, struct wsim_diag *why) {
    struct wsim_instruction instruction;
    return !wsim_instruction_parse(name, &instruction, why) &&
           !wsim_instruction_check(&instruction, arch, why);
}

int why_refusal(const char **args, const struct wsim_arch *arch, enum tool_format format) {
    struct refusal r = {.arch = arch};
    char name[WSIM_STATEMENT_SPELLING] = "";
    enum reading reading;
    struct wsim_code code;
    struct wsim_op op;
    if (!args[0] || said_about(args[0]) || strstr(args[0], "SM100_MMA_"))
        return TOOL_GO; /* exec_prepare reports it */
    reading = read_text(args[0], name, &op, &r.diag);
    r.spelling = name;
    if (reading == IS_OTHER)
        return TOOL_GO;
    if (reading == IS_NONE && is_of_thread(name, arch, &r.diag) && umma_is_product(name))
        return TOOL_GO; /* its instruction descriptor decides */
    if (reading == IS_NONE && is_of_thread(name, arch, &r.diag))
        tool_fail("%s is a legal scalar instruction on %s: wsim why explains products and refusals",
                  text_cut(name).text, wsim_arch_name(arch));
    if (reading == IS_OP && !wsim_op_check(&op, arch, &r.diag) &&
        !wsim_prepare(&op, arch, 0, &code, &r.diag))
        return TOOL_GO;
    if (reading == IS_OP)
        wsim_op_spell(&op, name);
    look_around(&r, reading == IS_OP ? &op : NULL);
    return print(&r, format);
}

int why_refused(const struct exec_run *run, const struct wsim_diag *diag, enum tool_format format) {
    struct refusal r = {.spelling = run->spelling, .arch = run->arch, .diag = *diag};
    return print(&r, format);
}
