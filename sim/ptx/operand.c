/* Operands. The reader collects the pieces of a list on a stack, then moves them side by side. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum { NESTED = 4 };

/* Components of a vector; r, g, b and a are the same four. */
static const char components[] = "xyzwrgba";

static int operand(struct reader *r, int in_call, unsigned nested);

static struct piece *push(struct reader *r, struct place at) {
    struct piece *piece = arena_push(&r->work, &r->pieces, sizeof *piece);
    if (piece)
        piece->at = at;
    return piece;
}

/* An operand that waits is found again by its name. */
static int wait_for(struct reader *r, const struct piece *piece, uint32_t op) {
    struct name *name = NAME_AT(r, piece->waits);
    struct waiting *waiting = arena_push(&r->work, &r->waiting, sizeof *waiting);
    if (!waiting)
        return 0;
    *waiting = (struct waiting){piece->waits, op, name->waits, piece->at};
    name->waits = r->waiting.n;
    return 1;
}

int ptx_fold(struct reader *r, uint32_t mark, uint32_t *first, uint32_t *count) {
    *first = r->operands.n;
    *count = r->pieces.n - mark;
    for (uint32_t i = mark; i < r->pieces.n; i++) {
        const struct piece *piece = VEC_AT(struct piece, r->pieces, i);
        struct ptx_operand *op = arena_push(&r->work, &r->operands, sizeof *op);
        if (!op)
            return 0;
        *op = piece->op;
        if (piece->waits && !wait_for(r, piece, r->operands.n - 1))
            return 0;
    }
    r->pieces.n = mark;
    return 1;
}

/* The pieces from `mark` on become one. */
static int gather(struct reader *r, uint32_t mark, struct place at, enum ptx_operand_kind kind,
                  uint64_t value) {
    uint32_t first, count;
    if (!ptx_fold(r, mark, &first, &count))
        return 0;
    struct piece *piece = push(r, at);
    if (!piece)
        return 0;
    piece->op =
        (struct ptx_operand){.kind = (uint8_t)kind, .first = first, .count = count, .value = value};
    return 1;
}

/* { } and ( ): elements to the closing bracket, which may be none. */
static int list(struct reader *r, char close, int in_call, unsigned nested) {
    struct place at = ptx_here(r);
    uint32_t mark = r->pieces.n;
    r->at++;
    if (!ptx_accept(r, close)) {
        do
            if (!operand(r, in_call, nested + 1))
                return 0;
        while (ptx_accept(r, ','));
        if (!ptx_expect(r, close, "in a list of operands"))
            return 0;
    }
    return gather(r, mark, at, PTX_OP_VECTOR, 0);
}

/* + 8 or -8 after a name. */
static int offset(struct reader *r, uint64_t *value) {
    struct ptx_operand number;
    char c = ptx_skip(r);
    struct place at = ptx_here(r);
    if (c != '+' && c != '-')
        return 1;
    r->at += c == '+';
    if (!ptx_constant(r, &number))
        return 0;
    if (number.kind != PTX_OP_INTEGER) {
        ptx_complain(r, RULE_PTX_OPERAND_KIND, at, "the offset of an address must be an integer");
        return 0;
    }
    *value += number.value;
    return 1;
}

/* [2] after the name of an array: the address of its third element. */
static int subscript(struct reader *r, struct piece *piece) {
    struct ptx_operand *op = &piece->op;
    uint64_t index, element;
    if (!ptx_accept(r, '['))
        return 1;
    piece->subscript = 1;
    if (!ptx_integer_constant(r, "a subscript", INT64_MAX, &index) ||
        !ptx_expect(r, ']', "after a subscript"))
        return 0;
    if (op->kind == PTX_OP_VARIABLE) {
        const struct ptx_variable *v = VEC_AT(struct ptx_variable, r->variables, op->index);
        element = (v->type.bits + 7u) / 8 * v->vector;
    } else {
        const struct ptx_param *p =
            op->kind == PTX_OP_PARAM ? r->function->params : r->function->results;
        element = (p[op->index].type.bits + 7u) / 8;
    }
    op->value += index * element;
    return 1;
}

/* h and two digits up to 3, b and four up to 7, or two to four different bytes of a result. */
static int is_selector(const char *word) {
    const size_t digits = *word ? strspn(word + 1, "01234567") : 0;
    return word[0] && !word[digits + 1] &&
           (*word == 'h' ? digits == 2 && strspn(word + 1, "0123") == 2
                         : *word == 'b' && digits >= 2 && digits <= 4);
}

/* .x of a register that is a vector, .b0 or .h1 of another one. */
static int component(struct reader *r, struct ptx_operand *op, const struct binding *binding) {
    static const char parts[][3] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    char word[PTX_WORD];
    struct place at = ptx_here(r);
    ptx_dotted(r, word);
    const char *letter = word[0] && !word[1] ? strchr(components, word[0]) : NULL;
    unsigned index = letter ? (unsigned)(letter - components) % 4 : 4;
    if (binding->meaning == MEANS_VECTOR && index < binding->count) {
        op->kind = PTX_OP_REGISTER;
        op->index = binding->index + index;
        return 1;
    }
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (binding->meaning == MEANS_REGISTER && strcmp(parts[i], word) == 0) {
            op->part = (uint8_t)(PTX_B0 + i);
            return 1;
        }
    if (binding->meaning == MEANS_REGISTER && is_selector(word)) {
        ptx_complain(r, RULE_PTX_OPERAND_SELECTOR, at,
                     "'.%s' selects several parts of a register, which is not modelled", word);
        return 0;
    }
    ptx_complain(r, RULE_PTX_OPERAND_KIND, at, "this register has no component '.%s'", word);
    return 0;
}

static enum ptx_operand_kind kind_of(enum meaning meaning) {
    switch (meaning) {
    case MEANS_REGISTER: return PTX_OP_REGISTER;
    case MEANS_VARIABLE: return PTX_OP_VARIABLE;
    case MEANS_PARAM: return PTX_OP_PARAM;
    case MEANS_RESULT: return PTX_OP_RESULT;
    case MEANS_FUNCTION: return PTX_OP_FUNCTION;
    default: return PTX_OP_NONE;
    }
}

/* Operands of one kind, as if they were written in braces. */
static int spread(struct reader *r, uint8_t kind, uint32_t first, uint32_t count, struct place at) {
    const uint32_t mark = r->pieces.n;
    for (uint32_t i = 0; i < count; i++) {
        struct piece *piece = push(r, at);
        if (!piece)
            return 0;
        piece->op.kind = kind;
        piece->op.index = first + i;
    }
    return gather(r, mark, at, PTX_OP_VECTOR, 0);
}

/* The first component of a special register that is a vector, from 1; 0: it is none. */
static uint32_t special_vector(struct reader *r, uint32_t name) {
    char text[32];
    const struct name *n = NAME_AT(r, name);
    int length =
        snprintf(text, sizeof text, "%.*s.x", n->length < 20 ? (int)n->length : 20, n->text);
    for (uint32_t i = 0; i < PTX_SPECIALS && *n->text == '%'; i++)
        if (strcmp(ptx_special_name(i), text) == 0 && length == (int)n->length + 2)
            return i + 1;
    return 0;
}

/* %tid.x: the longest name that is a special register. */
static uint32_t special(struct reader *r, const char *from) {
    const char *end = r->at, *letter = NULL;
    if (end[0] == '.' && end[1] && !ptx_is_word(end[2]))
        letter = strchr(components, end[1]);
    if (letter && letter - components >= 4) {
        /* r, g, b and a are other names of the components. */
        uint32_t first = special_vector(r, ptx_name(r, from, (size_t)(end - from)));
        r->at += first ? 2 : 0;
        return first ? first + (uint32_t)(letter - components) - 4 : 0;
    }
    end += letter ? 2 : 0;
    uint32_t found = NAME_AT(r, ptx_name(r, from, (size_t)(end - from)))->special;
    if (found)
        r->at = end;
    return found;
}

/* A sum in the place of a register, %r1+4, which assemblers take. */
static int plain_register(struct reader *r, struct ptx_operand *op) {
    char c = ptx_skip(r);
    if (c != '+' && c != '-')
        return 1;
    op->kind = PTX_OP_SUM;
    return offset(r, &op->value);
}

/* A name. An undeclared name can still be a label. */
static int named(struct reader *r, struct place at, char sign, int in_place) {
    const char *from = r->at;
    uint32_t name = ptx_word(r), index;
    if (!name)
        return 0;
    const struct binding *binding = ptx_lookup(r, name);
    enum meaning meaning = binding ? (enum meaning)binding->meaning : MEANS_NOTHING;
    if (meaning == MEANS_VECTOR && *r->at != '.')
        return spread(r, PTX_OP_REGISTER, binding->index, binding->count, at);
    if (meaning == MEANS_NOTHING && *from == '%' && *r->at != '.' &&
        (index = special_vector(r, name)) != 0)
        return spread(r, PTX_OP_SPECIAL, index - 1, 4, at); /* %tid: all components */
    struct piece *piece = push(r, at);
    if (!piece)
        return 0;
    piece->op.negated = sign != '\0';
    piece->op.kind = (uint8_t)kind_of(meaning);
    if (meaning != MEANS_NOTHING && meaning < MEANS_LABEL) {
        piece->op.index = binding->index;
        if ((meaning == MEANS_REGISTER || meaning == MEANS_VECTOR) && *r->at == '.')
            return component(r, &piece->op, binding);
        if (meaning == MEANS_REGISTER && sign == '-' &&
            VEC_AT(struct ptx_register, r->registers, binding->index)->type.letter == 'p')
            ptx_complain(r, RULE_PTX_OPERAND_KIND, at,
                         "a predicate is negated by !, not by a minus sign");
        if (meaning == MEANS_REGISTER)
            return !in_place || plain_register(r, &piece->op);
        int is_array = meaning != MEANS_FUNCTION;
        return (!is_array || subscript(r, piece)) && offset(r, &piece->op.value);
    }
    if (*from == '_' && NAME_AT(r, name)->length == 1) {
        piece->op.kind = PTX_OP_SINK;
    } else if (*from == '%' && (index = special(r, from)) != 0) {
        piece->op.kind = PTX_OP_SPECIAL;
        piece->op.index = index - 1;
    } else {
        piece->waits = name;
    }
    return 1;
}

static int constant(struct reader *r) {
    struct ptx_operand value;
    struct place at = ptx_here(r);
    if (!ptx_constant(r, &value))
        return 0;
    struct piece *piece = push(r, at);
    if (!piece)
        return 0;
    piece->op = value;
    return 1;
}

static int is_name_start(char c) {
    return (ptx_is_word(c) && !ptx_is_digit(c)) || c == '%';
}

/* A name or a number, with a sign. */
static int simple(struct reader *r, int in_place) {
    char seen[PTX_SEEN];
    char c = ptx_skip(r), sign = '\0';
    struct place at = ptx_here(r);
    if (c == '!' || c == '-') {
        const char *next = r->at + 1;
        while (*next == ' ' || *next == '\t')
            next++;
        if (is_name_start(*next) && strncmp(next, "WARP_SZ", 7)) {
            sign = c;
            r->at++;
            c = ptx_skip(r);
        }
    }
    if (is_name_start(c) && (sign || strncmp(r->at, "WARP_SZ", 7) || ptx_is_word(r->at[7])))
        return named(r, at, sign, in_place);
    if (ptx_is_digit(c) || (c && strchr("-+~!(.", c)) || c == 'W')
        return constant(r);
    ptx_complain(r, RULE_PTX_OPERAND_KIND, at, "an operand is expected, not %s", ptx_seen(r, seen));
    return 0;
}

/* [base + offset, more]. */
static int address(struct reader *r, unsigned nested) {
    struct place at = ptx_here(r);
    uint32_t mark = r->pieces.n;
    uint64_t value = 0;
    r->at++;
    if (!simple(r, 0) || !offset(r, &value))
        return 0;
    while (ptx_accept(r, ','))
        if (!operand(r, 0, nested + 1))
            return 0;
    struct ptx_operand *base = &VEC_AT(struct piece, r->pieces, mark)->op;
    if (base->kind == PTX_OP_VARIABLE || base->kind == PTX_OP_PARAM ||
        base->kind == PTX_OP_RESULT) {
        value += base->value;
        base->value = 0;
    }
    return ptx_expect(r, ']', "after an address") && gather(r, mark, at, PTX_OP_ADDRESS, value);
}

static int operand(struct reader *r, int in_call, unsigned nested) {
    char c = ptx_skip(r);
    struct place at = ptx_here(r);
    uint32_t mark = r->pieces.n;
    if (nested > NESTED) {
        ptx_complain(r, RULE_PTX_OPERAND_KIND, at, "operands are nested at most %d deep", NESTED);
        return 0;
    }
    if (c == '{' && !list(r, '}', in_call, nested))
        return 0;
    if (c == '(' && in_call)
        return list(r, ')', in_call, nested);
    if (c == '[')
        return address(r, nested);
    if (c != '{' && !simple(r, 1))
        return 0;
    if (ptx_skip(r) != '|' || r->at[1] == '|')
        return 1;
    r->at++;
    return simple(r, 1) && gather(r, mark, at, PTX_OP_PAIR, 0);
}

int ptx_operand(struct reader *r, int in_call) {
    return operand(r, in_call, 0);
}
