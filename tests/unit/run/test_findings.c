/* Findings: one for each mistake, with the counts of its occurrences; causes before symptoms; notes
 * last. */
#include "launched.h"

/* --- a kernel with lines of a source, and its report --- */

#define SOURCE ".file 1 \"k.cu\"\n"
#define LINE(n) ".loc 1 " #n " 1\n"
#define BOTH(body)                                                                                 \
    ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n"                     \
    ".reg .b32 %r<16>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 _ZZ1kvE4tile[1024];\n"            \
    ".shared .align 16 .b8 other[64];\nmov.u32 %r1, %tid.x;\n"                                     \
    "mov.u32 %r2, _ZZ1kvE4tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r4, %r2, %r3;\n"                   \
    "xor.b32 %r5, %r3, 128;\nadd.u32 %r5, %r2, %r5;\n" body "ret;\n}\n" SOURCE

static struct wsim_module *module; /* the report has its strings */

static struct wsim_report *report_of(const char *ptx, uint32_t grid, uint32_t block) {
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_diag diag;
    const struct wsim_launch how = {
        .grid = {grid}, .block = {block}, .checks = WSIM_CHECK_ALL, .threads = 1};
    ck_assert_msg(!wsim_module_load(ptx, strlen(ptx), 0, &module, &diag), "%s", diag.text);
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag));
    wsim_launch_run(device, module, &how, &report, &diag);
    ck_assert_msg(report != NULL, "%s", diag.text);
    wsim_device_free(device);
    return report;
}

static void done(struct wsim_report *report) {
    wsim_report_free(report);
    wsim_module_free(module);
}

static struct wsim_finding finding_of(const struct wsim_report *report, size_t index,
                                      const char *rule) {
    struct wsim_finding finding;
    ck_assert_msg(wsim_report_finding(report, index, &finding), "no finding %zu", index);
    ck_assert_msg(!strcmp(finding.rule, rule), "%zu: %s %s", index, finding.rule, finding.text);
    return finding;
}

static void ends(const struct wsim_report *report, size_t count) {
    struct wsim_finding finding;
    ck_assert_msg(!wsim_report_finding(report, count, &finding), "%s: %s", finding.rule,
                  finding.text);
}

/* A value is used, and the thread goes on. */
#define USE(reg) "setp.eq.u32 %p1, " reg ", 0x99999999;\n@%p1 trap;\n"
#define BRANCHES ", and the kernel branches on the value"
#define STORES LINE(3) "st.shared.u32 [%r4], %r1;\nst.shared.u32 [%r4+512], %r1;\n"
#define LOADS                                                                                      \
    LINE(4) "ld.shared.u32 %r6, [%r5];\nld.shared.u32 %r7, [%r5+512];\n" USE("%r6") USE("%r7")

/* Two stores of line 3, two loads of line 4, four warps, three blocks: each pair of accesses races,
 * in either order. */
START_TEST(a_pair_of_lines_is_one_finding) {
    struct wsim_report *report = report_of(BOTH(STORES LOADS), 3, 128);
    const struct wsim_finding race = finding_of(report, 0, "race.shared");
    ck_assert_uint_eq(race.line + race.other_line, 3 + 4);
    ck_assert_uint_eq(race.blocks, 3);
    ck_assert_uint_eq(race.warps, 2);
    ck_assert_uint_eq(race.addresses, 8);
    ck_assert_uint_eq(race.ptx_lines, 4);
    ck_assert_uint_eq(race.registers, 0);
    ck_assert_uint_eq(race.count, 3 * 8);
    ck_assert_int_eq(race.severity, WSIM_SEVERITY_MISTAKE);
    ck_assert_uint_eq(race.cause, 0);
    ck_assert_msg(strstr(race.text, " tile+0x") != NULL, "%s", race.text);
    done(report);
}
END_TEST

/* The first warps read what the others write later: the read came first, and is a symptom. */
START_TEST(a_race_explains_the_uninitialised_read) {
    struct wsim_report *report = report_of(BOTH(STORES LOADS), 1, 128);
    struct wsim_finding symptom;
    finding_of(report, 0, "race.shared");
    symptom = finding_of(report, 1, "init.shared");
    ck_assert_uint_eq(symptom.cause, 1);
    ck_assert_uint_eq(symptom.line, 4);
    ends(report, 2);
    done(report);
}
END_TEST

/* Two lines load what line 3 stores, or line 4 loads what two lines store: two pairs race. They
 * lack one barrier, so the first one stands for both. */
START_TEST(each_pair_of_lines_is_a_finding) {
    const char *texts[] = {BOTH(STORES LINE(4) "ld.shared.u32 %r6, [%r5];\n" LINE(
                               6) "ld.shared.u32 %r7, [%r5+512];\n"),
                           BOTH(LINE(3) "st.shared.u32 [%r4], %r1;\n" LINE(
                               5) "st.shared.u32 [%r4+512], %r1;\n" LOADS)};
    struct wsim_report *report = report_of(texts[_i], 1, 128);
    struct wsim_finding found;
    uint32_t lines = 0, races = 0;
    for (size_t i = 0; wsim_report_finding(report, i, &found); i++)
        if (!strcmp(found.rule, "race.shared")) {
            ck_assert_uint_eq(found.cause, races);
            races++;
            ck_assert_uint_eq(found.ptx_lines, 2);
            lines += found.line + found.other_line;
        }
    ck_assert_uint_eq(races, 2);
    ck_assert_uint_eq(lines, _i ? 3 + 4 + 5 + 4 : 3 + 4 + 3 + 6);
    done(report);
}
END_TEST

/* Another variable in the line of the race, and another line: the race explains neither. */
START_TEST(other_bytes_are_not_explained) {
    struct wsim_report *report =
        report_of(BOTH(LINE(2) "ld.shared.u32 %r8, [other+4];\n" USE("%r8")
                           LINE(3) "ld.shared.u32 %r8, [other+8];\n" USE("%r8") STORES LOADS),
                  1, 128);
    struct wsim_finding found = finding_of(report, 0, "init.shared");
    ck_assert_uint_eq(found.line, 2);
    ck_assert_uint_eq(found.cause, 0);
    ck_assert_str_eq(found.text, "reads uninitialised shared memory at other+0x4" BRANCHES);
    found = finding_of(report, 1, "init.shared");
    ck_assert_uint_eq(found.line, 3);
    ck_assert_uint_eq(found.cause, 0);
    finding_of(report, 2, "race.shared");
    ck_assert_uint_eq(finding_of(report, 3, "init.shared").cause, 3);
    ends(report, 4);
    done(report);
}
END_TEST

/* A barrier is missing among the warps and among the lanes of each: one mistake. */
START_TEST(a_race_of_warps_explains_that_of_lanes) {
    struct wsim_report *report = report_of(
        BOTH("xor.b32 %r9, %r3, 4;\nadd.u32 %r9, %r2, %r9;\n" STORES LINE(
            4) "ld.shared.u32 %r6, [%r9];\nld.shared.u32 %r7, [%r5];\n" USE("%r6") USE("%r7")),
        1, 128);
    finding_of(report, 0, "race.shared");
    const struct wsim_finding one = finding_of(report, 1, "race.warp");
    const struct wsim_finding two = finding_of(report, 2, "init.shared");
    ck_assert_uint_eq(one.cause, 1);
    ck_assert_uint_eq(two.cause, 1);
    ends(report, 3);
    done(report);
}
END_TEST

/* The wait that the race lacks is the one that the exit lacks. */
START_TEST(a_race_explains_the_copy_at_the_exit) {
    struct wsim_report *report = report_of(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 data[64];\n"
        ".visible .entry k()\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
        ".shared .align 16 .b8 tile[16];\nmov.u32 %r1, tile;\nmov.u64 %d1, data;\n"
        "cp.async.ca.shared.global [%r1], [%d1], 4;\ncp.async.commit_group;\n"
        "ld.shared.u32 %r2, [%r1];\nst.global.u32 [%d1+16], %r2;\nret;\n}\n",
        1, 1);
    finding_of(report, 0, "race.shared");
    const struct wsim_finding leak = finding_of(report, 1, "sync.group.leak");
    ck_assert_int_eq(leak.severity, WSIM_SEVERITY_NOTE);
    ck_assert_uint_eq(leak.cause, 1);
    ends(report, 2);
    done(report);
}
END_TEST

/* A report of one block, for a body with lines. */
static struct wsim_report *report_of_lines(const char *body, uint32_t block) {
    static char text[4096];
    snprintf(text, sizeof text,
             ".version 8.7\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 data[4096];\n"
             ".visible .entry k()\n{\n.reg .b32 %%r<9>;\n.reg .b64 %%d<4>;\n.reg .pred %%p<4>;\n"
             ".shared .align 16 .b8 tile[1024];\n.shared .align 8 .b8 bar[8];\n"
             "mov.u32 %%r1, %%tid.x;\nshl.b32 %%r2, %%r1, 2;\nmov.u32 %%r3, tile;\n"
             "add.u32 %%r4, %%r3, %%r2;\nmov.u32 %%r5, bar;\nmov.u64 %%d1, data;\n"
             "setp.eq.u32 %%p1, %%r1, 0;\n%sret;\n}\n" SOURCE,
             body);
    return report_of(text, 1, block);
}

#define EXPECTS(n)                                                                                 \
    "@%p1 mbarrier.init.shared.b64 [%r5], 1;\nfence.mbarrier_init.release.cluster;\n"              \
    "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r5], " #n ";\nbar.sync 0;\n"
#define WAITS "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r5], 0;\n@!%p2 bra L;\n"

/* Half of the bytes end the phase. */
START_TEST(bytes_in_excess_explain_the_race) {
    struct wsim_report *report = report_of_lines(
        EXPECTS(128)
            LINE(3) "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r4], "
                    "%r1, [%r5];\n" LINE(4)
                        WAITS LINE(5) "xor.b32 %r6, %r4, 128;\n"
                                      "ld.shared.u32 %r7, [%r6];\nst.global.u32 [%d1], %r7;\n",
        64);
    const struct wsim_finding found = finding_of(report, 0, "mbarrier.arrive.excess");
    ck_assert_msg(strstr(found.text, "completes at the mbarrier at bar") != NULL, "%s", found.text);
    ck_assert_msg(strstr(found.text, "in the expect_tx of their phase") != NULL, "%s", found.text);
    ck_assert_uint_eq(finding_of(report, 1, "race.shared").cause, 1);
    done(report);
}
END_TEST

START_TEST(a_damaged_mbarrier_explains_the_wait) {
    struct wsim_report *report = report_of_lines(
        EXPECTS(0) LINE(3) "@%p1 st.shared.b64 [%r5], 0x0101010101010101;\nbar.sync 0;\n" LINE(4)
            WAITS,
        32);
    finding_of(report, 0, "mbarrier.state.damaged");
    ck_assert_uint_eq(finding_of(report, 1, "mbarrier.state.uninitialised").cause, 1);
    ends(report, 2);
    done(report);
}
END_TEST

START_TEST(lanes_that_pass_a_barrier_by_explain_the_race) {
    struct wsim_report *report = report_of_lines(
        LINE(3) "st.shared.u32 [%r4], %r1;\nsetp.lt.u32 %p2, %r1, 40;\n" LINE(
            4) "@!%p2 bra M;\nbar.sync 0;\n" LINE(5) "M: xor.b32 %r6, %r4, 128;\nld.shared.u32 "
                                                     "%r7, [%r6];\n",
        64);
    finding_of(report, 0, "sync.barrier.exit");
    ck_assert_uint_eq(finding_of(report, 1, "race.shared").cause, 1);
    ends(report, 2);
    done(report);
}
END_TEST

START_TEST(an_uninitialised_address_explains_its_bounds) {
    struct wsim_report *report = report_of_lines(
        LINE(3) "ld.shared.u64 %d2, [tile+8];\n" LINE(4) "st.global.u32 [%d2], 1;\n", 1);
    finding_of(report, 0, "init.shared");
    ck_assert_uint_eq(finding_of(report, 1, "access.align").cause, 1);
    ends(report, 2);
    done(report);
}
END_TEST

/* Without .loc each line of the PTX is for itself. */
START_TEST(without_a_source_lines_of_the_ptx_count) {
    struct wsim_report *report =
        report_of(BOTH("ld.shared.u32 %r8, [other+4];\n"
                       "ld.shared.u32 %r9, [other+4];\n" USE("%r8") USE("%r9")),
                  1, 32);
    const struct wsim_finding one = finding_of(report, 0, "init.shared");
    const struct wsim_finding two = finding_of(report, 1, "init.shared");
    ck_assert_uint_eq(two.ptx_line, one.ptx_line + 1);
    ck_assert_uint_eq(one.other_ptx_line, one.ptx_line + 3);
    ck_assert_uint_eq(one.ptx_lines, 2);
    ends(report, 2);
    done(report);
}
END_TEST

/* Names of C++ variables, and bytes outside of variables. */
START_TEST(shared_memory_has_names) {
    struct wsim_report *report = report_of(
        ".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".extern .shared .align 16 .b8 smem[];\n.shared .align 4 .b8 buf[12];\n"
        ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .pred %p<2>;\n"
        ".shared .align 4 .b8 _ZZ1kvE3row_0[8];\n"
        "mov.u32 %r1, smem;\nld.shared.u32 %r2, [_ZZ1kvE3row_0+4];\n" USE(
            "%r2") "ld.shared.u32 %r2, [buf+8];\n" USE("%r2") "ld.shared.u32 %r2, "
                                                              "[1044];\n" USE("%r2") "ret;\n}"
                                                                                     "\n",
        1, 1);
    ck_assert_str_eq(finding_of(report, 0, "init.shared").text,
                     "reads uninitialised shared memory at row+0x4" BRANCHES);
    ck_assert_str_eq(finding_of(report, 1, "init.shared").text,
                     "reads uninitialised shared memory at buf+0x8" BRANCHES);
    ck_assert_str_eq(finding_of(report, 2, "init.shared").text,
                     "reads uninitialised shared memory at 0x414" BRANCHES);
    done(report);
}
END_TEST

START_TEST(a_misaligned_address_has_its_variable) {
    struct wsim_report *report = report_of(BOTH("ld.shared.v2.u32 {%r8, %r9}, [other+4];\n"), 1, 1);
    const struct wsim_finding found = finding_of(report, 0, "access.align");
    ck_assert_msg(strstr(found.text, "is not a multiple of 8: it is other+0x4") != NULL, "%s",
                  found.text);
    done(report);
}
END_TEST

/* The note is of block 0, the mistake of block 1. */
START_TEST(notes_of_one_mistake_are_one) {
    /* Two blocks in turn add to a word at line 5. They wait for their turn without a fence. */
    struct wsim_report *report = report_of(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.global .align 4 .u32 turn, sum;\n"
        ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .pred %p<2>;\n" LINE(
            3) "mov.u32 %r1, %ctaid.x;\nAGAIN: ld.volatile.global.u32 %r2, [turn];\n"
               "setp.ne.u32 %p1, %r1, %r2;\n@%p1 bra AGAIN;\n" LINE(
                   5) "ld.global.u32 %r3, [sum];\nadd.u32 %r3, %r3, 1;\nst.global.u32 [sum], "
                      "%r3;\n" LINE(6) "add.u32 %r1, %r1, 1;\nmembar.gl;\nst.volatile.global.u32 "
                                       "[turn], %r1;\nret;\n}\n" SOURCE,
        2, 1);
    struct wsim_finding other;
    ck_assert_uint_eq(finding_of(report, 0, "advice.race.acquire").cause, 0);
    for (size_t i = 1; wsim_report_finding(report, i, &other); i++)
        ck_assert_uint_eq(other.cause, 1);
    ck_assert_int_eq(wsim_report_finding(report, 1, &other), 1);
    done(report);
}
END_TEST

START_TEST(notes_come_last) {
    static struct launched launched;
    launched = (struct launched){.grid = 2, .block = 1, .checks = WSIM_CHECK_ALL};
    launch(&launched, KERNEL("mov.u32 %r8, box;\nsetp.eq.u32 %p1, %r4, 0;\n"
                             "@%p1 cp.async.ca.shared.global [%r8], [%d0], 4;\n"
                             "@!%p1 ld.shared.u32 %r3, [%r8+64];\n"));
    ck_assert_str_eq(launched.rule, "init.shared");
    ck_assert_uint_eq(launched.findings, 2);
    ck_assert_uint_eq(launched.counted, 1);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {a_pair_of_lines_is_one_finding, 0, 1},
        {a_race_explains_the_uninitialised_read, 0, 1},
        {each_pair_of_lines_is_a_finding, 0, 2},
        {other_bytes_are_not_explained, 0, 1},
        {a_race_of_warps_explains_that_of_lanes, 0, 1},
        {a_race_explains_the_copy_at_the_exit, 0, 1},
        {without_a_source_lines_of_the_ptx_count, 0, 1},
        {shared_memory_has_names, 0, 1},
        {a_misaligned_address_has_its_variable, 0, 1},
        {notes_of_one_mistake_are_one, 0, 1},
        {notes_come_last, 0, 1},
        {bytes_in_excess_explain_the_race, 0, 1},
        {a_damaged_mbarrier_explains_the_wait, 0, 1},
        {lanes_that_pass_a_barrier_by_explain_the_race, 0, 1},
        {an_uninitialised_address_explains_its_bounds, 0, 1},
    };
    return every_run("findings", tests, (int)(sizeof tests / sizeof tests[0]));
}
