/* forms.c - kernels by number: three widths of each form with every selector, source of A and
 * major, the other widths with one of each source. */
#include "forms.h"

#include <string.h>

uint64_t form_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A variant is a number: source of A, selector, majors of A and B. */
enum { IN_REGISTERS = 1, SELECTOR = 2, TRANS_A = 4, TRANS_B = 8, VARIANTS = 16 };

static int exists(const struct form *form, unsigned variant) {
    return !(variant & SELECTOR && form->info.selectors < 2) &&
           !(variant & (TRANS_A | TRANS_B) && !form->majors) &&
           !(variant & TRANS_A && variant & IN_REGISTERS);
}

/* For a width without a row of its own: the variant that represents its source of A. */
static unsigned chosen(const struct form *form, unsigned in_registers) {
    uint64_t state = form->seed;
    unsigned variant;
    do
        variant = (unsigned)(form_random(&state) % VARIANTS & ~1u) | in_registers;
    while (!exists(form, variant));
    return variant;
}

static void open_form(struct form *form, uint32_t seed) {
    struct wsim_tile tile;
    form->seed = seed;
    form->info = wsim_op_describe(&form->op);
    wsim_op_spell(&form->op, form->spelling);
    wsim_op_layout(&form->op, NULL, WSIM_D, &form->d, NULL);
    form->majors = wsim_wgmma_tile(&form->op, WSIM_B, 1, &tile, NULL) == WSIM_OK;
    form->signs = form->d.format->kind == WSIM_BINARY;
    form->few = form->info.n != 8 && form->info.n != 24 && form->info.n != 64;
}

static void set_variant(struct form *form, unsigned variant) {
    uint64_t state = form->number * UINT64_C(977) + 5, r = form_random(&state);
    form->in_registers = variant & IN_REGISTERS;
    form->selector = (variant & SELECTOR) != 0;
    form->trans[0] = (variant & TRANS_A) != 0;
    form->trans[1] = (variant & TRANS_B) != 0;
    form->negate[0] = form->signs && r % 3 == 0;
    form->negate[1] = form->signs && r >> 8 & 1;
}

/* The cursor is the step of the operations, and the next variant in the lowest four bits. */
int form_next(uint32_t *cursor, struct form *form) {
    uint32_t at = *cursor / VARIANTS;
    unsigned variant = *cursor % VARIANTS, number = form->number;
    for (;; variant++) {
        if (variant == 0) {
            do
                if (!wsim_op_next(&at, &form->op))
                    return 0;
            while (wsim_op_describe(&form->op).family != WSIM_WGMMA);
            open_form(form, at);
        }
        form->number = number + 1;
        if (exists(form, variant) && (!form->few || variant == chosen(form, variant & 1)))
            break;
        variant = variant == VARIANTS - 1 ? (unsigned)-1 : variant;
    }
    set_variant(form, variant);
    *cursor = at * VARIANTS + (variant + 1) % VARIANTS;
    return 1;
}

int form_is_odd(const struct form *form) {
    return form->info.n == 24;
}
