/* Fat binaries: members, their contents unpacked, and the PTX that a module is made of. */
#include "text.h"

#include <wsim/fatbin.h>

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

/* Adds a packed member for a target, "90a": `stored` bytes that unpack to `size`. */
static size_t packed_member(unsigned char *at, const char *target, unsigned flags,
                            const void *stored, unsigned n, unsigned size) {
    enum { HEAD = 80 };
    char *variant;
    memset(at, 0, HEAD + n);
    at[0] = 1;
    at[4] = HEAD;
    at[8] = (unsigned char)n;
    at[16] = (unsigned char)n;
    at[28] = (unsigned char)strtoul(target, &variant, 10);
    at[32] = 72;
    at[36] = 4;
    at[41] = (unsigned char)(flags >> 8);
    at[42] = *variant == 'a' ? 0x10 : *variant == 'f' ? 0x20 : 0;
    at[56] = (unsigned char)size;
    memcpy(at + 72, "a.cu", 4);
    memcpy(at + HEAD, stored, n);
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

/* Sources that were compiled separately: all members for the newest architecture, one after
 * another, each to its end or to a zero byte. */
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

/* Files that only begin like a container. */
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

/* A packed member that says that it has more bytes than its form allows is damaged: a caller would
 * make room for them. */
START_TEST(enormous) {
    static const struct {
        uint32_t flags;
        uint64_t most;
    } wanted[] = {{0x2000, 6 * 255 + 254}, {0x8000, 6 * 32768 + 32767}};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t more = 0; more < 2; more++) {
            unsigned char bytes[2048];
            struct wsim_fatbin_member found;
            uint64_t cursor = 0;
            const size_t head = begin(bytes);
            const size_t n =
                head + packed_member(bytes + head, "90", wanted[i].flags, "packed", 6, 0);
            for (unsigned k = 0; k < 8; k++)
                bytes[head + 56 + k] = (unsigned char)((wanted[i].most + more) >> 8 * k);
            ck_assert(wsim_fatbin_next(bytes, n, &cursor, &found));
            ck_assert_int_eq(found.kind, more ? WSIM_MEMBER_DAMAGED : WSIM_MEMBER_PTX);
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
    ck_assert_str_eq(diag.text, "this fat binary has no PTX");
    ck_assert_str_eq(m.problems[0].rule, "ptx.text.binary");
    ptx_free(&m);
    n += packed_member(bytes + n, "90", 0x2000, "packed", 6, 9);
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "the fat binary is damaged"));
    ptx_free(&m);
    n = begin(bytes);
    n += member(bytes + n, 1, 90, 0x8000, "packed");
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "is packed with Zstandard: nvcc"));
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

/* --- wsim/fatbin.h --- */

/* "abababab." by a copy that overlaps what it makes. */
static const unsigned char lz4[] = {0x22, 'a', 'b', 2, 0, 0x10, '.'};

/* Two containers as a section of a program holds them: every member, its fields and contents. */
START_TEST(list) {
    unsigned char bytes[1024] = {0};
    struct wsim_fatbin_member m;
    uint64_t cursor = 0;
    char out[16] = "";
    size_t n = begin(bytes);
    n += packed_member(bytes + n, "100f", 0x2000, lz4, sizeof lz4, 9);
    n = (n + 7) / 8 * 8;
    n += begin(bytes + n);
    n += member(bytes + n, 2, 90, 0, "code");
    n += member(bytes + n, 7, 90, 0, "other");
    ck_assert(wsim_fatbin_next(bytes, n, &cursor, &m));
    ck_assert_int_eq(m.kind, WSIM_MEMBER_PTX);
    ck_assert_int_eq(m.packing, WSIM_PACKED_LZ4);
    ck_assert_uint_eq(m.arch, 100);
    ck_assert_int_eq(m.variant, 'f');
    ck_assert_uint_eq(m.stored, sizeof lz4);
    ck_assert_uint_eq(m.size, 9);
    ck_assert_uint_eq(m.name_bytes, 4);
    ck_assert_int_eq(memcmp(m.name, "a.cu", 4), 0);
    ck_assert_int_eq(wsim_fatbin_unpack(&m, NULL, NULL, out, NULL), WSIM_OK);
    ck_assert_str_eq(out, "abababab.");
    ck_assert(wsim_fatbin_next(bytes, n, &cursor, &m));
    ck_assert_int_eq(m.kind, WSIM_MEMBER_CUBIN);
    ck_assert_int_eq(m.variant, 0);
    ck_assert_ptr_null(m.name);
    ck_assert_uint_eq(m.size, 7);
    ck_assert_int_eq(wsim_fatbin_unpack(&m, NULL, NULL, out, NULL), WSIM_OK);
    ck_assert_str_eq(out, "code");
    ck_assert(wsim_fatbin_next(bytes, n, &cursor, &m));
    ck_assert_int_eq(m.kind, WSIM_MEMBER_OTHER);
    ck_assert(!wsim_fatbin_next(bytes, n, &cursor, &m));
    cursor = 0;
    ck_assert(!wsim_fatbin_next("text", 4, &cursor, &m));
    for (size_t size = 17; size < 16 + 80; size++) { /* the first member is cut */
        cursor = 0;
        ck_assert(wsim_fatbin_next(bytes, size, &cursor, &m));
        ck_assert_int_eq(m.kind, WSIM_MEMBER_DAMAGED);
        ck_assert(!wsim_fatbin_next(bytes, size, &cursor, &m));
    }
}
END_TEST

/* A frame of the test: its bytes, each plus 1. */
static int unpack_test(void *context, const void *from, size_t stored, void *to, size_t size) {
    ++*(int *)context;
    for (size_t i = 0; i < size && i < stored; i++)
        ((unsigned char *)to)[i] = (unsigned char)(((const unsigned char *)from)[i] + 1);
    return stored == size;
}

static void check_text(const unsigned char *bytes, size_t n, const char *arch, int zstandard,
                       const char *wanted) {
    const struct wsim_arch *target = arch ? wsim_arch_find(arch) : NULL;
    wsim_unpack *unpack = zstandard ? unpack_test : NULL;
    char out[256];
    size_t room = 0, length = 0;
    int calls = 0;
    ck_assert_int_eq(wsim_fatbin_text(bytes, n, target, unpack, &calls, NULL, &room, NULL),
                     WSIM_OK);
    ck_assert_int_eq(calls, 0);
    ck_assert_uint_lt(room, sizeof out);
    memset(out, '#', sizeof out);
    ck_assert_int_eq(wsim_fatbin_text(bytes, n, target, unpack, &calls, out, &length, NULL),
                     WSIM_OK);
    ck_assert_uint_le(length, room);
    ck_assert_int_eq(out[room], '#');
    out[length] = 0;
    ck_assert_msg(strcmp(out, wanted) == 0, "%s: '%s', not '%s'", arch ? arch : "any", out, wanted);
}

/* The newest text that a target runs: 'a' is for one target alone, 'f' for a family. */
START_TEST(targets) {
    unsigned char bytes[2048];
    size_t n = begin(bytes);
    n += packed_member(bytes + n, "80", 0, "p80", 3, 3);
    n += packed_member(bytes + n, "90", 0, "p90", 3, 3);
    n += packed_member(bytes + n, "90a", 0, "p90a\0#", 6, 6);
    n += packed_member(bytes + n, "100f", 0, "p100f", 5, 5);
    n += packed_member(bytes + n, "90a", 0x2000, lz4, sizeof lz4, 9);
    n += packed_member(bytes + n, "120a", 0x8000, "o011`", 5, 5);
    check_text(bytes, n, NULL, 0, "p100f");
    check_text(bytes, n, NULL, 1, "p122a");
    check_text(bytes, n, "sm_80", 1, "p80");
    check_text(bytes, n, "sm_89", 1, "p80");
    check_text(bytes, n, "sm_90", 1, "p90");
    check_text(bytes, n, "sm_90a", 1, "p90a\nabababab.");
    check_text(bytes, n, "sm_100", 1, "p90");
    check_text(bytes, n, "sm_103a", 1, "p100f");
    check_text(bytes, n, "sm_120a", 0, "p90");
    check_text(bytes, n, "sm_120a", 1, "p122a");
    check_text(bytes, n, "sm_120f", 1, "p90");
}
END_TEST

static int no_unpack(void *context, const void *from, size_t stored, void *to, size_t size) {
    (void)context, (void)from, (void)stored, (void)to, (void)size;
    return 0;
}

/* A small file can unpack to any number of bytes: 1 GiB are the most, of one member or of all. */
START_TEST(bombs) {
    enum { STORED = 1 << 15, ROOM = 3 * (80 + STORED), HALF = (1 << 29) - 1 };
    static unsigned char bytes[ROOM];
    struct wsim_diag diag;
    for (unsigned members = 1; members <= 3; members++) {
        size_t n = begin(bytes), room = 0;
        for (unsigned i = 0; i < members; i++) {
            unsigned char *at = bytes + n;
            n += packed_member(at, "90", 0x8000, "", 0, 0) + STORED;
            memcpy(at + 8, (unsigned char[]){STORED & 255, STORED >> 8}, 2);
            memcpy(at + 16, (unsigned char[]){STORED & 255, STORED >> 8}, 2);
            for (unsigned k = 0; k < 4; k++)
                at[56 + k] = (unsigned char)((unsigned)HALF >> 8 * k);
        }
        if (members < 3)
            ck_assert_int_eq(wsim_fatbin_text(bytes, n, NULL, no_unpack, NULL, NULL, &room, &diag),
                             WSIM_OK);
        else
            ck_assert_int_eq(wsim_fatbin_text(bytes, n, NULL, no_unpack, NULL, NULL, &room, &diag),
                             WSIM_SYNTAX);
    }
    ck_assert_str_eq(diag.text, "the PTX of this fat binary has more than 1 GiB");
}
END_TEST

/* The library unpacks LZ4 itself, and refuses damaged bytes. */
START_TEST(lz4_module) {
    static const char text[] = HEADER ".entry k() { ret; }";
    unsigned char bytes[512], stored[128], good[512];
    struct ptx_module m;
    struct wsim_diag diag;
    const unsigned length = sizeof text - 1;
    size_t n = begin(bytes);
    stored[0] = 0xF0;
    stored[1] = (unsigned char)(length - 15);
    memcpy(stored + 2, text, length);
    n += packed_member(bytes + n, "90", 0x2000, stored, length + 2, length);
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_OK);
    ck_assert_str_eq(m.functions[0].name, "k");
    ptx_free(&m);
    memcpy(good, bytes, n);
    bytes[16 + 56]++; /* another size */
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ck_assert_str_eq(diag.rule, "ptx.text.binary");
    ptx_free(&m);
    memcpy(bytes, good, n);
    bytes[16 + 81] = 0xFF; /* a longer literal than there are bytes */
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ptx_free(&m);
    memcpy(bytes, good, n);
    memset(bytes + 16 + 56, 0x7F, 8); /* more than any LZ4 unpacks to */
    ck_assert_int_eq(read_it(bytes, n, &m, &diag), WSIM_SYNTAX);
    ck_assert_ptr_nonnull(strstr(diag.text, "damaged"));
    ptx_free(&m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {newest, several, others,  enormous, none,
                                  cut,    list,    targets, bombs,    lz4_module};
    return run_tests("unit/ptx/container", tests, sizeof tests / sizeof tests[0]);
}
