/* Operators of two operands, conditions, and whole expressions. A subexpression that C skips is
 * read with `live` 0: it can break the grammar only. */
#include "reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- reading --- */

static void fail(struct expr_reader *r, enum base_rule rule, const char *where, const char *format,
                 va_list args) {
    char text[WSIM_DIAG_TEXT];
    if (r->status)
        return;
    vsnprintf(text, sizeof text, format, args);
    r->status = base_refuse(r->diag, r->in_declarations ? RULE_ADDRESS_DECLARATION_WRONG : rule,
                            (uint32_t)(where - r->text) + 1, "%s", text);
}

void expr_fail(struct expr_reader *r, const char *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail(r, RULE_ADDRESS_EXPRESSION_WRONG, where, format, args);
    va_end(args);
}

void expr_fail_value(struct expr_reader *r, const char *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail(r, RULE_ADDRESS_VALUE_RANGE, where, format, args);
    va_end(args);
}

void expr_skip_blanks(struct expr_reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

int expr_accept(struct expr_reader *r, char c) {
    expr_skip_blanks(r);
    if (*r->at != c)
        return 0;
    r->at++;
    return 1;
}

void expr_unexpected(struct expr_reader *r, const char *wanted) {
    expr_skip_blanks(r);
    if (*r->at == 0)
        expr_fail(r, r->at, "%s expected, but the expression ends here", wanted);
    else if (isprint((unsigned char)*r->at))
        expr_fail(r, r->at, "%s expected, not '%c'", wanted, *r->at);
    else
        expr_fail(r, r->at, "%s expected, not byte 0x%02x", wanted, (unsigned char)*r->at);
}

size_t expr_word(struct expr_reader *r) {
    size_t n = 0;
    if (isdigit((unsigned char)*r->at))
        return 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        n++;
    return n;
}

int expr_deeper(struct expr_reader *r) {
    if (++r->depth <= EXPR_DEPTH)
        return 1;
    expr_fail(r, r->at, "nested deeper than %d", EXPR_DEPTH);
    return 0;
}

/* --- operators --- */

/* clang-format off */
enum action {
    OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQ, NE, LE, GE, LT, GT, SHL, SHR, ADD, SUB, MUL, DIV, MOD
};
/* clang-format on */

/* Longer spellings first, so that "<=" is not read as "<"; higher precedence binds tighter. */
static const struct {
    const char *spelling;
    uint8_t precedence, op;
} operators[] = {{"||", 1, OR},    {"&&", 2, AND},    {"==", 6, EQ},     {"!=", 6, NE},
                 {"<=", 7, LE},    {">=", 7, GE},     {"<<", 8, SHL},    {">>", 8, SHR},
                 {"|", 3, BIT_OR}, {"^", 4, BIT_XOR}, {"&", 5, BIT_AND}, {"<", 7, LT},
                 {">", 7, GT},     {"+", 9, ADD},     {"-", 9, SUB},     {"*", 10, MUL},
                 {"/", 10, DIV},   {"%", 10, MOD}};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static int64_t divide(struct expr_reader *r, const char *where, enum action op, int64_t a,
                      int64_t b) {
    if (b == 0) {
        expr_fail_value(r, where, "lane %d: division by zero", r->lane);
        return 0;
    }
    if (b == -1) /* the least number has no opposite: wrap like - does */
        return op == DIV ? (int64_t)(0 - (uint64_t)a) : 0;
    return op == DIV ? a / b : a % b;
}

static int64_t shift(struct expr_reader *r, const char *where, enum action op, int64_t a,
                     int64_t b) {
    uint64_t sign = a < 0 ? UINT64_MAX : 0;
    if (b < 0 || b > 63) {
        expr_fail_value(r, where, "lane %d: shift by %lld: it must be 0 to 63", r->lane,
                        (long long)b);
        return 0;
    }
    if (op == SHL)
        return (int64_t)((uint64_t)a << b);
    return (int64_t)((((uint64_t)a ^ sign) >> b) ^ sign);
}

static int64_t apply(struct expr_reader *r, const char *where, enum action op, int64_t a,
                     int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    if (!r->live)
        return 0;
    switch (op) {
    case OR: return a || b;
    case AND: return a && b;
    case BIT_OR: return a | b;
    case BIT_XOR: return a ^ b;
    case BIT_AND: return a & b;
    case EQ: return a == b;
    case NE: return a != b;
    case LE: return a <= b;
    case GE: return a >= b;
    case LT: return a < b;
    case GT: return a > b;
    case SHL:
    case SHR: return shift(r, where, op, a, b);
    case ADD: return (int64_t)(x + y);
    case SUB: return (int64_t)(x - y);
    case MUL: return (int64_t)(x * y);
    case DIV:
    case MOD: return divide(r, where, op, a, b);
    }
    return 0;
}

/* An address and a number, or two addresses. */
static struct expr_value apply_address(struct expr_reader *r, const char *where, enum action op,
                                       struct expr_value a, struct expr_value b) {
    int both = a.kind == EXPR_POINTER && b.kind == EXPR_POINTER;
    uint64_t bytes = expr_bytes(&a.type);
    if (op == ADD && !both)
        return a.kind == EXPR_POINTER ? expr_stepped(r, where, a, b.n, 0)
                                      : expr_stepped(r, where, b, a.n, 0);
    if (op == SUB && a.kind == EXPR_POINTER && !both)
        return expr_stepped(r, where, a, b.n, 1);
    if (op == SUB && both && bytes && bytes <= INT64_MAX)
        return expr_of_number((int64_t)((uint64_t)a.n - (uint64_t)b.n) / (int64_t)bytes);
    if (op == EQ || op == NE || op == LE || op == GE || op == LT || op == GT || op == AND ||
        op == OR)
        return expr_of_number(apply(r, where, op, a.n, b.n));
    expr_fail(r, where, "an address has + and - of numbers; (uint32_t)x makes a number of it");
    return expr_of_number(0);
}

/* The operator at the cursor, or -1. */
static int peek(struct expr_reader *r) {
    int i;
    expr_skip_blanks(r);
    for (i = 0; i < OPERATORS; i++)
        if (strncmp(r->at, operators[i].spelling, strlen(operators[i].spelling)) == 0)
            return i;
    return -1;
}

/* Everything that binds at least as tightly as `least`. */
static struct expr_value binary(struct expr_reader *r, unsigned least) {
    const char *start = r->at;
    struct expr_value left = expr_unary(r);
    int i;
    while (!r->status && (i = peek(r)) >= 0 && operators[i].precedence >= least) {
        enum action op = (enum action)operators[i].op;
        const char *where = r->at;
        int live = r->live;
        struct expr_value right;
        r->at += strlen(operators[i].spelling);
        expr_decay(r, start, &left);
        if ((op == OR && left.n) || (op == AND && !left.n))
            r->live = 0;
        right = binary(r, operators[i].precedence + 1u);
        expr_decay(r, where, &right);
        r->live = live;
        if (!r->status)
            left = left.kind == EXPR_NUMBER && right.kind == EXPR_NUMBER
                       ? expr_of_number(apply(r, where, op, left.n, right.n))
                       : apply_address(r, where, op, left, right);
    }
    return left;
}

struct expr_value expr_conditional(struct expr_reader *r) {
    const char *start = r->at;
    struct expr_value condition = {.n = 0}, yes, no;
    int live = r->live;
    if (!expr_deeper(r))
        return condition;
    condition = binary(r, 1);
    if (!r->status && expr_accept(r, '?')) {
        expr_decay(r, start, &condition);
        r->live = live && condition.n;
        yes = expr_conditional(r);
        if (!r->status && !expr_accept(r, ':'))
            expr_unexpected(r, "an operator or ':'");
        r->live = live && !condition.n;
        no = expr_conditional(r);
        r->live = live;
        condition = condition.n ? yes : no;
    }
    r->depth--;
    return condition;
}

/* --- the whole --- */

/* Reads the declarations of the scope, then those before the expression; *expression is what
 * follows them. */
static enum wsim_status declare(const struct wsim_address_scope *scope, const char *text,
                                struct wsim_address_arrays *arrays, const char **expression,
                                struct wsim_diag *diag) {
    struct expr_reader r = {.scope = scope, .lane = -1, .live = 1, .diag = diag};
    memset(arrays, 0, sizeof *arrays);
    if (scope && scope->declarations) {
        r.in_declarations = 1;
        r.text = r.at = scope->declarations;
        expr_declare(&r, arrays);
        expr_skip_blanks(&r);
        if (!r.status && *r.at)
            expr_unexpected(&r, "a declaration such as float tile[32][33]");
        r.in_declarations = 0;
    }
    r.text = r.at = text;
    if (!r.status)
        expr_declare(&r, arrays);
    *expression = r.at;
    return r.status;
}

static enum wsim_status value_of(const struct wsim_address_scope *scope,
                                 const struct wsim_address_arrays *arrays, const char *text,
                                 const char *expression, int lane, int64_t *value,
                                 struct wsim_diag *diag) {
    struct expr_reader r = {.text = text,
                            .at = expression,
                            .scope = scope,
                            .arrays = arrays,
                            .lane = lane,
                            .live = 1,
                            .diag = diag};
    const struct expr_value result = expr_conditional(&r);
    expr_accept(&r, ';');
    expr_skip_blanks(&r);
    if (!r.status && *r.at)
        expr_unexpected(&r, "an operator or the end");
    if (!r.status)
        *value = result.n;
    return r.status;
}

enum wsim_status wsim_address_value(const struct wsim_address_scope *scope, const char *text,
                                    int32_t lane, int64_t *value, struct wsim_diag *diag) {
    struct wsim_address_arrays arrays;
    const char *expression;
    const enum wsim_status status = declare(scope, text, &arrays, &expression, diag);
    return status ? status : value_of(scope, &arrays, text, expression, lane, value, diag);
}

enum wsim_status wsim_address_lanes(const struct wsim_address_scope *scope, const char *text,
                                    uint32_t addr[32], struct wsim_diag *diag) {
    struct wsim_address_arrays arrays;
    const char *expression;
    uint32_t found[32];
    enum wsim_status status = declare(scope, text, &arrays, &expression, diag);
    for (int lane = 0; lane < 32 && !status; lane++) {
        int64_t value = 0;
        status = value_of(scope, &arrays, text, expression, lane, &value, diag);
        if (!status && (value < 0 || value > UINT32_MAX))
            status = base_refuse(diag, RULE_ADDRESS_VALUE_RANGE, 1, "lane %d: %lld is %s", lane,
                                 (long long)value, value < 0 ? "negative" : "more than 32 bits");
        found[lane] = (uint32_t)value;
    }
    if (!status)
        memcpy(addr, found, sizeof found);
    return status;
}

enum wsim_status wsim_address_declared(const struct wsim_address_scope *scope, const char *text,
                                       struct wsim_address_arrays *arrays, struct wsim_diag *diag) {
    const char *expression;
    return declare(scope, text, arrays, &expression, diag);
}
