/* Fast steps of whole programs equal the plain ones: sums and products of any numbers, exchanges of
 * lanes, parameters of functions, vectors. Registers begin as 0 in each block. */
#include "kernel.h"

enum { THREADS = 96, BLOCKS = 2, INPUTS = 512, PROGRAMS = 4 };

/* %r1: the number of the thread; its inputs are %r2 %r3 %r4, its results words 512 and 704 on. */
#define INPUTS_OF_THREAD                                                                           \
    "mov.u32 %r5, %ctaid.x;\nmad.lo.u32 %r1, %r5, 96, %r0;\nmul.wide.u32 %rd1, %r1, 4;\n"          \
    "add.s64 %rd2, %rd0, %rd1;\nld.global.u32 %r2, [%rd2];\nld.global.u32 %r3, [%rd2+512];\n"      \
    "ld.global.u32 %r4, [%rd2+1024];\nmov.u32 %r6, 0;\n"
#define RESULTS "st.global.u32 [%rd2+2048], %r6;\nst.global.u32 [%rd2+2816], %r7;\n"
/* Results of some lanes alone too. */
#define TAKE(f) "mov.b32 %r8, " f ";\nmad.lo.u32 %r6, %r6, 31, %r8;\n"
#define FLOATS(guard)                                                                              \
    guard "mul.rn.f32 %f4, %f1, %f5;\n" TAKE("%f4") guard                                          \
        "fma.rn.f32 %f6, %f1, %f2, %f3;\n" TAKE("%f6") guard                                       \
        "mul.rn.f32 %f4, %f1, %f2;\n" TAKE("%f4") guard                                            \
        "fma.rn.f32 %f6, %f2, %f3, %f1;\n" TAKE("%f6") guard                                       \
        "fma.rn.f32 %f6, %f4, %f5, %f1;\n" TAKE("%f6") guard                                       \
        "add.rn.f32 %f4, %f1, %f3;\n" TAKE("%f4") guard "sub.rn.f32 %f6, %f3, %f2;\n" TAKE("%f6")  \
            guard "sub.rn.f32 %f4, %f4, %f6;\n" TAKE("%f4")
static const char floats[] = KERNEL(
    INPUTS_OF_THREAD "mov.b32 %f1, %r2;\nmov.b32 %f2, %r3;\nmov.b32 %f3, %r4;\n"
                     "mov.f32 %f5, 0f3F800000;\nand.b32 %r9, %r1, 5;\nsetp.ne.u32 %p1, %r9, 0;\n"
                     "mov.f32 %f4, %f1;\nmov.f32 %f6, %f2;\n" FLOATS("") FLOATS("@%p1 ")
                         FLOATS("@!%p1 ") "mov.u32 %r7, %r8;\n" RESULTS);

/* shfl with constants, equal numbers and different ones. */
static const char shuffles[] =
    KERNEL(INPUTS_OF_THREAD "and.b32 %r3, %r3, 31;\nmov.u32 %r10, 0;\nmov.u32 %r11, 31;\n"
                            "and.b32 %r12, %r5, 3;\nadd.u32 %r12, %r12, 2;\nmov.u32 %r13, 0x1c1f;\n"
                            "and.b32 %r14, %r0, 16;\nadd.u32 %r14, %r14, 4;\n"
                            "or.b32 %r15, %r14, 0x101f;\nSHUFFLES\n" RESULTS);

static const char *shuffled(void) {
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const char *const by[] = {"1", "4", "11", "%r12", "%r3", "%r14"};
    static const char *const clamps[] = {"31",   "0",    "0x101f", "0x1800", "0x1c1f",
                                         "%r10", "%r11", "%r13",   "%r15"};
    static char text[1 << 16];
    const char *end = strstr(shuffles, "SHUFFLES");
    int n = snprintf(text, sizeof text, "%.*s", (int)(end - shuffles), shuffles);
    for (unsigned i = 0; i < COUNT(modes) * COUNT(by) * COUNT(clamps); i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "shfl.sync.%s.b32 %%r7|%%p2, %%r2, %s, %s, -1;\nselp.u32 %%r8, 5, 3, %%p2;\n"
                      "mad.lo.u32 %%r6, %%r6, 31, %%r7;\nmad.lo.u32 %%r6, %%r6, %%r8, 1;\n",
                      modes[i % COUNT(modes)], by[i / COUNT(modes) % COUNT(by)],
                      clamps[i / COUNT(modes) / COUNT(by)]);
    snprintf(text + n, sizeof text - (size_t)n, "%s", end + strlen("SHUFFLES"));
    return text;
}

static const char params[] = KERNEL_HEAD
    ".func (.param .align 8 .b8 out[24]) f (.param .align 8 .b8 x[16], .param .b32 y, "
    ".param .align 16 .b8 z[16])\n{\n.reg .b64 %l<6>;\n.reg .b32 %w<6>;\n.reg .pred %q;\n"
    "ld.param.b64 %l0, [x];\nld.param.b64 %l1, [x+8];\nld.param.b32 %w0, [y];\n"
    "ld.param.v4.b32 {%w1, %w2, %w3, %w4}, [z];\nsetp.lt.u32 %q, %w0, %w1;\n"
    "mul.lo.u64 %l2, %l0, 3;\nadd.u64 %l2, %l2, %l1;\n@%q mov.b32 %w2, %w4;\n"
    "add.u32 %w3, %w3, %w2;\nst.param.b64 [out], %l2;\n@%q st.param.b64 [out+8], %l1;\n"
    "@!%q st.param.b64 [out+8], %l0;\nst.param.b32 [out+16], %w3;\nret;\n}\n"
    ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
    "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n" INPUTS_OF_THREAD
    "mul.wide.u32 %rd3, %r2, %r3;\nmul.wide.u32 %rd4, %r3, %r4;\nmov.u32 %r7, 9;\n"
    "setp.gt.u32 %p1, %r4, %r3;\n@%p1 bra SKIP;\n"
    "{\n.param .align 8 .b8 x[16];\n.param .b32 y;\n.param .align 16 .b8 z[16];\n"
    ".param .align 8 .b8 out[24];\nst.param.b64 [x], %rd3;\nst.param.b64 [x+8], %rd4;\n"
    "st.param.b32 [y], %r2;\nst.param.v2.b32 [z], {%r3, %r4};\nst.param.v2.b32 [z+8], {%r0, %r2};\n"
    "call.uni (out), f, (x, y, z);\nld.param.b64 %rd5, [out];\nld.param.b64 %rd6, [out+8];\n"
    "ld.param.b32 %r7, [out+16];\n}\nxor.b64 %rd5, %rd5, %rd6;\nshr.u64 %rd6, %rd5, 32;\n"
    "cvt.u32.u64 %r6, %rd5;\ncvt.u32.u64 %r8, %rd6;\nadd.u32 %r6, %r6, %r8;\n"
    "SKIP:\n" RESULTS "ret;\n}\n";

/* Vectors at one place, side by side, and anywhere. */
#define WORDS_OF(type, words, at)                                                                  \
    "ld." type " " words ", [" at "];\nmad.lo.u32 %r6, %r6, 31, %r10;\n"                           \
    "mad.lo.u32 %r6, %r6, 31, %r11;\nmad.lo.u32 %r6, %r6, 31, %r12;\nmad.lo.u32 %r6, %r6, 31, "    \
    "%r13;\n"
#define VECTORS(guard, at)                                                                         \
    guard WORDS_OF("global.v4.u32", "{%r10, %r11, %r12, %r13}", at)                                \
    guard WORDS_OF("global.v2.u32", "{%r11, %r12}", at)                                            \
    guard WORDS_OF("global.v2.u64", "{%rd10, %rd11}",                                              \
                   at) "xor.b64 %rd10, %rd10, %rd11;\nmov.b64 {%r12, %r13}, %rd10;\n" guard        \
        WORDS_OF("global.v2.s8", "{%h1, %h2}", at) "cvt.u32.u16 %r10, %h1;\n"
static const char vectors[] = KERNEL(
    INPUTS_OF_THREAD ".shared .align 16 .b8 tile[1024];\nmov.u32 %r20, tile;\n"
                     "mov.u64 %rd10, 0;\nmov.u64 %rd11, 0;\nmov.u32 %r10, 0;\nmov.u32 %r11, 0;\n"
                     "mov.u32 %r12, 0;\nmov.u32 %r13, 0;\nmov.u16 %h1, 0;\nmov.u16 %h2, 0;\n"
                     "and.b32 %r9, %r1, 5;\nsetp.ne.u32 %p1, %r9, 0;\nand.b32 %r9, %r2, 63;\n"
                     "mul.wide.u32 %rd4, %r9, 16;\nadd.u64 %rd4, %rd4, %rd0;\n"
                     "and.b32 %r14, %r1, 63;\nmul.wide.u32 %rd5, %r14, 16;\n"
                     "add.u64 %rd5, %rd5, %rd0;\n" VECTORS("", "%rd0+48") VECTORS("@%p1 ", "%rd4")
                         VECTORS("", "%rd5") "mad.lo.u32 %r21, %r9, 16, %r20;\nbar.sync "
                                             "0;\nst.shared.v2.u64 [%r21], {%rd10, %rd4};\n"
                                             "bar.sync 0;\nmad.lo.u32 %r22, %r14, 16, "
                                             "%r20;\nld.shared.v4.u32 {%r10, %r11, %r12, %r13}, "
                                             "[%r22];\nadd.u32 %r7, %r10, %r12;\nbar.sync "
                                             "0;\nst.shared.v2.u32 [%r21+8], {%r6, %r2};\n"
                                             "bar.sync 0;\nld.shared.v2.u32 {%r10, %r11}, "
                                             "[%r22+8];\nadd.u32 %r7, %r7, %r10;\n"
                                             "add.u32 %r7, %r7, %r11;\n" RESULTS);

/* Numbers of every kind, most of them tiny. In some threads a product of a subnormal number is just
 * less than half of the last bit of the sum. That sum is another one if it is rounded twice. */
static void fill(uint32_t *words, uint64_t *state) {
    static const uint32_t half[] = {0x00400001, 0x7E7FFFFC, 0x4B000001};
    static const uint32_t ends[] = {0x7FC00000, 0xFF800000, 0, 0x80000000, 0x007FFFFF, 0x00800000};
    for (unsigned i = 0; i < INPUTS; i++) {
        uint32_t bits;
        *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        bits = (uint32_t)(*state >> 32);
        switch (*state >> 20 & 7) {
        case 0: words[i] = bits; break;
        case 1: words[i] = ends[bits % COUNT(ends)]; break;
        case 2:
        case 3: words[i] = bits & 0x80FFFFFF; break;
        default: words[i] = (bits & 0x80FFFFFF) | 0x3F000000; break;
        }
        if (i % 128 % 16 == 3)
            words[i] = half[i / 128 % 3] ^ (*state >> 40 & 1 && i / 128 % 3 != 1 ? 0x80000000 : 0);
    }
}

START_TEST(fast_steps_equal_plain_ones) {
    const char *const texts[PROGRAMS] = {floats, shuffled(), params, vectors};
    static struct kernel fast, plain;
    uint64_t state = 11u + (unsigned)_i;
    for (unsigned round = 0; round < 40; round++) {
        memset(&fast, 0, sizeof fast);
        fast.text = texts[_i];
        fill(fast.words, &state);
        plain = fast;
        plain.flags = WSIM_MODULE_PLAIN;
        kernel_good(&fast, BLOCKS, round % 4 ? THREADS : THREADS - 7);
        kernel_good(&plain, BLOCKS, round % 4 ? THREADS : THREADS - 7);
        for (unsigned i = 0; i < KERNEL_WORDS; i++)
            expect(fast.words[i] == plain.words[i], "round %u, word %u: %x, not %x", round, i,
                   fast.words[i], plain.words[i]);
    }
}
END_TEST

/* The first block writes registers that the second one reads without a write. */
static const char unset[] =
    KERNEL("mov.u32 %r5, %ctaid.x;\nsetp.eq.u32 %p1, %r5, 0;\n@!%p1 bra READ;\n"
           "mov.u32 %r9, 77;\nmov.u64 %rd9, 78;\nsetp.eq.u32 %p3, %r5, 0;\nREAD:\n"
           "@%p1 mov.u32 %r10, 79;\n@%p3 bra SAY;\nadd.u32 %r11, %r10, 1;\nSAY:\n"
           "cvt.u32.u64 %r12, %rd9;\nshl.b32 %r13, %r5, 8;\n" STORE_AT("%r13", "%r9") //
           "add.u32 %r13, %r13, 1;\n" STORE_AT("%r13", "%r10")                        //
           "add.u32 %r13, %r13, 1;\n" STORE_AT("%r13", "%r11")                        //
           "add.u32 %r13, %r13, 1;\n" STORE_AT("%r13", "%r12"));

START_TEST(registers_begin_as_0_in_each_block) {
    static const uint32_t want[2][4] = {{77, 79, 0, 78}, {0, 0, 1, 0}};
    struct kernel kernel = {.text = unset};
    kernel_good(&kernel, 2, 32);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned i = 0; i < 4; i++)
            expect(kernel.words[256 * block + i] == want[block][i], "block %u, word %u: %u", block,
                   i, kernel.words[256 * block + i]);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{fast_steps_equal_plain_ones, 0, PROGRAMS},
                                       {registers_begin_as_0_in_each_block, 0, 1}};
    return every_run("unit/run/quick", tests, COUNT(tests));
}
