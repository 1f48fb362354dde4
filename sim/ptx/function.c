/* Functions: the text before a body and after it. */
#include "reader.h"

#include <string.h>

/* A directive between the parameters of a function and its body, with up to three numbers. */
struct setting {
    const char *word;
    size_t at; /* of the field: an array if it takes three numbers                     */
    uint8_t numbers;
    uint8_t least;
    uint8_t of;     /* bits: of entries, of other functions                             */
    uint8_t until;  /* the version of PTX, times 10, that dropped it; 0: none           */
    uint8_t since;  /* the version of PTX that brought it; 0: 1.0 to 4.2                */
    uint8_t target; /* the first target that has it; 0: all                            */
};

enum { OF_ENTRY = 1, OF_FUNCTION = 2 };

#define FIELD(name) offsetof(struct ptx_function, name)
static const struct setting settings[] = {
    {"maxntid", FIELD(maxntid), 3, 1, OF_ENTRY, 0, 0, 0},
    {"reqntid", FIELD(reqntid), 3, 1, OF_ENTRY, 0, 0, 0},
    {"minnctapersm", FIELD(minnctapersm), 1, 1, OF_ENTRY, 0, 0, 0},
    {"maxnctapersm", FIELD(maxnctapersm), 1, 1, OF_ENTRY, 21, 0, 0},
    {"maxnreg", FIELD(maxnreg), 1, 1, OF_ENTRY, 0, 0, 0},
    {"reqnctapercluster", FIELD(reqnctapercluster), 3, 0, OF_ENTRY, 0, 78, 90},
    {"maxclusterrank", FIELD(maxclusterrank), 1, 0, OF_ENTRY, 0, 78, 90},
    {"explicitcluster", FIELD(explicitcluster), 0, 0, OF_ENTRY, 0, 78, 90},
    {"blocksareclusters", FIELD(blocksareclusters), 0, 0, OF_ENTRY, 0, 90, 90},
    {"noreturn", FIELD(no_return), 0, 0, OF_FUNCTION, 0, 64, 0},
    {"abi_preserve", FIELD(abi_preserve), 1, 0, OF_FUNCTION, 0, 90, 80},
    {"abi_preserve_control", FIELD(abi_preserve), 1, 0, OF_FUNCTION, 0, 90, 80},
};

static int read_setting(struct reader *r, const struct setting *setting, struct ptx_function *f) {
    uint32_t *field = (uint32_t *)(void *)((char *)f + setting->at);
    uint64_t value;
    if (setting->numbers == 0)
        *field = 1;
    for (unsigned i = 0; i < setting->numbers; i++) {
        if (i && !ptx_accept(r, ',')) {
            field[i] = 1;
            continue;
        }
        if (!ptx_integer(r, "the argument of this directive", setting->least, UINT32_MAX, &value))
            return 0;
        field[i] = (uint32_t)value;
    }
    return 1;
}

/* Whether the function and the version of PTX have a setting. */
static void check_setting(struct reader *r, const struct setting *setting,
                          const struct ptx_function *f, struct place at) {
    if (!(setting->of & (f->is_entry ? OF_ENTRY : OF_FUNCTION)))
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' is for %s alone", setting->word,
                     setting->of == OF_ENTRY ? "an .entry" : "a .func");
    if (setting->of == OF_FUNCTION && !setting->numbers && f->no_return)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' is already written", setting->word);
    if (setting->until && r->module->version >= setting->until)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "PTX %u.%u has no '.%s' any more",
                     setting->until / 10u, setting->until % 10u, setting->word);
    if (r->module->version < setting->since)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                     "PTX %u.%u has no '.%s': PTX %u.%u is the first", r->module->version / 10u,
                     r->module->version % 10u, setting->word, setting->since / 10u,
                     setting->since % 10u);
    else if (wsim_target_number(r->module->target) < setting->target)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' needs sm_%u or later, not %.60s",
                     setting->word, setting->target, r->module->target);
}

/* Settings that exclude or need each other. */
static void check_settings(struct reader *r, const struct ptx_function *f, struct place at) {
    if (f->maxntid[0] && f->reqntid[0])
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                     "'.maxntid' and '.reqntid' exclude each other");
    if (f->maxclusterrank && f->reqnctapercluster[0])
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                     "'.maxclusterrank' and '.reqnctapercluster' exclude each other");
    if (f->blocksareclusters && !(f->reqntid[0] && f->reqnctapercluster[0]))
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                     "'.blocksareclusters' needs '.reqntid' and '.reqnctapercluster'");
    if (f->no_return && f->n_results)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "a function with results is not '.noreturn'");
}

/* 1: read one. 0: complained. -1: a directive of the module follows, as after declarations of early
 * versions, which have no semicolon. */
static int one_setting(struct reader *r, struct ptx_function *f, int is_named) {
    char word[PTX_WORD];
    struct place at = ptx_here(r);
    const char *from = r->at;
    ptx_dotted(r, word);
    if (ptx_is_directive(word)) {
        r->at = from;
        return -1;
    }
    if (strcmp(word, "pragma") == 0 && is_named)
        return ptx_pragma(r, f->is_entry ? PRAGMA_HEAD : PRAGMA_MODULE);
    if (strcmp(word, "attribute") == 0 && !is_named && !f->is_entry)
        return ptx_attributes(r, NULL);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].word, word) == 0) {
            check_setting(r, &settings[i], f, at);
            if (!is_named)
                ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' follows the parameters", word);
            return read_setting(r, &settings[i], f);
        }
    ptx_complain_unknown(r, ptx_directive_rule(word), RULE_PTX_DIRECTIVE_UNMODELLED, at,
                         "unknown directive '.%s' of a function", word);
    f->problems++;
    for (char c = ptx_skip(r); ptx_is_digit(c) || c == ','; c = ptx_skip(r))
        r->at++;
    return 1;
}

static int read_settings(struct reader *r, struct ptx_function *f, int is_named) {
    while (ptx_skip(r) == '.') {
        int read = one_setting(r, f, is_named);
        if (read < 1)
            return read < 0;
    }
    return 1;
}

/* The number that a function of that name has or will have; -1 if the name is something else. */
static int32_t index_of(struct reader *r, uint32_t name) {
    uint32_t bound = NAME_AT(r, name)->bound;
    if (!bound)
        return (int32_t)r->functions.n;
    const struct binding *binding = BINDING_AT(r, bound);
    return binding->meaning == MEANS_FUNCTION ? (int32_t)binding->index : -1;
}

/* (results) name (parameters) directives. */
static int read_head(struct reader *r, struct ptx_function *f, uint32_t *name) {
    char seen[PTX_SEEN];
    uint32_t bytes;
    if (!read_settings(r, f, 0))
        return 0;
    if (ptx_accept(r, '(') && !ptx_params(r, 0, &f->results, &f->n_results, &bytes))
        return 0;
    ptx_skip(r);
    struct place at = ptx_here(r);
    if (!(*name = ptx_word(r))) {
        ptx_complain(r, RULE_PTX_TEXT_MISSING, at, "the name of a function is missing before %s",
                     ptx_seen(r, seen));
        return 0;
    }
    f->name = ptx_name_keep(r, *name);
    f->line = at.line;
    f->col = at.col;
    if (ptx_accept(r, '(') &&
        !ptx_params(r, f->is_entry ? ALLOWS_POINTER : 0, &f->params, &f->n_params, &f->param_bytes))
        return 0;
    r->function_index = index_of(r, *name);
    const char *from = (ptx_skip(r), r->at);
    int fine = read_settings(r, f, 1);
    if (fine && f->is_entry && r->at > from && ptx_skip(r) == ';')
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                     "directives of an entry stand where it has its body");
    r->function_index = -1;
    check_settings(r, f, at);
    ptx_check_params(r, f);
    return fine;
}

static int same_params(const struct ptx_param *a, uint32_t n, const struct ptx_param *b,
                       uint32_t m) {
    for (uint32_t i = 0; i < n && n == m; i++)
        if (a[i].bytes != b[i].bytes || a[i].in_register != b[i].in_register)
            return 0;
    return n == m;
}

/* A function keeps its linkage, and follows no definition of its own. */
static void check_linkage(struct reader *r, const struct ptx_function *before,
                          const struct ptx_function *head, struct place at) {
    if (before->is_defined)
        ptx_complain(r, RULE_PTX_NAME_TWICE, at, "'%.80s' is already defined in line %u",
                     head->name, (unsigned)before->line);
    else if ((before->linkage == PTX_EXTERN) != (head->linkage == PTX_EXTERN) ||
             (before->linkage == PTX_INTERNAL && head->linkage == PTX_VISIBLE))
        ptx_complain(r, RULE_PTX_FUNCTION_OTHER, at,
                     "'%.80s' was declared with another linkage in line %u", head->name,
                     (unsigned)before->line);
}

/* The function of that name, declared already or new; its index. */
static int declare(struct reader *r, uint32_t name, const struct ptx_function *head, int defines,
                   uint32_t *index) {
    struct place at = {head->line, head->col};
    uint32_t bound = NAME_AT(r, name)->bound;
    if (bound && BINDING_AT(r, bound)->meaning == MEANS_FUNCTION) {
        *index = BINDING_AT(r, bound)->index;
        struct ptx_function *f = VEC_AT(struct ptx_function, r->functions, *index);
        if (f->is_entry != head->is_entry ||
            !same_params(f->params, f->n_params, head->params, head->n_params) ||
            !same_params(f->results, f->n_results, head->results, head->n_results)) {
            ptx_complain(r, RULE_PTX_FUNCTION_OTHER, at,
                         "'%.80s' was declared with other parameters in line %u", head->name,
                         (unsigned)f->line);
        } else if (f->is_defined && defines) {
            ptx_complain(r, RULE_PTX_NAME_TWICE, at, "'%.80s' is already defined in line %u",
                         head->name, (unsigned)f->line);
            return 0;
        }
        check_linkage(r, f, head, at);
        if (!f->is_defined)
            *f = *head;
        return !(f->is_defined && defines);
    }
    *index = r->functions.n;
    if (!ptx_bind(r, name, MEANS_FUNCTION, *index, 1, at))
        return 0;
    struct ptx_function *f = arena_push(&r->work, &r->functions, sizeof *f);
    if (f)
        *f = *head;
    return f != NULL;
}

/* Names of parameters, in the scope of the body. */
static int bind_params(struct reader *r, struct ptx_param *params, uint32_t n,
                       enum meaning meaning) {
    for (uint32_t i = 0; i < n; i++) {
        struct ptx_param *p = &params[i];
        struct place at = {p->line, p->col};
        if (p->type.letter == 't')
            ptx_complain(r, RULE_PTX_TEXTURE_UNMODELLED, at,
                         "'%.80s' is a .%s: textures, samplers and surfaces are not modelled",
                         p->name, p->type.name);
        if (r->function->is_entry && strcmp(p->name, "_") == 0)
            continue;
        if (!p->in_register) {
            if (!ptx_bind(r, p->word, meaning, i, 1, at))
                return 0;
            continue;
        }
        p->reg = r->registers.n;
        for (unsigned k = 0; k < p->vector; k++)
            if (!ptx_register(r, p->word, &p->type, p->line))
                return 0;
        if (!ptx_bind(r, p->word, p->vector > 1 ? MEANS_VECTOR : MEANS_REGISTER, p->reg, p->vector,
                      at))
            return 0;
    }
    return 1;
}

/* An empty list has a place, too: its readers form a pointer to its end. */
static int keep(struct reader *r, void *out, uint32_t *n, const struct arena_vec *vec,
                size_t element) {
    void *copy =
        vec->n ? arena_copy(r->keep, vec->at, vec->n * element) : arena_copy(r->keep, "", 1);
    memcpy(out, &copy, sizeof copy);
    *n = vec->n;
    return copy != NULL;
}

/* Moves the body just read into the module. */
static int keep_body(struct reader *r, struct ptx_function *f) {
    return keep(r, &f->registers, &f->n_registers, &r->registers, sizeof *f->registers) &&
           keep(r, &f->code, &f->n_code, &r->code, sizeof *f->code) &&
           keep(r, &f->operands, &f->n_operands, &r->operands, sizeof *f->operands) &&
           keep(r, &f->tables, &f->n_tables, &r->tables, sizeof *f->tables) &&
           keep(r, &f->prototypes, &f->n_prototypes, &r->prototypes, sizeof *f->prototypes);
}

/* Operands that still wait when the function ends. */
static void complain_waiting(struct reader *r) {
    for (uint32_t i = 0; i < r->waiting.n; i++) {
        const struct waiting *w = VEC_AT(struct waiting, r->waiting, i);
        NAME_AT(r, w->name)->waits = 0;
        if (VEC_AT(struct ptx_operand, r->operands, w->operand)->kind == PTX_OP_NONE)
            ptx_complain_name(r, w->name, w->at, "the name");
    }
}

static int define(struct reader *r, uint32_t index) {
    struct ptx_function f = *VEC_AT(struct ptx_function, r->functions, index);
    struct arena_vec *const cleared[] = {&r->families, &r->registers,  &r->code,    &r->operands,
                                         &r->tables,   &r->prototypes, &r->waiting, &r->pieces};
    uint32_t bindings = r->bindings.n;
    for (size_t i = 0; i < sizeof cleared / sizeof cleared[0]; i++)
        cleared[i]->n = 0;
    r->loc = 0;
    r->odd_families = 0;
    r->function = &f;
    r->function_index = (int32_t)index;
    int fine = ptx_scope_open(r, ptx_here(r));
    /* Each entry has its own registers of the module; those of a function are its callers'. */
    r->shared_registers = !f.is_entry && r->shared.n;
    if (fine && f.is_entry && r->shared.n)
        fine = ptx_registers_shared(r) && ptx_scope_open(r, ptx_here(r));
    fine = fine && bind_params(r, f.results, f.n_results, MEANS_RESULT) &&
           bind_params(r, f.params, f.n_params, MEANS_PARAM);
    if (fine)
        ptx_body(r);
    else
        ptx_skip_braces(r);
    f.end_line = r->line;
    complain_waiting(r);
    while (r->scopes.n > 1)
        ptx_scope_close(r);
    r->bindings.n = bindings;
    f.is_defined = 1;
    fine = keep_body(r, &f);
    r->function = NULL;
    r->function_index = -1;
    *VEC_AT(struct ptx_function, r->functions, index) = f;
    return fine;
}

int ptx_function(struct reader *r, int is_entry, enum ptx_linkage linkage) {
    struct ptx_function head = {
        .is_entry = (uint8_t)is_entry, .debug = r->module->debug, .linkage = linkage};
    uint32_t name, index;
    int fine = read_head(r, &head, &name);
    if (!fine) {
        ptx_recover(r);
    } else if (ptx_skip(r) != '{') {
        return declare(r, name, &head, 0, &index) &&
               (*r->at == '.' || ptx_expect(r, ';', "after a function"));
    } else {
        if (linkage == PTX_EXTERN)
            ptx_complain(r, RULE_PTX_FUNCTION_OTHER, (struct place){head.line, head.col},
                         "'%.80s' is .extern, so its body is elsewhere", head.name);
        fine = declare(r, name, &head, 1, &index);
    }
    if (ptx_skip(r) != '{')
        return fine;
    if (fine)
        return define(r, index);
    ptx_skip_braces(r);
    return 0;
}

/* --- .alias --- */

struct alias {
    uint32_t name, function; /* both functions                                             */
};

/* A function that is only declared is another name of a function with the same parameters. */
static void check_alias(struct reader *r, const uint32_t word[2], struct place at) {
    const struct ptx_function *alias = VEC_AT(struct ptx_function, r->functions, word[0]);
    const struct ptx_function *of = VEC_AT(struct ptx_function, r->functions, word[1]);
    int again = alias->is_defined;
    for (uint32_t i = 0; i < r->aliases.n; i++)
        again |= VEC_AT(struct alias, r->aliases, i)->name == word[0];
    if (again)
        ptx_complain(r, RULE_PTX_NAME_TWICE, at, "'%.80s' is already defined", alias->name);
    else if (of->linkage == PTX_EXTERN || of->linkage == PTX_WEAK)
        ptx_complain(r, RULE_PTX_FUNCTION_OTHER, at, "'%.80s' is .%s, and has no other name",
                     of->name, of->linkage == PTX_WEAK ? "weak" : "extern");
    else if (!same_params(alias->params, alias->n_params, of->params, of->n_params) ||
             !same_params(alias->results, alias->n_results, of->results, of->n_results))
        ptx_complain(r, RULE_PTX_FUNCTION_OTHER, at, "'%.80s' and '%.80s' have other parameters",
                     alias->name, of->name);
}

int ptx_alias(struct reader *r) {
    struct place at[2];
    uint32_t word[2];
    for (int i = 0; i < 2; i++) {
        if (i && !ptx_expect(r, ',', "between the names of an alias"))
            return 0;
        ptx_skip(r);
        at[i] = ptx_here(r);
        word[i] = ptx_word(r);
        uint32_t bound = NAME_AT(r, word[i])->bound;
        if (!word[i] || !bound || BINDING_AT(r, bound)->meaning != MEANS_FUNCTION) {
            ptx_complain_name(r, word[i], at[i], "a function");
            return 0;
        }
        word[i] = BINDING_AT(r, bound)->index;
    }
    check_alias(r, word, at[0]);
    struct alias *alias = arena_push(&r->work, &r->aliases, sizeof *alias);
    if (!alias)
        return 0;
    *alias = (struct alias){word[0], word[1]};
    return ptx_expect(r, ';', "after an alias");
}

/* An alias gets all that its function has, but its name. */
void ptx_aliases_end(struct reader *r) {
    for (uint32_t i = 0; i < r->aliases.n; i++) {
        const struct alias *alias = VEC_AT(struct alias, r->aliases, i);
        struct ptx_function *f = VEC_AT(struct ptx_function, r->functions, alias->name);
        const char *name = f->name;
        *f = *VEC_AT(struct ptx_function, r->functions, alias->function);
        f->name = name;
    }
}
