/* test_product.c - figures of products, written down again from data sheets and from an H200. */
#include "../../../sim/isa/isa.h"
#include "../../every.h"

static const struct {
    const char *text, *name, *arch;
    uint64_t sms, memory_mib, cache_kib, clock, memory_clock, bus, derived;
} rows[] = {
    {"h200", "NVIDIA H200", "sm_90a", 132, 143155, 61440, 1980, 3201, 6016, 0},
    {"sm_90", "NVIDIA H200", "sm_90", 132, 143155, 61440, 1980, 3201, 6016, 0},
    {"90a", "NVIDIA H200", "sm_90a", 132, 143155, 61440, 1980, 3201, 6016, 0},
    {"Hopper", "NVIDIA H200", "sm_90a", 132, 143155, 61440, 1980, 3201, 6016, 0},
    {"NVIDIA H100 PCIe", "NVIDIA H100 PCIe", "sm_90a", 114, 81920, 51200, 1755, 1593, 5120, 0},
    {"NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3", "sm_90a", 132, 81920, 51200, 1980, 2619,
     5120, 0},
    {"rtx4090", "NVIDIA GeForce RTX 4090", "sm_89", 128, 24576, 73728, 2520, 10501, 384, 0},
    {"GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 Laptop GPU", "sm_89", 76, 16384, 65536,
     2520, 9001, 256, 1 << WSIM_FIGURE_CLOCK},
    {"RTX 4070 Ti SUPER", "NVIDIA GeForce RTX 4070 Ti SUPER", "sm_89", 66, 16384, 49152, 2610,
     10501, 256, 0},
    {"NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB", "sm_80", 108, 40960, 40960, 1410, 1215, 5120,
     0},
    {"sm_80", "NVIDIA A100-SXM4-80GB", "sm_80", 108, 81920, 40960, 1410, 1593, 5120, 0},
    {"Tesla T4", "Tesla T4", "sm_75", 40, 16384, 4096, 1590, 5001, 256, 0},
    {"dgx spark", "NVIDIA GB10", "sm_121a", 48, 131072, 24576, 2418, 4266, 256, 0},
    {"sm_120", "NVIDIA GeForce RTX 5090", "sm_120", 170, 32768, 98304, 2407, 14001, 512, 0},
    {"b200", "NVIDIA B200", "sm_100a", 148, 184320, 129536, 1965, 3996, 7680, 0},
    {"l2", "NVIDIA L2", "sm_89", 128, 24576, 73728, 2520, 6251, 192,
     1 << WSIM_FIGURE_SMS | 1 << WSIM_FIGURE_CACHE | 1 << WSIM_FIGURE_CLOCK},
    {"sm_88", "NVIDIA GPU", "sm_88", 132, 143155, 61440, 1980, 3201, 6016, (1 << WSIM_FIGURES) - 1},
};

START_TEST(a_name_has_its_figures) {
    const struct wsim_arch *arch = wsim_arch_called(rows[_i].text);
    struct wsim_product p;
    ck_assert_ptr_nonnull(arch);
    p = wsim_arch_product(arch);
    ck_assert_str_eq(p.name, rows[_i].name);
    ck_assert_str_eq(wsim_arch_name(arch), rows[_i].arch);
    ck_assert_uint_eq(p.figures[WSIM_FIGURE_SMS], rows[_i].sms);
    ck_assert_uint_eq(p.figures[WSIM_FIGURE_MEMORY] >> 20, rows[_i].memory_mib);
    ck_assert_uint_eq(p.figures[WSIM_FIGURE_CACHE] >> 10, rows[_i].cache_kib);
    ck_assert_uint_eq(p.figures[WSIM_FIGURE_CLOCK], rows[_i].clock * 1000);
    ck_assert_uint_eq(p.figures[WSIM_FIGURE_MEMORY_CLOCK], rows[_i].memory_clock * 1000);
    ck_assert_uint_eq(p.figures[WSIM_FIGURE_BUS], rows[_i].bus);
    ck_assert_uint_eq(p.derived, rows[_i].derived);
    ck_assert_uint_eq(wsim_arch_limit(arch, WSIM_LIMIT_SMS), rows[_i].sms);
}
END_TEST

/* The target of a product is that of its name; the name that the driver prints finds it again. */
START_TEST(a_product_is_its_target_and_more) {
    const struct isa_alias *alias = &isa_aliases[_i];
    const struct wsim_arch *arch = wsim_arch_called(alias->name), *target;
    const struct wsim_product product = wsim_arch_product(arch);
    ck_assert_ptr_eq(arch, &isa_archs[alias->called]);
    target = wsim_arch_find(alias->name);
    ck_assert_ptr_eq(target, &isa_archs[alias->arch]);
    ck_assert_ptr_eq(target, wsim_arch_find(wsim_arch_name(arch)));
    ck_assert_ptr_eq(isa_target(arch), target);
    ck_assert_uint_eq(arch->features, target->features);
    ck_assert_uint_eq(arch->generation, target->generation);
    ck_assert_uint_eq(arch->shared_bytes, target->shared_bytes);
    ck_assert_uint_eq(arch->warps, target->warps);
    ck_assert_uint_eq(arch->blocks, target->blocks);
    ck_assert_uint_eq(arch->fragments, target->fragments);
    ck_assert_str_eq(wsim_arch_product(wsim_arch_called(product.name)).name, product.name);
}
END_TEST

/* cudaOccupancyMaxActiveClusters of a smaller chip: no more than fit on its SMs. */
START_TEST(clusters_fit_on_the_sms) {
    const struct wsim_arch *h20 = wsim_arch_called("h20");
    ck_assert_uint_eq(wsim_arch_clusters(h20, 1, 2), 39);
    ck_assert_uint_eq(wsim_arch_clusters(wsim_arch_called("h200"), 1, 2), 66);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{a_name_has_its_figures, 0, COUNT(rows)},
                                       {a_product_is_its_target_and_more, 0, (int)isa_alias_count},
                                       {clusters_fit_on_the_sms, 0, 1}};
    return every_run("unit/isa/product", tests, COUNT(tests));
}
