/* Names: each word once, by a hash table; what it means in the innermost scope, in one step.
 *
 * A name knows its innermost binding. A binding knows the one that it hides. A scope knows its
 * bindings and undoes them when it closes. A label may be used before its declaration, so operands
 * wait. A scope owns the operands made since it was opened; when it closes, each of its labels
 * takes its operands. The reader searches nothing and looks at nothing twice. */
#include "reader.h"

#include <string.h>

/* At most 7 bytes as a number, from loads that overlap: bytes stored one by one are slow to load.
 */
static uint64_t short_word(const char *text, size_t length) {
    uint32_t word[2] = {0, 0};
    uint16_t half[2];
    if (length >= 4) {
        memcpy(&word[0], text, 4);
        memcpy(&word[1], text + length - 4, 4);
    } else if (length >= 2) {
        memcpy(&half[0], text, 2);
        memcpy(&half[1], text + length - 2, 2);
        word[0] = half[0] | (uint32_t)half[1] << 16;
    } else if (length) {
        word[0] = (unsigned char)*text;
    }
    return word[0] | (uint64_t)word[1] << 32;
}

/* The seed differs from one run to the next, so no input can put all its words into one slot. Only
 * time depends on the seed. */
static uint32_t hash(const struct reader *r, const char *text, size_t length) {
    uint64_t h = r->seed ^ ((uint64_t)length << 32);
    uint64_t word;
    for (; length >= 8; length -= 8, text += 8) {
        memcpy(&word, text, 8);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    h = (h ^ short_word(text, length)) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32 ^ h >> 13);
}

static int table_grow(struct reader *r) {
    uint32_t slots = r->name_slots ? r->name_slots * 2 : 1024;
    uint32_t *table = arena_take(&r->work, slots * sizeof *table);
    if (!table)
        return 0;
    for (uint32_t i = 1; i < r->names.n; i++) {
        uint32_t slot = NAME_AT(r, i)->hash & (slots - 1);
        while (table[slot])
            slot = (slot + 1) & (slots - 1);
        table[slot] = i;
    }
    r->name_table = table;
    r->name_slots = slots;
    return 1;
}

static uint32_t name_add(struct reader *r, const char *text, size_t length, uint32_t hashed) {
    struct name *name = arena_push(&r->work, &r->names, sizeof *name);
    if (!name)
        return 0;
    *name = (struct name){.text = text, .length = (uint32_t)length, .hash = hashed};
    return r->names.n - 1;
}

uint32_t ptx_name(struct reader *r, const char *text, size_t length) {
    uint32_t hashed = hash(r, text, length), slot;
    if (r->names.n * 2 >= r->name_slots && !table_grow(r))
        return 0;
    for (slot = hashed & (r->name_slots - 1); r->name_table[slot];
         slot = (slot + 1) & (r->name_slots - 1)) {
        const struct name *name = NAME_AT(r, r->name_table[slot]);
        if (name->hash == hashed && name->length == length && memcmp(name->text, text, length) == 0)
            return r->name_table[slot];
    }
    uint32_t name = name_add(r, text, length, hashed);
    r->name_table[slot] = name;
    return name;
}

const char *ptx_name_keep(struct reader *r, uint32_t name) {
    struct name *n = NAME_AT(r, name);
    if (!n->kept)
        n->kept = arena_copy(r->keep, n->text, n->length);
    return n->kept ? n->kept : "";
}

int ptx_names_begin(struct reader *r) {
    if (!arena_push(&r->work, &r->names, sizeof(struct name)))
        return 0;
    for (uint32_t i = 0; i < PTX_SPECIALS; i++) {
        uint32_t name = ptx_name(r, ptx_special_name(i), strlen(ptx_special_name(i)));
        if (!name)
            return 0;
        NAME_AT(r, name)->special = i + 1;
    }
    return 1;
}

/* --- scopes --- */

int ptx_scope_open(struct reader *r, struct place at) {
    struct scope *scope = arena_push(&r->work, &r->scopes, sizeof *scope);
    if (!scope)
        return 0;
    scope->operands = r->operands.n;
    scope->id = ++r->last_scope;
    scope->at = at;
    return 1;
}

/* Complains about an operand that names something else than it may. */
static void complain_wanted(struct reader *r, const struct waiting *w, uint64_t wants) {
    static const char *const words[] = {[WANTS_LABEL] = "a label",
                                        [WANTS_TABLE] = "the name of .branchtargets",
                                        [WANTS_TABLE | WANTS_PROTOTYPE] =
                                            "the name of .callprototype or .calltargets",
                                        [WANTS_FUNCTION] = "a function or a register"};
    const struct name *name = NAME_AT(r, w->name);
    if (wants < sizeof words / sizeof words[0] && words[wants])
        ptx_complain(r, RULE_PTX_OPERAND_KIND, w->at, "'%.*s' must be %s",
                     name->length > 60 ? 60 : (int)name->length, name->text, words[wants]);
}

/* Gives the operands that wait inside of the scope what they wait for. */
static void resolve(struct reader *r, const struct scope *scope, const struct binding *binding) {
    struct name *name = NAME_AT(r, binding->name);
    const uint32_t meaning = binding->meaning == MEANS_LABEL   ? WANTS_LABEL
                             : binding->meaning == MEANS_TABLE ? WANTS_TABLE
                                                               : WANTS_PROTOTYPE;
    while (name->waits) {
        const struct waiting *w = VEC_AT(struct waiting, r->waiting, name->waits - 1);
        if (w->operand < scope->operands)
            break;
        struct ptx_operand *op = VEC_AT(struct ptx_operand, r->operands, w->operand);
        op->kind = binding->meaning == MEANS_LABEL   ? PTX_OP_LABEL
                   : binding->meaning == MEANS_TABLE ? PTX_OP_TABLE
                                                     : PTX_OP_PROTOTYPE;
        op->index = binding->index;
        if (op->value && !(op->value & meaning))
            complain_wanted(r, w, op->value);
        op->value = 0;
        name->waits = w->before;
    }
}

void ptx_scope_close(struct reader *r) {
    const struct scope *scope = VEC_AT(struct scope, r->scopes, r->scopes.n - 1);
    for (uint32_t i = scope->bindings; i;) {
        const struct binding *binding = BINDING_AT(r, i);
        struct name *name = NAME_AT(r, binding->name);
        if (binding->meaning >= MEANS_LABEL)
            resolve(r, scope, binding);
        if (binding->meaning == MEANS_FAMILY)
            name->family = binding->outer;
        else
            name->bound = binding->outer;
        i = binding->next;
    }
    r->scopes.n--;
}

static int bind_at(struct reader *r, uint32_t name, enum meaning meaning, uint32_t index,
                   uint32_t count, uint32_t depth, struct place at) {
    struct binding *binding = arena_push(&r->work, &r->bindings, sizeof *binding);
    struct scope *scope = VEC_AT(struct scope, r->scopes, depth);
    struct name *n = NAME_AT(r, name);
    uint32_t *innermost = meaning == MEANS_FAMILY ? &n->family : &n->bound;
    if (!binding)
        return 0;
    *binding = (struct binding){.name = name,
                                .meaning = (uint8_t)meaning,
                                .count = (uint8_t)count,
                                .index = index,
                                .depth = depth,
                                .outer = *innermost,
                                .next = scope->bindings,
                                .at = at};
    *innermost = scope->bindings = r->bindings.n - 1;
    return 1;
}

/* %r12 is number 12 of what begins with %r, if it is written without zeros in front. Done when a
 * name is looked up first. */
static void split(struct reader *r, uint32_t name) {
    enum { MOST_DIGITS = 10 };
    struct name *n = NAME_AT(r, name);
    const char *text = n->text;
    const uint32_t length = n->length;
    uint32_t at = length;
    uint64_t number = 0;
    n->is_split = 1;
    while (at > 1 && length - at < MOST_DIGITS && ptx_is_digit(text[at - 1]))
        at--;
    while (at + 1 < length && text[at] == '0')
        at++;
    if (at == length)
        return;
    for (uint32_t i = at; i < length; i++)
        number = number * 10 + (uint32_t)(text[i] - '0');
    uint32_t prefix = number < UINT32_MAX ? ptx_name(r, text, at) : 0;
    NAME_AT(r, name)->prefix = prefix;
    NAME_AT(r, name)->number = (uint32_t)number;
}

/* The innermost family with the prefix that has a register of that number; 0: none. */
static uint32_t family_with(struct reader *r, uint32_t prefix, uint32_t number) {
    enum { HIDDEN = 64 }; /* families that may hide the one that is meant */
    uint32_t bound = NAME_AT(r, prefix)->family;
    for (int i = 0; i < HIDDEN && bound; i++, bound = BINDING_AT(r, bound)->outer)
        if (number < VEC_AT(struct family, r->families, BINDING_AT(r, bound)->index)->count)
            return bound;
    return 0;
}

/* The innermost family that `name` is a register of; 0: none. Where the prefix of a family ends
 * with a digit, a name can be divided in several ways. */
static uint32_t family_of(struct reader *r, uint32_t name) {
    if (!NAME_AT(r, name)->is_split)
        split(r, name);
    const uint32_t prefix = NAME_AT(r, name)->prefix;
    const char *text = NAME_AT(r, name)->text;
    const uint32_t length = NAME_AT(r, name)->length;
    uint32_t found = prefix ? family_with(r, prefix, NAME_AT(r, name)->number) : 0;
    if (!r->odd_families || !prefix)
        return found;
    for (uint32_t at = NAME_AT(r, prefix)->length + 1; at < length; at++) {
        uint64_t rest = 0;
        for (uint32_t i = at; i < length; i++)
            rest = rest * 10 + (uint32_t)(text[i] - '0');
        if ((text[at] == '0' && at + 1 < length) || rest >= UINT32_MAX)
            continue;
        uint32_t bound = family_with(r, ptx_name(r, text, at), (uint32_t)rest);
        if (bound && (!found || BINDING_AT(r, bound)->depth > BINDING_AT(r, found)->depth))
            found = bound;
    }
    return found;
}

/* %r3 is declared in a scope, where %r<4> then declares it again. */
static void note_member(struct reader *r, uint32_t name, uint32_t scope) {
    if (!NAME_AT(r, name)->is_split)
        split(r, name);
    struct name *prefix = NAME_AT(r, NAME_AT(r, name)->prefix);
    const uint32_t number = NAME_AT(r, name)->number;
    if (NAME_AT(r, name)->prefix && (prefix->members != scope || number < prefix->least)) {
        prefix->members = scope;
        prefix->least = number;
    }
}

int ptx_bind(struct reader *r, uint32_t name, enum meaning meaning, uint32_t index, uint32_t count,
             struct place at) {
    const struct name *n = NAME_AT(r, name);
    uint32_t depth = r->scopes.n - 1, bound = meaning == MEANS_FAMILY ? n->family : n->bound;
    if (!bound &&
        (meaning == MEANS_REGISTER || meaning == MEANS_VECTOR || meaning == MEANS_VARIABLE))
        bound = family_of(r, name);
    n = NAME_AT(r, name);
    if ((n->length == 1 && strchr("_$%", *n->text)) ||
        (n->length == 7 && memcmp(n->text, "WARP_SZ", 7) == 0)) {
        ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, at, "'%.*s' cannot be declared", (int)n->length,
                     n->text);
        return 0;
    }
    if (bound && BINDING_AT(r, bound)->depth == depth) {
        ptx_complain(
            r, RULE_PTX_NAME_TWICE, at, "'%.*s' is already declared in this scope, in line %u",
            n->length > 60 ? 60 : (int)n->length, n->text, (unsigned)BINDING_AT(r, bound)->at.line);
        return 0;
    }
    const uint32_t scope = VEC_AT(struct scope, r->scopes, depth)->id;
    if (meaning == MEANS_FAMILY && n->members == scope &&
        n->least < VEC_AT(struct family, r->families, index)->count) {
        ptx_complain(r, RULE_PTX_NAME_TWICE, at, "'%.*s%u' is already declared in this scope",
                     n->length > 60 ? 60 : (int)n->length, n->text, (unsigned)n->least);
        return 0;
    }
    if (meaning == MEANS_FAMILY && ptx_is_digit(n->text[n->length - 1]))
        r->odd_families = 1;
    if (meaning == MEANS_REGISTER || meaning == MEANS_VECTOR || meaning == MEANS_VARIABLE)
        note_member(r, name, scope);
    return bind_at(r, name, meaning, index, count, depth, at);
}

int ptx_register(struct reader *r, uint32_t name, const struct ptx_type *type, uint32_t line) {
    struct ptx_register *reg = arena_push(&r->work, &r->registers, sizeof *reg);
    if (!reg)
        return 0;
    reg->name = ptx_name_keep(r, name);
    reg->type = *type;
    reg->line = line;
    return 1;
}

/* Registers of a family are made when they are used first. */
static int make_register(struct reader *r, uint32_t name, const struct binding *of) {
    const struct family family = *VEC_AT(struct family, r->families, of->index);
    const uint32_t first = r->registers.n, depth = of->depth;
    const struct place at = of->at;
    for (unsigned i = 0; i < family.vector; i++)
        if (!ptx_register(r, name, &family.type, at.line))
            return 0;
    return bind_at(r, name, family.vector > 1 ? MEANS_VECTOR : MEANS_REGISTER, first, family.vector,
                   depth, at);
}

const struct binding *ptx_lookup(struct reader *r, uint32_t name) {
    uint32_t bound = NAME_AT(r, name)->bound, family = family_of(r, name);
    if (family && (!bound || BINDING_AT(r, bound)->depth < BINDING_AT(r, family)->depth))
        if (!make_register(r, name, BINDING_AT(r, family)))
            return NULL;
    bound = NAME_AT(r, name)->bound;
    return bound ? BINDING_AT(r, bound) : NULL;
}
