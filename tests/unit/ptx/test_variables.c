/* Variables: how large they are, how aligned, what they begin with. */
#include "text.h"

START_TEST(sizes) {
    static const struct {
        const char *text;
        uint64_t bytes;
        uint32_t align;
        enum ptx_space space;
    } wanted[] = {
        {".global .u32 x;", 4, 4, PTX_GLOBAL},
        {".global .b8 x[5];", 5, 1, PTX_GLOBAL},
        {".shared .align 16 .b8 x[5];", 5, 16, PTX_SHARED},
        {".const .f64 x[2][3];", 48, 8, PTX_CONST},
        {".const .v4 .f32 x[2];", 32, 16, PTX_CONST},
        {".global .v2 .b16 x;", 4, 4, PTX_GLOBAL},
        {".extern .shared .align 4 .b8 x[0];", 0, 4, PTX_SHARED},
        {".global .b8 x[1099511627776];", UINT64_C(1) << 40, 1, PTX_GLOBAL},
        {".global .attribute(.managed) .u32 x[14];", 56, 4, PTX_GLOBAL},
        {".global .attribute(.unified(1, 0xffffffffffffffff)) .b64 x;", 8, 8, PTX_GLOBAL},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char text[256];
        struct ptx_module m;
        snprintf(text, sizeof text, HEADER "%s", wanted[i].text);
        text_read(text, &m);
        const struct ptx_variable *v = text_variable(&m, "x");
        ck_assert_uint_eq(v->bytes, wanted[i].bytes);
        ck_assert_uint_eq(v->align, wanted[i].align);
        ck_assert_int_eq(v->space, wanted[i].space);
        ck_assert_int_eq(v->function, -1);
        ck_assert_ptr_null(v->init);
        ptx_free(&m);
    }
}
END_TEST

START_TEST(linkages) {
    struct ptx_module m;
    text_read(HEADER
              ".extern .global .u32 x;\n.visible .global .u32 x = 7;\n.weak .global .u32 w;\n"
              ".common .global .u32 c;\n.extern .shared .align 16 .b8 dyn[];\n"
              ".extern .shared .align 16 .b8 dyn[];\n.global .u32 y, z[2];\n",
              &m);
    ck_assert_uint_eq(m.n_variables, 6);
    ck_assert_int_eq(text_variable(&m, "x")->linkage, PTX_VISIBLE);
    ck_assert_uint_eq(text_variable(&m, "x")->init[0], 7);
    ck_assert_int_eq(text_variable(&m, "w")->linkage, PTX_WEAK);
    ck_assert_int_eq(text_variable(&m, "c")->linkage, PTX_COMMON);
    ck_assert_uint_eq(text_variable(&m, "dyn")->open, 1);
    ck_assert_uint_eq(text_variable(&m, "dyn")->bytes, 0);
    ck_assert_uint_eq(text_variable(&m, "z")->bytes, 8);
    ptx_free(&m);
}
END_TEST

/* Hexadecimal digits of what x begins with. */
START_TEST(beginnings) {
    static const char *const wanted[][2] = {
        {".global .u32 x = 0x12345678;", "78563412"},
        {".global .s16 x[3] = {-1, 2};", "ffff02000000"},
        {".const .u8 x[] = {1, 2, 3};", "010203"},
        {".global .u8 x[2][3] = {{1}, {2, 3}};", "010000020300"},
        {".global .u8 x[][2] = {{1, 2}, {3}};", "01020300"},
        {".global .u8 x[][2] = {{1}, {2, 3}};", "01000203"},
        {".global .u8 x[2][2] = {{1, 2}, {3, 4}};", "01020304"},
        {".global .u8 x[2][2][2] = {{{1}, {2}}, {{3}}};", "0100020003000000"},
        {".global .v2 .u8 x[2] = {{1, 2}, {3}};", "01020300"},
        {".global .v4 .u8 x = {1, 2, 3, 4};", "01020304"},
        {".global .f32 x[3] = {1.0, 0f40000000, -0.1};", "0000803f00000040cdccccbd"},
        {".global .f64 x[2] = {0d3FF8000000000000, 1e-1};", "000000000000f83f9a9999999999b93f"},
        {".global .b32 x = 0f3F800000;", "0000803f"},
        {".global .b32 x = 1.0;", "0000803f"},
        {".global .f64 x = 0f3F800000;", "0000803f00000000"},
        {".global .f32 x = 0d7ff00000000000ff;", "0000c07f"},
        {".global .b16 x[2] = {0x3C00, 1};", "003c0100"},
        {".global .b64 x[2] = {1 << 40, WARP_SZ};", "00000000000100002000000000000000"},
        {".global .u8 x[4] = {};", "00000000"},
        {".global .u32 x[2] = {1, 2};", "0100000002000000"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char text[256], hex[256] = "";
        struct ptx_module m;
        snprintf(text, sizeof text, HEADER "%s", wanted[i][0]);
        text_read(text, &m);
        const struct ptx_variable *v = text_variable(&m, "x");
        for (uint64_t k = 0; k < v->bytes; k++)
            sprintf(hex + 2 * k, "%02x", v->init[k]);
        ck_assert_str_eq(hex, wanted[i][1]);
        ck_assert_uint_eq(v->open, 0);
        ptx_free(&m);
    }
}
END_TEST

START_TEST(addresses) {
    struct ptx_module m;
    text_read(HEADER
              ".func f();\n.global .u32 a[4];\n.const .u32 c;\n"
              ".global .u64 x[6] = {f, 5, a+8, generic(a), generic(c)+12, a+-4};\n"
              ".global .u32 y = a;\n"
              ".global .u8 z[4] = {0xFF(a), 0xFF00(a+8), 9, 0xFF00000000000000(generic(c))};\n",
              &m);
    static const struct {
        uint64_t at;
        uint8_t bytes, shift, generic, is_function;
        const char *symbol;
        int64_t offset;
    } wanted[] = {{0, 8, 0, 0, 1, "f", 0},   {16, 8, 0, 0, 0, "a", 8},  {24, 8, 0, 1, 0, "a", 0},
                  {32, 8, 0, 1, 0, "c", 12}, {40, 8, 0, 0, 0, "a", -4}, {0, 4, 0, 0, 0, "a", 0},
                  {0, 1, 0, 0, 0, "a", 0},   {1, 1, 8, 0, 0, "a", 8},   {3, 1, 56, 1, 0, "c", 0}};
    static const char *const names[] = {"x", "y", "z"};
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        const struct ptx_variable *v = text_variable(&m, names[i]);
        for (uint32_t k = 0; k < v->n_relocations; k++, n++) {
            const struct ptx_relocation *r = &v->relocations[k];
            ck_assert_uint_lt(n, sizeof wanted / sizeof wanted[0]);
            ck_assert_uint_eq(r->at, wanted[n].at);
            ck_assert_uint_eq(r->bytes, wanted[n].bytes);
            ck_assert_uint_eq(r->shift, wanted[n].shift);
            ck_assert_uint_eq(r->generic, wanted[n].generic);
            ck_assert_uint_eq(r->is_function, wanted[n].is_function);
            ck_assert_int_eq(r->offset, wanted[n].offset);
            ck_assert_str_eq(r->is_function ? m.functions[r->symbol].name
                                            : m.variables[r->symbol].name,
                             wanted[n].symbol);
        }
    }
    ck_assert_uint_eq(n, sizeof wanted / sizeof wanted[0]);
    ck_assert_uint_eq(text_variable(&m, "x")->init[8], 5);
    ck_assert_uint_eq(text_variable(&m, "z")->init[2], 9);
    ptx_free(&m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {sizes, linkages, beginnings, addresses};
    return run_tests("unit/ptx/variables", tests, sizeof tests / sizeof tests[0]);
}
