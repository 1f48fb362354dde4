/* A text: modules one after the other, from .version to .version. */
#include "../isa/isa.h"
#include "reader.h"

#include <string.h>

#define MOST_TEXT ((size_t)1 << 30)

static int read_version(struct reader *r) {
    struct place at = (ptx_skip(r), ptx_here(r));
    uint32_t major = 0, minor = 10;
    for (; ptx_is_digit(*r->at) && major < 1000; r->at++)
        major = major * 10 + (uint32_t)(*r->at - '0');
    if (*r->at == '.' && ptx_is_digit(r->at[1])) {
        minor = (uint32_t)(r->at[1] - '0');
        r->at += 2;
    }
    if (ptx_is_word(*r->at) || minor > 9 || major > 99) {
        ptx_complain(r, RULE_PTX_TEXT_VERSION, at,
                     ".version must be followed by a number such as 9.0");
        return 0;
    }
    r->module->version = (uint16_t)(major * 10 + minor);
    if (!isa_ptx_exists(r->module->version))
        ptx_complain(r, RULE_PTX_TEXT_VERSION, at, "PTX has no version %u.%u", (unsigned)major,
                     (unsigned)minor);
    return 1;
}

/* On request, targets without f64 arithmetic compute it in f32. Source: the assembler. */
static void map_f64(struct reader *r, struct place at) {
    r->maps_f64 = 1;
    if (wsim_target_number(r->module->target) >= ISA_F64_TARGET)
        ptx_complain(r, RULE_PTX_TARGET_OPTION, at,
                     "map_f64_to_f32 is only for targets before sm_%d, which have no f64",
                     ISA_F64_TARGET);
}

/* sm_90a, or compute_90a, the same target. */
static void name_target(struct reader *r, const char *word, struct place at) {
    const size_t prefix = strncmp(word, "sm_", 3) == 0        ? 3
                          : strncmp(word, "compute_", 8) == 0 ? 8
                                                              : 0;
    char name[PTX_WORD] = "sm_";
    if (prefix)
        strncat(name, word + prefix, sizeof name - 4);
    const unsigned version = prefix ? isa_target_version(name) : 0;
    if (!version)
        ptx_complain(r,
                     prefix && isa_target_is_newer(name) ? RULE_PTX_TARGET_UNMODELLED
                                                         : RULE_PTX_TARGET_VERSION,
                     at, "unknown target '%.60s': write one such as sm_90a", word);
    else if (r->module->version && version > r->module->version)
        ptx_complain(r, RULE_PTX_TARGET_VERSION, at,
                     "PTX %u.%u has no target '%.60s': PTX %u.%u is the first",
                     r->module->version / 10u, r->module->version % 10u, word, version / 10,
                     version % 10);
    r->module->target = prefix == 8 ? arena_copy(r->keep, name, strlen(name)) : word;
    if (!r->module->target)
        r->module->target = "";
}

/* sm_90a, debug */
static int read_target(struct reader *r) {
    char seen[PTX_SEEN];
    int first = 1;
    do {
        struct place at = (ptx_skip(r), ptx_here(r));
        uint32_t name = ptx_word(r);
        const char *word = name ? ptx_name_keep(r, name) : "";
        if (!name) {
            ptx_complain(r, RULE_PTX_TEXT_MISSING, at, "a target is missing before %s",
                         ptx_seen(r, seen));
            return 0;
        }
        if (first)
            name_target(r, word, at);
        else if (strcmp(word, "debug") == 0)
            r->module->debug = 1;
        else if (strcmp(word, "map_f64_to_f32") == 0)
            map_f64(r, at);
        else if (strncmp(word, "texmode_", 8) != 0)
            ptx_complain_unknown(r, RULE_PTX_TARGET_OPTION, RULE_PTX_TARGET_UNMODELLED, at,
                                 "unknown option '%.60s' of .target", word);
        first = 0;
    } while (ptx_accept(r, ','));
    return 1;
}

static int read_address_size(struct reader *r) {
    struct place at = (ptx_skip(r), ptx_here(r));
    uint64_t size;
    if (!ptx_integer(r, "the size of an address", 32, 64, &size))
        return 0;
    r->module->address_size = (uint8_t)size;
    if (size != 64)
        ptx_complain(r, RULE_PTX_TARGET_UNMODELLED, at, "addresses of %u bits are not modelled",
                     (unsigned)size);
    return 1;
}

static int is_directive(const struct reader *r, const char *word) {
    size_t n = strlen(word);
    return *r->at == '.' && strncmp(r->at + 1, word, n) == 0 && !ptx_is_word(r->at[n + 1]);
}

/* .target and .address_size, which follow .version. */
static int read_heading(struct reader *r) {
    char seen[PTX_SEEN];
    ptx_skip(r);
    if (!is_directive(r, "target")) {
        ptx_complain(r, RULE_PTX_TEXT_VERSION, ptx_here(r), ".target must follow .version, not %s",
                     ptx_seen(r, seen));
        return 0;
    }
    r->at += 7;
    if (!read_target(r))
        return 0;
    ptx_skip(r);
    return !is_directive(r, "address_size") || (r->at += 13, read_address_size(r));
}

static int statement(struct reader *r, char c) {
    char seen[PTX_SEEN];
    if (c == '.')
        return ptx_directive(r);
    if (c == ';')
        return ptx_empty(r);
    if (c == '@' && r->at[1] == '@') {
        while (*r->at && *r->at != '\n')
            r->at++;
        return 1;
    }
    ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, ptx_here(r),
                 "%s does not begin a directive of a module", ptx_seen(r, seen));
    return 0;
}

/* From after .version to the next one, or to the end. */
static void read_statements(struct reader *r) {
    while (!r->work.failed && !r->keep->failed) {
        char c = ptx_skip(r);
        if (c == '\0' || is_directive(r, "version"))
            return;
        if (statement(r, c))
            continue;
        ptx_recover(r);
        /* Braces outside of functions belong to nothing, nor does the semicolon behind them. */
        if (*r->at == '{')
            ptx_skip_braces(r);
        else if (*r->at == '}')
            r->at++;
        else
            continue;
        if (ptx_skip(r) == ';')
            r->at++;
    }
}

static int keep(struct reader *r, void *out, uint32_t *n, const struct arena_vec *vec,
                size_t element) {
    void *copy = vec->n ? arena_copy(r->keep, vec->at, vec->n * element) : NULL;
    memcpy(out, &copy, sizeof copy);
    *n = vec->n;
    return copy || !vec->n;
}

static int keep_module(struct reader *r) {
    struct ptx_module *m = r->module;
    uint32_t files;
    return keep(r, &m->variables, &m->n_variables, &r->variables, sizeof *m->variables) &&
           keep(r, &m->functions, &m->n_functions, &r->functions, sizeof *m->functions) &&
           keep(r, &m->opcodes, &m->n_opcodes, &r->opcodes, sizeof *m->opcodes) &&
           keep(r, &m->locs, &m->n_locs, &r->locs, sizeof *m->locs) &&
           keep(r, &m->files, &m->n_files, &r->files, sizeof *m->files) &&
           keep(r, &m->file_numbers, &files, &r->file_numbers, sizeof *m->file_numbers) &&
           keep(r, &m->problems, &m->n_problems, &r->problem_list, sizeof *m->problems);
}

/* Nothing of the module before is known any more. */
static int begin_module(struct reader *r) {
    struct arena_vec *const cleared[] = {
        &r->bindings, &r->variables,    &r->functions,    &r->opcodes, &r->shapes, &r->locs,
        &r->files,    &r->file_numbers, &r->problem_list, &r->aliases, &r->scopes, &r->shared,
    };
    for (uint32_t i = 0; i < r->opcodes.n; i++) {
        const char *text = VEC_AT(struct ptx_opcode, r->opcodes, i)->text;
        NAME_AT(r, ptx_name(r, text, strlen(text)))->opcode = 0;
    }
    for (size_t i = 0; i < sizeof cleared / sizeof cleared[0]; i++)
        *cleared[i] = (struct arena_vec){NULL, 0, 0};
    r->problem_table = NULL;
    r->function = NULL;
    r->function_index = -1;
    r->constants = 0;
    r->module->address_size = 64;
    r->module->target = "";
    r->module->line = r->line;
    return arena_push(&r->work, &r->bindings, sizeof(struct binding)) && ptx_debug_begin(r) &&
           ptx_scope_open(r, ptx_here(r));
}

static int end_module(struct reader *r) {
    while (r->scopes.n)
        ptx_scope_close(r);
    ptx_debug_end(r);
    ptx_aliases_end(r);
    ptx_problems_end(r);
    r->module->lines = r->line - r->module->line + 1;
    return keep_module(r);
}

/* One module, which begins with .version. Returns 0 without memory. */
static int read_module(struct reader *r) {
    char seen[PTX_SEEN];
    if (!begin_module(r))
        return 0;
    r->shared_registers = 0;
    r->maps_f64 = 0;
    ptx_skip(r);
    if (r->binary) {
        ptx_complain(r, RULE_PTX_TEXT_BINARY, ptx_here(r), "%s", r->binary);
        r->at = r->end;
    } else if (!is_directive(r, "version")) {
        ptx_complain(
            r, RULE_PTX_TEXT_VERSION, ptx_here(r),
            "not PTX: it begins with %s, not with .version; nvcc -ptx compiles CUDA C++ to PTX",
            ptx_seen(r, seen));
        r->at = r->end;
    } else {
        r->at += 8;
        if (!read_version(r) || !read_heading(r))
            ptx_recover(r);
        read_statements(r);
    }
    return end_module(r) && !r->work.failed && !r->keep->failed;
}

static int read_all(struct reader *r) {
    while (read_module(r)) {
        if (!ptx_skip(r))
            return 1;
        r->module->next = arena_take(r->keep, sizeof *r->module->next);
        if (!r->module->next)
            return 0;
        r->module = r->module->next;
    }
    return 0;
}

enum wsim_status ptx_read_within(const char *text, size_t size, size_t most,
                                 struct ptx_module *module, struct wsim_diag *diag) {
    struct ptx_arena *arena;
    size_t contained; /* room for the text in a fat binary; 0: it is none */
    struct wsim_diag why;
    struct ptx_arena keep = {.most = most};
    struct reader r = {.line = 1, .module = module, .diag = diag, .work = {.most = most}};
    *module = (struct ptx_module){0};
    const char *zero = size ? memchr(text, '\0', size) : NULL;
    if (ptx_contained(text, size, NULL, &contained, &why))
        r.binary = why.text;
    size_t length = contained ? contained : zero ? (size_t)(zero - text) : size;
    if (length > MOST_TEXT)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0,
                           "a text has at most 2^30 bytes, this has %llu",
                           (unsigned long long)length);
    /* The arena that the module owns lies in itself. */
    if ((arena = arena_take(&keep, sizeof *arena)) == NULL)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
    *arena = keep;
    module->arena = r.keep = arena;
    r.seed = (uint32_t)(uintptr_t)&keep * 2654435761u;
    char *copy = contained ? arena_take(&r.work, contained + 1) : arena_copy(&r.work, text, length);
    if (contained && copy && ptx_contained(text, size, copy, &length, &why))
        r.binary = why.text;
    if (copy)
        copy[length] = 0;
    r.contents = (uint32_t)length;
    r.at = r.line_start = copy;
    r.end = copy ? copy + length : NULL;
    int fine = copy && ptx_names_begin(&r) && read_all(&r);
    arena_free(&r.work);
    if (fine)
        return r.status;
    ptx_free(module);
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
}

enum wsim_status ptx_read(const char *text, size_t size, struct ptx_module *module,
                          struct wsim_diag *diag) {
    return ptx_read_within(text, size, 0, module, diag);
}

void ptx_free(struct ptx_module *module) {
    if (module->arena) {
        for (uint32_t i = 0; i < module->n_parts; i++)
            ptx_free(&module->linked[i]);
        struct ptx_arena arena = *module->arena;
        arena_free(&arena);
    }
    *module = (struct ptx_module){0};
}
