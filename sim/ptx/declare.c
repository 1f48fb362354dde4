/* Declarations of variables and registers: types, alignment, extents. */
#include "../isa/isa.h"
#include "reader.h"

#include <string.h>

enum { MOST_ALIGN = 1 << 16 };
#define MOST_BYTES ((uint64_t)1 << 40)

/* Attributes place memory (managed) or a function and memory (unified); they do not change
 * contents. managed: NULL for a function. */
int ptx_attributes(struct reader *r, uint8_t *managed) {
    char word[PTX_WORD];
    uint64_t ignored;
    if (!ptx_expect(r, '(', "after .attribute"))
        return 0;
    do {
        ptx_skip(r);
        struct place at = ptx_here(r);
        ptx_dotted(r, word);
        if (strcmp(word, "unified") == 0) {
            if (!ptx_expect(r, '(', "after .unified") ||
                !ptx_integer(r, "a part of an attribute", 0, UINT64_MAX, &ignored) ||
                !ptx_expect(r, ',', "after a part of an attribute") ||
                !ptx_integer(r, "a part of an attribute", 0, UINT64_MAX, &ignored) ||
                !ptx_expect(r, ')', "after an attribute"))
                return 0;
        } else if (managed && strcmp(word, "managed") == 0) {
            *managed = 1;
        } else {
            ptx_complain_unknown(r, RULE_PTX_DIRECTIVE_UNKNOWN, RULE_PTX_DIRECTIVE_UNMODELLED, at,
                                 "unknown attribute '.%s'", word);
        }
    } while (ptx_accept(r, ','));
    return ptx_expect(r, ')', "after .attribute");
}

static int read_align(struct reader *r, uint32_t *out) {
    uint64_t align;
    ptx_skip(r);
    struct place at = ptx_here(r);
    if (!ptx_integer(r, "an alignment", 1, MOST_ALIGN, &align))
        return 0;
    if (align & (align - 1)) {
        ptx_complain(r, RULE_PTX_NUMBER_RANGE, at, "an alignment must be a power of two, not %llu",
                     (unsigned long long)align);
        return 0;
    }
    *out = (uint32_t)align;
    return 1;
}

/* One word behind the type, of a parameter of an entry: .ptr, its state space, .align of its
 * target. */
static int word_behind(struct reader *r, struct declaration *d, const char *word) {
    const int space = ptx_space_find(word);
    if (d->behind == BEHIND_NOTHING && strcmp(word, "ptr") == 0) {
        d->pointer = 1;
        d->pointer_space = PTX_GENERIC;
        d->behind = BEHIND_POINTER;
        return 1;
    }
    if (d->behind == BEHIND_POINTER && space >= 0 && space != PTX_PARAM) {
        d->pointer_space = (enum ptx_space)space;
        d->behind = BEHIND_SPACE;
        return 1;
    }
    if (d->behind == BEHIND_ALIGN || strcmp(word, "align"))
        return -1;
    d->behind = BEHIND_ALIGN;
    return read_align(r, &d->pointer_align);
}

/* One word before a name: .align and .attribute, a vector, the type. */
static int word_of(struct reader *r, struct declaration *d, unsigned allows, const char *word,
                   struct place at) {
    if (d->type.bits) {
        const int read = allows & ALLOWS_POINTER ? word_behind(r, d, word) : -1;
        if (read < 0)
            ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, at, "'.%s' follows the type", word);
        return read > 0;
    }
    if (d->vector == 1 && strcmp(word, "align") == 0)
        return read_align(r, &d->align);
    if (d->vector == 1 && strcmp(word, "attribute") == 0) {
        if (!(allows & ALLOWS_ATTRIBUTE))
            ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                         "'.attribute' is for .global memory and functions alone");
        return ptx_attributes(r, &d->managed);
    }
    if (d->vector == 1 && word[0] == 'v' && (word[1] == '2' || word[1] == '4') && !word[2]) {
        d->vector = (uint8_t)(word[1] - '0');
    } else if (!ptx_type_find(word, &d->type)) {
        ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, at, "'.%s' is not a word of a declaration", word);
        return 0;
    }
    return 1;
}

int ptx_declaration(struct reader *r, unsigned allows, struct declaration *out) {
    char word[PTX_WORD], seen[PTX_SEEN];
    *out = (struct declaration){.vector = 1};
    while (ptx_skip(r) == '.') {
        struct place at = ptx_here(r);
        ptx_dotted(r, word);
        if (!word_of(r, out, allows, word, at))
            return 0;
    }
    out->at = ptx_here(r);
    if (out->type.bits * out->vector > ISA_VECTOR_BITS) {
        ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, out->at, "a vector has at most %d bits, not %u",
                     ISA_VECTOR_BITS, (unsigned)(out->type.bits * out->vector));
        return 0;
    }
    if (out->type.bits)
        return 1;
    ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, out->at, "a type is missing before %s",
                 ptx_seen(r, seen));
    return 0;
}

int ptx_extent(struct reader *r, const struct declaration *d, struct extent *out) {
    uint64_t size;
    *out = (struct extent){.element = (uint64_t)(d->type.bits + 7) / 8 * d->vector};
    out->bytes = out->element;
    while (ptx_accept(r, '[')) {
        struct place at = ptx_here(r);
        if (out->dimensions == PTX_DIMENSIONS) {
            ptx_complain(r, RULE_PTX_SIZE_RANGE, at, "an array has at most %d dimensions",
                         PTX_DIMENSIONS);
            return 0;
        }
        if (ptx_accept(r, ']')) {
            if (out->dimensions) {
                ptx_complain(r, RULE_PTX_SIZE_RANGE, at,
                             "only the first dimension of an array can be omitted");
                return 0;
            }
            out->open = 1;
            out->size[out->dimensions++] = 1;
            continue;
        }
        if (!ptx_integer(r, "the size of an array", 0, MOST_BYTES, &size) ||
            !ptx_expect(r, ']', "after the size of an array"))
            return 0;
        out->size[out->dimensions++] = size;
        if (size && out->bytes > MOST_BYTES / size) {
            ptx_complain(r, RULE_PTX_SIZE_RANGE, at, "a variable has at most 2^40 bytes");
            return 0;
        }
        out->bytes *= size;
    }
    return 1;
}

/* A variable that is declared again: .extern first, defined later, or the same twice. */
static struct ptx_variable *declared(struct reader *r, uint32_t name, enum ptx_space space,
                                     enum ptx_linkage linkage, uint32_t *index) {
    uint32_t bound = NAME_AT(r, name)->bound;
    if (!bound || BINDING_AT(r, bound)->depth != r->scopes.n - 1 ||
        BINDING_AT(r, bound)->meaning != MEANS_VARIABLE)
        return NULL;
    *index = BINDING_AT(r, bound)->index;
    struct ptx_variable *v = VEC_AT(struct ptx_variable, r->variables, *index);
    int either = v->linkage == PTX_EXTERN || linkage == PTX_EXTERN;
    return v->space == space && either ? v : NULL;
}

/* Adds a variable to the constant memory of its module. */
static void add_constant(struct reader *r, const struct ptx_variable *v, struct place at) {
    const uint64_t before = r->constants;
    if (v->space != PTX_CONST || v->linkage == PTX_EXTERN ||
        r->module->version < ISA_NO_BANKS_VERSION)
        return;
    r->constants = (before + v->align - 1) / v->align * v->align + v->bytes;
    if (before <= ISA_CONSTANT_BYTES && r->constants > ISA_CONSTANT_BYTES)
        ptx_complain(r, RULE_PTX_SIZE_RANGE, at,
                     "constant memory has %d bytes: with '%.80s' a module has %llu",
                     ISA_CONSTANT_BYTES, v->name, (unsigned long long)r->constants);
}

/* One name of a declaration, with its extent and what it begins with. */
static int variable(struct reader *r, const struct declaration *d, enum ptx_space space,
                    enum ptx_linkage linkage) {
    char seen[PTX_SEEN];
    struct extent extent;
    uint32_t index;
    ptx_skip(r);
    struct place at = ptx_here(r);
    uint32_t name = ptx_word(r);
    if (!name) {
        ptx_complain(r, RULE_PTX_TEXT_MISSING, at, "the name of a variable is missing before %s",
                     ptx_seen(r, seen));
        return 0;
    }
    if (!ptx_extent(r, d, &extent))
        return 0;
    if (!extent.bytes && linkage != PTX_EXTERN)
        ptx_complain(r, RULE_PTX_SIZE_RANGE, at, "a variable has at least one byte");
    if (space == PTX_PARAM && !extent.dimensions &&
        (d->vector > 1 || strcmp(d->type.name, "f16x2") == 0))
        ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, at, "memory of parameters is no %s.%s",
                     d->vector > 1 ? "vector of " : "", d->type.name);
    if (space == PTX_PARAM && d->align > ISA_PARAM_ALIGN)
        ptx_complain(r, RULE_PTX_SIZE_RANGE, at, "parameters are aligned to at most %d",
                     ISA_PARAM_ALIGN);
    struct ptx_variable *v = declared(r, name, space, linkage, &index);
    int again = v != NULL;
    if (again && (linkage == PTX_INTERNAL || strcmp(v->type.name, d->type.name) != 0))
        ptx_complain(r, RULE_PTX_NAME_TWICE, at, "'%.80s' was declared with another %s in line %u",
                     v->name, linkage == PTX_INTERNAL ? "linkage" : "type", (unsigned)v->line);
    if (!v) {
        index = r->variables.n;
        if (!ptx_bind(r, name, MEANS_VARIABLE, index, 1, at) ||
            !(v = arena_push(&r->work, &r->variables, sizeof *v)))
            return 0;
    }
    if (!again || linkage != PTX_EXTERN) {
        uint32_t align = d->align ? d->align : (uint32_t)extent.element;
        *v = (struct ptx_variable){.name = ptx_name_keep(r, name),
                                   .space = space,
                                   .linkage = linkage,
                                   .type = d->type,
                                   .vector = d->vector,
                                   .align = align,
                                   .managed = d->managed,
                                   .bytes = extent.open ? 0 : extent.bytes,
                                   .open = extent.open,
                                   .bank = d->bank,
                                   .function = r->function_index,
                                   .line = at.line,
                                   .col = at.col};
    }
    if (strcmp(d->type.name, "samplerref") == 0)
        ptx_complain(r, RULE_PTX_TEXTURE_UNMODELLED, at,
                     "'%s' is a .samplerref: samplers beside textures are not modelled", v->name);
    const int has_value = ptx_accept(r, '=');
    if (has_value && linkage == PTX_EXTERN)
        ptx_complain(r, RULE_PTX_INIT_SPACE, at, "'%s' is .extern, so its value is elsewhere",
                     v->name);
    if (!has_value) {
        if (extent.open && linkage != PTX_EXTERN)
            ptx_complain(r, RULE_PTX_SIZE_RANGE, at,
                         "'%s' has no size: only an .extern or initialised variable may omit it",
                         v->name);
        add_constant(r, v, at);
        return 1;
    }
    if (d->type.letter == 't') {
        ptx_complain(r, RULE_PTX_TEXTURE_UNMODELLED, at,
                     "'%s' is a .%s with fields: its texture is made by the host", v->name,
                     d->type.name);
        ptx_recover(r);
        r->at--;
        return 1;
    }
    if (!ptx_initialise(r, index, &extent))
        return 0;
    add_constant(r, VEC_AT(struct ptx_variable, r->variables, index), at);
    return 1;
}

static void check_place(struct reader *r, const struct declaration *d, enum ptx_space space,
                        enum ptx_linkage linkage) {
    if (r->function && linkage != PTX_INTERNAL)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, d->at, "a variable of a function has no linkage");
    if (linkage == PTX_COMMON && space != PTX_GLOBAL)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, d->at, "'.common' is for .global memory alone");
    if (space == PTX_LOCAL && !r->function && r->module->version >= ISA_CALLS_VERSION)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, d->at,
                     "'.local' is not allowed outside a function");
    if (d->type.letter == 't' && (r->function || space != PTX_GLOBAL))
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, d->at,
                     "'.%s' is for .global memory outside of functions alone", d->type.name);
}

int ptx_variables(struct reader *r, enum ptx_space space, enum ptx_linkage linkage) {
    struct declaration d;
    uint64_t bank = 0;
    const int has_bank = space == PTX_CONST && ptx_skip(r) == '[';
    if (space == PTX_CONST && ptx_accept(r, '['))
        if (!ptx_integer(r, "a bank of constant memory", 0, 10, &bank) ||
            !ptx_expect(r, ']', "after a bank of constant memory"))
            return 0;
    if (!ptx_declaration(r, space == PTX_GLOBAL ? ALLOWS_ATTRIBUTE : 0, &d))
        return 0;
    d.bank = (uint8_t)bank;
    if (has_bank && r->module->version >= ISA_NO_BANKS_VERSION)
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, d.at,
                     "PTX %d.%d has no banks of constant memory any more",
                     ISA_NO_BANKS_VERSION / 10, ISA_NO_BANKS_VERSION % 10);
    check_place(r, &d, space, linkage);
    if (d.type.letter == 'p') {
        ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, d.at, "a variable in memory cannot be a .pred");
        return 0;
    }
    do
        if (!variable(r, &d, space, linkage))
            return 0;
    while (ptx_accept(r, ','));
    return ptx_expect(r, ';', "after a declaration");
}

/* A register or a family: %r<12> declares registers from %r0 on. */
struct declared {
    struct declaration d;
    uint32_t name;
    int is_family;
    uint32_t count;
    struct place at;
};

/* %r<12> takes no expression: > would be an operator in one. */
static int count_of(struct reader *r, struct declared *out) {
    struct ptx_operand count;
    if (!ptx_literal(r, &count) || !ptx_expect(r, '>', "after a number of registers"))
        return 0;
    if (count.kind != PTX_OP_INTEGER || count.value > UINT32_MAX) {
        ptx_complain(r, RULE_PTX_NUMBER_RANGE, out->at, "a number of registers has 32 bits");
        return 0;
    }
    out->is_family = 1;
    out->count = (uint32_t)count.value;
    return 1;
}

static int bind_declared(struct reader *r, const struct declared *one) {
    const unsigned vector = one->d.vector;
    if (one->is_family) {
        struct family *f = arena_push(&r->work, &r->families, sizeof *f);
        if (!f)
            return 0;
        *f = (struct family){.type = one->d.type, .count = one->count, .vector = one->d.vector};
        return ptx_bind(r, one->name, MEANS_FAMILY, r->families.n - 1, 1, one->at);
    }
    if (!ptx_bind(r, one->name, vector > 1 ? MEANS_VECTOR : MEANS_REGISTER, r->registers.n, vector,
                  one->at))
        return 0;
    for (unsigned i = 0; i < vector; i++)
        if (!ptx_register(r, one->name, &one->d.type, one->at.line))
            return 0;
    return 1;
}

/* Kept for the functions that follow. */
static int share(struct reader *r, const struct declared *one) {
    struct declared *kept = arena_push(&r->work, &r->shared, sizeof *kept);
    if (kept)
        *kept = *one;
    return kept != NULL;
}

int ptx_registers_shared(struct reader *r) {
    for (uint32_t i = 0; i < r->shared.n; i++)
        if (!bind_declared(r, VEC_AT(struct declared, r->shared, i)))
            return 0;
    return 1;
}

int ptx_registers(struct reader *r) {
    char seen[PTX_SEEN];
    struct declared one = {.is_family = 0};
    if (!ptx_declaration(r, 0, &one.d))
        return 0;
    if (one.d.type.letter == 't' || (one.d.type.letter == 'p' && one.d.vector > 1)) {
        ptx_complain(r, RULE_PTX_TYPE_UNKNOWN, one.d.at, "no register is %s.%s",
                     one.d.vector > 1 ? "a vector of " : "a ", one.d.type.name);
        return 0;
    }
    do {
        ptx_skip(r);
        one.at = ptx_here(r);
        one.name = ptx_word(r);
        one.is_family = 0;
        if (!one.name) {
            ptx_complain(r, RULE_PTX_TEXT_MISSING, one.at,
                         "the name of a register is missing before %s", ptx_seen(r, seen));
            return 0;
        }
        if (ptx_accept(r, '<') && !count_of(r, &one))
            return 0;
        if (r->function ? !bind_declared(r, &one) : !share(r, &one))
            return 0;
    } while (ptx_accept(r, ','));
    return ptx_expect(r, ';', "after a declaration");
}
