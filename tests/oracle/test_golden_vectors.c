/* test_golden_vectors.c - dot products with a known answer, which tell the generations apart, and
 * the probes that one H200 answered. Library and oracle must both give the answer. */
#include "../run.h"
#include "dot.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define F16_K4 "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"
#define F16_K4_F16 "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16"
#define F16_K8 "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
#define F16_K8_F16 "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"
#define F16 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#define F16_F16 "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
#define BF16 "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#define BF16_K8 "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"
#define TF32 "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
#define TF32_K4 "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"
#define E4M3 "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"
#define E4M3_F16 "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16"
#define E5M2 "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32"
#define F64 "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"
#define NVFP4                                                                                      \
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"                   \
    ".f32.e2m1.e2m1.f32.ue4m3"
#define WMMA_F16 "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32"
#define SP_F16 "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
#define SP_BF16 "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32"
#define SP_E5M2 "mma.sp.sync.aligned.m16n8k64.row.col.f32.e5m2.e5m2.f32"

/* Vectors that differ between generations. Digits are in k order; an instruction shorter than the
 * vector is run again on the next part with its D as C. */
static const struct {
    const char *spelling;
    int digits; /* hexadecimal digits of one element */
    const char *a, *b;
    uint64_t c;
    const char *archs;
    uint64_t want;
    unsigned sfa, sfb;
} vectors[] = {
#define V1                                                                                         \
    "2d9e48cb4b37d3a8acdb3a55348b2967a041b0ad25e2b0db3a8042b0b75b4548",                            \
        "a420b26ea2d5b16ab32a469029d12f13331da83049c9a624cb3ab44f48cc3cb6"
#define V2                                                                                         \
    "a756b753c0734d96b3d0c8742da8b48f277e31a1a1ba3ab2cdfa3ec2520b506b",                            \
        "c36baa57340fb4a74982c61449cfc75e3f1545eccd9536ca3e8732ebb82eb041"
    {F16_K4, 4, V1, 0xbe60a582, "sm_70", 0x402c329c, 0, 0},
    {WMMA_F16, 4, V1, 0xbe60a582, "sm_70", 0x402c329c, 0, 0},
    {F16_K8, 4, V1, 0xbe60a582, "sm_75 sm_80 sm_89", 0x402c32a2, 0, 0},
    {F16, 4, V1, 0xbe60a582, "sm_80 sm_86 sm_87 sm_89", 0x402c32a2, 0, 0},
    {F16, 4, V1, 0xbe60a582, "sm_90 sm_90a sm_100 sm_103a sm_120a sm_121", 0x402c32a7, 0, 0},
    {F16_K4_F16, 4, V1, 0xb305, "sm_70", 0x4161, 0, 0},
    {F16_K8_F16, 4, V1, 0xb305, "sm_75", 0x4160, 0, 0},
    {F16_F16, 4, V1, 0xb305, "sm_80 sm_89", 0x4160, 0, 0},
    {F16_F16, 4, V1, 0xb305, "sm_90a sm_100a sm_120a", 0x4162, 0, 0},
    {F16_K4, 4, V2, 0xc0305444, "sm_70", 0xc1b02bce, 0, 0},
    {WMMA_F16, 4, V2, 0xc0305444, "sm_70", 0xc1b02bce, 0, 0},
    {F16_K8, 4, V2, 0xc0305444, "sm_75", 0xc1b02bcb, 0, 0},
    {F16, 4, V2, 0xc0305444, "sm_80 sm_89", 0xc1b02bcb, 0, 0},
    {F16, 4, V2, 0xc0305444, "sm_90a sm_100a sm_120a", 0xc1b02bca, 0, 0},
    {F16_K4_F16, 4, V2, 0xc183, "sm_70", 0xcd83, 0, 0},
    {F16_K8_F16, 4, V2, 0xc183, "sm_75", 0xcd82, 0, 0},
    {F16_F16, 4, V2, 0xc183, "sm_80 sm_89", 0xcd82, 0, 0},
    {F16_F16, 4, V2, 0xc183, "sm_90a sm_100a sm_120a", 0xcd81, 0, 0},
#define V3                                                                                         \
    "26c14e983f4ba4c833c3509a3c4fba554448183930d41a54a823d04e4ead579e",                            \
        "9c2b2fb9d0bec837cfbf4d1ca05128cf262aa14bd42c1fb533d4c5ba99379d21"
#define V4                                                                                         \
    "52c59ca425c5c1a4a3394baf333cb449a32626af2445d2d2b3b5d738b152b236",                            \
        "a3bdad224aa03c2c19ceb4b323522dbd339a981a4b9c42c04928a022d42b4221"
    {E4M3, 2, V3, 0x3ef2e646, "sm_89", 0xc0298000, 0, 0},
    {E4M3, 2, V3, 0x3ef2e646, "sm_90a sm_100a sm_103a", 0xc029c137, 0, 0},
    {E4M3, 2, V3, 0x3ef2e646, "sm_120a sm_121a", 0xc029c138, 0, 0},
    {E4M3_F16, 2, V3, 0x3797, "sm_89", 0xc14c, 0, 0},
    {E4M3_F16, 2, V3, 0x3797, "sm_90a sm_100a", 0xc150, 0, 0},
    {E4M3_F16, 2, V3, 0x3797, "sm_120a", 0xc14e, 0, 0},
    {E4M3, 2, V4, 0x3f18eaae, "sm_89", 0x3f7c0000, 0, 0},
    {E4M3, 2, V4, 0x3f18eaae, "sm_90a sm_100a", 0x3f7ad2ae, 0, 0},
    {E4M3, 2, V4, 0x3f18eaae, "sm_120a", 0x3f7ad2a8, 0, 0},
    {E4M3_F16, 2, V4, 0x38c7, "sm_89", 0x3be0, 0, 0},
    {E4M3_F16, 2, V4, 0x38c7, "sm_90a sm_100a", 0x3be2, 0, 0},
    {E4M3_F16, 2, V4, 0x38c7, "sm_120a", 0x3bd6, 0, 0},
    {NVFP4, 1, "3d6bc33875b0f0c4743b9f57cebf5ff51313735379fe9d07ea5ca1da1e6cbc37",
     "e26ca51cffb676bf1b22f2029e7ca29d9f7ae5288200cfba18be26fd3dd30434", 0xc1234567, "sm_120a",
     0xc4a1191a, 0x4b611e40, 0x35452129},
    /* 2^23 - 2^23 - 0.5 - 0.25 - 0.125 (Xie et al.) */
    {F16_K4, 4, "6c00380034003000", "e800bc00bc00bc00", 0x4b000000, "sm_70", 0, 0, 0},
    {F16_K8, 4, "6c00380034003000", "e800bc00bc00bc00", 0x4b000000, "sm_75", 0xbf000000, 0, 0},
    {F16, 4, "6c00380034003000", "e800bc00bc00bc00", 0x4b000000, "sm_80 sm_89", 0xbf000000, 0, 0},
    {F16, 4, "6c00380034003000", "e800bc00bc00bc00", 0x4b000000, "sm_90a sm_100 sm_120", 0xbf400000,
     0, 0},
    {E5M2, 2, "6c383430", "e8bcbcbc", 0x4b000000, "sm_89", 0, 0, 0},
    {E5M2, 2, "6c383430", "e8bcbcbc", 0x4b000000, "sm_120a", 0xbf400000, 0, 0},
    {F64, 16, "40b00000000000003fe00000000000003fd00000000000003fc0000000000000",
     "c0a0000000000000bff0000000000000bff0000000000000bff0000000000000", 0x4160000000000000,
     "sm_90a sm_120", 0xbfec000000000000, 0, 0},
};

/* "digits" from element `from`, `count` of them at most, as the list that dot_expect takes. */
static void as_list(const char *text, int digits, int from, int count, char *list) {
    int length = (int)strlen(text) / digits;
    *list = 0;
    for (int k = 0; k < count && from + k < length; k++)
        list += sprintf(list, "%d:%.*s ", k, digits, text + (from + k) * digits);
}

/* The accumulator after the parts of vector `i` that come before element `from`. The answers in
 * between are not published, so they are the library's own. */
static uint64_t partial(int i, const char *arch, int from, int k, uint64_t c) {
    struct wsim_op op;
    struct oracle_op parsed;
    struct dot_case dot = {"", vectors[i].spelling, arch, NULL, NULL, c, 0, i, 0, 0};
    char a[2048], b[2048];
    judge_parse(dot.spelling, &op, &parsed);
    for (int at = 0; at < from; at += k) {
        as_list(vectors[i].a, vectors[i].digits, at, k, a);
        as_list(vectors[i].b, vectors[i].digits, at, k, b);
        dot.a = a, dot.b = b;
        dot.c = dot_result(&dot);
    }
    return dot.c;
}

static void vector_on(int i, const char *arch) {
    struct wsim_op op;
    struct oracle_op parsed;
    char a[2048], b[2048];
    judge_parse(vectors[i].spelling, &op, &parsed);
    int length = (int)strlen(vectors[i].a) / vectors[i].digits, k = parsed.k;
    int last = (length - 1) / k * k;
    as_list(vectors[i].a, vectors[i].digits, last, k, a);
    as_list(vectors[i].b, vectors[i].digits, last, k, b);
    dot_expect(&(struct dot_case){"golden vector", vectors[i].spelling, arch, a, b,
                                  partial(i, arch, last, k, vectors[i].c), vectors[i].want, i,
                                  vectors[i].sfa, vectors[i].sfb});
}

START_TEST(golden_vectors) {
    char archs[80], *rest = NULL;
    snprintf(archs, sizeof archs, "%s", vectors[_i].archs);
    for (char *arch = strtok_r(archs, " ", &rest); arch; arch = strtok_r(NULL, " ", &rest))
        vector_on(_i, arch);
}
END_TEST

/* The answers of the H200. */
static const struct {
    const char *name, *spelling, *a, *b;
    uint64_t c, want;
} probes[] = {
    {"least exponent, f16: 2^-46", F16_F16, "0:1000 1:0002", "0:0400 1:0002", 0, 0x0001},
    {"least exponent, f16: 2^-47", F16_F16, "0:1000 1:0002", "0:0400 1:0001", 0, 0x0000},
    {"least exponent, f16: 2^-48", F16_F16, "0:1000 1:0001", "0:0400 1:0001", 0, 0x0000},
    {"least exponent, f16, last k", F16_F16, "14:1000 15:0002", "14:0400 15:0002", 0, 0x0001},
    {"least exponent, f16, last k", F16_F16, "14:1000 15:0002", "14:0400 15:0001", 0, 0x0000},
    {"least exponent, f16 k8", F16_K8_F16, "0:1000 1:0002", "0:0400 1:0002", 0, 0x0001},
    {"least exponent, f16 k8", F16_K8_F16, "0:1000 1:0002", "0:0400 1:0001", 0, 0x0000},
    {"least exponent, f32: 2^-151", BF16, "0:3400 1:b300", "0:0080 1:0080", 0, 0},
    {"least exponent, f32: 2^-152", BF16, "0:3400 1:b280", "0:0080 1:0080", 0, 0},
    {"least exponent, f32: 2^-158", BF16, "0:3400 1:af80", "0:0080 1:0080", 0, 0},
    {"least exponent, f32: 2^-159", BF16, "0:3400 1:af00", "0:0080 1:0080", 0, 1},
    {"least exponent, f32: 2^-175", BF16, "0:3400 1:a700", "0:0080 1:0080", 0, 1},
    {"least exponent, bf16 k8", BF16_K8, "0:3400 1:af80", "0:0080 1:0080", 0, 0},
    {"least exponent, bf16 k8", BF16_K8, "0:3400 1:af00", "0:0080 1:0080", 0, 1},
    {"least exponent, tf32 k8", TF32, "0:34000000 1:af800000", "0:00800000 1:00800000", 0, 0},
    {"least exponent, tf32 k8", TF32, "0:34000000 1:af000000", "0:00800000 1:00800000", 0, 1},
    {"least exponent, tf32 k4", TF32_K4, "0:34000000 1:af800000", "0:00800000 1:00800000", 0, 0},
    {"least exponent, tf32 k4", TF32_K4, "0:34000000 1:af000000", "0:00800000 1:00800000", 0, 1},
    {"underflow of a negative sum, f32", BF16, "0:b380", "0:0080", 0, 0},
    {"negative sum truncated away", BF16, "0:ae80", "0:0080", 0, 0},
    {"underflow of a negative sum, f16", F16_F16, "0:8400", "0:0c00", 0, 0},
    {"all terms -0", F16, "*:8000", "*:0000", 0x80000000, 0},
    {"all terms -0, f16", F16_F16, "*:8000", "*:0000", 0x8000, 0},
    {"tf32 NaN in the dropped bits", TF32, "0:7f800001", "0:3f800000", 0, 0x7f800000},
    {"tf32 NaN in the dropped bits", TF32, "0:ff801fff", "0:3f800000", 0, 0xff800000},
    {"tf32 NaN", TF32, "0:7f802000", "0:3f800000", 0, 0x7fffffff},
    {"infinity times zero", F16, "0:7c00", "0:0000", 0, 0x7fffffff},
    {"infinity times zero, f16", F16_F16, "0:7c00", "0:0000", 0, 0x7fff},
    {"infinity minus infinity", F16, "0:7c00", "0:3c00", 0xff800000, 0x7fffffff},
    {"NaN in C", F16, "", "", 0x7f800001, 0x7fffffff},
    {"negative NaN in C", F16, "", "", 0xffc12345, 0x7fffffff},
    {"overflow", BF16, "0:3f80 1:3f80", "0:7f00 1:7f00", 0, 0x7f800000},
    {"just below overflow", BF16, "0:3f40 1:3f40", "0:7f00 1:7f00", 0x7e7fffff, 0x7f7fffff},
    {"no overflow inside", BF16, "0:7f00 1:ff00", "0:7f00 1:7f00", 0x3f800000, 0},
    {"fp8: pairs 0 1 before 2 3", E5M2, "0:78 1:f8 2:3c", "0:78 1:78 2:3c", 0, 0x3f800000},
    {"fp8: pairs 0 1 before 2 3", E5M2, "2:78 3:f8 0:3c", "2:78 3:78 0:3c", 0, 0},
    {"fp8: C last, to nearest", E5M2, "0:1e", "0:18", 0x43000000, 0x43000001},
    {"m8n8k4: chain", F16_K4, "0:7800 1:f800 2:3c00", "0:7800 1:7800 2:3c00", 0, 0x3f800000},
    {"m8n8k4: k ascending", F16_K4, "0:3c00 1:7800 2:f800", "0:3c00 1:7800 2:7800", 0, 0},
    {"m8n8k4: C last", F16_K4, "0:f800 1:3c00", "0:7800 1:3c00", 0x4e800000, 0},
    {"m8n8k4: to nearest", F16_K4, "0:3e00", "0:0001", 0x3f800000, 0x3f800001},
    {"m8n8k4: pairs, f16", F16_K4_F16, "0:7800 1:f800 2:3c00", "0:7800 1:7800 2:3c00", 0, 0x3c00},
    {"tf32 k8 is one step", TF32, "0:47000000 1:c7000000 4:3f800000",
     "0:47000000 1:47000000 4:3f800000", 0, 0},
    {"products are not normalised", F16, "0:3e00 1:be00 2:0c00", "0:3e00 1:3e00 2:0800", 0,
     0x33000000},
    {"the same with one exponent more", F16, "0:4080 1:c080 2:0c00", "0:3c00 1:3c00 2:0800", 0, 0},
    {"subnormals are not normalised", F16, "0:0001", "0:7800", 0x33000000, 0x3b000000},
    {"subnormal C, f16", F16_F16, "0:1000 1:0100", "0:0400 1:0001", 0x0002, 0x0002},
    {"subnormal C, f32", BF16, "0:b280", "0:0080", 0x00000002, 0x00000002},
    {"sparse: c and a far product", SP_F16, "0:f800 14:3c00", "0:7800 28:3c00", 0x4e800000, 0},
    {"sparse: dropped rows are absent", SP_F16, "0:3c00", "0:3c00 2:7e00 3:7c00", 0, 0x3f800000},
    {"f64: to nearest each time", F64, "0:3ca0000000000000 1:3ca0000000000000",
     "0:3ff0000000000000 1:3ff0000000000000", 0x3ff0000000000000, 0x3ff0000000000000},
    {"f64: NaN made quiet", F64, "", "", 0x7ff0000000000001, 0x7ff8000000000001},
    {"f64: NaN kept", F64, "", "", 0xfff8000000000123, 0xfff8000000000123},
    {"f64: b before c", F64, "0:3ff0000000000000", "0:7ff0000000000005", 0x7ff8000000000001,
     0x7ff8000000000005},
    {"f64: c before a", F64, "0:7ff8000000000007", "0:3ff0000000000000", 0x7ff8000000000001,
     0x7ff8000000000001},
    {"f64: zero times infinity", F64, "0:0", "0:7ff0000000000000", 0, 0xfff8000000000000},
    {"f64: all terms -0", F64, "*:8000000000000000", "*:3ff0000000000000", 0x8000000000000000,
     0x8000000000000000},
};

/* Results of a V100. From MMAScope: ascending steps of four (small terms vanish beside large ones),
 * one rounding for each step, subnormals, NaN. From Fasi et al. 2021: carries out of a sum. */
#define ONES "0:3c00 1:3c00 2:3c00 3:3c00 4:3c00 5:3c00 6:3c00 7:3c00 8:3c00 9:3c00 "
#define MORE_ONES "10:3c00 11:3c00 12:3c00 13:3c00 14:3c00 15:3c00"
static const struct {
    const char *name, *a, *b;
    uint64_t c, want;
} volta[] = {
    {"a step is lost", "0:7800 1:7800 " ONES MORE_ONES, "0:7800 1:f800 " ONES MORE_ONES, 0x3f800000,
     0x41400000},
    {"a step is lost", "0:7800 3:7800 " ONES MORE_ONES, "0:7800 3:f800 " ONES MORE_ONES, 0x3f800000,
     0x41400000},
    {"two steps are lost", "0:7800 4:7800 " ONES MORE_ONES, "0:7800 4:f800 " ONES MORE_ONES,
     0x3f800000, 0x41000000},
    {"two steps are lost", "0:7800 7:7800 " ONES MORE_ONES, "0:7800 7:f800 " ONES MORE_ONES,
     0x3f800000, 0x41000000},
    {"three steps are lost", "0:7800 8:7800 " ONES MORE_ONES, "0:7800 8:f800 " ONES MORE_ONES,
     0x3f800000, 0x40800000},
    {"three steps are lost", "0:7800 11:7800 " ONES MORE_ONES, "0:7800 11:f800 " ONES MORE_ONES,
     0x3f800000, 0x40800000},
    {"all steps are lost", "0:7800 12:7800 " ONES MORE_ONES, "0:7800 12:f800 " ONES MORE_ONES,
     0x3f800000, 0},
    {"all steps are lost", "0:7800 13:7800 " ONES MORE_ONES, "0:7800 13:f800 " ONES MORE_ONES,
     0x3f800000, 0},
    {"truncated in each step", "0:0001 1:0001 2:0001", ONES MORE_ONES, 0x3f800000, 0x3f800000},
    {"three of 2^-24 below one", "0:0001 1:0001 2:0001", ONES MORE_ONES, 0x3f7fffff, 0x3f800001},
    {"subnormal", "0:0001", ONES MORE_ONES, 0, 0x33800000},
    {"signalling NaN", "0:7c01", ONES MORE_ONES, 0, 0x7fffffff},
    {"carry: 4 + 2^-21", ONES, "0:0002 1:3c00 2:3c00 3:3c00", 0x3f800003, 0x40800001},
    {"carry: a third bit", ONES, "0:3c00 1:3e00 2:3f00 3:3f80", 0x3ff00000, 0x41000000},
    {"no guard bit", "0:3c00", "0:3c00", 0xbf7fffff, 0x34000000},
};

START_TEST(outputs_of_volta) {
    for (int spread = 0; spread < 16; spread++)
        dot_expect(&(struct dot_case){volta[_i].name, WMMA_F16, "sm_70", volta[_i].a, volta[_i].b,
                                      volta[_i].c, volta[_i].want, spread, 0, 0});
}
END_TEST

START_TEST(probes_of_hopper) {
    for (int spread = 0; spread < 8; spread++)
        dot_expect(&(struct dot_case){probes[_i].name, probes[_i].spelling, "sm_90a", probes[_i].a,
                                      probes[_i].b, probes[_i].c, probes[_i].want, spread, 0, 0});
}
END_TEST

/* A pair that cancels in one group of the sparse operand and 1.0 in another. The result is zero if
 * they meet in one step, 1.0 if the 1.0 comes in a later one. */
static void sparse_groups(const char *spelling, int groups, const char *big, const char *minus,
                          const char *one, int eight_bit) {
    char a[64], b[64];
    for (int pair = 0; pair < groups; pair++)
        for (int single = 0; single < groups; single++) {
            int later = eight_bit && pair % 2 == 0 && single % 2 == 1;
            if (pair == single)
                continue;
            snprintf(a, sizeof a, "%d:%s %d:%s %d:%s", 2 * pair, big, 2 * pair + 1, minus,
                     2 * single, one);
            snprintf(b, sizeof b, "%d:%s %d:%s %d:%s", 4 * pair, big, 4 * pair + 1, big, 4 * single,
                     one);
            dot_expect(&(struct dot_case){"sparse groups", spelling, "sm_90a", a, b, 0,
                                          later ? 0x3f800000 : 0, pair, 0, 0});
        }
}

START_TEST(sparse_steps_of_hopper) {
    sparse_groups(SP_F16, 8, "7800", "f800", "3c00", 0);
    sparse_groups(SP_BF16, 8, "5880", "d880", "3f80", 0);
    sparse_groups(SP_E5M2, 16, "78", "f8", "3c", 1);
}
END_TEST

static const struct {
    const char *spelling;
    int k;
    const char *ten, *minus_ten, *hundred, *minus_hundred;
} saturating[] = {
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", 32, "0a", "f6", "64", "9c"},
    {"mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32", 16, "0a", "f6", "64", "9c"},
    {"mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32", 16, "0a", "f6", "64", "9c"},
    {"mma.sp.sync.aligned.m16n8k64.row.col.satfinite.s32.s8.s8.s32", 32, "0a", "f6", "64", "9c"}};

/* Integers saturate once, at the end, wherever the two products stand (a fifth of all pairs). */
START_TEST(saturation_of_hopper) {
    char a[64], b[64];
    int last = saturating[_i].k, sparse = strstr(saturating[_i].spelling, ".sp.") != NULL;
    for (int i = 0; i < last; i++)
        for (int j = i % 4; j < last; j += 5) {
            int bi = sparse ? i / 2 * 4 + i % 2 : i, bj = sparse ? j / 2 * 4 + j % 2 : j;
            if (i == j)
                continue;
            snprintf(a, sizeof a, "%d:01 %d:01", i, j);
            snprintf(b, sizeof b, "%d:%s %d:%s", bi, saturating[_i].ten, bj,
                     saturating[_i].minus_hundred);
            struct dot_case dot = {"saturates once",
                                   saturating[_i].spelling,
                                   "sm_90a",
                                   a,
                                   b,
                                   0x7ffffff6,
                                   0x7fffff9c,
                                   i,
                                   0,
                                   0};
            dot_expect(&dot);
            snprintf(b, sizeof b, "%d:%s %d:%s", bi, saturating[_i].minus_ten, bj,
                     saturating[_i].hundred);
            dot.c = 0x80000009, dot.want = 0x80000063;
            dot_expect(&dot);
        }
}
END_TEST

/* 1 + 2^53 - 2^53 in either order of k: the chain ascends. */
START_TEST(order_of_f64) {
    static const char *const spellings[] = {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
                                            "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
                                            F64};
    static const int ks[] = {4, 4, 8, 16};
    char a[80], b[80];
    for (int i = 0; i < ks[_i]; i++)
        for (int j = 0; j < ks[_i]; j++) {
            if (i == j)
                continue;
            snprintf(a, sizeof a, "%d:41a0000000000000 %d:c1a0000000000000", i, j);
            snprintf(b, sizeof b, "%d:4190000000000000 %d:4190000000000000", i, j);
            dot_expect(&(struct dot_case){"f64 order", spellings[_i], "sm_90a", a, b,
                                          0x3ff0000000000000, i < j ? 0 : 0x3ff0000000000000, i, 0,
                                          0});
        }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{golden_vectors, 0, (int)(sizeof vectors / sizeof *vectors)},
                                       {outputs_of_volta, 0, (int)(sizeof volta / sizeof *volta)},
                                       {probes_of_hopper, 0, (int)(sizeof probes / sizeof *probes)},
                                       {sparse_steps_of_hopper, 0, 1},
                                       {saturation_of_hopper, 0, 4},
                                       {order_of_f64, 0, 4}};
    return every_run("oracle/golden_vectors", tests, 6);
}
