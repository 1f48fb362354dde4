/* One fused step, by probes with one answer each: alignment exponent, its floor,
 * truncation, lost bits of the accumulator, overflow, specials, the sign of zero. The answers are
 * those of an H200 where a comment does not say otherwise. */
#include "helper.h"

#define HALF_F32 fused_f32(20, 25, -133, 16, 23)
#define HALF_F16 fused_f16(20, 25, -21, 16)
#define BF16_F32 fused_f32(14, 25, -133, 16, 23)
#define TF32_F32 fused_f32(20, 25, -133, 8, 23)
#define E8M13(frac) fused_f32(frac, 13, -133, 32, 13)

struct probe {
    uint32_t a[4], b[4];
    uint64_t c, want;
};

/* Each probe with its products first and last among `n`; the others are zero. */
static void check(struct num_fused fused, const struct wsim_format *format, unsigned n,
                  const struct probe *probe) {
    uint32_t a[MAX_ELEMS] = {0}, b[MAX_ELEMS] = {0};
    unsigned container = format->bits == 19 ? 32 : format->bits, k;
    for (k = 0; k < 4; k++) {
        a[k] = probe->a[k];
        b[k] = probe->b[k];
    }
    ck_hex(chain(&fused, format, container, n, a, b, probe->c), probe->want);
    for (k = 0; k < 4; k++) {
        a[k] = b[k] = 0;
    }
    for (k = 0; k < 4; k++) {
        a[n - 4 + k] = probe->a[k];
        b[n - 4 + k] = probe->b[k];
    }
    ck_hex(chain(&fused, format, container, n, a, b, probe->c), probe->want);
}

START_TEST(floor_with_f16_result) {
    static const uint32_t a[] = {2, 2, 1}, b[] = {2, 1, 1}; /* 2^-46, 2^-47, 2^-48 */
    static const int floors[] = {-21, -22, -133};
    static const uint64_t want[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
    unsigned i, f;
    for (f = 0; f < 3; f++)
        for (i = 0; i < 3; i++) {
            struct probe probe = {{0x1000, 0}, {0x0400, 0}, 0, 0};
            probe.a[1] = a[i];
            probe.b[1] = b[i];
            probe.want = want[f][i];
            check(fused_f16(20, 25, floors[f], 16), &F16, 16, &probe);
            check(fused_f16(20, 25, floors[f], 8), &F16, 8, &probe);
        }
}
END_TEST

/* 2^-149 minus something small: at t = 159 it is below what a sum with this floor keeps. */
START_TEST(floor_with_f32_result) {
    static const struct {
        uint32_t a1;
        uint64_t want[3]; /* floors -133 -132 -134 */
    } row[] = {
        {0xB300, {0, 0, 0}}, {0xB280, {0, 0, 0}}, {0xAF80, {0, 1, 0}},
        {0xAF00, {1, 1, 0}}, {0xA700, {1, 1, 1}},
    };
    static const int floors[] = {-133, -132, -134};
    unsigned i, f;
    for (i = 0; i < COUNT(row); i++)
        for (f = 0; f < 3; f++) {
            struct probe probe = {{0x3400, 0}, {0x0080, 0x0080}, 0, 0};
            probe.a[1] = row[i].a1;
            probe.want = row[i].want[f];
            check(fused_f32(14, 25, floors[f], 16, 23), &BF16, 16, &probe);
            check(fused_f32(14, 25, floors[f], 8, 23), &BF16, 8, &probe);
            probe.a[0] <<= 16, probe.a[1] <<= 16, probe.b[0] <<= 16, probe.b[1] <<= 16;
            check(fused_f32(20, 25, floors[f], 8, 23), &TF32, 8, &probe);
            check(fused_f32(20, 25, floors[f], 4, 23), &TF32, 4, &probe);
        }
}
END_TEST

/* A sum that is zero or becomes zero is +0, whatever signs went in. */
START_TEST(sign_of_zero) {
    static const struct probe bf16[] = {
        {{0xB380}, {0x0080}, 0, 0},          /* rounds to zero                          */
        {{0xAE80}, {0x0080}, 0, 0},          /* is truncated before                     */
        {{0x8000}, {0x3F80}, 0x80000000, 0}, /* all terms are -0                        */
        {{0xBF80}, {0x3F80}, 0x3F800000, 0}, /* cancels                                 */
        {{0xB480}, {0x0080}, 0, 0x80000002}, /* and the sign is there when a bit is left */
    };
    static const struct probe f16[] = {
        {{0x8400}, {0x0C00}, 0, 0},
        {{0x8000}, {0x3C00}, 0x8000, 0},
        {{0x8400}, {0x1400}, 0, 0x8001},
    };
    unsigned i;
    for (i = 0; i < COUNT(bf16); i++)
        check(BF16_F32, &BF16, 16, &bf16[i]);
    for (i = 0; i < COUNT(f16); i++)
        check(HALF_F16, &F16, 16, &f16[i]);
}
END_TEST

/* 13 bits kept: the accumulator is truncated as the products are. */
START_TEST(short_accumulator) {
    static const struct probe row[] = {
        {{0}, {0}, 0x3F800001, 0x3F800000},
        {{0}, {0}, 0x7F7FFFFF, 0x7F7FFC00},
        {{0}, {0}, 0x007FFFFF, 0x007FFC00},
        {{0}, {0}, 0x00000001, 0},
        {{0}, {0}, 0x80000001, 0},
        {{0x3C}, {0x40}, 0x46800000, 0x46800400},
        {{0xBC}, {0x40}, 0xC6800000, 0xC6800400},
    };
    unsigned i;
    for (i = 0; i < COUNT(row); i++)
        check(E8M13(6), &E4M3, 32, &row[i]);
}
END_TEST

START_TEST(specials_tf32) {
    static const struct probe row[] = {
        {{0x7F800001}, {0x3F800000}, 0, 0x7F800000}, /* a NaN whose payload is cut off */
        {{0xFF801FFF}, {0x3F800000}, 0, 0xFF800000},
        {{0x7F802000}, {0x3F800000}, 0, 0x7FFFFFFF},
    };
    unsigned i;
    for (i = 0; i < COUNT(row); i++)
        check(TF32_F32, &TF32, 8, &row[i]);
}
END_TEST

START_TEST(specials_f16) {
    static const struct probe row[] = {
        {{0x7C00}, {0x0000}, 0, 0x7FFFFFFF},
        {{0x8000}, {0xFC00}, 0, 0x7FFFFFFF},
        {{0x7C00}, {0x3C00}, 0, 0x7F800000},
        {{0x7C00}, {0xBC00}, 0, 0xFF800000},
        {{0x7C00}, {0x8001}, 0, 0xFF800000}, /* a subnormal is no zero */
        {{0x7C00}, {0x3C00}, 0xFF800000, 0x7FFFFFFF},
        {{0xFC00}, {0x3C00}, 0xFF800000, 0xFF800000},
        {{0x7C00, 0xFC00}, {0x3C00, 0x3C00}, 0, 0x7FFFFFFF},
        {{0x7C00, 0xFC00}, {0x3C00, 0xBC00}, 0x42000000, 0x7F800000},
        {{0x3C00}, {0x3C00}, 0xFF800000, 0xFF800000},
        {{0x3C00}, {0x3C00}, 0x7F800001, 0x7FFFFFFF},
        {{0x3C00}, {0x3C00}, 0xFFC12345, 0x7FFFFFFF},
        {{0x3C00, 0xFC01}, {0x3C00, 0x0000}, 0, 0x7FFFFFFF},
    };
    static const struct probe to_f16[] = {
        {{0x7C00}, {0x0000}, 0, 0x7FFF},
        {{0x7C00}, {0x3C00}, 0x3C00, 0x7C00},
        {{0x7C00}, {0x3C00}, 0xFC00, 0x7FFF},
        {{0x3C00}, {0x3C00}, 0xFE00, 0x7FFF},
    };
    unsigned i;
    for (i = 0; i < COUNT(row); i++)
        check(HALF_F32, &F16, 16, &row[i]);
    for (i = 0; i < COUNT(to_f16); i++)
        check(HALF_F16, &F16, 16, &to_f16[i]);
}
END_TEST

START_TEST(overflow) {
    static const struct probe bf16[] = {
        {{0x3F80, 0x3F80}, {0x7F00, 0x7F00}, 0, 0x7F800000},
        {{0xBF80, 0xBF80}, {0x7F00, 0x7F00}, 0, 0xFF800000},
        {{0x3F40, 0x3F40}, {0x7F00, 0x7F00}, 0x7E7FFFFF, 0x7F7FFFFF},
        {{0x7F00, 0xFF00}, {0x7F00, 0x7F00}, 0x3F800000, 0}, /* none on the way */
    };
    static const struct probe f16[] = {
        {{0x7BFF, 0x3C00}, {0x3C00, 0x4B80}, 0, 0x7BFF}, /* 65504 + 15 */
        {{0x7BFF, 0x3C00}, {0x3C00, 0x4C00}, 0, 0x7C00}, /* 65504 + 16 */
        {{0xFBFF, 0xBC00}, {0x3C00, 0x4C00}, 0, 0xFC00},
    };
    unsigned i;
    for (i = 0; i < COUNT(bf16); i++)
        check(BF16_F32, &BF16, 16, &bf16[i]);
    for (i = 0; i < COUNT(f16); i++)
        check(HALF_F16, &F16, 16, &f16[i]);
}
END_TEST

/* The exponent of a product is the sum of its factors', whatever the significands; subnormals
 * enter with the least exponent. */
START_TEST(alignment_exponent) {
    static const struct probe f32[] = {
        {{0x3E00, 0xBE00, 0x0C00}, {0x3E00, 0x3E00, 0x0800}, 0, 0x33000000},
        {{0x4080, 0xC080, 0x0C00}, {0x3C00, 0x3C00, 0x0800}, 0, 0},
        {{0x0001}, {0x7800}, 0x33000000, 0x3B000000},
    };
    static const struct probe f16 = {{0x1000, 0x0100}, {0x0400, 0x0001}, 2, 2};
    static const struct probe bf16 = {{0xB280}, {0x0080}, 2, 2};
    unsigned i;
    for (i = 0; i < COUNT(f32); i++)
        check(HALF_F32, &F16, 16, &f32[i]);
    check(HALF_F16, &F16, 16, &f16);
    check(BF16_F32, &BF16, 16, &bf16);
}
END_TEST

/* A zero product has no exponent, however large its factor: 0 * 2^127 * 2^scale hides nothing. */
START_TEST(zero_products_hide_nothing) {
    static const struct probe row = {{0, 0x7F00, 0x3F80}, {0x7F00, 0x8000, 0x3F80}, 0, 0x3F800000};
    struct num_fused fused = BF16_F32;
    struct num_elem a[2] = {{0, 0, WSIM_ZERO}, {64, -200, WSIM_FINITE}};
    struct num_elem b[2] = {{0, 0, WSIM_ZERO}, {128, 0, WSIM_FINITE}};
    check(BF16_F32, &BF16, 16, &row);
    ck_hex(num_fused_chain(&fused, 2, a, b, 100, 0), UINT64_C(0x0D000000)); /* 2^-101 */
}
END_TEST

/* The scale moves products against the accumulator and the floor. */
START_TEST(scale) {
    struct num_fused fused = fused_f32(6, 25, -133, 32, 23);
    struct num_elem a[32], b[32];
    uint32_t ones[32];
    unsigned k;
    for (k = 0; k < 32; k++)
        ones[k] = 0x38;
    elems(&E4M3, 8, 32, ones, a);
    elems(&E4M3, 8, 32, ones, b);
    ck_hex(num_fused_chain(&fused, 32, a, b, 0, 0), UINT64_C(0x42000000));
    ck_hex(num_fused_chain(&fused, 32, a, b, 3, 0x3F800000), UINT64_C(0x43808000));
    ck_hex(num_fused_chain(&fused, 32, a, b, -25, 0x3F800000), UINT64_C(0x3F800008));
    ck_hex(num_fused_chain(&fused, 32, a, b, -26, 0x3F800000), UINT64_C(0x3F800000));
    ck_hex(num_fused_chain(&fused, 32, a, b, -154, 0), UINT64_C(1));
    ck_hex(num_fused_chain(&fused, 32, a, b, -158, 0), UINT64_C(0));
    ck_hex(num_fused_chain(&fused, 32, a, b, -254, 0x3F800000), UINT64_C(0x3F800000));
    ck_hex(num_fused_chain(&fused, 32, a, b, 122, 0), UINT64_C(0x7F000000));
    ck_hex(num_fused_chain(&fused, 32, a, b, 123, 0), UINT64_C(0x7F800000));
    ck_hex(num_fused_chain(&fused, 32, a, b, 254, 0xFF7FFFFF), UINT64_C(0x7F800000));
}
END_TEST

/* Steps chain in ascending order through the format of the result, the last may be short. */
START_TEST(chain_of_steps) {
    static const uint32_t a[] = {0x7800, 0x3C00, 0xF800, 0x3C00, 0x7BFF, 0x7BFF, 0xFBFF};
    static const uint32_t b[] = {0x7800, 0x3C00, 0x7800, 0x3C00, 0x3C00, 0x3C00, 0x3C00};
    struct num_fused one = fused_f32(20, 25, -133, 1, 23), two = fused_f32(20, 25, -133, 2, 23);
    struct num_fused four = fused_f32(20, 25, -133, 4, 23), h = fused_f16(20, 25, -21, 1);
    ck_hex(chain(&one, &F16, 16, 4, a, b, 0), UINT64_C(0x3F800000));
    ck_hex(chain(&two, &F16, 16, 4, a, b, 0), UINT64_C(0));
    ck_hex(chain(&two, &F16, 16, 2, a, b, 0xCE800000), UINT64_C(0));
    ck_hex(chain(&four, &F16, 16, 4, a, b, 0x40000000), UINT64_C(0));
    ck_hex(chain(&two, &F16, 16, 3, a, b, 0), UINT64_C(0));
    ck_hex(chain(&h, &F16, 16, 3, a + 4, b + 4, 0), UINT64_C(0x7C00)); /* infinity stays */
    h.width = 3;
    ck_hex(chain(&h, &F16, 16, 3, a + 4, b + 4, 0), UINT64_C(0x7BFF));
    ck_hex(chain(&one, &F16, 16, 0, a, b, 0xDEADBEEF), UINT64_C(0xDEADBEEF));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        floor_with_f16_result,
        floor_with_f32_result,
        sign_of_zero,
        short_accumulator,
        specials_tf32,
        specials_f16,
        overflow,
        alignment_exponent,
        zero_products_hide_nothing,
        scale,
        chain_of_steps,
    };
    return run_tests("fused", tests, COUNT(tests));
}
