/* Matrix descriptors of wgmma: their bits, the byte of each element, and what is probably a slip.
 */
#include "exec.h"

#include <wsim/wgmma.h>

#include <string.h>

enum {
    UNIT = 16,        /* bytes: addresses and offsets are counted in it                   */
    LINE = 128,       /* bytes: the base offset is counted in it                          */
    FIELD = 0x3FFF,   /* largest count                                                    */
    LEADING_BIT = 16, /* where the fields start; the start address is lowest              */
    STRIDE_BIT = 32,
    BASE_BIT = 49,
    BASE = 7,
    MODE_BIT = 62,
    CORE_ROWS = 8,        /* rows that lie one after another                                  */
    BLOCK_BYTES = 232448, /* of shared memory that a block can have: 227 KiB                  */
    GRANULES = 2 * (FIELD + 1) + 4096
};

#define MEANT                                                                                      \
    ((uint64_t)FIELD | (uint64_t)FIELD << LEADING_BIT | (uint64_t)FIELD << STRIDE_BIT |            \
     (uint64_t)BASE << BASE_BIT | UINT64_C(3) << MODE_BIT)

static enum wsim_status check_unit(const char *name, uint32_t bytes, struct wsim_diag *diag) {
    if (bytes % UNIT == 0)
        return WSIM_OK;
    return base_refuse(diag, WSIM_ALIGN, 0,
                       "%s 0x%x is not a multiple of 16 bytes, the unit it is stored in; nearest "
                       "below is 0x%x",
                       name, (unsigned)bytes, (unsigned)(bytes - bytes % UNIT));
}

static enum wsim_status check_range(const char *name, uint32_t bytes, struct wsim_diag *diag) {
    if (bytes / UNIT <= FIELD)
        return WSIM_OK;
    return base_refuse(diag, WSIM_OPERAND, 0,
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
    if (!status && d->base_offset > BASE)
        status = base_refuse(diag, WSIM_OPERAND, 0, "base offset %u: it can be 0 to %d",
                             d->base_offset, BASE);
    if (!status && ((unsigned)d->mode >= WSIM_SWIZZLES || isa_swizzles[d->mode].code == NO_CODE))
        status = base_refuse(
            diag, WSIM_OPERAND, 0, "swizzle %s: a descriptor of wgmma has NONE, 32B, 64B or 128B",
            (unsigned)d->mode < WSIM_SWIZZLES ? wsim_swizzle_name(d->mode) : "of that number");
    return status;
}

enum wsim_status wsim_descriptor_encode(const struct wsim_descriptor *descriptor, uint64_t *bits,
                                        struct wsim_diag *diag) {
    enum wsim_status status = check_fields(descriptor, diag);
    if (status)
        return status;
    *bits = descriptor->start / UNIT | (uint64_t)(descriptor->leading / UNIT) << LEADING_BIT |
            (uint64_t)(descriptor->stride / UNIT) << STRIDE_BIT |
            (uint64_t)descriptor->base_offset << BASE_BIT |
            (uint64_t)isa_swizzles[descriptor->mode].code << MODE_BIT;
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

enum wsim_status wsim_descriptor_decode(uint64_t bits, struct wsim_descriptor *descriptor,
                                        struct wsim_diag *diag) {
    descriptor->start = field_of(bits, 0);
    descriptor->leading = field_of(bits, LEADING_BIT);
    descriptor->stride = field_of(bits, STRIDE_BIT);
    descriptor->base_offset = (uint8_t)(bits >> BASE_BIT & BASE);
    descriptor->mode = mode_of((unsigned)(bits >> MODE_BIT));
    if (bits & ~MEANT)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "bits %016llx of the descriptor mean nothing: they must be 0",
                           (unsigned long long)(bits & ~MEANT));
    return WSIM_OK;
}

/* --- a descriptor and what is read through it --- */

enum wsim_status wsim_wgmma_tile(const struct wsim_op *op, enum wsim_operand operand, int mn_major,
                                 struct wsim_tile *tile, struct wsim_diag *diag) {
    enum wsim_status status = isa_refuse_foreign(op, diag);
    struct isa_shape shape;
    if (status)
        return status;
    if (isa_form(op)->family != WSIM_WGMMA || (operand != WSIM_A && operand != WSIM_B))
        return base_refuse(diag, WSIM_ILLEGAL, 0, "%s has no operand that a descriptor names so",
                           isa_form(op)->name);
    if (mn_major && !isa_form(op)->majors)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "%s is K-major only: only elements of 16 bits can be transposed",
                           isa_form(op)->name);
    shape = isa_op_shape(op);
    tile->format = isa_op_type(op, operand == WSIM_A ? PLACE_A : PLACE_B);
    tile->rows = operand == WSIM_A ? shape.m : shape.n;
    tile->k = operand == WSIM_A ? (uint16_t)isa_op_stored_k(op) : shape.k;
    tile->bits = tile->format->bits > 16 ? 32 : tile->format->bits; /* tf32 is held in 32 */
    tile->mn_major = mn_major != 0;
    return WSIM_OK;
}

/* Neighbours along the major axis are together up to `width` bytes; the other axis has eight such
 * lines one after another. What lies beyond, on either axis, is a step away. */
struct steps {
    uint32_t inside;
    unsigned along, across; /* steps on the axis of neighbours, and on the other             */
};

static struct steps steps_of(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                             unsigned row, unsigned k) {
    unsigned width = d->mode == WSIM_SWIZZLE_NONE ? UNIT : wsim_swizzle_span(d->mode);
    unsigned byte = (tile->mn_major ? row : k) * tile->bits / 8, line = tile->mn_major ? k : row;
    struct steps steps = {byte % width + line % CORE_ROWS * width, byte / width, line / CORE_ROWS};
    return steps;
}

/* Without a swizzle an MN-major matrix has the roles of the two offsets exchanged. */
static int exchanged(const struct wsim_descriptor *d, const struct wsim_tile *tile) {
    return tile->mn_major && d->mode == WSIM_SWIZZLE_NONE;
}

/* The base offset moves the pattern up by so many lines: they take no part in the XOR. */
uint32_t wsim_descriptor_address(const struct wsim_descriptor *descriptor,
                                 const struct wsim_tile *tile, unsigned row, unsigned k) {
    struct steps steps = steps_of(descriptor, tile, row, k);
    uint32_t along = descriptor->leading, across = descriptor->stride;
    uint32_t moved = descriptor->base_offset * (uint32_t)LINE;
    if (exchanged(descriptor, tile)) {
        along = descriptor->stride;
        across = descriptor->leading;
    }
    return wsim_swizzle(descriptor->mode, descriptor->start + steps.inside + steps.along * along +
                                              steps.across * across - moved) +
           moved;
}

/* --- advice --- */

static int advise_ignored(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                          int leading, struct wsim_diag *advice) {
    struct steps last = steps_of(d, tile, tile->rows - 1u, tile->k - 1u);
    unsigned steps = leading != exchanged(d, tile) ? last.along : last.across;
    uint32_t bytes = leading ? d->leading : d->stride;
    if (steps || bytes <= UNIT) /* libraries write 0 or 1 where it has no meaning */
        return 0;
    base_refuse(advice, WSIM_OK, 0,
                "%s offset 0x%x is ignored in this mode: %s-major, swizzle %s, %u rows of %u k "
                "take no such step",
                leading ? "leading" : "stride", (unsigned)bytes, tile->mn_major ? "MN" : "K",
                wsim_swizzle_name(d->mode), tile->rows, tile->k);
    return 1;
}

static int advise_leading(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                          struct wsim_diag *advice) {
    return advise_ignored(d, tile, 1, advice);
}

static int advise_stride(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                         struct wsim_diag *advice) {
    return advise_ignored(d, tile, 0, advice);
}

static int advise_base(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                       struct wsim_diag *advice) {
    unsigned period = wsim_swizzle_period(d->mode);
    (void)tile;
    if (d->mode == WSIM_SWIZZLE_NONE || d->start % period == 0)
        return 0;
    base_refuse(advice, WSIM_OK, 0,
                "start 0x%x is not aligned to the swizzle repeat: the pattern of %s starts at "
                "multiples of %u, so this is line %u, byte %u of a tile",
                (unsigned)d->start, wsim_swizzle_name(d->mode), period,
                d->start % period / wsim_swizzle_span(d->mode),
                d->start % wsim_swizzle_span(d->mode));
    return 1;
}

/* Pieces of 16 bytes: how many elements along k, or along the rows, one holds. */
static unsigned piece(const struct wsim_tile *tile) {
    return UNIT * 8u / tile->bits;
}

static int advise_overlap(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                          struct wsim_diag *advice) {
    uint8_t seen[4096]; /* a bit for each 16 bytes of memory, in turn */
    unsigned base, row, k, each = piece(tile);
    for (base = 0; base < 4u << 18; base += sizeof seen * 8 * UNIT) {
        memset(seen, 0, sizeof seen);
        for (row = 0; row < tile->rows; row += tile->mn_major ? each : 1)
            for (k = 0; k < tile->k; k += tile->mn_major ? 1 : each) {
                uint32_t address = wsim_descriptor_address(d, tile, row, k);
                uint32_t at = (address - base) / UNIT;
                if (address < base || at >= sizeof seen * 8)
                    continue;
                if (seen[at / 8] >> at % 8 & 1) {
                    base_refuse(advice, WSIM_OK, 0,
                                "row %u, k %u lies at 0x%x, where another element lies too: the "
                                "offsets are less than what they step over",
                                row, k, (unsigned)address);
                    return 1;
                }
                seen[at / 8] |= (uint8_t)(1u << at % 8);
            }
    }
    return 0;
}

static int advise_end(const struct wsim_descriptor *d, const struct wsim_tile *tile,
                      struct wsim_diag *advice) {
    unsigned row, k;
    for (row = 0; row < tile->rows; row++)
        for (k = 0; k < tile->k; k++) {
            uint32_t address = wsim_descriptor_address(d, tile, row, k);
            if (address < BLOCK_BYTES)
                continue;
            base_refuse(advice, WSIM_OK, 0,
                        "row %u, k %u lies at 0x%x: a block has at most 0x%x bytes (227 KiB)", row,
                        k, (unsigned)address, BLOCK_BYTES);
            return 1;
        }
    return 0;
}

int wsim_descriptor_advice(const struct wsim_descriptor *descriptor, const struct wsim_tile *tile,
                           uint32_t *cursor, struct wsim_diag *advice) {
    static int (*const all[])(const struct wsim_descriptor *, const struct wsim_tile *,
                              struct wsim_diag *) = {advise_leading, advise_stride, advise_base,
                                                     advise_overlap, advise_end};
    while (*cursor < sizeof all / sizeof all[0])
        if (all[(*cursor)++](descriptor, tile, advice))
            return 1;
    return 0;
}
