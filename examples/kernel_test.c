/* A short test of a kernel: the PTX of examples/kernels/saxpy.cu, memory, a launch, the expected
 * result. It can be the body of a START_TEST of Check, and needs no GPU. */
#include "kernel_parts.h"

#include <stdio.h>

int main(void) {
    enum { N = 1000 };
    float x[N], y[N], got[N];
    unsigned wrong = 0;
    struct parts parts = parts_open("saxpy", "sm_80");
    for (int i = 0; i < N; i++)
        x[i] = (float)i, y[i] = (float)(3 * i);
    struct {
        float a;
        uint64_t x, y;
        int n;
    } params = {2, parts_buffer(&parts, "x", x, sizeof x), parts_buffer(&parts, "y", y, sizeof y),
                N};
    struct wsim_totals totals = parts_run(&parts, "saxpy", 4, 1, 256, &params, 28);
    parts_read(&parts, params.y, got, sizeof got);
    for (int i = 0; i < N; i++)
        wrong += got[i] != 5 * (float)i;
    printf("saxpy: %u of %d elements are wrong, %llu findings\n", wrong, N,
           (unsigned long long)totals.findings);
    parts_close(&parts);
    return wrong || totals.findings;
}
