/* test_lanes.c - cases of cp.async with memory: the bytes of two lanes in the window, with and
 * without sources and source sizes. Also traps, an additional count and missing fields. */
#include "helper.h"

#include <string.h>

#define CP "cp.async.ca.shared.global\tsize=4\tmask=00000003"
#define MEMORY "\tglobal=000102030405060708090a0b0c0d0e0f\tsmem=@fill:cd:8"

enum { LANES = 32 };

/* Lane 0 has `first`, lane 1 `second`; the others take no part, and have nonsense. */
static void add_lanes(struct text *line, const char *name, unsigned first, unsigned second) {
    uint64_t words[LANES];
    unsigned l;
    for (l = 0; l < LANES; l++)
        words[l] = l == 0 ? first : l == 1 ? second : 0xfffffff1;
    text_add(line, "\t%s=", name);
    text_hex(line, words, LANES, 8);
}

static const struct {
    unsigned dst[2], src[2], size[2]; /* src {0, 0}, size {9, 9}: not given */
    const char *rest;
    enum wsim_verdict verdict;
} cases[] = {
    {{0, 4}, {0, 0}, {9, 9}, "smem_after=0001020304050607", WSIM_EQUAL},
    {{4, 0}, {0, 0}, {9, 9}, "smem_after=0405060700010203", WSIM_EQUAL},
    {{0, 4}, {12, 4}, {9, 9}, "smem_after=0c0d0e0f04050607", WSIM_EQUAL},
    {{0, 4}, {12, 4}, {2, 0}, "smem_after=0c0d000000000000", WSIM_EQUAL},
    {{0, 4}, {12, 4}, {2, 0}, "smem_after=0c0d0e0000000000", WSIM_DIFFERENT},
    {{0, 4}, {16, 4}, {0, 4}, "smem_after=0000000004050607", WSIM_EQUAL},
    {{0, 4}, {16, 4}, {1, 4}, "smem_after=0000000004050607", WSIM_DIFFERENT}, /* refused */
    {{0, 4}, {0, 0}, {9, 9}, "smem_after=0001020304050607\twavefronts=1", WSIM_EQUAL},
    {{0, 4}, {0, 0}, {9, 9}, "smem_after=0001020304050607\twavefronts=2", WSIM_DIFFERENT},
    {{0, 4}, {2, 4}, {9, 9}, "trap=1", WSIM_EQUAL},
    {{0, 8}, {0, 0}, {9, 9}, "trap=1", WSIM_EQUAL},
    {{0, 4}, {0, 0}, {9, 9}, "trap=1", WSIM_DIFFERENT},
};

START_TEST(lanes_leave_what_they_copy) {
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay;
    struct text line;
    unsigned i;
    for (i = 0; i < COUNT(cases); i++) {
        text_start(&line, CP MEMORY);
        add_lanes(&line, "addr", cases[i].dst[0], cases[i].dst[1]);
        if (cases[i].src[0] || cases[i].src[1])
            add_lanes(&line, "src", cases[i].src[0], cases[i].src[1]);
        if (cases[i].size[0] != 9)
            add_lanes(&line, "srcsize", cases[i].size[0], cases[i].size[1]);
        text_add(&line, "\t%s", cases[i].rest);
        replay = replayed(trace, &line);
        ck_assert_msg(replay.verdict == cases[i].verdict, "case %u: %s", i, replay.why.text);
    }
    wsim_trace_free(trace);
}
END_TEST

START_TEST(what_is_compared_is_held) {
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    text_start(&line, CP MEMORY);
    add_lanes(&line, "addr", 0, 4);
    text_add(&line, "\tsmem_after=0001020304050607\twavefronts=1");
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    ck_assert_uint_eq(wsim_trace_held(trace, WSIM_RESULTS), 2);
    ck_assert_uint_eq(wsim_trace_held(trace, WSIM_COUNTS), 1);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(memory_has_to_be_there) {
    static const char *const rest[] = {"\tsmem=@fill:cd:8\tsmem_after=0001020304050607",
                                       "\tglobal=@fill:00:16\tsmem_after=0001020304050607"};
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    unsigned i;
    for (i = 0; i < COUNT(rest); i++) {
        text_start(&line, CP);
        add_lanes(&line, "addr", 0, 4);
        text_add(&line, "%s", rest[i]);
        refused(trace, line.at, 0, i ? "'smem' is missing" : "'global' is missing");
    }
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {lanes_leave_what_they_copy, what_is_compared_is_held,
                                  memory_has_to_be_there};
    return run_tests("trace/lanes", tests, COUNT(tests));
}
