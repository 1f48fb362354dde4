/* Results of integer rows, compared with integers of any size and with single bits: a second
 * formulation, written from the manual alone. test_scalar_floats.c has the floats. */
#include "../every.h"
#include "whole.h"

/* --- operands: special ones of every width, and position-unique ones --- */

static const uint64_t operands[] = {
    0,
    1,
    2,
    3,
    5,
    7,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFF,
    0x800000,
    0xFFFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x100000000,
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0xFFFFFFFFFFFFFFFF,
    0x0123456789ABCDEF,
    0xFEDCBA9876543210,
    0x8091A2B3C4D5E6F7,
    0x00FF00FF00FF00FF,
    0xDEADBEEF12345678,
};

/* --- an operation, and what it was given --- */

struct given {
    char text[WSIM_SPELLING_MAX];
    struct wsim_scalar_info info;
    uint64_t in[WSIM_SCALAR_IN];
};

static int has(const struct given *g, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = strchr(g->text, '.'); at; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, word, n) == 0 && (at[1 + n] == '.' || at[1 + n] == '\0'))
            return 1;
    return 0;
}

/* Operand number i of all; the type of the first source. */
static const struct wsim_scalar_operand *operand(const struct given *g, char name) {
    for (unsigned i = 0; i < g->info.operands; i++)
        if (g->info.operand[i].name == name)
            return &g->info.operand[i];
    ck_abort_msg("%s has no %c", g->text, name);
    return NULL;
}

static int is_signed(const struct given *g, char name) {
    return *operand(g, name)->type == 's';
}

static unsigned bits_of(const struct given *g, char name) {
    return operand(g, name)->bits;
}

/* Sources a, b, c as whole numbers. */
static struct whole number(const struct given *g, char name, unsigned index) {
    return whole_of(g->in[index], bits_of(g, name), is_signed(g, name));
}

static uint64_t cut(const struct given *g, struct whole value) {
    return whole_bits(value, 0, bits_of(g, 'd'));
}

/* --- whole numbers --- */

static struct whole product(const struct given *g, struct whole a, struct whole b) {
    const struct whole all = whole_multiply(a, b);
    return has(g, "hi") ? whole_shift_right(all, bits_of(g, 'a')) : all;
}

static uint64_t saturated(const struct given *g, struct whole value) {
    return cut(g, has(g, "sat") ? whole_saturate(value, 32, 1) : value);
}

/* Half of a packed register as a number. */
static struct whole half(const struct given *g, char name, unsigned index, unsigned e) {
    return whole_of(g->in[index] >> 16 * e, 16, is_signed(g, name));
}

static struct whole smaller(struct whole a, struct whole b) {
    return whole_less(b, a) ? b : a;
}

static struct whole larger(struct whole a, struct whole b) {
    return whole_less(a, b) ? b : a;
}

static struct whole chosen(const struct given *g, struct whole a, struct whole b) {
    const struct whole zero = whole_of(0, 1, 0);
    const struct whole value = strncmp(g->text, "min", 3) == 0 ? smaller(a, b) : larger(a, b);
    return has(g, "relu") ? larger(value, zero) : value;
}

/* d of integer arithmetic; *carry: what leaves it. */
static uint64_t arithmetic(const struct given *g, uint64_t *carry) {
    const char *method = g->info.method;
    const unsigned bits = bits_of(g, 'd');
    const struct whole a = number(g, 'a', 0), b = g->info.operands > 2 ? number(g, 'b', 1) : a;
    const struct whole in2 = whole_of(g->in[2] & 1, 1, 0), in3 = whole_of(g->in[3] & 1, 1, 0);
    struct whole all, rest;
    if (strstr(g->text, "16x2")) {
        uint64_t out = 0;
        for (unsigned e = 0; e < 2; e++) {
            const struct whole x = half(g, 'a', 0, e), y = half(g, 'b', 1, e);
            const struct whole z = strncmp(g->text, "add", 3) ? chosen(g, x, y) : whole_add(x, y);
            out |= whole_bits(z, 0, 16) << 16 * e;
        }
        return out;
    }
    if (strcmp(method, "add_int") == 0) {
        all = whole_add(whole_of(g->in[0], bits, 0), whole_of(g->in[1], bits, 0));
        if (strncmp(g->text, "addc", 4) == 0)
            all = whole_add(all, in2);
        *carry = whole_bits(all, bits, 1);
        return has(g, "sat") ? saturated(g, whole_add(a, b)) : cut(g, all);
    }
    if (strcmp(method, "sub_int") == 0) {
        all = whole_subtract(whole_of(g->in[0], bits, 0), whole_of(g->in[1], bits, 0));
        if (strncmp(g->text, "subc", 4) == 0)
            all = whole_subtract(all, whole_of(~g->in[2] & 1, 1, 0)); /* 0: one is borrowed */
        *carry = !whole_is_negative(all);
        return has(g, "sat") ? saturated(g, whole_subtract(a, b)) : cut(g, all);
    }
    if (strcmp(method, "mul_int") == 0)
        return cut(g, product(g, a, b));
    if (strcmp(method, "mad_int") == 0) {
        if (has(g, "sat"))
            return saturated(g, whole_add(product(g, a, b), number(g, 'c', 2)));
        all = whole_add(whole_of(cut(g, product(g, a, b)), bits, 0), whole_of(g->in[2], bits, 0));
        if (strncmp(g->text, "madc", 4) == 0)
            all = whole_add(all, in3);
        *carry = whole_bits(all, bits, 1);
        return cut(g, all);
    }
    if (strcmp(method, "mul24") == 0 || strcmp(method, "mad24") == 0) {
        const int sign = is_signed(g, 'a');
        all = whole_multiply(whole_of(g->in[0], 24, sign), whole_of(g->in[1], 24, sign));
        all = has(g, "hi") ? whole_shift_right(all, 16) : all;
        all = whole_of(whole_bits(all, 0, 32), 32, sign);
        return method[1] == 'u' ? cut(g, all) : saturated(g, whole_add(all, number(g, 'c', 2)));
    }
    if (strcmp(method, "sad") == 0)
        return cut(g, whole_add(number(g, 'c', 2), whole_magnitude(whole_subtract(a, b))));
    if (strcmp(method, "abs_int") == 0)
        return cut(g, whole_magnitude(a));
    if (strcmp(method, "neg_int") == 0)
        return cut(g, whole_negative(a));
    if (strcmp(method, "min_int") == 0 || strcmp(method, "max_int") == 0)
        return cut(g, chosen(g, a, b));
    if (whole_is_zero(b)) /* an H200 */
        return cut(g, whole_of(UINT64_MAX, 64, 1));
    all = whole_divide(a, b, &rest);
    return cut(g, *method == 'd' ? all : rest);
}

/* --- bits, one by one --- */

static int bit(uint64_t value, uint64_t at) {
    return at < 64 && value >> at & 1;
}

static uint64_t logic(const struct given *g) {
    const char *m = g->info.method;
    uint64_t out = 0;
    for (unsigned i = 0; i < bits_of(g, 'd'); i++) {
        const int a = bit(g->in[0], i), b = bit(g->in[1], i), c = bit(g->in[2], i);
        const int value = strcmp(m, "and") == 0    ? a && b
                          : strcmp(m, "or") == 0   ? a || b
                          : strcmp(m, "xor") == 0  ? a != b
                          : strcmp(m, "not") == 0  ? !a
                          : strcmp(m, "move") == 0 ? a
                                                   : bit(g->in[3], 4 * (uint64_t)a + 2 * b + c);
        out |= (uint64_t)value << i;
    }
    return out;
}

/* Bit i of the result of a shift or of a field. */
static int shifted(const struct given *g, unsigned i) {
    const char *m = g->info.method;
    const unsigned bits = bits_of(g, 'd');
    const uint64_t by = g->in[1] & UINT32_MAX;
    const int sign = is_signed(g, 'd') && bit(g->in[0], bits - 1);
    if (strcmp(m, "shl") == 0)
        return i >= by && bit(g->in[0], i - by);
    if (strcmp(m, "shr") == 0)
        return i + by < bits ? bit(g->in[0], i + by) : sign;
    /* shf: of the 64 bits b:a */
    const uint64_t asked = g->in[2] & UINT32_MAX;
    const uint64_t n = has(g, "wrap") ? asked % 32 : asked > 32 ? 32 : asked;
    const uint64_t at = has(g, "l") ? 32 + i - n : i + n;
    return at < 32 ? bit(g->in[0], at) : at < 64 && bit(g->in[1], at - 32);
}

static int field(const struct given *g, unsigned i) {
    const unsigned bits = bits_of(g, 'd');
    const int extracts = strcmp(g->info.method, "bfe") == 0;
    const uint64_t mask = bits == 64 ? UINT32_MAX : 0xFF; /* of 64 bits: as an H200 has it */
    const uint64_t at = g->in[extracts ? 1 : 2] & mask, n = g->in[extracts ? 2 : 3] & mask;
    const uint64_t last = at + n - 1 < bits - 1 ? at + n - 1 : bits - 1;
    if (!extracts)
        return i >= at && i - at < n ? bit(g->in[0], i - at) : bit(g->in[1], i);
    if (i < n && at + i < bits)
        return bit(g->in[0], at + i);
    return is_signed(g, 'd') && n && bit(g->in[0], last);
}

static uint64_t counted(const struct given *g) {
    const char *m = g->info.method;
    const unsigned bits = bits_of(g, 'a');
    const int sign = is_signed(g, 'a') && bit(g->in[0], bits - 1);
    uint64_t n = 0;
    if (strcmp(m, "popc") == 0)
        for (unsigned i = 0; i < bits; i++)
            n += (uint64_t)bit(g->in[0], i);
    if (strcmp(m, "clz") == 0)
        while (n < bits && !bit(g->in[0], bits - 1 - n))
            n++;
    if (strcmp(m, "bfind") == 0) {
        while (n < bits && bit(g->in[0], bits - 1 - n) == sign)
            n++;
        return n == bits ? UINT32_MAX : has(g, "shiftamt") ? n : bits - 1 - n;
    }
    return n;
}

static uint64_t by_bits(const struct given *g) {
    const char *m = g->info.method;
    uint64_t out = 0;
    for (unsigned i = 0; i < bits_of(g, 'd'); i++) {
        uint64_t at = g->in[0] & UINT32_MAX, n = g->in[1] & UINT32_MAX;
        int value;
        if (strcmp(m, "bfe") == 0 || strcmp(m, "bfi") == 0) {
            value = field(g, i);
        } else if (strcmp(m, "brev") == 0) {
            value = bit(g->in[0], bits_of(g, 'd') - 1 - i);
        } else if (strcmp(m, "bmsk") == 0) {
            at = has(g, "wrap") ? at % 32 : at;
            n = has(g, "wrap") ? n % 32 : n;
            value = i >= at && i - at < n;
        } else if (strcmp(m, "szext") == 0) {
            n = has(g, "wrap") ? n % 32 : n;
            value = i < n ? bit(g->in[0], i) : is_signed(g, 'd') && n && bit(g->in[0], n - 1);
        } else {
            value = shifted(g, i);
        }
        out |= (uint64_t)value << i;
    }
    return out;
}

/* --- sums of small products --- */

static uint64_t dot(const struct given *g) {
    const int four = strcmp(g->info.method, "dp4a") == 0;
    const char *types = strrchr(g->text, '.') - 4; /* ".s32.u32" */
    const unsigned wide = four ? 8 : 16, first = has(g, "hi") ? 2 : 0;
    struct whole all = whole_of(g->in[2], 32, 0);
    for (unsigned e = 0; e < (four ? 4u : 2u); e++)
        all = whole_add(all,
                        whole_multiply(whole_of(g->in[0] >> e * wide, wide, types[1] == 's'),
                                       whole_of(g->in[1] >> (e + first) * 8, 8, types[5] == 's')));
    return whole_bits(all, 0, 32);
}

/* --- choices, and bytes of two registers --- */

/* Which byte of b:a is byte i of a permutation in a mode, `n` being the low two bits of c. */
static unsigned permuted(const struct given *g, unsigned n, unsigned i) {
    return has(g, "f4e")   ? n + i
           : has(g, "b4e") ? (8 + n - i) % 8
           : has(g, "rc8") ? n
           : has(g, "ecl") ? (i > n ? i : n)
           : has(g, "ecr") ? (i < n ? i : n)
                           : n % 2 * 2 + i % 2; /* rc16 */
}

static uint64_t permutation(const struct given *g) {
    const uint64_t both = (g->in[1] & UINT32_MAX) << 32 | (g->in[0] & UINT32_MAX);
    const int picks = strcmp(g->text, "prmt.b32") == 0;
    uint64_t out = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned pick = (unsigned)(g->in[2] >> 4 * i & 15);
        const unsigned at = picks ? pick & 7 : permuted(g, (unsigned)(g->in[2] & 3), i);
        const unsigned byte = (unsigned)(both >> 8 * at & 0xFF);
        out |= (uint64_t)(picks && pick & 8 ? (byte & 0x80 ? 0xFF : 0) : byte) << 8 * i;
    }
    return out;
}

static uint64_t choice(const struct given *g) {
    const char *m = g->info.method;
    if (strcmp(m, "prmt") == 0)
        return permutation(g);
    if (strcmp(m, "cnot") == 0)
        return whole_is_zero(whole_of(g->in[0], bits_of(g, 'a'), 0));
    const int first = strcmp(m, "selp") == 0 ? g->in[2] & 1 : !(g->in[2] >> 31 & 1);
    return cut(g, whole_of(first ? g->in[0] : g->in[1], bits_of(g, 'd'), 0));
}

/* --- which method has which formulation --- */

static const char *const arithmetic_methods[] = {
    "add_int", "sub_int", "mul_int", "mad_int", "mul24",   "mad24",  "sad",
    "div_int", "rem_int", "abs_int", "neg_int", "min_int", "max_int"};
static const char *const logic_methods[] = {"and", "or", "xor", "not", "lop3", "move"};
static const char *const bit_methods[] = {"shl", "shr",  "shf",  "bfe",
                                          "bfi", "brev", "bmsk", "szext"};
static const char *const count_methods[] = {"popc", "clz", "bfind"};
static const char *const dot_methods[] = {"dp4a", "dp2a"};
static const char *const choice_methods[] = {"cnot", "selp", "slct", "prmt"};
/* Held by integers_are_compared_... and integers_are_converted_... */
static const char *const other_methods[] = {"setp", "set", "cvt"};
/* Worked by hand, in `known` below. */
static const char *const worked_methods[] = {"fns",      "cvt_pack", "vadd", "vsub",
                                             "vabsdiff", "vavrg",    "vmin", "vmax",
                                             "vshl",     "vshr",     "vmad", "vset"};

static int is_one(const char *name, const char *const *list, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return 1;
    return 0;
}
#define IS_ONE(name, list) is_one(name, list, COUNT(list))

static uint64_t expected(const struct given *g, uint64_t *carry) {
    const char *m = g->info.method;
    return IS_ONE(m, arithmetic_methods) ? arithmetic(g, carry)
           : IS_ONE(m, logic_methods)    ? logic(g)
           : IS_ONE(m, bit_methods)      ? by_bits(g)
           : IS_ONE(m, count_methods)    ? counted(g)
           : IS_ONE(m, choice_methods)   ? choice(g)
                                         : dot(g);
}

static int is_known(const char *m) {
    return IS_ONE(m, arithmetic_methods) || IS_ONE(m, logic_methods) || IS_ONE(m, bit_methods) ||
           IS_ONE(m, count_methods) || IS_ONE(m, dot_methods) || IS_ONE(m, choice_methods);
}

static int has_floats(const struct given *g) {
    for (unsigned i = 0; i < g->info.operands; i++)
        if (strpbrk(g->info.operand[i].type, "ef"))
            return 1;
    return 0;
}

static void check(const struct wsim_scalar *op, const struct given *g) {
    uint64_t out[WSIM_SCALAR_OUT] = {0}, carry = 0, want = expected(g, &carry);
    ck_assert_int_eq(wsim_scalar_run(op, g->in, out, NULL), WSIM_OK);
    expect(out[0] == want, "%s %llx %llx %llx %llx: %llx, not %llx", g->text,
           (unsigned long long)g->in[0], (unsigned long long)g->in[1], (unsigned long long)g->in[2],
           (unsigned long long)g->in[3], (unsigned long long)out[0], (unsigned long long)want);
    if (has(g, "cc"))
        expect(out[1] == carry, "%s %llx %llx %llx: carry %d", g->text,
               (unsigned long long)g->in[0], (unsigned long long)g->in[1],
               (unsigned long long)g->in[2], (int)carry);
}

/* Every operation of every integer method on all pairs of operands; c and e go around. */
enum {
    SHARE = 8
}; /* a sample takes one pair of operands in SAMPLE, different ones for each instruction */

START_TEST(integers_are_whole_numbers_cut_off) {
    struct wsim_scalar op;
    struct given g;
    unsigned turn = 0;
    int seen = 0;
    memset(&op, 0, sizeof op);
    memset(&g, 0, sizeof g);
    while (wsim_scalar_next(&op)) {
        wsim_scalar_info(&op, &g.info);
        if (!is_known(g.info.method) || strstr(g.info.row, "b128") ||
            (strcmp(g.info.method, "slct") == 0 && *operand(&g, 'c')->type == 'f'))
            continue;
        seen++;
        wsim_scalar_spell(&op, g.text, sizeof g.text);
        for (int i = 0; i < COUNT(operands); i++)
            for (int k = 0; k < COUNT(operands); k++) {
                g.in[0] = operands[i];
                g.in[1] = operands[k];
                g.in[2] = operands[turn++ % COUNT(operands)];
                g.in[3] = operands[(turn / 7 + 3 * (unsigned)i) % COUNT(operands)];
                if (turn % SHARE == 0 || run_sample() == 1)
                    check(&op, &g);
            }
    }
    ck_assert_int_gt(seen, 150);
}
END_TEST

/* --- comparisons, choices, conversions of integers --- */

static int compared(const char *word, struct whole a, struct whole b) {
    const int less = whole_less(a, b), more = whole_less(b, a);
    return strcmp(word, "eq") == 0                              ? !less && !more
           : strcmp(word, "ne") == 0                            ? less || more
           : strcmp(word, "lt") == 0 || strcmp(word, "lo") == 0 ? less
           : strcmp(word, "le") == 0 || strcmp(word, "ls") == 0 ? !more
           : strcmp(word, "gt") == 0 || strcmp(word, "hi") == 0 ? more
                                                                : !less;
}

/* The comparison of an integer setp or set. */
static int truth(const struct given *g) {
    char word[4] = "";
    const char *at = strchr(g->text, '.') + 1;
    int value;
    memcpy(word, at, strcspn(at, "."));
    value = compared(word, number(g, 'a', 0), number(g, 'b', 1));
    return has(g, "and")   ? value && g->in[2] & 1
           : has(g, "or")  ? value || g->in[2] & 1
           : has(g, "xor") ? value != (int)(g->in[2] & 1)
                           : value;
}

START_TEST(integers_are_compared_as_whole_numbers) {
    struct wsim_scalar op;
    struct given g;
    int seen = 0;
    memset(&op, 0, sizeof op);
    memset(&g, 0, sizeof g);
    while (wsim_scalar_next(&op)) {
        uint64_t out[WSIM_SCALAR_OUT];
        wsim_scalar_info(&op, &g.info);
        wsim_scalar_spell(&op, g.text, sizeof g.text);
        if (strncmp(g.info.method, "set", 3) != 0 || strcmp(g.info.method, "setmaxnreg") == 0 ||
            strchr(operand(&g, 'a')->type, 'f'))
            continue;
        seen++;
        for (int i = 0; i < COUNT(operands); i++)
            for (int k = 0; k < COUNT(operands); k++) {
                const struct wsim_scalar_operand *d = &g.info.operand[0];
                if ((i + k + seen) % SHARE != 0 && run_sample() > 1)
                    continue;
                uint64_t yes = *d->type == 'p' ? 1 : d->bits == 16 ? 0xFFFF : 0xFFFFFFFF;
                g.in[0] = operands[i];
                g.in[1] = operands[k];
                g.in[2] = (uint64_t)(i ^ k) & 1;
                if (strchr(d->type, 'f'))
                    yes = strcmp(d->type, "f32") == 0   ? 0x3F800000
                          : strcmp(d->type, "f16") == 0 ? 0x3C00
                                                        : 0x3F80;
                wsim_scalar_run(&op, g.in, out, NULL);
                expect(out[0] == (truth(&g) ? yes : 0), "%s %d %d", g.text, i, k);
            }
    }
    ck_assert_int_gt(seen, 100);
}
END_TEST

START_TEST(integers_are_converted_by_their_value) {
    struct wsim_scalar op;
    struct given g;
    int seen = 0;
    memset(&op, 0, sizeof op);
    memset(&g, 0, sizeof g);
    while (wsim_scalar_next(&op)) {
        wsim_scalar_info(&op, &g.info);
        wsim_scalar_spell(&op, g.text, sizeof g.text);
        if (strcmp(g.info.method, "cvt") != 0 || strchr(operand(&g, 'a')->type, 'f') ||
            strchr(operand(&g, 'd')->type, 'f') || strchr(operand(&g, 'd')->type, 'e'))
            continue;
        seen++;
        for (int i = 0; i < COUNT(operands); i++) {
            const unsigned bits = bits_of(&g, 'd');
            uint64_t out[WSIM_SCALAR_OUT], want;
            struct whole value;
            g.in[0] = operands[i];
            value = number(&g, 'a', 0);
            if (has(&g, "sat"))
                value = whole_saturate(value, bits, is_signed(&g, 'd'));
            /* as wide as 64 bits, so that a wider register has copies of the sign */
            want =
                whole_bits(whole_of(whole_bits(value, 0, bits), bits, is_signed(&g, 'd')), 0, 64);
            wsim_scalar_run(&op, g.in, out, NULL);
            expect(out[0] == want, "%s %llx: %llx", g.text, (unsigned long long)g.in[0],
                   (unsigned long long)out[0]);
        }
    }
    ck_assert_int_eq(seen, 64 + 38);
}
END_TEST

/* --- every method, and examples worked by hand --- */

static const struct {
    const char *text;
    uint64_t in[4], out;
} known[] = {
    {"prmt.b32", {0x33221100, 0x77665544, 0x00007531, 0}, 0x77553311},
    {"prmt.b32", {0x000080FF, 0, 0x00009988, 0}, 0xFFFFFFFF},
    {"prmt.b32.f4e", {0x33221100, 0x77665544, 2, 0}, 0x55443322},
    {"prmt.b32.b4e", {0x33221100, 0x77665544, 1, 0}, 0x66770011},
    {"prmt.b32.ecl", {0x33221100, 0, 1, 0}, 0x33221111},
    {"prmt.b32.ecr", {0x33221100, 0, 1, 0}, 0x11111100},
    {"prmt.b32.rc8", {0x33221100, 0, 3, 0}, 0x33333333},
    {"prmt.b32.rc16", {0x33221100, 0, 1, 0}, 0x33223322},
    {"fns.b32", {0x000000F0, 0, 1, 0}, 4},
    {"fns.b32", {0x000000F0, 7, (uint64_t)-2, 0}, 6},
    {"fns.b32", {0x000000F0, 5, 0, 0}, 5},
    {"fns.b32", {0x000000F0, 3, 0, 0}, 0xFFFFFFFF},
    {"cnot.b16", {0x10000, 0, 0, 0}, 1},
    {"selp.f64", {0x123456789ABCDEF0, 1, 0, 0}, 1},
    {"slct.u64.s32", {7, 8, 0x80000000, 0}, 8},
    {"slct.b32.f32", {7, 8, 0x80000000, 0}, 7}, /* -0 is 0 or more    */
    {"slct.b32.f32", {7, 8, 0x80000001, 0}, 8},
    {"slct.ftz.b32.f32", {7, 8, 0x80000001, 0}, 7},
    {"slct.b32.f32", {7, 8, 0x7FC00000, 0}, 8}, /* not a number       */
    {"copysign.f32", {0x80000000, 0x7F800001, 0, 0}, 0xFF800001},
    {"testp.subnormal.f32", {1, 0, 0, 0}, 1},
    {"cvt.rn.f16x2.f32", {0x3F800000, 0x40000000, 0, 0}, 0x3C004000},
    {"cvt.rna.tf32.f32", {0x3F801000, 0, 0, 0}, 0x3F802000},
    {"cvt.f64.f32", {0x3FC00000, 0, 0, 0}, 0x3FF8000000000000},
    {"cvt.rzi.s8.f32", {0xC3000000, 0, 0, 0}, 0xFFFFFFFFFFFFFF80},
    {"cvt.pack.sat.u8.s32.b32", {300, (uint64_t)-1, 0x00001234, 0}, 0x1234FF00},
    {"cvt.pack.sat.s16.s32", {40000, (uint64_t)-40000, 0, 0}, 0x7FFF8000},
    {"fma.rn.oob.f16", {0x7FF7, 0x3C00, 0x4000, 0}, 0},
    {"add.f32.f16", {0x3C00, 0x40000000, 0, 0}, 0x40400000},
    {"rcp.approx.f64", {0x4000000000000000, 0, 0, 0}, 0x3FE0000000000000},
    {"vadd.s32.s32.u32", {0x0000FF00, 0x00010002, 0, 0x050200}, 1}, /* a.b1 is -1, b.h0 is 2 */
    {"vsub.s32.s32.s32.sat", {0x80000000, 1, 0, 0}, 0x80000000},
    {"vmin.s32.s32.s32.add", {1, (uint64_t)-5, 10, 0}, 5},
    {"vmax.s32.s32.s32.add", {1, (uint64_t)-5, 10, 0}, 11},
    {"vabsdiff4.u32.u32.u32.add", {0x01020304, 0x04030201, 100, 0}, 108},
    {"vavrg2.u32.u32.u32", {0x00010003, 0x00020003, 0, 0}, 0x00020003},
    {"vset.s32.u32.lt", {(uint64_t)-1, 1, 0, 0}, 1},
    {"vset4.u32.u32.ne", {0x01020304, 0x01FF03FF, 0, 0}, 0x00010001},
    {"vshl.u32.u32.u32.wrap", {1, 33, 0, 0}, 2},
    {"vshr.s32.s32.u32.clamp", {0x80000000, 40, 0, 0}, 0xFFFFFFFF},
    {"vmad.s32.s32.s32", {3, 4, 5, 1u << 24}, 0xFFFFFFF9}, /* -(3 * 4) + 5       */
    {"vmad.u32.u32.u32.po", {128, 3, 127, 0}, 512},
    /* an H200 */
    {"vadd.u32.u32.u32.sat", {0x706FF86A, 0x9418B521, 0, 0}, 0x0488AD8B},
    {"vsub.u32.u32.s32.sat", {0xFFFFFF5A, 0xFFFFFF2F, 0, 0}, 0x2B},
    {"fma.rn.oob.bf16", {0x965E, 0xFFF7, 0x9AD6, 0}, 0},
    {"rem.s32", {0x43, 0, 0, 0}, 0xFFFFFFFF},
    {"fns.b32", {0x41, 0, 0x80000000, 0}, 0},
};

/* The library computes what this file computes, too: a new method without floats needs a second
 * formulation above, or examples that are worked by hand. */
START_TEST(every_method_without_floats_is_judged) {
    struct wsim_scalar op;
    struct given g;
    memset(&op, 0, sizeof op);
    memset(&g, 0, sizeof g);
    while (wsim_scalar_next(&op)) {
        uint64_t out[WSIM_SCALAR_OUT];
        wsim_scalar_info(&op, &g.info);
        wsim_scalar_spell(&op, g.text, sizeof g.text);
        if (wsim_scalar_run(&op, g.in, out, NULL) != WSIM_OK || has_floats(&g))
            continue;
        expect(is_known(g.info.method) || IS_ONE(g.info.method, other_methods) ||
                   IS_ONE(g.info.method, worked_methods),
               "%s: nothing computes method %s a second time", g.text, g.info.method);
    }
    for (int m = 0; m < COUNT(worked_methods); m++) {
        int examples = 0;
        for (int i = 0; i < COUNT(known); i++)
            if (wsim_scalar_parse(known[i].text, &op, NULL) == WSIM_OK) {
                wsim_scalar_info(&op, &g.info);
                examples += strcmp(g.info.method, worked_methods[m]) == 0;
            }
        expect(examples, "%s: no example worked by hand", worked_methods[m]);
    }
}
END_TEST

START_TEST(examples_come_out) {
    struct wsim_scalar op;
    uint64_t in[WSIM_SCALAR_IN] = {0}, out[WSIM_SCALAR_OUT];
    ck_assert_msg(wsim_scalar_parse(known[_i].text, &op, NULL) == WSIM_OK, "%s", known[_i].text);
    memcpy(in, known[_i].in, sizeof known[_i].in);
    ck_assert_int_eq(wsim_scalar_run(&op, in, out, NULL), WSIM_OK);
    ck_assert_msg(out[0] == known[_i].out, "%s: %llx, not %llx", known[_i].text,
                  (unsigned long long)out[0], (unsigned long long)known[_i].out);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {integers_are_whole_numbers_cut_off, 0, 1},
        {integers_are_compared_as_whole_numbers, 0, 1},
        {integers_are_converted_by_their_value, 0, 1},
        {every_method_without_floats_is_judged, 0, 1},
        {examples_come_out, 0, COUNT(known)},
    };
    return every_run("rows/scalar_values", tests, COUNT(tests));
}
