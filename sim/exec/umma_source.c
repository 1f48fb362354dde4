/* Matrices of tcgen05.mma in shared memory, through 64-bit matrix descriptors. */
#include "umma.h"

/* Elements that share an address. Sixteen narrow ones have 16 bytes, of which they fill the first.
 */
static unsigned sharing(const struct umma_source *source) {
    return source->narrow ? DESCRIPTOR_UNIT : source->tile.bits < 8 ? 8u / source->tile.bits : 1;
}

static uint32_t place(const struct umma_source *source, unsigned row, unsigned k) {
    return wsim_descriptor_address(&source->descriptor, &source->tile, row, k);
}

uint64_t umma_read(const struct umma_source *source, unsigned row, unsigned k) {
    unsigned first = k / sharing(source) * sharing(source);
    unsigned bits = source->narrow ? source->narrow : source->tile.bits, bit = (k - first) * bits;
    uint64_t word =
        memory_get(source->shared, place(source, row, first) + bit / 8, (bit % 8 + bits + 7) / 8);
    return word >> bit % 8 & ((UINT64_C(1) << bits) - 1);
}

/* Steps in which 16 bytes lie together: along k, or along the rows of an MN-major matrix. */
struct pieces {
    unsigned rows, k;
};

static struct pieces pieces_of(const struct wsim_tile *tile) {
    unsigned piece = DESCRIPTOR_UNIT * 8u / tile->bits;
    struct pieces pieces = {tile->mn_major ? piece : 1, tile->mn_major ? 1 : piece};
    return pieces;
}

static enum wsim_status check_piece(const struct umma_source *source, uint32_t shared_end,
                                    unsigned row, unsigned k, struct wsim_diag *diag) {
    const struct wsim_memory *shared = source->shared;
    uint32_t at = place(source, row, k);
    if (memory_has(shared, at, DESCRIPTOR_UNIT) && (uint64_t)at + DESCRIPTOR_UNIT <= shared_end)
        return WSIM_OK;
    return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                       "%s, row %u, k %u: address 0x%x is outside shared memory, [0x%x, 0x%x)",
                       source->name, row, k, (unsigned)at, (unsigned)shared->base,
                       (unsigned)(shared->base + shared->size));
}

/* Checks that a swizzle and a tile go together: atoms of 32 bytes are for MN-major tf32, which
 * needs them. */
static enum wsim_status check_atoms(const struct umma_source *source, uint64_t bits,
                                    struct wsim_diag *diag) {
    int atoms = source->descriptor.mode == WSIM_SWIZZLE_128B_ATOM_32B;
    int wanted = source->tile.bits == 32 && source->tile.mn_major;
    if (atoms == wanted)
        return WSIM_OK;
    return base_refuse(diag, RULE_TCGEN_MMA_SHARED, 0,
                       wanted ? "descriptor %016llx of %s: MN-major tf32 needs the swizzle of "
                                "32-byte atoms"
                              : "descriptor %016llx of %s: the swizzle of 32-byte atoms is for "
                                "MN-major tf32 only",
                       (unsigned long long)bits, source->name);
}

enum wsim_status umma_open(const char *name, uint64_t bits, const struct wsim_memory *shared,
                           uint32_t shared_end, const struct wsim_tile *tile, unsigned narrow,
                           struct umma_source *source, struct wsim_diag *diag) {
    struct pieces pieces = pieces_of(tile);
    enum wsim_status status = memory_need(shared, WSIM_SHARED, diag);
    *source = (struct umma_source){
        .name = name, .shared = shared, .tile = *tile, .narrow = (uint8_t)narrow};
    if (!status)
        status = umma_matrix_decode(name, bits, &source->descriptor, diag);
    if (!status)
        status = check_atoms(source, bits, diag);
    if (!status && descriptor_fits(&source->descriptor, tile, shared, shared_end))
        return WSIM_OK;
    for (unsigned row = 0; row < tile->rows && !status; row += pieces.rows)
        for (unsigned k = 0; k < tile->k && !status; k += pieces.k)
            status = check_piece(source, shared_end, row, k, diag);
    return status;
}

const uint8_t *umma_piece(const struct umma_source *source, unsigned row, unsigned k) {
    return memory_at(source->shared, place(source, row, k));
}

void umma_tell_source(const struct umma_source *source, const struct wsim_io *io) {
    struct pieces pieces = pieces_of(&source->tile);
    unsigned bytes = source->narrow ? source->narrow * DESCRIPTOR_UNIT / 8u : DESCRIPTOR_UNIT;
    if (!source->shared->watch)
        return;
    for (unsigned row = 0; row < source->tile.rows; row += pieces.rows)
        for (unsigned k = 0; k < source->tile.k; k += pieces.k)
            exec_tell(io, source->shared, place(source, row, k), bytes, WSIM_NO_LANE,
                      WSIM_TOUCH_READ);
}
