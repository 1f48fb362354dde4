/* Results of rows with floats: packed forms are two plain ones, and plain ones equal those of the
 * host where it rounds alike. tests/unit/num and tests/oracle judge the arithmetic itself. */
#include "../every.h"

#include <math.h>

static int is_one(const char *name, const char *const *list, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return 1;
    return 0;
}

/* The spelling without x2; 0: it has none. */
static int unpacked(const char *text, char *out) {
    const char *at = text;
    int found = 0;
    while (*at) {
        if (at > text && at[-1] >= '0' && at[-1] <= '9' && strncmp(at, "x2", 2) == 0) {
            at += 2;
            found = 1;
        } else {
            *out++ = *at++;
        }
    }
    *out = '\0';
    return found;
}

START_TEST(pairs_are_two_numbers) {
    static const char *const methods[] = {"add_float", "sub_float", "mul_float", "fma", "min_float",
                                          "max_float", "abs_float", "neg_float", "ex2", "tanh"};
    static const uint64_t halves[] = {0x0000, 0x8000, 0x0001, 0x83FF, 0x3C00, 0xBC00, 0x7BFF,
                                      0x7C00, 0xFC00, 0x7E01, 0x3F80, 0x7F7F, 0x7FF7, 0x4248};
    struct wsim_scalar op, one;
    int seen = 0;
    memset(&op, 0, sizeof op);
    while (wsim_scalar_next(&op)) {
        char text[WSIM_SPELLING_MAX], plain[WSIM_SPELLING_MAX];
        struct wsim_scalar_info info;
        unsigned bits;
        wsim_scalar_info(&op, &info);
        wsim_scalar_spell(&op, text, sizeof text);
        if (!is_one(info.method, methods, COUNT(methods)) || !unpacked(text, plain))
            continue;
        ck_assert_msg(wsim_scalar_parse(plain, &one, NULL) == WSIM_OK, "%s", plain);
        seen++;
        bits = info.operand[0].bits / 2u;
        for (int i = 0; i < 500; i++) {
            uint64_t in[WSIM_SCALAR_IN] = {0}, low[WSIM_SCALAR_IN] = {0},
                     high[WSIM_SCALAR_IN] = {0};
            uint64_t out[WSIM_SCALAR_OUT], l[WSIM_SCALAR_OUT], h[WSIM_SCALAR_OUT];
            for (int s = 0; s < 3; s++) {
                low[s] = halves[(i * 5 + s * 3 + i / 14) % 14] << (bits - 16);
                high[s] = halves[(i * 11 + s * 5 + i / 9) % 14] << (bits - 16) | (bits > 16);
                in[s] = low[s] | high[s] << bits;
            }
            wsim_scalar_run(&op, in, out, NULL);
            wsim_scalar_run(&one, low, l, NULL);
            wsim_scalar_run(&one, high, h, NULL);
            expect(out[0] == (l[0] | h[0] << bits), "%s", text);
        }
    }
    ck_assert_int_gt(seen, 40);
}
END_TEST

static float as_float(uint64_t bits) {
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint64_t as_bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return value != value ? 0x7FFFFFFF : word;
}

static const uint64_t floats[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x3F800001,
                                  0x40490FDB, 0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF,
                                  0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00001, 0x33800000,
                                  0x4B7FFFFF, 0xCB000001, 0x501502F9, 0x2EDBE6FF, 0x3EAAAAAB};

START_TEST(floats_are_those_of_the_host) {
    static const char *const spellings[] = {"add.rn.f32", "sub.f32",    "mul.rn.f32",
                                            "div.rn.f32", "fma.rn.f32", "sqrt.rn.f32"};
    struct wsim_scalar op;
    for (int s = 0; s < COUNT(spellings); s++) {
        ck_assert_int_eq(wsim_scalar_parse(spellings[s], &op, NULL), WSIM_OK);
        for (int i = 0; i < COUNT(floats); i++)
            for (int k = 0; k < COUNT(floats); k++) {
                const uint64_t in[WSIM_SCALAR_IN] = {floats[i], floats[k],
                                                     floats[(i + 2 * k) % COUNT(floats)]};
                const volatile float a = as_float(in[0]), b = as_float(in[1]), c = as_float(in[2]);
                const float want[] = {a + b, a - b, a * b, a / b, fmaf(a, b, c), sqrtf(a)};
                uint64_t out[WSIM_SCALAR_OUT];
                wsim_scalar_run(&op, in, out, NULL);
                expect(out[0] == as_bits(want[s]), "%s %a %a: %llx", spellings[s], (double)a,
                       (double)b, (unsigned long long)out[0]);
            }
    }
}
END_TEST

/* p and its opposite q; words that end in u are also true where an operand is no number. */
START_TEST(floats_are_compared_as_the_host_does) {
    static const char *const words[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                        "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    for (int w = 0; w < COUNT(words); w++) {
        struct wsim_scalar op;
        char text[WSIM_SPELLING_MAX];
        snprintf(text, sizeof text, "setp.%s.f32", words[w]);
        ck_assert_int_eq(wsim_scalar_parse(text, &op, NULL), WSIM_OK);
        for (int i = 0; i < COUNT(floats) * COUNT(floats); i++) {
            const uint64_t in[WSIM_SCALAR_IN] = {floats[i / COUNT(floats)],
                                                 floats[i % COUNT(floats)]};
            const float a = as_float(in[0]), b = as_float(in[1]);
            const int less = a<b, more = a> b, same = a == b, none = a != a || b != b;
            const int ordered[] = {same, less || more, less, less || same, more, more || same};
            const int want = w < 6    ? ordered[w]
                             : w < 12 ? ordered[w - 6] || none
                                      : (w == 13) == none;
            uint64_t out[WSIM_SCALAR_OUT];
            wsim_scalar_run(&op, in, out, NULL);
            expect(out[0] == (uint64_t)want && out[1] == (uint64_t)!want, "%s %a %a", text,
                   (double)a, (double)b);
        }
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {pairs_are_two_numbers, 0, 1},
        {floats_are_those_of_the_host, 0, 1},
        {floats_are_compared_as_the_host_does, 0, 1},
    };
    return every_run("rows/scalar_floats", tests, COUNT(tests));
}
