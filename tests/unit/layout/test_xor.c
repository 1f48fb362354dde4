/* test_xor.c - apply, invert and broadcast of a handmade layout follow its bits. Get and set work
 * for elements of every width, in any register. */
#include "../../every.h"

#include "../../../sim/layout/layout.h"

#define R(n) (UINT32_C(n))
#define C(n) (UINT32_C(n) << 12)
#define Q(n) (UINT32_C(n) << 24)

/* 8 x 8, swizzled: the column is XORed with the row. Lanes 16 and up hold a second matrix. */
static const struct wsim_layout swizzled = {
    .name = "swizzled",
    .lanes = 32,
    .elems = 4,
    .elem_bits = 8,
    .regs = 1,
    .batches = 2,
    .rows = 8,
    .cols = 8,
    .lane = {R(1) | C(1), R(2) | C(2), R(4) | C(4), C(1), Q(1)},
    .elem = {C(2), C(4)}};

/* One row of four, the same in every eight lanes. */
static const struct wsim_layout broadcast = {.name = "broadcast",
                                             .lanes = 32,
                                             .elems = 2,
                                             .elem_bits = 16,
                                             .regs = 1,
                                             .batches = 1,
                                             .rows = 1,
                                             .cols = 16,
                                             .lane = {C(2), C(4), C(8), 0, 0},
                                             .elem = {C(1)}};

START_TEST(bits_combine_by_xor) {
    struct wsim_coord at = wsim_layout_coord(&swizzled, 1 | 2 | 8 | 16, 3);
    ck_assert_int_eq(at.row, 3);
    ck_assert_int_eq(at.col, 1 ^ 2 ^ 1 ^ 2 ^ 4);
    ck_assert_int_eq(at.batch, 1);
    ck_assert_uint_eq(layout_packed(&swizzled, 4, 1), R(4) | C(6));
    at = wsim_layout_coord(&swizzled, 32 + 1, 4 + 1); /* higher bits are ignored */
    ck_assert_int_eq(at.row, 1);
    ck_assert_int_eq(at.col, 3);
}
END_TEST

START_TEST(an_element_in_several_places_has_them_all) {
    struct wsim_place found[8];
    struct wsim_coord at = {0, 0, 7};
    int i;
    ck_assert_uint_eq(wsim_layout_places(&broadcast, at, found, 8), 4);
    for (i = 0; i < 4; i++) {
        ck_assert_int_eq(found[i].lane, 3 + 8 * i);
        ck_assert_int_eq(found[i].elem, 1);
        ck_assert_int_eq(found[i].lsb, 16);
    }
    found[2].lane = 99; /* no more than asked for are written, but all are counted */
    ck_assert_uint_eq(wsim_layout_places(&broadcast, at, found, 2), 4);
    ck_assert_int_eq(found[2].lane, 99);
    ck_assert_uint_eq(wsim_layout_places(&broadcast, at, NULL, 0), 4);
}
END_TEST

START_TEST(of_several_places_the_first_is_read) {
    uint64_t row[16], back[16];
    struct wsim_regs regs;
    int i;
    for (i = 0; i < 16; i++)
        row[i] = (uint64_t)(0x100 + i);
    wsim_fragment_pack(&broadcast, row, &regs);
    ck_assert_uint_eq(regs.r[0][2], 0x01050104);
    ck_assert_uint_eq(regs.r[0][2 + 24], 0x01050104);
    regs.r[0][2 + 8] = 0;
    wsim_fragment_unpack(&broadcast, &regs, back);
    ck_assert_mem_eq(row, back, sizeof row);
    regs.r[0][2] = 0xFFFF0000;
    wsim_fragment_unpack(&broadcast, &regs, back);
    ck_assert_uint_eq(back[4], 0);
    ck_assert_uint_eq(back[5], 0xFFFF);
}
END_TEST

/* A coordinate inside the matrix that no lane holds: every odd column. */
START_TEST(a_hole_has_no_place) {
    struct wsim_layout holes = broadcast;
    struct wsim_coord odd = {0, 0, 3}, even = {0, 0, 2};
    struct wsim_place place;
    holes.elem[0] = 0;
    ck_assert_uint_eq(wsim_layout_places(&holes, odd, &place, 1), 0);
    ck_assert_uint_eq(wsim_layout_places(&holes, even, &place, 1), 8);
}
END_TEST

static const uint8_t widths[] = {1, 4, 8, 16, 32, 64};

START_TEST(an_element_is_set_alone) {
    struct wsim_layout layout = {.lanes = 32, .elems = 8, .elem_bits = widths[_i]};
    struct wsim_regs regs, before;
    uint64_t seed = widths[_i], mask = UINT64_MAX >> (64 - widths[_i]);
    unsigned lane, elem, other;
    for (lane = 0; lane < WSIM_LANES; lane += 7)
        for (elem = 0; elem < 8; elem++) {
            struct wsim_place place = wsim_layout_place(&layout, lane, elem);
            uint64_t bits = every_random(&seed);
            ck_assert_int_eq(place.reg, (int)elem * widths[_i] / 32);
            ck_assert_int_eq(place.lsb, (int)elem * widths[_i] % 32);
            every_fill(&regs, sizeof regs, &seed);
            before = regs;
            wsim_regs_set(&layout, &regs, place, bits);
            expect(wsim_regs_get(&layout, &regs, place) == (bits & mask), "width %d", widths[_i]);
            for (other = 0; other < 8; other++) {
                struct wsim_place at = wsim_layout_place(&layout, lane, other);
                expect(other == elem ||
                           wsim_regs_get(&layout, &regs, at) == wsim_regs_get(&layout, &before, at),
                       "width %d", widths[_i]);
            }
            wsim_regs_set(&layout, &regs, place, wsim_regs_get(&layout, &before, place));
            expect(memcmp(&regs, &before, sizeof regs) == 0, "width %d", widths[_i]);
        }
}
END_TEST

START_TEST(wide_elements_have_their_low_word_first) {
    struct wsim_layout layout = {.lanes = 32, .elems = 2, .elem_bits = 64};
    struct wsim_regs regs = {{{0}}};
    wsim_regs_set(&layout, &regs, wsim_layout_place(&layout, 3, 1), UINT64_C(0x1122334455667788));
    ck_assert_uint_eq(regs.r[2][3], 0x55667788);
    ck_assert_uint_eq(regs.r[3][3], 0x11223344);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{bits_combine_by_xor, 0, 1},
                                       {an_element_in_several_places_has_them_all, 0, 1},
                                       {of_several_places_the_first_is_read, 0, 1},
                                       {a_hole_has_no_place, 0, 1},
                                       {an_element_is_set_alone, 0, COUNT(widths)},
                                       {wide_elements_have_their_low_word_first, 0, 1}};
    return every_run("unit/layout/xor", tests, COUNT(tests));
}
