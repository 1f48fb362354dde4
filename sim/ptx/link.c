/* Joins several modules: a definition in one resolves an .extern declaration in another.
 *
 * The linker copies everything and renumbers each module after the modules before it. Then each
 * shared name gets one definition, and operands and addresses in initialisers get its number.
 * The rules are those of the linker of CUDA 13.0. A strong definition goes before weak ones, and
 * weak ones before .common ones. The largest .common one counts. Two strong definitions are an
 * error. Variables must agree in space and in bytes (nvcc writes .b64 here and .u64 there).
 * Functions must have equal parameters. */
#include "../base/base.h"
#include "arena.h"
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name that is seen from outside of its module. */
struct symbol {
    const char *name;
    struct ptx_variable *variable; /* or */
    struct ptx_function *function;
    uint32_t module; /* of all                */
    uint32_t index;  /* in the linked module  */
};

/* Where the numbers of a module begin in the linked one. */
struct base {
    uint32_t variable, function, opcode, loc, file, problem;
};

struct linker {
    struct ptx_module *out;
    struct ptx_arena *keep, work;
    struct symbol *symbols;
    uint32_t n_symbols;
    uint32_t *variable_of, *function_of; /* of each number: that of the definition */
    uint32_t *wrong;
    struct wsim_diag *diag;
    enum wsim_status status;
    struct arena_vec problems; /* struct ptx_problem */
};

/* --- names --- */

/* Parts of dynamic shared memory have one place, whatever they are called, and no definition. */
static int is_dynamic(const struct ptx_variable *v) {
    return v->space == PTX_SHARED && v->open;
}

static int is_seen(enum ptx_linkage linkage, int defined) {
    return linkage != PTX_INTERNAL || !defined;
}

/* 0: declared alone; 1 to 3: defined, the strongest counts. */
static int strength(const struct symbol *s) {
    const enum ptx_linkage linkage = s->variable ? s->variable->linkage : s->function->linkage;
    if (s->function ? !s->function->is_defined : linkage == PTX_EXTERN)
        return 0;
    return linkage == PTX_COMMON ? 1 : linkage == PTX_WEAK ? 2 : 3;
}

static int by_name(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order                    ? order
           : x->module != y->module ? (x->module < y->module ? -1 : 1)
                                    : (x->index > y->index) - (x->index < y->index);
}

/* The names of a module that others can mean; `from` are its numbers in the linked module. */
static uint32_t collect(struct ptx_variable *variables, uint32_t n_variables,
                        struct ptx_function *functions, uint32_t n_functions, uint32_t module,
                        struct base from, struct symbol *out) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_variables; i++) {
        struct ptx_variable *v = &variables[i];
        if (v->function < 0 && is_seen(v->linkage, 1))
            out[n++] = (struct symbol){v->name, v, NULL, module, from.variable + i};
    }
    for (uint32_t i = 0; i < n_functions; i++) {
        struct ptx_function *f = &functions[i];
        if (is_seen(f->linkage, f->is_defined))
            out[n++] = (struct symbol){f->name, NULL, f, module, from.function + i};
    }
    return n;
}

/* The end of the group with the name of symbols[from]. */
static uint32_t group_end(const struct symbol *symbols, uint32_t n, uint32_t from) {
    uint32_t end = from + 1;
    while (end < n && strcmp(symbols[end].name, symbols[from].name) == 0)
        end++;
    return end;
}

/* Whether a module of a text declares what another one of it defines; -1: no memory. */
static int is_needed(struct ptx_module *first) {
    struct ptx_arena work = {0};
    uint32_t room = 0, n = 0, module = 0;
    int needed = 0;
    for (const struct ptx_module *m = first; m; m = m->next)
        room += m->n_variables + m->n_functions;
    struct symbol *symbols = arena_take(&work, (room + 1u) * sizeof *symbols);
    if (!symbols)
        return -1;
    for (struct ptx_module *m = first; m; m = m->next)
        n += collect(m->variables, m->n_variables, m->functions, m->n_functions, module++,
                     (struct base){0}, symbols + n);
    qsort(symbols, n, sizeof *symbols, by_name);
    for (uint32_t from = 0, end; from < n && !needed; from = end) {
        int declared = 0, defined = 0;
        end = group_end(symbols, n, from);
        for (uint32_t i = from; i < end; i++) {
            const int is_definition = strength(&symbols[i]) > 0;
            defined |= is_definition;
            declared |= !is_definition && !(symbols[i].variable && is_dynamic(symbols[i].variable));
        }
        needed = declared && defined;
    }
    arena_free(&work);
    return needed;
}

/* --- what is wrong --- */

static uint32_t part_of(const struct symbol *s) {
    return s->variable ? s->variable->part : s->function->part;
}

static uint32_t line_of(const struct symbol *s) {
    return s->variable ? s->variable->line : s->function->line;
}

/* "line 4", or "line 4 of a.ptx". */
#define PLACE 96
static const char *place_of(const struct linker *l, const struct symbol *s, char out[PLACE]) {
    const char *name = l->out->parts[part_of(s)];
    if (l->out->n_parts > 1 && name)
        snprintf(out, PLACE, "line %u of %.60s", (unsigned)line_of(s), name);
    else
        snprintf(out, PLACE, "line %u", (unsigned)line_of(s));
    return out;
}

/* Notes a problem of a symbol; the first problem is the result. */
static void complain(struct linker *l, const struct symbol *s, enum base_rule rule,
                     const char *text) {
    struct ptx_problem *p = arena_push(&l->work, &l->problems, sizeof *p);
    struct wsim_diag said;
    base_refuse(&said, rule, s->variable ? s->variable->col : s->function->col, "%s", text);
    said.line = line_of(s);
    if (!p)
        return;
    *p = (struct ptx_problem){.status = said.status,
                              .rule = said.rule,
                              .line = said.line,
                              .col = said.col,
                              .count = 1,
                              .function = -1,
                              .part = part_of(s)};
    p->text = p->said = arena_copy(l->keep, said.text, strlen(said.text));
    if (l->status)
        return;
    l->status = said.status;
    *l->wrong = part_of(s);
    if (l->diag)
        *l->diag = said;
}

static const char *const space_names[] = {
    [PTX_REG] = "reg",     [PTX_PARAM] = "param", [PTX_SHARED] = "shared",  [PTX_GLOBAL] = "global",
    [PTX_LOCAL] = "local", [PTX_CONST] = "const", [PTX_GENERIC] = "generic"};

/* A declaration of a variable, or a definition that is not taken, against the one that is. */
static void compare_variables(struct linker *l, const struct symbol *s, const struct symbol *best) {
    const struct ptx_variable *v = s->variable, *is = best->variable;
    char text[WSIM_DIAG_TEXT], place[PLACE];
    place_of(l, best, place);
    if (v->space != is->space)
        snprintf(text, sizeof text, "'%.80s' is .%s here and .%s in %s", v->name,
                 space_names[v->space], space_names[is->space], place);
    else if (v->bytes != is->bytes && !v->open &&
             !(v->linkage == PTX_COMMON && v->bytes < is->bytes))
        snprintf(text, sizeof text, "'%.80s' has %llu bytes here and %llu in %s", v->name,
                 (unsigned long long)v->bytes, (unsigned long long)is->bytes, place);
    else if (v->align > is->align)
        snprintf(text, sizeof text, "'%.80s' is aligned to %u bytes here and to %u in %s", v->name,
                 (unsigned)v->align, (unsigned)is->align, place);
    else
        return;
    complain(l, s, RULE_PTX_LINK_OTHER, text);
}

static int same_list(const struct ptx_param *a, uint32_t n, const struct ptx_param *b, uint32_t m) {
    for (uint32_t i = 0; i < n && n == m; i++)
        if (a[i].bytes != b[i].bytes || a[i].in_register != b[i].in_register ||
            a[i].open != b[i].open)
            return 0;
    return n == m;
}

static void compare_functions(struct linker *l, const struct symbol *s, const struct symbol *best) {
    const struct ptx_function *f = s->function, *is = best->function;
    char text[WSIM_DIAG_TEXT], place[PLACE];
    if (f->is_entry == is->is_entry &&
        same_list(f->params, f->n_params, is->params, is->n_params) &&
        same_list(f->results, f->n_results, is->results, is->n_results))
        return;
    snprintf(text, sizeof text, "'%.80s' has other parameters or results than in %s", f->name,
             place_of(l, best, place));
    complain(l, s, RULE_PTX_FUNCTION_OTHER, text);
}

/* --- which definition --- */

static int is_better(const struct symbol *s, const struct symbol *best) {
    const int mine = strength(s), his = strength(best);
    if (mine != 1 || his != 1)
        return mine > his;
    return s->variable && best->variable && s->variable->bytes > best->variable->bytes;
}

static void twice(struct linker *l, const struct symbol *s, const struct symbol *first) {
    char text[WSIM_DIAG_TEXT], place[PLACE];
    snprintf(text, sizeof text, "'%.80s' is already defined in %s", s->name,
             place_of(l, first, place));
    complain(l, s, RULE_PTX_NAME_TWICE, text);
}

/* All of one name. */
static void resolve(struct linker *l, struct symbol *group, uint32_t n) {
    const struct symbol *best = &group[0];
    char text[WSIM_DIAG_TEXT], place[PLACE];
    for (uint32_t i = 1; i < n; i++)
        if (is_better(&group[i], best))
            best = &group[i];
    if (!strength(best))
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct symbol *s = &group[i];
        if (s == best)
            continue;
        if (!s->variable != !best->variable) {
            snprintf(text, sizeof text, "'%.80s' is a %s here and a %s in %s", s->name,
                     s->variable ? "variable" : "function", s->variable ? "function" : "variable",
                     place_of(l, best, place));
            complain(l, s, RULE_PTX_LINK_OTHER, text);
        } else if (strength(s) == 3) {
            twice(l, s, best);
        } else if (s->variable) {
            compare_variables(l, s, best);
            l->variable_of[s->index] = best->index;
            s->variable->elsewhere = 1;
        } else {
            compare_functions(l, s, best);
            l->function_of[s->index] = best->index;
            s->function->elsewhere = 1;
        }
    }
}

static void resolve_all(struct linker *l) {
    qsort(l->symbols, l->n_symbols, sizeof *l->symbols, by_name);
    for (uint32_t from = 0, end; from < l->n_symbols; from = end) {
        end = group_end(l->symbols, l->n_symbols, from);
        resolve(l, &l->symbols[from], end - from);
    }
}

/* --- copies with other numbers --- */

static void *copy(struct linker *l, const void *from, uint32_t n, size_t size) {
    return arena_copy(l->keep, n ? from : "", n * size);
}

static void copy_variables(struct linker *l, const struct ptx_module *m, uint32_t part,
                           struct base base) {
    struct ptx_variable *to = l->out->variables + base.variable;
    for (uint32_t i = 0; i < m->n_variables; i++) {
        to[i] = m->variables[i];
        to[i].part = part;
        to[i].function += to[i].function < 0 ? 0 : (int32_t)base.function;
        to[i].relocations =
            copy(l, to[i].relocations, to[i].n_relocations, sizeof *to[i].relocations);
        for (uint32_t r = 0; to[i].relocations && r < to[i].n_relocations; r++)
            to[i].relocations[r].symbol +=
                to[i].relocations[r].is_function ? base.function : base.variable;
    }
}

static void copy_functions(struct linker *l, const struct ptx_module *m, uint32_t part,
                           struct base base) {
    struct ptx_function *to = l->out->functions + base.function;
    for (uint32_t i = 0; i < m->n_functions; i++) {
        to[i] = m->functions[i];
        to[i].part = part;
        to[i].code = copy(l, to[i].code, to[i].n_code, sizeof *to[i].code);
        to[i].operands = copy(l, to[i].operands, to[i].n_operands, sizeof *to[i].operands);
        for (uint32_t c = 0; to[i].code && c < to[i].n_code; c++) {
            to[i].code[c].opcode += base.opcode;
            to[i].code[c].loc += to[i].code[c].loc ? base.loc : 0;
        }
        for (uint32_t o = 0; to[i].operands && o < to[i].n_operands; o++) {
            struct ptx_operand *operand = &to[i].operands[o];
            operand->index += operand->kind == PTX_OP_VARIABLE   ? base.variable
                              : operand->kind == PTX_OP_FUNCTION ? base.function
                                                                 : 0;
        }
    }
}

static void copy_rest(struct linker *l, const struct ptx_module *m, uint32_t part,
                      struct base base) {
    struct ptx_module *out = l->out;
    for (uint32_t i = 0; i < m->n_opcodes; i++)
        out->opcodes[base.opcode + i] = m->opcodes[i];
    for (uint32_t i = 1; i < m->n_locs; i++) {
        struct ptx_loc *loc = &out->locs[base.loc + i];
        *loc = m->locs[i];
        loc->file = loc->file < m->n_files ? loc->file + base.file : UINT32_MAX;
        loc->inlined_at += loc->inlined_at ? base.loc : 0;
    }
    for (uint32_t i = 0; i < m->n_files; i++) {
        out->files[base.file + i] = m->files[i];
        out->file_numbers[base.file + i] = m->file_numbers[i];
    }
    for (uint32_t i = 0; i < m->n_problems; i++) {
        struct ptx_problem *p = arena_push(&l->work, &l->problems, sizeof *p);
        if (!p)
            return;
        *p = m->problems[i];
        p->part = part;
        p->function += p->function < 0 ? 0 : (int32_t)base.function;
    }
}

/* The head of the result: the newest version and target among the modules. */
static void merge_head(struct ptx_module *out, const struct ptx_module *m) {
    const unsigned mine = wsim_target_number(m->target), his = wsim_target_number(out->target);
    out->version = m->version > out->version ? m->version : out->version;
    if (mine > his || (mine == his && strlen(m->target) > strlen(out->target)))
        out->target = m->target;
    out->address_size = m->address_size;
    out->debug |= m->debug;
    out->lines += m->lines;
}

/* Room for all; 0: no memory. */
static int make_room(struct linker *l, const struct base *all) {
    struct ptx_module *out = l->out;
    out->variables = arena_take(l->keep, (all->variable + 1u) * sizeof *out->variables);
    out->functions = arena_take(l->keep, (all->function + 1u) * sizeof *out->functions);
    out->opcodes = arena_take(l->keep, (all->opcode + 1u) * sizeof *out->opcodes);
    out->locs = arena_take(l->keep, (all->loc + 1u) * sizeof *out->locs);
    out->files = arena_take(l->keep, (all->file + 1u) * sizeof *out->files);
    out->file_numbers = arena_take(l->keep, (all->file + 1u) * sizeof *out->file_numbers);
    l->symbols = arena_take(&l->work, (all->variable + all->function + 1u) * sizeof *l->symbols);
    l->variable_of = arena_take(&l->work, (all->variable + 1u) * sizeof *l->variable_of);
    l->function_of = arena_take(&l->work, (all->function + 1u) * sizeof *l->function_of);
    out->n_variables = all->variable;
    out->n_functions = all->function;
    out->n_opcodes = all->opcode;
    out->n_locs = all->loc + 1;
    out->n_files = all->file;
    return !l->keep->failed && !l->work.failed;
}

static void add(struct base *to, const struct ptx_module *m) {
    to->variable += m->n_variables;
    to->function += m->n_functions;
    to->opcode += m->n_opcodes;
    to->loc += m->n_locs ? m->n_locs - 1 : 0; /* [0] is none */
    to->file += m->n_files;
}

/* Every use of a name refers to its definition. */
static void redirect(struct linker *l) {
    struct ptx_module *out = l->out;
    for (uint32_t i = 0; i < out->n_variables; i++)
        for (uint32_t r = 0; r < out->variables[i].n_relocations; r++) {
            struct ptx_relocation *relocation = &out->variables[i].relocations[r];
            relocation->symbol = relocation->is_function ? l->function_of[relocation->symbol]
                                                         : l->variable_of[relocation->symbol];
        }
    for (uint32_t i = 0; i < out->n_functions; i++)
        for (uint32_t o = 0; o < out->functions[i].n_operands; o++) {
            struct ptx_operand *operand = &out->functions[i].operands[o];
            if (operand->kind == PTX_OP_VARIABLE)
                operand->index = l->variable_of[operand->index];
            else if (operand->kind == PTX_OP_FUNCTION)
                operand->index = l->function_of[operand->index];
        }
}

/* 0: no memory. */
static int merge(struct linker *l, const struct ptx_module *texts, uint32_t n) {
    struct base all = {0}, base = {0};
    uint32_t module = 0;
    for (uint32_t i = 0; i < n; i++)
        for (const struct ptx_module *m = &texts[i]; m; m = m->next)
            add(&all, m);
    if (!make_room(l, &all))
        return 0;
    for (uint32_t i = 0; i < all.variable; i++)
        l->variable_of[i] = i;
    for (uint32_t i = 0; i < all.function; i++)
        l->function_of[i] = i;
    l->out->target = "";
    for (uint32_t i = 0; i < n; i++)
        for (const struct ptx_module *m = &texts[i]; m; m = m->next) {
            merge_head(l->out, m);
            copy_variables(l, m, i, base);
            copy_functions(l, m, i, base);
            copy_rest(l, m, i, base);
            l->n_symbols += collect(l->out->variables + base.variable, m->n_variables,
                                    l->out->functions + base.function, m->n_functions, module++,
                                    base, l->symbols + l->n_symbols);
            add(&base, m);
        }
    return !l->keep->failed && !l->work.failed;
}

/* The texts stay what names and strings point to. */
static int keep_texts(struct linker *l, struct ptx_module *texts, uint32_t n,
                      const char *const *names) {
    struct ptx_module *out = l->out;
    out->linked = arena_take(l->keep, n * sizeof *out->linked);
    out->parts = arena_take(l->keep, n * sizeof *out->parts);
    for (uint32_t i = 0; i < n && out->parts; i++)
        out->parts[i] = names && names[i] ? arena_copy(l->keep, names[i], strlen(names[i])) : NULL;
    if (l->keep->failed)
        return 0;
    out->n_parts = n;
    memcpy(out->linked, texts, n * sizeof *texts);
    memset(texts, 0, n * sizeof *texts);
    return 1;
}

static void free_all(struct ptx_module *texts, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        ptx_free(&texts[i]);
}

enum wsim_status ptx_link(struct ptx_module *texts, uint32_t n, const char *const *names,
                          int wrong_already, struct ptx_module *out, uint32_t *wrong,
                          struct wsim_diag *diag) {
    struct ptx_arena keep = {0};
    struct linker l = {.out = out, .diag = diag, .wrong = wrong};
    const int needed = n > 1 || (!wrong_already && texts->next ? is_needed(texts) : 0);
    int fine = needed >= 0;
    *out = (struct ptx_module){0};
    if (!needed) {
        *out = *texts;
        *texts = (struct ptx_module){0};
        return WSIM_OK;
    }
    l.keep = fine ? arena_take(&keep, sizeof *l.keep) : NULL;
    if (l.keep) {
        *l.keep = keep;
        out->arena = l.keep;
        fine = keep_texts(&l, texts, n, names) && merge(&l, out->linked, n);
        if (fine && !wrong_already)
            resolve_all(&l);
        if (fine && !l.status)
            redirect(&l);
        out->problems = fine ? copy(&l, l.problems.at, l.problems.n, sizeof *out->problems) : NULL;
        out->n_problems = l.problems.n;
        fine = fine && !l.keep->failed && !l.work.failed;
    }
    arena_free(&l.work);
    if (l.keep && fine)
        return l.status;
    ptx_free(out);
    free_all(texts, n);
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
}
