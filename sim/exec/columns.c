/* All columns of a product of one warp, as many at a time as there is room for. */
#include "map.h"
#include "product.h"

#include <string.h>

static void load_and_multiply(const struct product *p, product_load *load, const void *b,
                              unsigned row, unsigned rows, unsigned col, unsigned count) {
    union {
        struct num_elem num[PRODUCT_MAX_LIST];
        uint64_t bits[PRODUCT_MAX_LIST];
    } store;
    struct product_list list = {store.num, store.bits};
    load(p, b, col, count, &list);
    product_columns(p, row, row + rows, col, count, &list);
}

void product_some(const struct product *p, product_load *load, const void *b, unsigned col,
                  unsigned count) {
    unsigned row = col / p->how->batch_cols * p->how->batch_rows;
    load_and_multiply(p, load, b, row, p->how->batch_rows, col, count);
}

void product_one(const struct product *p, product_load *load, const void *b, unsigned row,
                 unsigned col) {
    load_and_multiply(p, load, b, row, 1, col, 1);
}

void product_load_plane(const struct product *p, const void *b, unsigned col, unsigned count,
                        const struct product_list *list) {
    const struct wsim_code_product *how = p->how;
    unsigned bytes = map_bytes(how->bits_b), first = col * how->k_dense;
    for (unsigned i = 0; i < count * how->k_dense; i++)
        product_decode(how, how->b, how->in_b, how->bits_b, 0, map_get(b, bytes, first + i), list,
                       i);
}

/* Results are kept until all are there: a register of `d` may be one of C. */
void product_multiply(const struct product *p, const void *b, uint32_t *const *d) {
    uint32_t words[PRODUCT_MAX_C][WSIM_LANES] = {{0}};
    struct product kept = *p;
    unsigned count = product_at_once(p->how);
    kept.d.words = words[0];
    for (unsigned col = 0; col < p->how->cols; col += count)
        product_some(&kept, product_load_plane, b, col, count);
    for (unsigned reg = 0; reg < p->work->d.regs; reg++)
        memcpy(d[reg], words[reg], sizeof words[reg]);
}
