/* All attributes of a device by the driver API: those of an H200 (driver 580, CUDA 13.0). */
#include "cu.h"

#include <stdio.h>

/* From number 1 on. */
static const int recorded[] = {
    1024,      1024,       1024,   64,        2147483647, 65535,     65535,  49152, 65536,
    32,        2147483647, 65536,  1980000,   512,        1,         132,    0,     0,
    1,         0,          131072, 131072,    65536,      16384,     16384,  16384, 32768,
    32768,     2048,       512,    1,         1,          0,         6,      0,     3201000,
    6016,      62914560,   2048,   3,         1,          32768,     2048,   1,     32768,
    32768,     8192,       8192,   32768,     0,          32,        32768,  32768, 2046,
    32768,     131072,     65536,  16384,     16384,      16384,     32768,  2048,  32768,
    32768,     2048,       32768,  32768,     2046,       268435456, 131072, 65000, 2097120,
    32768,     32768,      9,      0,         32768,      1,         1,      1,     233472,
    65536,     1,          0,      0,         0,          2,         0,      1,     1,
    1,         0,          0,      0,         1,          1,         232448, 0,     1,
    0,         0,          1,      1,         0,          0,         32,     1,     39321600,
    134217728, 1,          1024,   1,         1,          1,         1,      1,     1,
    100,       9,          1,      1,         1,          1,         1,      1,     4,
    1,         1,          1,      0,         -1,         0,         0,      0,     0,
    0,         0,          0,      590680286, 415174878,  1,         1,      0,     1,
    1,         0,          0};

START_TEST(the_attributes_of_an_h200) {
    const int number = _i + 1;
    int value = -7;
    setenv("WSIM_ARCH", "sm_90a", 1);
    ck_cu(OK, CU(cuInit)(0u));
    ck_cu(OK, CU(cuDeviceGetAttribute)(&value, number, 0));
    ck_assert_msg(value == recorded[_i], "attribute %d is %d, not %d", number, value, recorded[_i]);
}
END_TEST

START_TEST(the_memory_of_an_h200) {
    size_t bytes = 0;
    ck_cu(OK, CU(cuInit)(0u));
    ck_cu(OK, CU(cuDeviceTotalMem_v2)(&bytes, 0));
    ck_assert_uint_eq(bytes, UINT64_C(150109880320));
    ck_cu(INVALID_VALUE, CU(cuDeviceGetAttribute)(NULL, 1, 0));
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("attributes");
    tcase_add_loop_test(tcase, the_attributes_of_an_h200, 0,
                        (int)(sizeof recorded / sizeof recorded[0]));
    tcase_add_test(tcase, the_memory_of_an_h200);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("attributes", tcase);
}
