/* test_tensor.c - kernels of tcgen05 (tests/blackwell) store the words that the mathematics gives,
 * with asynchronous work as early and as late as the rules allow. Wrong uses of tensor memory are
 * findings. */
#include "kernel.h"

enum { MOST_BYTES = 64 * 1024, LANES = 128 };

static const struct {
    const char *name;
    unsigned columns;
    unsigned per_quarter; /* lanes that are compared in each quarter of 32 */
    unsigned blocks;      /* of a cluster                                 */
} kernels[] = {{"k01_st_ld_shapes", 22, 32, 1},
               {"k02_f16_m128n64k64_sw128", 64, 32, 1},
               {"k03_bf16_m64n32k32_none", 32, 16, 1},
               {"k04_tf32_m128n16k16_sw64", 16, 32, 1},
               {"k06_s8_m128n32k64_sw64", 32, 32, 1},
               {"k07_f16_m128n64k16_mnmajor", 64, 32, 1},
               {"k09_f16_scale_d_mask", 16, 32, 1},
               {"k10_ws_m32n64k16_f16", 16, 32, 1},
               {"k12_f16_a_in_tmem", 32, 32, 1},
               {"k13_mxf8f6f4_1x_ue8m0", 32, 32, 1},
               {"k15_mxf4nvf4_4x_ue4m3", 32, 32, 1},
               {"k17_cp_shapes", 24, 32, 1},
               {"pair_f16_m256", 32, 32, 2},
               {"pair_bf16_m128", 16, 32, 2},
               {"ws_zero_m64", 32, 32, 1},
               {"ws_shift_m128", 64, 32, 1},
               {"ws_sp_f16_m64", 32, 32, 1},
               {"ws_sp_e4m3_m32", 16, 32, 1},
               {"sp_f16_m64", 16, 32, 1},
               {"sp_tf32", 16, 32, 1},
               {"sp_pair_m128", 32, 32, 2},
               {"mx8_pair_m128", 32, 32, 2},
               {"nvf4_pair_m256", 32, 32, 2},
               {"nvf4_sp", 16, 32, 1}};

static size_t read_file(const char *name, const char *suffix, void *to) {
    char path[512];
    size_t n;
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/blackwell/%s%s", WSIM_SOURCE_DIR, name, suffix);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    n = fread(to, 1, MOST_BYTES, file);
    fclose(file);
    return n;
}

static void expect_words(int which, const uint32_t *out, const uint32_t *want, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned lane = (unsigned)(i / kernels[which].columns) % LANES;
        if (lane % 32 < kernels[which].per_quarter)
            expect(out[i] == want[i], "%s: lane %u, column %u is %08x, must be %08x",
                   kernels[which].name, lane, (unsigned)(i % kernels[which].columns),
                   (unsigned)out[i], (unsigned)want[i]);
    }
}

START_TEST(words) {
    static char text[MOST_BYTES];
    static uint8_t in[MOST_BYTES], out[MOST_BYTES], want[MOST_BYTES];
    int which = _i / 2;
    const char *name = kernels[which].name;
    size_t size = read_file(name, ".ptx", text), n_in = read_file(name, ".in.bin", in);
    size_t n_out = read_file(name, ".expect.bin", want);
    struct wsim_launch launch = {.block = {LANES, 1, 1},
                                 .checks = WSIM_CHECK_ALL,
                                 .async = _i % 2 ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER,
                                 .param_bytes = 16};
    uint64_t params[2];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_finding finding;
    struct wsim_diag diag;
    ck_assert_msg(!wsim_module_load(text, size, 0, &module, &diag), "%s: %s", name, diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_100a"), &device, NULL), WSIM_OK);
    wsim_device_alloc(device, "in", n_in, 0, &params[0], NULL);
    wsim_device_alloc(device, "out", n_out, 0, &params[1], NULL);
    wsim_device_write(device, params[0], in, n_in, NULL);
    memset(out, 0, n_out);
    wsim_device_write(device, params[1], out, n_out, NULL);
    launch.params = params;
    launch.grid[0] = launch.cluster[0] = kernels[which].blocks;
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s: %s", name,
                  diag.text);
    ck_assert_msg(!wsim_report_finding(report, 0, &finding), "%s: %s", name, finding.rule);
    wsim_device_read(device, params[1], out, n_out, NULL);
    expect_words(which, (const uint32_t *)(const void *)out, (const uint32_t *)(const void *)want,
                 n_out / 4);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* --- wrong uses --- */

#define HEAD                                                                                       \
    ".version 8.7\n.target sm_100a\n.address_size 64\n"                                            \
    ".visible .entry k(.param .u64 data)\n{\n"                                                     \
    ".reg .b32 %t, %u, %r<4>; .reg .pred %p; .shared .align 16 .b8 slot[32];\n"                    \
    "mov.u32 %u, slot;\n"
#define ALLOC(n)                                                                                   \
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%u], " n ";\n"                       \
    "ld.shared.b32 %t, [%u];\n"
#define FREE(n) "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, " n ";\n"
#define LD "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0}, [%t];\n"

static const struct {
    const char *rule, *text;
} wrong[] = {
    {"tcgen.alloc.size", HEAD "mov.u32 %r0, 48;\n" ALLOC("%r0") "ret;\n}\n"},
    {"tcgen.alloc.permit",
     HEAD "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" ALLOC("32") "ret;\n}\n"},
    {"tcgen.column.free", HEAD "mov.u32 %t, 0;\n" LD "ret;\n}\n"},
    {"tcgen.column.free", HEAD ALLOC("32") FREE("32") LD "ret;\n}\n"},
    {"tcgen.column.range", HEAD ALLOC("512") "add.u32 %t, %t, 512;\n" LD "ret;\n}\n"},
    {"tcgen.lane.quarter", HEAD ALLOC("32") "add.u32 %t, %t, 2097152;\n" LD "ret;\n}\n"},
    {"tcgen.address.differs",
     HEAD ALLOC("32") "mov.u32 %r1, %laneid;\nadd.u32 %t, %t, %r1;\n" LD "ret;\n}\n"},
    {"tcgen.dealloc.other", HEAD ALLOC("64") FREE("32") "ret;\n}\n"},
    {"tcgen.pair.missing",
     HEAD ALLOC("32") ".reg .b64 %d;\nmov.b64 %d, 0x0000400000000000;\nsetp.ne.u32 %p, 0, 0;\n"
                      "tcgen05.mma.cta_group::2.kind::f16 [%t], %d, %d, %t, %p;\nret;\n}\n"},
};

/* --- order --- */

/* A block of one warp with 32 columns at %t and an mbarrier at %u + 8. MMA has A and B at address
 * 1024, f16, M 128, N 8. */
#define ORDER_HEAD                                                                                 \
    HEAD ".reg .b64 %d; .reg .pred %q; .shared .align 1024 .b8 ab[8192];\n"                        \
         "mbarrier.init.shared::cta.b64 [%u+8], 1;\n" ALLOC(                                       \
             "32") "mov.u32 %r1, ab;\nshr.u32 %r1, %r1, 4;\ncvt.u64.u32 %d, %r1;\n"                \
                   "or.b64 %d, %d, 0x0000400800080000;\nmov.u32 %r2, 0x08020010;\n"                \
                   "setp.ne.u32 %p, 0, 0;\nelect.sync %r3|%q, -1;\n"
#define BEFORE "tcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
#define AFTER "tcgen05.fence::after_thread_sync;\n"
#define MMA "@%q tcgen05.mma.cta_group::1.kind::f16 [%t], %d, %d, %r2, %p;\n"
#define COMMIT "@%q tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%u+8];\n"
#define ARRIVED "W: mbarrier.try_wait.parity.shared::cta.b64 %p, [%u+8], 0;\n@!%p bra W;\n"
#define ST "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {%r2};\n"
#define WAIT(what) "tcgen05.wait::" what ".sync.aligned;\n"
#define DONE LD WAIT("ld") FREE("32") "ret;\n}\n"

/* A kernel that is right, and the same without one of its parts. */
static const struct {
    const char *rule, *text; /* NULL: no finding */
} orders[] = {
    {NULL, ORDER_HEAD BEFORE AFTER MMA COMMIT ARRIVED AFTER DONE},
    {"tcgen.order.commit", ORDER_HEAD BEFORE AFTER MMA DONE},
    {"tcgen.order.commit", ORDER_HEAD BEFORE AFTER MMA FREE("32") "ret;\n}\n"},
    {"tcgen.order.fence", ORDER_HEAD BEFORE AFTER MMA COMMIT ARRIVED DONE},
    {NULL, ORDER_HEAD ST WAIT("st") BEFORE AFTER MMA COMMIT ARRIVED AFTER DONE},
    {"tcgen.order.wait", ORDER_HEAD ST BEFORE AFTER MMA COMMIT ARRIVED AFTER DONE},
    {"tcgen.order.wait", ORDER_HEAD ST DONE},
    {NULL, ORDER_HEAD ST WAIT("st") DONE},
    {"tcgen.dealloc.missing", ORDER_HEAD "ret;\n}\n"},
    {"tcgen.group.mixed", ORDER_HEAD
     "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%u+8];\n" FREE(
         "32") "ret;\n}\n"},
};

/* Findings of other rules may join: the kernels compute with any contents of memory. */
START_TEST(order) {
    const char *wanted = orders[_i / 2].rule;
    struct wsim_launch launch = {.block = {32, 1, 1},
                                 .checks = WSIM_CHECK_SYNC,
                                 .async = _i % 2 ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER,
                                 .param_bytes = 8};
    uint64_t param = 0;
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report = NULL;
    struct wsim_finding finding = {0};
    struct wsim_diag diag = {0};
    int found = 0;
    ck_assert_msg(
        !wsim_module_load(orders[_i / 2].text, strlen(orders[_i / 2].text), 0, &module, &diag),
        "%d: %s", _i, diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_100a"), &device, NULL), WSIM_OK);
    launch.params = &param;
    wsim_launch_run(device, module, &launch, &report, &diag);
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++) {
        /* late work on columns that are free by then */
        if (strncmp(finding.rule, "tcgen.", 6) == 0 && strcmp(finding.rule, "tcgen.column.free"))
            expect(wanted && strcmp(finding.rule, wanted) == 0, "%d: %s: %s", _i, finding.rule,
                   finding.text);
        found |= wanted && strcmp(finding.rule, wanted) == 0;
    }
    ck_assert_msg(found == (wanted != NULL), "%d: %s is not found", _i, wanted ? wanted : "");
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* A kernel without any fence has one note, at whichever line. */
START_TEST(advice_comes_once) {
    static const char text[] = ORDER_HEAD MMA COMMIT ARRIVED LD
        "add.u32 %t, %t, 1;\n" LD "sub.u32 %t, %t, 1;\n" WAIT("ld") FREE("32") "ret;\n}\n";
    struct wsim_launch launch = {.block = {32, 1, 1}, .checks = WSIM_CHECK_SYNC, .param_bytes = 8};
    uint64_t param = 0;
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report = NULL;
    struct wsim_finding finding = {0};
    unsigned notes = 0;
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_100a"), &device, NULL), WSIM_OK);
    launch.params = &param;
    wsim_launch_run(device, module, &launch, &report, NULL);
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++)
        if (strcmp(finding.rule, "advice.fence.absent") == 0) {
            ck_assert_uint_eq(finding.count, 2);
            notes++;
        }
    ck_assert_uint_eq(notes, 1);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

START_TEST(findings) {
    struct kernel kernel = {.text = wrong[_i].text, .arch = "sm_100a"};
    kernel_run(&kernel, 1, 32);
    ck_assert_str_eq(kernel.rule, wrong[_i].rule);
}
END_TEST

/* An allocation waits until another warp frees its columns. */
START_TEST(alloc_waits) {
    struct kernel kernel = {
        .text = HEAD "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p, %r1, 31;\n@%p bra SECOND;\n" ALLOC(
            "512") "bar.sync 0;\n" FREE("512") "ret;\nSECOND:\nbar.sync 0;\nadd.u32 %u, %u, "
                                               "16;\n" ALLOC("256") FREE("256") "ret;\n}\n",
        .arch = "sm_100a"};
    kernel_good(&kernel, 1, 64);
}
END_TEST

/* A warp that names the lanes of another quarter reaches its own, which is a finding. */
START_TEST(quarters) {
    struct kernel kernel = {
        .text = HEAD
        ".reg .b64 %d<2>;\nld.param.u64 %d0, [data];\nmov.u32 %r1, %tid.x;\n"
        "shr.u32 %r2, %r1, 5;\nmad.lo.u32 %u, %r2, 16, %u;\n" ALLOC(
            "32") "mad.lo.u32 %r3, %r2, 2097152, %t;\n"
                  "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%r1};\n"
                  "tcgen05.wait::st.sync.aligned;\n" LD
                  "tcgen05.wait::ld.sync.aligned;\nmul.wide.u32 %d1, %r1, 4;\n"
                  "add.u64 %d1, %d1, %d0;\nst.global.b32 [%d1], %r0;\n" FREE("32") "ret;\n}\n",
        .arch = "sm_100a"};
    kernel_run(&kernel, 1, 64);
    ck_assert_str_eq(kernel.rule, "tcgen.lane.quarter");
    for (unsigned i = 0; i < 64; i++)
        ck_assert_uint_eq(kernel.words[i], i);
}
END_TEST

/* --- ld.red and shift --- */

/* A warp stores three words a lane, and loads them with their minimum or maximum. Word i of lane l
 * is table[(l + 5 i) mod 8]. */
#define RED_HEAD                                                                                   \
    ".version 8.8\n.target sm_103a\n.address_size 64\n.visible .entry k(.param .u64 data)\n{\n"    \
    ".reg .b32 %t, %u, %r<9>; .reg .b64 %d<4>; .reg .f32 %f<5>; .reg .pred %p; .shared .align 16 " \
    ".b8 slot[32];\n"                                                                              \
    "mov.u32 %u, slot;\nld.param.u64 %d0, [data];\nmov.u32 %r6, %laneid;\n" ALLOC("32")

#define RED_TAIL                                                                                   \
    WAIT("ld")                                                                                     \
    "mul.wide.u32 %d1, %r6, 4;\nadd.u64 %d1, %d1, %d0;\nbar.sync 0;\n"                             \
    "st.global.b32 [%d1], %r5;\n" FREE("32") "ret;\n}\n"

static const uint32_t table[8] = {0x3F800000, 0xBF800000, 0x80000000, 0x00000000,
                                  0x7FC00000, 0xFF800000, 0xC0400000, 0x00000001};

static const struct {
    const char *words; /* of the instruction */
    uint32_t lane[8];  /* of the first lanes */
} reductions[] = {
    /* Lane l has the words l, l + 5, l + 2, l + 7 of the table, modulo 8. */
    {".min.u32", {0x00000001, 0x00000000, 0x00000001, 0x00000000, 0x00000000, 0x00000001, 0, 1}},
    {".max.u32",
     {0xFF800000, 0xC0400000, 0xBF800000, 0xFF800000, 0xC0400000, 0xFF800000, 0xFF800000,
      0xC0400000}},
    {".min.s32",
     {0x80000000, 0xBF800000, 0x80000000, 0x80000000, 0xBF800000, 0x80000000, 0xC0400000,
      0xBF800000}},
    {".max.s32",
     {0x3F800000, 0x3F800000, 0x7FC00000, 0x3F800000, 0x7FC00000, 0x7FC00000, 0x3F800000,
      0x7FC00000}},
    {".min.f32",
     {0xFF800000, 0xC0400000, 0xBF800000, 0xFF800000, 0xC0400000, 0xFF800000, 0xFF800000,
      0xC0400000}},
    {".max.f32",
     {0x3F800000, 0x3F800000, 0x00000001, 0x3F800000, 0, 0x00000001, 0x3F800000, 0x00000001}},
    {".min.NaN.f32",
     {0xFF800000, 0xC0400000, 0x7FFFFFFF, 0xFF800000, 0x7FFFFFFF, 0x7FFFFFFF, 0xFF800000,
      0x7FFFFFFF}},
    {".max.abs.f32",
     {0x7F800000, 0x40400000, 0x3F800000, 0x7F800000, 0x40400000, 0x7F800000, 0x7F800000,
      0x40400000}},
    {".min.abs.f32", {0, 0, 0, 0, 0, 0, 0, 1}},
};

START_TEST(reduced) {
    char text[2048];
    struct kernel kernel = {.text = text, .arch = "sm_103a"};
    for (unsigned i = 0; i < 8; i++)
        kernel.words[i] = table[i];
    snprintf(text, sizeof text, "%s%s%s",
             RED_HEAD "mov.u32 %r7, %r6;\nmov.u32 %r4, 0;\n"
                      "L: and.b32 %r8, %r7, 7;\nmul.wide.u32 %d1, %r8, 4;\n"
                      "add.u64 %d1, %d1, %d0;\nld.global.b32 %r5, [%d1];\n"
                      "add.u32 %u, %t, %r4;\n"
                      "tcgen05.st.sync.aligned.32x32b.x1.b32 [%u], {%r5};\n"
                      "add.u32 %r7, %r7, 5;\nadd.u32 %r4, %r4, 1;\n"
                      "setp.lt.u32 %p, %r4, 4;\n@%p bra L;\n" WAIT(
                          "st") "tcgen05.ld.red.sync.aligned.32x32b.x4",
             reductions[_i].words,
             strchr(reductions[_i].words, 'f')
                 ? " {%f0, %f1, %f2, %f3}, %f4, [%t];\nmov.b32 %r5, %f4;\n" RED_TAIL
                 : " {%r0, %r1, %r2, %r3}, %r5, [%t];\n" RED_TAIL);
    kernel_good(&kernel, 1, 32);
    for (unsigned i = 0; i < 8; i++)
        expect(kernel.words[i] == reductions[_i].lane[i], "%s, lane %u: %08x, must be %08x",
               reductions[_i].words, i, (unsigned)kernel.words[i],
               (unsigned)reductions[_i].lane[i]);
}
END_TEST

/* Each lane of a quarter but the last takes the words of the next one. */
START_TEST(shifted) {
    struct kernel kernel = {
        .text = HEAD ".reg .b64 %d<3>; .reg .pred %q;\nld.param.u64 %d0, [data];\n" ALLOC(
            "32") "mov.u32 %r2, %laneid;\nmbarrier.init.shared::cta.b64 [%u+8], 1;\n"
                  "fence.mbarrier_init.release.cluster;\n"
                  "tcgen05.st.sync.aligned.32x32b.x8.b32 [%t], {%r2, %r2, %r2, %r2, %r2, %r2, %r2, "
                  "%r2};\n" WAIT("st") BEFORE AFTER
        "elect.sync %r3|%q, -1;\n"
        "@%q tcgen05.shift.cta_group::1.down [%t];\n" COMMIT ARRIVED AFTER LD WAIT(
            "ld") "mul.wide.u32 %d1, %r2, 4;\nadd.u64 %d1, %d1, %d0;\n"
                  "st.global.b32 [%d1], %r0;\n" FREE("32") "ret;\n}\n",
        .arch = "sm_100a"};
    kernel_run(&kernel, 1, 32);
    ck_assert_str_eq(kernel.rule, "advice.shift.inferred");
    for (unsigned i = 0; i < 32; i++)
        expect(kernel.words[i] == (i < 31 ? i + 1 : 31), "lane %u has word %u", i,
               (unsigned)kernel.words[i]);
}
END_TEST

/* --- words that nothing wrote --- */

#define FRESH_HEAD                                                                                 \
    HEAD ".reg .b64 %d<2>;\nld.param.u64 %d0, [data];\n" ALLOC("32") "mov.u32 %r2, 7;\n" ST WAIT(  \
        "st")
#define PACKED "tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%r0}, [%t];\n" WAIT("ld")
#define KEEP FREE("32") "st.global.b32 [%d0], %r0;\nret;\n}\n"

static const struct {
    const char *text;
    int is_fresh; /* a finding is due */
} fresh[] = {
    {FRESH_HEAD LD WAIT("ld") KEEP, 0},
    {FRESH_HEAD FREE("32") ALLOC("32") LD WAIT("ld") KEEP, 1}, /* as before, or another's */
    {FRESH_HEAD PACKED "and.b32 %r0, %r0, 0xffff;\n" KEEP, 0},
    {FRESH_HEAD PACKED "shr.u32 %r0, %r0, 16;\n" KEEP, 1},
};

START_TEST(unwritten) {
    struct kernel kernel = {
        .text = fresh[_i].text, .arch = "sm_100a", .launch = {.checks = WSIM_CHECK_ALL}};
    if (!fresh[_i].is_fresh) {
        kernel_good(&kernel, 1, 32);
        return;
    }
    kernel_run(&kernel, 1, 32);
    ck_assert_str_eq(kernel.rule, "init.tensor");
}
END_TEST

/* --- the suite `tensor` of tests/corpus --- */

/* Runs a kernel with the arguments of that folder. Returns whether a finding has `rule`; with NULL,
 * whether there is any that is no advice. */
static int has_finding(struct wsim_module *module, const char *entry, uint64_t seed,
                       enum wsim_async async, const char *rule, char *text, size_t size) {
    static uint8_t bytes[65536];
    struct wsim_launch launch = {.block = {LANES, 1, 1},
                                 .name = entry,
                                 .checks = WSIM_CHECK_ALL,
                                 .seed = seed,
                                 .async = async,
                                 .param_bytes = 28};
    struct {
        uint64_t a, b, u;
        int32_t n;
    } params = {0};
    struct wsim_device *device;
    struct wsim_report *report = NULL;
    struct wsim_finding finding;
    struct wsim_diag diag = {0};
    int found = 0;
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_100a"), &device, NULL), WSIM_OK);
    wsim_device_alloc(device, "a", sizeof bytes, 0, &params.a, NULL);
    wsim_device_alloc(device, "b", sizeof bytes, 0, &params.b, NULL);
    wsim_device_alloc(device, "u", 4096, 0, &params.u, NULL);
    memset(bytes, 1, sizeof bytes);
    wsim_device_write(device, params.a, bytes, sizeof bytes, NULL);
    memset(bytes, 0, sizeof bytes);
    wsim_device_write(device, params.b, bytes, sizeof bytes, NULL);
    launch.params = &params;
    wsim_launch_run(device, module, &launch, &report, &diag);
    ck_assert_msg(report != NULL, "%s: %s", entry, diag.text);
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++) {
        snprintf(text, size, "%s: %s", finding.rule, finding.text);
        found |= rule ? strcmp(finding.rule, rule) == 0 : strncmp(finding.rule, "advice.", 7) != 0;
    }
    wsim_report_free(report);
    wsim_device_free(device);
    return found;
}

static struct wsim_module *load_corpus(const char *folder) {
    static char text[4 * MOST_BYTES];
    char path[512];
    struct wsim_module *module;
    struct wsim_diag diag;
    size_t n;
    FILE *file;
    snprintf(path, sizeof path, "%s/tests/corpus/%s/tensor.ptx", WSIM_SOURCE_DIR, folder);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    n = fread(text, 1, sizeof text, file);
    fclose(file);
    ck_assert_msg(!wsim_module_load(text, n, 0, &module, &diag), "%s: %s", path, diag.text);
    return module;
}

/* Each mistake has its finding; each correct kernel has none in any order. */
START_TEST(corpus) {
    struct wsim_module *planted = load_corpus("planted"), *correct = load_corpus("correct");
    char line[512], folder[16], name[64], rule[64], text[1024] = "";
    unsigned n = 0;
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/corpus/kernels.tsv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%15[a-z]/tensor %63s 1 128 1 plain %63s", folder, name, rule) != 3)
            continue;
        n++;
        if (strcmp(folder, "planted") == 0) {
            expect(has_finding(planted, name, 0, WSIM_ASYNC_EAGER, rule, text, sizeof text),
                   "%s: no %s", name, rule);
            continue;
        }
        expect(!has_finding(correct, name, 0, WSIM_ASYNC_EAGER, NULL, text, sizeof text), "%s: %s",
               name, text);
        expect(!has_finding(correct, name, 3, WSIM_ASYNC_EAGER, NULL, text, sizeof text),
               "%s, seed 3: %s", name, text);
        expect(!has_finding(correct, name, 0, WSIM_ASYNC_LATE, NULL, text, sizeof text),
               "%s, late: %s", name, text);
    }
    fclose(file);
    expect(n >= 50, "%u kernels", n);
    wsim_module_free(planted);
    wsim_module_free(correct);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{words, 0, 2 * COUNT(kernels)},
                                       {findings, 0, COUNT(wrong)},
                                       {order, 0, 2 * COUNT(orders)},
                                       {advice_comes_once, 0, 1},
                                       {alloc_waits, 0, 1},
                                       {quarters, 0, 1},
                                       {corpus, 0, 1},
                                       {reduced, 0, COUNT(reductions)},
                                       {unwritten, 0, COUNT(fresh)},
                                       {shifted, 0, 1}};
    return every_run("unit/run/tensor", tests, COUNT(tests));
}
