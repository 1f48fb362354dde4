/* Cases of copies: a load of one pixel and its store, with and without what may be left out. */
#include "helper.h"

#include <string.h>

#define LOAD "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group"
#define TILE "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define KINDS "\tinterleave=NONE\tswizzle=NONE\tl2=0\toob=ZERO"

/* Four pixels in a square, each of 16 equal bytes; from the first of them on. */
#define PIXEL(digit) digit digit digit digit digit digit digit digit
#define GLOBAL "\tglobal=" PIXEL("0000") PIXEL("1111") PIXEL("2222") PIXEL("3333")
#define SQUARE                                                                                     \
    "\tdtype=UINT32\trank=4\tbase=0\tdims=4,2,2,1\tstrides=16,32,64\tlower=0,0\tupper=0,0"         \
    "\tchannels=4\tpixels=1\testrides=1,1,1,1" KINDS "\tcoord=0,0,0,0" GLOBAL                      \
    "\tsmem_at=0\tsmem=@fill:cd:16"

static struct wsim_replay answer(struct wsim_trace *trace, const char *line) {
    struct text text;
    text_start(&text, "%s", line);
    return replayed(trace, &text);
}

START_TEST(offsets_may_be_left_out) {
    static const struct {
        const char *line;
        enum wsim_verdict verdict;
    } list[] = {
        {LOAD SQUARE "\tsmem_after=" PIXEL("0000") "\ttx=16", WSIM_EQUAL},
        {LOAD SQUARE "\toffsets=0,0\tsmem_after=" PIXEL("0000"), WSIM_EQUAL},
        {LOAD SQUARE "\tsmem_after=" PIXEL("1111"), WSIM_DIFFERENT},
        {LOAD SQUARE "\toffsets=1,0\tsmem_after=" PIXEL("1111"), WSIM_EQUAL},
        {LOAD SQUARE "\toffsets=0,1\tsmem_after=" PIXEL("2222"), WSIM_EQUAL},
        {LOAD SQUARE "\tsmem_after=" PIXEL("0000"), WSIM_EQUAL}, /* none of the line before */
        {LOAD SQUARE "\tsmem_after=" PIXEL("0000") "\ttx=15", WSIM_DIFFERENT},
        {LOAD SQUARE "\ttrap=1", WSIM_DIFFERENT},
    };
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(list); i++) {
        struct wsim_replay replay = answer(trace, list[i].line);
        ck_assert_msg(replay.verdict == list[i].verdict, "line %u: %s", i, replay.why.text);
    }
    wsim_trace_free(trace);
}
END_TEST

/* A line may say anything: what makes no map has no tile that could be counted. */
START_TEST(maps_that_no_driver_makes_hold_nothing) {
    static const char *const list[] = {
        TILE "\tdtype=UINT8\trank=1\tbase=0\tdims=16\tstrides=\tbox=16\testrides=0" KINDS
             "\tcoord=0" GLOBAL "\tsmem_at=0\tsmem=@fill:cd:16\ttx=16",
        TILE "\tdtype=UINT8\trank=2\tbase=0\tdims=16,1\tstrides=16\tbox=16,1\testrides=1,0" KINDS
             "\tcoord=0,0" GLOBAL "\tsmem_at=0\tsmem=@fill:cd:16\ttx=16",
        TILE "\tdtype=UINT8\trank=77\tbase=0\tdims=16\tstrides=\tbox=16\testrides=1" KINDS
             "\tcoord=0" GLOBAL "\tsmem_at=0\tsmem=@fill:cd:16\ttx=16",
    };
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(list); i++) {
        struct wsim_replay replay = answer(trace, list[i]);
        ck_assert_msg(replay.verdict == WSIM_DIFFERENT, "line %u: %s", i, replay.why.text);
        ck_assert_uint_eq(wsim_trace_results(trace), 0);
    }
    wsim_trace_free(trace);
}
END_TEST

START_TEST(a_store_has_no_offsets) {
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay = answer(trace, STORE SQUARE "\tglobal_fnv=0000000000000000");
    struct text line;
    ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replay.first.field, "global_fnv");
    text_start(&line, "%s\toffsets=1,1\tglobal_fnv=%016llx", STORE SQUARE,
               (unsigned long long)replay.first.got);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(lists_have_a_number_for_each_dimension) {
    static const struct {
        const char *line, *part;
    } list[] = {
        {LOAD SQUARE "\toffsets=0\ttx=16", "field 'offsets' has 1 numbers, not 2"},
        {LOAD SQUARE "\toffsets=0,0,0\ttx=16", "field 'offsets' has 3 numbers, not 2"},
        {LOAD SQUARE "\toffsets=0,65536\ttx=16", "65536 is not 0 to 65535"},
        {LOAD SQUARE "\toffsets=-1,0\ttx=16", "-1 is not 0 to 65535"},
        {TILE "\tdtype=UINT8\trank=1\tbase=0\tdims=16\tstrides=\tbox=16\testrides=1" KINDS
              "\tcoord=0\toffsets=1" GLOBAL "\tsmem_at=0\tsmem=@fill:cd:16\ttx=16",
         "field 'offsets' has 1 numbers, not 0"},
    };
    struct wsim_trace *trace = reader("sm_90a");
    unsigned i;
    for (i = 0; i < COUNT(list); i++) {
        struct wsim_replay replay = answer(trace, list[i].line);
        ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
        ck_assert_msg(strstr(replay.why.text, list[i].part), "line %u: %s", i, replay.why.text);
    }
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {offsets_may_be_left_out, maps_that_no_driver_makes_hold_nothing,
                                  a_store_has_no_offsets, lists_have_a_number_for_each_dimension};
    return run_tests("trace/copies", tests, COUNT(tests));
}
