// wgmma.cu - the probes of mma for a warpgroup: one wgmma a launch, A in registers, B (8 columns)
// in shared memory without swizzle. Prints a trace with results on standard output.
//
// Every D element of a single probe computes the same. Maps of groups are those of groups.c.
#include "gpu.h"

#include <stdlib.h>

enum { WINDOW = 512, THREADS = 128, ROWS = 64, COLS = 8 };

struct operands {
    uint32_t a[4][THREADS], c[4][THREADS], d[4][THREADS], e[THREADS];
    uint8_t window[WINDOW];
    uint64_t descriptor;
    uint32_t scale_d;
};

#define BODY(inout, to, from, count, operands_d, text)                                             \
    __shared__ __align__(1024) uint8_t window[WINDOW];                                             \
    const unsigned t = threadIdx.x;                                                                \
    for (unsigned i = t; i < WINDOW; i += THREADS)                                                 \
        window[i] = o->window[i];                                                                  \
    asm volatile("fence.proxy.async;" ::: "memory");                                               \
    __syncthreads();                                                                               \
    const uint64_t b = o->descriptor + ((uint64_t)__cvta_generic_to_shared(window) >> 4);          \
    inout d[4];                                                                                    \
    for (int i = 0; i < 4; i++)                                                                    \
        d[i] = to(o->c[i][t]);                                                                     \
    asm volatile("{.reg .pred p;\n setp.ne.b32 p, %10, 0;\n wgmma.fence.sync.aligned;\n" text      \
                 ";\n wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;}"        \
                 : operands_d                                                                      \
                 : "r"(o->a[0][t]), "r"(o->a[1][t]), "r"(o->a[2][t]), "r"(o->a[3][t]), "l"(b),     \
                   "r"(o->e[t]), "r"(o->scale_d)                                                   \
                 : "memory");                                                                      \
    for (int i = 0; i < count; i++)                                                                \
    o->d[i][t] = from(d[i])

#define FLOATS "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define WORDS "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SAME(x) (x)
#define DENSE_ARGS " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p"
#define SPARSE_ARGS " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, 0, p"
#define DENSE_ARGS_F16 " {%0, %1}, {%4, %5, %6, %7}, %8, p"
#define SPARSE_ARGS_F16 " {%0, %1}, {%4, %5, %6, %7}, %8, %9, 0, p"
#define DENSE "wgmma.mma_async.sync.aligned."
#define SPARSE "wgmma.mma_async.sp.sync.aligned."

#define KERNEL_F32(name, text)                                                                     \
    __global__ void name(operands *o) {                                                            \
        BODY(float, __uint_as_float, __float_as_uint, 4, FLOATS, text);                            \
    }
#define KERNEL_S32(name, text)                                                                     \
    __global__ void name(operands *o) {                                                            \
        BODY(uint32_t, SAME, SAME, 4, WORDS, text);                                                \
    }
#define KERNEL_F16(name, text)                                                                     \
    __global__ void name(operands *o) {                                                            \
        BODY(uint32_t, SAME, SAME, 2, WORDS, text);                                                \
    }

#define F16_F32 "m64n8k16.f32.f16.f16"
#define F16_F16 "m64n8k16.f16.f16.f16"
#define BF16 "m64n8k16.f32.bf16.bf16"
#define TF32 "m64n8k8.f32.tf32.tf32"
#define E4M3_F32 "m64n8k32.f32.e4m3.e4m3"
#define E4M3_F16 "m64n8k32.f16.e4m3.e4m3"
#define E5M2_F32 "m64n8k32.f32.e5m2.e5m2"
#define E5M2_F16 "m64n8k32.f16.e5m2.e5m2"
#define MIX_F32 "m64n8k32.f32.e4m3.e5m2"
#define S8 "m64n8k32.s32.s8.s8.satfinite"
#define U8S8 "m64n8k32.s32.u8.s8.satfinite"
#define SP_F16_F32 "m64n8k32.f32.f16.f16"
#define SP_F16_F16 "m64n8k32.f16.f16.f16"
#define SP_BF16 "m64n8k32.f32.bf16.bf16"
#define SP_TF32 "m64n8k16.f32.tf32.tf32"
#define SP_E4M3_F32 "m64n8k64.f32.e4m3.e4m3"
#define SP_E5M2_F16 "m64n8k64.f16.e5m2.e5m2"
#define SP_S8 "m64n8k64.s32.s8.s8.satfinite"
#define SP_U8S8 "m64n8k64.s32.u8.s8.satfinite"

KERNEL_F32(f16_f32, DENSE F16_F32 DENSE_ARGS ", 1, 1, 0")
KERNEL_F32(f16_f32_minus_a, DENSE F16_F32 DENSE_ARGS ", -1, 1, 0")
KERNEL_F32(f16_f32_minus_b, DENSE F16_F32 DENSE_ARGS ", 1, -1, 0")
KERNEL_F16(f16_f16, DENSE F16_F16 DENSE_ARGS_F16 ", 1, 1, 0")
KERNEL_F16(f16_f16_minus_a, DENSE F16_F16 DENSE_ARGS_F16 ", -1, 1, 0")
KERNEL_F32(bf16, DENSE BF16 DENSE_ARGS ", 1, 1, 0")
KERNEL_F32(tf32, DENSE TF32 DENSE_ARGS ", 1, 1")
KERNEL_F32(e4m3_f32, DENSE E4M3_F32 DENSE_ARGS ", 1, 1")
KERNEL_F32(e4m3_f32_minus_a, DENSE E4M3_F32 DENSE_ARGS ", -1, 1")
KERNEL_F16(e4m3_f16, DENSE E4M3_F16 DENSE_ARGS_F16 ", 1, 1")
KERNEL_F32(e5m2_f32, DENSE E5M2_F32 DENSE_ARGS ", 1, 1")
KERNEL_F16(e5m2_f16, DENSE E5M2_F16 DENSE_ARGS_F16 ", 1, 1")
KERNEL_F32(mix_f32, DENSE MIX_F32 DENSE_ARGS ", 1, 1")
KERNEL_S32(s8, DENSE S8 DENSE_ARGS)
KERNEL_S32(u8s8, DENSE U8S8 DENSE_ARGS)
KERNEL_F32(sp_f16_f32, SPARSE SP_F16_F32 SPARSE_ARGS ", 1, 1, 0")
KERNEL_F16(sp_f16_f16, SPARSE SP_F16_F16 SPARSE_ARGS_F16 ", 1, 1, 0")
KERNEL_F32(sp_bf16, SPARSE SP_BF16 SPARSE_ARGS ", 1, 1, 0")
KERNEL_F32(sp_tf32, SPARSE SP_TF32 SPARSE_ARGS ", 1, 1")
KERNEL_F32(sp_e4m3_f32, SPARSE SP_E4M3_F32 SPARSE_ARGS ", 1, 1")
KERNEL_F16(sp_e5m2_f16, SPARSE SP_E5M2_F16 SPARSE_ARGS_F16 ", 1, 1")
KERNEL_S32(sp_s8, SPARSE SP_S8 SPARSE_ARGS)
KERNEL_S32(sp_u8s8, SPARSE SP_U8S8 SPARSE_ARGS)

struct type {
    int bits, bias, fraction; // bits of the container; fraction bits
    uint32_t nan;
};
static const type f16 = {16, 15, 10, 0x7fff}, b16 = {16, 127, 7, 0x7fff},
                  t32 = {32, 127, 23, 0x7fffffff}, e4 = {8, 7, 3, 0x7f}, e5 = {8, 15, 2, 0x7f},
                  i8 = {8, 0, 0, 0x55};

struct form {
    const char *spelling;
    void (*kernel)(operands *);
    const type *a, *b;
    int d_bits, sparse, scale_a, scale_b; // scales 0: the form has none
};
static const form forms[] = {
    {DENSE F16_F32, f16_f32, &f16, &f16, 32, 0, 1, 1},
    {DENSE F16_F32, f16_f32_minus_a, &f16, &f16, 32, 0, -1, 1},
    {DENSE F16_F32, f16_f32_minus_b, &f16, &f16, 32, 0, 1, -1},
    {DENSE F16_F16, f16_f16, &f16, &f16, 16, 0, 1, 1},
    {DENSE F16_F16, f16_f16_minus_a, &f16, &f16, 16, 0, -1, 1},
    {DENSE BF16, bf16, &b16, &b16, 32, 0, 1, 1},
    {DENSE TF32, tf32, &t32, &t32, 32, 0, 1, 1},
    {DENSE E4M3_F32, e4m3_f32, &e4, &e4, 32, 0, 1, 1},
    {DENSE E4M3_F32, e4m3_f32_minus_a, &e4, &e4, 32, 0, -1, 1},
    {DENSE E4M3_F16, e4m3_f16, &e4, &e4, 16, 0, 1, 1},
    {DENSE E5M2_F32, e5m2_f32, &e5, &e5, 32, 0, 1, 1},
    {DENSE E5M2_F16, e5m2_f16, &e5, &e5, 16, 0, 1, 1},
    {DENSE MIX_F32, mix_f32, &e4, &e5, 32, 0, 1, 1},
    {DENSE S8, s8, &i8, &i8, 32, 0, 0, 0},
    {DENSE U8S8, u8s8, &i8, &i8, 32, 0, 0, 0},
    {SPARSE SP_F16_F32, sp_f16_f32, &f16, &f16, 32, 1, 1, 1},
    {SPARSE SP_F16_F16, sp_f16_f16, &f16, &f16, 16, 1, 1, 1},
    {SPARSE SP_BF16, sp_bf16, &b16, &b16, 32, 1, 1, 1},
    {SPARSE SP_TF32, sp_tf32, &t32, &t32, 32, 1, 1, 1},
    {SPARSE SP_E4M3_F32, sp_e4m3_f32, &e4, &e4, 32, 1, 1, 1},
    {SPARSE SP_E5M2_F16, sp_e5m2_f16, &e5, &e5, 16, 1, 1, 1},
    {SPARSE SP_S8, sp_s8, &i8, &i8, 32, 1, 0, 0},
    {SPARSE SP_U8S8, sp_u8s8, &i8, &i8, 32, 1, 0, 0},
};

static operands *o, *on_gpu; // the case, here and there

static unsigned stored_of(const form *f) {
    return 256 / f->a->bits;
}

// Row of B that stored column s meets under nibble 4: the first places of each chunk.
static unsigned k_of(const form *f, unsigned s) {
    if (!f->sparse)
        return s;
    return f->a->bits == 32 ? 2 * s : s / 2 * 4 + s % 2;
}

static void set_a(const form *f, unsigned row, unsigned s, uint32_t bits) {
    const unsigned each = 32 / f->a->bits, half = 4 * each;
    const unsigned thread = row / 16 * 32 + row % 8 * 4 + s % half / each;
    const unsigned reg = (row / 8 & 1) + 2 * (s / half), shift = s % each * f->a->bits;
    const uint32_t mask = (uint32_t)((UINT64_C(1) << f->a->bits) - 1);
    o->a[reg][thread] = (o->a[reg][thread] & ~(mask << shift)) | (bits & mask) << shift;
}

static void set_b(const form *f, unsigned k, unsigned col, uint32_t bits) {
    const unsigned size = f->b->bits / 8, at = k * size;
    memcpy(o->window + col * 16 + at % 16 + at / 16 * 128, &bits, size);
}

static void set_c(const form *f, unsigned row, unsigned col, uint32_t bits) {
    const unsigned thread = row / 16 * 32 + row % 8 * 4 + col / 2, high = row / 8 & 1;
    if (f->d_bits == 32)
        o->c[2 * high + col % 2][thread] = bits;
    else
        o->c[high][thread] |= bits << 16 * (col % 2);
}

static void clear(const form *f) {
    memset(o, 0, sizeof *o);
    for (unsigned t = 0; t < THREADS; t++)
        o->e[t] = 0x44444444;
    o->descriptor = (uint64_t)(128 >> 4) << 16 | (uint64_t)(512 >> 4) << 32;
    o->scale_d = 1;
    for (unsigned col = 0; f->sparse && col < COLS; col++)
        for (unsigned k = 0; k < 2 * stored_of(f); k++)
            set_b(f, k, col, f->b->nan);
    for (unsigned col = 0; col < COLS; col++)
        for (unsigned s = 0; s < stored_of(f); s++)
            set_b(f, k_of(f, s), col, 0);
}

static void put(const char *name, const uint32_t (*words)[THREADS], unsigned registers) {
    printf("\t%s=", name);
    for (unsigned i = 0; i < registers * THREADS; i++)
        printf("%08x", words[i / THREADS][i % THREADS]);
}

static void run(const form *f, const char *comment) {
    const unsigned registers = f->d_bits == 32 ? 4 : 2;
    check(cudaMemcpy(on_gpu, o, sizeof *o, cudaMemcpyHostToDevice));
    f->kernel<<<1, THREADS>>>(on_gpu);
    check(cudaMemcpy(o, on_gpu, sizeof *o, cudaMemcpyDeviceToHost));
    printf("# %s\n%s\tsmem=", comment, f->spelling);
    for (unsigned i = 0; i < WINDOW; i++)
        printf("%02x", o->window[i]);
    put("a", o->a, 4);
    printf("\tdescB=%016llx", (unsigned long long)o->descriptor);
    put("c", o->c, registers);
    printf("\tscaled=%u", o->scale_d);
    if (f->scale_a)
        printf("\tscaleA=%d\tscaleB=%d", f->scale_a, f->scale_b);
    if (f->scale_a && f->a->bits == 16)
        printf("\ttnspB=0");
    if (f->sparse) {
        put("e", &o->e, 1);
        printf("\tsel=0");
    }
    put("d", o->d, registers);
    printf("\n");
}

struct single {
    const char *name, *spellings[4], *products;
    uint32_t c;
    int turn, scale_d;
};
static const single singles[] = {
    {"X1 floor of f16 accumulation, 2^-46",
     {F16_F16, SP_F16_F16},
     "0:1000*0400 1:0002*0002",
     0,
     1,
     1},
    {"X1 floor of f16 accumulation, 2^-47",
     {F16_F16, SP_F16_F16},
     "0:1000*0400 1:0002*0001",
     0,
     1,
     1},
    {"X1 floor of f16 accumulation, 2^-48",
     {F16_F16, SP_F16_F16},
     "0:1000*0400 1:0001*0001",
     0,
     1,
     1},
    {"X2 floor of f32 accumulation, t = 158", {BF16, SP_BF16}, "0:3400*0080 1:af80*0080", 0, 1, 1},
    {"X2 floor of f32 accumulation, t = 159", {BF16, SP_BF16}, "0:3400*0080 1:af00*0080", 0, 1, 1},
    {"X2 floor of f32 accumulation, t = 175", {BF16, SP_BF16}, "0:3400*0080 1:a700*0080", 0, 1, 1},
    {"X2 floor of f32 accumulation, t = 158",
     {TF32, SP_TF32},
     "0:34000000*00800000 1:af800000*00800000",
     0,
     1,
     1},
    {"X2 floor of f32 accumulation, t = 159",
     {TF32, SP_TF32},
     "0:34000000*00800000 1:af000000*00800000",
     0,
     1,
     1},
    {"X3a a negative sum that underflows", {BF16, SP_BF16}, "0:b380*0080", 0, 0, 1},
    {"X3b a negative sum truncated to nothing", {BF16, SP_BF16}, "0:ae80*0080", 0, 0, 1},
    {"X3c a negative f16 sum that underflows", {F16_F16, SP_F16_F16}, "0:8400*0c00", 0, 0, 1},
    {"X3e a negative subnormal C", {E4M3_F32, E5M2_F32, SP_E4M3_F32}, "", 0x80000001, 0, 1},
    {"X4 C passes through", {E4M3_F32, E5M2_F32, MIX_F32, SP_E4M3_F32}, "", 0x3f800001, 0, 1},
    {"X4 C passes through", {E4M3_F32, E5M2_F32, MIX_F32, SP_E4M3_F32}, "", 0x7f7fffff, 0, 1},
    {"X4 C passes through", {E4M3_F32, E5M2_F32, MIX_F32, SP_E4M3_F32}, "", 0x007fffff, 0, 1},
    {"X4 C passes through", {E4M3_F32, E5M2_F32, MIX_F32, SP_E4M3_F32}, "", 1, 0, 1},
    {"X4 C passes through", {E4M3_F32, E5M2_F32, MIX_F32, SP_E4M3_F32}, "", 0x00000400, 0, 1},
    {"X4 C passes through", {F16_F32, BF16, TF32, SP_F16_F32}, "", 0x3f800001, 0, 1},
    {"X4 a product truncated beside C", {E4M3_F32, SP_E4M3_F32}, "0:3c*40", 0x46800000, 1, 1},
    {"X5 a NaN whose kept bits are infinity", {TF32, SP_TF32}, "0:7f800001*3f800000", 0, 1, 1},
    {"X5 the least NaN of tf32", {TF32, SP_TF32}, "0:7f802000*3f800000", 0, 1, 1},
    {"X5 a signalling C", {F16_F32, BF16, TF32, E4M3_F32}, "", 0x7f800001, 0, 1},
    {"X5 a negative quiet C", {F16_F32, BF16, TF32, E4M3_F32}, "", 0xffc12345, 0, 1},
    {"X13 scale-d 0 and a NaN in D", {F16_F32, BF16, SP_F16_F32}, "0:3c00*3c00", 0x7fffffff, 0, 0},
    {"X13 scale-d 0 and a NaN in D",
     {E4M3_F32, E5M2_F32, SP_E4M3_F32},
     "0:3c*3c",
     0x7fffffff,
     0,
     0},
    {"X13 scale-d 0 and a NaN in D", {F16_F16, SP_F16_F16}, "0:3c00*3c00", 0x7fff, 0, 0},
    {"X13 scale-d 0 and C = -0", {F16_F32, BF16, TF32, E4M3_F32}, "", 0x80000000, 0, 0},
    {"X13 scales of one", {F16_F32, F16_F16}, "0:3c00*3c00", 0, 1, 1},
    {"X13 scales and zeros", {F16_F32, F16_F16}, "", 0, 0, 1},
    {"X13 scales and C", {F16_F32}, "", 0x3f800001, 0, 1},
    {"X14 products are not normalised",
     {F16_F32, SP_F16_F32},
     "0:3e00*3e00 1:be00*3e00 2:0c00*0800",
     0,
     1,
     1},
    {"X14 control", {F16_F32, SP_F16_F32}, "0:4080*3c00 1:c080*3c00 2:0c00*0800", 0, 1, 1},
    {"X14 a subnormal operand", {F16_F32, SP_F16_F32}, "0:0001*7800", 0x33000000, 1, 1},
    {"X15 a subnormal C, f16", {F16_F16, SP_F16_F16}, "0:1000*0400 1:0100*0001", 2, 1, 1},
    {"X15 a subnormal C, f32", {BF16, SP_BF16}, "0:b280*0080", 2, 1, 1},
};

static void fill_single(const form *f, const single *s, unsigned turn) {
    char *at = (char *)s->products;
    clear(f);
    o->scale_d = (uint32_t)s->scale_d;
    while (*at) {
        const unsigned k = (strtoul(at, &at, 10) + turn) % stored_of(f);
        const uint32_t a = (uint32_t)strtoul(at + 1, &at, 16),
                       b = (uint32_t)strtoul(at + 1, &at, 16);
        for (unsigned row = 0; row < ROWS; row++)
            set_a(f, row, k, a);
        for (unsigned col = 0; col < COLS; col++)
            set_b(f, k_of(f, k), col, b);
        at += *at == ' ';
    }
    for (unsigned i = 0; i < ROWS * COLS; i++)
        set_c(f, i / COLS, i % COLS, s->c);
}

static void run_singles(const form *f) {
    char comment[200];
    for (const single &s : singles)
        for (int i = 0; i < 4 && s.spellings[i]; i++)
            if (strcmp(strstr(f->spelling, "aligned.") + 8, s.spellings[i]) == 0)
                for (unsigned turn = 0; turn == 0 || (s.turn && turn < stored_of(f)); turn++) {
                    fill_single(f, &s, turn);
                    snprintf(comment, sizeof comment, "%s; products %s, turned by %u; C %x", s.name,
                             *s.products ? s.products : "none", turn, s.c);
                    run(f, comment);
                }
}

// 2^exponent, also subnormal.
static uint32_t power(const type *t, int negative, int exponent) {
    const int field = exponent + t->bias;
    const uint32_t sign = (uint32_t)negative << (t->bits - 1);
    return sign | (field > 0 ? (uint32_t)field << t->fraction : 1u << (t->fraction + field - 1));
}

// As in groups.c; brief: of each small and first position, only the next second one.
static void run_groups(const form *f, int brief, int gap) {
    const unsigned stored = stored_of(f);
    char comment[100];
    for (unsigned small = 0; small < stored; small++) {
        unsigned row = 0;
        for (unsigned pair = 0; pair < stored * stored; pair++) {
            const unsigned i = pair / stored, j = pair % stored;
            const unsigned next = (i + 1) % stored == small ? (i + 2) % stored : (i + 1) % stored;
            if (row == 0) {
                clear(f);
                for (unsigned at = 0; at < stored * COLS; at++)
                    set_b(f, k_of(f, at / COLS), at % COLS,
                          power(f->b, 0, at / COLS == small ? -1 - (int)(at % COLS) : 7));
            }
            if (i != j && i != small && j != small && (!brief || j == next)) {
                set_a(f, row, i, power(f->a, 0, 8));
                set_a(f, row, j, power(f->a, 1, 8));
                set_a(f, row, small, power(f->a, 0, 16 - gap));
                row++;
            }
            if (row == ROWS || (row && pair == stored * stored - 1)) {
                snprintf(comment, sizeof comment, "X12 small term at %u, %d bits below and more",
                         small, gap);
                run(f, comment);
                row = 0;
            }
        }
    }
}

// Two terms at pairs of places, in the operand that is signed, as in pairs.c.
static void run_saturation(const form *f, uint32_t c, uint32_t first, uint32_t second) {
    const unsigned stored = stored_of(f), in_b = strstr(f->spelling, "u8") != NULL;
    unsigned used = 0;
    char comment[100];
    for (unsigned pair = 0; pair < stored * 6; pair++) {
        const unsigned i = pair / 6, j = pair % 6 == 5 ? (i + 1) % stored : i ^ 1u << pair % 6;
        if (used == 0) {
            clear(f);
            for (unsigned at = 0; at < ROWS * stored; at++)
                set_a(f, at / stored, at % stored, in_b ? 1 : 0);
            for (unsigned at = 0; at < COLS * stored; at++)
                set_b(f, k_of(f, at / COLS), at % COLS, in_b ? 0 : 1);
            for (unsigned at = 0; at < ROWS * COLS; at++)
                set_c(f, at / COLS, at % COLS, c);
        }
        if (j < stored && in_b)
            set_b(f, k_of(f, i), used, first), set_b(f, k_of(f, j), used, second), used++;
        else if (j < stored)
            set_a(f, used, i, first), set_a(f, used, j, second), used++;
        if (used == (in_b ? COLS : ROWS) || (used && pair == stored * 6 - 1)) {
            snprintf(comment, sizeof comment, "X8 C = %08x, then %d and %d", c, (int8_t)first,
                     (int8_t)second);
            run(f, comment);
            used = 0;
        }
    }
}

int main() {
    trace_head("tools/hw/probes/wgmma.cu");
    printf("# descB counts from the start of smem\n");
    o = (operands *)malloc(sizeof *o);
    check(cudaMalloc(&on_gpu, sizeof *o));
    for (const form &f : forms) {
        const int scaled = f.scale_a < 0 || f.scale_b < 0;
        run_singles(&f);
        if (f.a == &i8) {
            run_saturation(&f, 0x7ffffffc, 7, (uint32_t)-8);
            run_saturation(&f, 0x80000003, (uint32_t)-8, 7);
        } else if (!scaled && f.a->bits == 8) {
            run_groups(&f, 1, 10);
            run_groups(&f, 1, 22);
        } else if (!scaled) {
            run_groups(&f, 0, 22);
        }
    }
    return 0;
}
