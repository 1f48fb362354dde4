/* golden.c - shows one dot product on seven generations of tensor cores, with different results.
 *
 * A tensor core adds a few products and the accumulator in one step. It truncates every term a
 * fixed number of bits below the largest one, adds them exactly, and truncates (f32) or
 * rounds (f16) the sum once. Generations differ in the number of products a step, the number of
 * kept bits, and the step that adds C. H100 and B200 have no mma.sync on bytes: it runs as two f16
 * steps and adds C at the end. The expected bits were published together with models that reproduce
 * the hardware. */
#include "show.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, MAX_SPELLINGS = 3, MAX_K = 64 };

static const char *const archs[COLUMNS] = {"sm_70",  "sm_75",   "sm_80",  "sm_89",
                                           "sm_90a", "sm_100a", "sm_120a"};
static const char *const gpus[COLUMNS] = {"V100", "T4", "A100", "L40S", "H100", "B200", "RTX 50"};

/* A dot product as hexadecimal digits in order of k, and D on each architecture. NULL: no such
 * instruction, or no published result. */
struct golden {
    const char *label;
    const char *const *spellings; /* the widest first; an architecture takes the first it has */
    const char *a, *b, *c;
    const char *published[COLUMNS];
    const char *scale_a, *scale_b; /* block-scaled: a factor for each 16 elements */
};

#define MMA "mma.sync.aligned."
static const char *const f16_f32[] = {MMA "m16n8k16.row.col.f32.f16.f16.f32",
                                      MMA "m16n8k8.row.col.f32.f16.f16.f32",
                                      MMA "m8n8k4.row.col.f32.f16.f16.f32", NULL};
static const char *const f16_f16[] = {MMA "m16n8k16.row.col.f16.f16.f16.f16",
                                      MMA "m16n8k8.row.col.f16.f16.f16.f16",
                                      MMA "m8n8k4.row.col.f16.f16.f16.f16", NULL};
static const char *const e4m3_f32[] = {MMA "m16n8k32.row.col.f32.e4m3.e4m3.f32", NULL};
static const char *const e4m3_f16[] = {MMA "m16n8k32.row.col.f16.e4m3.e4m3.f16", NULL};
static const char *const e5m2_f32[] = {MMA "m16n8k32.row.col.f32.e5m2.e5m2.f32", NULL};
static const char *const nvfp4[] = {
    MMA "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", NULL};
static const char *const f64_f64[] = {MMA "m8n8k4.row.col.f64.f64.f64.f64", NULL};

/* C = 2^23 and the products -2^23, -1/2, -1/4, -1/8: D shows the bits that survive next to 2^23. */
static const struct golden probes[] = {
    {"f16 to f32", f16_f32, "6c00 3800 3400 3000", "e800 bc00 bc00 bc00", "4b000000",
     .published = {"0", "-0.5", "-0.5", "-0.5", "-0.75", "-0.75", "-0.75"}},
    {"e5m2 to f32", e5m2_f32, "6c 38 34 30", "e8 bc bc bc", "4b000000",
     .published = {NULL, NULL, NULL, "0", NULL, NULL, "-0.75"}},
    {"f64", f64_f64, "40b0000000000000 3fe0000000000000 3fd0000000000000 3fc0000000000000",
     "c0a0000000000000 bff0000000000000 bff0000000000000 bff0000000000000", "4160000000000000",
     .published = {NULL, NULL, "-0.875", "-0.875", "-0.875", "-0.875", "-0.875"}},
};

#define A1 "2d9e 48cb 4b37 d3a8 acdb 3a55 348b 2967 a041 b0ad 25e2 b0db 3a80 42b0 b75b 4548"
#define B1 "a420 b26e a2d5 b16a b32a 4690 29d1 2f13 331d a830 49c9 a624 cb3a b44f 48cc 3cb6"
#define A2 "a756 b753 c073 4d96 b3d0 c874 2da8 b48f 277e 31a1 a1ba 3ab2 cdfa 3ec2 520b 506b"
#define B2 "c36b aa57 340f b4a7 4982 c614 49cf c75e 3f15 45ec cd95 36ca 3e87 32eb b82e b041"

static const struct golden halves[] = {
    {"1: f16 to f32", f16_f32, A1, B1, "be60a582",
     .published = {"402c329c", "402c32a2", "402c32a2", "402c32a2", "402c32a7", "402c32a7",
                   "402c32a7"}},
    {"1: f16 to f16", f16_f16, A1, B1, "b305",
     .published = {"4161", "4160", "4160", "4160", "4162", "4162", "4162"}},
    {"2: f16 to f32", f16_f32, A2, B2, "c0305444",
     .published = {"c1b02bce", "c1b02bcb", "c1b02bcb", "c1b02bcb", "c1b02bca", "c1b02bca",
                   "c1b02bca"}},
    {"2: f16 to f16", f16_f16, A2, B2, "c183",
     .published = {"cd83", "cd82", "cd82", "cd82", "cd81", "cd81", "cd81"}},
};

#define A3 "26c14e983f4ba4c833c3509a3c4fba554448183930d41a54a823d04e4ead579e"
#define B3 "9c2b2fb9d0bec837cfbf4d1ca05128cf262aa14bd42c1fb533d4c5ba99379d21"
#define A4 "52c59ca425c5c1a4a3394baf333cb449a32626af2445d2d2b3b5d738b152b236"
#define B4 "a3bdad224aa03c2c19ceb4b323522dbd339a981a4b9c42c04928a022d42b4221"

static const struct golden bytes[] = {
    {"3: e4m3 to f32", e4m3_f32, A3, B3, "3ef2e646",
     .published = {NULL, NULL, NULL, "c0298000", "c029c137", "c029c137", "c029c138"}},
    {"3: e4m3 to f16", e4m3_f16, A3, B3, "3797",
     .published = {NULL, NULL, NULL, "c14c", "c150", "c150", "c14e"}},
    {"4: e4m3 to f32", e4m3_f32, A4, B4, "3f18eaae",
     .published = {NULL, NULL, NULL, "3f7c0000", "3f7ad2ae", "3f7ad2ae", "3f7ad2a8"}},
    {"4: e4m3 to f16", e4m3_f16, A4, B4, "38c7",
     .published = {NULL, NULL, NULL, "3be0", "3be2", "3be2", "3bd6"}},
};

static const struct golden nibbles[] = {
    {"5: nvfp4 to f32", nvfp4, "3d6bc33875b0f0c4743b9f57cebf5ff51313735379fe9d07ea5ca1da1e6cbc37",
     "e26ca51cffb676bf1b22f2029e7ca29d9f7ae5288200cfba18be26fd3dd30434", "c1234567",
     .published = {NULL, NULL, NULL, NULL, NULL, NULL, "c4a1191a"}, .scale_a = "401e614b",
     .scale_b = "29214535"},
};

/* The elements of hexadecimal `text`, zeros after its end. */
static void read_hex(const char *text, unsigned elem_bits, uint64_t *bits, unsigned count) {
    unsigned i, digit;
    for (i = 0; i < count; i++) {
        char element[17] = "0";
        while (*text == ' ')
            text++;
        for (digit = 0; digit < elem_bits / 4 && isxdigit((unsigned char)*text); digit++)
            element[digit] = *text++;
        bits[i] = strtoull(element, NULL, 16);
    }
}

/* A fragment whose element (row, col) is vector[row * by_row + col * by_col]. */
static struct wsim_regs spread(const struct wsim_layout *layout, const uint64_t *vector,
                               unsigned by_row, unsigned by_col) {
    uint64_t matrix[4 * 16 * MAX_K];
    struct wsim_regs regs = {{{0}}};
    unsigned i, row, col;
    for (i = 0; i < (unsigned)layout->batches * layout->rows * layout->cols; i++) {
        row = i / layout->cols % layout->rows;
        col = i % layout->cols;
        matrix[i] = vector[row * by_row + col * by_col];
    }
    wsim_fragment_pack(layout, matrix, &regs);
    return regs;
}

/* Finds the widest instruction that `arch` has. */
static int choose(const char *const *spellings, const struct wsim_arch *arch, struct wsim_op *op) {
    for (; *spellings; spellings++) {
        *op = must_parse(*spellings);
        if (wsim_op_check(op, arch, NULL) == WSIM_OK)
            return 1;
    }
    return 0;
}

/* Scale factors of four blocks, the same in every lane. */
static void spread_scales(const char *text, uint32_t regs[WSIM_LANES]) {
    uint64_t factor[4] = {0};
    unsigned lane;
    if (text)
        read_hex(text, 8, factor, 4);
    for (lane = 0; lane < WSIM_LANES; lane++)
        regs[lane] = (uint32_t)(factor[0] | factor[1] << 8 | factor[2] << 16 | factor[3] << 24);
}

static int all_equal(const uint64_t *bits, unsigned count) {
    unsigned i;
    for (i = 1; i < count; i++)
        if (bits[i] != bits[0])
            return 0;
    return 1;
}

/* D of a dot product of `length` elements. All rows of A are equal and all columns of B, hence all
 * of D. Narrow instructions form a chain through the accumulator. */
static uint64_t dot(const struct golden *golden, const struct wsim_arch *arch,
                    const struct wsim_op *op, unsigned length, struct facts *facts) {
    struct wsim_layout a = must_layout(op, WSIM_A), b = must_layout(op, WSIM_B),
                       c = must_layout(op, WSIM_C), d = must_layout(op, WSIM_D);
    uint64_t a_bits[MAX_K], b_bits[MAX_K], c_bits, d_bits[4 * 8 * 8];
    uint32_t scale_a[WSIM_LANES], scale_b[WSIM_LANES];
    unsigned k;
    spread_scales(golden->scale_a, scale_a);
    spread_scales(golden->scale_b, scale_b);
    read_hex(golden->a, a.elem_bits, a_bits, MAX_K);
    read_hex(golden->b, b.elem_bits, b_bits, MAX_K);
    read_hex(golden->c, c.elem_bits, &c_bits, 1);
    struct wsim_regs sum = spread(&c, &c_bits, 0, 0);
    for (k = 0; k < length; k += wsim_op_describe(op).k) {
        struct wsim_regs a_regs = spread(&a, a_bits + k, 0, 1),
                         b_regs = spread(&b, b_bits + k, 1, 0);
        must_exec(
            op, arch,
            &(struct wsim_operands){
                .d = &sum, .a = &a_regs, .b = &b_regs, .c = &sum, .sfa = scale_a, .sfb = scale_b});
    }
    wsim_fragment_unpack(&d, &sum, d_bits);
    fact(facts, all_equal(d_bits, (unsigned)d.batches * d.rows * d.cols),
         "equal rows and columns on %s, but not equal results", wsim_arch_name(arch));
    return d_bits[0];
}

/* D as a number, or as its bits. */
static void result_text(const struct wsim_op *op, uint64_t bits, int as_number, char text[32]) {
    struct wsim_layout d = must_layout(op, WSIM_D);
    if (as_number)
        snprintf(text, 32, "%g", number_of(d.format, bits));
    else
        snprintf(text, 32, "%0*llx", d.elem_bits / 4, (unsigned long long)bits);
}

static void show_text(const char *label, const char *const text[COLUMNS]) {
    unsigned i;
    printf("%-17s", label);
    for (i = 0; i < COLUMNS; i++)
        printf(i + 1 < COLUMNS ? "%-9s" : "%s\n", text[i] ? text[i] : "-");
}

/* One line: D on every architecture, each compared with the published one. */
static void show_golden(const struct golden *golden, unsigned length, int as_number,
                        struct facts *facts) {
    char text[COLUMNS][32];
    const char *line[COLUMNS] = {NULL};
    unsigned i;
    for (i = 0; i < COLUMNS; i++) {
        const struct wsim_arch *arch = must_find(archs[i]);
        struct wsim_op op;
        if (!golden->published[i] || !choose(golden->spellings, arch, &op))
            continue;
        result_text(&op, dot(golden, arch, &op, length, facts), as_number, text[i]);
        line[i] = text[i];
    }
    show_text(golden->label, line);
    for (i = 0; i < COLUMNS; i++)
        if (golden->published[i])
            fact(facts, line[i] && strcmp(line[i], golden->published[i]) == 0,
                 "%s was published as %s", archs[i], golden->published[i]);
}

static void show_group(const char *title, const struct golden *group, unsigned count,
                       unsigned length, int as_number, struct facts *facts) {
    unsigned i;
    printf("\n%s\n", title);
    for (i = 0; i < count; i++)
        show_golden(&group[i], length, as_number, facts);
}

#define COUNT(array) (unsigned)(sizeof(array) / sizeof *(array))

int main(void) {
    static const char *const steps[COLUMNS] = {"4+4+4+4", "8+8", "8+8", "8+8", "16", "16", "16"};
    static const char *const kept[COLUMNS] = {"23", "24", "24", "24", "25", "25", "25"};
    static const char *const byte_steps[COLUMNS] = {NULL,    NULL,    NULL, "16+16",
                                                    "16+16", "16+16", "32"};
    static const char *const byte_kept[COLUMNS] = {NULL, NULL, NULL, "13", "25", "25", "25"};
    static const char *const byte_c[COLUMNS] = {NULL, NULL, NULL, "first", "last", "last", "first"};
    struct facts facts = {0};
    show_text("", archs);
    show_text("", gpus);
    show_group("C = 2^23, products -2^23 -1/2 -1/4 -1/8; exactly -7/8. Which bits survive?", probes,
               COUNT(probes), 4, 1, &facts);
    show_group("K = 16 of f16", halves, COUNT(halves), 16, 0, &facts);
    show_text("  why: products", steps);
    show_text("  bits kept", kept);
    show_group("K = 32 of e4m3", bytes, COUNT(bytes), 32, 0, &facts);
    show_text("  why: products", byte_steps);
    show_text("  bits kept", byte_kept);
    show_text("  C is added", byte_c);
    show_group("K = 64 of e2m1, scaled by ue4m3 (of a model: others compared its rule, not this "
               "vector, with hardware)",
               nibbles, COUNT(nibbles), 64, 0, &facts);
    return facts_end(&facts);
}
