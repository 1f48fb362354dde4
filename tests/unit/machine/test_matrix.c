/* test_matrix.c - the cost of a matrix access is the sum over its matrices of the ways of their
 * eight rows. Rows fold inside a matrix, never across; .trans changes nothing; idle lanes do not
 * count. */
#include "banks.h"

static const char *const spellings[] = {
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x1.trans.b16",
    "ldmatrix.sync.aligned.m8n8.x2.trans.b16",
    "ldmatrix.sync.aligned.m8n8.x4.trans.b16",
    "stmatrix.sync.aligned.m8n8.x1.b16",
    "stmatrix.sync.aligned.m8n8.x2.b16",
    "stmatrix.sync.aligned.m8n8.x4.b16",
    "stmatrix.sync.aligned.m8n8.x1.trans.b16",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.trans.b16",
};

static int matrices(int i) {
    return 1 << i % 3;
}

/* Lanes that give no row hold what would cost, or be misaligned, if it were looked at. */
static void idle(uint32_t *addr, int from) {
    for (; from < WSIM_LANES; from++)
        addr[from] = 128 * (uint32_t)from + 3;
}

static int gcd(int a, int b) {
    return b ? gcd(b, a % b) : a;
}

START_TEST(rows_at_a_pitch) {
    static const int pitches[] = {16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 256, 272};
    uint32_t addr[WSIM_LANES];
    int p, i, n = matrices(_i);
    for (p = 0; p < COUNT(pitches); p++) {
        int ways = gcd(pitches[p] / 16, 8);
        for (i = 0; i < WSIM_LANES; i++)
            addr[i] = (uint32_t)(i * pitches[p]);
        idle(addr, 8 * n);
        banks_expect("pitch", spellings[_i], addr, ALL, (unsigned)(n * ways),
                     (unsigned)(n * ways - n));
    }
}
END_TEST

START_TEST(equal_rows_fold_inside_a_matrix) {
    uint32_t addr[WSIM_LANES];
    int i, n = matrices(_i);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = 512;
    idle(addr, 8 * n);
    banks_expect("all equal", spellings[_i], addr, ALL, (unsigned)n, 0);
    for (i = 0; i < 8 * n; i++)
        addr[i] = (uint32_t)(i / 2 * 128);
    banks_expect("pairs equal", spellings[_i], addr, ALL, (unsigned)(4 * n), (unsigned)(3 * n));
    for (i = 0; i < 8 * n; i++)
        addr[i] = (uint32_t)(i % 8 * 16);
    banks_expect("matrices equal", spellings[_i], addr, ALL, (unsigned)n, 0);
}
END_TEST

/* Two matrices, each two-way on its own half of the banks: pooled they would cost 2. */
START_TEST(matrices_never_share_a_pass) {
    uint32_t addr[WSIM_LANES];
    int i, n = matrices(_i);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i / 8 % 2 * 64 + i % 4 * 16 + i % 8 / 4 * 128);
    idle(addr, 8 * n);
    banks_expect("disjoint banks", spellings[_i], addr, ALL, (unsigned)(2 * n), (unsigned)n);
}
END_TEST

START_TEST(groups_are_the_matrices) {
    uint32_t addr[WSIM_LANES];
    struct wsim_banks got;
    int i, m, n = matrices(_i);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i % 8 < 2 ? 256 * i + 32 : 8192 + 16 * (i % 8));
    idle(addr, 8 * n);
    got = banks_count(spellings[_i], addr, ALL);
    ck_assert_int_eq(got.ngroups, n);
    ck_assert_int_eq(got.merged, 0);
    for (m = 0; m < n; m++) {
        ck_assert_uint_eq(got.group[m].lanes, UINT32_C(0xFF) << 8 * m);
        ck_assert_int_eq(got.group[m].bank, 8);
        ck_assert_int_eq(got.group[m].ways, 3); /* rows 0, 1 and 2, in three lines */
        ck_assert_int_eq(got.group[m].nwords, 3);
        ck_assert_uint_eq(got.group[m].words[0], 512u * (unsigned)m + 8);
    }
}
END_TEST

/* --- 32 bits and less --- */

START_TEST(strides_of_words) {
    static const struct {
        int stride, passes;
    } strides[] = {{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {16, 16}, {32, 32}, {33, 1}};
    uint32_t addr[WSIM_LANES];
    int s, i;
    for (s = 0; s < COUNT(strides); s++) {
        unsigned passes = (unsigned)strides[s].passes;
        for (i = 0; i < WSIM_LANES; i++)
            addr[i] = (uint32_t)(i * strides[s].stride * 4);
        banks_expect("stride", "ld.shared.u32", addr, ALL, passes, passes - 1);
        banks_expect("stride", "st.shared.u32", addr, ALL, passes, passes - 1);
    }
}
END_TEST

START_TEST(bytes_and_halves_of_a_word_are_one_access) {
    uint32_t addr[WSIM_LANES];
    int i;
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)i;
    banks_expect("bytes", "ld.shared.u8", addr, ALL, 1, 0);
    banks_expect("bytes", "st.shared.u8", addr, ALL, 1, 0);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i % 4 + i / 4 * 128);
    banks_expect("words of a bank", "ld.shared.s8", addr, ALL, 8, 7);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i * 4 + 2);
    banks_expect("upper halves", "st.shared.u16", addr, ALL, 1, 0);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i == 31 ? 128 : 0);
    banks_expect("31 and 1", "st.shared.b32", addr, ALL, 2, 1);
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i / 2 * 128);
    banks_expect("pairs", "ld.shared.b32", addr, ALL, 16, 15);
}
END_TEST

/* --- atomics --- */

START_TEST(lanes_of_an_atomic_never_fold) {
    static const char *const atomics[] = {"atom.shared.add.u32", "atom.shared.exch.b32",
                                          "red.shared.add.s32"};
    uint32_t addr[WSIM_LANES];
    struct wsim_banks got;
    int a, i;
    for (a = 0; a < COUNT(atomics); a++) {
        for (i = 0; i < WSIM_LANES; i++)
            addr[i] = (uint32_t)i * 4;
        banks_expect("apart", atomics[a], addr, ALL, 1, 0);
        for (i = 0; i < WSIM_LANES; i++)
            addr[i] = 64;
        banks_expect("one word", atomics[a], addr, ALL, 32, 31);
        banks_expect("one word, half the lanes", atomics[a], addr, 0xFFFF0000u, 16, 15);
        got = banks_count(atomics[a], addr, ALL);
        ck_assert_int_eq(got.group[0].nwords, 1);
        ck_assert_uint_eq(got.group[0].words[0], 16);
        for (i = 0; i < WSIM_LANES; i++)
            addr[i] = (uint32_t)(i / 4 * 4);
        banks_expect("fours", atomics[a], addr, ALL, 4, 3);
        for (i = 0; i < WSIM_LANES; i++)
            addr[i] = (uint32_t)i * 128;
        banks_expect("one bank", atomics[a], addr, ALL, 32, 31);
    }
}
END_TEST

START_TEST(no_active_lane_costs_nothing) {
    static const uint32_t misaligned[WSIM_LANES] = {1, 2, 3};
    struct wsim_banks got = banks_count("ld.shared.b64", misaligned, 0);
    ck_assert_uint_eq(got.wavefronts, 0);
    ck_assert_uint_eq(got.ideal, 0);
    ck_assert_uint_eq(got.conflicts, 0);
    ck_assert_int_eq(got.ngroups, 0);
}
END_TEST

START_TEST(inactive_lanes_may_hold_anything) {
    uint32_t addr[WSIM_LANES];
    int i;
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = (uint32_t)(i % 2 ? 128 * i + 1 : 16 * i);
    banks_expect("even lanes", "st.shared.b128", addr, 0x55555555, 4, 0);
    banks_expect("even lanes", "ld.shared.b64", addr, 0x55555555, 4, 3);
}
END_TEST

int main(void) {
    int n = COUNT(spellings);
    const struct every_test tests[] = {{rows_at_a_pitch, 0, n},
                                       {equal_rows_fold_inside_a_matrix, 0, n},
                                       {matrices_never_share_a_pass, 0, n},
                                       {groups_are_the_matrices, 0, n},
                                       {strides_of_words, 0, 1},
                                       {bytes_and_halves_of_a_word_are_one_access, 0, 1},
                                       {lanes_of_an_atomic_never_fold, 0, 1},
                                       {no_active_lane_costs_nothing, 0, 1},
                                       {inactive_lanes_may_hold_anything, 0, 1}};
    return every_run("unit/machine/matrix", tests, COUNT(tests));
}
