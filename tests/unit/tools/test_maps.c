/* The parameter sets of wsim-maps: about half of them make a map, each rule refuses some, and the
 * recording's first set is still what its seed and number say. */
#include "../../../tools/maps/draw.c"

#include "../../run.h"

#include <string.h>

enum { SETS = 20000 };

static const char *const words[] = {"base is",
                                    "dims[0] is",
                                    "dims[4] is",
                                    "strides[0] is",
                                    "strides[3] is",
                                    "estrides[0]",
                                    "estrides[4]",
                                    "rank is",
                                    "it can be 3 to",
                                    "interleave 16B needs at",
                                    "l2 is",
                                    "oob is",
                                    "multiple of 32",
                                    "pieces of 16",
                                    "swizzle 32B has rows",
                                    "dtype 16U4",
                                    "128B_ATOM_64B",
                                    "SM",
                                    "has rows of",
                                    "box[0] is 0",
                                    "box[4] is",
                                    "lower[0] is",
                                    "lower[2] is",
                                    "upper[2] is",
                                    "in 32 bits",
                                    "no pixel",
                                    "channels is",
                                    "pixels is",
                                    "channels * pixels"};
enum { WORDS = sizeof words / sizeof words[0] };

START_TEST(sets_are_spread_over_the_rules) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    unsigned hits[WORDS] = {0}, accepted[MAPS_MODES] = {0}, i, w;
    struct wsim_tensor t;
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    for (i = 0; i < SETS * MAPS_MODES; i++) {
        maps_draw(5, i / 2, (enum wsim_tensor_mode)(i & 1), &t);
        if (wsim_tensor_check(&t, arch, &diag) == WSIM_OK)
            accepted[i & 1]++;
        for (w = 0; w < WORDS && diag.status; w++)
            hits[w] += strstr(diag.text, words[w]) != NULL;
        diag.status = WSIM_OK;
    }
    for (w = 0; w < WORDS; w++)
        ck_assert_msg(hits[w] >= 5, "'%s': %u refusals", words[w], hits[w]);
    for (i = 0; i < MAPS_MODES; i++)
        ck_assert_msg(accepted[i] > SETS * 2 / 5 && accepted[i] < SETS * 3 / 5, "%u accepted",
                      accepted[i]);
}
END_TEST

START_TEST(numbers_name_the_same_sets_for_ever) {
    struct wsim_tensor t;
    maps_draw(20261121, 0, WSIM_TENSOR_TILED, &t); /* traces/sm_90a/tensormap.trace */
    ck_assert_int_eq(t.dtype, WSIM_TENSOR_TFLOAT32_FTZ);
    ck_assert_uint_eq(t.rank, 3);
    ck_assert_uint_eq(t.base, 2720);
    ck_assert_uint_eq(t.dims[2], 157);
    ck_assert_uint_eq(t.strides[1], 1152);
    ck_assert_uint_eq(t.box[1], 256);
    ck_assert_uint_eq(t.estrides[0], 4);
    ck_assert_int_eq(t.interleave, WSIM_TENSOR_INTERLEAVE_32B);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {sets_are_spread_over_the_rules,
                                  numbers_name_the_same_sets_for_ever};
    return run_tests("maps", tests, 2);
}
