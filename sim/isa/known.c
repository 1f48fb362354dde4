/* Whether an operation is one of the tables. */
#include "isa.h"

int isa_manner_fits(const struct wsim_op *op) {
    const enum wsim_family family = isa_form(op)->family;
    int rows = 0, fits = 0;
    for (size_t i = 0; i < isa_manner_count && !fits; i++)
        if (isa_manners[i].family == family) {
            rows = fits = 1;
            for (unsigned k = 0; k < ISA_MANNER_PLACES; k++) {
                uint64_t allow = isa_manners[i].allow[k];
                unsigned v = op->q[isa_manner_places[k]];
                fits = fits && (allow ? (int)(allow >> v & 1) : v == 0);
            }
        }
    return fits || !rows;
}

int isa_op_known(const struct wsim_op *op) {
    int p = 0;
    if (op->form >= FORM_COUNT)
        return 0;
    while (p < PLACE_COUNT && op->q[p] < 64 && isa_form_allows(isa_form(op), p, op->q[p]))
        p++;
    return p == PLACE_COUNT && isa_manner_fits(op);
}
