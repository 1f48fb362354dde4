/* wgmma.mma_async in kernels gives the results of wsim_run in the registers of four
 * warps. Also the time of completion, and the warps that must arrive. */
#include "../../every.h"

#include <stdarg.h>
#include <stddef.h>
#include <wsim/kernel.h>

enum { THREADS = 128, BOX = 16384, MOST_D = 128, WARPS = 4 };

/* The input of the kernel: words of all threads, then the box. */
static struct input {
    uint32_t d[MOST_D][THREADS], a[4][THREADS], e[THREADS];
    uint8_t box[BOX];
} in;
static uint32_t out[MOST_D][THREADS];
static char text[1 << 17];
static size_t used;

static void put(const char *format, ...) {
    va_list values;
    va_start(values, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, values);
    va_end(values);
    ck_assert_uint_lt(used, sizeof text);
}

/* How one is written. */
struct how {
    int registers; /* A is in registers       */
    int d_regs, a_regs, sparse;
    uint32_t selector, scale_d, negate_a, negate_b, trans_a, trans_b;
    int signs, majors;
    int waits; /* before D is stored      */
    uint64_t desc;
};

static void write_kernel(const char *spelling, const struct how *how) {
    used = 0;
    put(".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %%x<6>;\n"
        ".reg .b32 %%y<8>, %%d<129>, %%a<5>;\n.reg .pred %%p;\n.shared .align 1024 .b8 box[%d];\n"
        "ld.param.u64 %%x0, [in];\nld.param.u64 %%x1, [out];\nmov.u32 %%y0, %%tid.x;\n"
        "mul.wide.u32 %%x2, %%y0, 4;\nadd.u64 %%x3, %%x2, %%x1;\nadd.u64 %%x2, %%x2, %%x0;\n"
        "mov.u32 %%y1, box;\nmad.lo.u32 %%y1, %%y0, 4, %%y1;\n",
        BOX);
    for (int i = 0; i < BOX / 4 / THREADS; i++)
        put("ld.global.b32 %%y2, [%%x2+%u];\nst.shared.b32 [%%y1+%u], %%y2;\n",
            (unsigned)offsetof(struct input, box) + 512 * (unsigned)i, 512 * (unsigned)i);
    for (int r = 0; r < how->d_regs; r++)
        put("ld.global.b32 %%d%d, [%%x2+%d];\n", r, 512 * r);
    for (int r = 0; r < how->a_regs; r++)
        put("ld.global.b32 %%a%d, [%%x2+%u];\n", r,
            (unsigned)offsetof(struct input, a) + 512 * (unsigned)r);
    put("ld.global.b32 %%y3, [%%x2+%u];\nmov.b64 %%x4, 0x%llx;\nmov.b32 %%y4, %u;\n"
        "setp.ne.b32 %%p, %%y4, 0;\nbar.sync 0;\nfence.proxy.async.shared::cta;\n"
        "wgmma.fence.sync.aligned;\n%s {",
        (unsigned)offsetof(struct input, e), (unsigned long long)how->desc, how->scale_d, spelling);
    for (int r = 0; r < how->d_regs; r++)
        put("%s%%d%d", r ? "," : "", r);
    put("}, %s, %%x4", how->registers ? "{%a0,%a1,%a2,%a3}" : "%x4");
    if (how->sparse)
        put(", %%y3, %u", how->selector);
    put(", %%p");
    if (how->signs)
        put(", %d, %d", how->negate_a ? -1 : 1, how->negate_b ? -1 : 1);
    if (how->majors && !how->registers)
        put(", %u", how->trans_a);
    if (how->majors)
        put(", %u", how->trans_b);
    put(";\nwgmma.commit_group.sync.aligned;\n%s",
        how->waits ? "wgmma.wait_group.sync.aligned 0;\n" : "");
    for (int r = 0; r < how->d_regs; r++)
        put("st.global.b32 [%%x3+%d], %%d%d;\n", 512 * r, r);
    put("%sret;\n}\n", how->waits ? "" : "wgmma.wait_group.sync.aligned 0;\n");
}

static void run(enum wsim_async async, uint64_t seed, uint32_t checks) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_launch how = {.block = {THREADS}, .threads = 1, .seed = seed, .checks = checks};
    uint64_t params[2];
    struct wsim_diag diag;
    how.async = (uint8_t)async;
    how.params = params;
    how.param_bytes = sizeof params;
    memset(out, 0, sizeof out);
    expect(!wsim_module_load(text, used, 0, &module, &diag), "%s", diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    wsim_device_alloc(device, "in", sizeof in, 0, &params[0], NULL);
    wsim_device_alloc(device, "out", sizeof out, 0, &params[1], NULL);
    wsim_device_write(device, params[0], &in, sizeof in, NULL);
    wsim_device_write(device, params[1], out, sizeof out, NULL);
    expect(!wsim_launch_run(device, module, &how, &report, &diag), "%s\n%s", diag.text, text);
    wsim_device_read(device, params[1], out, sizeof out, NULL);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
}

/* Leaves the product in `d`. */
static void judge(const struct wsim_code *code, const struct how *how, uint32_t (*d)[THREADS]) {
    static uint32_t *d_at[WARPS * MOST_D];
    const uint32_t *a_at[WARPS * 4], *e_at[WARPS];
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, in.box, BOX, 1024);
    struct wsim_io io = {.shared = &shared,
                         .wgmma = {.d = d_at,
                                   .c = (const uint32_t *const *)d_at,
                                   .a = how->registers ? a_at : NULL,
                                   .e = e_at,
                                   .selector = how->selector,
                                   .scale_d = how->scale_d,
                                   .negate_a = how->negate_a,
                                   .negate_b = how->negate_b,
                                   .trans_a = how->trans_a,
                                   .trans_b = how->trans_b,
                                   .desc_a = how->desc,
                                   .desc_b = how->desc}};
    struct wsim_diag diag;
    memcpy(d, in.d, sizeof in.d);
    for (int w = 0; w < WARPS; w++) {
        for (int r = 0; r < MOST_D; r++)
            d_at[WARPS * r + w] = &d[r][32 * w];
        for (int r = 0; r < 4; r++)
            a_at[WARPS * r + w] = &in.a[r][32 * w];
        e_at[w] = &in.e[32 * w];
    }
    expect(!wsim_run(code, &io, &diag), "%s", diag.text);
}

/* 1: it is one. */
static int prepare(const struct wsim_op *op, int variant, struct wsim_code *code, struct how *how) {
    static const struct wsim_descriptor lines = {.start = 1024, .leading = 128, .stride = 256};
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_tile tile;
    struct wsim_layout layout;
    uint64_t seed = (uint64_t)variant + 1;
    if (wsim_op_describe(op).family != WSIM_WGMMA || wsim_prepare(op, arch, 0, code, NULL))
        return 0;
    memset(how, 0, sizeof *how);
    ck_assert_int_eq(wsim_op_layout(op, arch, WSIM_D, &layout, NULL), WSIM_OK);
    how->d_regs = layout.regs;
    how->registers = variant % 3 == 1;
    how->a_regs = how->registers ? 4 : 0;
    how->sparse = !wsim_op_layout(op, arch, WSIM_E, &layout, NULL);
    how->scale_d = variant % 5 != 2;
    how->majors = !wsim_wgmma_tile(op, WSIM_B, 1, &tile, NULL);
    how->waits = 1;
    wsim_descriptor_encode(&lines, &how->desc, NULL);
    every_fill(&in, sizeof in, &seed);
    for (size_t i = 0; i < sizeof in; i++) /* numbers that are not too large, of any format */
        ((uint8_t *)&in)[i] &= 0xBF;
    for (int t = 0; t < THREADS; t++)
        in.e[t] = t % 2 ? 0x44444444u : 0xEEEEEEEEu;
    return 1;
}

static void check_one(const struct wsim_op *op, int variant) {
    static uint32_t d[MOST_D][THREADS];
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_code code;
    struct how how;
    wsim_op_spell(op, spelling);
    ck_assert(prepare(op, variant, &code, &how));
    /* Integers and bits have no signs to flip. */
    how.signs = !strstr(spelling, ".s32");
    how.negate_a = how.signs && variant % 2;
    how.negate_b = how.signs && variant % 4 == 3;
    how.trans_b = how.majors && variant % 7 < 3;
    how.trans_a = how.majors && !how.registers && variant % 7 > 4;
    judge(&code, &how, d);
    write_kernel(spelling, &how);
    run(variant % 2 ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER, (uint64_t)variant,
        variant % 3 ? 0 : WSIM_CHECK_ALL);
    expect(!memcmp(out, d, (size_t)how.d_regs * sizeof *d), "%s: D differs", spelling);
}

START_TEST(products) {
    int n = 0, step = run_sample() > 1 ? 61 : 17;
    for (int i = every_warp_op_count(); i < every_op_count(); i += step) {
        struct wsim_code code;
        struct wsim_op op;
        struct how how;
        every_op(i, &op);
        if (prepare(&op, i, &code, &how))
            check_one(&op, i), n++;
    }
    ck_assert_int_gt(n, 10);
}
END_TEST

START_TEST(products_of_each_kind) {
    static const char *const spellings[] = {
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32",
        "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.u8.satfinite",
        "wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc",
        "wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16",
        "wgmma.mma_async.sync.aligned.m64n40k32.f16.e4m3.e5m2",
    };
    for (int i = 0; i < COUNT(spellings); i++)
        for (int variant = 0; variant < 8; variant++) {
            struct wsim_op op = every_parse(spellings[i]);
            check_one(&op, variant);
        }
}
END_TEST

/* Registers that are read before the wait hold the product early, and the old values late, until
 * one of the warps has waited. */
START_TEST(a_missing_wait_shows) {
    static uint32_t d[MOST_D][THREADS];
    const char *spelling = "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16";
    struct wsim_op op = every_parse(spelling);
    struct wsim_code code;
    struct how how;
    int old = 0;
    ck_assert(prepare(&op, 0, &code, &how));
    how.signs = 1;
    how.waits = 0;
    judge(&code, &how, d);
    write_kernel(spelling, &how);
    run(WSIM_ASYNC_EAGER, 0, 0);
    ck_assert_mem_eq(out, d, (size_t)how.d_regs * sizeof *d);
    run(WSIM_ASYNC_LATE, 0, 0);
    for (int w = 0; w < WARPS; w++)
        old += !memcmp(&out[how.d_regs - 1][32 * w], &in.d[how.d_regs - 1][32 * w], 128);
    ck_assert_int_ge(old, 1);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {products, products_of_each_kind, a_missing_wait_shows};
    return run_tests("matrix_group", tests, sizeof tests / sizeof tests[0]);
}
