/* Names of kernels as their source has them, where the machine has a C++ library. */
#include "../../../tools/wsim/common/kernel_name.c"
#include "../../run.h"

#include <check.h>

static const struct {
    const char *mangled, *name;
} names[] = {
    {"_Z3addPKfPfi", "add"},
    {"_ZN2ns5scaleILi4EEEvPf", "ns::scale<4>"},
    {"_ZN12_GLOBAL__N_11kEPf", "(anonymous namespace)::k"},
    {"_Z1kIfEvT_PFvS0_E", "k<float>"},
    {"_Z1kIXadL_Z1fvEEEvv", "k<&(f())>"},
    {"_Z1kIXadL_ZN34_INTERNAL_0c7f0e91_4_a_cu_7ddb16fd1fEvEEEvv", "k<&f>"},
    {"_ZN34_INTERNAL_0c7f0e91_4_a_cu_7ddb16fd1kEPf", "k"},
};

START_TEST(mangled_names_are_those_of_the_source) {
    if (strcmp(kernel_name("_Z3addv").text, "_Z3addv") == 0)
        return; /* no C++ library */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_str_eq(kernel_name(names[i].mangled).text, names[i].name);
}
END_TEST

START_TEST(other_names_stay) {
    char shown[KERNEL_NAME + 1], name[KERNEL_NAME + 32];
    ck_assert_str_eq(kernel_name("add").text, "add");
    ck_assert_str_eq(kernel_name("").text, "");
    ck_assert_str_eq(kernel_name("_Z").text, "_Z");
    ck_assert_str_eq(kernel_name("_Z3a").text, "_Z3a");
    ck_assert_str_eq(kernel_name("a\x1b[31m").text, "a?[31m");
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(shown, 'x', KERNEL_NAME - 3);
    memcpy(shown + KERNEL_NAME - 3, "...", 4);
    ck_assert_str_eq(kernel_name(name).text, shown);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("kernel_name");
    tcase_add_test(tcase, mangled_names_are_those_of_the_source);
    tcase_add_test(tcase, other_names_stay);
    return run_case("kernel_name", tcase);
}
