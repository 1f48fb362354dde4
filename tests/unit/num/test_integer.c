/* The sum is exact, and is wrapped or clamped once, at the end. */
#include "helper.h"

static uint32_t dot(unsigned n, int32_t x, int32_t y, int32_t last, uint32_t acc, int saturate) {
    struct num_elem a[64], b[64];
    unsigned k;
    for (k = 0; k < n; k++) {
        a[k].sig = x;
        b[k].sig = y;
        a[k].exp = b[k].exp = 0;
        a[k].cls = b[k].cls = WSIM_FINITE;
    }
    a[n - 1].sig = last;
    int64_t whole;
    return num_dot_int(n, a, b, acc, saturate, &whole);
}

START_TEST(wraps) {
    ck_hex(dot(32, 255, 255, 255, 0, 0), UINT32_C(2080800));
    ck_hex(dot(1, 1, 1, 1, 0x7FFFFFFF, 0), UINT32_C(0x80000000));
    ck_hex(dot(1, 1, -1, 1, 0x80000000, 0), UINT32_C(0x7FFFFFFF));
    ck_hex(dot(64, -128, -128, -128, 0x7FFFFFFF, 0), UINT32_C(0x800FFFFF));
    ck_hex(dot(64, -128, 127, -128, 0, 0), (uint32_t)-1040384);
}
END_TEST

START_TEST(clamps) {
    ck_hex(dot(1, 1, 1, 1, 0x7FFFFFFF, 1), UINT32_C(0x7FFFFFFF));
    ck_hex(dot(1, 1, -1, 1, 0x80000000, 1), UINT32_C(0x80000000));
    ck_hex(dot(64, -128, -128, -128, 0x7FFFFFFF, 1), UINT32_C(0x7FFFFFFF));
    ck_hex(dot(64, 127, -128, 127, 0x80000000, 1), UINT32_C(0x80000000));
    ck_hex(dot(1, 1, 1, 1, 0x7FFFFFFE, 1), UINT32_C(0x7FFFFFFF));
    ck_hex(dot(4, 0, 0, 0, 0x80000000, 1), UINT32_C(0x80000000));
}
END_TEST

/* +10 and then -100 on 2^31 - 10: a clamp on the way would lose 1. Measured on an H200. */
START_TEST(clamps_once) {
    ck_hex(dot(2, 10, 1, -100, 0x7FFFFFF6, 1), UINT32_C(0x7FFFFF9C));
    ck_hex(dot(2, -100, 1, 10, 0x7FFFFFF6, 1), UINT32_C(0x7FFFFF9C));
    ck_hex(dot(2, -10, 1, 100, 0x80000009, 1), UINT32_C(0x80000063));
    ck_hex(dot(2, 100, 1, -10, 0x80000009, 1), UINT32_C(0x80000063));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {wraps, clamps, clamps_once};
    return run_tests("integer", tests, COUNT(tests));
}
