/* Values of parameters of tensor maps by what others call them. */
#include "../../run.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <wsim/wsim.h>

/* The prefix of a name in cuda.h. */
static const char *const prefixes[WSIM_TENSOR_LISTS] = {
    [WSIM_TENSOR_LIST_DTYPE] = "CU_TENSOR_MAP_DATA_TYPE_",
    [WSIM_TENSOR_LIST_INTERLEAVE] = "CU_TENSOR_MAP_INTERLEAVE_",
    [WSIM_TENSOR_LIST_SWIZZLE] = "CU_TENSOR_MAP_SWIZZLE_",
    [WSIM_TENSOR_LIST_OOB] = "CU_TENSOR_MAP_FLOAT_OOB_FILL_",
};

/* Each as the driver writes it, in small letters, and as it is called here. */
START_TEST(names_of_the_driver) {
    const char *name;
    char text[96];
    for (unsigned list = 0; list < WSIM_TENSOR_LISTS; list++)
        for (unsigned i = 0; prefixes[list] && (name = wsim_tensor_name(list, i)) != NULL; i++) {
            snprintf(text, sizeof text, "%s%s", prefixes[list], name);
            ck_assert_int_eq(wsim_tensor_called(list, text), (int)i);
            for (char *at = text; *at; at++)
                *at = (char)tolower((unsigned char)*at);
            ck_assert_int_eq(wsim_tensor_called(list, text), (int)i);
            ck_assert_int_eq(wsim_tensor_called(list, name), (int)i);
        }
    ck_assert_int_eq(wsim_tensor_called(WSIM_TENSOR_LIST_MODE, "im2col"), WSIM_TENSOR_IM2COL);
    ck_assert_int_eq(wsim_tensor_called(WSIM_TENSOR_LIST_FIELD, "rank"), WSIM_TENSOR_FIELD_RANK);
}
END_TEST

static const struct {
    enum wsim_tensor_list list;
    const char *text;
    int value;
} words[] = {
    {WSIM_TENSOR_LIST_DTYPE, "half", WSIM_TENSOR_FLOAT16},
    {WSIM_TENSOR_LIST_DTYPE, "bf16", WSIM_TENSOR_BFLOAT16},
    {WSIM_TENSOR_LIST_DTYPE, "f17", -1},
    {WSIM_TENSOR_LIST_OOB, "none", WSIM_TENSOR_FILL_ZERO},
    {WSIM_TENSOR_LIST_SWIZZLE, "f16", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<3,4,3>", WSIM_SWIZZLE_128B},
    {WSIM_TENSOR_LIST_SWIZZLE, "cute::Swizzle < 2 , 4 , 3 >", WSIM_SWIZZLE_64B},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<1,4,3>", WSIM_SWIZZLE_32B},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<0,4,3>", WSIM_SWIZZLE_NONE},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<2,5,2>", WSIM_SWIZZLE_128B_ATOM_32B},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<3,4,4>", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<3,4,3", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<3,4,3>x", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<3,4>", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle<33,4,3>", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Swizzle", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "GMMA::Layout_K_SW128_Atom", WSIM_SWIZZLE_128B},
    {WSIM_TENSOR_LIST_SWIZZLE, "GMMA::Layout_MN_INTER_Atom<half_t>", WSIM_SWIZZLE_NONE},
    {WSIM_TENSOR_LIST_SWIZZLE, "Layout_K_SW256_Atom", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Layout__Atom", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "Layout_K_Atom", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "_Atom Layout_", -1},
    {WSIM_TENSOR_LIST_SWIZZLE, "", -1},
    {WSIM_TENSOR_LISTS, "128B", -1},
};

START_TEST(what_others_call_them) {
    ck_assert_msg(wsim_tensor_called(words[_i].list, words[_i].text) == words[_i].value, "%s",
                  words[_i].text);
}
END_TEST

START_TEST(texts_without_end) {
    char text[4096];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (unsigned list = 0; list <= WSIM_TENSOR_LISTS; list++)
        ck_assert_int_eq(wsim_tensor_called(list, text), -1);
    memcpy(text, "Layout_", 7);
    memcpy(text + sizeof text - 6, "_Atom", 5);
    ck_assert_int_eq(wsim_tensor_called(WSIM_TENSOR_LIST_SWIZZLE, text), -1);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("called");
    tcase_add_test(tcase, names_of_the_driver);
    tcase_add_loop_test(tcase, what_others_call_them, 0, sizeof words / sizeof words[0]);
    tcase_add_test(tcase, texts_without_end);
    return run_case("called", tcase);
}
