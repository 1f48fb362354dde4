/* test_patterns.c - passes of 64- and 128-bit loads and stores, predicted and then confirmed on
 * hardware. Each rival rule fails at least one of these patterns. */
#include "banks.h"

/* Lanes i and i ^ k share an element; elements are numbered in order of their first lane. */
static int share(int i, int k) {
    int leader = i < (i ^ k) ? i : i ^ k, lane, n = 0;
    for (lane = 0; lane < leader; lane++)
        n += lane < (lane ^ k);
    return n;
}

/* Which of two lanes of a quad: by its second bit in even quads, by its first in odd ones. */
static int mixed(int i) {
    return i / 4 % 2 ? i & 1 : i >> 1 & 1;
}

/* PATTERN(name, bytes, mask, store passes, conflicts, load passes, conflicts, address of lane i) */
#define PATTERNS                                                                                   \
    PATTERN(d01, 8, ALL, 2, 0, 2, 0, i * 8)                                                        \
    PATTERN(d02, 8, ALL, 2, 0, 1, 0, 0 * i)                                                        \
    PATTERN(d03, 8, ALL, 2, 0, 1, 0, i / 2 * 8)                                                    \
    PATTERN(d04, 8, ALL, 2, 0, 1, 0, share(i, 2) * 8)                                              \
    PATTERN(d05, 8, ALL, 2, 0, 2, 0, share(i, 3) * 8)                                              \
    PATTERN(d06, 8, ALL, 2, 0, 2, 0, share(i, 4) * 8)                                              \
    PATTERN(d07, 8, ALL, 2, 0, 2, 0, share(i, 8) * 8)                                              \
    PATTERN(d08, 8, ALL, 2, 0, 2, 0, share(i, 16) * 8)                                             \
    PATTERN(d09, 8, ALL, 2, 0, 1, 0, i / 4 * 8)                                                    \
    PATTERN(d10, 8, ALL, 2, 0, 2, 0, (i + 1) / 2 % 16 * 8)                                         \
    PATTERN(d11, 8, ALL, 2, 0, 2, 1, i / 2 * 16)                                                   \
    PATTERN(d12, 8, ALL, 16, 14, 16, 15, i / 2 * 128)                                              \
    PATTERN(d13, 8, ALL, 2, 0, 2, 0, i < 16 ? i / 2 * 8 : (8 + (i & 1) + 2 * ((i - 16) / 4)) * 8)  \
    PATTERN(d14, 8, ALL, 2, 0, 2, 0, i == 31 ? 128 : i / 2 * 8)                                    \
    PATTERN(d15, 8, 0x7FFFFFFF, 2, 0, 1, 0, i == 31 ? 128 : i / 2 * 8)                             \
    PATTERN(d16, 8, 0x55555555, 2, 0, 1, 0, i / 2 * 8)                                             \
    PATTERN(d17, 8, 0x33333333, 2, 0, 1, 0, (2 * (i / 4) + (i & 1)) * 8)                           \
    PATTERN(d18, 8, 0x99999999, 2, 0, 1, 0, (2 * (i / 4) + (i % 4 != 0)) * 8)                      \
    PATTERN(d19, 8, 0x0000FFFF, 1, 0, 1, 0, i * 8)                                                 \
    PATTERN(d20, 8, 0x00FFFF00, 2, 0, 2, 0, i * 8)                                                 \
    PATTERN(d21, 8, 0x00000020, 1, 0, 1, 0, i * 8)                                                 \
    PATTERN(d22, 8, 0x00010001, 2, 0, 1, 0, 0 * i)                                                 \
    PATTERN(d23, 8, 0x00010001, 2, 0, 2, 1, i / 16 * 128)                                          \
    PATTERN(d24, 8, ALL, 2, 0, 2, 0, (2 * (i / 4) + mixed(i)) * 8)                                 \
    PATTERN(d25, 8, ALL, 4, 2, 4, 2, i % 16 / 8 * 128 + i % 8 * 8 + i / 16 * 64)                   \
    PATTERN(q01, 16, ALL, 4, 0, 4, 0, i * 16)                                                      \
    PATTERN(q02, 16, ALL, 4, 0, 2, 0, 0 * i)                                                       \
    PATTERN(q03, 16, ALL, 4, 0, 2, 0, i / 2 * 16)                                                  \
    PATTERN(q04, 16, ALL, 4, 0, 2, 0, share(i, 2) * 16)                                            \
    PATTERN(q05, 16, ALL, 4, 0, 4, 0, share(i, 3) * 16)                                            \
    PATTERN(q06, 16, ALL, 4, 0, 4, 0, share(i, 4) * 16)                                            \
    PATTERN(q07, 16, ALL, 4, 0, 4, 0, share(i, 8) * 16)                                            \
    PATTERN(q08, 16, ALL, 4, 0, 4, 0, share(i, 16) * 16)                                           \
    PATTERN(q09, 16, ALL, 4, 0, 2, 0, i / 4 * 16)                                                  \
    PATTERN(q10, 16, ALL, 4, 0, 2, 0, i / 8 * 16)                                                  \
    PATTERN(q11, 16, ALL, 4, 0, 2, 0, i / 16 * 32)                                                 \
    PATTERN(q12, 16, ALL, 8, 4, 8, 4, i % 16 * 32)                                                 \
    PATTERN(q13, 16, ALL, 4, 0, 4, 0, i % 4 * 16)                                                  \
    PATTERN(q14, 16, ALL, 4, 0, 4, 0, (i + 1) / 2 % 16 * 16)                                       \
    PATTERN(q15, 16, ALL, 4, 0, 4, 2, i / 2 * 32)                                                  \
    PATTERN(q16, 16, ALL, 16, 12, 16, 14, i / 2 * 128)                                             \
    PATTERN(q17, 16, ALL, 4, 0, 2, 0, (2 * (i / 8) + i % 8 / 2 % 2) * 16)                          \
    PATTERN(q18, 16, ALL, 4, 0, 4, 0,                                                              \
            i < 16 ? (2 * (i / 8) + i % 8 / 2 % 2) * 16 : (2 * (i / 8) + i % 8 % 2) * 16)          \
    PATTERN(q19, 16, ALL, 8, 4, 4, 2, (4 * (i / 16) + i % 16 / 8 + 8 * (i % 8 / 4)) * 16)          \
    PATTERN(q20, 16, ALL, 4, 0, 4, 0, i == 31 ? 256 : i / 2 * 16)                                  \
    PATTERN(q21, 16, 0x7FFFFFFF, 4, 0, 2, 0, i == 31 ? 256 : i / 2 * 16)                           \
    PATTERN(q22, 16, 0x55555555, 4, 0, 2, 0, i / 2 * 16)                                           \
    PATTERN(q23, 16, 0x33333333, 4, 0, 2, 0, (2 * (i / 4) + (i & 1)) * 16)                         \
    PATTERN(q24, 16, 0x99999999, 4, 0, 2, 0, (2 * (i / 4) + (i % 4 != 0)) * 16)                    \
    PATTERN(q25, 16, 0x01010101, 4, 0, 2, 0, i / 8 * 16)                                           \
    PATTERN(q26, 16, 0x01010101, 4, 0, 4, 2, i / 8 * 128)                                          \
    PATTERN(q27, 16, 0x00018000, 2, 0, 2, 0, 0 * i)                                                \
    PATTERN(q28, 16, 0x00008001, 2, 0, 1, 0, 0 * i)                                                \
    PATTERN(q29, 16, 0x0F0F0F0F, 4, 0, 4, 0, i * 16)                                               \
    PATTERN(q30, 16, 0x00FF0000, 1, 0, 1, 0, i * 16)                                               \
    PATTERN(q31, 16, ALL, 6, 2, 6, 2,                                                              \
            i < 8    ? i % 4 * 16 + i / 4 * 128                                                    \
            : i < 16 ? 64 + i % 4 * 16 + i / 4 % 2 * 128                                           \
                     : (i - 16) * 16)                                                              \
    PATTERN(q32, 16, ALL, 16, 12, 16, 12, (i % 8 * 4 + i / 8) * 16)                                \
    PATTERN(q33, 16, ALL, 4, 0, 4, 0, (2 * (i / 4) + mixed(i)) * 16)                               \
    PATTERN(q34, 16, ALL, 32, 28, 32, 28, i * 128)                                                 \
    PATTERN(q35, 16, ALL, 4, 0, 4, 0, i % 8 * 16)                                                  \
    /* points that others have published, beyond those above */                                    \
    PATTERN(column_of_8, 8, ALL, 32, 30, 32, 30, i * 256)                                          \
    PATTERN(octs, 8, ALL, 2, 0, 1, 0, i / 8 * 8)                                                   \
    PATTERN(pairs_reversed, 8, ALL, 2, 0, 1, 0, (15 - i / 2) * 8)                                  \
    PATTERN(rotated_by_a_pair, 8, ALL, 2, 0, 1, 0, (i / 2 + 1) % 16 * 8)                           \
    PATTERN(modulo_16, 8, ALL, 2, 0, 2, 0, i % 16 * 8)                                             \
    PATTERN(two_apart_on_one_word, 8, ALL, 2, 0, 2, 1, i >= 30 ? 128 : i / 2 * 8)                  \
    PATTERN(three_hot_then_uniform, 8, ALL, 4, 2, 4, 2, i < 16 ? i % 3 * 128 : 1024)               \
    PATTERN(four_hot_then_uniform, 8, ALL, 5, 3, 5, 3, i < 16 ? i % 4 * 128 : 1024)                \
    PATTERN(three_hot_in_both, 8, ALL, 6, 4, 6, 4, i % 16 % 3 * 128)                               \
    PATTERN(hot_in_one_half, 8, ALL, 3, 1, 3, 1, i == 14 ? 128 : i == 15 ? 256 : 8)                \
    PATTERN(hot_in_two_halves, 8, ALL, 2, 0, 2, 0, i == 15 ? 128 : i == 16 ? 256 : 8)              \
    PATTERN(three_hot_in_a_quarter, 16, ALL, 6, 2, 6, 2, i < 8 ? i % 3 * 128 : 1024)               \
    PATTERN(hot_in_one_quarter, 16, ALL, 5, 1, 5, 1, i == 6 ? 128 : i == 7 ? 256 : 16)             \
    PATTERN(hot_in_two_quarters, 16, ALL, 4, 0, 4, 0, i == 7 ? 128 : i == 8 ? 256 : 16)            \
    PATTERN(stride_2_of_8, 8, ALL, 4, 2, 4, 2, i * 16)                                             \
    PATTERN(stride_4_of_8, 8, ALL, 8, 6, 8, 6, i * 32)                                             \
    PATTERN(stride_2_of_16, 16, ALL, 8, 4, 8, 4, i * 32)                                           \
    PATTERN(stride_4_of_16, 16, ALL, 16, 12, 16, 12, i * 64)

#define PATTERN(name, bytes, mask, sp, sc, lp, lc, address)                                        \
    static uint32_t name(int i) {                                                                  \
        return (uint32_t)(address);                                                                \
    }
PATTERNS
#undef PATTERN

static const struct {
    const char *name;
    int bytes;
    uint32_t mask;
    uint8_t store[2], load[2];
    uint32_t (*address)(int i);
} patterns[] = {
#define PATTERN(name, bytes, mask, sp, sc, lp, lc, address)                                        \
    {#name, bytes, mask, {sp, sc}, {lp, lc}, name},
    PATTERNS
#undef PATTERN
};

START_TEST(passes_of_loads_and_stores) {
    uint32_t addr[WSIM_LANES];
    int i, bytes = patterns[_i].bytes;
    for (i = 0; i < WSIM_LANES; i++)
        addr[i] = patterns[_i].address(i);
    banks_expect(patterns[_i].name, banks_store(bytes), addr, patterns[_i].mask,
                 patterns[_i].store[0], patterns[_i].store[1]);
    banks_expect(patterns[_i].name, banks_load(bytes), addr, patterns[_i].mask,
                 patterns[_i].load[0], patterns[_i].load[1]);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{passes_of_loads_and_stores, 0, COUNT(patterns)}};
    return every_run("unit/machine/patterns", tests, COUNT(tests));
}
