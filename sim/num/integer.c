/* Sums of integer products: exact, then wrapped or clamped to 32 bits once. */
#include "num.h"

uint32_t num_dot_int(unsigned n, const struct num_elem *a, const struct num_elem *b, uint32_t acc,
                     int saturate, int64_t *whole) {
    /* Two's complement without an implementation-defined conversion. */
    int64_t sum = (int64_t)(acc ^ UINT32_C(0x80000000)) - INT64_C(0x80000000);
    unsigned k;
    for (k = 0; k < n; k++)
        sum += (int64_t)a[k].sig * b[k].sig;
    *whole = sum;
    if (saturate && sum > INT32_MAX)
        sum = INT32_MAX;
    if (saturate && sum < INT32_MIN)
        sum = INT32_MIN;
    return (uint32_t)sum;
}
