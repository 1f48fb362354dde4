/* Fat binaries: the newest PTX that stands in one as it is. */
#include "text.h"

/* A member: its kind, architecture, flags and contents. */
static size_t member(unsigned char *at, unsigned kind, unsigned arch, unsigned flags,
                     const char *contents) {
    enum { HEAD = 80 };
    size_t n = strlen(contents) + 3;
    memset(at, 0, HEAD + n);
    at[0] = (unsigned char)kind;
    at[4] = HEAD;
    at[8] = (unsigned char)n;
    at[9] = (unsigned char)(n >> 8);
    at[28] = (unsigned char)arch;
    at[40] = 0x11;
    at[41] = (unsigned char)(flags >> 8);
    memcpy(at + HEAD, contents, n - 3);
    return HEAD + n;
}

static size_t begin(unsigned char *at) {
    static const unsigned char head[16] = {0x50, 0xED, 0x55, 0xBA, 1, 0, 16};
    memcpy(at, head, 16);
    return 16;
}

static enum wsim_status read_it(const unsigned char *at, size_t n, struct ptx_module *m,
                                struct wsim_diag *diag) {
    memset(diag, 0, sizeof *diag);
    return ptx_read((const char *)at, n, m, diag);
}

START_TEST(newest) {
    unsigned char bytes[2048];
    struct ptx_module m;
    struct wsim_diag diag;
    size_t n = begin(bytes);
    n += member(bytes + n, 2, 90, 0,
                "\x7f"
                "ELF");
    n += member(bytes + n, 1, 80, 0, "\n\n" HEADER ".entry old() { ret; }");
    n += member(bytes + n, 1, 90, 0, HEADER ".entry new() { ret; }");
    n += member(bytes + n, 1, 100, 0x8000, "packed");
    n += member(bytes + n, 1, 86, 0, HEADER ".entry between() { ret; }");
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_OK);
    ck_assert_uint_eq(m.n_functions, 1);
    ck_assert_str_eq(m.functions[0].name, "new");
    ptx_free(&m);
}
END_TEST

/* Sources that were compiled separately: all members for the newest architecture, one behind the
 * other, each to its end or to a byte that is 0. */
START_TEST(several) {
    unsigned char bytes[2048];
    struct ptx_module m, all;
    struct wsim_diag diag;
    uint32_t wrong;
    size_t n = begin(bytes);
    n += member(bytes + n, 1, 90, 0, HEADER ".extern .global .u32 x;");
    n += member(bytes + n, 1, 80, 0, HEADER ".entry old() { ret; }");
    n += member(bytes + n, 1, 90, 0, HEADER ".visible .global .u32 x;");
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_OK);
    ck_assert_ptr_nonnull(m.next);
    ck_assert_uint_eq(m.next->variables[0].line, 8);
    ck_assert_int_eq(ptx_link(&m, 1, NULL, 0, &all, &wrong, &diag), WSIM_OK);
    ck_assert_ptr_null(all.next);
    ck_assert_uint_eq(all.n_variables, 2);
    ck_assert_uint_eq(all.n_functions, 0);
    ptx_free(&all);
}
END_TEST

/* What only begins in the same way, whatever its first byte. */
START_TEST(others) {
    for (unsigned first = 0; first < 256; first++) {
        unsigned char bytes[64] = {(unsigned char)first, 0xED, 0x55, 0xBB};
        struct ptx_module m;
        struct wsim_diag diag;
        ck_assert_int_eq(read_it(bytes, sizeof bytes, &m, &diag), WSIM_SYNTAX);
        ck_assert_str_eq(diag.rule, "ptx.text.version");
        ptx_free(&m);
    }
}
END_TEST

START_TEST(none) {
    unsigned char bytes[2048];
    struct ptx_module m;
    struct wsim_diag diag;
    size_t n = begin(bytes);
    n += member(bytes + n, 2, 90, 0,
                "\x7f"
                "ELF");
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ck_assert_str_eq(diag.text, "there is no PTX in this fat binary");
    ck_assert_str_eq(m.problems[0].rule, "ptx.text.binary");
    ptx_free(&m);
    n += member(bytes + n, 1, 90, 0x2000, "packed");
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "is compressed: nvcc --no-compress"));
    ptx_free(&m);
}
END_TEST

/* A file may end anywhere, and a member may say that it is larger than the file. */
START_TEST(cut) {
    unsigned char bytes[2048];
    struct ptx_module m;
    struct wsim_diag diag;
    size_t n = begin(bytes), first = n;
    n += member(bytes + n, 1, 90, 0, HEADER ".entry k() { ret; }");
    for (size_t size = 0; size < n; size++) {
        unsigned char *exact = malloc(size + 1);
        memcpy(exact, bytes, size);
        ck_assert_int_eq(read_it(exact, size, &m, &diag), WSIM_SYNTAX);
        ptx_free(&m);
        free(exact);
    }
    memset(bytes + first + 8, 0xFF, 8);
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ptx_free(&m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {newest, several, others, none, cut};
    return run_tests("unit/ptx/container", tests, sizeof tests / sizeof tests[0]);
}
