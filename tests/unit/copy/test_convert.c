/* Conversions of loads: types of tf32 are rounded, other types are
 * unchanged. */
#include "fixture.h"

#define LOAD "cp.async.bulk.tensor.1d.shared::cluster.global.tile." COMPLETE

static struct fixture f;

/* `n` numbers of `bytes` each through a load of `type`. */
static void load(enum wsim_tensor_type type, unsigned bytes, const uint64_t *in, uint32_t n) {
    const uint64_t dims[] = {n};
    const uint32_t box[] = {n};
    unsigned i, b;
    fixture_start(&f);
    fixture_tile(&f, type, 1, dims, box);
    for (i = 0; i < n; i++)
        for (b = 0; b < bytes; b++)
            f.global[256 + bytes * i + b] = (uint8_t)(in[i] >> 8 * b);
    ck_assert_msg(fixture_run(&f, LOAD) == WSIM_OK, "%s", f.diag.text);
    ck_assert_uint_eq(f.result.bytes, (uint64_t)n * bytes);
}

/* To 10 fraction bits, to nearest even: below, at and above ties, subnormals alike, overflow. */
START_TEST(tf32_is_rounded) {
    static const uint64_t in[] = {0x3f800fff, 0x3f801000, 0x3f801001, 0x3f802fff, 0x3f803000,
                                  0xbf803001, 0x3fffefff, 0x3ffff000, 0x00000fff, 0x00001000,
                                  0x80003000, 0x007fffff, 0x7f7fefff, 0x7f7ff000, 0xff7fffff,
                                  0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7f800001,
                                  0xff800001, 0x7fc00000, 0xffffffff, 0x7fffe000};
    static const uint64_t want[] = {0x3f800000, 0x3f800000, 0x3f802000, 0x3f802000, 0x3f804000,
                                    0xbf804000, 0x3fffe000, 0x40000000, 0x00000000, 0x00000000,
                                    0x80004000, 0x00800000, 0x7f7fe000, 0x7f800000, 0xff800000,
                                    0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fffe000,
                                    0x7fffe000, 0x7fffe000, 0x7fffe000, 0x7fffe000};
    static const enum wsim_tensor_type types[] = {WSIM_TENSOR_TFLOAT32, WSIM_TENSOR_TFLOAT32_FTZ};
    unsigned t, i;
    for (t = 0; t < COUNT(types); t++) {
        load(types[t], 4, in, COUNT(in));
        for (i = 0; i < COUNT(in); i++)
            ck_assert_msg(fixture_number(f.shared + 4 * i, 4) == want[i], "%u: %llx", i,
                          (unsigned long long)fixture_number(f.shared + 4 * i, 4));
    }
}
END_TEST

/* Subnormals, fractions of all bits, NaNs that signal and NaNs that do not. */
START_TEST(others_are_as_they_were) {
    static const uint64_t in[] = {UINT64_C(0x0000000000000001), UINT64_C(0x8000000080018001),
                                  UINT64_C(0x3ff000003f801001), UINT64_C(0x7ff000007f807c01),
                                  UINT64_C(0x7ff000017f800001), UINT64_C(0xfff80001ffc0fe01),
                                  UINT64_C(0x000fffff007fffff), UINT64_C(0x7fefffff7f7fffff)};
    static const struct {
        enum wsim_tensor_type type;
        unsigned bytes;
    } types[] = {{WSIM_TENSOR_FLOAT32, 4}, {WSIM_TENSOR_FLOAT32_FTZ, 4}, {WSIM_TENSOR_FLOAT64, 8},
                 {WSIM_TENSOR_FLOAT16, 2}, {WSIM_TENSOR_BFLOAT16, 2},    {WSIM_TENSOR_UINT8, 1},
                 {WSIM_TENSOR_UINT32, 4},  {WSIM_TENSOR_INT64, 8}};
    unsigned t, i, n;
    for (t = 0; t < COUNT(types); t++) {
        uint64_t part[64];
        n = 64 / types[t].bytes;
        for (i = 0; i < n; i++)
            part[i] = in[i * types[t].bytes / 8] >> 8 * (i * types[t].bytes % 8);
        load(types[t].type, types[t].bytes, part, n);
        for (i = 0; i < 8; i++)
            ck_assert_uint_eq(fixture_number(f.shared + 8 * i, 8), in[i]);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {tf32_is_rounded, others_are_as_they_were};
    return run_tests("copy/convert", tests, COUNT(tests));
}
