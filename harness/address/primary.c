/* Operands: numbers, names, casts, elements of arrays, and operators of one operand. */
#include "reader.h"

#include <ctype.h>
#include <string.h>

/* --- numbers --- */

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

/* Decimal or 0x hex. A leading 0 means nothing: addresses are never octal. */
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
        expr_fail(r, r->at, "'%c' is not a digit of this number", *r->at);
    return (int64_t)value;
}

/* --- values --- */

void expr_decay(struct expr_reader *r, const char *where, struct expr_value *value) {
    if (value->kind != EXPR_OBJECT)
        return;
    value->kind = EXPR_POINTER;
    if (value->type.dims == 0) {
        expr_fail(r, where, "the contents of this element are not known, only its address");
        return;
    }
    memmove(value->type.dim, value->type.dim + 1, sizeof value->type.dim - sizeof *value->type.dim);
    value->type.dims--;
}

int64_t expr_number(struct expr_reader *r) {
    const char *where = r->at;
    struct expr_value value = expr_conditional(r);
    expr_decay(r, where, &value);
    return r->status ? 0 : value.n;
}

/* The argument in parentheses after a name. */
static struct expr_value argument(struct expr_reader *r) {
    struct expr_value value = {.n = 0};
    if (!expr_accept(r, '(')) {
        expr_unexpected(r, "'('");
        return value;
    }
    value = expr_conditional(r);
    if (!r->status && !expr_accept(r, ')'))
        expr_unexpected(r, "an operator or ')'");
    return value;
}

/* The address where a swizzle puts its argument. */
static int64_t swizzled(struct expr_reader *r, enum wsim_swizzle mode) {
    const char *open = r->at;
    struct expr_value value = argument(r);
    expr_decay(r, open, &value);
    if (r->live && !r->status && (value.n < 0 || value.n > UINT32_MAX)) {
        expr_fail_value(r, open, "%lld is not a 32-bit address", (long long)value.n);
        return 0;
    }
    return wsim_swizzle_apply(mode, (uint32_t)value.n);
}

static int differs_by_lane(const char *start, size_t length) {
    static const char *const words[] = {"lane", "warp", "tid", "threadIdx", "tx", "ty", "tz"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (expr_is_word(start, length, words[i]))
            return 1;
    return 0;
}

static int64_t lane_name(struct expr_reader *r, const char *start, size_t length) {
    enum wsim_swizzle mode;
    int64_t value = 0;
    if (r->lane >= 0 && expr_is_word(start, length, "warp"))
        return 0;
    if (r->lane >= 0 && expr_is_word(start, length, "tid"))
        return expr_tid(r);
    if (expr_is_word(start, length, "warpSize"))
        return 32;
    mode = expr_swizzle(start, length);
    if (mode < WSIM_SWIZZLES)
        return swizzled(r, mode);
    if (r->lane >= 0 && expr_built_in(r, start, length, &value))
        return value;
    expr_skip_blanks(r);
    if (*r->at == '(') {
        expr_fail(r, start,
                  "unknown function '%.*s': write its body as an expression; only swz32(), swz64() "
                  "and swz128() are known",
                  length < 24 ? (int)length : 24, start);
        return 0;
    }
    if (r->lane < 0)
        expr_fail(r, start,
                  differs_by_lane(start, length)
                      ? "'%.*s' differs by lane: write it in --addr; --let and --decl have numbers"
                      : "unknown name '%.*s': known are those of --let and those given before it",
                  length < 24 ? (int)length : 24, start);
    else
        expr_fail(
            r, start,
            "unknown name '%.*s': known are lane, warp, tid, threadIdx.x, tx, swz128(), those of "
            "--let and --decl; --let %.*s=0 gives it a value",
            length < 24 ? (int)length : 24, start, length < 24 ? (int)length : 24, start);
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
    expr_decay(r, where, &value);
    if (to->pointers > 1)
        expr_fail(r, where, "the target of a pointer to a pointer is not known");
    else if (to->pointers == 1)
        return (struct expr_value){value.n, EXPR_POINTER, to->type};
    else if (to->kind == EXPR_OTHER)
        expr_fail(r, where, "this is a number of floating point or a vector, and no address");
    return expr_of_number(narrowed(value.n, to));
}

/* reinterpret_cast<float4 *>(x), static_cast<int>(x): 1 and the value; 0: it is none. */
static int named_cast(struct expr_reader *r, const char *start, size_t length,
                      struct expr_value *value) {
    struct expr_named to;
    if (!expr_is_word(start, length, "reinterpret_cast") &&
        !expr_is_word(start, length, "static_cast") && !expr_is_word(start, length, "const_cast"))
        return 0;
    if (!expr_accept(r, '<'))
        expr_unexpected(r, "'<'");
    else if (!expr_read_type(r, &to))
        expr_unexpected(r, "a type");
    else if (!expr_accept(r, '>'))
        expr_unexpected(r, "'*' or '>'");
    if (r->status)
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
    value = expr_unary(r);
    r->live = live;
    bytes = value.kind == EXPR_OBJECT    ? expr_bytes(&value.type)
            : value.kind == EXPR_POINTER ? 8
                                         : 4;
    if (bytes == 0 || bytes > INT64_MAX)
        expr_fail(r, before.at, "the size of this is not known");
    return r->status ? 0 : (int64_t)bytes;
}

/* --- primaries --- */

static struct expr_value of_array(const struct wsim_address_array *array) {
    return (struct expr_value){(int64_t)array->at, array->is_pointer ? EXPR_POINTER : EXPR_OBJECT,
                               array->type};
}

static struct expr_value name(struct expr_reader *r) {
    const char *start = r->at;
    const struct wsim_address_name *name;
    struct expr_value value = {.n = 0};
    struct expr_named to;
    size_t length = expr_word(r);
    name = expr_find_name(r->scope, start, length);
    if (name || (r->lane >= 0 && expr_is_word(start, length, "lane"))) {
        r->at += length;
        return expr_of_number(name ? name->value : r->lane);
    }
    for (unsigned i = 0; r->arrays && i < r->arrays->count; i++)
        if (expr_is_word(start, length, r->arrays->array[i].text)) {
            r->at += length;
            return of_array(&r->arrays->array[i]);
        }
    if (expr_read_type(r, &to)) {
        if (!to.pointers)
            return cast(r, start, argument(r), &to);
        expr_fail(r, start, "a declaration comes before the expression and ends with ';'");
        return value;
    }
    r->at += length;
    if (expr_is_word(start, length, "sizeof"))
        return expr_of_number(size_of(r));
    if (expr_is_word(start, length, "__cvta_generic_to_shared")) {
        value = argument(r);
        expr_decay(r, start, &value);
        return expr_of_number(value.n);
    }
    if (named_cast(r, start, length, &value))
        return value;
    return expr_of_number(lane_name(r, start, length));
}

static struct expr_value parenthesised(struct expr_reader *r) {
    const char *open = r->at++;
    struct expr_named to;
    struct expr_value value = {.n = 0};
    if (expr_read_type(r, &to)) {
        if (!expr_accept(r, ')')) {
            if (to.pointers == 0 && *r->at == '(') { /* (int(x) + 1) */
                r->at = open + 1;
                value = expr_conditional(r);
                if (!r->status && !expr_accept(r, ')'))
                    expr_unexpected(r, "an operator or ')'");
                return value;
            }
            expr_unexpected(r, "'*' or ')'");
            return value;
        }
        return cast(r, open, expr_unary(r), &to);
    }
    value = expr_conditional(r);
    if (!r->status && !expr_accept(r, ')')) {
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
        return expr_of_number(number(r));
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return name(r);
    expr_unexpected(r, "a number, 'lane' or '('");
    return expr_of_number(0);
}

/* --- addresses --- */

struct expr_value expr_stepped(struct expr_reader *r, const char *where, struct expr_value pointer,
                               int64_t steps, int minus) {
    uint64_t bytes = expr_bytes(&pointer.type), way = (uint64_t)steps * bytes;
    if (r->live && steps && !bytes)
        expr_fail(r, where, "the distance to the next element is not known: [ ] has no number");
    else if (r->live && steps &&
             (bytes > INT64_MAX || steps > INT64_MAX / (int64_t)bytes ||
              steps < -(INT64_MAX / (int64_t)bytes)))
        expr_fail(r, where, "%lld objects of %llu bytes are more than 63 bits", (long long)steps,
                  (unsigned long long)bytes);
    pointer.n = (int64_t)(minus ? (uint64_t)pointer.n - way : (uint64_t)pointer.n + way);
    return pointer;
}

/* After '[': the element of an array has to be inside it. */
static struct expr_value element(struct expr_reader *r, const char *where,
                                 struct expr_value value) {
    uint64_t count = value.kind == EXPR_OBJECT && value.type.dims ? value.type.dim[0] : 0;
    const char *at;
    int64_t index;
    expr_decay(r, where, &value);
    if (value.kind != EXPR_POINTER)
        expr_fail(r, where, "only arrays and pointers have elements: --decl says what it is");
    expr_skip_blanks(r);
    at = r->at;
    index = r->status ? 0 : expr_number(r);
    if (!r->status && !expr_accept(r, ']'))
        expr_unexpected(r, "an operator or ']'");
    if (!r->status && r->live && count && (index < 0 || (uint64_t)index >= count))
        expr_fail_value(r, at, "lane %d: index %lld is outside of %llu elements", r->lane,
                        (long long)index, (unsigned long long)count);
    value = expr_stepped(r, at, value, index, 0);
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
    while (!r->status)
        if (expr_accept(r, '['))
            value = element(r, start, value);
        else if (value.kind == EXPR_OBJECT && expr_accept(r, '.'))
            value = part(r, start, value);
        else
            break;
    return value;
}

/* & and *: from an object to its address, and back. */
static struct expr_value reference(struct expr_reader *r, const char *where, char op) {
    struct expr_value value = expr_unary(r);
    if (r->status)
        return value;
    if (op == '&') {
        if (value.kind != EXPR_OBJECT)
            expr_fail(r, where, "only what lies in memory has an address: --decl says what does");
        value.kind = EXPR_POINTER;
        return value;
    }
    expr_decay(r, where, &value);
    if (value.kind != EXPR_POINTER)
        expr_fail(r, where, "only a pointer can be dereferenced: declare it with --decl");
    value.kind = EXPR_OBJECT;
    return value;
}

struct expr_value expr_unary(struct expr_reader *r) {
    struct expr_value value = {.n = 0};
    const char *where;
    char op;
    expr_skip_blanks(r);
    where = r->at;
    op = *r->at;
    if (r->status || !expr_deeper(r))
        return value;
    if ((op == '&' && r->at[1] != '&') || op == '*') {
        r->at++;
        value = reference(r, where, op);
    } else if (op == '-' || op == '+' || op == '~' || (op == '!' && r->at[1] != '=')) {
        r->at++;
        value = expr_unary(r);
        expr_decay(r, where, &value);
        if (value.kind != EXPR_NUMBER && !r->status)
            expr_fail(r, where, "'%c' needs numbers, and this is an address", op);
        value = expr_of_number(op == '-'   ? (int64_t)(0 - (uint64_t)value.n)
                               : op == '~' ? ~value.n
                               : op == '!' ? !value.n
                                           : value.n);
    } else {
        value = postfix(r);
    }
    r->depth--;
    return value;
}
