/* bench_loops.c - whole kernels beside plain C that has their results, by one thread. Prints a row
 * of a table for each kernel, asserts nothing. It says where a result differs from that of C.
 *
 *     bench_loops tests/kernels [NAME [ROUNDS [CHECKS]]]     CHECKS: 0 or 1, the other way not at
 * all
 *
 * Times are CPU time, minima and medians; C and the ways of the kernel take turns. Sums of floats
 * are equal where C adds in the order of the kernel, and close otherwise. */
#include "bench.h"

#include <wsim/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 512, T = 1024, ROWS = 512, COLUMNS = 2000, WORDS = 1 << 20, MOST_ROUNDS = 64 };

/* Inputs, the output of C, and that of the kernel. */
static float in[3][WORDS], out[WORDS], got[WORDS];

/* --- plain C --- */

static void sgemm(const float *a, const float *b, float *restrict c) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            c[i * N + j] = sum;
        }
}

static void c_sgemm(void) {
    sgemm(in[0], in[1], out);
}

static void c_sgemm_scaled(void) {
    sgemm(in[0], in[1], out);
    for (int i = 0; i < N * N; i++)
        out[i] = fmaf(out[i], 1.5f, -0.25f * in[2][i]);
}

static void c_transpose(void) {
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            out[j * T + i] = in[0][i * T + j];
}

static void c_tree(void) {
    const int *x = (const int *)(const void *)in[0];
    int *y = (int *)(void *)out;
    for (int i = 0; i < WORDS / 512; i++) {
        unsigned sum = 0;
        for (int j = 0; j < 512; j++)
            sum += (unsigned)x[512 * i + j];
        y[i] = (int)sum;
    }
}

static void c_scan(void) {
    const unsigned *x = (const unsigned *)(const void *)in[0];
    unsigned *y = (unsigned *)(void *)out;
    for (int i = 0; i < WORDS / 256; i++) {
        unsigned sum = 0;
        for (int j = 0; j < 256; j++)
            y[256 * i + j] = sum += x[256 * i + j];
    }
}

static void c_sums(void) {
    for (int b = 0; b < 64; b++) {
        float sum = 0;
        int bits = 0;
        double weighted = 0;
        for (int i = 256 * b; i < WORDS; i += 64 * 256)
            for (int j = 0; j < 256; j++) {
                int word;
                memcpy(&word, &in[0][i + j], 4);
                sum += in[0][i + j];
                bits = (int)((unsigned)bits + (unsigned)word);
                weighted += (double)in[0][i + j] * (i + j + 1);
            }
        out[b] = sum;
        memcpy(&out[64 + b], &bits, 4);
        memcpy(&out[128 + 2 * b], &weighted, 8);
    }
}

static void c_softmax(void) {
    for (int i = 0; i < ROWS; i++) {
        const float *x = in[0] + i * COLUMNS;
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < COLUMNS; j++)
            most = x[j] > most ? x[j] : most;
        for (int j = 0; j < COLUMNS; j++)
            sum += out[i * COLUMNS + j] = expf(x[j] - most);
        for (int j = 0; j < COLUMNS; j++)
            out[i * COLUMNS + j] *= 1 / sum;
    }
}

static void c_layernorm(void) {
    for (int i = 0; i < ROWS; i++) {
        const float *x = in[0] + i * COLUMNS;
        float sum = 0, squares = 0, mean, scale;
        for (int j = 0; j < COLUMNS; j++)
            sum += x[j];
        mean = sum / COLUMNS;
        for (int j = 0; j < COLUMNS; j++)
            squares = fmaf(x[j] - mean, x[j] - mean, squares);
        scale = 1 / sqrtf(squares / COLUMNS + 1e-5f);
        for (int j = 0; j < COLUMNS; j++)
            out[i * COLUMNS + j] = fmaf((x[j] - mean) * scale, in[1][j], in[2][j]);
    }
}

/* --- kernels --- */

struct kernel {
    const char *folder, *name;
    void (*c)(void);
    uint32_t grid[2], block[2], shared;
    const char *params; /* a, b, c: inputs; o: output; p, q: places in it; others: a number each */
    int numbers[5];
    uint32_t words; /* of the output */
    float close;    /* 0: equal */
};
static const struct kernel kernels[] = {
    {"sgemm", "sgemm_naive", c_sgemm, {N / 32, N / 8}, {32, 8}, 0, "abo###", {N, N, N}, N *N, 0},
    {"sgemm", "sgemm_naive", c_sgemm, {N / 16, N / 16}, {16, 16}, 0, "abo###", {N, N, N}, N *N, 0},
    {"sgemm",
     "sgemm_tiled",
     c_sgemm_scaled,
     {N / 64, N / 64},
     {128},
     0,
     "abo#####",
     {N, N, N, 0x3FC00000, -0x41800000},
     N *N,
     0},
    {"transposes", "transpose_plain", c_transpose, {32, 32}, {32, 8}, 0, "ao#", {T}, WORDS, 0},
    {"transposes", "transpose_padded", c_transpose, {32, 32}, {32, 8}, 0, "ao#", {T}, WORDS, 0},
    {"transposes", "transpose_xor", c_transpose, {32, 32}, {32, 8}, 0, "ao#", {T}, WORDS, 0},
    {"reductions", "tree_sum", c_tree, {WORDS / 512}, {256}, 1024, "ao", {0}, WORDS / 512, 0},
    {"reductions", "scan_block", c_scan, {WORDS / 256}, {256}, 0, "ao", {0}, WORDS, 0},
    {"reductions", "sums", c_sums, {64}, {256}, 0, "aopq#", {WORDS}, 256, 1e-3f},
    {"reductions", "softmax", c_softmax, {ROWS}, {128}, 0, "ao#", {COLUMNS}, ROWS *COLUMNS, 1e-5f},
    {"reductions",
     "layernorm",
     c_layernorm,
     {ROWS},
     {96},
     0,
     "abco#",
     {COLUMNS / 4},
     ROWS *COLUMNS,
     1e-3f},
};

static const uint32_t ways[] = {0, WSIM_CHECK_ALL}; /* checks */
enum { WAYS = sizeof ways / sizeof ways[0] };

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *read_text(const char *folder, const char *name) {
    static char text[1 << 20];
    char path[4096];
    FILE *file;
    size_t size;
    snprintf(path, sizeof path, "%s/%s/%s.ptx", folder, name, name);
    file = fopen(path, "rb");
    size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = 0;
    if (file)
        fclose(file);
    return text;
}

/* Results of C and the kernel: how many differ. */
static uint32_t differences(const struct kernel *kernel) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < kernel->words; i++)
        n += kernel->close != 0 ? !(fabsf(out[i] - got[i]) <= kernel->close * (1 + fabsf(out[i])))
                                : memcmp(&out[i], &got[i], 4) != 0;
    return n;
}

static double run(const struct kernel *kernel, struct wsim_device *device,
                  struct wsim_module *module, const uint64_t *buffers, uint32_t checks) {
    uint64_t params[16];
    uint8_t *end = (uint8_t *)params;
    struct wsim_launch launch = {.name = kernel->name,
                                 .params = params,
                                 .threads = 1,
                                 .shared = kernel->shared,
                                 .checks = checks};
    struct wsim_report *report;
    struct wsim_diag diag;
    double time;
    memset(params, 0, sizeof params);
    for (const char *p = kernel->params, *numbers = strchr(p, '#'); *p; p++) {
        const uint64_t at =
            *p >= 'o' ? buffers[3] + (uint64_t)(*p - 'o') * 256 : buffers[(*p - 'a') & 3];
        if (*p == '#')
            memcpy(end, &kernel->numbers[p - numbers], 4), end += 4;
        else
            memcpy(end, &at, 8), end += 8;
    }
    launch.param_bytes = (uint32_t)(end - (uint8_t *)params);
    for (int i = 0; i < 2; i++) {
        launch.grid[i] = kernel->grid[i];
        launch.block[i] = kernel->block[i];
    }
    if (wsim_device_write(device, buffers[3], in[2], sizeof in[2], &diag))
        stop(&diag);
    time = now();
    if (wsim_launch_run(device, module, &launch, &report, &diag))
        stop(&diag);
    time = now() - time;
    wsim_report_free(report);
    if (wsim_device_read(device, buffers[3], got, 4 * (uint64_t)kernel->words, &diag))
        stop(&diag);
    return time;
}

static void measure(const char *folder, const struct kernel *kernel, int rounds, int only) {
    static double times[1 + WAYS][MOST_ROUNDS];
    uint64_t buffers[4];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_diag diag;
    uint32_t differs = 0;
    const char *text = read_text(folder, kernel->folder);
    if (wsim_module_load(text, strlen(text), 0, &module, &diag) ||
        wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag))
        stop(&diag);
    for (int i = 0; i < 4; i++)
        if (wsim_device_alloc(device, i == 3 ? "out" : "in", sizeof in[0], 256, &buffers[i],
                              &diag) ||
            wsim_device_write(device, buffers[i], in[i % 3], sizeof in[0], &diag))
            stop(&diag);
    for (int round = 0; round < rounds; round++) {
        times[0][round] = now();
        kernel->c();
        times[0][round] = now() - times[0][round];
        for (int w = 0; w < WAYS; w++) {
            if (only >= 0 && w != only)
                continue;
            times[1 + w][round] = run(kernel, device, module, buffers, ways[w]);
            differs += differences(kernel);
        }
    }
    for (int w = 0; w < 1 + WAYS; w++)
        qsort(times[w], (size_t)rounds, sizeof(double), compare);
    printf("| %s, %u x %u | %.2f |", kernel->name, (unsigned)kernel->block[0],
           (unsigned)(kernel->block[1] ? kernel->block[1] : 1), times[0][0] * 1e3);
    for (int w = 1; w < 1 + WAYS; w++)
        printf(" %.2f | %.2f | %.2f |", times[w][0] * 1e3, times[w][0] / times[0][0],
               times[w][rounds / 2] / times[0][rounds / 2]);
    printf("%s\n", differs ? " differs from C" : "");
    fflush(stdout);
    wsim_device_free(device);
    wsim_module_free(module);
}

int main(int argc, char **argv) {
    const char *only = argc > 2 ? argv[2] : "";
    int rounds = argc > 3 ? atoi(argv[3]) : 5;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    if (argc < 2)
        return 2;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < WORDS; j++)
            in[i][j] = (float)((j * 37 + (j >> 9) * 11 + i) % 251 - 125) / 64;
    puts("| kernel | C, ms | kernel | times C | median | all checks | times C | median |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strstr(kernels[i].name, only))
            measure(argv[1], &kernels[i], rounds, argc > 4 ? atoi(argv[4]) : -1);
    return 0;
}
