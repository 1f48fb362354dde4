/* Accesses of shared memory that the assembler joins or leaves out: the cases of lab/merge, whose
 * machine code is recorded beside them. */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *body, *kept, *accesses;
    int differs;
} cases[] = {
#define CASE(name, body, kept, accesses) {name, body, kept, accesses, 0},
#define DIFFERS(name, body, kept, accesses) {name, body, kept, accesses, 1},
#include "merge_cases.def"
};

#define LINES_MOST 64

/* The kernel of a case, a statement on each line. */
static void write_kernel(unsigned index, char *text, size_t size) {
    size_t n = (size_t)snprintf(
        text, size,
        ".version 8.8\n.target sm_90a\n.address_size 64\n.const .u32 C = 3;\n"
        ".visible .entry k(.param .u64 p) {\n.shared .align 16 .b8 S[4096];\n"
        ".shared .align 16 .b8 Q[4096];\n.local .u32 L;\n.reg .b32 %%r<90>;\n.reg .b64 %%rd<90>;\n"
        ".reg .b16 %%h<90>;\n.reg .pred %%p<4>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n"
        "shl.b32 %%r2, %%r1, 4;\nmov.u32 %%r3, S;\nadd.u32 %%r2, %%r2, %%r3;\n"
        "setp.eq.u32 %%p1, %%r1, 3;\n");
    for (const char *c = cases[index].body; *c && n + 2 < size; c++) {
        text[n++] = *c;
        if (*c == ';')
            text[n++] = '\n';
    }
    for (const char *c = cases[index].kept; *c;) {
        const size_t length = strcspn(c, " ");
        n += (size_t)snprintf(text + n, size - n, "st.volatile.global.u32 [%%rd1], %.*s;\n",
                              (int)length, c);
        c += length + (c[length] == ' ');
    }
    snprintf(text + n, size - n, "ret;\n}\n");
}

/* Adds "ld 8" to a sorted list of such words. */
static void add(char list[][8], unsigned *n, const char *kind, unsigned bytes) {
    char word[8];
    unsigned at = (*n)++;
    ck_assert_uint_lt(at, LINES_MOST);
    snprintf(word, sizeof word, "%.2s %u", kind, bytes % 100);
    for (; at && strcmp(list[at - 1], word) > 0; at--)
        memcpy(list[at], list[at - 1], sizeof word);
    memcpy(list[at], word, sizeof word);
}

/* Bytes of a lane of "ld.shared.v2.u32"; 0: it is no plain access of shared memory. */
static unsigned written_bytes(const char *line, const char **kind) {
    const char *word = line + strspn(line, " "), *shared;
    unsigned vector = 1;
    if (*word == '@')
        word += strcspn(word, " "), word += strspn(word, " ");
    shared = strstr(word, ".shared");
    if ((strncmp(word, "ld.", 3) && strncmp(word, "st.", 3)) || !shared || !strchr(word, '['))
        return 0;
    *kind = word;
    shared += 7;
    if (shared[0] == '.' && shared[1] == 'v')
        vector = (unsigned)(shared[2] - '0'), shared += 3;
    return (unsigned)strtoul(shared + 2, NULL, 10) / 8 * vector;
}

/* The accesses that wsim counts, in the words of the case. */
static void find_accesses(const char *text, uint32_t flags, char *out, size_t size) {
    char list[LINES_MOST][8];
    struct wsim_module *module;
    const struct wsim_kernel *kernel;
    struct wsim_merged merged;
    struct wsim_diag diag = {0};
    uint32_t line = 0;
    unsigned n = 0;
    expect(!wsim_module_load(text, strlen(text), flags, &module, &diag), "%s\n%s", diag.text, text);
    kernel = wsim_module_find(module, "k");
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        const char *kind = NULL;
        unsigned bytes = 0;
        size_t i = 0;
        char row[128];
        snprintf(row, sizeof row, "%.*s", (int)strcspn(at, "\n"), at);
        line++;
        bytes = written_bytes(row, &kind);
        while (bytes && wsim_kernel_merged(kernel, i, &merged) && merged.line != line)
            i++;
        if (bytes && !wsim_kernel_merged(kernel, i, &merged))
            add(list, &n, kind, bytes);
        else if (bytes)
            for (unsigned k = 0; k < merged.n; k++)
                add(list, &n, kind, merged.bytes[k]);
    }
    wsim_module_free(module);
    out[0] = 0;
    for (unsigned i = 0, used = 0; i < n; i++)
        used += (unsigned)snprintf(out + used, size - used, "%s%s", i ? " " : "", list[i]);
}

/* "ld 16 ld 4" sorted as the words of add are. */
static void sort_words(const char *words, char *out, size_t size) {
    char list[LINES_MOST][8];
    unsigned n = 0, bytes, used = 0;
    char kind[3];
    int length;
    out[0] = 0;
    for (; sscanf(words, " %2s %u%n", kind, &bytes, &length) == 2; words += length)
        add(list, &n, kind, bytes);
    for (unsigned i = 0; i < n; i++)
        used += (unsigned)snprintf(out + used, size - used, "%s%s", i ? " " : "", list[i]);
}

START_TEST(accesses_are_those_of_the_machine_code) {
    char text[8192], found[512], recorded[512];
    write_kernel((unsigned)_i, text, sizeof text);
    find_accesses(text, 0, found, sizeof found);
    sort_words(cases[_i].accesses, recorded, sizeof recorded);
    expect(!strcmp(found, recorded) == !cases[_i].differs, "%s: %s\nwsim %s\nptxas %s",
           cases[_i].name, cases[_i].body, found, recorded);
}
END_TEST

/* With AS_WRITTEN nothing is joined. */
START_TEST(as_written) {
    struct wsim_module *module;
    struct wsim_merged merged;
    char text[8192];
    write_kernel(0, text, sizeof text);
    ck_assert(!wsim_module_load(text, strlen(text), WSIM_MODULE_AS_WRITTEN, &module, NULL));
    ck_assert(!wsim_kernel_merged(wsim_module_find(module, "k"), 0, &merged));
    wsim_module_free(module);
}
END_TEST

/* Each lane accesses two words, 256 bytes from those of the next lane. They are one access of 8
 * bytes, with the passes of ld.shared.v2.u32. The counts of the PTX are reported with it. */
#define PAIR                                                                                       \
    KERNEL(".shared .align 16 .b8 S[16384];\nshl.b32 %r1, %r0, 8;\nmov.u32 %r2, S;\n"              \
           "add.u32 %r1, %r1, %r2;\nst.shared.u32 [%r1], %r0;\nst.shared.u32 [%r1+4], %r2;\n"      \
           "bar.sync 0;\nld.shared.u32 %r3, [%r1+4];\nld.shared.u32 %r4, [%r1];\n"                 \
           "sub.u32 %r3, %r3, %r4;\nst.global.u32 [%rd0], %r3;")

START_TEST(counts_of_a_pair) {
    struct kernel kernel = {.text = PAIR, .launch = {.count = 1}};
    kernel_good(&kernel, 1, 32);
    ck_assert_uint_eq(kernel.totals.st.accesses, 1);
    ck_assert_uint_eq(kernel.totals.st.wavefronts, 32);
    ck_assert_uint_eq(kernel.totals.st.ideal, 2);
    ck_assert_uint_eq(kernel.totals.st_written.accesses, 2);
    ck_assert_uint_eq(kernel.totals.st_written.wavefronts, 64);
    ck_assert_uint_eq(kernel.totals.ld.accesses, 1);
    ck_assert_uint_eq(kernel.totals.ld.wavefronts, 32);
    ck_assert_uint_eq(kernel.totals.ld_written.wavefronts, 64);
    kernel.flags = WSIM_MODULE_AS_WRITTEN;
    kernel_good(&kernel, 1, 32);
    ck_assert_uint_eq(kernel.totals.st.accesses, 2);
    ck_assert_uint_eq(kernel.totals.st.wavefronts, 64);
    ck_assert_uint_eq(kernel.totals.st_written.wavefronts, 64);
}
END_TEST

/* Static variables lie in the order of their declarations, those of the kernel before those of the
 * module; unused ones have no place. */
START_TEST(places_of_variables) {
    struct kernel kernel = {
        .text = KERNEL_HEAD
        ".shared .align 4 .b8 M1[12];\n.shared .align 8 .b8 M2[24];\n.shared .align 4 .b8 "
        "unused[64];\n"
        ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
        ".shared .align 4 .b8 A[8];\n.shared .align 4 .b8 U[400];\n.shared .align 16 .b8 B[48];\n"
        "ld.param.u64 %rd0, [data];\nmov.u32 %r1, M2;\nmov.u32 %r2, M1;\nmov.u32 %r3, B;\n"
        "mov.u32 %r4, A;\nst.global.v4.u32 [%rd0], {%r4, %r3, %r2, %r1};\nret;\n}\n"};
    kernel_good(&kernel, 1, 1);
    ck_assert_uint_eq(kernel.words[0], 0x400);
    ck_assert_uint_eq(kernel.words[1], 0x410);
    ck_assert_uint_eq(kernel.words[2], 0x440);
    ck_assert_uint_eq(kernel.words[3], 0x450);
}
END_TEST

/* Atomics of one address, as ptxas 13.0 makes them for sm_90a. It combines the values of a warp,
 * and one lane accesses memory. Where it does not, 32 lanes have a pass each. */
#define ATOMIC(body)                                                                               \
    KERNEL(".shared .align 16 .b8 S[256];\nld.global.u32 %r1, [%rd0];\nmov.u32 %r2, S;\n"          \
           "shr.u32 %r3, %r0, 5;\nshl.b32 %r3, %r3, 2;\nadd.u32 %r3, %r3, %r2;\n"                  \
           "mov.u32 %r4, %ctaid.x;\nand.b32 %r4, %r4, 3;\nmad.lo.u32 %r4, %r4, 4, %r2;\n"          \
           "and.b32 %r8, %r0, 31;\nsub.u32 %r7, %r0, %r8;\nsetp.ne.u32 %p1, %r7, 0;\nsetp.lt.u32 " \
           "%p2, %r0, 31;\nmov.u32 "                                                               \
           "%r5, 0;\n"                                                                             \
           "st.shared.u32 [%r2], %r5;\nbar.sync 0;\n" body)

START_TEST(atomics_of_one_address) {
    static const struct {
        const char *text;
        unsigned wavefronts;
        const char *arch;
    } cases_of[] = {
        {ATOMIC("red.shared.add.u32 [S], %r0;"), 1, NULL},
        {ATOMIC("atom.shared.min.s32 %r9, [%r2], %r0;"), 1, NULL},
        {ATOMIC("red.shared.or.b32 [%r4], %r0;"), 1, NULL},
        {ATOMIC("mul.lo.u32 %r6, %r1, 0;\nadd.u32 %r6, %r6, %r2;\nred.shared.max.u32 [%r6], %r0;"),
         1, NULL},
        {ATOMIC("@%p2 red.shared.add.u32 [S], %r0;"), 1, NULL},
        {ATOMIC("L: red.shared.add.u32 [%r2], %r0;\nadd.u32 %r5, %r5, 1;\n"
                "setp.lt.u32 %p3, %r5, 3;\n@%p3 bra L;"),
         3, NULL},
        /* The assembler does not know that %tid.x / 32 is the same in all lanes. */
        {ATOMIC("red.shared.add.u32 [%r3], %r0;"), 32, NULL},
        {ATOMIC("red.shared.inc.u32 [S], 50;"), 32, NULL},
        {ATOMIC("atom.shared.exch.b32 %r9, [S], %r0;"), 32, NULL},
        /* The result is used: sums alone, and of values that differ in a whole warp alone. */
        {ATOMIC("atom.shared.max.s32 %r9, [S], %r0;\nst.global.u32 [%rd0], %r9;"), 32, NULL},
        {ATOMIC("atom.shared.add.u32 %r9, [S], %r0;\nst.global.u32 [%rd0], %r9;"), 1, NULL},
        {ATOMIC("@%p2 atom.shared.add.u32 %r9, [S], %r0;\nst.global.u32 [%rd0], %r9;"), 31, NULL},
        {ATOMIC("@%p2 atom.shared.add.u32 %r9, [S], 5;\nst.global.u32 [%rd0], %r9;"), 1, NULL},
        /* Behind a test of %tid.x for equality, it expects one lane. */
        {ATOMIC("@%p1 bra L;\nred.shared.add.u32 [S], %r0;\nL:"), 32, NULL},
        {ATOMIC("setp.ne.u32 %p1, %r0, %r8;\n@%p1 bra L;\nld.shared.u32 %r9, [S+8];\n"
                "red.shared.add.u32 [S], %r9;\nL:"),
         32, NULL},
        {ATOMIC("setp.eq.u32 %p1, %r7, 1;\n@%p1 bra L;\nred.shared.add.u32 [S], %r0;\nL:"), 1,
         NULL},
        {ATOMIC("setp.ne.u32 %p1, %r3, %r3;\n@%p1 bra L;\nred.shared.add.u32 [S], %r0;\nL:"), 1,
         NULL},
        /* Targets before sm_80 have no redux. */
        {ATOMIC("red.shared.add.u32 [S], %r0;"), 32, "sm_75"},
    };
    for (unsigned i = 0; i < COUNT(cases_of); i++) {
        struct kernel kernel = {.text = cases_of[i].text,
                                .arch = cases_of[i].arch,
                                .launch = {.count = 1, .checks = WSIM_CHECK_MEMORY}};
        kernel_good(&kernel, 1, 32);
        ck_assert_msg(kernel.totals.atom.wavefronts == cases_of[i].wavefronts, "case %u: %u", i,
                      (unsigned)kernel.totals.atom.wavefronts);
        kernel.flags = WSIM_MODULE_AS_WRITTEN;
        kernel_good(&kernel, 1, 32);
        ck_assert_uint_ge(kernel.totals.atom.wavefronts, 31);
    }
}
END_TEST

/* Kernels that the rule leaves open: accesses of a loop are neighbours in two rounds, or guards and
 * branches separate neighbouring loads. */
#define LOOP(body)                                                                                 \
    KERNEL(".shared .align 16 .b8 S[4096];\nmov.u32 %r2, S+1024;\nmov.u32 %r3, %ntid.x;\n"         \
           "shl.b32 %r3, %r3, 4;\nmad.lo.u32 %r4, %r0, 4, %r2;\nmov.u32 %r5, 0;\n"                 \
           "mov.u32 %r6, %r4;\nsetp.lt.u32 %p2, %r3, 0;\nL: " body                                 \
           "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 3;\n@%p1 bra L;\nM: "                      \
           "st.global.u32 [%rd0], %r7;\n")

#define TWO(before, between, distance)                                                             \
    KERNEL(".shared .align 16 .b8 S[4096];\nmov.u32 %r2, S;\nmad.lo.u32 %r4, %r0, 4, "             \
           "%r2;\nsetp.lt.u32 %p2, %r0, 0;\n"                                                      \
           "mov.u32 %r8, 0;\nmov.u32 %r7, 0;\n" before "ld.shared.u32 %r7, [%r4];\n" between       \
           "ld.shared.u32 %r8, [%r4+" distance "];\nN: add.u32 %r7, %r7, %r8;\n"                   \
           "st.global.u32 [%rd0], %r7;")

START_TEST(open_to_the_assembler) {
    static const struct {
        const char *text;
        unsigned unrolls;
    } cases_of[] = {
        {LOOP("ld.shared.u32 %r7, [%r6];\nadd.u32 %r6, %r6, 4;\n"), 1},
        {LOOP("ld.shared.u32 %r7, [%r6];\nadd.u32 %r6, %r6, 16;\n"), 0},
        {LOOP("ld.shared.u32 %r7, [%r6];\nsub.u32 %r6, %r6, 12;\n"), 1},
        {LOOP("ld.shared.u32 %r7, [%r6];\nsub.u32 %r6, %r6, 128;\n"), 0},
        {LOOP("ld.shared.u32 %r7, [%r6];\nadd.u32 %r6, %r6, %r3;\n"), 0},
        {LOOP("ld.shared.u32 %r7, [%r6+192];\nld.shared.u32 %r8, [%r6];\nadd.u32 %r6, %r6, 64;\n"
              "add.u32 %r7, %r7, %r8;\n"),
         1},
        {LOOP("ld.shared.u32 %r7, [%r6+32];\nld.shared.u32 %r8, [%r6];\nadd.u32 %r6, %r6, 64;\n"
              "add.u32 %r7, %r7, %r8;\n"),
         0},
        /* By the number of the round; by a number that the assembler folds; by one it does not. */
        {LOOP("mad.lo.u32 %r6, %r5, 8, %r4;\nld.shared.u32 %r7, [%r6];\n"), 1},
        {LOOP("mad.lo.u32 %r6, %r5, 32, %r4;\nld.shared.u32 %r7, [%r6];\n"), 0},
        {LOOP("xor.b32 %r6, %r5, 3;\nmad.lo.u32 %r6, %r6, 32, %r4;\nld.shared.u32 %r7, [%r6];\n"),
         1},
        {LOOP("ld.global.u32 %r6, [%rd0];\nmad.lo.u32 %r6, %r6, 0, %r4;\n"
              "ld.shared.u32 %r7, [%r6];\nadd.u32 %r4, %r4, 64;\n"),
         0},
        {LOOP("ld.shared.u32 %r7, [%r4];\n"), 1},
        {LOOP("st.shared.u32 [%r6], %r5;\nadd.u32 %r6, %r6, 8;\n"), 1},
        {LOOP("ld.volatile.shared.u32 %r7, [%r6];\nadd.u32 %r6, %r6, 4;\n"), 0},
        /* Guards and branches. */
        {TWO("", "@%p2 bra N;\n", "4"), 2},
        {TWO("", "@%p2 bra N;\n", "16"), 0},
        {TWO("", "bar.sync 0;\n@%p2 bra N;\n", "4"), 0},
        {TWO("@!%p2 ", "@!%p2 ", "4"), 2},
        {TWO("", "", "4"), 0},
    };
    for (unsigned i = 0; i < COUNT(cases_of); i++) {
        struct kernel kernel = {.text = cases_of[i].text, .launch = {.count = 1}};
        kernel_good(&kernel, 1, 32);
        ck_assert_msg(kernel.totals.unrolls == cases_of[i].unrolls, "case %u: %u", i,
                      (unsigned)kernel.totals.unrolls);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{accesses_are_those_of_the_machine_code, 0, COUNT(cases)},
                                       {as_written, 0, 1},
                                       {counts_of_a_pair, 0, 1},
                                       {places_of_variables, 0, 1},
                                       {atomics_of_one_address, 0, 1},
                                       {open_to_the_assembler, 0, 1}};
    return every_run("unit/run/merge", tests, COUNT(tests));
}
