/* Problems of a text. Each is kept once, with a count, and an undeclared name has the nearest name.
 * Their number is bounded: a text full of mistakes costs no more than a correct one. Mistakes
 * beyond the bound, and unmodelled things beyond it, are one problem each, with their number. */
#include "../isa/isa.h"
#include "../spell/near.h"
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISTINCT = 1000, SLOTS = 4096, SUGGESTIONS = 50, LOOKED_AT = 20000 };

static uint32_t slot_of(const char *rule, const char *text, int32_t function) {
    uint32_t h = 2166136261u ^ (uint32_t)function;
    for (; *rule; rule++)
        h = (h ^ (unsigned char)*rule) * 16777619u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* The slot of the problem with this sentence, or the free slot of a new one. */
static uint32_t *find(struct reader *r, const struct wsim_diag *said) {
    uint32_t slot = slot_of(said->rule, said->text, r->function_index) % SLOTS;
    for (; r->problem_table[slot]; slot = (slot + 1) % SLOTS) {
        const struct ptx_problem *p =
            VEC_AT(struct ptx_problem, r->problem_list, r->problem_table[slot] - 1);
        if (p->rule == said->rule && p->function == r->function_index &&
            strcmp(p->said, said->text) == 0)
            break;
    }
    return &r->problem_table[slot];
}

static int is_unmodelled(const struct ptx_problem *p) {
    return p->status == WSIM_UNMODELLED;
}

/* Counts a problem that is not listed, and keeps the place of the first. */
static void count_more(struct ptx_problem *more, const struct wsim_diag *said) {
    if (!more->count) {
        more->line = said->line;
        more->col = said->col;
    }
    more->count += more->count < UINT32_MAX;
}

/* Counts the problem. Returns it if it is the first of its kind; NULL otherwise, or if there are
 * too many. */
static struct ptx_problem *note(struct reader *r, const struct wsim_diag *said) {
    if (r->function)
        r->function->problems++;
    if (!r->problem_table &&
        !(r->problem_table = arena_take(&r->work, SLOTS * sizeof *r->problem_table)))
        return NULL;
    uint32_t *slot = find(r, said);
    if (*slot) {
        VEC_AT(struct ptx_problem, r->problem_list, *slot - 1)->count++;
        return NULL;
    }
    const int unmodelled = said->status == WSIM_UNMODELLED;
    if (r->listed[unmodelled] == DISTINCT) {
        count_more(&r->more[unmodelled], said);
        return NULL;
    }
    struct ptx_problem *p = arena_push(&r->work, &r->problem_list, sizeof *p);
    if (!p)
        return NULL;
    *slot = r->problem_list.n;
    r->listed[unmodelled]++;
    *p = (struct ptx_problem){.status = said->status,
                              .rule = said->rule,
                              .line = said->line,
                              .col = said->col,
                              .count = 1,
                              .function = r->function_index};
    p->text = p->said = arena_copy(r->keep, said->text, strlen(said->text));
    return p->text ? p : NULL;
}

static struct ptx_problem *complain(struct reader *r, enum base_rule rule, struct place at,
                                    const char *text) {
    struct wsim_diag said;
    base_refuse(&said, rule, at.col, "%s", text);
    said.line = at.line;
    return note(r, &said);
}

void ptx_complain(struct reader *r, enum base_rule rule, struct place at, const char *format, ...) {
    char text[WSIM_DIAG_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    complain(r, rule, at, text);
}

void ptx_complain_unknown(struct reader *r, enum base_rule illegal, enum base_rule unmodelled,
                          struct place at, const char *format, ...) {
    char text[WSIM_DIAG_TEXT];
    struct ptx_problem *p;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    p = complain(r, isa_ptx_is_whole(r->module->version) ? illegal : unmodelled, at, text);
    if (p)
        p->tolerated = 1;
}

const char *ptx_seen(const struct reader *r, char out[PTX_SEEN]) {
    const char *from = r->at;
    int n = 0;
    while (n < 30 && (ptx_is_word(from[n]) || (n == 0 && from[n] == '%')))
        n++;
    n = n ? n : 1;
    unsigned char c = (unsigned char)*from;
    if (c == '\0')
        snprintf(out, PTX_SEEN, "the end of the text");
    else if (c < ' ' || c > '~')
        snprintf(out, PTX_SEEN, "a byte 0x%02x", c);
    else
        snprintf(out, PTX_SEEN, "'%.*s'", n, from);
    return out;
}

/* The nearest name among declared names and special registers. */
static uint32_t nearest(struct reader *r, uint32_t name) {
    const struct name *wanted = NAME_AT(r, name);
    unsigned best = 3;
    uint32_t found = 0, last = r->bindings.n < LOOKED_AT ? r->bindings.n : LOOKED_AT;
    for (uint32_t i = 1; i < last + PTX_SPECIALS && best > 1; i++) {
        /* Special registers have the first names. */
        uint32_t at = i < last ? BINDING_AT(r, i)->name : i - last + 1;
        const struct name *n = NAME_AT(r, at);
        if (at == name || n->length > wanted->length + 2 || wanted->length > n->length + 2)
            continue;
        unsigned edits = near_edits(wanted->text, wanted->length, n->text, n->length, best - 1);
        if (edits < best) {
            best = edits;
            found = at;
        }
    }
    return found;
}

void ptx_complain_name(struct reader *r, uint32_t name, struct place at, const char *what) {
    char text[WSIM_DIAG_TEXT];
    const struct name *n = NAME_AT(r, name);
    snprintf(text, sizeof text, "%s '%.*s' is not declared", what,
             n->length > 60 ? 60 : (int)n->length, n->text);
    const int shared = r->shared_registers;
    struct ptx_problem *p =
        complain(r, shared ? RULE_PTX_DIRECTIVE_UNMODELLED : RULE_PTX_NAME_UNKNOWN, at, text);
    uint32_t near;
    if (!p || shared || r->suggestions++ >= SUGGESTIONS || !(near = nearest(r, name)))
        return;
    n = NAME_AT(r, near);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "; did you mean '%.*s'?",
             n->length > 60 ? 60 : (int)n->length, n->text);
    p->text = arena_copy(r->keep, text, strlen(text));
}

/* The end of a function reports missing labels, at the place of their use. */
static int before(const void *a, const void *b) {
    const struct ptx_problem *p = a, *q = b;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    if (p->col != q->col)
        return p->col < q->col ? -1 : 1;
    return strcmp(p->text ? p->text : "", q->text ? q->text : "");
}

/* Adds the problem that counts those beyond the list. */
static void end_more(struct reader *r, int unmodelled) {
    static const enum base_rule rules[] = {RULE_PTX_MORE_WRONG, RULE_PTX_MORE_UNMODELLED};
    struct ptx_problem *more = &r->more[unmodelled], *p;
    struct wsim_diag said;
    r->listed[unmodelled] = 0;
    if (!more->count)
        return;
    more->status =
        base_refuse(&said, rules[unmodelled], 0, "%lu more %s: %d different ones are listed",
                    (unsigned long)more->count,
                    unmodelled ? "things that wsim does not model" : "mistakes", DISTINCT);
    more->rule = said.rule;
    more->function = -1;
    more->text = more->said = arena_copy(r->keep, said.text, strlen(said.text));
    if (more->text && (p = arena_push(&r->work, &r->problem_list, sizeof *p)))
        *p = *more;
    *more = (struct ptx_problem){.count = 0};
}

void ptx_problems_end(struct reader *r) {
    end_more(r, 0);
    end_more(r, 1);
    struct ptx_problem *list = r->problem_list.at;
    /* A function with a wrong head is not in the list. */
    for (uint32_t i = 0; i < r->problem_list.n; i++)
        if (list[i].function >= (int32_t)r->functions.n)
            list[i].function = -1;
    if (r->problem_list.n)
        qsort(r->problem_list.at, r->problem_list.n, sizeof *list, before);
    for (uint32_t i = 0; i < r->problem_list.n && !r->status; i++) {
        if (is_unmodelled(&list[i]) || list[i].tolerated || !list[i].text)
            continue;
        r->status = list[i].status;
        if (!r->diag)
            return;
        *r->diag = (struct wsim_diag){list[i].status, list[i].line, list[i].col, list[i].rule, ""};
        snprintf(r->diag->text, sizeof r->diag->text, "%s", list[i].text);
    }
}
