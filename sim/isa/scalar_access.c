/* Finds the operation of access.def that counts a scalar access of shared memory, from a method, an
 * operation and a type of scalar.def. */
#include "isa.h"
#include "scalar.h"

/* 1 + the family of access.def that counts a method; 0: none does. */
static const uint8_t families[SCALAR_METHODS] = {
#define COUNTED_METHOD(id, name, kind, family) [SCALAR_METHOD_##id] = 1 + WSIM_##family,
#include "scalar_words.def"
};

static const uint8_t operations[] = {[SCALAR_ADD] = Q_ADD, [SCALAR_MIN] = Q_MIN,
                                     [SCALAR_MAX] = Q_MAX, [SCALAR_INC] = Q_INC,
                                     [SCALAR_DEC] = Q_DEC, [SCALAR_AND] = Q_ATOMIC_AND,
                                     [SCALAR_OR] = Q_OR,   [SCALAR_XOR] = Q_ATOMIC_XOR,
                                     [SCALAR_CAS] = Q_CAS, [SCALAR_EXCH] = Q_EXCH,
                                     [SCALAR_POPC] = 0};

static uint8_t format_of_bits(unsigned bits) {
    switch (bits) {
    case 8: return FORMAT_B8;
    case 16: return FORMAT_B16;
    case 32: return FORMAT_B32;
    case 64: return FORMAT_B64;
    case 128: return FORMAT_B128;
    default: return FORMAT_NONE;
    }
}

int isa_scalar_access(enum scalar_method method, enum scalar_operation operation,
                      enum scalar_type type, unsigned bytes, struct wsim_op *op) {
    const struct isa_scalar_type *is = &isa_scalar_types[type];
    const uint8_t format = bytes               ? format_of_bits(8 * bytes)
                           : is->elements > 1  ? FORMAT_NONE
                           : is->letter == 'b' ? format_of_bits(is->bits)
                                               : is->format;
    *op = (struct wsim_op){0};
    op->q[PLACE_SPACE] = Q_SHARED;
    op->q[PLACE_ATOMIC] = operations[operation];
    op->q[PLACE_D] = format;
    for (unsigned f = 0; f < FORM_COUNT && families[method] && format; f++) {
        const struct isa_form *form = &isa_forms[f];
        int takes = form->family == families[method] - 1;
        for (int p = 0; takes && p < PLACE_COUNT; p++)
            takes = isa_form_allows(form, p, op->q[p]);
        if (!takes)
            continue;
        op->form = (uint16_t)f;
        return 1;
    }
    return 0;
}
