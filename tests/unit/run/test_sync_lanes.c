/* Collectives against plain C, on random masks of many groups of a
 * warp at once, in every order of arrival. */
#include "launched.h"

enum { THREADS = 112, WARPS = 4, ROUNDS = 40 }; /* the last warp has 16 lanes */

/* Each thread has five words of input, at 5 * thread: value, b, c, mask, and how long it dawdles.
 */
#define OPERANDS                                                                                   \
    "mul.wide.u32 %d4, %r1, 20;\nadd.u64 %d4, %d0, %d4;\n"                                         \
    "ld.global.u32 %r10, [%d4];\nld.global.u32 %r11, [%d4+4];\nld.global.u32 %r12, [%d4+8];\n"     \
    "ld.global.u32 %r13, [%d4+12];\nld.global.u32 %r14, [%d4+16];\n"                               \
    "DAWDLE:\nsetp.eq.u32 %p0, %r14, 0;\n@%p0 bra MEET;\nsub.u32 %r14, %r14, 1;\nbra DAWDLE;\n"    \
    "MEET:\n"

struct lane {
    uint32_t value, b, c, mask;
};

/* The result of a lane: `lanes` are the warp's lanes, `mask` the active ones. */
struct result {
    uint32_t d, p;
};
typedef struct result oracle(const struct lane lanes[32], unsigned lane, uint32_t mask);

static struct result shuffle(const struct lane lanes[32], unsigned lane, uint32_t mask, int mode) {
    int b = (int)(lanes[lane].b & 31), clamp = (int)(lanes[lane].c & 31);
    int segment = (int)(lanes[lane].c >> 8 & 31), self = (int)lane;
    int most = (self & segment) | (clamp & ~segment & 31), least = self & segment;
    int from = mode == 0   ? self - b
               : mode == 1 ? self + b
               : mode == 2 ? self ^ b
                           : least | (b & ~segment & 31);
    int inside = mode == 0 ? from >= most : from <= most;
    if (!inside)
        from = self;
    return (struct result){mask >> from & 1 ? lanes[from].value : 0, (uint32_t)inside};
}
static struct result up(const struct lane *lanes, unsigned lane, uint32_t mask) {
    return shuffle(lanes, lane, mask, 0);
}
static struct result down(const struct lane *lanes, unsigned lane, uint32_t mask) {
    return shuffle(lanes, lane, mask, 1);
}
static struct result bfly(const struct lane *lanes, unsigned lane, uint32_t mask) {
    return shuffle(lanes, lane, mask, 2);
}
static struct result idx(const struct lane *lanes, unsigned lane, uint32_t mask) {
    return shuffle(lanes, lane, mask, 3);
}

/* Votes are on bit 0 of the value. */
static uint32_t ballot_of(const struct lane *lanes, uint32_t mask) {
    uint32_t ballot = 0;
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && lanes[i].value & 1)
            ballot |= 1u << i;
    return ballot;
}
static struct result all(const struct lane *lanes, unsigned lane, uint32_t mask) {
    (void)lane;
    return (struct result){ballot_of(lanes, mask) == mask, 0};
}
static struct result any(const struct lane *lanes, unsigned lane, uint32_t mask) {
    (void)lane;
    return (struct result){ballot_of(lanes, mask) != 0, 0};
}
static struct result uni(const struct lane *lanes, unsigned lane, uint32_t mask) {
    uint32_t ballot = ballot_of(lanes, mask);
    (void)lane;
    return (struct result){ballot == mask || ballot == 0, 0};
}
static struct result ballot(const struct lane *lanes, unsigned lane, uint32_t mask) {
    (void)lane;
    return (struct result){ballot_of(lanes, mask), 0};
}

/* Matches are of the value modulo 4. */
static struct result match_any(const struct lane *lanes, unsigned lane, uint32_t mask) {
    struct result result = {0, 0};
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1 && lanes[i].value % 4 == lanes[lane].value % 4)
            result.d |= 1u << i;
    return result;
}
static struct result match_all(const struct lane *lanes, unsigned lane, uint32_t mask) {
    int same = match_any(lanes, lane, mask).d == mask;
    return (struct result){same ? mask : 0, (uint32_t)same};
}

#define REDUCE(name, type, first, expression)                                                      \
    static struct result name(const struct lane *lanes, unsigned lane, uint32_t mask) {            \
        type sum = first;                                                                          \
        (void)lane;                                                                                \
        for (unsigned i = 0; i < 32; i++)                                                          \
            if (mask >> i & 1) {                                                                   \
                type x = (type)lanes[i].value;                                                     \
                sum = expression;                                                                  \
            }                                                                                      \
        return (struct result){(uint32_t)sum, 0};                                                  \
    }
REDUCE(add, uint32_t, 0, sum + x)
REDUCE(min_u, uint32_t, UINT32_MAX, x < sum ? x : sum)
REDUCE(max_u, uint32_t, 0, x > sum ? x : sum)
REDUCE(min_s, int32_t, INT32_MAX, x < sum ? x : sum)
REDUCE(max_s, int32_t, INT32_MIN, x > sum ? x : sum)
REDUCE(and_b, uint32_t, UINT32_MAX, sum &x)
REDUCE(or_b, uint32_t, 0, sum | x)
REDUCE(xor_b, uint32_t, 0, sum ^ x)

static struct result elect(const struct lane *lanes, unsigned lane, uint32_t mask) {
    unsigned leader = 0;
    (void)lanes;
    while (!(mask >> leader & 1))
        leader++;
    return (struct result){leader, lane == leader};
}

/* The result is d in the low half; a second result is p in %p9. */
#define PAIR "selp.u32 %r16, 0x80000000, 0, %p9;\n"
#define D_AND_P PAIR "xor.b32 %r3, %r15, %r16;\n"
#define ONLY_P "selp.u32 %r3, 1, 0, %p9;\n"
#define ONLY_D "mov.b32 %r3, %r15;\n"
#define BIT "and.b32 %r17, %r10, 1;\nsetp.ne.u32 %p8, %r17, 0;\n"
#define LOW "and.b32 %r17, %r10, 3;\n"

static const struct {
    const char *instruction, *name;
    oracle *expected;
} collectives[] = {
    {KERNEL(OPERANDS "shfl.sync.up.b32 %r15|%p9, %r10, %r11, %r12, %r13;\n" D_AND_P), "up", up},
    {KERNEL(OPERANDS "shfl.sync.down.b32 %r15|%p9, %r10, %r11, %r12, %r13;\n" D_AND_P), "down",
     down},
    {KERNEL(OPERANDS "shfl.sync.bfly.b32 %r15|%p9, %r10, %r11, %r12, %r13;\n" D_AND_P), "bfly",
     bfly},
    {KERNEL(OPERANDS "shfl.sync.idx.b32 %r15|%p9, %r10, %r11, %r12, %r13;\n" D_AND_P), "idx", idx},
    {KERNEL(OPERANDS BIT "vote.sync.all.pred %p9, %p8, %r13;\n" ONLY_P), "all", all},
    {KERNEL(OPERANDS BIT "vote.sync.any.pred %p9, %p8, %r13;\n" ONLY_P), "any", any},
    {KERNEL(OPERANDS BIT "vote.sync.uni.pred %p9, %p8, %r13;\n" ONLY_P), "uni", uni},
    {KERNEL(OPERANDS BIT "vote.sync.ballot.b32 %r15, %p8, %r13;\n" ONLY_D), "ballot", ballot},
    {KERNEL(OPERANDS LOW "match.any.sync.b32 %r15, %r17, %r13;\n" ONLY_D), "match.any", match_any},
    {KERNEL(OPERANDS LOW "mov.b64 %d5, {%r5, %r17};\nmatch.any.sync.b64 %r15, %d5, %r13;\n" ONLY_D),
     "match.any.b64", match_any},
    {KERNEL(OPERANDS LOW "match.all.sync.b32 %r15|%p9, %r17, %r13;\n" D_AND_P), "match.all",
     match_all},
    {KERNEL(OPERANDS LOW
            "mov.b64 %d5, {%r17, %r5};\nmatch.all.sync.b64 %r15|%p9, %d5, %r13;\n" D_AND_P),
     "match.all.b64", match_all},
    {KERNEL(OPERANDS "redux.sync.add.u32 %r15, %r10, %r13;\n" ONLY_D), "add", add},
    {KERNEL(OPERANDS "redux.sync.add.s32 %r15, %r10, %r13;\n" ONLY_D), "add.s32", add},
    {KERNEL(OPERANDS "redux.sync.min.u32 %r15, %r10, %r13;\n" ONLY_D), "min.u32", min_u},
    {KERNEL(OPERANDS "redux.sync.max.u32 %r15, %r10, %r13;\n" ONLY_D), "max.u32", max_u},
    {KERNEL(OPERANDS "redux.sync.min.s32 %r15, %r10, %r13;\n" ONLY_D), "min.s32", min_s},
    {KERNEL(OPERANDS "redux.sync.max.s32 %r15, %r10, %r13;\n" ONLY_D), "max.s32", max_s},
    {KERNEL(OPERANDS "redux.sync.and.b32 %r15, %r10, %r13;\n" ONLY_D), "and", and_b},
    {KERNEL(OPERANDS "redux.sync.or.b32 %r15, %r10, %r13;\n" ONLY_D), "or", or_b},
    {KERNEL(OPERANDS "redux.sync.xor.b32 %r15, %r10, %r13;\n" ONLY_D), "xor", xor_b},
    {KERNEL(OPERANDS "elect.sync %r15|%p9, %r13;\n" D_AND_P), "elect", elect},
};
enum { COLLECTIVES = sizeof collectives / sizeof collectives[0] };

/* Splits lanes into groups that give their own mask: one group, or up to eight. */
static void partition(struct lane lanes[32], uint32_t alive, uint64_t *random) {
    uint32_t member[8] = {0}, which[32], kinds = 1u << draw(random) % 4;
    for (unsigned i = 0; i < 32; i++) {
        which[i] = draw(random) % kinds;
        if (alive >> i & 1)
            member[which[i]] |= 1u << i;
    }
    /* Lanes that do not exist may be named: they are not waited for. */
    for (unsigned i = 0; i < 32; i++)
        lanes[i].mask = member[which[i]] | (draw(random) % 2 ? ~alive : 0);
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < i; j++)
            if (which[i] == which[j])
                lanes[i].mask = lanes[j].mask;
}

static uint32_t alive_in(unsigned warp) {
    return warp + 1 < WARPS ? UINT32_MAX : 0xFFFFu;
}

START_TEST(collective) {
    static struct launched launched;
    uint64_t random = 77 + (uint64_t)_i;
    for (int round = 0; round < ROUNDS; round++) {
        struct lane lanes[WARPS][32];
        launched = (struct launched){.grid = 1, .block = THREADS, .seed = (uint64_t)round};
        for (unsigned w = 0; w < WARPS; w++) {
            uint32_t hold = draw(&random);
            for (unsigned i = 0; i < 32; i++) {
                lanes[w][i] = (struct lane){draw(&random), draw(&random), draw(&random), 0};
                if (round % 4 == 0) /* values that agree */
                    lanes[w][i].value = hold ^ (draw(&random) % 16 ? 0 : 1);
            }
            partition(lanes[w], alive_in(w), &random);
            for (unsigned i = 0; i < 32 && w * 32 + i < THREADS; i++) {
                uint32_t *words = &launched.in[5 * (w * 32 + i)];
                memcpy(words, &lanes[w][i], sizeof lanes[w][i]);
                words[4] = round % 3 ? draw(&random) % 8 : 0;
            }
        }
        launch_good(&launched, collectives[_i].instruction);
        for (unsigned t = 0; t < THREADS; t++) {
            const struct lane *warp = lanes[t / 32];
            uint32_t mask = warp[t % 32].mask & alive_in(t / 32);
            struct result result = collectives[_i].expected(warp, t % 32, mask);
            uint32_t expected = result.d ^ (result.p ? 0x80000000u : 0);
            ck_assert_msg(launched.out[t] == expected,
                          "%s, round %d, thread %u of mask %08x: %08x, not %08x",
                          collectives[_i].name, round, t, mask, launched.out[t], expected);
        }
    }
}
END_TEST

/* The two halves of a warp come from two places, and two instructions with one spelling meet. */
START_TEST(lanes_meet_from_different_places) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32};
    for (unsigned i = 0; i < 32; i++)
        launched.in[i] = 100 + i;
    launch_good(&launched,
                KERNEL("setp.lt.u32 %p0, %r0, 16;\n@%p0 bra LOW;\n"
                       "shfl.sync.bfly.b32 %r3, %r2, 31, 31, -1;\nadd.u32 %r3, %r3, 1000;\n"
                       "bra DONE;\nLOW:\n"
                       "shfl.sync.bfly.b32 %r3, %r2, 31, 31, -1;\nDONE:\n"));
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], 131 - i + (i < 16 ? 0 : 1000));
}
END_TEST

/* Other qualifiers are another instruction: these two never meet. */
START_TEST(other_instructions_do_not_meet) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32};
    launch_refused(&launched,
                   KERNEL("setp.lt.u32 %p0, %r0, 16;\n@%p0 bra LOW;\n"
                          "shfl.sync.bfly.b32 %r3, %r2, 31, 31, -1;\nbra DONE;\nLOW:\n"
                          "shfl.sync.idx.b32 %r3, %r2, 31, 31, -1;\nDONE:\n"),
                   "sync.deadlock", "waits for lanes 0x0000ffff of mask 0xffffffff");
}
END_TEST

START_TEST(a_missing_lane_is_named) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 64};
    launch_refused(&launched,
                   KERNEL("setp.eq.u32 %p0, %r0, 5;\n@%p0 bra OTHER;\n"
                          "bar.warp.sync -1;\nbra DONE;\nOTHER:\nbar.sync 0;\nDONE:\n"),
                   "sync.deadlock", "waits for lanes 0x00000020 of mask 0xffffffff");
}
END_TEST

START_TEST(who_has_exited_is_not_waited_for) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 64};
    for (unsigned i = 0; i < 64; i++)
        launched.in[i] = i;
    launch_good(&launched, KERNEL("setp.eq.u32 %p0, %r0, 5;\n@%p0 exit;\n"
                                  "redux.sync.add.u32 %r3, %r2, -1;\n"));
    for (unsigned i = 0; i < 64; i++)
        ck_assert_uint_eq(launched.out[i], i < 32 ? (i == 5 ? 0 : 496 - 5) : 496 + 1024);
}
END_TEST

/* One lane of each eight exits while the others wait for it, under four masks. */
START_TEST(lanes_that_exit_late_let_others_go) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32};
    launch_good(&launched, KERNEL("and.b32 %r11, %r0, 7;\nsetp.ne.u32 %p0, %r11, 5;\n"
                                  "@%p0 bra MEET;\nmov.u32 %r10, 50;\n"
                                  "LOOP: sub.u32 %r10, %r10, 1;\nsetp.ne.u32 %p1, %r10, 0;\n"
                                  "@%p1 bra LOOP;\nexit;\n"
                                  "MEET: and.b32 %r12, %r0, 24;\nmov.u32 %r13, 0xff;\n"
                                  "shl.b32 %r13, %r13, %r12;\n"
                                  "vote.sync.ballot.b32 %r3, 1, %r13;\n"
                                  "vote.sync.ballot.b32 %r14, 1, 0xffffffff;\n"
                                  "xor.b32 %r3, %r3, %r14;\n"));
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], i % 8 == 5 ? 0 : 0xDFDFDFDFu ^ 0xDFu << (i & 24));
}
END_TEST

/* A lane outside of its mask is a finding, and takes part as on an H200. */
static void foreign(struct launched *launched, const char *ptx) {
    *launched = (struct launched){.grid = 1, .block = 32, .checks = WSIM_CHECK_ALL};
    for (unsigned i = 0; i < 32; i++)
        launched->in[i] = i;
    launch(launched, ptx);
    ck_assert_int_eq(launched->status, WSIM_OK);
    ck_assert_uint_eq(launched->findings, 1);
    ck_assert_str_eq(launched->rule, "sync.mask.foreign");
}

START_TEST(a_lane_is_in_its_mask) {
    static struct launched launched;
    foreign(&launched, KERNEL("bar.warp.sync 0x0000ffff;\nmov.u32 %r3, 7;\n"));
    ck_assert_msg(strstr(launched.text, "lane 16 executes this with the member mask 0x0000ffff") !=
                      NULL,
                  "%s", launched.text);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], 7);
    foreign(&launched, KERNEL("shfl.sync.down.b32 %r3, %r2, 4, 31, 0xff;\n"));
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], i < 28 ? i + 4 : i);
    foreign(&launched, KERNEL("redux.sync.add.u32 %r3, %r2, 0xff;\n"));
    ck_assert_uint_eq(launched.out[0], 31 * 16);
    ck_assert_uint_eq(launched.out[31], 31 * 16);
    foreign(&launched, KERNEL("setp.gt.u32 %p1, %r2, 3;\n"
                              "vote.sync.ballot.b32 %r3, %p1, 0x3;\n"));
    ck_assert_uint_eq(launched.out[0], 0xFFFFFFF0u);
    /* Without the check it says nothing and does the same. */
    launched.checks = 0;
    launch_good(&launched, KERNEL("redux.sync.add.u32 %r3, %r2, 0xff;\n"));
    ck_assert_uint_eq(launched.out[31], 31 * 16);
}
END_TEST

/* Lanes that are in no mask go on alone; those of the mask wait for each other. */
START_TEST(lanes_outside_of_the_mask_wait_for_nobody) {
    static struct launched launched;
    foreign(&launched, KERNEL("setp.lt.u32 %p1, %r2, 16;\n@%p1 bra LOW;\n"
                              "redux.sync.add.u32 %r3, %r2, 0xff;\nbra END;\n"
                              "LOW:\nredux.sync.add.u32 %r3, %r2, 0xffff;\nEND:\n"
                              "bar.warp.sync 0xffffffff;\n"));
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], i < 16 ? 120 : 376);
}
END_TEST

/* redux of floats: NaN loses, or wins with .NaN, and is the canonical one; -0 is less than 0. */
static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t reduce_floats(const uint32_t *x, int greatest, int abs, int nan) {
    uint32_t keep = abs ? 0x7FFFFFFF : 0xFFFFFFFF, best = 0x7FFFFFFF;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t bits = x[i] & keep;
        int is_nan = (bits & 0x7FFFFFFF) > 0x7F800000, none = best == 0x7FFFFFFF;
        int less = float_of(bits) < float_of(best) ||
                   (float_of(bits) == float_of(best) && bits >> 31 > best >> 31);
        if (is_nan && nan)
            return 0x7FFFFFFF;
        if (!is_nan && (none || (greatest ? !less : less)))
            best = bits;
    }
    return best;
}

START_TEST(floats) {
    static const char *const words[] = {"min",     "max",     "min.abs",     "max.abs",
                                        "min.NaN", "max.NaN", "min.abs.NaN", "max.abs.NaN"};
    static const uint32_t special[] = {0,          0x80000000, 0x7F800000, 0xFF800000,
                                       0x7FC00001, 0xFF812345, 1,          0x80000001};
    static struct launched launched;
    char text[4096];
    uint64_t random = 41;
    for (int round = 0; round < 40; round++) {
        uint32_t expected = 0;
        launched = (struct launched){.grid = 1, .block = 32, .arch = "sm_100a"};
        for (unsigned i = 0; i < 32; i++) {
            uint32_t which = draw(&random) % 32;
            launched.in[i] = round % 5 == 4 ? 0x7FC00000 + i /* nothing but NaN */
                             : which < 8 && (round % 2 || which < 4) ? special[which]
                                                                     : draw(&random);
            if (round % 2 == 0 && round % 5 != 4 && (launched.in[i] & 0x7F800000) == 0x7F800000)
                launched.in[i] ^= 0x40000000; /* no NaN */
        }
        snprintf(text, sizeof text, "%sredux.sync.%s.f32 %%f0, %%f1, -1;\nmov.b32 %%r3, %%f0;\n%s",
                 HEAD_OF("sm_100a") "mov.b32 %f1, %r2;\n", words[_i], TAIL);
        launch_good(&launched, text);
        expected = reduce_floats(launched.in, _i & 1, _i >> 1 & 1, _i >> 2);
        for (unsigned i = 0; i < 32; i++)
            ck_assert_msg(launched.out[i] == expected, "%s, round %d: %08x, not %08x", words[_i],
                          round, launched.out[i], expected);
    }
}
END_TEST

/* Constant operands and masks, and all lanes together, are looked up: every mode, distance, segment
 * and clamp, and votes. */
START_TEST(whole_warps) {
    static struct launched launched;
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static oracle *const expected[] = {up, down, bfly, idx};
    uint64_t random = 3 + (uint64_t)_i;
    struct lane lanes[32] = {{0, 0, 0, 0}};
    char body[1024], text[4096];
    uint32_t by = draw(&random) % 64, clamp = draw(&random) & 0x1f1f, ones = 0;
    int mode = _i % 4, d = _i % 3 ? 10 : 2; /* the result in a place of its own, or in the source */
    if (_i % 8 < 4)
        clamp = mode ? 31 : 0;
    launched = (struct launched){.grid = 1, .block = 32};
    for (unsigned i = 0; i < 32; i++) {
        lanes[i] = (struct lane){draw(&random), by, clamp, 0};
        launched.in[i] = lanes[i].value;
        ones |= (lanes[i].value & 1) << i;
    }
    snprintf(body, sizeof body,
             "mov.b32 %%r19, %%r2;\nshfl.sync.%s.b32 %%r%d|%%p9, %%r2, %u, %u, -1;\nselp.u32 "
             "%%r16, 0x80000000, 0, %%p9;\n"
             "xor.b32 %%r3, %%r%d, %%r16;\nand.b32 %%r17, %%r19, 1;\nsetp.ne.u32 %%p8, %%r17, 0;\n"
             "vote.sync.ballot.b32 %%r18, !%%p8, 0xffffffff;\nxor.b32 %%r3, %%r3, %%r18;\n",
             modes[mode], d, by, clamp, d);
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    launch_good(&launched, text);
    for (unsigned i = 0; i < 32; i++) {
        struct result result = expected[mode](lanes, i, UINT32_MAX);
        ck_assert_uint_eq(launched.out[i], result.d ^ (result.p ? 0x80000000u : 0) ^ ~ones);
    }
}
END_TEST

/* A guard leaves lanes out, which go on. */
START_TEST(guards_choose_lanes) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32};
    for (unsigned i = 0; i < 32; i++)
        launched.in[i] = 1 + i;
    launch_good(&launched, KERNEL("setp.lt.u32 %p0, %r0, 8;\n"
                                  "@%p0 redux.sync.add.u32 %r3, %r2, 0xff;\n"
                                  "@!%p0 redux.sync.add.u32 %r3, %r2, 0xffffff00;\n"));
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], i < 8 ? 36 : 528 - 36);
}
END_TEST

START_TEST(activemask_is_who_is_there) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32};
    launch_good(&launched, KERNEL("setp.lt.u32 %p0, %r0, 8;\n@%p0 activemask.b32 %r3;\n"));
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], i < 8 ? 0xFF : 0);
}
END_TEST

/* In a function that lanes call from two places they meet as well. */
START_TEST(lanes_meet_in_a_function) {
    static struct launched launched;
    launched = (struct launched){.grid = 1, .block = 32};
    launch_good(&launched,
                ".version 8.7\n.target sm_90a\n.address_size 64\n"
                ".func (.reg .b32 %out) count (.reg .b32 %in)\n{\n"
                "redux.sync.add.u32 %out, %in, -1;\nret;\n}\n"
                ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                ".reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %p<2>;\n"
                "ld.param.u64 %d0, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\n"
                "add.u64 %d1, %d0, %d1;\nsetp.lt.u32 %p0, %r0, 4;\n@%p0 bra FEW;\n"
                "mov.u32 %r1, 1;\ncall (%r2), count, (%r1);\nbra DONE;\n"
                "FEW: mov.u32 %r1, 100;\ncall (%r2), count, (%r1);\n"
                "DONE: st.global.u32 [%d1], %r2;\nret;\n}\n");
    for (unsigned i = 0; i < 32; i++)
        ck_assert_uint_eq(launched.out[i], 428);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {collective, 0, COLLECTIVES},
        {floats, 0, 8},
        {whole_warps, 0, 600},
        {lanes_meet_from_different_places, 0, 1},
        {other_instructions_do_not_meet, 0, 1},
        {a_missing_lane_is_named, 0, 1},
        {who_has_exited_is_not_waited_for, 0, 1},
        {lanes_that_exit_late_let_others_go, 0, 1},
        {a_lane_is_in_its_mask, 0, 1},
        {lanes_outside_of_the_mask_wait_for_nobody, 0, 1},
        {guards_choose_lanes, 0, 1},
        {activemask_is_who_is_there, 0, 1},
        {lanes_meet_in_a_function, 0, 1},
    };
    return every_run("sync_lanes", tests, (int)(sizeof tests / sizeof tests[0]));
}
