/* Cases of tensor maps: the driver's answer against the model's, lists that are too short or too
 * long, and what a difference says. */
#include "helper.h"

#include <string.h>

#define KINDS "\tinterleave=NONE\tswizzle=NONE\tl2=0\toob=ZERO"
#define HEAD "tensormap.tiled\tdtype=UINT8\trank=2\tbase=0"
#define LISTS "\tdims=64,64\tstrides=64\tbox=16,8\testrides=1,1"
#define COLUMNS                                                                                    \
    "tensormap.im2col\tdtype=UINT8\trank=3\tbase=0\tdims=64,9,9\tstrides=64,576\testrides=1,1,1"   \
    "\tchannels=16\tpixels=4" KINDS

static struct wsim_replay answer(struct wsim_trace *trace, const char *line) {
    struct text text;
    text_start(&text, "%s", line);
    return replayed(trace, &text);
}

START_TEST(answers) {
    static const struct {
        const char *line;
        enum wsim_verdict verdict;
    } list[] = {
        {HEAD LISTS KINDS "\tresult=0", WSIM_EQUAL},
        {HEAD LISTS KINDS "\tresult=1", WSIM_DIFFERENT},
        {HEAD "\tdims=64,0\tstrides=64\tbox=16,8\testrides=1,1" KINDS "\tresult=1", WSIM_EQUAL},
        {HEAD "\tdims=64,0\tstrides=64\tbox=16,8\testrides=1,1" KINDS "\tresult=0", WSIM_DIFFERENT},
        {HEAD "\tdims=64,64,0\tstrides=64,1\tbox=16,8,0\testrides=1,1,0" KINDS "\tresult=0",
         WSIM_EQUAL}, /* the rest is not looked at */
        {"tensormap.tiled\tdtype=UINT8\trank=6\tbase=0\tdims=\tstrides=\tbox=\testrides=" KINDS
         "\tresult=1",
         WSIM_EQUAL},
        {COLUMNS "\tlower=-1\tupper=1\tresult=0", WSIM_EQUAL},
        {COLUMNS "\tlower=1\tupper=-8\tresult=1", WSIM_EQUAL},
        {COLUMNS "\tlower=0\tupper=-8\tbox=0\tresult=0", WSIM_EQUAL},
    };
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(list); i++) {
        struct wsim_replay replay = answer(trace, list[i].line);
        ck_assert_msg(replay.verdict == list[i].verdict, "line %u: %s", i, replay.why.text);
        ck_assert_ptr_null(wsim_trace_op(trace));
        ck_assert_uint_eq(wsim_trace_results(trace), 1);
        if (replay.verdict == WSIM_DIFFERENT)
            ck_assert_str_eq(replay.first.field, "result");
    }
    ck_assert_msg(strstr(answer(trace, list[3].line).why.text, "dims[1] is 0"), "no reason");
    wsim_trace_free(trace);
}
END_TEST

START_TEST(lines_refused) {
    static const struct {
        const char *line;
        unsigned col;
        const char *part;
    } list[] = {
        {HEAD LISTS "\tresult=0", 1, "input field 'interleave' is missing"},
        {HEAD "\tdims=64\tstrides=64\tbox=16,8\testrides=1,1" KINDS "\tresult=0", 1,
         "field 'dims' has 1 numbers, not 2"},
        {HEAD "\tdims=64,64\tstrides=\tbox=16,8\testrides=1,1" KINDS "\tresult=0", 1,
         "field 'strides' has 0 numbers, not 1"},
        {HEAD "\tdims=64,64\tstrides=64\testrides=1,1" KINDS "\tresult=0", 1,
         "field 'box' has 0 numbers, not 2"},
        {HEAD "\tdims=64,64\tstrides=64\tbox=16,4294967296\testrides=1,1" KINDS "\tresult=0", 1,
         "field 'box': a number does not fit in 32 bits"},
        {HEAD "\tdims=1,2,3,4,5,6,7,8,9", 0, "at most 8 numbers"},
        {HEAD "\tdims=18446744073709551616", 0, "64 bits"},
        {HEAD "\tlower=1", 0, "'lower' does not belong"},
        {HEAD "\ttrap=1", 0, "'trap' does not belong"},
        {"tensormap.tiled\tdtype=UINT9", 23, "'UINT9' is none of UINT8 UINT16"},
        {COLUMNS "\tlower=-2147483649\tupper=0\tresult=0", 1, "does not fit in 32 bits"},
        {COLUMNS "\tlower=\tupper=0\tresult=0", 1, "field 'lower' has 0 numbers, not 1"},
        {COLUMNS "\tupper=0\tresult=0", 1, "input field 'lower' is missing"},
    };
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(list); i++)
        refused(trace, list[i].line, list[i].col, list[i].part);
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {answers, lines_refused};
    return run_tests("maps", tests, COUNT(tests));
}
