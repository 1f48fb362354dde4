/* Microseconds for one instruction of a whole warp, through the public door. */
#include <wsim/wsim.h>

#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Numbers of moderate size in every format: no infinities, few subnormals. */
static void fill(struct wsim_regs *regs, uint32_t seed) {
    unsigned r, l;
    for (r = 0; r < WSIM_MAX_REGS; r++)
        for (l = 0; l < WSIM_LANES; l++) {
            seed = seed * 1664525u + 1013904223u;
            regs->r[r][l] = seed & 0xBFFFBFFFu;
        }
}

static void run(const char *spelling, const char *target) {
    static uint8_t bytes[4096];
    static struct wsim_regs a, b, c, d;
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 0);
    uint32_t addr[WSIM_LANES], e[WSIM_LANES];
    struct wsim_operands io = {
        .d = &d, .a = &a, .b = &b, .c = &c, .r = &a, .e = e, .smem = &smem, .addr = addr};
    struct wsim_diag diag;
    struct wsim_op op;
    double start, best = 1e30;
    int i, round;
    fill(&a, 1), fill(&b, 2), fill(&c, 3);
    for (i = 0; i < WSIM_LANES; i++) {
        addr[i] = (uint32_t)i * 16;
        e[i] = 0x44444444;
    }
    if (wsim_op_parse(spelling, &op, &diag)) {
        printf("%s: %s\n", spelling, diag.text);
        return;
    }
    for (round = 0; round < 10; round++) {
        start = now();
        for (i = 0; i < 500; i++)
            if (wsim_exec(&op, wsim_arch_find(target), &io, &diag)) {
                printf("%s: %s\n", spelling, diag.text);
                return;
            }
        if (now() - start < best)
            best = now() - start;
    }
    printf("%8.2f us  %-7s %s\n", best / 500, target, spelling);
}

int main(void) {
    run("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90a");
    run("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a");
    run("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80");
    run("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_90a");
    run("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_90a");
    run("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89");
    run("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "sm_90a");
    run("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "sm_90a");
    run("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_90a");
    run("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sm_90a");
    run("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90a");
    run("stmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90a");
    run("movmatrix.sync.aligned.m8n8.trans.b16", "sm_90a");
    return 0;
}
