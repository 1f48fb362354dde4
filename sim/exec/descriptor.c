/* Matrix descriptors of wgmma: their bits, and the byte of each element. */
#include "descriptor.h"
#include "exec.h"

#include <wsim/both.h>

enum { UNIT = WSIM_DESCRIPTOR_UNIT, FIELD = WSIM_DESCRIPTOR_FIELD };

/* The bits that mean something. */
#define MEANT                                                                                      \
    (wsim_descriptor_pack((uint64_t)FIELD * UNIT, (uint64_t)FIELD * UNIT, (uint64_t)FIELD * UNIT,  \
                          WSIM_DESCRIPTOR_BASES, WSIM_DESCRIPTOR_MODES))

static enum wsim_status check_unit(const char *name, uint32_t bytes, struct wsim_diag *diag) {
    if (bytes % UNIT == 0)
        return WSIM_OK;
    return base_refuse(diag, RULE_DESCRIPTOR_FIELD_ALIGN, 0,
                       "%s 0x%x is not a multiple of 16 bytes, the unit it is stored in; nearest "
                       "below is 0x%x",
                       name, (unsigned)bytes, (unsigned)(bytes - bytes % UNIT));
}

static enum wsim_status check_range(const char *name, uint32_t bytes, struct wsim_diag *diag) {
    if (bytes / UNIT <= FIELD)
        return WSIM_OK;
    return base_refuse(diag, RULE_DESCRIPTOR_FIELD_RANGE, 0,
                       "%s 0x%x does not fit into 14 bits of 16-byte units: at most 0x%x", name,
                       (unsigned)bytes, FIELD * UNIT);
}

static enum wsim_status check_fields(const struct wsim_descriptor *d, struct wsim_diag *diag) {
    const struct {
        const char *name;
        uint32_t bytes;
    } fields[] = {
        {"start address", d->start}, {"leading offset", d->leading}, {"stride offset", d->stride}};
    enum wsim_status status = WSIM_OK;
    unsigned i;
    for (i = 0; i < 3 && !status; i++)
        status = check_unit(fields[i].name, fields[i].bytes, diag);
    for (i = 0; i < 3 && !status; i++)
        status = check_range(fields[i].name, fields[i].bytes, diag);
    if (!status && d->base_offset > WSIM_DESCRIPTOR_BASES)
        status = base_refuse(diag, RULE_DESCRIPTOR_BASE_RANGE, 0, "base offset %u, must be 0 to %d",
                             d->base_offset, WSIM_DESCRIPTOR_BASES);
    if (!status && ((unsigned)d->mode >= WSIM_SWIZZLES || isa_swizzles[d->mode].code == NO_CODE))
        status = base_refuse(diag, RULE_DESCRIPTOR_SWIZZLE_UNKNOWN, 0,
                             "swizzle %s: a descriptor of wgmma takes NONE, 32B, 64B or 128B",
                             (unsigned)d->mode < WSIM_SWIZZLES ? wsim_swizzle_name(d->mode)
                                                               : "of that number");
    return status;
}

enum wsim_status wsim_descriptor_encode(const struct wsim_descriptor *descriptor, uint64_t *bits,
                                        struct wsim_diag *diag) {
    enum wsim_status status = check_fields(descriptor, diag);
    if (status)
        return status;
    *bits = wsim_descriptor_pack(descriptor->start, descriptor->leading, descriptor->stride,
                                 descriptor->base_offset, isa_swizzles[descriptor->mode].code);
    return WSIM_OK;
}

static enum wsim_swizzle mode_of(unsigned code) {
    unsigned mode = 0;
    while (isa_swizzles[mode].code != code)
        mode++;
    return (enum wsim_swizzle)mode;
}

static uint32_t field_of(uint64_t bits, unsigned at) {
    return (uint32_t)(bits >> at & FIELD) * UNIT;
}

/* Bits just above a field are there when bytes were written into it. */
static enum wsim_status refuse_meaningless(uint64_t bits, struct wsim_diag *diag) {
    static const struct {
        const char *name;
        unsigned at, bits;
    } fields[] = {{"start address", WSIM_DESCRIPTOR_START, 16},
                  {"leading offset", WSIM_DESCRIPTOR_LEADING, 16},
                  {"stride offset", WSIM_DESCRIPTOR_STRIDE, 17}};
    unsigned long long odd = bits & ~MEANT;
    unsigned i;
    for (i = 0; i < 3; i++) {
        uint32_t value = (uint32_t)(bits >> fields[i].at & ((1u << fields[i].bits) - 1));
        if (value > FIELD && value % UNIT == 0)
            return base_refuse(diag, RULE_DESCRIPTOR_BITS_MEANINGLESS, 0,
                               "bits %016llx of the descriptor are unused and ignored; was "
                               "the %s 0x%x written in bytes? It is stored in units of 16, 0x%x",
                               odd, fields[i].name, (unsigned)value, (unsigned)(value / UNIT));
    }
    return base_refuse(diag, RULE_DESCRIPTOR_BITS_MEANINGLESS, 0,
                       "bits %016llx of the descriptor are unused and ignored", odd);
}

enum wsim_status wsim_descriptor_decode(uint64_t bits, struct wsim_descriptor *descriptor,
                                        struct wsim_diag *diag) {
    descriptor->start = field_of(bits, WSIM_DESCRIPTOR_START);
    descriptor->leading = field_of(bits, WSIM_DESCRIPTOR_LEADING);
    descriptor->stride = field_of(bits, WSIM_DESCRIPTOR_STRIDE);
    descriptor->base_offset = (uint8_t)(bits >> WSIM_DESCRIPTOR_BASE & WSIM_DESCRIPTOR_BASES);
    descriptor->mode = mode_of((unsigned)(bits >> WSIM_DESCRIPTOR_MODE));
    return bits & ~MEANT ? refuse_meaningless(bits, diag) : WSIM_OK;
}

/* --- a descriptor and the elements that it reads --- */

enum wsim_status wsim_wgmma_tile(const struct wsim_op *op, enum wsim_operand operand, int mn_major,
                                 struct wsim_tile *tile, struct wsim_diag *diag) {
    enum wsim_status status = isa_refuse_foreign(op, diag);
    struct isa_shape shape;
    unsigned bits;
    if (status)
        return status;
    if (isa_form(op)->family != WSIM_WGMMA || (operand != WSIM_A && operand != WSIM_B))
        return base_refuse(diag, RULE_OP_OPERAND_NONE, 0, "%s has no such operand in shared memory",
                           isa_op_called(op).text);
    bits = isa_op_type(op, operand == WSIM_A ? PLACE_A : PLACE_B)->bits;
    bits = bits > 16 ? 32 : bits; /* tf32 is stored in 32 */
    if (mn_major && !isa_form(op)->majors)
        return base_refuse(diag, RULE_WGMMA_MAJOR_OTHER, 0,
                           "%s is K-major only: only elements of 16 bits can be transposed, these "
                           "have %u; use a tile with neighbours along k",
                           isa_op_called(op).text, bits);
    shape = isa_op_shape(op);
    tile->format = isa_op_type(op, operand == WSIM_A ? PLACE_A : PLACE_B);
    tile->rows = operand == WSIM_A ? shape.m : shape.n;
    tile->k = operand == WSIM_A ? (uint16_t)isa_op_stored_k(op) : shape.k;
    tile->bits = (uint8_t)bits;
    tile->mn_major = mn_major != 0;
    return WSIM_OK;
}

unsigned descriptor_width(const struct wsim_descriptor *d) {
    return d->mode == WSIM_SWIZZLE_NONE ? UNIT : wsim_swizzle_span(d->mode);
}

/* Lines that lie one after another: a pattern of 32-byte atoms has four. */
static unsigned lines_of(const struct wsim_descriptor *d) {
    return d->mode == WSIM_SWIZZLE_128B_ATOM_32B ? DESCRIPTOR_LINES / 2 : DESCRIPTOR_LINES;
}

struct descriptor_steps descriptor_steps(const struct wsim_descriptor *d,
                                         const struct wsim_tile *tile, unsigned row, unsigned k) {
    unsigned width = descriptor_width(d);
    unsigned byte = (tile->mn_major ? row : k) * tile->bits / 8, line = tile->mn_major ? k : row;
    unsigned lines = lines_of(d);
    struct descriptor_steps steps = {byte % width + line % lines * width, byte / width,
                                     line / lines};
    return steps;
}

int descriptor_exchanged(const struct wsim_descriptor *d, const struct wsim_tile *tile) {
    return tile->mn_major && d->mode == WSIM_SWIZZLE_NONE;
}

/* Offsets of byte `byte` along the axis of neighbours, and of line `line` across it. */
static uint32_t along(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                      unsigned byte) {
    unsigned width = descriptor_width(d);
    return byte % width + byte / width * (descriptor_exchanged(d, tile) ? d->stride : d->leading);
}

static uint32_t across(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                       unsigned line) {
    unsigned lines = lines_of(d);
    return line % lines * descriptor_width(d) +
           line / lines * (descriptor_exchanged(d, tile) ? d->leading : d->stride);
}

uint32_t descriptor_row(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                        unsigned row) {
    return tile->mn_major ? along(d, tile, row * tile->bits / 8) : across(d, tile, row);
}

uint32_t descriptor_k(const struct wsim_descriptor *d, const struct wsim_tile *tile, unsigned k) {
    return tile->mn_major ? across(d, tile, k) : along(d, tile, k * tile->bits / 8);
}

uint32_t wsim_descriptor_address(const struct wsim_descriptor *descriptor,
                                 const struct wsim_tile *tile, unsigned row, unsigned k) {
    return descriptor_join(descriptor, descriptor_row(descriptor, tile, row),
                           descriptor_k(descriptor, tile, k));
}

/* The highest number that `n` rows (or k) of a matrix add to an address. The last one adds it, or
 * the last one before a step, as `each` lie between two steps. */
static uint32_t
most(uint32_t (*part)(const struct wsim_descriptor *, const struct wsim_tile *, unsigned),
     const struct wsim_descriptor *d, const struct wsim_tile *tile, unsigned n, unsigned each) {
    const uint32_t last = part(d, tile, n - 1);
    const uint32_t before = n > each ? part(d, tile, (n - 1) / each * each - 1) : 0;
    return last > before ? last : before;
}

/* A swizzle moves nothing out of its line, and all else only adds to the start: a tile whose ends
 * are inside is all inside. */
int descriptor_fits(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                    const struct wsim_memory *shared, uint64_t end) {
    const unsigned side = descriptor_width(d) * 8 / tile->bits, lines = lines_of(d);
    const unsigned rows = tile->mn_major ? side : lines, ks = tile->mn_major ? lines : side;
    uint64_t first = d->start / DESCRIPTOR_LINE * DESCRIPTOR_LINE;
    uint64_t last = (uint64_t)d->start + most(descriptor_row, d, tile, tile->rows, rows) +
                    most(descriptor_k, d, tile, tile->k, ks);
    uint64_t behind = (last / DESCRIPTOR_LINE + 1) * DESCRIPTOR_LINE;
    return behind <= end && memory_has(shared, first, behind - first);
}
