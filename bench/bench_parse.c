/* Microseconds for reading one spelling: right ones, and wrong ones with their nearest. */
#include <wsim/wsim.h>

#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void run(const char *spelling) {
    enum { ROUNDS = 20, TIMES = 1000 };
    struct wsim_diag diag;
    struct wsim_op op;
    enum wsim_status status = WSIM_OK;
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now(), spent;
        for (int i = 0; i < TIMES; i++)
            status = wsim_op_parse(spelling, &op, &diag);
        spent = now() - start;
        best = spent < best ? spent : best;
    }
    printf("%8.2f us  %-10s  %s\n", best / TIMES, wsim_status_name(status), spelling);
}

int main(void) {
    static const char *const spellings[] = {
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        "ld.shared.v4.u32",
        "ld.relaxed.cta.shared.f32",
        "cp.async.ca.shared.global",
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
        "mbarrier.arrive.expect_tx.shared.b64",
        "ld.global.v4.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23",
        "mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32",
        "mma.m16n8k32.s8",
        "wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16",
        "stmatrx.sync.aligned.m8n8.x1.b16",
        "foo.bar",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        run(spellings[i]);
    return 0;
}
