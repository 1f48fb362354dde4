/* Every line that is not as docs/trace-format.md says is refused, with its line, its column and a
 * sentence; what is as it says is read. */
#include "helper.h"

#include <stdio.h>
#include <string.h>

static const char *const keys[] = {"gpu", "arch", "driver", "toolkit", "generator", "seed", "date"};

static enum wsim_status feed(struct wsim_trace *trace, const char *line) {
    struct wsim_diag diag;
    int is_case;
    return wsim_trace_line(trace, line, strlen(line), &is_case, &diag);
}

/* "addr=" of 32 lanes, and an ld with it. */
#define ZERO8 "00000000"
#define ZERO64 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8
#define ZERO256 ZERO64 ZERO64 ZERO64 ZERO64
#define LD "ld.shared.u32\t"
#define ADDR "addr=" ZERO256
#define CP "cp.async.ca.shared.global\t"
#define MOV "movmatrix.sync.aligned.m8n8.trans.b16\t"
#define LDM "ldmatrix.sync.aligned.m8n8.x1.shared.b16\t"
#define STM "stmatrix.sync.aligned.m8n8.x1.shared.b16\t"

START_TEST(first_line) {
    static const struct {
        const char *line, *part;
        unsigned col;
    } bad[] = {{"", "first line", 1},
               {"\n", "first line", 1},
               {"# wsim-trace 1", "first line", 1},
               {"\xEF\xBB\xBF#wsim-trace 1", "first line", 1},
               {"#wsim-trace 2", "version '2'", 13},
               {"#wsim-trace 10", "version '10'", 13},
               {"#wsim-trace 1\r\n", "carriage return", 14},
               {"#wsim-trace 1 ", "version '1 '", 13}};
    unsigned i;
    for (i = 0; i < COUNT(bad); i++) {
        struct wsim_trace *trace = wsim_trace_new(NULL);
        refused(trace, bad[i].line, bad[i].col, bad[i].part);
        wsim_trace_free(trace);
    }
    wsim_trace_free(NULL);
}
END_TEST

START_TEST(each_header_key_is_needed_once) {
    unsigned left_out, k;
    for (left_out = 0; left_out < COUNT(keys); left_out++) {
        struct wsim_trace *trace = wsim_trace_new(NULL);
        char line[64];
        feed(trace, "#wsim-trace 1");
        for (k = 0; k < COUNT(keys); k++) {
            snprintf(line, sizeof line, "#%s: sm_80", keys[k]);
            if (k != left_out)
                ck_assert_int_eq(feed(trace, line), WSIM_OK);
        }
        refused(trace, LD ADDR "\twavefronts=1", 1, keys[left_out]);
        ck_assert_ptr_null(wsim_trace_header(trace, keys[left_out]));
        snprintf(line, sizeof line, "#%s: sm_80", keys[left_out]);
        ck_assert_int_eq(feed(trace, line), WSIM_OK);
        refused(trace, line, 2, "twice");
        ck_assert_str_eq(wsim_trace_header(trace, keys[left_out]), "sm_80");
        ck_assert_int_eq(feed(trace, LD ADDR "\twavefronts=1"), WSIM_OK);
        wsim_trace_free(trace);
    }
}
END_TEST

START_TEST(header_values) {
    struct wsim_trace *trace = wsim_trace_new(NULL);
    char line[300] = "#gpu: ";
    feed(trace, "#wsim-trace 1");
    refused(trace, "#arch: sm_91", 8, "sm_91");
    refused(trace, "#driver:", 9, "driver");
    refused(trace, "#driver:   ", 12, "driver");
    memset(line + 6, 'x', 160);
    refused(trace, line, 7, "159");
    line[6 + 159] = '\0';
    ck_assert_int_eq(feed(trace, line), WSIM_OK);
    ck_assert_uint_eq(strlen(wsim_trace_header(trace, "gpu")), 159);
    ck_assert_int_eq(feed(trace, "#"), WSIM_OK);
    ck_assert_int_eq(feed(trace, "#: x"), WSIM_OK);
    ck_assert_int_eq(feed(trace, "# gpu: a comment"), WSIM_OK);
    ck_assert_int_eq(feed(trace, "#other: also one"), WSIM_OK);
    ck_assert_ptr_null(wsim_trace_header(trace, "other"));
    refused(trace, "#wsim-trace 1", 1, "second trace");
    wsim_trace_free(trace);
}
END_TEST

struct refusal {
    const char *line;
    unsigned col;
    const char *part;
};

static void refuse_all(const struct refusal *refusals, size_t n) {
    struct wsim_trace *trace = reader("sm_120a");
    size_t i;
    for (i = 0; i < n; i++)
        refused(trace, refusals[i].line, refusals[i].col, refusals[i].part);
    ck_assert_int_eq(feed(trace, LD ADDR "\twavefronts=1"), WSIM_OK); /* it can go on */
    ck_assert_str_eq(wsim_trace_spelling(trace), "ld.shared.u32");
    wsim_trace_free(trace);
}

START_TEST(fields) {
    static const struct refusal list[] = {
        {LD ADDR "\twavefront=1", 277, "unknown field 'wavefront'"},
        {LD ADDR "\t" ADDR "\twavefronts=1", 277, "'addr' is given twice"},
        {LD ADDR "\twavefronts=1\twavefronts=1", 290, "'wavefronts' is given twice"},
        {LD ADDR "\twavefronts=1\td=" ZERO256, 290, "'d' does not belong to ld.shared.u32"},
        {MOV "a=" ZERO256 "\tb=" ZERO256 "\td=" ZERO256, 298, "'b' does not belong"},
        {LD ADDR "\t\twavefronts=1", 277, "empty field"},
        {LD ADDR "\twavefronts=1\t", 290, "empty field"},
        {LD ADDR "\twavefronts", 277, "name=value"},
        {LD "=1\t" ADDR "\twavefronts=1", 15, "unknown field ''"},
        {LD ADDR, 1, "no expectation"},
        {"ld.shared.u32", 1, "no expectation"},
        {LD "wavefronts=1", 1, "'addr' is missing"},
        {LD "trap=1", 1, "'addr' is missing"},
        {CP ADDR "\twavefronts=1", 1, "'size' is missing"},
        {CP "size=4\tsass_wavefronts=1", 1, "'addr' is missing"},
        {MOV "trap=1", 1, "'a' is missing"},
        {LDM "smem=@fill:00:128\td=" ZERO256, 1, "'addr' is missing"},
        {LDM ADDR "\ttrap=1", 1, "'smem' is missing"},
        {MOV "a=" ZERO256 "\td=" ZERO256 "\ttrap=1", 1, "nothing else"},
        {LDM "smem=@fill:00:128\t" ADDR "\tmask=0000ffff\td=" ZERO256, 1, "whole warp"},
        {STM "smem=@fill:00:128\t" ADDR "\tr=" ZERO256 "\tsmem_after=@fill:00:64", 1,
         "same window"},
        {"\ttrap=1", 1, "spelling"},
        {"ld.shared.u32 " ADDR "\ttrap=1", 14, "byte 20"},
        {"ld.shared.\xC3\xBC\ttrap=1", 11, "byte c3"},
        {LD ADDR "\twavefronts=1\r\n", 289, "carriage return"},
        {LD ADDR " wavefronts=1", 276, "' ' is not a hex digit"},
        {LD ADDR "\twave\x01", 281, "control character"}};
    refuse_all(list, COUNT(list));
}
END_TEST

#define ZERO16 "0000000000000000"
#define WG "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16\t"
#define INPUTS "smem=00\tdescA=" ZERO16 "\tdescB=" ZERO16 "\tc=@fill:00:1024\tscaled=0"

START_TEST(values) {
    static const struct refusal list[] = {
        {LD "addr=" ZERO64 "\twavefronts=1", 20, "64 hex digits instead of 256"},
        {LD "addr=" ZERO256 "0\twavefronts=1", 20, "257 hex digits instead of 256"},
        {LD "addr=\twavefronts=1", 20, "0 hex digits"},
        {LD "addr=0000000A" ZERO256 "\twavefronts=1", 27, "'A' is not a hex digit"},
        {LD ADDR "\tmask=0000000\twavefronts=1", 282, "7 hex digits instead of 8"},
        {LD ADDR "\twavefronts=", 288, "missing"},
        {LD ADDR "\twavefronts=-1", 288, "'-' is not a decimal digit"},
        {LD ADDR "\twavefronts=0x1", 289, "'x' is not a decimal digit"},
        {LD ADDR "\twavefronts=18446744073709551616", 288, "64 bits"},
        {LD ADDR "\ttrap=0", 282, "is 1"},
        {LD ADDR "\ttrap=11", 282, "is 1"},
        {MOV "a=" ZERO256 ZERO8 "\td=" ZERO256, 41, "264 hex digits instead of 256: 1 registers"},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64\ta=" ZERO256, 51,
         "instead of 512: 1 registers x 32 lanes x 16 digits"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32\tsel=0", 50, "'sel' does not belong"},
        {"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16\tdescA=00", 57, "2 hex digits"},
        {"wgmma.mma_async.sync.aligned.m64n8k17.f16.f16.f16\tc=" ZERO64, 53, "whole registers"},
        {WG "scaleA=0", 58, "a sign is 1 or -1"},
        {WG "scaleA=-2", 58, "a sign is 1 or -1"},
        {WG "a=@fill:00:2044", 53, "2044 bytes instead of 2048: 4 registers x 128"},
        {WG "d_fnv=12", 57, "2 hex digits instead of 16"},
        {WG INPUTS "\ta=@fill:00:2048\ttrap=1", 1, "not in both"},
        {WG "smem=00\tdescB=" ZERO16 "\tc=@fill:00:1024\tscaled=0\ttrap=1", 1,
         "input field 'a' is missing"},
        {WG "smem=00\tdescA=" ZERO16 "\tc=@fill:00:1024\tscaled=0\ttrap=1", 1,
         "'descB' is missing"},
        {WG "b=" ZERO256, 51, "'b' does not belong"},
        {WG "sel=0", 51, "'sel' does not belong"},
        {"tensormap.tiled\tdims=1,,2\tresult=0", 24, "list"},
        {"tensormap.tiled\tdims=1,\tresult=0", 24, "list"},
        {"tensormap.tiled\tdims=1-2\tresult=0", 23, "list"},
        {"tensormap.tiled\tdims=-\tresult=0", 23, "list"},
        {"tensormap.tiled\toob=nan\tresult=0", 21, "'nan' is none of ZERO NAN"},
        {"tensormap.tiled\toob=\tresult=0", 21, "'' is none of ZERO NAN"},
        {"tensormap.tiled\ttx=0\tresult=0", 17, "does not belong"},
        {CP ADDR "\tlines=hot\twavefronts=1", 295, "cold or warm"},
        {CP ADDR "\tlines=warmer\twavefronts=1", 295, "cold or warm"},
        {CP ADDR "\tsrc=" ZERO64 "\twavefronts=1", 293, "64 hex digits instead of 256"},
        {CP ADDR "\tsrcsize=16\twavefronts=1", 297, "2 hex digits instead of 256"},
        {LD ADDR "\tsrc=" ZERO256 "\twavefronts=1", 277, "'src' does not belong"}};
    refuse_all(list, COUNT(list));
}
END_TEST

START_TEST(memory) {
    static const struct refusal list[] = {
        {LDM "smem=0", 47, "1 hex digits"},
        {LDM "smem=", 47, "0 bytes"},
        {LDM "smem=0g", 48, "'g'"},
        {LDM "smem=@fill:00:0", 0, "0 bytes"},
        {LDM "smem=@fill:00:16777217", 0, "16777217 bytes of memory; a field holds 1 to 16777216"},
        {LDM "smem=@fill:00:4294967296", 0, "4294967296 bytes"},
        {LDM "smem=@fill:0:16", 53, "two hex digits"},
        {LDM "smem=@fill:0G:16", 54, "'G'"},
        {LDM "smem=@fill:00", 0, "@FILE:OFFSET:LENGTH"},
        {LDM "smem=@", 47, "@FILE:OFFSET:LENGTH"},
        {LDM "smem=@fill:00:", 56, "missing"},
        {LDM "smem=@mix:-1:16", 52, "'-'"},
        {LDM "smem=@bits:0:0:1:16", 53, "two masks of 16 hex digits"},
        {LDM "smem=@bits:" ZERO16 ":" ZERO8 "0000000G:1:16", 85, "'G'"},
        {LDM "smem=@bits:" ZERO16 ":" ZERO16 "x1:16", 53, "two masks"},
        {LDM "smem=@bits:" ZERO16 ":" ZERO16 ":-1:16", 87, "'-'"},
        {LDM "smem=@mix::16", 52, "missing"},
        {LDM "smem=@mix:1:18446744073709551615", 0, "a field holds"},
        {LDM "smem=@a.bin:0:16", 48, "no folder"}};
    refuse_all(list, COUNT(list));
}
END_TEST

START_TEST(accepted) {
    static const char *const list[] = {
        "",
        "\n",
        "# anything: goes",
        "tensormap.other\tstrides=\tdims=1,-2,3\toob=NAN\tresult=1",
        "some.thing.new\ttrap=1",
        CP ADDR "\tsize=16\twavefronts=8",
        CP ADDR "\tsize=16\tsrc=" ZERO256 "\tsrcsize=" ZERO256 "\tlines=warm\tsass_conflicts=8",
        "wgmma.mma_async.sync.aligned.m64n8k17.f16.f16.f16\tsmem=@fill:00:16\tdescA="
        "0123456789abcdef"
        "\tscaleA=-1\td=" ZERO256 "\n",
        WG INPUTS "\td_fnv=" ZERO16,
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32\ttrap=1\ta=" ZERO256 ZERO256
        "\tb=" ZERO256 "\tc=" ZERO256 ZERO256 ZERO256 ZERO256};
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(list); i++) {
        struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
        int is_case;
        enum wsim_status status = wsim_trace_line(trace, list[i], strlen(list[i]), &is_case, &diag);
        ck_assert_msg(status == WSIM_OK, "%.60s: %s", list[i], diag.text);
        ck_assert_int_eq(is_case, i > 2);
    }
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        first_line, each_header_key_is_needed_once, header_values, fields, values, memory,
        accepted};
    return run_tests("reader", tests, COUNT(tests));
}
