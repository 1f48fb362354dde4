/* Memory that is not written out: @FILE takes the bytes it says and no other file; @mix and @fill
 * make the bytes of docs/trace-format.md. Seen through a load of the first eight bytes of rows. */
#include "../../../harness/trace/trace.h"
#include "helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ldmatrix of row address `at` in every lane, of memory written as `smem`; lane 0 gets the first
 * word, lane 1 the second ... of that row. */
static struct wsim_replay load(struct wsim_trace *trace, const char *smem, unsigned at,
                               const uint64_t want[4]) {
    struct text line;
    unsigned row;
    text_start(&line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=%s\taddr=", smem);
    text_same(&line, at, 32, 8);
    text_add(&line, "\td=");
    for (row = 0; row < 8; row++)
        text_hex(&line, want, 4, 8);
    return replayed(trace, &line);
}

START_TEST(mix_and_fill) {
    /* mix(7), mix(15): splitmix64's output steps, computed apart from this program */
    static const uint64_t mixed[] = {0x7B17DF14, 0x12AE3023, 0x34EA1539, 0x03927549},
                          filled[] = {0xABABABAB, 0xABABABAB, 0xABABABAB, 0xABABABAB};
    struct wsim_trace *trace = reader("sm_90a");
    ck_assert_int_eq(load(trace, "@mix:7:64", 0, mixed).verdict, WSIM_EQUAL);
    ck_assert_int_eq(load(trace, "@mix:7:64", 16, mixed).verdict, WSIM_DIFFERENT);
    ck_assert_int_eq(load(trace, "@mix:18446744073709551607:64", 16, mixed).verdict, WSIM_EQUAL);
    ck_assert_int_eq(load(trace, "@fill:ab:16", 0, filled).verdict, WSIM_EQUAL);
    ck_assert_int_eq(load(trace, "@fill:ac:16", 0, filled).verdict, WSIM_DIFFERENT);
    wsim_trace_free(trace);
}
END_TEST

/* A folder with a file `a:b.bin` of the bytes 0 .. 63. */
static void make_folder(char dir[64]) {
    char path[128];
    FILE *file;
    int i;
    strcpy(dir, "/tmp/wsim-trace-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/a:b.bin", dir);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    for (i = 0; i < 64; i++)
        fputc(i, file);
    fclose(file);
}

static void remove_folder(const char *dir) {
    char path[128];
    snprintf(path, sizeof path, "%s/a:b.bin", dir);
    remove(path);
    rmdir(dir);
}

static struct wsim_trace *reader_in(const char *dir) {
    static const char *const header[] = {"#wsim-trace 1", "#gpu: g",          "#arch: sm_90a",
                                         "#driver: d",    "#toolkit: t",      "#generator: g",
                                         "#seed: 0",      "#date: 2026-11-21"};
    struct wsim_trace *trace = wsim_trace_new(dir);
    struct wsim_diag diag;
    unsigned i;
    int is_case;
    for (i = 0; i < COUNT(header); i++)
        wsim_trace_line(trace, header[i], strlen(header[i]), &is_case, &diag);
    return trace;
}

START_TEST(bytes_of_a_file) {
    static const uint64_t want[] = {0x23222120, 0x27262524, 0x2b2a2928, 0x2f2e2d2c};
    static const struct {
        const char *value, *part;
    } bad[] = {{"@a:b.bin:0:65", "ends before the 65 bytes"},
               {"@a:b.bin:64:1", "ends before the 1 bytes"},
               {"@a:b.bin:18446744073709551615:1", "ends before the 1 bytes"},
               {"@a:b.bin:0:0", "0 bytes"},
               {"@none.bin:0:1", "cannot open"},
               {"@../a:b.bin:0:1", "below the folder"},
               {"@x/../a:b.bin:0:1", "below the folder"},
               {"@/etc/hostname:0:1", "below the folder"},
               {"@:0:1", "below the folder"},
               {"@a:b.bin:1", "decimal"}};
    char dir[64], line[128];
    struct wsim_trace *trace;
    unsigned i;
    make_folder(dir);
    trace = reader_in(dir);
    ck_assert_int_eq(load(trace, "@a:b.bin:16:32", 16, want).verdict, WSIM_EQUAL);
    ck_assert_int_eq(load(trace, "@a:b.bin:0:64", 32, want).verdict, WSIM_EQUAL);
    ck_assert_int_eq(load(trace, "@a:b.bin:0:64", 16, want).verdict, WSIM_DIFFERENT);
    for (i = 0; i < COUNT(bad); i++) {
        snprintf(line, sizeof line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=%s",
                 bad[i].value);
        refused(trace, line, 0, bad[i].part);
    }
    wsim_trace_free(trace);
    remove_folder(dir);
}
END_TEST

/* A trace names only plain files below its folder, and no path or link leads elsewhere.
 */
START_TEST(links_and_pipes) {
    static const uint64_t want[] = {0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c};
    static const struct {
        const char *value, *part;
    } bad[] = {{"@link:0:16", "through a link"},          {"@inside:0:16", "through a link"},
               {"@other/a:b.bin:0:16", "through a link"}, {"@pipe:0:16", "not a plain file"},
               {"@sub:0:16", "not a plain file"},         {"@sub/none:0:16", "cannot open"},
               {"@sub//a:b.bin:0:16", "cannot open"},     {"@a:b.bin/x:0:16", "through a link"},
               {"@sub\\x:0:16", "below the folder"}};
    static const char *const made[] = {"link", "inside", "other", "pipe", "sub/c.bin", "sub"};
    char dir[64], path[2][128], line[160];
    struct wsim_trace *trace;
    make_folder(dir);
    snprintf(path[0], sizeof path[0], "%s/link", dir);
    ck_assert_int_eq(symlink("/etc/passwd", path[0]), 0);
    snprintf(path[0], sizeof path[0], "%s/inside", dir);
    ck_assert_int_eq(symlink("a:b.bin", path[0]), 0);
    snprintf(path[0], sizeof path[0], "%s/other", dir);
    ck_assert_int_eq(symlink(".", path[0]), 0);
    snprintf(path[0], sizeof path[0], "%s/pipe", dir);
    ck_assert_int_eq(mkfifo(path[0], 0600), 0);
    snprintf(path[0], sizeof path[0], "%s/sub", dir);
    ck_assert_int_eq(mkdir(path[0], 0700), 0);
    snprintf(path[0], sizeof path[0], "%s/a:b.bin", dir);
    snprintf(path[1], sizeof path[1], "%s/sub/c.bin", dir);
    ck_assert_int_eq(link(path[0], path[1]), 0);
    trace = reader_in(dir);
    ck_assert_int_eq(load(trace, "@sub/c.bin:16:32", 0, want).verdict, WSIM_EQUAL);
    for (unsigned i = 0; i < COUNT(bad); i++) {
        snprintf(line, sizeof line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=%s",
                 bad[i].value);
        refused(trace, line, 0, bad[i].part);
    }
    wsim_trace_free(trace);
    for (unsigned i = 0; i < COUNT(made); i++) {
        snprintf(path[0], sizeof path[0], "%s/%s", dir, made[i]);
        remove(path[0]);
    }
    remove_folder(dir);
}
END_TEST

/* The memory of a short line is limited and not kept for the next line. */
START_TEST(memory_of_a_case) {
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    text_start(&line, "stmatrix.sync.aligned.m8n8.x1.shared.b16\tr=@fill:00:128"
                      "\tsmem=@mix:1:16777216\tsmem_after=@mix:1:16777216\taddr=");
    text_same(&line, 0, 32, 8);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    ck_assert_uint_ge(wsim_trace_memory(trace), 3 * (UINT32_C(16) << 20));
    text_start(&line, "movmatrix.sync.aligned.m8n8.trans.b16\ta=@fill:00:128\td=@fill:00:128");
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    ck_assert_uint_le(wsim_trace_memory(trace), UINT32_C(64) << 10);
    refused(trace,
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes\tsmem=@fill:00:16777216"
            "\tsmem_after=@fill:00:16777216\tglobal=@fill:00:1",
            0, "all its fields together have at most 33554432");
    ck_assert_uint_le(wsim_trace_memory(trace), UINT32_C(64) << 10);
    refused(trace, "stmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@fill:00:16777217", 0,
            "16777217 bytes");
    text_start(&line, "movmatrix.sync.aligned.m8n8.trans.b16\ta=@fill:00:128\td=@fill:00:128");
    replayed(trace, &line);
    wsim_trace_drop(trace);
    ck_assert_ptr_null(wsim_trace_op(trace));
    ck_assert_uint_eq(wsim_trace_results(trace), 0);
    wsim_trace_free(trace);
}
END_TEST

/* Generated memory: the last word is cut, and the masks of @bits apply. */
START_TEST(memory_of_any_length) {
    static const uint8_t mixed[] = {0x14, 0xDF, 0x17, 0x7B, 0x23, 0x30, 0xAE, 0x12};
    struct wsim_trace *trace = reader("sm_90a");
    for (int masked = 0; masked < 2; masked++)
        for (unsigned size = 1; size <= sizeof mixed; size++) {
            struct text line;
            int is_case;
            text_start(&line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@%s7:%u\taddr=",
                       masked ? "bits:00ff00ff00ff00ff:1000000000000000:" : "mix:", size);
            text_same(&line, 0, 32, 8);
            text_add(&line, "\ttrap=1");
            ck_assert_int_eq(wsim_trace_line(trace, line.at, line.used, &is_case, NULL), WSIM_OK);
            ck_assert_uint_eq(trace->now.smem.size, size);
            for (unsigned i = 0; i < size; i++)
                ck_assert_uint_eq(trace->now.smem.at[i], !masked  ? mixed[i]
                                                         : i == 7 ? 0x10
                                                         : i % 2  ? 0
                                                                  : mixed[i]);
        }
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {mix_and_fill, bytes_of_a_file, links_and_pipes, memory_of_a_case,
                                  memory_of_any_length};
    return run_tests("files", tests, COUNT(tests));
}
