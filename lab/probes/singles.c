/* singles.c - probes with one answer each: a few products and C that only one rule of arithmetic
 * explains. Every element of D computes the same, so that all lanes answer.
 *
 * Products are "k:A*B ..." with container bits in hex, or "*:A*B" for every k; k counts stored
 * positions where A is compressed. With `turn` the same stands at every k in turn. */
#include "probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DENSE "mma.sync.aligned."
#define SPARSE "mma.sp::ordered_metadata.sync.aligned."
#define F16_K8 DENSE "m16n8k8.row.col.f16.f16.f16.f16"
#define F16_K16 DENSE "m16n8k16.row.col.f16.f16.f16.f16"
#define F16_SP16 SPARSE "m16n8k16.row.col.f16.f16.f16.f16"
#define F16_SP32 SPARSE "m16n8k32.row.col.f16.f16.f16.f16"
#define F32_K8 DENSE "m16n8k8.row.col.f32.f16.f16.f32"
#define F32_K16 DENSE "m16n8k16.row.col.f32.f16.f16.f32"
#define F32_SP32 SPARSE "m16n8k32.row.col.f32.f16.f16.f32"
#define BF16_K8 DENSE "m16n8k8.row.col.f32.bf16.bf16.f32"
#define BF16_K16 DENSE "m16n8k16.row.col.f32.bf16.bf16.f32"
#define BF16_SP32 SPARSE "m16n8k32.row.col.f32.bf16.bf16.f32"
#define TF32_K4 DENSE "m16n8k4.row.col.f32.tf32.tf32.f32"
#define TF32_K8 DENSE "m16n8k8.row.col.f32.tf32.tf32.f32"
#define TF32_SP16 SPARSE "m16n8k16.row.col.f32.tf32.tf32.f32"
#define FP8_K32 DENSE "m16n8k32.row.col.f32.e5m2.e5m2.f32"
#define FP8_K32_F16 DENSE "m16n8k32.row.col.f16.e5m2.e5m2.f16"
#define FP8_K16 DENSE "m16n8k16.row.col.f32.e5m2.e5m2.f32"
#define FP8_K16_F16 DENSE "m16n8k16.row.col.f16.e5m2.e5m2.f16"
#define QUAD_RC DENSE "m8n8k4.row.col.f32.f16.f16.f32"
#define QUAD_RR DENSE "m8n8k4.row.row.f32.f16.f16.f32"
#define QUAD_CC DENSE "m8n8k4.col.col.f32.f16.f16.f32"
#define QUAD_CR DENSE "m8n8k4.col.row.f32.f16.f16.f32"
#define QUAD_F16 DENSE "m8n8k4.row.col.f16.f16.f16.f16"
#define QUAD_MIXED DENSE "m8n8k4.row.col.f32.f16.f16.f16"

static const struct single {
    const char *name, *spellings[6], *products, *c;
    int turn;
} singles[] = {
    {"X1 floor of f16 accumulation, 2^-46",
     {F16_K16, F16_K8, F16_SP16, F16_SP32},
     "0:1000*0400 1:0002*0002",
     "0",
     1},
    {"X1 floor of f16 accumulation, 2^-47",
     {F16_K16, F16_K8, F16_SP16, F16_SP32},
     "0:1000*0400 1:0002*0001",
     "0",
     1},
    {"X1 floor of f16 accumulation, 2^-48",
     {F16_K16, F16_K8, F16_SP16, F16_SP32},
     "0:1000*0400 1:0001*0001",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 151",
     {BF16_K16, BF16_K8, BF16_SP32},
     "0:3400*0080 1:b300*0080",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 152",
     {BF16_K16, BF16_K8, BF16_SP32},
     "0:3400*0080 1:b280*0080",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 158",
     {BF16_K16, BF16_K8, BF16_SP32},
     "0:3400*0080 1:af80*0080",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 159",
     {BF16_K16, BF16_K8, BF16_SP32},
     "0:3400*0080 1:af00*0080",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 175",
     {BF16_K16, BF16_K8, BF16_SP32},
     "0:3400*0080 1:a700*0080",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 151",
     {TF32_K4, TF32_K8, TF32_SP16},
     "0:34000000*00800000 1:b3000000*00800000",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 158",
     {TF32_K4, TF32_K8, TF32_SP16},
     "0:34000000*00800000 1:af800000*00800000",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 159",
     {TF32_K4, TF32_K8, TF32_SP16},
     "0:34000000*00800000 1:af000000*00800000",
     "0",
     1},
    {"X2 floor of f32 accumulation, t = 175",
     {TF32_K4, TF32_K8, TF32_SP16},
     "0:34000000*00800000 1:a7000000*00800000",
     "0",
     1},
    {"X3a a negative sum that underflows", {BF16_K16, BF16_K8, BF16_SP32}, "0:b380*0080", "0", 0},
    {"X3b a negative sum truncated to nothing",
     {BF16_K16, BF16_K8, BF16_SP32},
     "0:ae80*0080",
     "0",
     0},
    {"X3c a negative f16 sum that underflows", {F16_K16, F16_K8, F16_SP32}, "0:8400*0c00", "0", 0},
    {"X3d nothing but -0", {F32_K16, F32_K8, QUAD_RC}, "*:8000*3c00", "80000000", 0},
    {"X3d nothing but -0", {F16_K16, F16_K8, QUAD_F16}, "*:8000*3c00", "8000", 0},
    {"X3d nothing but -0", {FP8_K32, FP8_K16}, "*:80*3c", "80000000", 0},
    {"X5 a NaN whose kept bits are infinity",
     {TF32_K4, TF32_K8, TF32_SP16},
     "0:7f800001*3f800000",
     "0",
     1},
    {"X5 the same, negative", {TF32_K4, TF32_K8, TF32_SP16}, "0:ff801fff*3f800000", "0", 1},
    {"X5 the least NaN of tf32", {TF32_K4, TF32_K8, TF32_SP16}, "0:7f802000*3f800000", "0", 1},
    {"X5 infinity times zero",
     {F32_K16, F32_K8, F16_K16, F16_K8, QUAD_RC, QUAD_F16},
     "0:7c00*0000",
     "0",
     1},
    {"X5 infinity and the opposite C", {F32_K16, F32_K8, QUAD_RC}, "0:7c00*3c00", "ff800000", 1},
    {"X5 a signalling C", {F32_K16, BF16_K16, TF32_K8, FP8_K32, QUAD_RC}, "", "7f800001", 0},
    {"X5 a negative quiet C", {F32_K16, BF16_K16, TF32_K8, FP8_K32, QUAD_RC}, "", "ffc12345", 0},
    {"X5 overflow", {BF16_K16, BF16_K8}, "0:3f80*7f00 1:3f80*7f00", "0", 1},
    {"X5 the largest sum", {BF16_K16, BF16_K8}, "0:3f40*7f00 1:3f40*7f00", "7e7fffff", 1},
    {"X5 no overflow inside", {BF16_K16, BF16_K8}, "0:7f00*7f00 1:ff00*7f00", "3f800000", 1},
    {"X6 low pairs of k first",
     {FP8_K32, FP8_K32_F16, FP8_K16, FP8_K16_F16},
     "0:78*78 1:f8*78 2:3c*3c",
     "0",
     0},
    {"X6 high pairs of k later",
     {FP8_K32, FP8_K32_F16, FP8_K16, FP8_K16_F16},
     "0:3c*3c 2:78*78 3:f8*78",
     "0",
     0},
    {"X6 pairs a group apart",
     {FP8_K32, FP8_K32_F16, FP8_K16, FP8_K16_F16},
     "1:78*78 5:f8*78 10:3c*3c",
     "0",
     0},
    {"X6 C last, to nearest", {FP8_K32, FP8_K16}, "0:1e*18", "43000000", 1},
    {"X9 a chain, large terms first",
     {QUAD_RC, QUAD_RR, QUAD_CC, QUAD_CR, QUAD_F16, QUAD_MIXED},
     "0:7800*7800 1:f800*7800 2:3c00*3c00",
     "0",
     0},
    {"X9 a chain, large terms last",
     {QUAD_RC, QUAD_RR, QUAD_CC, QUAD_CR, QUAD_F16, QUAD_MIXED},
     "0:3c00*3c00 1:7800*7800 2:f800*7800",
     "0",
     0},
    {"X9 C after the products",
     {QUAD_RC, QUAD_RR, QUAD_CC, QUAD_CR},
     "0:f800*7800 1:3c00*3c00",
     "4e800000",
     0},
    {"X9 to nearest", {QUAD_RC, QUAD_RR, QUAD_CC, QUAD_CR}, "0:3e00*0001", "3f800000", 0},
    {"X14 products are not normalised",
     {F32_K16, F32_K8, F32_SP32},
     "0:3e00*3e00 1:be00*3e00 2:0c00*0800",
     "0",
     1},
    {"X14 control", {F32_K16, F32_K8, F32_SP32}, "0:4080*3c00 1:c080*3c00 2:0c00*0800", "0", 1},
    {"X14 a subnormal operand", {F32_K16, F32_K8, F32_SP32}, "0:0001*7800", "33000000", 1},
    {"X15 a subnormal C, f16", {F16_K16, F16_K8, F16_SP32}, "0:1000*0400 1:0100*0001", "2", 1},
    {"X15 a subnormal C, f32", {BF16_K16, BF16_K8, BF16_SP32}, "0:b280*0080", "2", 1},
};

static void place(struct probe *probe, unsigned stored, uint64_t a, uint64_t b) {
    for (unsigned row = 0; row < probe->rows; row++)
        probe_set_a(probe, row, stored, a);
    for (unsigned col = 0; col < probe->cols; col++)
        probe_set_b(probe, probe_k(probe, 4, stored), col, b);
}

/* Places one product and returns the rest of the text, NULL at the end. */
static const char *place_next(struct probe *probe, const char *at, unsigned turn) {
    unsigned long stored = 0;
    uint64_t a, b;
    char *end;
    int everywhere = *at == '*';
    if (!*at)
        return NULL;
    if (!everywhere)
        stored = strtoul(at, &end, 10), at = end;
    else
        at++;
    a = strtoull(at + 1, &end, 16);
    b = strtoull(end + 1, &end, 16);
    for (unsigned k = 0; k < probe->stored; k++)
        if (everywhere || k == (stored + turn) % probe->stored)
            place(probe, k, a, b);
    return *end ? end + 1 : end;
}

static void print_single(struct probe *probe, const struct single *single, unsigned turn) {
    char comment[160];
    uint64_t c = strtoull(single->c, NULL, 16);
    const char *at = single->products;
    probe_clear(probe, 4);
    while (at)
        at = place_next(probe, at, turn);
    for (unsigned row = 0; row < probe->rows; row++)
        for (unsigned col = 0; col < probe->cols; col++)
            probe_set_c(probe, row, col, c);
    snprintf(comment, sizeof comment, "%s; products %s, turned by %u; C %s", single->name,
             *single->products ? single->products : "none", turn, single->c);
    probe_print(probe, comment);
}

void probe_singles(void) {
    static struct probe probe;
    for (unsigned i = 0; i < sizeof singles / sizeof *singles; i++)
        for (unsigned s = 0; s < 6 && singles[i].spellings[s]; s++) {
            probe_open(&probe, singles[i].spellings[s], 0);
            for (unsigned turn = 0; turn == 0 || (singles[i].turn && turn < probe.stored); turn++)
                print_single(&probe, &singles[i], turn);
        }
}
