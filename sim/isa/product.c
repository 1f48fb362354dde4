/* Figures of products: rows of product.def. */
#include "isa.h"

#include <string.h>

const struct wsim_arch *isa_target(const struct wsim_arch *arch) {
    size_t i = 0;
    while (i < isa_arch_count && strcmp(isa_archs[i].name, arch->name) != 0)
        i++;
    return &isa_archs[i];
}

/* The figure of the product; of the usual one of its target; of that of all targets. */
static uint32_t find(const struct wsim_arch *arch, enum wsim_figure figure, uint32_t *derived) {
    uint32_t found = isa_products[arch->product].figures[figure];
    if (!found) {
        *derived |= 1u << figure;
        found = isa_products[isa_target(arch)->product].figures[figure];
    }
    return found ? found : isa_products[PRODUCT_USUAL].figures[figure];
}

uint32_t isa_figure(const struct wsim_arch *arch, enum wsim_figure figure) {
    uint32_t derived = 0;
    return find(arch, figure, &derived);
}

struct wsim_product wsim_arch_product(const struct wsim_arch *arch) {
    const struct isa_product *row = &isa_products[arch->product];
    struct wsim_product product = {.alias = row->alias, .name = row->name, .sources = row->sources};
    for (unsigned i = 0; i < WSIM_FIGURES; i++)
        product.figures[i] = find(arch, (enum wsim_figure)i, &product.derived);
    product.figures[WSIM_FIGURE_MEMORY] *= 1024;
    product.figures[WSIM_FIGURE_CACHE] *= 1024;
    product.figures[WSIM_FIGURE_CLOCK] *= 1000;
    product.figures[WSIM_FIGURE_MEMORY_CLOCK] *= 1000;
    return product;
}
