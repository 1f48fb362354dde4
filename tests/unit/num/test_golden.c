/* Vectors that tell the generations apart: the same operands under the width, bits kept and result
 * of each. The parameters are written here by hand; the tables have them for everyone else. */
#include "helper.h"

#include <string.h>

static unsigned nibble(char c) {
    return (unsigned)(strchr("0123456789abcdef", c) - "0123456789abcdef");
}

/* n numbers of `digits` hexadecimal digits each, blanks between them or not. */
static void hex(const char *text, unsigned n, unsigned digits, uint32_t *out) {
    unsigned k, i;
    for (k = 0; k < n; k++) {
        out[k] = 0;
        for (i = 0; i < digits; i++) {
            while (*text == ' ')
                text++;
            out[k] = out[k] << 4 | nibble(*text++);
        }
    }
}

struct half_vector {
    const char *a, *b;
    uint64_t c_f32, volta_f32, ampere_f32, hopper_f32;
    uint64_t c_f16, volta_f16, ampere_f16, hopper_f16;
};

static const struct half_vector halves[] = {
    {"2d9e 48cb 4b37 d3a8 acdb 3a55 348b 2967 a041 b0ad 25e2 b0db 3a80 42b0 b75b 4548",
     "a420 b26e a2d5 b16a b32a 4690 29d1 2f13 331d a830 49c9 a624 cb3a b44f 48cc 3cb6", 0xbe60a582,
     0x402c329c, 0x402c32a2, 0x402c32a7, 0xb305, 0x4161, 0x4160, 0x4162},
    {"a756 b753 c073 4d96 b3d0 c874 2da8 b48f 277e 31a1 a1ba 3ab2 cdfa 3ec2 520b 506b",
     "c36b aa57 340f b4a7 4982 c614 49cf c75e 3f15 45ec cd95 36ca 3e87 32eb b82e b041", 0xc0305444,
     0xc1b02bce, 0xc1b02bcb, 0xc1b02bca, 0xc183, 0xcd83, 0xcd82, 0xcd81},
};

START_TEST(half) {
    const struct num_fused f32[] = {fused_f32(20, 23, -131, 4, 23), fused_f32(20, 24, -132, 8, 23),
                                    fused_f32(20, 25, -133, 16, 23)};
    const struct num_fused f16[] = {fused_f16(20, 23, -19, 4), fused_f16(20, 24, -20, 8),
                                    fused_f16(20, 25, -21, 16)};
    uint32_t a[16], b[16];
    unsigned i;
    for (i = 0; i < COUNT(halves); i++) {
        const struct half_vector *v = &halves[i];
        hex(v->a, 16, 4, a);
        hex(v->b, 16, 4, b);
        ck_hex(chain(&f32[0], &F16, 16, 16, a, b, v->c_f32), v->volta_f32);
        ck_hex(chain(&f32[1], &F16, 16, 16, a, b, v->c_f32), v->ampere_f32);
        ck_hex(chain(&f32[2], &F16, 16, 16, a, b, v->c_f32), v->hopper_f32);
        ck_hex(chain(&f16[0], &F16, 16, 16, a, b, v->c_f16), v->volta_f16);
        ck_hex(chain(&f16[1], &F16, 16, 16, a, b, v->c_f16), v->ampere_f16);
        ck_hex(chain(&f16[2], &F16, 16, 16, a, b, v->c_f16), v->hopper_f16);
    }
}
END_TEST

struct fp8_vector {
    const char *a, *b;
    uint64_t c_f32, ada_f32, warpgroup_f32, split_f32, blackwell_f32;
    uint64_t c_f16, ada_f16, warpgroup_f16, split_f16, blackwell_f16;
};

static const struct fp8_vector fp8s[] = {
    {"26c14e983f4ba4c833c3509a3c4fba554448183930d41a54a823d04e4ead579e",
     "9c2b2fb9d0bec837cfbf4d1ca05128cf262aa14bd42c1fb533d4c5ba99379d21", 0x3ef2e646, 0xc0298000,
     0xc0294000, 0xc029c137, 0xc029c138, 0x3797, 0xc14c, 0xc14a, 0xc150, 0xc14e},
    {"52c59ca425c5c1a4a3394baf333cb449a32626af2445d2d2b3b5d738b152b236",
     "a3bdad224aa03c2c19ceb4b323522dbd339a981a4b9c42c04928a022d42b4221", 0x3f18eaae, 0x3f7c0000,
     0x3f7b0000, 0x3f7ad2ae, 0x3f7ad2a8, 0x38c7, 0x3be0, 0x3bd8, 0x3be2, 0x3bd6},
};

START_TEST(fp8_direct) {
    const struct num_fused ada = fused_f32(6, 13, -132, 16, 13), ada16 = fused_f16(6, 13, -20, 16);
    const struct num_fused wide = fused_f32(6, 13, -133, 32, 13);
    const struct num_fused wide16 = fused_f16(6, 13, -133, 32);
    const struct num_fused full = fused_f32(6, 25, -133, 32, 23);
    const struct num_fused full16 = fused_f16(6, 25, -21, 32);
    uint32_t a[32], b[32];
    unsigned i;
    for (i = 0; i < COUNT(fp8s); i++) {
        const struct fp8_vector *v = &fp8s[i];
        hex(v->a, 32, 2, a);
        hex(v->b, 32, 2, b);
        ck_hex(chain(&ada, &E4M3, 8, 32, a, b, v->c_f32), v->ada_f32);
        ck_hex(chain(&ada16, &E4M3, 8, 32, a, b, v->c_f16), v->ada_f16);
        ck_hex(chain(&wide, &E4M3, 8, 32, a, b, v->c_f32), v->warpgroup_f32);
        ck_hex(chain(&wide16, &E4M3, 8, 32, a, b, v->c_f16), v->warpgroup_f16);
        ck_hex(chain(&full, &E4M3, 8, 32, a, b, v->c_f32), v->blackwell_f32);
        ck_hex(chain(&full16, &E4M3, 8, 32, a, b, v->c_f16), v->blackwell_f16);
    }
}
END_TEST

/* The same through f16: positions k mod 4 in {0,1} first, then {2,3}, the accumulator last. */
static uint64_t split(const struct num_fused *fused, const uint32_t *a, const uint32_t *b,
                      uint64_t c) {
    uint32_t x[32], y[32];
    unsigned k;
    for (k = 0; k < 32; k++) {
        unsigned at = k / 4 * 2 + k % 2 + (k % 4 >= 2 ? 16 : 0);
        x[at] = (uint32_t)num_convert(&E4M3, &F16, a[k]);
        y[at] = (uint32_t)num_convert(&E4M3, &F16, b[k]);
    }
    return num_add(fused->result.format, c, chain(fused, &F16, 16, 32, x, y, 0));
}

START_TEST(fp8_split) {
    const struct num_fused f32 = fused_f32(20, 25, -133, 16, 23), f16 = fused_f16(20, 25, -21, 16);
    uint32_t a[32], b[32];
    unsigned i;
    for (i = 0; i < COUNT(fp8s); i++) {
        hex(fp8s[i].a, 32, 2, a);
        hex(fp8s[i].b, 32, 2, b);
        ck_hex(split(&f32, a, b, fp8s[i].c_f32), fp8s[i].split_f32);
        ck_hex(split(&f16, a, b, fp8s[i].c_f16), fp8s[i].split_f16);
    }
}
END_TEST

/* 2^23 - 2^23 - 0.5 - 0.25 - 0.125: how many bits below the largest exponent count. */
START_TEST(bits_below_the_largest) {
    static const uint32_t a[] = {0xE800, 0xB800, 0xB400, 0xB000}; /* -2^11 ... */
    static const uint32_t b[] = {0x6C00, 0x3C00, 0x3C00, 0x3C00}; /* 2^12, 1 ... */
    static const uint32_t keep[] = {13, 23, 24, 25, 26};
    static const uint64_t want[] = {0, 0, 0xBF000000, 0xBF400000, 0xBF600000};
    unsigned i;
    for (i = 0; i < COUNT(keep); i++) {
        struct num_fused fused = fused_f32(20, keep[i], -133, 16, 23);
        ck_hex(chain(&fused, &F16, 16, 4, a, b, 0x4B000000), want[i]);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {half, fp8_direct, fp8_split, bits_below_the_largest};
    return run_tests("golden", tests, COUNT(tests));
}
