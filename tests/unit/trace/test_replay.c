/* A replay says equal, different or unsupported for the right reason, and names the first place
 * that differs. Cases written by hand; expectations come from the PTX manual, not from the model.
 */
#include "../../../harness/trace/trace.h"
#include "helper.h"

#include <string.h>

#define MXF8                                                                                       \
    "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3."    \
    "f32."                                                                                         \
    "ue8m0"

enum { LANES = 32 };

/* 2^e as f32. */
static uint64_t power(int e) {
    return (uint64_t)(127 + e) << 23;
}

/* A and B all ones, C zero: D[i][j] = 32 * 2^(i) * 2^(16j - 64). The scale of row i is in byte 2 of
 * lane 4*(i % 8) + 2 + i / 8 (thread-id 1, byte-id 2). That of column j is in byte 1 of lane 4j + 3
 * (thread-id 3, byte-id 1). All other bytes are NaN. */
static void block_scaled(struct text *line, int wrong) {
    uint64_t sfa[LANES], sfb[LANES], d[4 * LANES];
    unsigned i, j, lane;
    for (lane = 0; lane < LANES; lane++)
        sfa[lane] = sfb[lane] = 0xFFFFFFFF;
    for (i = 0; i < 16; i++)
        sfa[4 * (i % 8) + 2 + i / 8] = 0xFF00FFFF | (127 + i) << 16;
    for (j = 0; j < 8; j++)
        sfb[4 * j + 3] = 0xFFFF00FF | (63 + 16 * j) << 8;
    for (i = 0; i < 16; i++)
        for (j = 0; j < 8; j++)
            d[(i / 8 * 2 + j % 2) * LANES + i % 8 * 4 + j / 2] =
                power(5 + (int)i + 16 * (int)j - 64);
    if (wrong)
        d[3 * LANES + 6] ^= 1u << 23;
    text_start(line, MXF8 "\ta=");
    text_same(line, 0x38383838, 4 * LANES, 8);
    text_add(line, "\tb=");
    text_same(line, 0x38383838, 2 * LANES, 8);
    text_add(line, "\tc=");
    text_same(line, 0, 4 * LANES, 8);
    text_add(line, "\tsfa=");
    text_hex(line, sfa, LANES, 8);
    text_add(line, "\tbidA=2\ttidA=1\tsfb=");
    text_hex(line, sfb, LANES, 8);
    text_add(line, "\tbidB=1\ttidB=3\td=");
    text_hex(line, d, 4 * LANES, 8);
}

START_TEST(block_scale) {
    struct wsim_trace *trace = reader("sm_120a");
    struct wsim_replay replay;
    struct text line;
    block_scaled(&line, 0);
    replay = replayed(trace, &line);
    ck_assert_msg(replay.verdict == WSIM_EQUAL, "%s; lane %u register %u: %llx, not %llx",
                  replay.why.text, replay.first.place.lane, replay.first.place.reg,
                  (unsigned long long)replay.first.got, (unsigned long long)replay.first.expected);
    block_scaled(&line, 1);
    replay = replayed(trace, &line);
    ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
    ck_assert_uint_eq(replay.differences, 1);
    ck_assert_uint_eq(replay.first.place.lane, 6);
    ck_assert_uint_eq(replay.first.place.reg, 3);
    ck_assert_uint_eq(replay.first.coord.row, 9);
    ck_assert_uint_eq(replay.first.coord.col, 5);
    ck_assert_uint_eq(replay.first.got ^ replay.first.expected, 1u << 23);
    wsim_trace_replay(trace, wsim_arch_find("sm_90a"), &replay);
    ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
    ck_assert_msg(replay.why.text[0], "unsupported without a reason");
    wsim_trace_free(trace);
}
END_TEST

START_TEST(a_scale_selector_out_of_range_traps) {
    struct wsim_trace *trace = reader("sm_120a");
    struct text line;
    char *tid, *d;
    block_scaled(&line, 0);
    tid = strstr(line.at, "tidA=1");
    tid[5] = '2'; /* 1X: thread-id of A is 0 or 1 */
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replayed(trace, &line).first.field, "trap");
    ck_assert_uint_eq(replayed(trace, &line).first.got, 1);
    d = strstr(line.at, "\td=");
    strcpy(d, "\ttrap=1");
    line.used = strlen(line.at);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    tid[5] = '1';
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replayed(trace, &line).first.field, "trap");
    ck_assert_uint_eq(replayed(trace, &line).first.expected, 1);
    wsim_trace_free(trace);
}
END_TEST

/* A move of row `lane % 8` at 16 bytes each, the address of one lane moved by `by`. */
static void move(struct text *line, const char *instruction, unsigned lane, unsigned by) {
    uint64_t addr[LANES];
    unsigned l;
    for (l = 0; l < LANES; l++)
        addr[l] = 16 * (l % 8) + (l == lane ? by : 0);
    text_start(line, "%s\tsmem=@mix:1:128\taddr=", instruction);
    text_hex(line, addr, LANES, 8);
}

START_TEST(misaligned_and_outside_rows_trap) {
    static const unsigned off[] = {8, 4, 1, 128, 0xFFFFFF80};
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    unsigned i;
    for (i = 0; i < COUNT(off); i++) {
        move(&line, "stmatrix.sync.aligned.m8n8.x1.shared.b16", 5, off[i]);
        text_add(&line, "\tr=");
        text_same(&line, 0, LANES, 8);
        text_add(&line, "\ttrap=1");
        ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
        move(&line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16", 5, off[i]);
        text_add(&line, "\ttrap=1");
        ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
        move(&line, "ldmatrix.sync.aligned.m8n8.x1.shared.b16", 13, off[i]); /* not used by x1 */
        text_add(&line, "\ttrap=1");
        ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    }
    wsim_trace_free(trace);
}
END_TEST

START_TEST(a_store_is_compared_byte_by_byte) {
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay;
    struct text line;
    unsigned i, wrong;
    for (wrong = 0; wrong < 2; wrong++) {
        text_start(&line, "stmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@fill:ee:144\taddr=");
        for (i = 0; i < LANES; i++)
            text_add(&line, "%08x", 16 * (i % 8));
        text_add(&line, "\tr=");
        for (i = 0; i < LANES; i++) /* lane l holds bytes 4l .. 4l+3 of the matrix */
            text_add(&line, "%02x%02x%02x%02x", 4 * i + 3, 4 * i + 2, 4 * i + 1, 4 * i);
        text_add(&line, "\tsmem_after=");
        for (i = 0; i < 144; i++)
            text_add(&line, "%02x", i < 128 ? i ^ (wrong && i == 77 ? 1 : 0) : 0xEEu);
        text_add(&line, "\twavefronts=%u\tconflicts=0", 1 + wrong);
        replay = replayed(trace, &line);
        ck_assert_int_eq(replay.verdict, wrong ? WSIM_DIFFERENT : WSIM_EQUAL);
    }
    ck_assert_uint_eq(replay.differences, 2); /* a byte, and the wavefronts */
    ck_assert_str_eq(replay.first.field, "smem_after");
    ck_assert_uint_eq(replay.first.offset, 77);
    ck_assert_uint_eq(replay.first.expected, 76);
    ck_assert_uint_eq(replay.first.got, 77);
    wsim_trace_replay(trace, NULL, &replay); /* the case has not been used up */
    ck_assert_uint_eq(replay.differences, 2);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(registers_of_64_bits) {
    struct wsim_trace *trace = reader("sm_80");
    struct wsim_replay replay;
    struct text line;
    unsigned i, wrong;
    for (wrong = 0; wrong < 2; wrong++) {
        uint64_t c[2 * LANES]; /* A zero: D = C, which differs in both words of each register */
        text_start(&line, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64\ta=");
        text_same(&line, 0, LANES, 16);
        text_add(&line, "\tb=");
        text_same(&line, 0, LANES, 16);
        text_add(&line, "\tc=");
        for (i = 0; i < 2 * LANES; i++)
            c[i] = UINT64_C(0x3FF00000A0000000) + ((uint64_t)i << 32) + 7 * i;
        text_hex(&line, c, 2 * LANES, 16);
        text_add(&line, "\td=");
        c[LANES + 9] ^= (uint64_t)wrong << 40;
        text_hex(&line, c, 2 * LANES, 16);
        replay = replayed(trace, &line);
        ck_assert_int_eq(replay.verdict, wrong ? WSIM_DIFFERENT : WSIM_EQUAL);
    }
    ck_assert_uint_eq(replay.differences, 1);
    ck_assert_uint_eq(replay.first.place.lane, 9);
    ck_assert_uint_eq(replay.first.place.reg, 2);
    ck_assert_uint_eq(replay.first.coord.row, 2); /* lane 9: row 2, columns 2 and 3 */
    ck_assert_uint_eq(replay.first.coord.col, 3);
    ck_assert_str_eq(replay.first.format->name, "f64");
    wsim_trace_free(trace);
}
END_TEST

START_TEST(counts_and_masks) {
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay;
    struct text line;
    unsigned i;
    text_start(&line, "ld.shared.u32\twavefronts=4\tconflicts=3\tmask=000f000f\taddr=");
    for (i = 0; i < LANES; i++) /* inactive lanes would make it 32 */
        text_add(&line, "%08x", i % 16 < 4 ? 128 * (i % 16) : 128 * i);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    *strstr(line.at, "=3") = '\0';
    line.used = strlen(line.at);
    text_add(&line, "=2\taddr=");
    for (i = 0; i < LANES; i++)
        text_add(&line, "%08x", i % 16 < 4 ? 128 * (i % 16) : 0);
    replay = replayed(trace, &line);
    ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replay.first.field, "conflicts");
    ck_assert_uint_eq(replay.first.expected, 2);
    ck_assert_uint_eq(replay.first.got, 3);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(a_misaligned_access_traps) {
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    text_start(&line, "ld.shared.u32\ttrap=1\taddr=");
    text_same(&line, 2, LANES, 8);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    text_start(&line, "ld.shared.u16\ttrap=1\taddr=");
    text_same(&line, 2, LANES, 8);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    text_start(&line, "ld.shared.u32\twavefronts=1\taddr=");
    text_same(&line, 2, LANES, 8);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    ck_assert_str_eq(replayed(trace, &line).first.field, "trap");
    ck_assert_msg(replayed(trace, &line).why.text[0], "no reason given");
    wsim_trace_free(trace);
}
END_TEST

#define CP "cp.async.ca.shared.global\tsize=4\tmask=000000ff\t"

/* Adds `name` = what lane l times `step` gives, 32 times. */
static void add_lanes(struct text *line, const char *name, unsigned step) {
    uint64_t lanes[LANES];
    unsigned l;
    for (l = 0; l < LANES; l++)
        lanes[l] = l * step;
    text_add(line, "\t%s=", name);
    text_hex(line, lanes, LANES, 8);
}

/* Without a source it is consecutive; both kinds of counters have their own fields. */
START_TEST(copies_are_counted_on_both_sides) {
    static const struct {
        unsigned dst, src, size; /* steps; src 0: not given */
        const char *rest;
        enum wsim_verdict verdict;
        const char *field;
    } cases[] = {
        {4, 0, 0, "wavefronts=1\tconflicts=0", WSIM_EQUAL, NULL},
        {4, 0, 0, "wavefronts=2", WSIM_DIFFERENT, "wavefronts"},
        {128, 0, 0, "wavefronts=8\tconflicts=7\tsass_wavefronts=8\tsass_conflicts=7", WSIM_EQUAL,
         NULL},
        {4, 128, 0, "wavefronts=8\tconflicts=6\tsass_wavefronts=8", WSIM_EQUAL, NULL},
        {4, 128, 0, "lines=cold\tconflicts=7", WSIM_DIFFERENT, "conflicts"},
        {4, 128, 0, "lines=warm\twavefronts=8\tconflicts=7", WSIM_EQUAL, NULL},
        {4, 128, 0, "sass_conflicts=6", WSIM_DIFFERENT, "sass_conflicts"},
        {4, 4, 1, "wavefronts=1", WSIM_DIFFERENT, "trap"}, /* lane 7 reads 7 of 4 bytes */
        {4, 4, 0, "wavefronts=1\tsass_wavefronts=2", WSIM_DIFFERENT, "sass_wavefronts"},
        {2, 0, 0, "trap=1", WSIM_EQUAL, NULL},
        {4, 0, 0, "trap=1", WSIM_DIFFERENT, "trap"},
        {4, 1u << 23, 0, "wavefronts=1", WSIM_UNSUPPORTED, NULL},
        {4, 1u << 23, 0, "lines=warm\twavefronts=8", WSIM_EQUAL, NULL},
        {4, 1u << 23, 0, "sass_wavefronts=8", WSIM_EQUAL, NULL},
    };
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    unsigned i;
    for (i = 0; i < COUNT(cases); i++) {
        struct wsim_replay replay;
        text_start(&line, CP "%s", cases[i].rest);
        add_lanes(&line, "addr", cases[i].dst);
        if (cases[i].src)
            add_lanes(&line, "src", cases[i].src);
        if (cases[i].size)
            add_lanes(&line, "srcsize", cases[i].size);
        replay = replayed(trace, &line);
        ck_assert_msg(replay.verdict == cases[i].verdict, "case %u: %d %s", i, replay.verdict,
                      replay.why.text);
        if (cases[i].field)
            ck_assert_str_eq(replay.first.field, cases[i].field);
        ck_assert_uint_eq(wsim_trace_results(trace), 1);
    }
    wsim_trace_free(trace);
}
END_TEST

/* One times one in every element of k: 16, plus C of 1 and a sign. A is in registers. */
START_TEST(a_warpgroup_is_compared_thread_by_thread) {
    static const char *const spelling = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
    static const char *const inputs =
        "\tsmem=@bits:0000000000000000:3c003c003c003c00:0:4096\tdescB=0000000800100000"
        "\ta=@bits:0000000000000000:3c003c003c003c00:0:2048"
        "\tc=@bits:0000000000000000:3f8000003f800000:0:2048\tscaled=1";
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay;
    struct text line;
    text_start(&line, "%s%s\td=@bits:0000000000000000:4188000041880000:0:2048", spelling, inputs);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL); /* 17 */
    ck_assert_uint_eq(wsim_trace_held(trace, WSIM_RESULTS), 512);
    text_start(&line, "%s%s\tscaleB=-1\td=@bits:0000000000000000:c1700000c1700000:0:2048", spelling,
               inputs);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL); /* -15 */
    text_start(&line, "%s%s\td=", spelling, inputs);
    text_same(&line, 0x41880000, 3 * 128 + 70, 8);
    text_same(&line, 0x41880001, 1, 8);
    text_same(&line, 0x41880000, 57, 8);
    replay = replayed(trace, &line);
    ck_assert_int_eq(replay.verdict, WSIM_DIFFERENT);
    ck_assert_uint_eq(replay.differences, 1);
    ck_assert_uint_eq(replay.first.place.reg, 3);
    ck_assert_uint_eq(replay.first.place.lane, 70);
    ck_assert_uint_eq(replay.first.coord.row, 32 + 1 + 8);
    ck_assert_uint_eq(replay.first.coord.col, 2 * 2 + 1);
    text_start(&line, "%s%s\td_fnv=0123456789abcdef", spelling, inputs);
    replay = replayed(trace, &line);
    ck_assert_str_eq(replay.first.field, "d_fnv");
    text_start(&line, "%s%s\td_fnv=%016llx", spelling, inputs,
               (unsigned long long)replay.first.got);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    text_start(&line, "%s%s\ttrap=1", spelling, inputs);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_DIFFERENT);
    text_start(&line, "%s%s\ttnspA=1\ttrap=1", spelling, inputs);
    ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
    wsim_trace_free(trace);
}
END_TEST

START_TEST(what_is_not_modelled_is_unsupported) {
    static const char *const list[] = {"tensormap.other\tdims=1\tresult=1",
                                       "wgmma.mma_async.sync.aligned.m64n8k17.f16.f16.f16\ttrap=1",
                                       "cp.async.bulk.prefetch.L2.global\ttrap=1",
                                       "mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32\ttrap=1",
                                       "some.thing.new\ttrap=1"};
    struct wsim_trace *trace = reader("sm_90a");
    struct wsim_replay replay;
    struct text line;
    unsigned i;
    wsim_trace_replay(trace, NULL, &replay);
    ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED); /* no case yet */
    for (i = 0; i < COUNT(list); i++) {
        text_start(&line, "%s", list[i]);
        replay = replayed(trace, &line);
        ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
        ck_assert_uint_eq(replay.differences, 0);
        ck_assert_msg(replay.why.text[0], "unsupported without a reason");
    }
    wsim_trace_free(trace);
}
END_TEST

/* 32 products of 1 and 1, and 7: by the code of the path that was asked for last. */
START_TEST(cases_are_replayed_on_the_path_that_is_asked_for) {
    static const uint32_t flags[] = {0, WSIM_PLAIN, WSIM_UP_TO(WSIM_PATH_VECTORS), 0, WSIM_PLAIN};
    struct wsim_trace *trace = reader("sm_90a");
    struct text line;
    text_start(&line, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32\ta=");
    text_same(&line, 0x01010101, 4 * LANES, 8);
    text_add(&line, "\tb=");
    text_same(&line, 0x01010101, 2 * LANES, 8);
    text_add(&line, "\tc=");
    text_same(&line, 7, 4 * LANES, 8);
    text_add(&line, "\td=");
    text_same(&line, 39, 4 * LANES, 8);
    for (unsigned i = 0; i < COUNT(flags); i++) {
        struct wsim_code code;
        wsim_trace_prepare(trace, flags[i]);
        ck_assert_int_eq(replayed(trace, &line).verdict, WSIM_EQUAL);
        wsim_prepare(wsim_trace_op(trace), wsim_arch_find("sm_90a"), flags[i], &code, NULL);
        ck_assert_int_eq(wsim_code_path(&trace->code), wsim_code_path(&code));
    }
    wsim_trace_free(trace);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {block_scale,
                                  a_scale_selector_out_of_range_traps,
                                  misaligned_and_outside_rows_trap,
                                  a_store_is_compared_byte_by_byte,
                                  registers_of_64_bits,
                                  a_warpgroup_is_compared_thread_by_thread,
                                  counts_and_masks,
                                  a_misaligned_access_traps,
                                  copies_are_counted_on_both_sides,
                                  what_is_not_modelled_is_unsupported,
                                  cases_are_replayed_on_the_path_that_is_asked_for};
    return run_tests("replay", tests, COUNT(tests));
}
