/* Compares products of two kernels (examples/kernels/gemm_*.cu), one on mma.sync and one on
 * wgmma, with plain C. The matrices hold small integers, so sums are exact in every order. */
#include "kernel_parts.h"

#include <stdio.h>

enum { M = 128, N = 192, K = 192 };

static uint16_t a[M][K], b[N][K];
static float c[M][N];

/* An integer from -8 to 7 as f16. */
static uint16_t half_of(int value) {
    const struct wsim_format *format = wsim_format_find("f16");
    struct wsim_value number = {value ? WSIM_FINITE : WSIM_ZERO, value < 0, 0,
                                (uint64_t)(value < 0 ? -value : value)};
    return (uint16_t)wsim_format_encode(format, number, WSIM_RN);
}

static int a_of(unsigned row, unsigned k) {
    return (int)((row * 37 + k * 11 + row * k) % 16) - 8;
}

static int b_of(unsigned col, unsigned k) {
    return (int)((col * 29 + k * 5 + col * k * 3) % 16) - 8;
}

static unsigned count_wrong(void) {
    unsigned wrong = 0;
    for (unsigned row = 0; row < M; row++)
        for (unsigned col = 0; col < N; col++) {
            int sum = 0;
            for (unsigned k = 0; k < K; k++)
                sum += a_of(row, k) * b_of(col, k);
            wrong += c[row][col] != (float)sum;
        }
    return wrong;
}

static int finish(struct parts *parts, const char *kernel, uint64_t at,
                  const struct wsim_totals *totals) {
    unsigned wrong;
    parts_read(parts, at, c, sizeof c);
    wrong = count_wrong();
    printf("%-10s %u of %d elements are wrong, %llu findings\n", kernel, wrong, M * N,
           (unsigned long long)totals->findings);
    parts_close(parts);
    return wrong || totals->findings;
}

static int by_mma(void) {
    struct parts parts = parts_open("gemm_mma", "sm_80");
    struct {
        uint64_t a, b, c;
        int m, n, k;
    } params = {parts_buffer(&parts, "A", a, sizeof a),
                parts_buffer(&parts, "B", b, sizeof b),
                parts_buffer(&parts, "C", NULL, sizeof c),
                M,
                N,
                K};
    struct wsim_totals totals = parts_run(&parts, "gemm_mma", N / 64, M / 64, 128, &params, 36);
    return finish(&parts, "gemm_mma", params.c, &totals);
}

static int by_wgmma(void) {
    struct parts parts = parts_open("gemm_wgmma", "sm_90a");
    uint64_t at_a = parts_buffer(&parts, "A", a, sizeof a);
    uint64_t at_b = parts_buffer(&parts, "B", b, sizeof b);
    struct {
        struct wsim_tensor_map a, b;
        uint64_t c;
        int n, k;
    } params = {parts_map(WSIM_TENSOR_FLOAT16, at_a, M, K, K * 2, WSIM_SWIZZLE_128B, 64, 64),
                parts_map(WSIM_TENSOR_FLOAT16, at_b, N, K, K * 2, WSIM_SWIZZLE_128B, 64, 64),
                parts_buffer(&parts, "C", NULL, sizeof c), N, K};
    struct wsim_totals totals =
        parts_run(&parts, "gemm_wgmma", N / 64, M / 64, 128, &params, sizeof params);
    return finish(&parts, "gemm_wgmma", params.c, &totals);
}

int main(void) {
    for (unsigned i = 0; i < M; i++)
        for (unsigned k = 0; k < K; k++)
            a[i][k] = half_of(a_of(i, k));
    for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < K; k++)
            b[i][k] = half_of(b_of(i, k));
    return by_mma() | by_wgmma();
}
