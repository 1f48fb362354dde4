/* Block-scaled 4-bit sums: groups are exact, scales alone align, zero groups have no say. */
#include "helper.h"

#include <string.h>

#define GROUPS 4
#define GROUP 16

struct sum {
    struct num_elem a[GROUPS * GROUP], b[GROUPS * GROUP];
    struct num_scale scale[GROUPS];
};

static uint64_t grouped(const struct sum *sum, unsigned scale_frac, int floor, unsigned keep,
                        uint64_t acc) {
    struct num_fused fused = fused_f32(2, keep, floor, GROUP, 23);
    return num_grouped(&fused, GROUP, GROUPS, sum->a, sum->b, sum->scale, scale_frac, acc);
}

/* All products zero, all scales 1. */
static struct sum nothing(void) {
    struct sum sum;
    unsigned i;
    for (i = 0; i < GROUPS * GROUP; i++)
        sum.a[i] = sum.b[i] = num_decode(&E2M1, 4, 0);
    for (i = 0; i < GROUPS; i++) {
        sum.scale[i].sig = 1;
        sum.scale[i].exp = 0;
        sum.scale[i].nan = 0;
    }
    return sum;
}

/* Product i of group g. */
static void put(struct sum *sum, unsigned g, unsigned i, unsigned a, unsigned b) {
    sum->a[g * GROUP + i] = num_decode(&E2M1, 4, a);
    sum->b[g * GROUP + i] = num_decode(&E2M1, 4, b);
}

/* The vector of the published model. */
START_TEST(published_vector) {
    static const char a[] = "3d6bc33875b0f0c4743b9f57cebf5ff51313735379fe9d07ea5ca1da1e6cbc37";
    static const char b[] = "e26ca51cffb676bf1b22f2029e7ca29d9f7ae5288200cfba18be26fd3dd30434";
    static const unsigned sa[] = {0x40, 0x1e, 0x61, 0x4b}, sb[] = {0x29, 0x21, 0x45, 0x35};
    static const char digits[] = "0123456789abcdef";
    struct sum sum = nothing();
    unsigned i;
    for (i = 0; i < GROUPS * GROUP; i++)
        put(&sum, 0, i, (unsigned)(strchr(digits, a[i]) - digits),
            (unsigned)(strchr(digits, b[i]) - digits));
    for (i = 0; i < GROUPS; i++) {
        struct num_elem x = num_decode(&UE4M3, 8, sa[i]), y = num_decode(&UE4M3, 8, sb[i]);
        sum.scale[i].sig = x.sig * y.sig;
        sum.scale[i].exp = (int16_t)(x.exp + y.exp);
    }
    ck_hex(grouped(&sum, 6, -139, 35, 0xC1234567), UINT64_C(0xC4A1191A));
}
END_TEST

/* 1 below a group of exponent 2 * 17 is kept at 35 bits. A group that cancels raises the exponent
 * like any other; a group of zeros or with a zero scale does not. */
START_TEST(what_aligns) {
    struct sum sum = nothing();
    put(&sum, 0, 3, 0x1, 0x1); /* 0.5 * 0.5 */
    put(&sum, 1, 0, 0x2, 0x2);
    put(&sum, 1, 15, 0x2, 0xA); /* 1 - 1 */
    sum.scale[1].exp = 33;
    ck_hex(grouped(&sum, 0, -139, 35, 0), UINT64_C(0x3E800000));
    ck_hex(grouped(&sum, 0, -139, 34, 0), UINT64_C(0));
    sum.scale[1].exp = 34;
    ck_hex(grouped(&sum, 0, -139, 35, 0), UINT64_C(0));
    put(&sum, 1, 0, 0x0, 0x7);
    put(&sum, 1, 15, 0x7, 0x8);
    ck_hex(grouped(&sum, 0, -139, 35, 0), UINT64_C(0x3E800000));
    put(&sum, 1, 0, 0x7, 0x7);
    sum.scale[1].sig = 0;
    ck_hex(grouped(&sum, 0, -139, 35, 0), UINT64_C(0x3E800000));
}
END_TEST

/* 2^-149 - x with nothing else in the sum: the floor decides which x is dropped. */
START_TEST(floor_of_the_exponent) {
    static const struct {
        int exp, floor;
        uint64_t want;
    } row[] = {{-172, -139, 0}, {-173, -139, 1}, {-172, -138, 1}, {-173, -140, 0}};
    unsigned i;
    for (i = 0; i < COUNT(row); i++) {
        struct sum sum = nothing();
        put(&sum, 0, 0, 0x2, 0x2);
        put(&sum, 2, 7, 0x1, 0x9);
        sum.scale[0].exp = -149;
        sum.scale[2].exp = (int16_t)row[i].exp;
        ck_hex(grouped(&sum, 0, row[i].floor, 35, 0), row[i].want);
    }
}
END_TEST

/* 16 products of 36 in each group: nothing is lost above the alignment exponent. */
START_TEST(largest_sums) {
    struct sum sum = nothing();
    unsigned i;
    for (i = 0; i < GROUPS * GROUP; i++)
        put(&sum, 0, i, 0x7, 0xF);
    ck_hex(grouped(&sum, 0, -139, 35, 0), UINT64_C(0xC5100000)); /* -2304 */
    for (i = 0; i < GROUPS; i++) {
        sum.scale[i].sig = 15 * 15;
        sum.scale[i].exp = 16;
    }
    ck_hex(grouped(&sum, 6, -139, 35, 0x3F800000), UINT64_C(0xCDFD1FFF)); /* -530841600 + 1 */
    for (i = 0; i < GROUPS; i++)
        sum.scale[i].exp = 254;
    ck_hex(grouped(&sum, 6, -139, 35, 0), UINT64_C(0xFF800000));
}
END_TEST

START_TEST(accumulator_and_specials) {
    struct sum sum = nothing();
    ck_hex(grouped(&sum, 0, -139, 35, 0x80000000), UINT64_C(0));
    ck_hex(grouped(&sum, 0, -139, 35, 0x80000001), UINT64_C(0x80000001));
    ck_hex(grouped(&sum, 0, -139, 35, 0xFF800000), UINT64_C(0xFF800000));
    ck_hex(grouped(&sum, 0, -139, 35, 0x7F800001), UINT64_C(0x7FFFFFFF));
    put(&sum, 0, 0, 0x2, 0x2);
    sum.scale[0].exp = -40; /* below the last bit that counts beside 1.0, but below 1.0 it shows */
    ck_hex(grouped(&sum, 0, -139, 35, 0x3F800000), UINT64_C(0x3F800000));
    put(&sum, 0, 0, 0x2, 0xA);
    ck_hex(grouped(&sum, 0, -139, 35, 0x3F800000), UINT64_C(0x3F800000));
    sum.scale[0].exp = -35;
    ck_hex(grouped(&sum, 0, -139, 35, 0x3F800000), UINT64_C(0x3F7FFFFF));
    sum.scale[3].nan = 1; /* also of a group of zeros */
    ck_hex(grouped(&sum, 0, -139, 35, 0xFF800000), UINT64_C(0x7FFFFFFF));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {published_vector, what_aligns, floor_of_the_exponent,
                                  largest_sums, accumulator_and_specials};
    return run_tests("grouped", tests, COUNT(tests));
}
