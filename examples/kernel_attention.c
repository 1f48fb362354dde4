/* Compares attention by a kernel (examples/kernels/attention.cu) with plain C in double. The kernel
 * rounds weights to f16, so the results are close, not equal. */
#include "kernel_parts.h"

#include <math.h>
#include <stdio.h>

enum { QUERIES = 128, KEYS = 96, WIDE = 64 };

static uint16_t q[QUERIES][WIDE], k[KEYS][WIDE], v[KEYS][WIDE];
static float out[QUERIES][WIDE];

static double number_of(uint16_t half) {
    struct wsim_value value = wsim_format_decode(wsim_format_find("f16"), half);
    return (value.negative ? -1 : 1) * ldexp((double)value.sig, value.exp);
}

/* 64ths of -1 to 1. */
static uint16_t half_of(unsigned random) {
    int value = (int)(random % 129) - 64;
    struct wsim_value number = {value ? WSIM_FINITE : WSIM_ZERO, value < 0, -6,
                                (uint64_t)(value < 0 ? -value : value)};
    return (uint16_t)wsim_format_encode(wsim_format_find("f16"), number, WSIM_RN);
}

static void fill(uint16_t *at, unsigned count, uint32_t seed) {
    for (unsigned i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = half_of(seed >> 16);
    }
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The largest difference between a row of the kernel and of plain C. */
static double furthest(unsigned row) {
    double weight[KEYS], sum = 0, most = 0;
    for (unsigned key = 0; key < KEYS; key++) {
        double score = 0;
        for (unsigned i = 0; i < WIDE; i++)
            score += number_of(q[row][i]) * number_of(k[key][i]);
        weight[key] = exp(score / 8);
        sum += weight[key];
    }
    for (unsigned i = 0; i < WIDE; i++) {
        double own = 0;
        for (unsigned key = 0; key < KEYS; key++)
            own += weight[key] * number_of(v[key][i]) / sum;
        most = larger(most, fabs(own - (double)out[row][i]));
    }
    return most;
}

int main(void) {
    const double limit = 1e-3;
    struct parts parts = parts_open("attention", "sm_80");
    double most = 0;
    fill(q[0], QUERIES * WIDE, 1);
    fill(k[0], KEYS * WIDE, 2);
    fill(v[0], KEYS * WIDE, 3);
    struct {
        uint64_t q, k, v, out;
        int keys;
    } params = {parts_buffer(&parts, "Q", q, sizeof q), parts_buffer(&parts, "K", k, sizeof k),
                parts_buffer(&parts, "V", v, sizeof v), parts_buffer(&parts, "O", NULL, sizeof out),
                KEYS};
    struct wsim_totals totals = parts_run(&parts, "attention", QUERIES / 64, 1, 128, &params, 36);
    parts_read(&parts, params.out, out, sizeof out);
    for (unsigned row = 0; row < QUERIES; row++)
        most = larger(most, furthest(row));
    printf("attention: %s than %g from plain C, %llu findings\n",
           most < limit ? "nearer" : "FURTHER", limit, (unsigned long long)totals.findings);
    parts_close(&parts);
    return !(most < limit) || totals.findings;
}
