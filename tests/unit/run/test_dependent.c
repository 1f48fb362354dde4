/* wsim_launch.primary: a kernel that may begin before another one ends. Accesses of what that one
 * writes need griddepcontrol.wait before them, or a flag, or another thread that has waited. */
#include "../../every.h"
#include "launched.h"

/* The other kernel writes words 0 to 15 and 32 to 47 of the input, and reads words 48 and 49. It
 * sets a flag in word 64. A kernel further before writes words 256 to 271, and reads words 300 to
 * 303. The head uses none of these: %d0 is the input, %r0 the thread. */
#define BEGIN                                                                                      \
    ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"       \
    ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 box[512];\n"     \
    "ld.param.u64 %d0, [in];\nmov.u32 %r0, %tid.x;\nmov.u32 %r7, %ctaid.x;\n"                      \
    "setp.lt.u32 %p0, %r0, 32;\nsetp.eq.u32 %p1, %r0, 0;\nsetp.eq.u32 %p2, %r7, 0;\n"

enum { NOTE = 100 };

static const struct {
    const char *body;
    uint64_t found; /* occurrences; a note counts NOTE */
} cases[] = {
    {"griddepcontrol.wait;\nld.global.u32 %r1, [%d0];", 0},
    {"ld.global.u32 %r1, [%d0+64];\nld.global.u32 %r1, [%d0+192];\ngriddepcontrol.wait;", 0},
    {"ld.global.u32 %r1, [%d0];\ngriddepcontrol.wait;", 4},
    {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+48];", 4},
    {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0+176];", 4},
    {"ld.global.u8 %r1, [%d0+128];", 4},
    {"@%p0 ld.global.nc.u32 %r1, [%d0];", 2},
    {"@%p1 st.global.u32 [%d0+60], 0;", 2},
    {"@%p1 cp.async.ca.shared.global [box], [%d0], 4;\ncp.async.wait_all;", 2},
    {"griddepcontrol.launch_dependents;\nld.global.u32 %r1, [%d0];", 4},
    {"@%p0 griddepcontrol.wait;\nbar.sync 0;\nld.global.u32 %r1, [%d0];", 0},
    {"@%p0 griddepcontrol.wait;\nld.global.u32 %r1, [%d0];", 2}, /* the others do not know */
    {"@%p0 bra W;\nbar.sync 1, 64;\nbra R;\nW: griddepcontrol.wait;\nbar.arrive 1, 64;\n"
     "R: ld.global.u32 %r1, [%d0];",
     0},
    {"bar.sync 0;\nld.global.u32 %r1, [%d0];", 4},
    {"fence.acq_rel.gpu;\nld.global.u32 %r1, [%d0];", 4},
    /* a flag of the other kernel; a word that it does not use is none */
    {"ld.acquire.gpu.global.u32 %r1, [%d0+256];\nld.global.u32 %r2, [%d0];", 0},
    {"@%p0 ld.volatile.global.u32 %r1, [%d0+256];\nbar.sync 0;\nld.global.u32 %r2, [%d0];", 0},
    {"ld.acquire.gpu.global.u32 %r1, [%d0+260];\nld.global.u32 %r2, [%d0];", 4},
    {"st.volatile.global.u32 [%d0+256], 1;\nld.global.u32 %r2, [%d0];", 4},
    /* a block learns it from another one */
    {"@%p2 griddepcontrol.wait;\n@%p2 bra S;\nld.acquire.gpu.global.u32 %r1, [%d0+512];\n"
     "S: ld.global.u32 %r2, [%d0];",
     0},
    /* writes over what the other kernel reads, or has for flags */
    {"@%p1 st.global.u32 [%d0+196], 0;", 2},
    {"@%p1 red.global.add.u32 [%d0+196], 1;", 2},
    {"@%p1 st.volatile.global.u32 [%d0+16], 1;", 2},
    {"@%p1 st.global.u32 [%d0+256], 1;", 2},
    {"@%p1 ld.global.u32 %r1, [%d0+256];", 0},
    {"griddepcontrol.wait;\n@%p1 st.global.u32 [%d0+196], 0;", 0},
    /* after the wait a kernel further before is a note; its flag ends it */
    {"griddepcontrol.wait;\nld.global.u32 %r1, [%d0+1024];", 4 * NOTE},
    {"ld.global.u32 %r1, [%d0+1084];\ngriddepcontrol.wait;", 4},
    {"griddepcontrol.wait;\n@%p1 st.global.u32 [%d0+1200], 0;", 2 * NOTE},
    {"griddepcontrol.wait;\nld.global.u32 %r1, [%d0+1200];\nld.global.u32 %r1, [%d0+1088];", 0},
    {"ld.acquire.gpu.global.u32 %r1, [%d0+256];\nld.global.u32 %r2, [%d0+1024];", 0},
    {"griddepcontrol.wait;\nfence.acq_rel.gpu;\nbar.sync 0;\nld.global.u32 %r2, [%d0+1024];",
     4 * NOTE},
};

static uint64_t run(const char *body, const char *arch, uint32_t checks, int known,
                    struct wsim_finding *finding, struct wsim_report **report) {
    static uint8_t bytes[4096];
    static char text[4096];
    struct wsim_device *device;
    struct wsim_module *module;
    struct wsim_diag diag;
    struct wsim_launch launch = {
        .grid = {2, 1, 1}, .block = {64, 1, 1}, .checks = checks, .threads = 1, .param_bytes = 8};
    struct wsim_touched primary[6];
    uint64_t in, found = 0;
    snprintf(text, sizeof text, "%s%s\nret;\n}\n", BEGIN, body);
    ck_assert_int_eq(WSIM_OK, wsim_device_make(wsim_arch_find(arch), &device, &diag));
    ck_assert_msg(WSIM_OK == wsim_module_load(text, strlen(text), 0, &module, &diag), "%s: %s",
                  body, diag.text);
    ck_assert_int_eq(WSIM_OK, wsim_device_alloc(device, "in", sizeof bytes, 0, &in, &diag));
    ck_assert_int_eq(WSIM_OK, wsim_device_write(device, in, bytes, sizeof bytes, &diag));
    primary[0] = (struct wsim_touched){in + 192, 8, WSIM_TOUCHED_READ};
    primary[1] = (struct wsim_touched){in, 64, WSIM_TOUCHED_WRITTEN};
    primary[2] = (struct wsim_touched){in + 128, 64, WSIM_TOUCHED_WRITTEN};
    primary[3] = (struct wsim_touched){in + 256, 4, WSIM_TOUCHED_STRONG};
    primary[4] = (struct wsim_touched){in + 1200, 16, WSIM_TOUCHED_KINDS + WSIM_TOUCHED_READ};
    primary[5] = (struct wsim_touched){in + 1024, 64, WSIM_TOUCHED_KINDS + WSIM_TOUCHED_WRITTEN};
    launch.params = &in;
    launch.primary = known ? primary : NULL;
    launch.n_primary = 6;
    ck_assert_int_eq(WSIM_OK, wsim_launch_run(device, module, &launch, report, &diag));
    for (size_t i = 0; wsim_report_finding(*report, i, finding); i++)
        if (strcmp(finding->rule, "race.dependency") == 0)
            found += finding->count;
        else if (strcmp(finding->rule, "advice.dependency.chain") == 0)
            found += NOTE * finding->count;
    wsim_module_free(module);
    wsim_device_free(device);
    return found;
}

START_TEST(accesses_wait) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wsim_finding finding;
        struct wsim_report *report;
        const uint64_t found = run(cases[i].body, "sm_90a", WSIM_CHECK_RACE, 1, &finding, &report);
        expect(found == cases[i].found, "%s: %u", cases[i].body, (unsigned)found);
        wsim_report_free(report);
    }
}
END_TEST

/* No other kernel may run: the launch is none that depends, or races are not checked. */
START_TEST(nothing_to_wait_for) {
    struct wsim_finding finding;
    struct wsim_report *report;
    const char *body = "@%p1 ld.global.u32 %r1, [%d0];";
    ck_assert_uint_eq(0, run(body, "sm_90a", WSIM_CHECK_ALL, 0, &finding, &report));
    wsim_report_free(report);
    ck_assert_uint_eq(0, run(body, "sm_90a", WSIM_CHECK_INIT, 1, &finding, &report));
    wsim_report_free(report);
    ck_assert_uint_eq(2, run(body, "sm_90a", WSIM_CHECK_ALL, 1, &finding, &report));
    ck_assert_msg(strstr(finding.text, "reads 4 bytes") != NULL, "%s", finding.text);
    wsim_report_free(report);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{accesses_wait, 0, 1}, {nothing_to_wait_for, 0, 1}};
    return every_run("dependent", tests, (int)(sizeof tests / sizeof tests[0]));
}
