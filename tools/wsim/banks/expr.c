/* Integer expressions by recursive descent, one function a shape of grammar: unary, binary with
 * precedence, conditional. Reads and computes at once; what C does not evaluate is read with
 * `live` 0, where nothing can go wrong but the grammar. Knows no instruction. */
#include "expr_read.h"

#include <wsim/swizzle.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct expr_value conditional(struct expr_reader *r);
static struct expr_value unary(struct expr_reader *r);

static struct expr_value number_of(int64_t n) {
    struct expr_value value = {.n = n};
    return value;
}

void expr_fail(struct expr_reader *r, const char *where, const char *format, ...) {
    va_list args;
    if (r->failed)
        return;
    r->failed = 1;
    r->error->col = (unsigned)(where - r->text) + 1;
    va_start(args, format);
    vsnprintf(r->error->text, sizeof r->error->text, format, args);
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

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10 : 99;
}

/* u, l, ul, ull: they change nothing here. */
static void skip_suffix(struct expr_reader *r) {
    for (int letters = 0; *r->at && strchr("uUlL", *r->at) && letters < 3; letters++)
        r->at++;
}

/* Decimal or 0x hex. A leading 0 is no octal number, as nobody writes addresses so. */
static int64_t number(struct expr_reader *r) {
    const char *start = r->at;
    uint64_t value = 0;
    unsigned base = 10;
    if (r->at[0] == '0' && (r->at[1] | 0x20) == 'x') {
        base = 16;
        r->at += 2;
        if (digit_value(*r->at) >= base) {
            expr_unexpected(r, "a hex digit");
            return 0;
        }
    }
    for (; digit_value(*r->at) < base; r->at++) {
        if (value > ((uint64_t)INT64_MAX - digit_value(*r->at)) / base) {
            expr_fail(r, start, "the number does not fit into 63 bits");
            return 0;
        }
        value = value * base + digit_value(*r->at);
    }
    skip_suffix(r);
    if (digit_value(*r->at) < 36 || *r->at == '_')
        expr_fail(r, r->at, "'%c' is no digit of this number", *r->at);
    return (int64_t)value;
}

/* --- names --- */

static int is_name(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

const struct expr_name *expr_find_name(const struct expr_scope *scope, const char *text,
                                       size_t length) {
    for (unsigned i = 0; scope && i < scope->names; i++)
        if (is_name(text, length, scope->name[i].text))
            return &scope->name[i];
    return NULL;
}

static int64_t warp(const struct expr_reader *r) {
    const struct expr_name *name = expr_find_name(r->scope, "warp", strlen("warp"));
    return name ? name->value : 0;
}

static int64_t tid(const struct expr_reader *r) {
    return (int64_t)((uint64_t)warp(r) * 32 + (uint64_t)r->lane);
}

/* threadIdx of a thread in its block, x first; without --block all threads are along x. */
static int64_t thread_index(const struct expr_reader *r, unsigned axis) {
    const uint32_t *block = r->scope ? r->scope->block : NULL;
    uint64_t left = (uint64_t)tid(r);
    if (!block || !block[0])
        return axis ? 0 : tid(r);
    for (unsigned i = 0; i < axis; i++)
        left /= block[i];
    return (int64_t)(axis < 2 ? left % block[axis] : left);
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

/* An object where a number is wanted: an array is the address of its first element; of an element
 * only the place is known. */
static void decay(struct expr_reader *r, const char *where, struct expr_value *value) {
    if (value->kind != EXPR_OBJECT)
        return;
    value->kind = EXPR_POINTER;
    if (value->type.dims == 0) {
        expr_fail(r, where, "what this element holds is not known, only where it lies");
        return;
    }
    memmove(value->type.dim, value->type.dim + 1, sizeof value->type.dim - sizeof *value->type.dim);
    value->type.dims--;
}

/* The number of an expression; an address is the number of its first byte. */
int64_t expr_number(struct expr_reader *r) {
    const char *where = r->at;
    struct expr_value value = conditional(r);
    decay(r, where, &value);
    return r->failed ? 0 : value.n;
}

/* What stands in parentheses behind a name. */
static struct expr_value argument(struct expr_reader *r) {
    struct expr_value value = {.n = 0};
    if (!expr_accept(r, '(')) {
        expr_unexpected(r, "'('");
        return value;
    }
    value = conditional(r);
    if (!r->failed && !expr_accept(r, ')'))
        expr_unexpected(r, "an operator or ')'");
    return value;
}

/* An address goes in and comes out. */
static int64_t swizzled(struct expr_reader *r, enum wsim_swizzle mode) {
    const char *open = r->at;
    struct expr_value value = argument(r);
    decay(r, open, &value);
    if (r->live && !r->failed && (value.n < 0 || value.n > UINT32_MAX)) {
        expr_fail(r, open, "%lld is no address of 32 bits", (long long)value.n);
        return 0;
    }
    return wsim_swizzle_apply(mode, (uint32_t)value.n);
}

/* .x, .y or .z; 3: none of them. */
static unsigned axis(struct expr_reader *r) {
    unsigned axis = 3;
    if (expr_accept(r, '.')) {
        expr_skip_blanks(r);
        if (*r->at >= 'x' && *r->at <= 'z' && !isalnum((unsigned char)r->at[1]) && r->at[1] != '_')
            axis = (unsigned)(*r->at++ - 'x');
    }
    if (axis == 3)
        expr_unexpected(r, ".x, .y or .z");
    return axis;
}

/* threadIdx, blockIdx, blockDim: 1 and their value, 0: it is something else. */
static int built_in(struct expr_reader *r, const char *start, size_t length, int64_t *value) {
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim"};
    unsigned word = 0, at;
    while (word < 3 && !is_name(start, length, words[word]))
        word++;
    if (word == 3)
        return 0;
    at = axis(r);
    if (r->failed)
        return 1;
    if (word == 0)
        *value = thread_index(r, at);
    if (word == 1)
        *value = 0;
    if (word == 2 && (!r->scope || !r->scope->block[0]))
        expr_fail(r, start, "blockDim is what --block says");
    else if (word == 2)
        *value = r->scope->block[at];
    return 1;
}

/* The short names that kernels give to threadIdx. */
static int short_name(const struct expr_reader *r, const char *start, size_t length,
                      int64_t *value) {
    static const char *const names[] = {"tx", "ty", "tz"};
    for (unsigned i = 0; i < 3; i++)
        if (is_name(start, length, names[i])) {
            *value = thread_index(r, i);
            return 1;
        }
    return 0;
}

static int64_t lane_name(struct expr_reader *r, const char *start, size_t length) {
    enum wsim_swizzle mode;
    int64_t value = 0;
    if (r->lane >= 0 && is_name(start, length, "warp"))
        return 0;
    if (r->lane >= 0 && is_name(start, length, "tid"))
        return tid(r);
    if (is_name(start, length, "warpSize"))
        return 32;
    mode = swizzle(start, length);
    if (mode < WSIM_SWIZZLES)
        return swizzled(r, mode);
    if (r->lane >= 0 &&
        (built_in(r, start, length, &value) || short_name(r, start, length, &value)))
        return value;
    expr_fail(r, start, "unknown name '%.*s': there are %s", length < 24 ? (int)length : 24, start,
              r->lane < 0
                  ? "those of --let and those given before it"
                  : "lane, warp, tid, threadIdx.x, tx, swz128(), those of --let and --decl");
    return 0;
}

/* --- casts --- */

/* A number as an integer of a type has it. */
static int64_t narrowed(int64_t n, const struct expr_named *to) {
    unsigned bits = to->type.bytes * 8;
    uint64_t low;
    if (bits >= 64)
        return n;
    low = (uint64_t)n & ((UINT64_C(1) << bits) - 1);
    if (to->kind == EXPR_SIGNED && low >> (bits - 1) & 1)
        low |= UINT64_MAX << bits;
    return (int64_t)low;
}

static struct expr_value cast(struct expr_reader *r, const char *where, struct expr_value value,
                              const struct expr_named *to) {
    decay(r, where, &value);
    if (to->pointers > 1)
        expr_fail(r, where, "what a pointer to a pointer points to is not known");
    else if (to->pointers == 1)
        return (struct expr_value){value.n, EXPR_POINTER, to->type};
    else if (to->kind == EXPR_OTHER)
        expr_fail(r, where, "this is a number of floating point or a vector, and no address");
    return number_of(narrowed(value.n, to));
}

/* reinterpret_cast<float4 *>(x), static_cast<int>(x): 1 and the value; 0: it is none. */
static int named_cast(struct expr_reader *r, const char *start, size_t length,
                      struct expr_value *value) {
    struct expr_named to;
    if (!is_name(start, length, "reinterpret_cast") && !is_name(start, length, "static_cast") &&
        !is_name(start, length, "const_cast"))
        return 0;
    if (!expr_accept(r, '<'))
        expr_unexpected(r, "'<'");
    else if (!expr_read_type(r, &to))
        expr_unexpected(r, "a type");
    else if (!expr_accept(r, '>'))
        expr_unexpected(r, "'*' or '>'");
    if (r->failed)
        return 1;
    expr_skip_blanks(r);
    start = r->at;
    *value = cast(r, start, argument(r), &to);
    return 1;
}

/* sizeof(float4), sizeof tile[0] */
static int64_t size_of(struct expr_reader *r) {
    struct expr_reader before = *r;
    struct expr_named named;
    struct expr_value value;
    uint64_t bytes = 0;
    int live = r->live;
    if (expr_accept(r, '(') && expr_read_type(r, &named)) {
        if (!expr_accept(r, ')'))
            expr_unexpected(r, "')'");
        return named.pointers ? 8 : (int64_t)named.type.bytes;
    }
    r->at = before.at;
    r->live = 0;
    value = unary(r);
    r->live = live;
    bytes = value.kind == EXPR_OBJECT    ? expr_bytes(&value.type)
            : value.kind == EXPR_POINTER ? 8
                                         : 4;
    if (bytes == 0 || bytes > INT64_MAX)
        expr_fail(r, before.at, "how many bytes this has is not known");
    return r->failed ? 0 : (int64_t)bytes;
}

/* --- primaries --- */

static struct expr_value of_array(const struct expr_array *array) {
    return (struct expr_value){(int64_t)array->at, array->is_pointer ? EXPR_POINTER : EXPR_OBJECT,
                               array->type};
}

static struct expr_value name(struct expr_reader *r) {
    const char *start = r->at;
    const struct expr_name *name;
    struct expr_value value = {.n = 0};
    struct expr_named to;
    size_t length = expr_word(r);
    name = expr_find_name(r->scope, start, length);
    if (name || (r->lane >= 0 && is_name(start, length, "lane"))) {
        r->at += length;
        return number_of(name ? name->value : r->lane);
    }
    for (unsigned i = 0; r->arrays && i < r->arrays->count; i++)
        if (is_name(start, length, r->arrays->array[i].text)) {
            r->at += length;
            return of_array(&r->arrays->array[i]);
        }
    if (expr_read_type(r, &to)) {
        if (!to.pointers)
            return cast(r, start, argument(r), &to);
        expr_fail(r, start, "a declaration stands in front of the expression, and ends with ';'");
        return value;
    }
    r->at += length;
    if (is_name(start, length, "sizeof"))
        return number_of(size_of(r));
    if (is_name(start, length, "__cvta_generic_to_shared")) {
        value = argument(r);
        decay(r, start, &value);
        return number_of(value.n);
    }
    if (named_cast(r, start, length, &value))
        return value;
    return number_of(lane_name(r, start, length));
}

static struct expr_value parenthesised(struct expr_reader *r) {
    const char *open = r->at++;
    struct expr_named to;
    struct expr_value value = {.n = 0};
    if (expr_read_type(r, &to)) {
        if (!expr_accept(r, ')')) {
            if (to.pointers == 0 && *r->at == '(') { /* (int(x) + 1) */
                r->at = open + 1;
                value = conditional(r);
                if (!r->failed && !expr_accept(r, ')'))
                    expr_unexpected(r, "an operator or ')'");
                return value;
            }
            expr_unexpected(r, "'*' or ')'");
            return value;
        }
        return cast(r, open, unary(r), &to);
    }
    value = conditional(r);
    if (!r->failed && !expr_accept(r, ')')) {
        if (*r->at == 0)
            expr_fail(r, open, "this '(' is never closed");
        expr_unexpected(r, "an operator or ')'");
    }
    return value;
}

static struct expr_value primary(struct expr_reader *r) {
    if (*r->at == '(')
        return parenthesised(r);
    if (isdigit((unsigned char)*r->at))
        return number_of(number(r));
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return name(r);
    expr_unexpected(r, "a number, 'lane' or '('");
    return number_of(0);
}

/* --- addresses --- */

/* A pointer and so many objects: 64-bit two's complement, like all numbers. */
static struct expr_value stepped(struct expr_reader *r, const char *where,
                                 struct expr_value pointer, int64_t steps, int minus) {
    uint64_t bytes = expr_bytes(&pointer.type), way = (uint64_t)steps * bytes;
    if (r->live && steps && !bytes)
        expr_fail(r, where, "how far it is to the next one is not known: [ ] says no number");
    else if (r->live && steps &&
             (bytes > INT64_MAX || steps > INT64_MAX / (int64_t)bytes ||
              steps < -(INT64_MAX / (int64_t)bytes)))
        expr_fail(r, where, "%lld objects of %llu bytes are more than 63 bits", (long long)steps,
                  (unsigned long long)bytes);
    pointer.n = (int64_t)(minus ? (uint64_t)pointer.n - way : (uint64_t)pointer.n + way);
    return pointer;
}

/* Behind '[': an element of an array lies inside of it. */
static struct expr_value element(struct expr_reader *r, const char *where,
                                 struct expr_value value) {
    uint64_t count = value.kind == EXPR_OBJECT && value.type.dims ? value.type.dim[0] : 0;
    const char *at;
    int64_t index;
    decay(r, where, &value);
    if (value.kind != EXPR_POINTER)
        expr_fail(r, where, "only arrays and pointers have elements: --decl says what it is");
    expr_skip_blanks(r);
    at = r->at;
    index = r->failed ? 0 : expr_number(r);
    if (!r->failed && !expr_accept(r, ']'))
        expr_unexpected(r, "an operator or ']'");
    if (!r->failed && r->live && count && (index < 0 || (uint64_t)index >= count))
        expr_fail(r, at, "lane %d: index %lld is outside of %llu elements", r->lane,
                  (long long)index, (unsigned long long)count);
    value = stepped(r, at, value, index, 0);
    value.kind = EXPR_OBJECT;
    return value;
}

/* .x of a vector. */
static struct expr_value part(struct expr_reader *r, const char *where, struct expr_value value) {
    static const char names[] = "xyzw";
    const char *name;
    expr_skip_blanks(r);
    name = *r->at ? strchr(names, *r->at) : NULL;
    if (value.kind != EXPR_OBJECT || value.type.dims || value.type.parts < 2 || !name ||
        name - names >= value.type.parts || expr_word(r) != 1) {
        expr_fail(r, where, "only elements of vectors have parts, .x to .w");
        return value;
    }
    r->at++;
    value.type.bytes /= value.type.parts;
    value.type.parts = 1;
    value.n += (name - names) * (int64_t)value.type.bytes;
    return value;
}

static struct expr_value postfix(struct expr_reader *r) {
    const char *start = r->at;
    struct expr_value value = primary(r);
    while (!r->failed)
        if (expr_accept(r, '['))
            value = element(r, start, value);
        else if (value.kind == EXPR_OBJECT && expr_accept(r, '.'))
            value = part(r, start, value);
        else
            break;
    return value;
}

static int deeper(struct expr_reader *r) {
    if (++r->depth <= EXPR_DEPTH)
        return 1;
    expr_fail(r, r->at, "nested deeper than %d", EXPR_DEPTH);
    return 0;
}

/* & and *: from an object to its address, and back. */
static struct expr_value reference(struct expr_reader *r, const char *where, char op) {
    struct expr_value value = unary(r);
    if (r->failed)
        return value;
    if (op == '&') {
        if (value.kind != EXPR_OBJECT)
            expr_fail(r, where, "only what lies in memory has an address: --decl says what does");
        value.kind = EXPR_POINTER;
        return value;
    }
    decay(r, where, &value);
    if (value.kind != EXPR_POINTER)
        expr_fail(r, where, "only a pointer points to something: --decl says what is one");
    value.kind = EXPR_OBJECT;
    return value;
}

static struct expr_value unary(struct expr_reader *r) {
    struct expr_value value = {.n = 0};
    const char *where;
    char op;
    expr_skip_blanks(r);
    where = r->at;
    op = *r->at;
    if (r->failed || !deeper(r))
        return value;
    if ((op == '&' && r->at[1] != '&') || op == '*') {
        r->at++;
        value = reference(r, where, op);
    } else if (op == '-' || op == '+' || op == '~' || (op == '!' && r->at[1] != '=')) {
        r->at++;
        value = unary(r);
        decay(r, where, &value);
        if (value.kind != EXPR_NUMBER && !r->failed)
            expr_fail(r, where, "'%c' is of numbers, and this is an address", op);
        value = number_of(op == '-'   ? (int64_t)(0 - (uint64_t)value.n)
                          : op == '~' ? ~value.n
                          : op == '!' ? !value.n
                                      : value.n);
    } else {
        value = postfix(r);
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

static int64_t divide(struct expr_reader *r, const char *where, enum action op, int64_t a,
                      int64_t b) {
    if (b == 0) {
        expr_fail(r, where, "lane %d: division by zero", r->lane);
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
        expr_fail(r, where, "lane %d: shift by %lld: it must be 0 to 63", r->lane, (long long)b);
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

/* Of addresses: one and a number, or two from each other. */
static struct expr_value apply_address(struct expr_reader *r, const char *where, enum action op,
                                       struct expr_value a, struct expr_value b) {
    int both = a.kind == EXPR_POINTER && b.kind == EXPR_POINTER;
    uint64_t bytes = expr_bytes(&a.type);
    if (op == ADD && !both)
        return a.kind == EXPR_POINTER ? stepped(r, where, a, b.n, 0) : stepped(r, where, b, a.n, 0);
    if (op == SUB && a.kind == EXPR_POINTER && !both)
        return stepped(r, where, a, b.n, 1);
    if (op == SUB && both && bytes && bytes <= INT64_MAX)
        return number_of((int64_t)((uint64_t)a.n - (uint64_t)b.n) / (int64_t)bytes);
    if (op == EQ || op == NE || op == LE || op == GE || op == LT || op == GT || op == AND ||
        op == OR)
        return number_of(apply(r, where, op, a.n, b.n));
    expr_fail(r, where, "an address has + and - of numbers; (uint32_t)x makes a number of it");
    return number_of(0);
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
    struct expr_value left = unary(r);
    int i;
    while (!r->failed && (i = peek(r)) >= 0 && operators[i].precedence >= least) {
        enum action op = (enum action)operators[i].op;
        const char *where = r->at;
        int live = r->live;
        struct expr_value right;
        r->at += strlen(operators[i].spelling);
        decay(r, start, &left);
        if ((op == OR && left.n) || (op == AND && !left.n))
            r->live = 0;
        right = binary(r, operators[i].precedence + 1u);
        decay(r, where, &right);
        r->live = live;
        if (!r->failed)
            left = left.kind == EXPR_NUMBER && right.kind == EXPR_NUMBER
                       ? number_of(apply(r, where, op, left.n, right.n))
                       : apply_address(r, where, op, left, right);
    }
    return left;
}

static struct expr_value conditional(struct expr_reader *r) {
    const char *start = r->at;
    struct expr_value condition = {.n = 0}, yes, no;
    int live = r->live;
    if (!deeper(r))
        return condition;
    condition = binary(r, 1);
    if (!r->failed && expr_accept(r, '?')) {
        decay(r, start, &condition);
        r->live = live && condition.n;
        yes = conditional(r);
        if (!r->failed && !expr_accept(r, ':'))
            expr_unexpected(r, "an operator or ':'");
        r->live = live && !condition.n;
        no = conditional(r);
        r->live = live;
        condition = condition.n ? yes : no;
    }
    r->depth--;
    return condition;
}

/* --- the whole --- */

/* Declarations of the scope and then those in front of the expression; the text of the error is of
 * the one or the other. */
static int declare(const struct expr_scope *scope, const char *text, struct expr_arrays *arrays,
                   const char **expression, struct expr_error *error) {
    struct expr_reader r = {.scope = scope, .lane = -1, .live = 1, .error = error};
    memset(arrays, 0, sizeof *arrays);
    error->in_declarations = 0;
    if (scope && scope->declarations) {
        r.text = r.at = scope->declarations;
        expr_declare(&r, arrays);
        expr_skip_blanks(&r);
        if (!r.failed && *r.at)
            expr_unexpected(&r, "a declaration such as float tile[32][33]");
        error->in_declarations = r.failed;
    }
    r.text = r.at = text;
    if (!r.failed)
        expr_declare(&r, arrays);
    *expression = r.at;
    return r.failed ? -1 : 0;
}

static int value_of(const struct expr_scope *scope, const struct expr_arrays *arrays,
                    const char *text, const char *expression, int lane, int64_t *value,
                    struct expr_error *error) {
    struct expr_reader r = {.text = text,
                            .at = expression,
                            .scope = scope,
                            .arrays = arrays,
                            .lane = lane,
                            .live = 1,
                            .error = error};
    struct expr_value result = conditional(&r);
    expr_accept(&r, ';');
    expr_skip_blanks(&r);
    if (!r.failed && *r.at)
        expr_unexpected(&r, "an operator or the end");
    if (r.failed)
        return -1;
    *value = result.n;
    return 0;
}

int expr_value_in(const struct expr_scope *scope, const char *text, int lane, int64_t *value,
                  struct expr_error *error) {
    struct expr_arrays arrays;
    const char *expression;
    return declare(scope, text, &arrays, &expression, error) ||
                   value_of(scope, &arrays, text, expression, lane, value, error)
               ? -1
               : 0;
}

int expr_value(const char *text, unsigned lane, int64_t *value, struct expr_error *error) {
    return expr_value_in(NULL, text, (int)lane, value, error);
}

int expr_addresses(const char *text, uint32_t addr[32], struct expr_error *error) {
    return expr_addresses_in(NULL, text, addr, error);
}

int expr_addresses_in(const struct expr_scope *scope, const char *text, uint32_t addr[32],
                      struct expr_error *error) {
    struct expr_arrays arrays;
    const char *expression;
    if (declare(scope, text, &arrays, &expression, error))
        return -1;
    for (unsigned lane = 0; lane < 32; lane++) {
        int64_t value;
        if (value_of(scope, &arrays, text, expression, (int)lane, &value, error))
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

int expr_places(const struct expr_scope *scope, const char *text, struct expr_arrays *arrays,
                struct expr_error *error) {
    const char *expression;
    return declare(scope, text, arrays, &expression, error);
}
