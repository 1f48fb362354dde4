/* modes.c - kernels are exact in every floating-point mode of the host. Compares every path, in
 * each rounding mode, with flushed subnormal results and operands, with the plain path, which uses
 * no floats. Links libwsim and libwsim-harness; fast_math.sh compiles all of it with -ffast-math.
 */
#include <wsim/harness/cases.h>
#include <wsim/wsim.h>

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* One of each class, with each kind of result. */
static const struct {
    const char *spelling, *arch;
} forms[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "sm_75"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_80"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "sm_89"},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16", "sm_89"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.e2m3.e4m3.f16", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e5m2.f32.ue8m0",
     "sm_120a"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", "sm_120a"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32"
     ".ue4m3",
     "sm_120a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", "sm_80"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", "sm_90a"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", "sm_90a"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "sm_90a"},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_90a"},
    {"mma.sync.aligned.m16n8k8.row.col.rz.f64.f64.f64.f64", "sm_90a"},
    {"mma.sync.aligned.m16n8k4.row.col.rp.f64.f64.f64.f64", "sm_90a"},
    {"mma.sync.aligned.m16n8k4.row.col.rm.f64.f64.f64.f64", "sm_90a"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", "sm_90a"},
};
enum { FORMS = sizeof forms / sizeof forms[0], CASES = 2 };

/* --- the host --- */

static const int roundings[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
enum { ROUNDINGS = 4, FLUSHES = 4, MODES = ROUNDINGS * FLUSHES };

/* Mode `mode`; 0: this machine has no such thing. */
static int set_mode(unsigned mode) {
    unsigned flush = mode / ROUNDINGS;
#if defined(__SSE2__)
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (flush & 1 ? 0x8000u : 0) | (flush & 2 ? 0x40u : 0));
    return fesetround(roundings[mode % ROUNDINGS]) == 0;
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    fpcr = (fpcr & ~(UINT64_C(1) << 24)) | (uint64_t)(flush & 1) << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
    return !(flush & 2) && fesetround(roundings[mode % ROUNDINGS]) == 0;
#else
    return !flush && fesetround(roundings[mode % ROUNDINGS]) == 0;
#endif
}

/* --- comparing --- */

static struct wsim_case_scratch scratch;
static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES];
static uint32_t judged[WSIM_CASE_RESULTS * WSIM_LANES], out[WSIM_CASE_RESULTS * WSIM_LANES];
static unsigned long compared, wrong;

static void compare(const struct wsim_code *code, const struct wsim_plan *plan, unsigned mode,
                    unsigned dist) {
    size_t words = (size_t)plan->out_rows * WSIM_LANES;
    unsigned before;
    memset(out, 0xA5, words * sizeof *out);
    if (!set_mode(mode))
        return;
#if defined(__SSE2__)
    before = _mm_getcsr() & 0xFFC0;
#endif
    if (wsim_case_run(code, plan, in, out, &scratch, NULL))
        wrong++;
#if defined(__SSE2__)
    if ((_mm_getcsr() & 0xFFC0) != before) {
        printf("%s: the mode is not given back\n", wsim_code_kernel(code));
        wrong++;
    }
#else
    before = 0;
    (void)before;
#endif
    set_mode(0);
    compared += words;
    if (memcmp(out, judged, words * sizeof *out) != 0 && wrong++ < 20) {
        char text[WSIM_SPELLING_MAX];
        wsim_op_spell(&code->op, text);
        printf("%s on %s, path %s, rounding %u, flushing %u, %s: differs\n", text,
               wsim_arch_name(code->arch), wsim_path_name(wsim_code_path(code)), mode % ROUNDINGS,
               mode / ROUNDINGS, wsim_dist_name(dist));
    }
}

static void compare_form(const char *spelling, const char *arch) {
    struct wsim_code plain, code;
    struct wsim_plan plan;
    struct wsim_op op;
    struct wsim_diag diag;
    if (wsim_op_parse(spelling, &op, &diag) || wsim_plan_make(&op, 0, &plan, &diag) ||
        wsim_prepare(&op, wsim_arch_find(arch), WSIM_PLAIN, &plain, &diag)) {
        printf("%s: %s\n", spelling, diag.text);
        wrong++;
        return;
    }
    for (unsigned dist = 0; dist < WSIM_DISTS; dist++)
        for (unsigned number = 0; number < CASES; number++) {
            struct wsim_case c = wsim_case_at(&plan, 30, number, dist);
            wsim_case_fill(&plan, &c, in);
            if (wsim_case_run(&plain, &plan, in, judged, &scratch, NULL))
                wrong++;
            for (unsigned path = WSIM_PATH_PLAIN + 1; path < WSIM_PATHS; path++) {
                if (wsim_prepare(&op, plain.arch, WSIM_UP_TO(path), &code, NULL) ||
                    wsim_code_path(&code) != (enum wsim_path)path)
                    continue;
                for (unsigned mode = 0; mode < MODES; mode++)
                    compare(&code, &plan, mode, dist);
            }
        }
}

int main(void) {
    for (unsigned i = 0; i < FORMS; i++)
        compare_form(forms[i].spelling, forms[i].arch);
    printf("%lu results in %u modes, %lu wrong\n", compared, MODES, wrong);
    if (!compared)
        puts("skipped: no kernels here");
    return wrong ? EXIT_FAILURE : compared ? EXIT_SUCCESS : 77;
}
