/* Instruction descriptors of tcgen05.mma: 32 bits with the types, the shape and the signs of a
 * product. Source: PTX ISA 9.0, "Instruction descriptor" of tcgen05 (Tables 42 to 44). */
#include "umma.h"

static unsigned field(uint32_t bits, unsigned at, unsigned count) {
    return bits >> at & ((1u << count) - 1);
}

static enum wsim_status refuse(uint32_t idesc, const char *name, unsigned value, const char *right,
                               struct wsim_diag *diag) {
    return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                       "instruction descriptor 0x%08x: %s is %u, must be %s", (unsigned)idesc, name,
                       value, right);
}

/* --- types --- */

/* Codes of types of A and B. */
static const uint8_t half_codes[] = {FORMAT_F16, FORMAT_BF16};
static const uint8_t tf32_codes[] = {FORMAT_NONE, FORMAT_NONE, FORMAT_TF32};
static const uint8_t byte_codes[] = {FORMAT_E4M3, FORMAT_E5M2, FORMAT_NONE,
                                     FORMAT_E2M3, FORMAT_E3M2, FORMAT_E2M1};
static const uint8_t int_codes[] = {FORMAT_U8, FORMAT_S8};
static const uint8_t four_codes[] = {FORMAT_NONE, FORMAT_E2M1};

/* A kind of products, with the codes of its types. */
struct kind {
    uint8_t products;
    uint8_t k; /* dense                                                                        */
    uint8_t pattern;
    uint8_t n_codes;
    const uint8_t *codes;
    const char *types;
};
#define CODES(list) sizeof list, list
static const struct kind kinds[] = {
    {PRODUCTS_TENSOR_HALF, 16, PATTERN_P24, CODES(half_codes), "0 (f16) or 1 (bf16)"},
    {PRODUCTS_TENSOR_TF32, 8, PATTERN_P12, CODES(tf32_codes), "2 (tf32)"},
    {PRODUCTS_TENSOR_FP8, 32, PATTERN_P24, CODES(byte_codes),
     "0 (e4m3), 1 (e5m2), 3 (e2m3), 4 (e3m2) or 5 (e2m1)"},
    {PRODUCTS_TENSOR_INT, 32, PATTERN_P24, CODES(int_codes), "0 (u8) or 1 (s8)"},
    {PRODUCTS_TENSOR_MX8, 32, PATTERN_P24, CODES(byte_codes),
     "0 (e4m3), 1 (e5m2), 3 (e2m3), 4 (e3m2) or 5 (e2m1)"},
    {PRODUCTS_TENSOR_MX4, 64, PATTERN_P48, CODES(four_codes), "1 (e2m1)"},
    {PRODUCTS_TENSOR_NV4, 64, PATTERN_P48, CODES(four_codes), "1 (e2m1)"}};

static const struct kind *kind_of(unsigned products) {
    const struct kind *kind = kinds;
    while (kind->products != products)
        kind++;
    return kind;
}

static int is_four(unsigned products) {
    return products == PRODUCTS_TENSOR_MX4 || products == PRODUCTS_TENSOR_NV4;
}

static enum wsim_status decode_factor(const struct kind *kind, uint32_t idesc, const char *name,
                                      unsigned at, const struct wsim_format **format,
                                      struct wsim_diag *diag) {
    unsigned code = field(idesc, at, is_four(kind->products) && at == 10 ? 2 : 3);
    if (code >= kind->n_codes || kind->codes[code] == FORMAT_NONE)
        return refuse(idesc, name, code, kind->types, diag);
    *format = &isa_formats[kind->codes[code]];
    return WSIM_OK;
}

static enum wsim_status decode_types(const struct umma_form *form, const struct kind *kind,
                                     uint32_t idesc, struct umma_shape *shape,
                                     struct wsim_diag *diag) {
    unsigned d = field(idesc, 4, 2);
    enum wsim_status status = decode_factor(kind, idesc, "the type of A", 7, &shape->a, diag);
    if (!status)
        status = decode_factor(kind, idesc, "the type of B", 10, &shape->b, diag);
    if (status)
        return status;
    shape->d = &isa_formats[FORMAT_F32];
    if (form->factors)
        return WSIM_OK;
    if (form->products == PRODUCTS_TENSOR_INT) {
        shape->d = &isa_formats[FORMAT_S32];
        return d == 2 ? WSIM_OK : refuse(idesc, "the type of D", d, "2 (s32)", diag);
    }
    if (d == 0 && form->products != PRODUCTS_TENSOR_TF32) {
        shape->d = &isa_formats[FORMAT_F16];
        if (form->products == PRODUCTS_TENSOR_HALF &&
            (shape->a != shape->d || shape->b != shape->d))
            return refuse(idesc, "the type of D", d, "1 (f32) with bf16 factors", diag);
        return WSIM_OK;
    }
    return d == 1
               ? WSIM_OK
               : refuse(idesc, "the type of D", d,
                        form->products == PRODUCTS_TENSOR_TF32 ? "1 (f32)" : "0 (f16) or 1 (f32)",
                        diag);
}

/* --- the shape --- */

/* Ms and Ns of a group of kinds. */
struct shape_row {
    uint8_t blocks, stationary, scaled;
    uint16_t m[3];
    const char *ms;
};
static const struct shape_row shape_rows[] = {{1, 0, 0, {64, 128, 0}, "64 or 128"},
                                              {2, 0, 0, {128, 256, 0}, "128 or 256"},
                                              {1, 1, 0, {32, 64, 128}, "32, 64 or 128"},
                                              {1, 0, 1, {128, 0, 0}, "128"},
                                              {2, 0, 1, {128, 256, 0}, "128 or 256"}};

static int has_n(const struct umma_form *form, unsigned n) {
    if (form->stationary)
        return n == 64 || n == 128 || (n == 256 && !form->sparse);
    if (form->products == PRODUCTS_TENSOR_INT) {
        if (form->blocks == 2)
            return n % 32 == 0 && n >= 32;
        return n == 8 || n == 24 || (n % 16 == 0 && n >= 16);
    }
    return n % (8u * form->blocks) == 0 && n >= 8u * form->blocks;
}

static enum wsim_status decode_shape(const struct umma_form *form, uint32_t idesc,
                                     struct umma_shape *shape, struct wsim_diag *diag) {
    const struct shape_row *row = shape_rows;
    int scaled = form->factors != 0, known = 0;
    shape->n = (uint16_t)(8 * field(idesc, 17, 6));
    shape->m = (uint16_t)(scaled ? 128 * field(idesc, 27, 2) : 16 * field(idesc, 24, 5));
    while (row->blocks != form->blocks || row->stationary != form->stationary ||
           row->scaled != scaled)
        row++;
    for (unsigned i = 0; i < 3; i++)
        known |= shape->m && row->m[i] == shape->m;
    if (scaled && form->sparse && form->blocks == 2)
        known &= shape->m == 256;
    if (!known)
        return refuse(idesc, "M", shape->m,
                      scaled && form->sparse && form->blocks == 2 ? "256" : row->ms, diag);
    if (shape->n > 256 || !has_n(form, shape->n))
        return refuse(idesc, "N", shape->n, "a width of the kind", diag);
    return WSIM_OK;
}

/* --- the rest --- */

static enum wsim_status decode_signs(const struct umma_form *form, uint32_t idesc,
                                     struct umma_shape *shape, struct wsim_diag *diag) {
    static const char *const names[] = {"A", "B"};
    for (unsigned i = 0; i < 2; i++) {
        const struct wsim_format *format = i ? shape->b : shape->a;
        shape->negate[i] = (uint8_t)field(idesc, 13 + i, 1);
        shape->trans[i] = (uint8_t)field(idesc, 15 + i, 1);
        if (shape->negate[i] && form->products == PRODUCTS_TENSOR_INT)
            return refuse(idesc, i ? "the sign of B" : "the sign of A", 1, "0 with integers", diag);
        if (shape->trans[i] && format->bits < 8)
            return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                               "instruction descriptor 0x%08x: %s of %s is MN-major; elements of "
                               "4 and 6 bits are K-major only",
                               (unsigned)idesc, names[i], format->name);
    }
    if (shape->trans[1] && shape->b->bits == 8 && shape->n % (16u * form->blocks))
        return refuse(idesc, "N", shape->n,
                      form->blocks == 2 ? "a multiple of 32 if B has bytes and is MN-major"
                                        : "a multiple of 16 if B has bytes and is MN-major",
                      diag);
    return WSIM_OK;
}

/* Bits without a meaning in this form. */
static enum wsim_status check_reserved(const struct umma_form *form, uint32_t idesc,
                                       struct wsim_diag *diag) {
    uint32_t reserved = UINT32_C(1) << 6;
    if (!form->factors)
        reserved |= UINT32_C(1) << 23 | UINT32_C(1) << 29;
    else
        reserved |= UINT32_C(7) << 24 | 3u | UINT32_C(1) << 3;
    if (form->products == PRODUCTS_TENSOR_MX8)
        reserved |= UINT32_C(1) << 31;
    if (is_four(form->products))
        reserved |= UINT32_C(1) << 12 | UINT32_C(1) << 15 | UINT32_C(1) << 16;
    if (form->products != PRODUCTS_TENSOR_INT)
        reserved |= UINT32_C(1) << 3;
    if (!form->factors && !form->stationary)
        reserved |= UINT32_C(3) << 30;
    if (!form->sparse ||
        (form->products != PRODUCTS_TENSOR_HALF && form->products != PRODUCTS_TENSOR_TF32))
        reserved |= 3u;
    if (idesc & reserved)
        return base_refuse(diag, RULE_TCGEN_MMA_DESCRIPTOR, 0,
                           "instruction descriptor 0x%08x: bits %08x must be 0 here",
                           (unsigned)idesc, (unsigned)(idesc & reserved));
    return WSIM_OK;
}

static enum wsim_status decode_scales(const struct umma_form *form, uint32_t idesc,
                                      struct umma_shape *shape, struct wsim_diag *diag) {
    unsigned type = field(idesc, 23, 1), step = form->factors == 1 ? 1 : form->factors;
    shape->factor = &isa_formats[type ? FORMAT_UE8M0 : FORMAT_UE4M3];
    shape->factor_id[0] = (uint8_t)field(idesc, 29, 2);
    shape->factor_id[1] = (uint8_t)field(idesc, 4, 2);
    if (!type && (form->products != PRODUCTS_TENSOR_NV4 || form->factors != 4))
        return refuse(idesc, "the type of scale factors", type, "1 (ue8m0)", diag);
    for (unsigned i = 0; i < 2; i++)
        if (shape->factor_id[i] % step)
            return refuse(idesc,
                          i ? "the id of scale factors of B" : "the id of scale factors of A",
                          shape->factor_id[i], step == 2 ? "0 or 2" : "0", diag);
    return WSIM_OK;
}

enum wsim_status umma_decode(const struct umma_form *form, uint32_t idesc, struct umma_shape *shape,
                             struct wsim_diag *diag) {
    const struct kind *kind = kind_of(form->products);
    enum wsim_status status;
    *shape = (struct umma_shape){.blocks = form->factors};
    if (field(idesc, 2, 1) != form->sparse)
        return refuse(idesc, "the sparsity bit", field(idesc, 2, 1),
                      form->sparse ? "1 with .sp" : "0 without .sp", diag);
    if (is_four(form->products) && idesc >> 31)
        return base_refuse(diag, RULE_TCGEN_MMA_OPEN, 0,
                           "instruction descriptor 0x%08x: K is 96; no source says how the groups "
                           "of its scale factors lie",
                           (unsigned)idesc);
    status = check_reserved(form, idesc, diag);
    if (!status)
        status = decode_types(form, kind, idesc, shape, diag);
    if (!status)
        status = decode_shape(form, idesc, shape, diag);
    if (!status)
        status = decode_signs(form, idesc, shape, diag);
    if (!status && form->factors)
        status = decode_scales(form, idesc, shape, diag);
    if (status)
        return status;
    shape->k = (uint8_t)(form->sparse ? 2 * kind->k : kind->k);
    shape->pattern = form->sparse ? kind->pattern : PATTERN_NONE;
    shape->saturate = (uint8_t)field(idesc, 3, 1);
    shape->most_shift =
        (uint8_t)(form->stationary && field(idesc, 30, 2) ? 4 << field(idesc, 30, 2) : 0);
    if (form->sparse && field(idesc, 0, 2))
        return base_refuse(diag, RULE_TCGEN_MMA_OPEN, 0,
                           "instruction descriptor 0x%08x: no source says where metadata of "
                           "selector %u lie; only selector 0 is known",
                           (unsigned)idesc, field(idesc, 0, 2));
    if (shape->most_shift && shape->m == 32)
        return base_refuse(diag, RULE_TCGEN_MMA_OPEN, 0,
                           "instruction descriptor 0x%08x: a maximum shift with M = 32 traps on a "
                           "B200, although the ISA allows 16",
                           (unsigned)idesc);
    return WSIM_OK;
}
