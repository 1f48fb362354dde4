/* Products that an mma of fp8 adds: machine code fuses them with the FADD or HADD2 behind the
 * HMMA (lab/contract/README.md). */
#include "kernel.h"

/* Factors %f1, %f2, %f3 and bytes of e4m3 in %r1 and %r2; the buffer has them lane by lane. */
#define HEAD                                                                                       \
    "\n.address_size 64\n.visible .entry k(.param .u64 data)\n"                                    \
    "{\n" KERNEL_REGISTERS ".reg .f32 %d<4>, %m<4>, %zero; .reg .b32 %half, %x<4>, %y;\n"          \
    "ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4;\n"                 \
    "add.u64 %rd1, %rd1, %rd0; ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+128];\n"        \
    "ld.global.f32 %f3, [%rd1+256]; ld.global.u32 %r1, [%rd1+384];\n"                              \
    "ld.global.u32 %r2, [%rd1+512]; setp.ge.u32 %p1, %r0, 0; mov.f32 %zero, 0f80000000;\n"         \
    "mov.b32 %x1, %f1; mov.b32 %x2, %f2; mov.b32 %x3, %f3; mov.u32 %r4, 0x44444444;\n"             \
    "mov.b32 %half, 0x80008000; mov.f32 %d0, %f1; mov.f32 %d1, %f1; mov.f32 %d2, %f1;\n"           \
    "mov.f32 %d3, %f1;\n"
#define TAIL                                                                                       \
    "\nst.global.f32 [%rd1+1024], %d0; st.global.f32 [%rd1+1152], %d1;\n"                          \
    "st.global.f32 [%rd1+1280], %d2; st.global.f32 [%rd1+1408], %d3; ret; }\n"

#define A "{%r1, %r2, %r2, %r1}, {%r2, %r1}, "
#define MMA "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%d0, %d1, %d2, %d3}, " A
#define NONE MMA "{%zero, %zero, %zero, %zero};"
#define FOUR "{%m0, %m0, %m1, %f3};"
#define PRODUCTS "mul.f32 %m0, %f1, %f2; mul.f32 %m1, %f3, %f2; "
#define SUMS(a, b)                                                                                 \
    NONE "fma.rn.f32 %d0, %f1, " a ", %d0; fma.rn.f32 %d1, %f1, " a ", %d1; fma.rn.f32 %d2, " b    \
         ", %d2; add.rn.f32 %d3, %d3, %f3;"
#define FUSED SUMS("%f2", "%f3, %f2")
#define WHOLE "mul.rn.f32 %m0, %f1, %f2; mul.rn.f32 %m1, %f3, %f2; " MMA FOUR
#define MORE " add.f32 %d3, %d3, %m0;"
#define MORE_FUSED " fma.rn.f32 %d3, %f1, %f2, %d3;"
#define OTHER "bar.sync 0; @!%p1 bra L; bar.sync 0; L: "
#define HALF "mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e5m2.f16 {%x0, %x1}, {%r1, %r2}, {%r2}, "
#define MOVES " mov.b32 %d0, %x0; mov.b32 %d1, %x1;"
#define HALVES HALF "{%y, %x3};" MOVES
#define HALVES_FUSED                                                                               \
    HALF "{%half, %half}; fma.rn.f16x2 %x0, %x3, %x2, %x0; add.rn.f16x2 %x1, %x1, %x3;" MOVES
#define HALVES_NEGATED                                                                             \
    HALF "{%half, %half}; fma.rn.f16x2 %x0, %x3, %x2, %x0; sub.rn.f16x2 %x1, %x1, %x3;" MOVES
#define SPARSE                                                                                     \
    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 "                    \
    "{%d0, %d1, %d2, %d3}, {%r1, %r2, %r2, %r1}, {%r2, %r1, %r1, %r2}, "
#define META ", %r4, 0;"
#define QUAD                                                                                       \
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "                                             \
    "{%d0, %d1, %d2, %d3, %f6, %f7, %f8, %f9}, {%r1, %r2}, {%r2, %r1}, "
#define AS "sm_90a"

static const struct {
    const char *body, *same;
    uint32_t sums; /* how many parts of C are fused */
    const char *target;
} cases[] = {
    {PRODUCTS MMA FOUR, FUSED, 3, AS},
    {PRODUCTS MMA FOUR, FUSED, 3, "sm_90"},
    {PRODUCTS MMA FOUR, FUSED, 3, "sm_100a"},
    {PRODUCTS MMA FOUR, FUSED, 3, "sm_103a"},
    {PRODUCTS MMA FOUR, WHOLE, 0, "sm_89"},
    {PRODUCTS MMA FOUR, WHOLE, 0, "sm_120a"},
    {"mul.rn.f32 %m0, %f1, %f2; mul.rn.f32 %m1, %f3, %f2; " MMA FOUR, WHOLE, 0, AS},
    {"mul.ftz.f32 %m0, %f1, %f2; mul.f32 %m1, %f3, %f2; " MMA "{%m0, %m0, %f3, %f3};",
     "mul.rn.ftz.f32 %m0, %f1, %f2; " MMA "{%m0, %m0, %f3, %f3};", 0, AS},
    {"mul.sat.f32 %m0, %f1, %f2; " MMA "{%m0, %m0, %f3, %f3};",
     "mul.rn.sat.f32 %m0, %f1, %f2; " MMA "{%m0, %m0, %f3, %f3};", 0, AS},
    /* mov and neg between */
    {"mul.f32 %m2, %f1, %f2; mov.f32 %m0, %m2; mul.f32 %m1, %f3, %f2; neg.f32 %m1, %m1; " MMA FOUR,
     "neg.f32 %m2, %f3; " SUMS("%f2", "%m2, %f2"), 3, AS},
    {"mul.ftz.f32 %m0, %f1, %f2; mul.f32 %m1, %f3, %f2; neg.ftz.f32 %m1, %m1; " MMA FOUR,
     "mul.rn.f32 %m0, %f1, %f2; mul.rn.f32 %m1, %f3, %f2; neg.f32 %m1, %m1;" MMA FOUR, 0, AS},
    /* numbers, and another block */
    {"mul.f32 %m0, %f1, 0f3F7FF800; mul.f32 %m1, 0f3F7FF800, %f3; " OTHER MMA FOUR,
     SUMS("0f3F7FF800", "0f3F7FF800, %f3"), 3, AS},
    {"div.full.f32 %m0, %f1, 0f42040000; mul.f32 %m1, %f3, %f2;" MMA FOUR,
     SUMS("0f3CF83E10", "%f3, %f2"), 3, AS},
    {PRODUCTS OTHER MMA FOUR, WHOLE, 0, AS},
    {PRODUCTS "@%p1 " MMA FOUR, WHOLE, 0, AS},
    {"mul.f32 %m0, %f1, 0f3F7FF800; mul.f32 %m1, 0f3F7FF800, %f3; @%p1 " MMA FOUR,
     SUMS("0f3F7FF800", "0f3F7FF800, %f3"), 3, AS},
    {PRODUCTS "membar.gl; " MMA FOUR, WHOLE, 0, AS},
    /* other uses: what keeps a product whole, and another sum */
    {PRODUCTS MMA FOUR " st.global.f32 [%rd1+768], %m0; st.global.f32 [%rd1+896], %m1;", WHOLE, 0,
     AS},
    {PRODUCTS MMA FOUR MORE, FUSED MORE_FUSED, 4, AS},
    {PRODUCTS MMA FOUR " add.rn.f32 %d3, %d3, %m0;",
     "mul.rn.f32 %m0, %f1, %f2; " MMA "{%m0, %m0, %zero, %f3}; fma.rn.f32 %d2, %f3, "
     "%f2, %d2; add.rn.f32 %d3, %d3, %m0;",
     1, AS},
    {PRODUCTS "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%d0, %d1, %d2, %d3}, "
              "{%m0, %m1, %r2, %r1}, {%r2, %r1}, " FOUR,
     "mul.rn.f32 %m0, %f1, %f2; mul.rn.f32 %m1, %f3, %f2; "
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%d0, %d1, %d2, %d3}, "
     "{%m0, %m1, %r2, %r1}, {%r2, %r1}, " FOUR,
     0, AS},
    {PRODUCTS "abs.f32 %f9, %m0; mov.f32 %f9, %f1; " MMA FOUR, FUSED, 3, AS},
    {"@%p1 mul.f32 %m0, %f1, %f2; mul.f32 %m1, %f3, %f2; " MMA "{%m0, %m0, %f3, %f3};",
     "mul.rn.f32 %m0, %f1, %f2; " MMA "{%m0, %m0, %f3, %f3};", 0, AS},
    /* factors that are written before, by D and by the product itself */
    {PRODUCTS "mov.f32 %f1, 0f40000000; mov.f32 %f2, %f1; " MMA FOUR, FUSED, 3, AS},
    {"mov.f32 %d0, %f1; mov.f32 %d1, %f1; mov.f32 %d2, %f3; mov.f32 %d3, %f3; "
     "mul.f32 %d0, %d0, %f2; mul.f32 %d1, %f2, %d1; mul.f32 %d2, %d2, %f2; " MMA
     "{%d0, %d1, %d2, %d3};",
     FUSED, 3, AS},
    {"mul.f32 %m0, %f2, %f1; mov.f32 %m1, %f3; mul.f32 %m1, %m1, %m1; " MMA FOUR,
     SUMS("%f2", "%f3, %f3"), 3, AS},
    /* in a loop, from sum to sum */
    {"mov.u32 %r3, 3; L: mul.f32 %d0, %d0, %f2; mul.f32 %d1, %d1, %f2; " MMA
     "{%d0, %d1, %f3, %f3}; sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra L;",
     "mov.u32 %r3, 3; L: mov.f32 %m0, %d0; mov.f32 %m1, %d1; " MMA
     "{%zero, %zero, %f3, %f3}; fma.rn.f32 %d0, %m0, %f2, %d0; fma.rn.f32 %d1, %m1, "
     "%f2, %d1; sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra L;",
     2, AS},
    /* f16: whole registers, without .ftz; not of one half */
    {"mul.f16x2 %y, %x3, %x2; " HALVES, HALVES_FUSED, 1, AS},
    {"mul.rn.f16x2 %y, %x3, %x2; " HALVES, "mul.rn.f16x2 %y, %x3, %x2; " HALVES, 0, AS},
    {"mul.ftz.f16x2 %y, %x3, %x2; " HALVES, "mul.rn.ftz.f16x2 %y, %x3, %x2; " HALVES, 0, AS},
    {"mul.f32 %m0, %f1, %f2; mov.b32 %y, %m0; " HALVES,
     "mul.rn.f32 %m0, %f1, %f2; mov.b32 %y, %m0; " HALVES, 0, AS},
    {"mul.bf16x2 %y, %x3, %x2; " HALVES, "mul.rn.bf16x2 %y, %x3, %x2; " HALVES, 0, AS},
    {"mul.f16x2 %y, %x3, %x2; neg.f16x2 %y, %y; " HALVES, "neg.f16x2 %x3, %x3; " HALVES_NEGATED, 1,
     AS},
    /* the metadata make several blocks, and m8n8k4 is a call: C is added behind */
    {PRODUCTS SPARSE "{%m0, %m0, %m1, %f3}" META,
     "mul.rn.f32 %m0, %f1, %f2; mul.rn.f32 %m1, %f3, %f2; " SPARSE "{%m0, %m0, %m1, %f3}" META, 0,
     AS},
    {"mul.f32 %m0, %f1, 0f3F7FF800; " SPARSE "{%m0, %f3, %f3, %f3}" META,
     SPARSE "{%zero, %f3, %f3, %f3}" META " fma.rn.f32 %d0, %f1, 0f3F7FF800, %d0;", 1, AS},
    {"mul.f32 %m0, %f1, %f2; " QUAD "{%m0, %f3, %f3, %f3, %f3, %f3, %f3, %f3};",
     "mul.rn.f32 %m0, %f1, %f2; " QUAD "{%m0, %f3, %f3, %f3, %f3, %f3, %f3, %f3};", 0, AS},
    {"mul.f32 %m0, %f1, 0f3F7FF800; " QUAD "{%m0, %f3, %f3, %f3, %f3, %f3, %f3, %f3};",
     QUAD "{%zero, %f3, %f3, %f3, %f3, %f3, %f3, %f3}; fma.rn.f32 %d0, %f1, 0f3F7FF800, "
          "%d0;",
     1, AS},
    {PRODUCTS SPARSE "{%f3, %f3, %f3, %f3}" META " add.f32 %d0, %m0, %f3;",
     SPARSE "{%f3, %f3, %f3, %f3}" META " mul.rn.f32 %m0, %f1, %f2; add.rn.f32 %d0, %m0, %f3;", 0,
     AS},
    {PRODUCTS SPARSE "{%f3, %f3, %f3, %f3}" META " add.f32 %d0, %m0, %f3;",
     SPARSE "{%f3, %f3, %f3, %f3}" META " fma.rn.f32 %d0, %f1, %f2, %f3;", 1, "sm_89"},
};

/* Operations that are emulated are several blocks: a product before one is not fused with a sum
 * behind. */
#define WORDS "{%x0, %x1, %x2, %x3}"
#define INTEGERS(shape, type, op, a, b)                                                            \
    "mma.sync.aligned." shape ".row.col.s32." type "." type ".s32" op " " WORDS ", " a ", " b      \
    ", " WORDS ";"
#define SPARSE_F16(word)                                                                           \
    "mma." word ".sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, "            \
    "{%r1, %r2}, {%r2, %r1}, {%f3, %f3, %f3, %f3}, %r4, 0;"
static const struct {
    const char *between, *target;
    uint32_t sums;
} blocks[] = {
    {INTEGERS("m16n8k64", "s4", "", "{%r1, %r2, %r2, %r1}", "{%r1, %r2}"), "sm_89", 1},
    {INTEGERS("m16n8k64", "s4", "", "{%r1, %r2, %r2, %r1}", "{%r1, %r2}"), "sm_90a", 0},
    {INTEGERS("m16n8k32", "u4", "", "{%r1, %r2}", "{%r1}"), "sm_120a", 0},
    {INTEGERS("m16n8k32", "s8", "", "{%r1, %r2, %r2, %r1}", "{%r1, %r2}"), "sm_100a", 1},
    {INTEGERS("m16n8k128", "b1", ".xor.popc", "{%r1, %r2}", "{%r1}"), "sm_80", 1},
    {INTEGERS("m16n8k128", "b1", ".xor.popc", "{%r1, %r2}", "{%r1}"), "sm_90a", 0},
    {INTEGERS("m16n8k128", "b1", ".and.popc", "{%r1, %r2}", "{%r1}"), "sm_90a", 1},
    {INTEGERS("m16n8k128", "b1", ".and.popc", "{%r1, %r2}", "{%r1}"), "sm_100a", 0},
    {SPARSE_F16("sp"), "sm_90a", 1},
    {SPARSE_F16("sp"), "sm_100a", 0},
    {SPARSE_F16("sp::ordered_metadata"), "sm_100a", 1},
    {MMA "{%f3, %f3, %f3, %f3};", "sm_90a", 1},
    {"@%p1 " MMA "{%f3, %f3, %f3, %f3};", "sm_90a", 0},
};

static struct kernel run(const char *body, const char *target, const char *arch, uint32_t flags) {
    char text[4096];
    struct kernel kernel = {.text = text, .arch = arch, .flags = flags};
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (unsigned i = 0; i < 160; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        kernel.words[i] = i < 96 ? 0x3F800000 | (uint32_t)(state >> 32) % 0x00800000
                                 : 0x38383838 ^ ((uint32_t)(state >> 32) & 0x83838383);
    }
    snprintf(text, sizeof text, ".version 9.0\n.target %s%s%s%s", target, HEAD, body, TAIL);
    kernel_good(&kernel, 1, 32);
    kernel.text = NULL;
    return kernel;
}

static uint32_t sums_of(const char *body, const char *target) {
    char text[4096];
    struct wsim_module *module;
    struct wsim_kernel_info info;
    snprintf(text, sizeof text, ".version 9.0\n.target %s%s%s%s", target, HEAD, body, TAIL);
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_kernel_describe(wsim_module_find(module, "k"), &info);
    wsim_module_free(module);
    return info.contractible;
}

/* How many of the words of D differ. */
static unsigned differ(const struct kernel *a, const struct kernel *b) {
    unsigned n = 0;
    for (unsigned i = 256; i < 256 + 128; i++)
        n += a->words[i] != b->words[i];
    return n;
}

START_TEST(products_in_c_are_fused) {
    const char *body = cases[_i].body, *target = cases[_i].target;
    const struct kernel got = run(body, target, target, 0);
    const struct kernel plain = run(body, target, target, WSIM_MODULE_PLAIN);
    const struct kernel same = run(cases[_i].same, target, target, WSIM_MODULE_NO_CONTRACT);
    const struct kernel written = run(body, target, target, WSIM_MODULE_NO_CONTRACT);
    expect(!differ(&got, &same) && !differ(&plain, &same), "%u of %s on %s: %u and %u words differ",
           (unsigned)_i, body, target, differ(&got, &same), differ(&plain, &same));
    expect(sums_of(body, target) == cases[_i].sums, "%s on %s: %u sums", body, target,
           (unsigned)sums_of(body, target));
    expect(!cases[_i].sums == !differ(&written, &same), "%s: the fused sum is not seen", body);
}
END_TEST

START_TEST(blocks_keep_products_apart) {
    char body[1024];
    snprintf(body, sizeof body, "mul.f32 %%m0, %%f1, %%f2; %s add.f32 %%d0, %%m0, %%f3;",
             blocks[_i].between);
    expect(sums_of(body, blocks[_i].target) == blocks[_i].sums, "%s on %s", body,
           blocks[_i].target);
}
END_TEST

/* A text of one target on another device: the method of the device decides. */
START_TEST(the_device_decides) {
    static const char *const devices[] = {"sm_90a", "sm_100a", "sm_120a"};
    const int more = _i >= 3, split = _i % 3 < 2;
    const char *device = devices[_i % 3];
    const struct kernel got =
        run(more ? PRODUCTS MMA FOUR MORE : PRODUCTS MMA FOUR, "sm_90", device, 0);
    const char *body = split ? (more ? FUSED MORE_FUSED : FUSED) : more ? WHOLE MORE_FUSED : WHOLE;
    const struct kernel same = run(body, "sm_90", device, WSIM_MODULE_NO_CONTRACT);
    ck_assert_uint_eq(differ(&got, &same), 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{products_in_c_are_fused, 0, COUNT(cases)},
                                       {blocks_keep_products_apart, 0, COUNT(blocks)},
                                       {the_device_decides, 0, 6}};
    return every_run("unit/run/contract_matrix", tests, COUNT(tests));
}
