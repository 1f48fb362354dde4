/* Blocks that interact: memory, findings, counts and output do not depend on the number of host
 * threads. The kernels are long enough for several threads to begin. */
#include "launched.h"

#include <stdarg.h>
#include <stdlib.h>

enum { SEEDS = 3, BLOCKS = 24 };

/* Everything that a launch leaves, in words. */
struct left {
    char *text;
    size_t used, size;
    uint32_t host_threads;
    uint32_t out[WORDS];
};

static void put(struct left *left, const char *format, ...) {
    char line[2048];
    va_list values;
    size_t size;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    size = strlen(line);
    if (left->used + size + 1 > left->size) {
        left->size = 2 * (left->used + size + 1);
        left->text = realloc(left->text, left->size);
        ck_assert_ptr_nonnull(left->text);
    }
    memcpy(left->text + left->used, line, size + 1);
    left->used += size;
}

static void put_report(struct left *left, const struct wsim_report *report) {
    struct wsim_finding finding;
    struct wsim_totals totals;
    struct wsim_line line;
    wsim_report_totals(report, &totals);
    left->host_threads = totals.host_threads;
    put(left,
        "%llu blocks %llu instructions %llu threads %llu wavefronts %llu sectors %llu found\n",
        (unsigned long long)totals.blocks, (unsigned long long)totals.instructions,
        (unsigned long long)totals.thread_instructions, (unsigned long long)totals.st.wavefronts,
        (unsigned long long)totals.global_sectors, (unsigned long long)totals.findings);
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++)
        put(left, "%s line %u and %u block %u thread %u: %llu times %s\n", finding.rule,
            finding.ptx_line, finding.other_ptx_line, finding.block[0], finding.thread[0],
            (unsigned long long)finding.count, finding.text);
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        put(left, "line %u: %llu %llu %llu\n", line.ptx_line, (unsigned long long)line.executed,
            (unsigned long long)line.threads, (unsigned long long)line.sectors);
    put(left, "%s\n", wsim_report_output(report, NULL));
}

/* How a launch is run. */
struct run_as {
    uint32_t threads, cluster;
    uint64_t seed, most;
    uint8_t async;
};

static void run_kernel(struct left *left, const char *ptx, struct run_as as) {
    struct wsim_module *module = NULL;
    struct wsim_device *device = NULL;
    struct wsim_report *report = NULL;
    struct wsim_diag diag = {0};
    uint64_t params[2];
    struct wsim_launch how = {.grid = {BLOCKS},
                              .block = {64},
                              .cluster = {as.cluster},
                              .params = params,
                              .param_bytes = sizeof params,
                              .checks = WSIM_CHECK_ALL,
                              .count = 1,
                              .async = as.async,
                              .seed = as.seed,
                              .threads = as.threads,
                              .max_instructions = as.most};
    uint32_t in[WORDS];
    left->used = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = i * 2654435761u;
    ck_assert_msg(wsim_module_load(ptx, strlen(ptx), 0, &module, &diag) == WSIM_OK, "%u: %s",
                  diag.line, diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "in", sizeof in, 0, &params[0], NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "out", sizeof in, 0, &params[1], NULL), WSIM_OK);
    wsim_device_write(device, params[0], in, sizeof in, NULL);
    memset(in, 0, sizeof in);
    wsim_device_write(device, params[1], in, 12288, NULL); /* the rest is uninitialised */
    put(left, "status %d\n", (int)wsim_launch_run(device, module, &how, &report, &diag));
    put(left, "%s\n", diag.text);
    put_report(left, report);
    wsim_device_read(device, params[1], left->out, 12288, NULL);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
}

/* Work before and after blocks interact. */
#define WORK(label)                                                                                \
    "mov.u32 %r20, 0;\n" label ": add.u32 %r20, %r20, 1;\nmad.lo.u32 %r3, %r3, %r20, %r2;\n"       \
    "setp.lt.u32 %p9, %r20, 400;\n@%p9 bra " label ";\n"
#define SPOT "add.u64 %d4, %d1, 8192;\nmad.wide.u32 %d5, %r4, 4, %d4;\n"
#define STEPS(label, from)                                                                         \
    "mov.u64 %d6, " from ";\nmov.u32 %r12, 0;\n" label ": ld.global.u32 %r8, [%d6];\n"             \
    "mad.lo.u32 %r3, %r3, 5, %r8;\nadd.u64 %d6, %d6, 4;\nadd.u32 %r12, %r12, 1;\n"                 \
    "setp.lt.u32 %p3, %r12, 200;\n@%p3 bra " label ";\n"
/* Only thread 0 goes on to LABEL. */
#define LEADER(label) "setp.ne.u32 %p1, %r0, 0;\n@%p1 bra " label ";\n"
#define LOCK                                                                                       \
    "L: atom.acquire.gpu.global.cas.b32 %r8, [%d4+1024], 0, 1;\nsetp.ne.u32 %p2, %r8, 0;\n"        \
    "@%p2 bra L;\n"
#define UNLOCK "st.release.gpu.global.u32 [%d4+1024], 0;\n"
#define ADD(word)                                                                                  \
    "ld.global.u32 %r9, [%d4+" word "];\nmad.lo.u32 %r9, %r9, 3, %r4;\n"                           \
    "st.global.u32 [%d4+" word "], %r9;\n"

static const char *const kernels[] = {
    /* A lock around a sum that depends on the order of blocks. */
    KERNEL(WORK("W") SPOT LEADER("J") LOCK ADD("2048") UNLOCK "J: bar.sync 0;\n" WORK("V")),
    /* The same without the lock in one block, or with a lock that orders nothing. */
    KERNEL(WORK("W") SPOT LEADER("J") "setp.eq.u32 %p3, %r4, 13;\n@%p3 bra S;\n" LOCK
                                      "S: " ADD("2048") UNLOCK "J: bar.sync 0;\n" WORK("V")),
    KERNEL(WORK("W") SPOT LEADER("J") "atom.relaxed.gpu.global.add.u32 %r8, [%d4+1024], 1;\n" ADD(
        "2048") "J: bar.sync 0;\n" WORK("V")),
    /* A ticket gives the block its number. */
    KERNEL(SPOT
           "atom.global.inc.u32 %r8, [%d4+1024], 10000;\n" WORK("W") "xor.b32 %r3, %r3, %r8;\n"),
    /* Semaphores: each block waits for the one before it. */
    KERNEL(WORK("W") SPOT LEADER("J") "Q: ld.acquire.gpu.global.u32 %r8, [%d4+1024];\n"
                                      "setp.ne.u32 %p2, %r8, %r4;\n@%p2 bra Q;\n" ADD(
                                          "2048") "add.u32 %r8, %r4, 1;\nst.release.gpu.global.u32 "
                                                  "[%d4+1024], %r8;\nJ: bar.sync 0;\n"),
    /* Each block waits for the next one. */
    KERNEL(WORK("W") SPOT LEADER(
        "J") "Q: ld.acquire.gpu.global.u32 %r8, [%d4+1024];\n"
             "add.u32 %r8, %r8, %r4;\nsetp.ne.u32 %p2, %r8, 23;\n"
             "@%p2 bra Q;\n" ADD(
                 "2048") "red.release.gpu.global.add.u32 [%d4+1024], 1;\nJ: bar.sync 0;\n"),
    /* Look back: flags and values. */
    KERNEL(WORK("W") SPOT LEADER(
        "J") "mov.u32 %r9, %r4;\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra T;\n"
             "Q: ld.acquire.gpu.global.u32 %r8, [%d5+508];\n"
             "setp.eq.u32 %p2, %r8, 0;\n@%p2 bra Q;\n"
             "ld.global.u32 %r10, [%d5-4];\nadd.u32 %r9, %r9, %r10;\n"
             "T: st.global.u32 [%d5], %r9;\nst.release.gpu.global.u32 [%d5+512], 1;\n"
             "J: bar.sync 0;\n" WORK("V")),
    /* The last block reads what all have left, fenced or not. */
    KERNEL(WORK("W")
               SPOT LEADER("J") "st.global.u32 [%d5], %r3;\nmembar.gl;\n"
                                "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
                                "setp.ne.u32 %p2, %r8, 23;\n@%p2 bra J;\n"
                                "ld.global.u32 %r9, [%d4+8];\nst.global.u32 [%d4+2048], %r9;\n"
                                "J: bar.sync 0;\n"),
    KERNEL(WORK("W")
               SPOT LEADER("J") "st.global.u32 [%d5], %r3;\n"
                                "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
                                "setp.ne.u32 %p2, %r8, 23;\n@%p2 bra J;\n"
                                "ld.global.u32 %r9, [%d4+8];\nst.global.u32 [%d4+2048], %r9;\n"
                                "J: bar.sync 0;\n"),
    /* All blocks meet, twice. */
    KERNEL(WORK("W") SPOT "mov.u32 %r12, 24;\nA: bar.sync 0;\n" LEADER(
        "J") "atom.acq_rel.gpu.global.add.u32 %r8, [%d4+1024], 1;\n"
             "Q: ld.acquire.gpu.global.u32 %r8, [%d4+1024];\nsetp.lt.u32 %p2, %r8, %r12;\n"
             "@%p2 bra Q;\nJ: bar.sync 0;\n" WORK(
                 "V") "add.u32 %r12, %r12, 24;\nsetp.lt.u32 %p3, %r12, 72;\n@%p3 bra A;\n"),
    /* They do not meet: a block stays away, and all others loop endlessly. */
    KERNEL(WORK("W") SPOT LEADER(
        "J") "setp.eq.u32 %p3, %r4, 7;\n@%p3 bra J;\n"
             "atom.acq_rel.gpu.global.add.u32 %r8, [%d4+1024], 1;\n"
             "Q: ld.acquire.gpu.global.u32 %r8, [%d4+1024];\nsetp.lt.u32 %p2, %r8, 24;\n"
             "@%p2 bra Q;\nJ: bar.sync 0;\n"),
    /* A plain read of what earlier blocks write, and of what later ones do. */
    KERNEL(WORK("W") SPOT "ld.global.u32 %r9, [%d5-4];\nadd.u32 %r3, %r3, %r9;\n" LEADER(
        "J") "st.global.u32 [%d5], %r3;\natom.global.add.u32 %r8, [%d4+1024], 1;\nJ: bar.sync "
             "0;\n"),
    KERNEL(WORK("W") SPOT "ld.global.u32 %r9, [%d5+4];\nadd.u32 %r3, %r3, %r9;\n" LEADER(
        "J") "atom.global.add.u32 %r8, [%d4+1024], 1;\nst.global.u32 [%d5], %r3;\nJ: bar.sync "
             "0;\n"),
    /* All blocks read one word, and block 0 writes it in its turn. */
    KERNEL(WORK("W") SPOT "ld.global.u32 %r9, [%d4];\nadd.u32 %r3, %r3, %r9;\n" LEADER(
        "J") "atom.global.add.u32 %r8, [%d4+1024], 1;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra J;\n"
             "st.global.u32 [%d4], 5;\nJ: bar.sync 0;\n"),
    /* A block overwrites a value that others have read, after it acquired from two blocks. */
    KERNEL(WORK("W") SPOT "ld.global.u32 %r9, [%d4];\nadd.u32 %r3, %r3, %r9;\n" LEADER(
        "J") "atom.acq_rel.gpu.global.add.u32 %r8, [%d4+1024], 1;\nsetp.ne.u32 %p2, %r4, 2;\n"
             "@%p2 bra J;\nst.global.u32 [%d4], 5;\nJ: bar.sync 0;\n"),
    /* Block 12 writes what blocks 0, 1 and those from 13 on read, and knows what 0 and 1 did. */
    KERNEL(
        WORK("W") SPOT
        "sub.u32 %r10, %r4, 2;\nsetp.le.u32 %p4, %r10, 10;\n@%p4 bra M;\n"
        "ld.global.u32 %r9, [%d4];\nadd.u32 %r3, %r3, %r9;\nM: " LEADER(
            "J") "atom.acq_rel.gpu.global.add.u32 %r8, [%d4+1024], 1;\nsetp.ne.u32 %p2, %r4, 12;\n"
                 "@%p2 bra J;\nst.global.u32 [%d4], 5;\nJ: bar.sync 0;\n"),
    /* Blocks 10 to 15 read a word, 10 last. Block 20 writes it, and knows what 10 and 11 did. */
    KERNEL(WORK("W") SPOT
           "sub.u32 %r10, %r4, 10;\nsetp.gt.u32 %p4, %r10, 5;\n@%p4 bra N;\n"
           "setp.ne.u32 %p4, %r10, 0;\n@%p4 bra M;\nmov.u32 %r11, 0;\n"
           "X: add.u32 %r11, %r11, 1;\nsetp.lt.u32 %p4, %r11, 30000;\n@%p4 bra X;\n"
           "M: ld.global.u32 %r9, [%d4];\nadd.u32 %r3, %r3, %r9;\nN: " LEADER(
               "J") "setp.gt.u32 %p4, %r10, 1;\n@%p4 bra K;\n"
                    "atom.acq_rel.gpu.global.add.u32 %r8, [%d4+1024], 1;\n"
                    "K: atom.relaxed.gpu.global.add.u32 %r8, [%d4+1028], 1;\nsetp.ne.u32 %p2, %r4, "
                    "20;\n"
                    "@%p2 bra J;\natom.acquire.gpu.global.add.u32 %r8, [%d4+1024], 1;\n"
                    "st.global.u32 [%d4], 5;\nJ: bar.sync 0;\n"),
    /* Memory that the block itself initialises too late; block 17 ends the launch. */
    KERNEL(WORK("W") SPOT LEADER(
        "J") "ld.global.u32 %r9, [%d5+6144];\nadd.u32 %r3, %r3, %r9;\n"
             "st.global.u32 [%d5+6144], %r3;\natom.global.add.u32 %r8, [%d4+1024], 1;\n"
             "setp.ne.u32 %p3, %r4, 17;\n@%p3 bra J;\nst.shared.u32 [box+65536], %r3;\n"
             "J: bar.sync 0;\n" WORK("V")),
    /* Uninitialised memory, a race in shared memory, and an atomic. */
    KERNEL(
        WORK("W") SPOT
        "ld.global.u32 %r9, [%d5+6144];\nadd.u32 %r3, %r3, %r9;\n"
        "mov.u32 %r10, box;\nand.b32 %r11, %r0, 31;\nmad.lo.u32 %r10, %r11, 4, %r10;\n"
        "st.shared.u32 [%r10], %r0;\nld.shared.u32 %r9, [%r10];\nadd.u32 %r3, %r3, %r9;\n" LEADER(
            "J") "atom.global.add.u32 %r8, [%d4+1024], 1;\nJ: bar.sync 0;\n"),
    /* Block 17 writes outside of shared memory, before and after its turn. */
    KERNEL(WORK("W") SPOT LEADER(
        "J") "setp.ne.u32 %p3, %r4, 17;\n@%p3 bra T;\n"
             "st.shared.u32 [box+65536], %r3;\nT: atom.global.add.u32 %r8, [%d4+1024], 1;\n"
             "J: bar.sync 0;\n" WORK("V")),
    KERNEL(WORK("W") SPOT LEADER(
        "J") "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
             "setp.ne.u32 %p3, %r4, 17;\n@%p3 bra J;\nst.shared.u32 [box+65536], %r3;\n"
             "J: bar.sync 0;\n" WORK("V")),
    /* A block in which half of the warps never come to a barrier. */
    KERNEL(WORK("W") SPOT
           "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
           "setp.ne.u32 %p3, %r4, 9;\n@%p3 bra T;\nsetp.ge.u32 %p2, %r0, 32;\n"
           "@%p2 bra Q;\nT: bar.sync 0, 64;\nbra J;\nQ: bar.sync 1, 64;\nJ: bar.sync 0;\n"),
    /* Every warp counts, again and again. */
    KERNEL(WORK("W") SPOT
           "mov.u32 %r12, 0;\nA: atom.global.add.u32 %r8, [%d4+1024], 1;\n"
           "add.u32 %r3, %r3, %r8;\nadd.u32 %r12, %r12, 1;\nsetp.lt.u32 %p3, %r12, 20;\n"
           "@%p3 bra A;\n" WORK("V")),
    /* Nothing happens for more than a slice before the block interacts. */
    KERNEL("mov.u32 %r12, 0;\nA: add.u32 %r12, %r12, 1;\nsetp.lt.u32 %p3, %r12, 12000;\n"
           "@%p3 bra A;\n" SPOT "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
           "add.u32 %r3, %r3, %r8;\n"),
    /* A block reads in a loop what those before have counted, and counts among other operations. */
    KERNEL(WORK("W") SPOT "mov.u32 %r12, 0;\nA: ld.relaxed.gpu.global.u32 %r8, [%d4+1024];\n"
                          "add.u32 %r3, %r3, %r8;\nadd.u32 %r12, %r12, 1;\n"
                          "setp.lt.u32 %p3, %r12, 64;\n@%p3 bra A;\n"
                          "add.u32 %r3, %r3, 1;\natom.global.add.u32 %r8, [%d4+1024], 1;\n"
                          "add.u32 %r3, %r3, %r8;\n" WORK("V")),
    /* A loop of loads in constant steps, of what no block writes, then of what other blocks write.
     */
    KERNEL(SPOT STEPS("A", "%d1") "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
                                  "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.global.u32 [%d5], %r3;\n"),
    KERNEL(SPOT STEPS("A", "%d4") "atom.global.add.u32 %r8, [%d4+1024], 1;\n"
                                  "setp.eq.u32 %p1, %r0, 0;\n@%p1 st.global.u32 [%d5], %r3;\n"),
    /* A block that counts among other operations. */
    KERNEL(WORK("W") SPOT
           "atom.global.add.u32 %r8, [%d4+1024], 1;\nadd.u32 %r3, %r3, %r8;\n" WORK("V")),
};

#define KERNELS (sizeof kernels / sizeof kernels[0])

static void compare(const char *ptx, struct run_as as) {
    static const uint32_t threads[] = {2, 3, 8};
    struct left one = {.text = NULL}, many = {.text = NULL};
    as.threads = 1;
    run_kernel(&one, ptx, as);
    ck_assert_uint_eq(one.host_threads, 1);
    for (unsigned i = 0; i < 3; i++) {
        as.threads = threads[i];
        run_kernel(&many, ptx, as);
        ck_assert_msg(!strcmp(one.text, many.text), "%u threads, seed %u:\n%s\none thread:\n%s\n%s",
                      threads[i], (unsigned)as.seed, many.text, one.text, ptx);
        ck_assert_msg(!memcmp(one.out, many.out, sizeof one.out), "%u threads, seed %u: memory\n%s",
                      threads[i], (unsigned)as.seed, ptx);
    }
    /* long, and its units never clash */
    if ((ptx == kernels[0] || ptx == kernels[KERNELS - 1]) && !as.cluster && as.most > 60000)
        ck_assert_uint_eq(many.host_threads, 8);
    free(one.text);
    free(many.text);
}

START_TEST(threads_change_nothing) {
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        if (!run_skips(_i + (int)seed))
            compare(kernels[_i], (struct run_as){.seed = seed, .most = 30000000});
}
END_TEST

START_TEST(clusters_and_late_work) {
    if (!run_skips(_i))
        compare(kernels[_i], (struct run_as){.cluster = 2, .most = 30000000});
    if (!run_skips(_i + 1))
        compare(kernels[_i], (struct run_as){.async = WSIM_ASYNC_LATE, .most = 30000000});
}
END_TEST

/* The bound ends the launch midway. */
START_TEST(bounds_change_nothing) {
    if (!run_skips(_i))
        compare(kernels[_i], (struct run_as){.most = 60000});
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{threads_change_nothing, 0, (int)KERNELS},
                                       {clusters_and_late_work, 0, (int)KERNELS},
                                       {bounds_change_nothing, 0, (int)KERNELS}};
    return every_run("turns", tests, 3);
}
