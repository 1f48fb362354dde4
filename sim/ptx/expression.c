/* Constant expressions: the operators of C on integers of 64 bits, and + - * / and signs on
 * floating-point numbers, which are f64 until they are used. Results of ~ and % are unsigned; the
 * chosen operand of ?: keeps its type. Bits after 0f have no value: where an f64 is wanted, they
 * are its lower bits. Source: data and machine code of the assembler of CUDA 13.0. */
#include "../num/num.h"
#include "../num/real.h"
#include "reader.h"

#include <string.h>

/* As C has them, the weakest first. */
static const struct operation {
    char text[3];
    uint8_t level;
} operations[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                  {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

enum { NESTED = 64, SIGN = 11 };

static int expression(struct reader *r, unsigned least, unsigned nested, struct ptx_operand *out);

/* A % before a letter or digit begins a name. */
static const struct operation *operation_here(const char *at) {
    if (*at == '%' && ptx_is_word(at[1]))
        return NULL;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strncmp(at, operations[i].text, strlen(operations[i].text)) == 0)
            return &operations[i];
    return NULL;
}

static int needs_integers(struct reader *r, struct place at) {
    ptx_complain(r, RULE_PTX_NUMBER_FLOAT, at,
                 "this operator of floating-point constants is not modelled");
    return 0;
}

static int divides_by_zero(struct reader *r, struct place at) {
    ptx_complain(r, RULE_PTX_NUMBER_RANGE, at, "division by 0 in a constant expression");
    return 0;
}

/* Two numbers of f64. */
static int apply_real(struct reader *r, char c, struct place at, struct ptx_operand *a,
                      const struct ptx_operand *b) {
    const struct wsim_format *f64 = wsim_format_find("f64");
    const struct real_mode nearest = {0};
    if (c == '/' && b->value << 1 == 0)
        return divides_by_zero(r, at);
    switch (a->kind == PTX_OP_F64 && b->kind == PTX_OP_F64 ? c : '?') {
    case '+': a->value = real_add(f64, &nearest, a->value, b->value); return 1;
    case '-': a->value = real_sub(f64, &nearest, a->value, b->value); return 1;
    case '*': a->value = real_mul(f64, &nearest, a->value, b->value); return 1;
    case '/': a->value = real_div(f64, &nearest, a->value, b->value); return 1;
    default: return needs_integers(r, at);
    }
}

static uint64_t compare(char c, int equal_too, uint64_t a, uint64_t b, int is_unsigned) {
    if (equal_too && a == b)
        return 1;
    int less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    return c == '<' ? less : !less && a != b;
}

/* Division as C has it; the least number by -1 wraps. */
static uint64_t divide(uint64_t a, uint64_t b, int is_unsigned) {
    if (is_unsigned)
        return a / b;
    int negative_a = (int64_t)a < 0, negative_b = (int64_t)b < 0;
    uint64_t value = (negative_a ? 0 - a : a) / (negative_b ? 0 - b : b);
    return negative_a != negative_b ? 0 - value : value;
}

/* Bits shifted out are lost, and a signed number keeps its sign. The assembler shifts by the
 * distance modulo 64, as its processor does. */
static uint64_t shift(char c, uint64_t a, uint64_t by, int is_unsigned) {
    uint64_t sign = !is_unsigned && (int64_t)a < 0 ? UINT64_MAX : 0;
    by %= 64;
    return c == '<' ? a << by : by ? a >> by | sign << (64 - by) : a;
}

static int apply(struct reader *r, const char *text, struct place at, struct ptx_operand *a,
                 const struct ptx_operand *b) {
    int is_unsigned = a->is_unsigned || b->is_unsigned, is_truth = 0;
    uint64_t x = a->value, y = b->value;
    if ((*text == '/' || *text == '%') && y == 0)
        return divides_by_zero(r, at);
    switch (*text) {
    case '+': x += y; break;
    case '-': x -= y; break;
    case '*': x *= y; break;
    case '/': x = divide(x, y, is_unsigned); break;
    case '%':
        is_unsigned = 1;
        x %= y;
        break;
    case '^': x ^= y; break;
    case '|':
        is_truth = text[1] == '|';
        x = is_truth ? x || y : (x | y);
        break;
    case '&':
        is_truth = text[1] == '&';
        x = is_truth ? x && y : (x & y);
        break;
    case '=':
    case '!':
        is_truth = 1;
        x = (x == y) == (*text == '=');
        break;
    default:
        if (text[1] == *text) {
            is_unsigned = a->is_unsigned;
            x = shift(*text, x, y, is_unsigned);
        } else {
            is_truth = 1;
            x = compare(*text, text[1] == '=', x, y, is_unsigned);
        }
    }
    a->value = x;
    a->is_unsigned = is_unsigned && !is_truth;
    return 1;
}

/* The casts (.s64) and (.u64). */
static int cast(struct reader *r, unsigned nested, struct ptx_operand *out) {
    char word[PTX_WORD];
    struct place at = ptx_here(r);
    ptx_dotted(r, word);
    if (strcmp(word, "s64") && strcmp(word, "u64")) {
        ptx_complain(r, RULE_PTX_NUMBER_WRONG, at, "a cast must be to .s64 or .u64, not to .%s",
                     word);
        return 0;
    }
    if (!ptx_expect(r, ')', "after a cast") || !expression(r, SIGN, nested + 1, out))
        return 0;
    if (out->kind != PTX_OP_INTEGER)
        return needs_integers(r, at);
    out->is_unsigned = word[0] == 'u';
    return 1;
}

static int sign(struct reader *r, char c, unsigned nested, struct ptx_operand *out) {
    const int is_zero = ptx_skip(r) == '0';
    struct place at = ptx_here(r);
    if (is_zero && (r->at[1] == 'f' || r->at[1] == 'F')) {
        ptx_complain(r, RULE_PTX_NUMBER_WRONG, at,
                     "a number of 0f has no sign: it is one of its bits");
        return 0;
    }
    if (!expression(r, SIGN, nested + 1, out))
        return 0;
    if (out->kind != PTX_OP_INTEGER) {
        if (c != '-' && c != '+')
            return needs_integers(r, at);
        if (c == '-') {
            out->kind = PTX_OP_F64;
            out->value ^= (uint64_t)1 << 63;
        }
        return 1;
    }
    switch (c) {
    case '-': out->value = 0 - out->value; break;
    case '~':
        out->value = ~out->value;
        out->is_unsigned = 1;
        break;
    case '!':
        out->value = !out->value;
        out->is_unsigned = 0;
        break;
    default: break;
    }
    return 1;
}

static int primary(struct reader *r, unsigned nested, struct ptx_operand *out) {
    char c = ptx_skip(r);
    if (nested > NESTED) {
        ptx_complain(r, RULE_PTX_NUMBER_NESTED, ptx_here(r),
                     "a constant expression is nested at most %d deep", NESTED);
        return 0;
    }
    if (c == '-' || c == '+' || c == '~' || c == '!') {
        r->at++;
        return sign(r, c, nested, out);
    }
    if (c == '(') {
        r->at++;
        if (ptx_skip(r) == '.')
            return cast(r, nested, out);
        return expression(r, 0, nested + 1, out) && ptx_expect(r, ')', "in a constant expression");
    }
    return ptx_literal(r, out);
}

/* a ? b : c, after a. */
static int choice(struct reader *r, unsigned nested, struct ptx_operand *out) {
    struct ptx_operand yes, no;
    struct place at = ptx_here(r);
    if (!ptx_accept(r, '?'))
        return 1;
    if (!expression(r, 0, nested + 1, &yes) || !ptx_expect(r, ':', "in a constant expression") ||
        !expression(r, 0, nested + 1, &no))
        return 0;
    if (out->kind != PTX_OP_INTEGER || yes.kind != PTX_OP_INTEGER || no.kind != PTX_OP_INTEGER)
        return needs_integers(r, at);
    *out = out->value ? yes : no;
    return 1;
}

/* Operators of level `least` and stronger. */
static int expression(struct reader *r, unsigned least, unsigned nested, struct ptx_operand *out) {
    struct ptx_operand right;
    if (!primary(r, nested, out))
        return 0;
    for (;;) {
        char c = ptx_skip(r);
        if (c == ',' || c == ';' || c == ']' || c == '}' || c == ')')
            return 1;
        const struct operation *found = operation_here(r->at);
        struct place at = ptx_here(r);
        if (!found || found->level < least || found->level >= SIGN)
            return c == '?' && least == 0 ? choice(r, nested, out) : 1;
        r->at += strlen(found->text);
        if (!expression(r, found->level + 1u, nested + 1, &right))
            return 0;
        int integers = out->kind == PTX_OP_INTEGER && right.kind == PTX_OP_INTEGER;
        if (integers ? !apply(r, found->text, at, out, &right)
                     : !apply_real(r, *found->text, at, out, &right))
            return 0;
    }
}

int ptx_constant(struct reader *r, struct ptx_operand *out) {
    return expression(r, 0, 0, out);
}

/* A NaN keeps its sign and its first bits, and is quiet. */
void ptx_fit_real(struct ptx_operand *number, unsigned bits) {
    const uint64_t value = number->value, infinite = UINT64_C(0x7FF) << 52;
    if (bits == 32 && number->kind == PTX_OP_F64)
        number->value = (value & ~(UINT64_C(1) << 63)) > infinite
                            ? (value >> 32 & UINT32_C(1) << 31) | UINT32_C(0x7FC00000) |
                                  (value >> 29 & 0x3FFFFF)
                            : num_convert(wsim_format_find("f64"), wsim_format_find("f32"), value);
    number->kind = bits == 32 ? PTX_OP_F32 : PTX_OP_F64;
}
