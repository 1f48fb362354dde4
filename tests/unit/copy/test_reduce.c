/* Reductions: what there is of each type, and one number onto another. Sums follow IEEE 754.
 * Expectations for subnormals and NaNs come from an H200. */
#include "fixture.h"

#include <stdio.h>

#define PLAIN "cp.reduce.async.bulk.global.shared::cta.bulk_group."

#define ck_hex(got, want)                                                                          \
    ck_assert_msg((got) == (want), "0x%llx instead of 0x%llx", (unsigned long long)(got),          \
                  (unsigned long long)(want))

static struct fixture f;

enum { OPERATIONS = 8 };
static const char *const operations[OPERATIONS] = {"add", "min", "max", "inc",
                                                   "dec", "and", "or",  "xor"};

static const char *tensor_spelling(const char *operation) {
    static char text[96];
    snprintf(text, sizeof text,
             "cp.reduce.async.bulk.tensor.1d.global.shared::cta.%s.tile.bulk_group", operation);
    return text;
}

static void start(enum wsim_tensor_type type) {
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    const uint64_t dims[] = {16u / bytes[type]};
    const uint32_t box[] = {16u / bytes[type]};
    fixture_start(&f);
    fixture_tile(&f, type, 1, dims, box);
}

/* Which there are, in the order above; the GPU trapped at every other one. */
START_TEST(reductions_of_a_type) {
    static const char *const has[WSIM_TENSOR_TYPES] = {
        "--------", "--------", "++++++++", "+++--+++", "+++--+++", "-++-----", "+++-----",
        "+-------", "+-------", "+++-----", "+-------", "+-------", "+-------"};
    unsigned t, o;
    for (t = 0; t <= WSIM_TENSOR_TFLOAT32_FTZ; t++)
        for (o = 0; o < OPERATIONS; o++) {
            start((enum wsim_tensor_type)t);
            if (has[t][o] == '-') {
                fixture_refused(&f, tensor_spelling(operations[o]), WSIM_OPERAND, "traps: the ");
                continue;
            }
            ck_assert_msg(fixture_run(&f, tensor_spelling(operations[o])) == WSIM_OK, "%u .%s: %s",
                          t, operations[o], f.diag.text);
            ck_assert_int_eq(f.result.measured, 1);
        }
}
END_TEST

START_TEST(a_trap_names_what_there_is) {
    start(WSIM_TENSOR_UINT16);
    fixture_refused(&f, tensor_spelling("add"), WSIM_OPERAND,
                    "reduction .add of dtype UINT16 traps: the type has none");
    start(WSIM_TENSOR_INT64);
    fixture_refused(&f, tensor_spelling("and"), WSIM_OPERAND,
                    "reduction .and of dtype INT64 traps: the type has .min .max");
}
END_TEST

static void put(uint8_t *at, uint64_t value, unsigned bytes) {
    while (bytes--) {
        *at++ = (uint8_t)value;
        value >>= 8;
    }
}

/* A pair, and what it makes. */
struct sum {
    uint64_t there, moved, want;
};

static void sum_of_tensor(enum wsim_tensor_type type, unsigned bytes, const char *operation,
                          struct sum s) {
    start(type);
    put(f.global + 256, s.there, bytes);
    put(f.shared, s.moved, bytes);
    ck_assert_int_eq(fixture_run(&f, tensor_spelling(operation)), WSIM_OK);
    ck_hex(fixture_number(f.global + 256, bytes), s.want);
}

static void sum_of_plain(const char *what, unsigned bytes, struct sum s) {
    char spelling[96];
    fixture_start(&f);
    f.io.bytes = 16;
    f.io.global_at = GLOBAL_BASE;
    f.io.shared_at = 0;
    put(f.global, s.there, bytes);
    put(f.shared, s.moved, bytes);
    snprintf(spelling, sizeof spelling, PLAIN "%s", what);
    ck_assert_msg(fixture_run(&f, spelling) == WSIM_OK, "%s: %s", spelling, f.diag.text);
    ck_hex(fixture_number(f.global, bytes), s.want);
    ck_assert_int_eq(f.result.measured, 1);
}

/* The same with a map and without; plain is NULL where there is none. */
static void sums(enum wsim_tensor_type type, unsigned bytes, const char *operation,
                 const char *plain, const struct sum *list, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        sum_of_tensor(type, bytes, operation, list[i]);
        if (plain)
            sum_of_plain(plain, bytes, list[i]);
    }
}

START_TEST(sums_of_16_bits) {
    static const struct sum f16[] = {
        {0x0001, 0x0001, 0x0002}, {0x83ff, 0x0400, 0x0001}, /* subnormals are kept          */
        {0x8000, 0x8000, 0x8000}, {0x3c00, 0xbc00, 0x0000}, /* zeros                        */
        {0x6800, 0x3c00, 0x6800}, {0x6801, 0x3c00, 0x6802}, /* ties, to even                */
        {0x7bff, 0x4bff, 0x7bff}, {0x7bff, 0x4c00, 0x7c00}, /* the largest number, infinity */
        {0x7c01, 0x3c00, 0x7fff}, {0x0000, 0xfe01, 0x7fff}, /* every NaN is one             */
        {0x7c00, 0xfc00, 0x7fff}, {0xfc00, 0x7bff, 0xfc00},
    };
    static const struct sum bf16[] = {
        {0x0001, 0x0001, 0x0002}, {0x807f, 0x0080, 0x0001}, {0x4300, 0x3f00, 0x4300},
        {0x4301, 0x3f00, 0x4302}, {0x7f7f, 0x7f7f, 0x7f80}, {0xff81, 0x0000, 0x7fff},
        {0x3f80, 0xffc1, 0x7fff}, {0xff80, 0x7f80, 0x7fff},
    };
    sums(WSIM_TENSOR_FLOAT16, 2, "add", "add.noftz.f16", f16, COUNT(f16));
    sums(WSIM_TENSOR_BFLOAT16, 2, "add", "add.noftz.bf16", bf16, COUNT(bf16));
}
END_TEST

/* FLOAT32 keeps subnormals with a map and without, the FTZ types have none before or after. */
START_TEST(sums_of_32_bits) {
    static const struct sum kept[] = {
        {0x00000001, 0x00000001, 0x00000002},
        {0x807fffff, 0x00800000, 0x00000001},
        {0x00800001, 0x80800000, 0x00000001},
        {0x80000000, 0x80000001, 0x80000001},
    };
    static const struct sum flushed[] = {
        {0x00000001, 0x00000001, 0x00000000}, {0x807fffff, 0x00800000, 0x00800000},
        {0x00800001, 0x80800000, 0x00000000}, {0x80800001, 0x00800000, 0x80000000},
        {0x80000000, 0x80000001, 0x80000000}, {0x00000001, 0x80000001, 0x00000000},
        {0x3f800000, 0x807fffff, 0x3f800000},
    };
    static const struct sum all[] = {
        {0x3f800000, 0x33800000, 0x3f800000}, {0x3f800001, 0x33800000, 0x3f800002},
        {0x3f800001, 0xb3800001, 0x3f800000}, {0x7f7fffff, 0x73800000, 0x7f800000},
        {0x7f800001, 0x3f800000, 0x7fffffff}, {0x3f800000, 0xffc00001, 0x7fffffff},
        {0x7f800000, 0xff800000, 0x7fffffff}, {0xff800000, 0xff7fffff, 0xff800000},
    };
    static const enum wsim_tensor_type keep[] = {WSIM_TENSOR_FLOAT32, WSIM_TENSOR_TFLOAT32};
    static const enum wsim_tensor_type flush[] = {WSIM_TENSOR_FLOAT32_FTZ,
                                                  WSIM_TENSOR_TFLOAT32_FTZ};
    unsigned i;
    for (i = 0; i < 2; i++) {
        const char *plain = i ? NULL : "add.f32";
        sums(keep[i], 4, "add", plain, kept, COUNT(kept));
        sums(keep[i], 4, "add", plain, all, COUNT(all));
        sums(flush[i], 4, "add", NULL, flushed, COUNT(flushed));
        sums(flush[i], 4, "add", NULL, all, COUNT(all));
    }
}
END_TEST

/* f64 passes a NaN on as it is, signalling ones too; of two the one that was moved. */
START_TEST(sums_of_64_bits) {
    static const struct sum f64[] = {
        {1, 1, 2},
        {UINT64_C(0x800fffffffffffff), UINT64_C(0x0010000000000000), 1},
        {UINT64_C(0x3ff0000000000001), UINT64_C(0x3ca0000000000000), UINT64_C(0x3ff0000000000002)},
        {UINT64_C(0x7ff0000000000001), 1, UINT64_C(0x7ff0000000000001)},
        {1, UINT64_C(0xfff5555555555555), UINT64_C(0xfff5555555555555)},
        {UINT64_C(0x7ff8000000000001), UINT64_C(0xfff5555555555555), UINT64_C(0xfff5555555555555)},
        {UINT64_C(0xfff5555555555555), UINT64_C(0x7ff8000000000001), UINT64_C(0x7ff8000000000001)},
        {UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), UINT64_C(0xfff8000000000000)},
    };
    sums(WSIM_TENSOR_FLOAT64, 8, "add", "add.f64", f64, COUNT(f64));
}
END_TEST

/* -0 is below +0, a number comes before a NaN, two NaNs are one. */
START_TEST(orders) {
    static const struct sum low[] = {
        {0x8000, 0x0000, 0x8000}, {0x0000, 0x8000, 0x8000}, {0x0001, 0x8001, 0x8001},
        {0x7c00, 0x7e01, 0x7c00}, {0xfd55, 0x0001, 0x0001}, {0x7e01, 0xfd55, 0x7fff},
        {0xfc00, 0x3c00, 0xfc00}, {0xbc00, 0xbc01, 0xbc01},
    };
    static const struct sum high[] = {
        {0x8000, 0x0000, 0x0000}, {0x0000, 0x8000, 0x0000}, {0x0001, 0x8001, 0x0001},
        {0xfc00, 0x7e01, 0xfc00}, {0xfd55, 0x8001, 0x8001}, {0xfe01, 0xfe01, 0x7fff},
        {0xfc00, 0x3c00, 0x3c00}, {0xbc00, 0xbc01, 0xbc00},
    };
    static const struct sum bf16[] = {
        {0x8000, 0x0000, 0x8000}, {0x7fc1, 0xff80, 0xff80}, {0x7fc1, 0xffa5, 0x7fff},
        {0x7f80, 0x7f81, 0x7f80}, {0x0001, 0x0002, 0x0001},
    };
    sums(WSIM_TENSOR_FLOAT16, 2, "min", "min.f16", low, COUNT(low));
    sums(WSIM_TENSOR_FLOAT16, 2, "max", "max.f16", high, COUNT(high));
    sums(WSIM_TENSOR_BFLOAT16, 2, "min", "min.bf16", bf16, COUNT(bf16));
}
END_TEST

START_TEST(integers) {
    static const struct sum add[] = {{0xffffffff, 2, 1}, {0x7fffffff, 1, 0x80000000}};
    static const struct sum least[] = {{1, 0xffffffff, 0xffffffff}, {0x80000000, 5, 0x80000000}};
    static const struct sum lowest[] = {{1, 0xffffffff, 1}, {0x80000000, 5, 5}};
    static const struct sum inc[] = {{7, 7, 0}, {6, 7, 7}, {8, 7, 0}, {0xffffffff, 0xffffffff, 0}};
    static const struct sum dec[] = {{0, 9, 9}, {10, 9, 9}, {9, 9, 8}, {5, 0, 0}};
    static const struct sum most[] = {{UINT64_C(1) << 63, 5, 5}, {7, ~UINT64_C(0), 7}};
    static const struct sum top[] = {{UINT64_C(1) << 63, 5, UINT64_C(1) << 63}};
    static const struct sum either[] = {
        {UINT64_C(0xf0f0000000000000), 0xff, UINT64_C(0xf0f00000000000ff)}};
    sums(WSIM_TENSOR_UINT32, 4, "add", "add.u32", add, COUNT(add));
    sums(WSIM_TENSOR_INT32, 4, "add", "add.s32", add, COUNT(add));
    sums(WSIM_TENSOR_INT32, 4, "min", "min.s32", least, COUNT(least));
    sums(WSIM_TENSOR_UINT32, 4, "min", "min.u32", lowest, COUNT(lowest));
    sums(WSIM_TENSOR_UINT32, 4, "inc", "inc.u32", inc, COUNT(inc));
    sums(WSIM_TENSOR_UINT32, 4, "dec", "dec.u32", dec, COUNT(dec));
    sums(WSIM_TENSOR_INT64, 8, "max", "max.s64", most, COUNT(most));
    sums(WSIM_TENSOR_UINT64, 8, "max", "max.u64", top, COUNT(top));
    sums(WSIM_TENSOR_UINT64, 8, "or", "or.b64", either, COUNT(either));
}
END_TEST

/* Padding after a row is a number like any other. */
START_TEST(padding_of_floats) {
    const uint64_t dims[] = {5, 2};
    const uint32_t box[] = {8, 2};
    unsigned i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_FLOAT16, 2, dims, box);
    for (i = 0; i < 16; i++) {
        put(f.global + 256 + 2 * i, 0x3c00, 2);
        put(f.shared + 2 * i, i % 8 == 7 ? 0x7c01 : 0x3c00, 2);
    }
    ck_assert_int_eq(fixture_run(&f, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile."
                                     "bulk_group"),
                     WSIM_OK);
    for (i = 0; i < 16; i++)
        ck_hex(fixture_number(f.global + 256 + 2 * i, 2), i % 8 == 7 ? 0x7fff : 0x4000);
    ck_assert_uint_eq(f.result.padding, 12);
}
END_TEST

/* Rows that share their bytes, one after another: 256 + 1 is 256, and less 256 nothing; backwards
 * it would be 2. */
START_TEST(rows_that_overlap) {
    const uint64_t dims[] = {8, 3};
    const uint32_t box[] = {8, 3};
    unsigned i;
    fixture_start(&f);
    fixture_tile(&f, WSIM_TENSOR_BFLOAT16, 2, dims, box);
    f.tensor.strides[0] = 0;
    for (i = 0; i < 24; i++)
        put(f.shared + 2 * i, i / 8 == 1 ? 0xc000 : 0x7fc0, 2);
    put(f.global + 256, 0x4000, 2);
    ck_assert_int_eq(fixture_run(&f, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min."
                                     "bulk_group"),
                     WSIM_OK);
    ck_hex(fixture_number(f.global + 256, 2), 0xc000);
    put(f.global + 256, 0x4380, 2);
    for (i = 0; i < 24; i++)
        put(f.shared + 2 * i, i / 8 == 2 ? 0xc380 : 0x3f80, 2);
    ck_assert_int_eq(fixture_run(&f, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add."
                                     "bulk_group"),
                     WSIM_OK);
    ck_hex(fixture_number(f.global + 256, 2), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {reductions_of_a_type,
                                  a_trap_names_what_there_is,
                                  sums_of_16_bits,
                                  sums_of_32_bits,
                                  sums_of_64_bits,
                                  orders,
                                  integers,
                                  padding_of_floats,
                                  rows_that_overlap};
    return run_tests("copy/reduce", tests, COUNT(tests));
}
