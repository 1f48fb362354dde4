/* The initial value of a variable: numbers and addresses, in braces like its dimensions.
 */
#include "../num/num.h"
#include "reader.h"

#include <string.h>

/* Zeros between initialisers cost memory without costing text. */
enum { FREE_BYTES = 1 << 24, BYTES_A_CHARACTER = 64 };

struct filling {
    struct ptx_type type;
    uint32_t size;                     /* bytes of a number                                   */
    uint64_t span[PTX_DIMENSIONS + 2]; /* numbers between the braces of each level          */
    unsigned levels;
    int open;
    uint64_t at, most; /* the next number, the number after the last                       */
    uint8_t *bytes;
    uint64_t room;
    struct arena_vec relocations;
};

static int refuse_room(struct reader *r, struct place at) {
    ptx_complain(
        r, RULE_PTX_INIT_RANGE, at,
        "initialised variables are larger than %d bytes and %d for each character of the text",
        FREE_BYTES, BYTES_A_CHARACTER);
    return 0;
}

/* Room for number `f->at`. */
static int make_room(struct reader *r, struct filling *f, struct place at) {
    if (f->at > UINT32_MAX)
        return refuse_room(r, at);
    uint64_t needed = (f->at + 1) * f->size;
    if (needed <= f->room)
        return 1;
    if (needed > FREE_BYTES + (uint64_t)r->contents * BYTES_A_CHARACTER)
        return refuse_room(r, at);
    uint64_t room = needed * 2 < 64 ? 64 : needed * 2;
    uint8_t *larger = arena_take(&r->work, (size_t)room);
    if (!larger)
        return 0;
    if (f->room)
        memcpy(larger, f->bytes, (size_t)f->room);
    f->bytes = larger;
    f->room = room;
    return 1;
}

static int put(struct reader *r, struct filling *f, uint64_t value, struct place at) {
    if (f->at >= f->most) {
        ptx_complain(r, RULE_PTX_INIT_RANGE, at,
                     "the initialiser has more numbers than the variable");
        return 0;
    }
    if (!make_room(r, f, at))
        return 0;
    for (unsigned i = 0; i < f->size && i < 8; i++)
        f->bytes[f->at * f->size + i] = (uint8_t)(value >> i * 8);
    f->at++;
    return 1;
}

static int number(struct reader *r, struct filling *f, struct place at) {
    struct ptx_operand value;
    unsigned bits = f->type.bits;
    if (!ptx_constant(r, &value))
        return 0;
    int takes_real =
        f->type.letter == 'b' || (f->type.letter == 'f' && strcmp(f->type.name, "f16x2") != 0);
    if ((takes_real && bits == 32 && value.kind == PTX_OP_F64) ||
        (f->type.letter == 'f' && bits == 64 && value.kind == PTX_OP_F32))
        ptx_fit_real(&value, bits);
    else if ((value.kind == PTX_OP_F32 && bits != 32) || (value.kind == PTX_OP_F64 && bits != 64) ||
             (value.kind == PTX_OP_INTEGER ? f->type.letter == 'f' : !takes_real)) {
        ptx_complain(r, RULE_PTX_INIT_TYPE, at, "this number cannot initialise a variable of .%s",
                     f->type.name);
        return 0;
    }
    return put(r, f, value.value, at);
}

static int is_memory(const struct reader *r, uint32_t variable) {
    const enum ptx_space space = VEC_AT(struct ptx_variable, r->variables, variable)->space;
    return space == PTX_GLOBAL || space == PTX_CONST;
}

/* A name of an address. */
static int plain_symbol(struct reader *r, struct ptx_relocation *out) {
    char seen[PTX_SEEN];
    ptx_skip(r);
    struct place at = ptx_here(r);
    uint32_t name = ptx_word(r);
    if (!name) {
        ptx_complain(r, RULE_PTX_NUMBER_WRONG, at, "a number or a name is expected, not %s",
                     ptx_seen(r, seen));
        return 0;
    }
    const struct binding *binding = ptx_lookup(r, name);
    if (!binding || (binding->meaning != MEANS_VARIABLE && binding->meaning != MEANS_FUNCTION)) {
        ptx_complain_name(r, name, at, "a variable or function");
        return 0;
    }
    out->symbol = binding->index;
    out->is_function = binding->meaning == MEANS_FUNCTION;
    if (out->is_function ? out->generic : !is_memory(r, binding->index)) {
        ptx_complain(r, RULE_PTX_INIT_TYPE, at, "%s has no address that initialises a variable",
                     out->is_function ? "generic(...) of a function"
                                      : "a variable that is not .global or .const");
        return 0;
    }
    return 1;
}

/* generic(name) or a name, and its offset: symbol + 8. */
static int symbol(struct reader *r, struct ptx_relocation *out) {
    struct ptx_operand offset;
    ptx_skip(r);
    struct place at = ptx_here(r);
    const char *from = r->at;
    out->generic = strncmp(from, "generic", 7) == 0 && !ptx_is_word(from[7]);
    r->at += out->generic ? 7 : 0;
    if (out->generic && !ptx_accept(r, '(')) {
        r->at = from;
        out->generic = 0;
    }
    if (!plain_symbol(r, out) || (out->generic && !ptx_expect(r, ')', "after generic(...)")))
        return 0;
    if (!ptx_accept(r, '+'))
        return 1;
    if (out->is_function) {
        ptx_complain(r, RULE_PTX_INIT_TYPE, at, "the address of a function has no offset");
        return 0;
    }
    if (!ptx_constant(r, &offset))
        return 0;
    if (offset.kind != PTX_OP_INTEGER) {
        ptx_complain(r, RULE_PTX_INIT_TYPE, at, "the offset of an address is an integer");
        return 0;
    }
    out->offset += (int64_t)offset.value;
    return 1;
}

static int address(struct reader *r, struct filling *f, uint64_t mask, struct place at) {
    struct ptx_relocation found = {.at = f->at * f->size, .bytes = (uint8_t)f->size};
    if (!symbol(r, &found))
        return 0;
    while (mask && !(mask & 0xFF)) {
        mask >>= 8;
        found.shift += 8;
    }
    if (f->type.letter != 'u' ||
        (mask ? mask != 0xFF || f->size != 1 : f->size != 8 && f->size != 4)) {
        ptx_complain(r, RULE_PTX_INIT_TYPE, at,
                     "an address is a .u32 or .u64, or one of its bytes under a mask such as "
                     "0xFF00");
        return 0;
    }
    struct ptx_relocation *kept = arena_push(&r->work, &f->relocations, sizeof *kept);
    if (!kept)
        return 0;
    *kept = found;
    return put(r, f, 0, at);
}

/* 0xFF00(symbol): the number before the parenthesis, or 0. */
static uint64_t mask_of(struct reader *r) {
    const char *at = r->at;
    struct ptx_operand mask;
    while (ptx_is_word(*at))
        at++;
    while (*at == ' ' || *at == '\t')
        at++;
    if (*at != '(' || !ptx_is_digit(*r->at) || !ptx_literal(r, &mask))
        return 0;
    ptx_accept(r, '(');
    return mask.value;
}

static int element(struct reader *r, struct filling *f) {
    char c = ptx_skip(r);
    struct place at = ptx_here(r);
    if ((ptx_is_word(c) || c == '%') && !ptx_is_digit(c) && strncmp(r->at, "WARP_SZ", 7))
        return address(r, f, 0, at);
    uint64_t mask = mask_of(r);
    if (mask)
        return address(r, f, mask, at) && ptx_expect(r, ')', "after a mask");
    return number(r, f, at);
}

static int refuse_braces(struct reader *r, struct place at, const char *why) {
    ptx_complain(r, RULE_PTX_INIT_RANGE, at, "%s", why);
    return 0;
}

/* Everything between the outermost braces. Nested ones are counted, not called. */
static int braces(struct reader *r, struct filling *f) {
    uint64_t end[PTX_DIMENSIONS + 2];
    unsigned level = 0;
    const uint64_t most = f->most;
    int comma = 0;
    for (;;) {
        char c = ptx_skip(r);
        struct place at = ptx_here(r);
        if (c == '{') {
            if (level == f->levels) {
                ptx_complain(r, RULE_PTX_INIT_RANGE, at,
                             "braces are nested deeper than the dimensions of the variable");
                return 0;
            }
            r->at++;
            comma = 0;
            end[level] = f->span[level] > f->most - f->at ? f->most : f->at + f->span[level];
            f->most = end[level++];
            continue;
        }
        if (c == '}' && (comma || (f->open && f->at == 0)))
            return refuse_braces(r, at, "a number is missing before '}'");
        if (c != '}' && level < f->levels)
            return refuse_braces(r, at,
                                 "numbers stand in the innermost braces, one pair for each "
                                 "dimension");
        if (c != '}' && !element(r, f))
            return 0;
        while (ptx_accept(r, '}')) {
            if (!f->open || level > 1)
                f->at = end[level - 1];
            level--;
            f->most = level ? end[level - 1] : most;
            if (level == 0)
                return 1;
        }
        if (!ptx_expect(r, ',', "between numbers of an initialiser"))
            return 0;
        comma = 1;
    }
}

static void shape(struct filling *f, const struct declaration *d, const struct extent *extent) {
    uint64_t numbers = d->vector;
    unsigned n = 0, dimensions = extent->dimensions;
    f->levels = dimensions + (d->vector > 1);
    f->levels += f->levels == 0;
    if (d->vector > 1 || dimensions == 0)
        f->span[f->levels - 1 - n++] = numbers;
    for (unsigned i = dimensions; i-- > 0;) {
        int any = i == 0 && extent->open;
        numbers = any ? UINT64_MAX : numbers * extent->size[i];
        f->span[f->levels - 1 - n++] = numbers;
    }
    f->most = numbers;
}

/* The variable gets all of its bytes. */
static int keep(struct reader *r, struct filling *f, uint32_t index, struct extent *extent) {
    struct ptx_variable *v = VEC_AT(struct ptx_variable, r->variables, index);
    struct place at = {v->line, v->col};
    if (extent->open) {
        uint64_t row = extent->bytes ? extent->bytes : 1, bytes = f->at * f->size;
        v->bytes = (bytes + row - 1) / row * row;
        v->open = 0;
    }
    r->initialised += v->bytes;
    if (r->initialised > FREE_BYTES + (uint64_t)r->contents * BYTES_A_CHARACTER)
        return refuse_room(r, at);
    v->init = arena_take(r->keep, (size_t)v->bytes);
    v->n_relocations = f->relocations.n;
    if (f->relocations.n)
        v->relocations = (struct ptx_relocation *)arena_copy(
            r->keep, f->relocations.at, f->relocations.n * sizeof *v->relocations);
    if (!v->init)
        return 0;
    if (f->room)
        memcpy(v->init, f->bytes, (size_t)(f->room < v->bytes ? f->room : v->bytes));
    return 1;
}

int ptx_initialise(struct reader *r, uint32_t index, struct extent *extent) {
    const struct ptx_variable *v = VEC_AT(struct ptx_variable, r->variables, index);
    const struct declaration d = {.type = v->type, .vector = v->vector};
    struct filling f = {.type = v->type, .size = (v->type.bits + 7u) / 8, .open = extent->open};
    struct place at = (ptx_skip(r), ptx_here(r));
    if (v->space != PTX_GLOBAL && v->space != PTX_CONST) {
        ptx_complain(r, RULE_PTX_INIT_SPACE, at,
                     "only variables in .global and .const memory can be initialised");
        return 0;
    }
    shape(&f, &d, extent);
    const char c = ptx_skip(r);
    if ((c == '{') != (extent->dimensions || v->vector > 1))
        return refuse_braces(
            r, at, c == '{' ? "a single number has no braces" : "several numbers stand in braces");
    if (c == '{' ? !braces(r, &f) : !element(r, &f))
        return 0;
    return keep(r, &f, index, extent);
}
