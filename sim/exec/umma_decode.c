/* Instruction descriptors of tcgen05.mma: 32 bits with the types, the shape and the signs of a
 * product. Their fields, types and shapes are rows of umma.def. */
#include "umma.h"

#include "../isa/scalar.h"

#include <stdio.h>

/* The values of all fields; 0: the form has no such field. */
struct values {
    uint32_t idesc;
    uint8_t of[UMMA_FIELDS];
};

static const struct isa_umma_field *field_of(const struct wsim_umma *umma, unsigned id) {
    for (size_t i = 0; i < isa_umma_field_count; i++)
        if (isa_umma_fields[i].id == id &&
            isa_umma_fits(umma, isa_umma_fields[i].kinds, isa_umma_fields[i].form))
            return &isa_umma_fields[i];
    return NULL;
}

static enum wsim_status refuse(const struct wsim_umma *umma, const struct values *v, unsigned id,
                               const char *right, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                       "instruction descriptor 0x%08x: %s is %u, must be %s", (unsigned)v->idesc,
                       field_of(umma, id)->name, v->of[id], right);
}

/* --- forms --- */

static const struct isa_umma_type *factors_of(const struct wsim_umma *umma, unsigned code) {
    for (size_t i = 0; i < isa_umma_factor_count; i++)
        if (isa_umma_factors[i].kind == umma->kind &&
            isa_umma_factors[i].factors == umma->factors &&
            (code > 1 || isa_umma_factors[i].code == code))
            return &isa_umma_factors[i];
    return NULL;
}

enum wsim_status umma_check_form(const struct wsim_umma *umma, struct wsim_diag *diag) {
    int scaled = umma->kind < WSIM_UMMA_KINDS && isa_umma_kinds[umma->kind].scaled;
    if (umma->kind >= WSIM_UMMA_KINDS)
        return base_refuse(diag, RULE_TCGEN_MMA_FORM, 0, "kind %u of tcgen05.mma: there is none",
                           umma->kind);
    if (umma->blocks != 1 && umma->blocks != 2)
        return base_refuse(diag, RULE_TCGEN_MMA_FORM, 0, "cta_group::%u of tcgen05.mma: 1 or 2",
                           umma->blocks);
    if (umma->stationary && (umma->blocks == 2 || scaled))
        return base_refuse(diag, RULE_TCGEN_MMA_FORM, 0,
                           "tcgen05.mma.ws has neither cta_group::2 nor block scale");
    if (scaled ? !factors_of(umma, 2) : umma->factors)
        return base_refuse(diag, RULE_TCGEN_MMA_FORM, 0,
                           "kind::%s of tcgen05.mma does not have %u scale factors a row",
                           isa_umma_kinds[umma->kind].name, umma->factors);
    return WSIM_OK;
}

enum wsim_status wsim_umma_of(const struct wsim_scalar *op, struct wsim_umma *umma,
                              struct wsim_diag *diag) {
    struct scalar_meaning meaning;
    unsigned kind = 0;
    if (!isa_scalar_meaning(op, &meaning) || meaning.method != SCALAR_METHOD_TENSOR_MMA)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "the operation is no tcgen05.mma");
    while (isa_umma_kinds[kind].products != meaning.products)
        kind++;
    *umma = (struct wsim_umma){.kind = (uint8_t)kind,
                               .blocks = meaning.blocks,
                               .sparse = meaning.sparse,
                               .stationary = meaning.stationary,
                               .factors = meaning.factors};
    return WSIM_OK;
}

/* --- fields --- */

int wsim_umma_field_next(const struct wsim_umma *umma, uint32_t *cursor,
                         struct wsim_umma_field *field) {
    for (; *cursor < isa_umma_field_count; ++*cursor) {
        const struct isa_umma_field *row = &isa_umma_fields[*cursor];
        if (umma->kind >= WSIM_UMMA_KINDS || !isa_umma_fits(umma, row->kinds, row->form))
            continue;
        *field = (struct wsim_umma_field){row->name, row->first, row->bits};
        ++*cursor;
        return 1;
    }
    return 0;
}

/* Takes the fields apart; all other bits must be 0. */
static enum wsim_status split(const struct wsim_umma *umma, uint32_t idesc, struct values *v,
                              struct wsim_diag *diag) {
    uint32_t left = idesc;
    *v = (struct values){.idesc = idesc};
    for (size_t i = 0; i < isa_umma_field_count; i++) {
        const struct isa_umma_field *row = &isa_umma_fields[i];
        uint32_t ones = (UINT32_C(1) << row->bits) - 1;
        if (!isa_umma_fits(umma, row->kinds, row->form))
            continue;
        v->of[row->id] = (uint8_t)(idesc >> row->first & ones);
        left &= ~(ones << row->first);
    }
    if (v->of[UMMA_SPARSITY] != (umma->sparse != 0))
        return refuse(umma, v, UMMA_SPARSITY, umma->sparse ? "1 with .sp" : "0 without .sp", diag);
    if (left)
        return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                           "instruction descriptor 0x%08x: bits %08x must be 0 here",
                           (unsigned)idesc, (unsigned)left);
    return WSIM_OK;
}

static uint32_t join(const struct wsim_umma *umma, const struct values *v) {
    uint32_t idesc = 0;
    for (size_t i = 0; i < isa_umma_field_count; i++) {
        const struct isa_umma_field *row = &isa_umma_fields[i];
        uint32_t ones = (UINT32_C(1) << row->bits) - 1;
        if (isa_umma_fits(umma, row->kinds, row->form))
            idesc |= (v->of[row->id] & ones) << row->first;
    }
    return idesc;
}

/* --- types --- */

/* "0 (f16) or 1 (bf16)" */
static void list_types(const struct isa_umma_type *rows, size_t count, unsigned kind, char *text,
                       size_t size) {
    size_t n = 0, left = 0;
    for (size_t i = 0; i < count; i++)
        left += rows[i].kind == kind;
    for (size_t i = 0; i < count && n < size; i++)
        if (rows[i].kind == kind) {
            left--;
            n += (size_t)snprintf(text + n, size - n, "%u (%s)%s", rows[i].code,
                                  isa_formats[rows[i].format].name,
                                  left > 1 ? ", "
                                  : left   ? " or "
                                           : "");
        }
}

static enum wsim_status decode_type(const struct wsim_umma *umma, const struct values *v,
                                    unsigned id, const struct isa_umma_type *rows, size_t count,
                                    const struct wsim_format **format, struct wsim_diag *diag) {
    char right[96];
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == umma->kind && rows[i].code == v->of[id]) {
            *format = &isa_formats[rows[i].format];
            return WSIM_OK;
        }
    list_types(rows, count, umma->kind, right, sizeof right);
    return refuse(umma, v, id, right, diag);
}

static enum wsim_status decode_types(const struct wsim_umma *umma, const struct values *v,
                                     struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    enum wsim_status status =
        decode_type(umma, v, UMMA_TYPE_A, isa_umma_types, isa_umma_type_count, &shape->a, diag);
    if (!status)
        status =
            decode_type(umma, v, UMMA_TYPE_B, isa_umma_types, isa_umma_type_count, &shape->b, diag);
    if (!status)
        status = decode_type(umma, v, UMMA_TYPE_D, isa_umma_results, isa_umma_result_count,
                             &shape->d, diag);
    /* bf16 does not fit into an f16. */
    if (!status && umma->kind == WSIM_UMMA_F16 && shape->d->bits == 16 &&
        (shape->a != shape->d || shape->b != shape->d))
        return refuse(umma, v, UMMA_TYPE_D, "1 (f32) with bf16 factors", diag);
    return status;
}

static enum wsim_status decode_factors(const struct wsim_umma *umma, const struct values *v,
                                       struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    const struct isa_umma_type *row = factors_of(umma, v->of[UMMA_FACTOR]);
    static const uint8_t ids[] = {UMMA_ID_A, UMMA_ID_B};
    if (!umma->factors)
        return WSIM_OK;
    if (!row)
        return refuse(umma, v, UMMA_FACTOR, "1 (ue8m0)", diag);
    shape->factor = &isa_formats[row->format];
    for (unsigned i = 0; i < 2; i++) {
        shape->factor_id[i] = v->of[ids[i]];
        if (shape->factor_id[i] % umma->factors)
            return refuse(umma, v, ids[i], umma->factors == 2 ? "0 or 2" : "0", diag);
    }
    return WSIM_OK;
}

/* --- the shape --- */

static enum wsim_status refuse_m(const struct wsim_umma *umma, unsigned m, uint32_t idesc,
                                 struct wsim_diag *diag) {
    char right[48];
    size_t n = 0;
    unsigned last = 0;
    for (size_t i = 0; i < isa_umma_shape_count; i++) {
        const struct isa_umma_shape *row = &isa_umma_shapes[i];
        if (!isa_umma_fits(umma, row->kinds, row->form) || row->m <= last)
            continue;
        n += (size_t)snprintf(right + n, sizeof right - n, "%s%u", n ? ", " : "", row->m);
        last = row->m;
    }
    return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                       "instruction descriptor 0x%08x: M is %u, must be one of %s", (unsigned)idesc,
                       m, right);
}

static enum wsim_status refuse_n(const struct wsim_umma *umma, unsigned m, unsigned n,
                                 uint32_t idesc, struct wsim_diag *diag) {
    char right[96];
    size_t at = 0;
    for (size_t i = 0; i < isa_umma_shape_count && at < sizeof right; i++) {
        const struct isa_umma_shape *row = &isa_umma_shapes[i];
        if (isa_umma_fits(umma, row->kinds, row->form) && row->m == m)
            at += (size_t)snprintf(right + at, sizeof right - at, "%s%u to %u by %u",
                                   at ? ", or " : "", row->least, row->most, row->step);
    }
    return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                       "instruction descriptor 0x%08x: N is %u, must be %s", (unsigned)idesc, n,
                       right);
}

static enum wsim_status decode_shape(const struct wsim_umma *umma, const struct values *v,
                                     struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    int known = 0;
    shape->m = (uint16_t)(16 * v->of[UMMA_M]);
    shape->n = (uint16_t)(8 * v->of[UMMA_N]);
    shape->k = isa_umma_kinds[umma->kind].k;
    shape->k = (uint8_t)(v->of[UMMA_LONG_K] ? 96 : umma->sparse ? 2 * shape->k : shape->k);
    for (size_t i = 0; i < isa_umma_shape_count; i++) {
        const struct isa_umma_shape *row = &isa_umma_shapes[i];
        if (!isa_umma_fits(umma, row->kinds, row->form) || row->m != shape->m)
            continue;
        known = 1;
        if (shape->n >= row->least && shape->n <= row->most &&
            (shape->n - row->least) % row->step == 0)
            return WSIM_OK;
    }
    return known ? refuse_n(umma, shape->m, shape->n, v->idesc, diag)
                 : refuse_m(umma, shape->m, v->idesc, diag);
}

/* --- the rest --- */

/* Only whole bytes can be MN-major. */
static enum wsim_status check_trans(const struct wsim_umma *umma, const struct values *v,
                                    const struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    for (unsigned i = 0; i < 2; i++) {
        const struct wsim_format *format = i ? shape->b : shape->a;
        if (shape->trans[i] && format->bits < 8)
            return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                               "instruction descriptor 0x%08x: %s of %s is MN-major; elements of "
                               "4 and 6 bits are K-major only",
                               (unsigned)v->idesc, i ? "B" : "A", format->name);
    }
    if (shape->trans[1] && shape->b->bits == 8 && shape->n % (16u * umma->blocks))
        return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                           "instruction descriptor 0x%08x: N is %u, must be a multiple of %u if B "
                           "has bytes and is MN-major",
                           (unsigned)v->idesc, shape->n, 16u * umma->blocks);
    return WSIM_OK;
}

static enum wsim_status decode_rest(const struct wsim_umma *umma, const struct values *v,
                                    struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    shape->saturate = v->of[UMMA_SATURATE];
    shape->selector = v->of[UMMA_SELECTOR];
    shape->most_shift = (uint8_t)(v->of[UMMA_SHIFT] ? 4 << v->of[UMMA_SHIFT] : 0);
    for (unsigned i = 0; i < 2; i++) {
        shape->negate[i] = v->of[i ? UMMA_NEGATE_B : UMMA_NEGATE_A];
        shape->trans[i] = v->of[i ? UMMA_TRANS_B : UMMA_TRANS_A];
        if (shape->negate[i] && umma->kind == WSIM_UMMA_I8)
            return refuse(umma, v, i ? UMMA_NEGATE_B : UMMA_NEGATE_A, "0 with integers", diag);
    }
    if (shape->selector && shape->a->bits == 8)
        return refuse(umma, v, UMMA_SELECTOR, "0 with elements of 8 bits", diag);
    return check_trans(umma, v, shape, diag);
}

static enum wsim_status decode(const struct wsim_umma *umma, uint32_t idesc,
                               struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    struct values v;
    enum wsim_status status = umma_check_form(umma, diag);
    *shape = (struct wsim_umma_shape){0};
    if (!status)
        status = split(umma, idesc, &v, diag);
    if (!status)
        status = decode_types(umma, &v, shape, diag);
    if (!status)
        status = decode_shape(umma, &v, shape, diag);
    if (!status)
        status = decode_factors(umma, &v, shape, diag);
    return status ? status : decode_rest(umma, &v, shape, diag);
}

enum wsim_status wsim_umma_decode(const struct wsim_umma *umma, uint32_t idesc,
                                  struct wsim_umma_shape *shape, struct wsim_diag *diag) {
    struct wsim_umma_shape read;
    enum wsim_status status = decode(umma, idesc, &read, diag);
    if (!status)
        *shape = read;
    return status;
}

/* --- encode --- */

static enum wsim_status code_of(const struct wsim_umma *umma, const struct isa_umma_type *rows,
                                size_t count, const struct wsim_format *format, const char *what,
                                uint8_t *code, struct wsim_diag *diag) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == umma->kind && &isa_formats[rows[i].format] == format) {
            *code = rows[i].code;
            return WSIM_OK;
        }
    return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0, "%s of kind::%s cannot be %s", what,
                       isa_umma_kinds[umma->kind].name, format ? format->name : "missing");
}

static enum wsim_status encode_types(const struct wsim_umma *umma,
                                     const struct wsim_umma_shape *shape, struct values *v,
                                     struct wsim_diag *diag) {
    enum wsim_status status = code_of(umma, isa_umma_types, isa_umma_type_count, shape->a, "A",
                                      &v->of[UMMA_TYPE_A], diag);
    if (!status)
        status = code_of(umma, isa_umma_types, isa_umma_type_count, shape->b, "B",
                         &v->of[UMMA_TYPE_B], diag);
    if (!status)
        status = code_of(umma, isa_umma_results, isa_umma_result_count, shape->d, "D",
                         &v->of[UMMA_TYPE_D], diag);
    if (!status && umma->factors)
        status = code_of(umma, isa_umma_factors, isa_umma_factor_count, shape->factor,
                         "a scale factor", &v->of[UMMA_FACTOR], diag);
    return status;
}

/* A value that does not fit its field comes back as another shape. */
static int is_same(const struct wsim_umma_shape *a, const struct wsim_umma_shape *b) {
    int same = a->m == b->m && a->n == b->n && a->saturate == b->saturate &&
               a->selector == b->selector && a->most_shift == b->most_shift;
    for (unsigned i = 0; i < 2; i++)
        same = same && a->trans[i] == b->trans[i] && a->negate[i] == b->negate[i] &&
               a->factor_id[i] == b->factor_id[i];
    return same && (!b->k || a->k == b->k);
}

enum wsim_status wsim_umma_encode(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                                  uint32_t *idesc, struct wsim_diag *diag) {
    struct values v = {
        .of = {[UMMA_SELECTOR] = shape->selector,
               [UMMA_SPARSITY] = umma->sparse != 0,
               [UMMA_SATURATE] = shape->saturate,
               [UMMA_ID_A] = shape->factor_id[0],
               [UMMA_ID_B] = shape->factor_id[1],
               [UMMA_NEGATE_A] = shape->negate[0],
               [UMMA_NEGATE_B] = shape->negate[1],
               [UMMA_TRANS_A] = shape->trans[0],
               [UMMA_TRANS_B] = shape->trans[1],
               [UMMA_M] = (uint8_t)(shape->m / 16),
               [UMMA_N] = (uint8_t)(shape->n / 8),
               [UMMA_SHIFT] = (uint8_t)(shape->most_shift == 32 ? 3 : shape->most_shift / 8),
               [UMMA_LONG_K] = shape->k == 96}};
    struct wsim_umma_shape back;
    uint32_t bits;
    enum wsim_status status = umma_check_form(umma, diag);
    if (!status)
        status = encode_types(umma, shape, &v, diag);
    if (status)
        return status;
    bits = join(umma, &v);
    /* The fields count in steps of 16 and 8. */
    if (shape->m % 16)
        return refuse_m(umma, shape->m, bits, diag);
    status = decode(umma, bits, &back, diag);
    if (!status && shape->n % 8)
        return refuse_n(umma, shape->m, shape->n, bits, diag);
    if (!status && !is_same(&back, shape))
        return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                           "no instruction descriptor of kind::%s has this shape with these flags",
                           isa_umma_kinds[umma->kind].name);
    if (!status)
        *idesc = bits;
    return status;
}
