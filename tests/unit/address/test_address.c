/* Address expressions: values agree with C (each is written as text and as C), errors name
 * the place, and evaluation stops where C stops. */
#include "../../run.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/address.h>
#include <wsim/wsim.h>

enum { DEPTH = 200 };

#define AGREES(expression)                                                                         \
    do {                                                                                           \
        for (int64_t lane = 0; lane < 32; lane++) {                                                \
            struct wsim_diag error = {0};                                                          \
            int64_t value = -12345;                                                                \
            ck_assert_msg(wsim_address_value(NULL, #expression, (int32_t)lane, &value, &error) ==  \
                              0,                                                                   \
                          "%s: column %u: %s", #expression, error.col, error.text);                \
            ck_assert_msg(value == (int64_t)(expression), "%s of lane %d is %lld", #expression,    \
                          (int)lane, (long long)value);                                            \
        }                                                                                          \
    } while (0)

START_TEST(arithmetic_is_that_of_c) {
    AGREES(lane);
    AGREES(lane * 16);
    AGREES(2 + 3 * lane - 4);
    AGREES(lane - 3 - 5);
    AGREES(100 / 7 / 2 + lane);
    AGREES((lane - 20) / 3);
    AGREES((lane - 20) % 3);
    AGREES(lane % 16 * 128 + lane / 16 * 16);
    AGREES(0x1F + 0xAb + lane);
    AGREES(-lane + +3);
    AGREES(- -lane);
    AGREES(~lane & 0xff);
    AGREES(!lane + !!lane * 2);
    AGREES(lane * 0x7fffffff);
}
END_TEST

START_TEST(precedence_is_that_of_c) {
    AGREES((lane << 4) + 1);
    AGREES((lane >> 2) - 1);
    AGREES(((lane & 7) ^ (lane >> 3)) | 32);
    AGREES((-lane) >> 1);
    AGREES(lane < 3 || lane > 7);
    AGREES(lane <= 3);
    AGREES((lane >= 3 && lane != 9) * 4);
    AGREES(lane == 5 ? 1 : lane == 6 ? 2 : 3);
    AGREES(lane < 16 ? lane * 4 : (lane - 16) * 8 + 64);
    AGREES(1 ? lane ? 10 : 20 : 30);
}
END_TEST

/* Without parentheses, where a compiler would warn. */
START_TEST(precedence_without_parentheses) {
    static const struct {
        const char *text;
        int64_t value; /* of lane 5 */
    } cases[] = {{"lane<<4+1", 160}, {"1|2^3&lane", 3}, {"lane&5==5", 1},  {"8>>1+1", 2},
                 {"1<<2<lane", 1},   {"1||0&&0", 1},    {"2-1-1", 0},      {"64/4/2", 8},
                 {"1<2==1", 1},      {"7&3|8", 11},     {" ( lane ) ", 5}, {"lane-1?2:3", 2},
                 {"1!=2", 1},        {"!lane==0", 1},   {"010", 10},       {"lane*-2", -10},
                 {"0X1f", 31},       {"1?2:3?4:5", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wsim_diag error = {0};
        int64_t value = -1;
        ck_assert_msg(wsim_address_value(NULL, cases[i].text, 5, &value, &error) == 0, "%s: %s",
                      cases[i].text, error.text);
        ck_assert_msg(value == cases[i].value, "%s is %lld", cases[i].text, (long long)value);
    }
}
END_TEST

START_TEST(overflow_wraps) {
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"0x7fffffffffffffff + 1", INT64_MIN},
                 {"1 << 63", INT64_MIN},
                 {"(1 << 63) / -1", INT64_MIN},
                 {"(1 << 63) % -1", 0},
                 {"-(1 << 63)", INT64_MIN},
                 {"(1 << 63) >> 63", -1},
                 {"0x7fffffffffffffff * 2", -2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wsim_diag error;
        int64_t value = 1;
        ck_assert_int_eq(wsim_address_value(NULL, cases[i].text, 0, &value, &error), 0);
        ck_assert_msg(value == cases[i].value, "%s is %lld", cases[i].text, (long long)value);
    }
}
END_TEST

START_TEST(what_c_leaves_out_is_left_out) {
    AGREES(lane ? 64 / lane : 7);
    AGREES(lane && 64 / lane > 3);
    AGREES(!lane || 64 % lane);
    AGREES(lane ? lane : lane ? 1 / lane : 1);
    AGREES(lane && (lane ? 5 / lane : 5 / lane));
}
END_TEST

static void refuses(const char *text, unsigned col, const char *words) {
    struct wsim_diag error = {0};
    int64_t value = 77;
    ck_assert_msg(wsim_address_value(NULL, text, 0, &value, &error) != WSIM_OK, "%s is accepted",
                  text);
    ck_assert_msg(error.col == col, "%s: column %u", text, error.col);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s: %s", text, error.text);
    ck_assert_int_eq(value, 77);
}

START_TEST(errors_name_the_column) {
    refuses("", 1, "ends here");
    refuses("   ", 4, "ends here");
    refuses("lane *", 7, "ends here");
    refuses("lane * 4 4", 10, "operator");
    refuses("(lane * 4", 1, "never closed");
    refuses("(lane * 4 5)", 11, "')'");
    refuses("lane)", 5, "operator");
    refuses("lanes", 1, "unknown name 'lanes'");
    refuses("4 * row", 5, "unknown name 'row'");
    refuses("0x", 3, "hex digit");
    refuses("12a", 3, "digit");
    refuses("1 / lane", 3, "division by zero");
    refuses("1 % (lane * 2)", 3, "division by zero");
    refuses("1 << 64", 3, "shift by 64");
    refuses("1 >> -1", 3, "shift by -1");
    refuses("lane ? 1", 9, "':'");
    refuses("lane = 1", 6, "operator");
    refuses("lane & & 1", 8, "address");
    refuses("9223372036854775808", 1, "63 bits");
    refuses("0x8000000000000000", 1, "63 bits");
    refuses("lane\xff", 5, "0xff");
    refuses("1 ? 1 / 0 : 2", 7, "division by zero");
}
END_TEST

START_TEST(depth_is_limited) {
    char text[2 * DEPTH + 8];
    struct wsim_diag error;
    int64_t value;
    memset(text, '(', sizeof text);
    text[sizeof text - 1] = 0;
    ck_assert_int_ne(wsim_address_value(NULL, text, 0, &value, &error), WSIM_OK);
    memset(text, '-', sizeof text - 1);
    ck_assert_int_ne(wsim_address_value(NULL, text, 0, &value, &error), WSIM_OK);
    ck_assert(strstr(error.text, "nested") != NULL);
}
END_TEST

START_TEST(addresses_are_32_bits) {
    uint32_t addr[32];
    struct wsim_diag error;
    ck_assert_int_eq(wsim_address_lanes(NULL, "lane * 16 + 0xfffffe0f", addr, &error), 0);
    ck_assert_uint_eq(addr[31], 0xffffffffu);
    ck_assert_int_ne(wsim_address_lanes(NULL, "lane * 16 + 0xfffffe10", addr, &error), WSIM_OK);
    ck_assert_str_eq(error.text, "lane 31: 4294967296 is more than 32 bits");
    ck_assert_int_ne(wsim_address_lanes(NULL, "6 - lane", addr, &error), WSIM_OK);
    ck_assert_str_eq(error.text, "lane 7: -1 is negative");
    ck_assert_int_ne(wsim_address_lanes(NULL, "lane < 9 ? 0 : 64 / (lane - 9)", addr, &error),
                     WSIM_OK);
    ck_assert_str_eq(error.text, "lane 9: division by zero");
    ck_assert_uint_eq(error.col, 19);
}
END_TEST

/* Names with values, lanes and warps, and swizzles, which are those of the library. */
START_TEST(names_have_values) {
    const struct wsim_address_name names[] = {{"pitch", 72}, {"warp", 3}, {"_k", -5}};
    const struct wsim_address_scope scope = {.name = names, .names = 3};
    struct wsim_diag error = {0};
    int64_t value = 0;
    ck_assert(wsim_address_value(&scope, "lane * pitch + _k", 7, &value, &error) == 0 &&
              value == 499);
    ck_assert(wsim_address_value(&scope, "tid - warp", 7, &value, &error) == 0 && value == 100);
    ck_assert(wsim_address_value(NULL, "tid + warp", 7, &value, &error) == 0 && value == 7);
    ck_assert(wsim_address_value(&scope, "pitch + _k", -1, &value, &error) == 0 && value == 67);
    ck_assert_int_ne(wsim_address_value(&scope, "lane", -1, &value, &error), WSIM_OK);
    ck_assert_int_ne(wsim_address_value(&scope, "pitc", 0, &value, &error), WSIM_OK);
    for (uint32_t a = 0; a < 4096; a += 13) {
        char text[64];
        snprintf(text, sizeof text, "swz128(%u) * 4096 + swz64 ( %u )", (unsigned)a, (unsigned)a);
        ck_assert_int_eq(wsim_address_value(NULL, text, 0, &value, &error), 0);
        ck_assert(value == (int64_t)wsim_swizzle_apply(WSIM_SWIZZLE_128B, a) * 4096 +
                               wsim_swizzle_apply(WSIM_SWIZZLE_64B, a));
        snprintf(text, sizeof text, "swz32B(%u) + 0 * swz128_atom_32b(%u)", (unsigned)a,
                 (unsigned)a);
        ck_assert_int_eq(wsim_address_value(NULL, text, 0, &value, &error), 0);
        ck_assert(value == wsim_swizzle_apply(WSIM_SWIZZLE_32B, a));
    }
    ck_assert(wsim_address_value(NULL, "lane && swz128(0 - 1) ? 1 : 2", 0, &value, &error) == 0 &&
              value == 2);
    ck_assert_int_ne(wsim_address_value(NULL, "swz128(0 - 1)", 0, &value, &error), WSIM_OK);
    ck_assert(wsim_address_can_name("k_1", 3) && !wsim_address_can_name("1k", 2) &&
              !wsim_address_can_name("lane", 4) && !wsim_address_can_name("swz64", 5) &&
              !wsim_address_can_name("", 0) && !wsim_address_can_name("a b", 3));
}
END_TEST

START_TEST(names_are_swept) {
    struct wsim_address_sweep sweep;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_address_sweep_read("p = 2 * 36; k=6..0:-3, j=k..8", &sweep, &diag),
                     WSIM_OK);
    ck_assert_uint_eq(sweep.names, 3);
    ck_assert_uint_eq(sweep.steps, 3 * 3);
    wsim_address_sweep_step(&sweep, 5);
    ck_assert_int_eq(sweep.name[0].value, 72);
    ck_assert_int_eq(sweep.name[1].value, 3);
    ck_assert_int_eq(sweep.name[2].value, 8);
    ck_assert_int_eq(wsim_address_sweep_read("", &sweep, &diag), WSIM_OK);
    ck_assert_uint_eq(sweep.steps, 1);
    ck_assert_int_eq(wsim_address_sweep_read("k=0..9223372036854775807", &sweep, &diag),
                     WSIM_SYNTAX);
    ck_assert_int_eq(wsim_address_sweep_read("a=1, a=2", &sweep, &diag), WSIM_SYNTAX);
    ck_assert_int_eq(wsim_address_sweep_read("lane=1", &sweep, &diag), WSIM_SYNTAX);
    ck_assert_int_eq(wsim_address_sweep_read("a=0..127;b=0..127;c=0..1", &sweep, &diag),
                     WSIM_SYNTAX);
    ck_assert_int_eq(wsim_address_sweep_read("k=1/0", &sweep, &diag), WSIM_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "division by zero"));
}
END_TEST

/* --- C --- */

/* The same addresses by a compiler: offsets of elements from the first byte of all. */
#define LIES(given, typed, expression)                                                             \
    do {                                                                                           \
        for (int lane = 0; lane < 32; lane++) {                                                    \
            const int tx = lane % 8, ty = lane / 8;                                                \
            struct wsim_diag error = {0};                                                          \
            int64_t value = -1;                                                                    \
            (void)tx, (void)ty;                                                                    \
            ck_assert_msg(wsim_address_value(given, typed, lane, &value, &error) == 0,             \
                          "%s: %u: %s", typed, error.col, error.text);                             \
            ck_assert_msg(value == (int64_t)((const char *)(expression) - (const char *)&all),     \
                          "%s, lane %d: %lld", typed, lane, (long long)value);                     \
        }                                                                                          \
    } while (0)

START_TEST(addresses_are_those_of_c) {
    typedef struct {
        float x, y, z, w;
    } float4;
    static struct {
        float tile[32][33];
        int8_t bytes[5];
        double d[3][4][5];
    } all;
    const struct wsim_address_scope scope = {
        .declarations = "__shared__ float tile[32][33]; int8_t bytes[5]; double d[3][4][5]",
        .block = {8, 4, 1}};
    float *smem = &all.tile[0][0];
    LIES(&scope, "tile[threadIdx.x][0]", &all.tile[tx][0]);
    LIES(&scope, "&tile[ty][tx+1]", &all.tile[ty][tx + 1]);
    LIES(&scope, "tile[ty] + tx", all.tile[ty] + tx);
    LIES(&scope, "*(tile[ty] + tx)", all.tile[ty] + tx);
    LIES(&scope, "tile + ty", all.tile + ty);
    LIES(&scope, "&tile[31][32] - lane", &all.tile[31][32] - lane);
    LIES(&scope, "tile[threadIdx.y][blockDim.x - 1 - threadIdx.x + blockIdx.x]",
         &all.tile[ty][7 - tx]);
    LIES(&scope, "bytes[lane % 5]", &all.bytes[lane % 5]);
    LIES(&scope, "&bytes[4] - ty", &all.bytes[4] - ty);
    LIES(&scope, "d[lane % 3][ty][1]", &all.d[lane % 3][ty][1]);
    LIES(&scope, "(*(d + 1))[2] + 3", (*(all.d + 1))[2] + 3);
    LIES(&scope, "((float4 *)tile)[lane]", (float4 *)smem + lane);
    LIES(&scope, "reinterpret_cast<const float4*>(&tile[0][0])[lane].z", &((float4 *)smem)[lane].z);
    LIES(&scope, "(float4 *)&tile[ty][0] + tx", (float4 *)&all.tile[ty][0] + tx);
    LIES(&scope, "static_cast<uint32_t>(__cvta_generic_to_shared(&tile[ty][tx]))",
         &all.tile[ty][tx]);
    LIES(&scope, "(unsigned)tile + sizeof(float) * (unsigned)lane", smem + lane);
    LIES(&scope, "(&tile[2][0] - &tile[0][0]) * sizeof(tile[0][0])", smem + 66);
    LIES(&scope, "sizeof tile - sizeof(float4)", (char *)&all + sizeof all.tile - 16);
    LIES(NULL, "float *smem; smem + lane * 3", smem + lane * 3);
    LIES(NULL, "extern __shared__ float smem[]; &smem[lane * 99];", smem + lane * 99);
    LIES(NULL, "half a[2][8], b[3]; b + lane % 3", (char *)smem + 32 + lane % 3 * 2);
    LIES(NULL, "char c; __align__(64) float4 v[9]; v[1].y", (char *)smem + 64 + 16 + 4);
    LIES(NULL, "float (*rows)[33]; rows[lane][3]", &all.tile[lane][3]);
    LIES(NULL, "unsigned long long u[9]; u + 2", (char *)smem + 16);
    LIES(NULL, "nv_bfloat16 n[4]; __nv_bfloat162 m[3]; m + 1", (char *)smem + 12);
    LIES(NULL, "e4m3 q[8]; f16 h[3]; f32 f[2]; f + 1", (char *)smem + 20);
    LIES(NULL, "float t[4]; lane % 2 ? t[1] : t[2]", smem + (lane % 2 ? 1 : 2));
    LIES(NULL, "(int8_t)(lane + 250) + 10", (char *)smem + (int8_t)(lane + 250) + 10);
    LIES(NULL, "(uint8_t)(lane - 250)", (char *)smem + (uint8_t)(lane - 250));
}
END_TEST

static const struct {
    const char *declarations, *text;
    unsigned col;
    int in_declarations;
    const char *words;
} wrong[] = {
    {"float t[4]", "t[4]", 3, 0, "lane 0: index 4 is outside of 4 elements"},
    {"float t[4]", "t[-1]", 3, 0, "index -1"},
    {"float t[4][5]", "t[0][5]", 6, 0, "outside of 5"},
    {"float t[4]", "t[0] * 2", 1, 0, "not known"},
    {"float t[4]", "t * 2", 3, 0, "+ and -"},
    {"float t[4]", "-t", 1, 0, "an address"},
    {"float t[4]", "t + t", 3, 0, "+ and -"},
    {"float t[4]", "t[0][0]", 1, 0, "not known"},
    {"float t[4]", "3[t]", 1, 0, "only arrays"},
    {"float t[4]", "&3", 1, 0, "address"},
    {"float t[4]", "*3", 1, 0, "pointer"},
    {"float t[4]", "t[0].x", 1, 0, "vectors"},
    {"float2 t[4]", "t[0].z", 1, 0, "vectors"},
    {"float t[4]", "t[0", 4, 0, "']'"},
    {"float t[4]", "(float)lane", 1, 0, "floating point"},
    {"float t[4]", "(float **)t", 1, 0, "pointer to a pointer"},
    {"float t[4]", "blockDim.x", 1, 0, "--block"},
    {"float t[4]", "threadIdx.w", 11, 0, ".x, .y or .z"},
    {"float t[4]", "t + 4611686018427387904", 3, 0, "63 bits"},
    {"float t[4]", "reinterpret_cast<float4*(t)", 25, 0, "'>'"},
    {"float *p", "p + 1; p", 8, 0, "the end"},
    {"float t[]", "&t + 1", 4, 0, "not known"},
    {"float t[]", "1 + &t", 3, 0, "not known"},
    {"float (*p)[]", "p[lane + 1]", 3, 0, "not known"},
    {"float (*p)[]", "p - p", 3, 0, "+ and -"},
    {"float t[0]", "0", 9, 1, "0 elements"},
    {"float t[-1]", "0", 9, 1, "elements"},
    {"float t[4294967296]", "0", 9, 1, "elements"},
    {"float t[65536][65536]", "0", 16, 1, "more bytes"},
    {"float t[1 / 0]", "0", 11, 1, "division"},
    {"float t[lane]", "0", 9, 1, "differs by lane"},
    {"float t[N]", "0", 9, 1, "unknown name"},
    {"float t[4", "0", 10, 1, "']'"},
    {"float t[2][]", "0", 12, 1, "number"},
    {"float t[1][1][1][1][1][1][1][1][1]", "0", 33, 1, "dimensions"},
    {"float t[4]; float t[5]", "0", 19, 1, "already"},
    {"float lane[4]", "0", 7, 1, "another meaning"},
    {"float", "0", 1, 1, "declaration"},
    {"float **p", "0", 9, 1, "pointer to a pointer"},
    {"float *p[3]", "0", 8, 1, "pointers of an array"},
    {"struct s t", "0", 1, 1, "declaration"},
    {"__align__(3) float t[2]", "0", 11, 1, "power of two"},
    {"float t[1073741823]; float u[4]", "0", 28, 1, "more bytes"},
    {"float a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "0", 39, 1, "more than 16"},
    {"float t[4] 5", "0", 12, 1, "','"},
    {"\xff", "0", 1, 1, "0xff"},
    {NULL, "float t[4]", 11, 0, "ends here"},
};

START_TEST(c_is_refused_with_its_place) {
    const struct wsim_address_scope scope = {.declarations = wrong[_i].declarations};
    struct wsim_diag error = {0};
    int64_t value = 77;
    ck_assert_msg(wsim_address_value(&scope, wrong[_i].text, 0, &value, &error) != WSIM_OK,
                  "%s is accepted", wrong[_i].text);
    ck_assert_msg(strstr(error.text, wrong[_i].words) != NULL, "%d: %s", _i, error.text);
    ck_assert_msg(error.col == wrong[_i].col, "%d: column %u: %s", _i, error.col, error.text);
    ck_assert_int_eq(strcmp(error.rule, "address.declaration.wrong") == 0,
                     wrong[_i].in_declarations);
    ck_assert_int_eq(value, 77);
}
END_TEST

/* Any repetition gets an answer at once without a deep stack. */
START_TEST(c_is_refused_however_long) {
    static const char *const pieces[] = {"*",
                                         "&",
                                         "(int)",
                                         "t[",
                                         "float ",
                                         "const ",
                                         "(float *)",
                                         "sizeof ",
                                         "a::",
                                         "extern ",
                                         "reinterpret_cast<float*>(",
                                         "float t[",
                                         ";",
                                         "[0]",
                                         "."};
    enum { REPEATED = 50000 };
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        size_t n = strlen(pieces[i]);
        char *text = malloc(n * REPEATED + 1);
        struct wsim_address_scope scope = {.declarations = "float t[4]"};
        struct wsim_diag error;
        int64_t value;
        for (size_t k = 0; k < REPEATED; k++)
            memcpy(text + k * n, pieces[i], n);
        text[n * REPEATED] = '\0';
        ck_assert_int_ne(wsim_address_value(&scope, text, 0, &value, &error), WSIM_OK);
        scope.declarations = text;
        wsim_address_value(&scope, "0", 0, &value, &error);
        free(text);
    }
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("address");
    tcase_add_test(tcase, arithmetic_is_that_of_c);
    tcase_add_test(tcase, precedence_is_that_of_c);
    tcase_add_test(tcase, precedence_without_parentheses);
    tcase_add_test(tcase, overflow_wraps);
    tcase_add_test(tcase, what_c_leaves_out_is_left_out);
    tcase_add_test(tcase, errors_name_the_column);
    tcase_add_test(tcase, depth_is_limited);
    tcase_add_test(tcase, addresses_are_32_bits);
    tcase_add_test(tcase, names_have_values);
    tcase_add_test(tcase, names_are_swept);
    tcase_add_test(tcase, addresses_are_those_of_c);
    tcase_add_loop_test(tcase, c_is_refused_with_its_place, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(tcase, c_is_refused_however_long);
    return run_case("address", tcase);
}
