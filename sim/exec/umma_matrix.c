/* Matrix descriptors of tcgen05: 64 bits that place A or B in shared memory. Start, offsets and
 * base offset are where wgmma has them. */
#include "umma.h"

/* Fields that wgmma has otherwise. Source: PTX ISA 9.0, "Shared memory descriptor" of tcgen05
 * (Table 40). */
enum { VERSION_AT = 46, VERSION = 1, ABSOLUTE_AT = 52, MODE_AT = 61 };

static const uint64_t reserved = UINT64_C(0xFF) << 53 | UINT64_C(3) << 14 | UINT64_C(3) << 30;

static uint32_t field_of(uint64_t bits, unsigned at) {
    return (uint32_t)(bits >> at & WSIM_DESCRIPTOR_FIELD) * DESCRIPTOR_UNIT;
}

/* The mode of a code; WSIM_SWIZZLES: there is none. */
static unsigned mode_of(unsigned code) {
    unsigned mode = 0;
    while (mode < WSIM_SWIZZLES && isa_swizzles[mode].tcgen != code)
        mode++;
    return mode;
}

enum wsim_status umma_matrix_decode(const char *name, uint64_t bits, struct wsim_descriptor *d,
                                    struct wsim_diag *diag) {
    unsigned version = (unsigned)(bits >> VERSION_AT & 7), code = (unsigned)(bits >> MODE_AT);
    unsigned mode = mode_of(code);
    if (version != VERSION)
        return base_refuse(diag, RULE_TCGEN_MMA_SHARED, 0,
                           "descriptor %016llx of %s: bits 46 to 48 are %u, must be 1%s",
                           (unsigned long long)bits, name, version,
                           version ? "" : "; is it a descriptor of wgmma?");
    if (bits & reserved)
        return base_refuse(diag, RULE_TCGEN_MMA_SHARED, 0,
                           "descriptor %016llx of %s: bits %016llx must be 0",
                           (unsigned long long)bits, name, (unsigned long long)(bits & reserved));
    if (mode == WSIM_SWIZZLES)
        return base_refuse(diag, RULE_TCGEN_MMA_SHARED, 0,
                           "descriptor %016llx of %s: the swizzle is %u, must be 0, 1, 2, 4 or 6",
                           (unsigned long long)bits, name, code);
    if (bits >> ABSOLUTE_AT & 1)
        return base_refuse(diag, RULE_TCGEN_MMA_OPEN, 0,
                           "descriptor %016llx of %s: the leading offset is an absolute address; "
                           "no source says how it is used",
                           (unsigned long long)bits, name);
    *d = (struct wsim_descriptor){
        .start = field_of(bits, 0),
        .leading = field_of(bits, WSIM_DESCRIPTOR_LEADING),
        .stride = field_of(bits, WSIM_DESCRIPTOR_STRIDE),
        .base_offset = (uint8_t)(bits >> WSIM_DESCRIPTOR_BASE & WSIM_DESCRIPTOR_BASES),
        .mode = (enum wsim_swizzle)mode};
    return WSIM_OK;
}

enum wsim_status wsim_umma_matrix_decode(uint64_t bits, struct wsim_descriptor *descriptor,
                                         struct wsim_diag *diag) {
    return umma_matrix_decode("a matrix", bits, descriptor, diag);
}

enum wsim_status wsim_umma_matrix_encode(const struct wsim_descriptor *descriptor, uint64_t *bits,
                                         struct wsim_diag *diag) {
    struct wsim_descriptor plain = *descriptor;
    unsigned code = NO_CODE;
    uint64_t made = 0;
    enum wsim_status status;
    plain.mode = WSIM_SWIZZLE_NONE;
    status = wsim_descriptor_encode(&plain, &made, diag);
    if (!status && (unsigned)descriptor->mode < WSIM_SWIZZLES)
        code = isa_swizzles[descriptor->mode].tcgen;
    if (!status && code == NO_CODE)
        return base_refuse(diag, RULE_DESCRIPTOR_SWIZZLE_UNKNOWN, 0,
                           "swizzle %s: a descriptor of tcgen05 takes NONE, 32B, 64B, 128B or "
                           "128B_ATOM_32B",
                           (unsigned)descriptor->mode < WSIM_SWIZZLES
                               ? wsim_swizzle_name(descriptor->mode)
                               : "of that number");
    if (!status)
        *bits = made | (uint64_t)VERSION << VERSION_AT | (uint64_t)code << MODE_AT;
    return status;
}

unsigned umma_narrow_bits(const struct wsim_umma *umma, const struct wsim_format *format) {
    int bytes = umma->kind == WSIM_UMMA_F8F6F4 || umma->kind == WSIM_UMMA_MXF8F6F4;
    return bytes && format->bits < 8 ? format->bits : 0;
}

enum wsim_status wsim_umma_tile(const struct wsim_umma *umma, uint32_t idesc,
                                enum wsim_operand operand, struct wsim_tile *tile,
                                struct wsim_diag *diag) {
    unsigned which = operand == WSIM_B, kept = 1;
    struct wsim_umma_shape shape;
    const struct wsim_format *format;
    enum wsim_status status = wsim_umma_decode(umma, idesc, &shape, diag);
    if (status)
        return status;
    if (operand != WSIM_A && operand != WSIM_B)
        return base_refuse(diag, RULE_TCGEN_MMA_FORM, 0,
                           "tcgen05.mma has A and B in shared memory, no other operand");
    format = which ? shape.b : shape.a;
    if (umma->sparse && !which)
        kept = 2;
    *tile = (struct wsim_tile){.rows = (uint16_t)((which ? shape.n : shape.m) / umma->blocks),
                               .k = (uint16_t)(shape.k / kept),
                               .bits = (uint8_t)(umma_narrow_bits(umma, format)    ? 8
                                                 : format->bits + format->pad > 16 ? 32
                                                                                   : format->bits),
                               .mn_major = shape.trans[which],
                               .format = format};
    return WSIM_OK;
}
