/* Integer expressions by recursive descent, one function a shape of grammar: unary, binary with
 * precedence, conditional. Reads and computes at once; what C does not evaluate is read with
 * `live` 0, where nothing can go wrong but the grammar. Knows no instruction. */
#include "expr.h"

#include <wsim/swizzle.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct reader {
    const char *text, *at;
    const struct expr_scope *scope;
    int lane; /* negative: there is none */
    unsigned depth;
    int live;
    int failed;
    struct expr_error *error;
};

static int64_t conditional(struct reader *r);

/* Keeps the first error only; reading then runs dry quickly, as every step looks at `failed`. */
static int64_t fail(struct reader *r, const char *where, const char *format, ...) {
    va_list args;
    if (r->failed)
        return 0;
    r->failed = 1;
    r->error->col = (unsigned)(where - r->text) + 1;
    va_start(args, format);
    vsnprintf(r->error->text, sizeof r->error->text, format, args);
    va_end(args);
    return 0;
}

static void skip_blanks(struct reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

static int accept(struct reader *r, char c) {
    skip_blanks(r);
    if (*r->at != c)
        return 0;
    r->at++;
    return 1;
}

static int64_t unexpected(struct reader *r, const char *wanted) {
    if (*r->at == 0)
        return fail(r, r->at, "%s expected, but the expression ends here", wanted);
    if (isprint((unsigned char)*r->at))
        return fail(r, r->at, "%s expected, not '%c'", wanted, *r->at);
    return fail(r, r->at, "%s expected, not byte 0x%02x", wanted, (unsigned char)*r->at);
}

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10 : 99;
}

/* Decimal or 0x hex. A leading 0 is no octal number, as nobody writes addresses so. */
static int64_t number(struct reader *r) {
    const char *start = r->at;
    uint64_t value = 0;
    unsigned base = 10;
    if (r->at[0] == '0' && (r->at[1] | 0x20) == 'x') {
        base = 16;
        r->at += 2;
        if (digit_value(*r->at) >= base)
            return unexpected(r, "a hex digit");
    }
    for (; digit_value(*r->at) < base; r->at++) {
        if (value > ((uint64_t)INT64_MAX - digit_value(*r->at)) / base)
            return fail(r, start, "the number does not fit into 63 bits");
        value = value * base + digit_value(*r->at);
    }
    if (digit_value(*r->at) < 36 || *r->at == '_')
        return fail(r, r->at, "'%c' is no digit of this number", *r->at);
    return (int64_t)value;
}

/* --- names --- */

static int is_name(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

static const struct expr_name *given(const struct reader *r, const char *text, size_t length) {
    for (unsigned i = 0; r->scope && i < r->scope->names; i++)
        if (is_name(text, length, r->scope->name[i].text))
            return &r->scope->name[i];
    return NULL;
}

static int64_t warp(const struct reader *r) {
    const struct expr_name *name = given(r, "warp", strlen("warp"));
    return name ? name->value : 0;
}

/* The swizzle of swz128 or swz128_atom_32b: the name of the mode, its first B left out or not.
 * WSIM_SWIZZLES: it is none. */
static enum wsim_swizzle swizzle(const char *text, size_t length) {
    enum { LONGEST = 32 };
    char mode[LONGEST + 2];
    enum wsim_swizzle found;
    size_t n = 0;
    if (length < 4 || length > LONGEST || memcmp(text, "swz", 3) != 0)
        return WSIM_SWIZZLES;
    for (size_t i = 3; i < length; i++)
        mode[n++] = (char)toupper((unsigned char)text[i]);
    mode[n] = '\0';
    found = wsim_swizzle_find(mode);
    n = strcspn(mode, "_");
    if (found == WSIM_SWIZZLES) {
        memmove(mode + n + 1, mode + n, strlen(mode + n) + 1);
        mode[n] = 'B';
        found = wsim_swizzle_find(mode);
    }
    return found == WSIM_SWIZZLE_NONE ? WSIM_SWIZZLES : found;
}

int expr_can_name(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && (isalnum((unsigned char)text[i]) || text[i] == '_'))
        i++;
    return length > 0 && i == length && length < EXPR_NAME && !isdigit((unsigned char)*text) &&
           !is_name(text, length, "lane") && !is_name(text, length, "tid") &&
           swizzle(text, length) == WSIM_SWIZZLES;
}

/* An address goes in and comes out. */
static int64_t swizzled(struct reader *r, enum wsim_swizzle mode) {
    const char *open = r->at;
    int64_t value;
    if (!accept(r, '('))
        return unexpected(r, "'('");
    value = conditional(r);
    if (!r->failed && !accept(r, ')'))
        return unexpected(r, "an operator or ')'");
    if (r->live && !r->failed && (value < 0 || value > UINT32_MAX))
        return fail(r, open, "%lld is no address of 32 bits", (long long)value);
    return wsim_swizzle_apply(mode, (uint32_t)value);
}

static int64_t name(struct reader *r) {
    const char *start = r->at;
    const struct expr_name *name;
    enum wsim_swizzle mode;
    size_t length = 0;
    while (isalnum((unsigned char)start[length]) || start[length] == '_')
        length++;
    r->at += length;
    name = given(r, start, length);
    if (name)
        return name->value;
    if (r->lane >= 0 && is_name(start, length, "lane"))
        return r->lane;
    if (r->lane >= 0 && is_name(start, length, "warp"))
        return 0;
    if (r->lane >= 0 && is_name(start, length, "tid"))
        return (int64_t)((uint64_t)warp(r) * 32 + (uint64_t)r->lane);
    mode = swizzle(start, length);
    if (mode < WSIM_SWIZZLES)
        return swizzled(r, mode);
    if (r->lane >= 0 && is_name(start, length, "threadIdx"))
        return fail(r, start,
                    "threadIdx.x of a block of one dimension is tid, of others give it by --let");
    return fail(r, start, "unknown name '%.*s': there are %s", length < 24 ? (int)length : 24,
                start,
                r->lane < 0 ? "those given before it"
                            : "lane, warp, tid, swz32() swz64() swz128(), and those of --let");
}

static int64_t parenthesised(struct reader *r) {
    const char *open = r->at++;
    int64_t value = conditional(r);
    if (!r->failed && !accept(r, ')')) {
        if (*r->at == 0)
            return fail(r, open, "this '(' is never closed");
        return unexpected(r, "an operator or ')'");
    }
    return value;
}

static int64_t primary(struct reader *r) {
    if (*r->at == '(')
        return parenthesised(r);
    if (isdigit((unsigned char)*r->at))
        return number(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return name(r);
    return unexpected(r, "a number, 'lane' or '('");
}

static int deeper(struct reader *r) {
    if (++r->depth <= EXPR_DEPTH)
        return 1;
    fail(r, r->at, "nested deeper than %d", EXPR_DEPTH);
    return 0;
}

static int64_t unary(struct reader *r) {
    int64_t value = 0;
    char op;
    skip_blanks(r);
    op = *r->at;
    if (r->failed || !deeper(r))
        return 0;
    if (op == '-' || op == '+' || op == '~' || (op == '!' && r->at[1] != '=')) {
        r->at++;
        value = unary(r);
        value = op == '-'   ? (int64_t)(0 - (uint64_t)value)
                : op == '~' ? ~value
                : op == '!' ? !value
                            : value;
    } else {
        value = primary(r);
    }
    r->depth--;
    return value;
}

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

static int64_t divide(struct reader *r, const char *where, enum action op, int64_t a, int64_t b) {
    if (b == 0)
        return fail(r, where, "lane %d: division by zero", r->lane);
    if (b == -1) /* the least number has no opposite: wrap like - does */
        return op == DIV ? (int64_t)(0 - (uint64_t)a) : 0;
    return op == DIV ? a / b : a % b;
}

static int64_t shift(struct reader *r, const char *where, enum action op, int64_t a, int64_t b) {
    uint64_t sign = a < 0 ? UINT64_MAX : 0;
    if (b < 0 || b > 63)
        return fail(r, where, "lane %d: shift by %lld: it must be 0 to 63", r->lane, (long long)b);
    if (op == SHL)
        return (int64_t)((uint64_t)a << b);
    return (int64_t)((((uint64_t)a ^ sign) >> b) ^ sign);
}

static int64_t apply(struct reader *r, const char *where, enum action op, int64_t a, int64_t b) {
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

/* The operator at the cursor, or -1. */
static int peek(struct reader *r) {
    int i;
    skip_blanks(r);
    for (i = 0; i < OPERATORS; i++)
        if (strncmp(r->at, operators[i].spelling, strlen(operators[i].spelling)) == 0)
            return i;
    return -1;
}

/* Everything that binds at least as tightly as `least`. */
static int64_t binary(struct reader *r, unsigned least) {
    int64_t left = unary(r);
    int i;
    while (!r->failed && (i = peek(r)) >= 0 && operators[i].precedence >= least) {
        enum action op = (enum action)operators[i].op;
        const char *where = r->at;
        int live = r->live;
        int64_t right;
        r->at += strlen(operators[i].spelling);
        if ((op == OR && left) || (op == AND && !left))
            r->live = 0;
        right = binary(r, operators[i].precedence + 1u);
        r->live = live;
        left = apply(r, where, op, left, right);
    }
    return left;
}

static int64_t conditional(struct reader *r) {
    int64_t condition, yes, no;
    int live = r->live;
    if (!deeper(r))
        return 0;
    condition = binary(r, 1);
    if (!r->failed && accept(r, '?')) {
        r->live = live && condition;
        yes = conditional(r);
        if (!r->failed && !accept(r, ':'))
            unexpected(r, "an operator or ':'");
        r->live = live && !condition;
        no = conditional(r);
        r->live = live;
        condition = condition ? yes : no;
    }
    r->depth--;
    return condition;
}

int expr_value_in(const struct expr_scope *scope, const char *text, int lane, int64_t *value,
                  struct expr_error *error) {
    struct reader r = {text, text, scope, lane, 0, 1, 0, error};
    int64_t result = conditional(&r);
    skip_blanks(&r);
    if (!r.failed && *r.at)
        unexpected(&r, "an operator or the end");
    if (r.failed)
        return -1;
    *value = result;
    return 0;
}

int expr_value(const char *text, unsigned lane, int64_t *value, struct expr_error *error) {
    return expr_value_in(NULL, text, (int)lane, value, error);
}

int expr_addresses(const char *text, uint32_t addr[32], struct expr_error *error) {
    return expr_addresses_in(NULL, text, addr, error);
}

int expr_addresses_in(const struct expr_scope *scope, const char *text, uint32_t addr[32],
                      struct expr_error *error) {
    unsigned lane;
    for (lane = 0; lane < 32; lane++) {
        int64_t value;
        if (expr_value_in(scope, text, (int)lane, &value, error))
            return -1;
        if (value < 0 || value > UINT32_MAX) {
            error->col = 1;
            snprintf(error->text, sizeof error->text, "lane %u: %lld is %s", lane, (long long)value,
                     value < 0 ? "negative" : "more than 32 bits");
            return -1;
        }
        addr[lane] = (uint32_t)value;
    }
    return 0;
}
