/* test_arch.c - the names, numbers and aliases of architectures, in any case, and wrong
 * ones. */
#include "../../../sim/isa/isa.h"
#include "../../every.h"

static const struct {
    const char *name, *arch;
} names[] = {
    {"sm_70", "sm_70"},     {"70", "sm_70"},        {"SM_90A", "sm_90a"},
    {"90a", "sm_90a"},      {"90A", "sm_90a"},      {"90", "sm_90"},
    {"Sm_120F", "sm_120f"}, {"v100", "sm_70"},      {"Volta", "sm_70"},
    {"xavier", "sm_72"},    {"TURING", "sm_75"},    {"t4", "sm_75"},
    {"a100", "sm_80"},      {"A100", "sm_80"},      {"ampere", "sm_80"},
    {"rtx3090", "sm_86"},   {"orin", "sm_87"},      {"ada", "sm_89"},
    {"L40S", "sm_89"},      {"hopper", "sm_90a"},   {"H100", "sm_90a"},
    {"h200", "sm_90a"},     {"gh200", "sm_90a"},    {"blackwell", "sm_100a"},
    {"b200", "sm_100a"},    {"B300", "sm_103a"},    {"thor", "sm_110a"},
    {"rtx5090", "sm_120a"}, {"gb10", "sm_121a"},    {"titanv", "sm_70"},
    {"rtx2080ti", "sm_75"}, {"a800", "sm_80"},      {"a10g", "sm_86"},
    {"rtxa6000", "sm_86"},  {"orinnano", "sm_87"},  {"rtx6000ada", "sm_89"},
    {"h20", "sm_90a"},      {"rtx5060", "sm_120a"}, {"rtxpro6000", "sm_120a"},
    {"spark", "sm_121a"},   {"sm_101a", "sm_110a"},
};

static const char *const unknown[] = {"",           "sm_",   "sm_9", "sm_900", "sm_90b", "sm-90",
                                      "compute_90", "sm_60", "p100", " sm_90", "sm_90 ", "h"};

/* Targets of PTX and the first version of each, as the assembler of CUDA 13.0 has them. */
static const struct {
    const char *name;
    unsigned ptx;
} versions[] = {
    {"sm_10", 10},   {"sm_12", 12},   {"sm_21", 20},   {"sm_32", 40},   {"sm_50", 40},
    {"sm_70", 51},   {"sm_75", 63},   {"sm_82", 62},   {"sm_86", 71},   {"sm_88", 73},
    {"sm_90", 78},   {"sm_90a", 80},  {"sm_100", 86},  {"sm_100a", 86}, {"sm_100f", 88},
    {"sm_101f", 88}, {"sm_103a", 88}, {"sm_110f", 90}, {"sm_120a", 87}, {"sm_121", 88},
    {"sm_90f", 0},   {"sm_80a", 0},   {"sm_91", 0},    {"sm_", 0},      {"sm_090", 0},
    {"sm_90aa", 0},  {"sm_90A", 0},   {"sm_999", 0},   {"sm_100fa", 0}, {"sm_90 a", 0},
};

START_TEST(targets_and_versions) {
    expect(isa_target_version(versions[_i].name) == versions[_i].ptx, "%s: %u", versions[_i].name,
           isa_target_version(versions[_i].name));
}
END_TEST

START_TEST(every_architecture_is_a_target) {
    for (size_t i = 0; i < isa_arch_count; i++)
        expect(isa_target_version(isa_archs[i].name), "%s", isa_archs[i].name);
}
END_TEST

START_TEST(names_people_use) {
    const struct wsim_arch *arch = wsim_arch_find(names[_i].name);
    expect(arch && strcmp(wsim_arch_name(arch), names[_i].arch) == 0, "%s", names[_i].name);
}
END_TEST

START_TEST(names_nobody_has) {
    expect(wsim_arch_find(unknown[_i]) == NULL, "'%s'", unknown[_i]);
}
END_TEST

static const struct {
    const char *text, *arch;
} cards[] = {{"NVIDIA H100 80GB HBM3", "sm_90a"},
             {"NVIDIA A100-SXM4-80GB", "sm_80"},
             {"GeForce RTX 4090", "sm_89"},
             {"Tesla T4", "sm_75"},
             {"sm-80", "sm_80"},
             {"NVIDIA RTX 6000 Ada Generation", "sm_89"},
             {"hopper", "sm_90a"},
             {"90A", "sm_90a"}};

/* The name on a card is not a target: .target sm-80 stays wrong. */
START_TEST(cards_are_called_otherwise) {
    static const char *const none[] = {"", " ", "NVIDIA", "nvidia nvidia nvidia", "H1000", "\xff"};
    char text[4096];
    const struct wsim_arch *arch = wsim_arch_called(cards[_i].text);
    expect(arch && strcmp(wsim_arch_name(arch), cards[_i].arch) == 0, "%s", cards[_i].text);
    for (int i = 0; i < COUNT(none); i++)
        expect(wsim_arch_called(none[i]) == NULL, "'%s'", none[i]);
    memset(text, 'h', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_ptr_null(wsim_arch_called(text));
    memcpy(text, "xx_80", 5); /* a long word after a short one */
    ck_assert_ptr_null(wsim_arch_called(text));
}
END_TEST

START_TEST(targets_have_numbers) {
    ck_assert_uint_eq(wsim_target_number("sm_90a"), 90);
    ck_assert_uint_eq(wsim_target_number("sm_103f, debug"), 103);
    ck_assert_uint_eq(wsim_target_number("sm_7"), 7);
    ck_assert_uint_eq(wsim_target_number("sm_"), 0);
    ck_assert_uint_eq(wsim_target_number("compute_90"), 0);
    ck_assert_uint_eq(wsim_target_number(""), 0);
    expect(wsim_target_number("sm_99999999999999999999") >= 100000,
           "a long number is no other one");
}
END_TEST

START_TEST(every_target_is_found_by_its_own_name) {
    int i, n = every_arch_count();
    ck_assert_int_ge(n, 20);
    for (i = 0; i < n; i++) {
        const struct wsim_arch *arch = wsim_arch_at((size_t)i);
        ck_assert_ptr_eq(wsim_arch_find(wsim_arch_name(arch)), arch);
        ck_assert_ptr_eq(wsim_arch_find(wsim_arch_name(arch) + 3), arch);
    }
    ck_assert_ptr_null(wsim_arch_at((size_t)n));
    ck_assert_ptr_null(wsim_arch_at(SIZE_MAX));
}
END_TEST

/* By its other names a target is found as well, and each is listed once. */
START_TEST(aliases_are_listed) {
    const char *alias;
    int h100 = 0, all = 0;
    for (int i = 0; i < every_arch_count(); i++) {
        const struct wsim_arch *arch = wsim_arch_at((size_t)i);
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL; k++, all++) {
            ck_assert_ptr_eq(wsim_arch_find(alias), arch);
            h100 += strcmp(alias, "h100") == 0;
        }
        ck_assert_ptr_null(wsim_arch_alias(arch, SIZE_MAX));
    }
    ck_assert_int_eq(h100, 1);
    ck_assert_int_ge(all, 20);
    ck_assert_ptr_null(wsim_arch_alias(wsim_arch_find("sm_88"), 0));
}
END_TEST

/* CUDA Programming Guide, "Compute Capabilities": KiB of shared memory that a block can have. */
static const struct {
    const char *arch;
    unsigned kib;
} shared[] = {{"v100", 96},    {"t4", 64},     {"a100", 163},   {"sm_86", 99},    {"orin", 163},
              {"sm_89", 99},   {"sm_90", 227}, {"sm_90a", 227}, {"sm_100a", 227}, {"b300", 227},
              {"sm_110", 227}, {"sm_120", 99}, {"sm_121f", 99}};

START_TEST(a_block_has_so_much_shared_memory) {
    ck_assert_uint_eq(wsim_arch_shared_bytes(wsim_arch_find(shared[_i].arch)),
                      shared[_i].kib * 1024);
}
END_TEST

START_TEST(formats_are_found_by_their_ptx_name) {
    ck_assert_int_eq(wsim_format_find("f16")->bits, 16);
    ck_assert_int_eq(wsim_format_find("tf32")->pad, 13);
    ck_assert_int_eq(wsim_format_find("e2m1")->pad, 2);
    ck_assert_int_eq(wsim_format_find("s4")->is_signed, 1);
    ck_assert_int_eq(wsim_format_find("b128")->bits, 128);
    ck_assert_ptr_null(wsim_format_find("F16"));
    ck_assert_ptr_null(wsim_format_find(".f16"));
    ck_assert_ptr_null(wsim_format_find(""));
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{names_people_use, 0, COUNT(names)},
                                       {names_nobody_has, 0, COUNT(unknown)},
                                       {targets_and_versions, 0, COUNT(versions)},
                                       {every_architecture_is_a_target, 0, 1},
                                       {cards_are_called_otherwise, 0, COUNT(cards)},
                                       {targets_have_numbers, 0, 1},
                                       {every_target_is_found_by_its_own_name, 0, 1},
                                       {aliases_are_listed, 0, 1},
                                       {a_block_has_so_much_shared_memory, 0, COUNT(shared)},
                                       {formats_are_found_by_their_ptx_name, 0, 1}};
    return every_run("unit/isa/arch", tests, COUNT(tests));
}
