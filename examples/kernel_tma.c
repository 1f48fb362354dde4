/* Seven kernels that use the copy engine (examples/kernels/tma_*.cu): some add one, some transpose.
 * All results are equal; `wsim run` prints the costs. */
#include "kernel_parts.h"

#include <stdio.h>
#include <string.h>

enum { TILE = 32 };

static int show(const char *kernel, unsigned wrong, const struct wsim_totals *totals) {
    printf("%-18s %u wrong, %llu findings\n", kernel, wrong, (unsigned long long)totals->findings);
    return wrong || totals->findings;
}

static int add_one(struct parts *parts, const char *kernel, int panels) {
    enum { ROWS = 80, COLS = 100, PITCH = 104 }; /* partial tiles, and bytes after each row */
    static uint32_t matrix[ROWS * PITCH], got[ROWS * PITCH];
    unsigned wrong = 0;
    for (unsigned i = 0; i < ROWS * PITCH; i++)
        matrix[i] = i % PITCH < COLS ? i * 7 : 0xeeeeeeee;
    uint64_t at = parts_buffer(parts, "matrix", matrix, sizeof matrix);
    struct wsim_tensor_map map =
        parts_map(WSIM_TENSOR_INT32, at, ROWS, COLS, PITCH * 4,
                  panels ? WSIM_SWIZZLE_32B : WSIM_SWIZZLE_NONE, TILE, panels ? 8 : TILE);
    struct wsim_totals totals = parts_run(parts, kernel, 4, 3, 1024, &map, sizeof map);
    parts_read(parts, at, got, sizeof got);
    for (unsigned i = 0; i < ROWS * PITCH; i++)
        wrong += got[i] != matrix[i] + (i % PITCH < COLS);
    return show(kernel, wrong, &totals);
}

static int transpose(struct parts *parts, const char *kernel, int swizzled, unsigned threads) {
    enum { N = 128 };
    static uint32_t in[N][N], out[N][N];
    enum wsim_swizzle swizzle = swizzled ? WSIM_SWIZZLE_128B : WSIM_SWIZZLE_NONE;
    unsigned wrong = 0;
    for (unsigned i = 0; i < N * N; i++)
        in[i / N][i % N] = i * 2654435761u;
    uint64_t from = parts_buffer(parts, "in", in, sizeof in);
    uint64_t to = parts_buffer(parts, "out", NULL, sizeof out);
    struct wsim_tensor_map maps[] = {
        parts_map(WSIM_TENSOR_FLOAT32, from, N, N, N * 4, swizzle, TILE, TILE),
        parts_map(WSIM_TENSOR_FLOAT32, to, N, N, N * 4, swizzle, TILE, TILE)};
    struct wsim_totals totals =
        parts_run(parts, kernel, N / TILE, N / TILE, threads, maps, sizeof maps);
    parts_read(parts, to, out, sizeof out);
    for (unsigned i = 0; i < N * N; i++)
        wrong += out[i / N][i % N] != in[i % N][i / N];
    return show(kernel, wrong, &totals);
}

int main(void) {
    struct parts adding = parts_open("tma_add_one", "sm_90a");
    struct parts turning = parts_open("tma_transpose", "sm_90a");
    int failed = add_one(&adding, "add_one_rows", 0);
    failed |= add_one(&adding, "add_one_panels", 1);
    failed |= add_one(&adding, "add_one_by_four", 1);
    failed |= transpose(&turning, "transpose_plain", 0, 1024);
    failed |= transpose(&turning, "transpose_swizzled", 1, 1024);
    failed |= transpose(&turning, "transpose_batched", 1, 256);
    failed |= transpose(&turning, "transpose_blocks", 1, 64);
    parts_close(&adding);
    parts_close(&turning);
    return failed;
}
