/* Descriptors of a tile in shared memory, one for each step along k; see suggest.h. */
#include "../../sim/base/base.h"

#include <wsim/harness/suggest.h>

enum { LINES = 8, STEP_BYTES = 32, CORE = 16 };

/* Bytes of a line: the span of the swizzle. */
static uint32_t line_of(enum wsim_swizzle mode) {
    return wsim_swizzle_span(mode) ? wsim_swizzle_span(mode) : CORE;
}

static enum wsim_status check(const struct wsim_tile *t, enum wsim_swizzle mode,
                              struct wsim_diag *diag) {
    const uint32_t line = line_of(mode), each = t->bits ? STEP_BYTES * 8u / t->bits : 0;
    const uint32_t along = (t->mn_major ? t->rows : t->k) * t->bits / 8u;
    if (!each || (t->mn_major && t->bits != 16))
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0,
                           "MN-major elements have 16 bits, and these have %u", t->bits);
    if (t->rows == 0 || t->rows % LINES)
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0, "%u rows: a tile has a multiple of %d",
                           t->rows, LINES);
    if (t->k == 0 || t->k % each)
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0,
                           "k of %u: one instruction takes %u, so it is a multiple of that", t->k,
                           (unsigned)each);
    if (along % line)
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0,
                           "%s of %u are %u bytes: lines of %s have %u", t->mn_major ? "rows" : "k",
                           t->mn_major ? t->rows : t->k, (unsigned)along, wsim_swizzle_name(mode),
                           (unsigned)line);
    return WSIM_OK;
}

/* The byte of an element without swizzle: lines follow each other, blocks of lines too. */
static uint32_t byte_of(const struct wsim_tile *t, uint32_t line, uint32_t row, uint32_t k) {
    const uint32_t along = (t->mn_major ? row : k) * t->bits / 8u, across = t->mn_major ? k : row;
    const uint32_t lines = t->mn_major ? t->k : t->rows;
    return along / line * lines * line + across * line + along % line;
}

/* Without a swizzle an MN-major tile has the two offsets exchanged. */
static struct wsim_descriptor descriptor_of(const struct wsim_tile *t, uint32_t at,
                                            enum wsim_swizzle mode, uint32_t first) {
    const uint32_t line = line_of(mode), block = (t->mn_major ? t->k : t->rows) * line;
    const uint32_t along = t->mn_major ? t->rows * t->bits / 8u : STEP_BYTES;
    struct wsim_descriptor d = {.mode = mode};
    d.start = at + byte_of(t, line, 0, first);
    d.stride = LINES * line;
    d.leading = along > line ? block : 0;
    if (t->mn_major && mode == WSIM_SWIZZLE_NONE) {
        d.leading = d.stride;
        d.stride = along > line ? block : 0;
    }
    return d;
}

/* --- tcgen05 --- */

/* Lines of an atom that lie one after another: 4 where a swizzle moves 32 bytes at a time. */
static uint32_t lines_of(enum wsim_swizzle mode) {
    return mode == WSIM_SWIZZLE_128B_ATOM_32B ? 4 : LINES;
}

/* Atoms follow each other along the rows, then along k. */
static struct wsim_descriptor atoms_of(const struct wsim_tile *t, uint32_t at,
                                       enum wsim_swizzle mode, uint32_t first) {
    const uint32_t line = line_of(mode), atom = lines_of(mode) * line, byte = first * t->bits / 8u;
    const uint32_t across = t->mn_major ? t->rows * t->bits / 8u / line * atom : t->rows * line;
    struct wsim_descriptor d = {.mode = mode, .stride = atom, .leading = CORE};
    d.start =
        at + (t->mn_major ? first / lines_of(mode) * across : byte / line * across + byte % line);
    if (mode == WSIM_SWIZZLE_NONE) {
        d.leading = across;
    } else if (t->mn_major) {
        d.leading = across > atom ? atom : 0;
        d.stride = across;
    }
    return d;
}

static enum wsim_status check_atoms(const struct wsim_tile *t, enum wsim_swizzle mode,
                                    struct wsim_diag *diag) {
    const uint32_t each = t->bits ? STEP_BYTES * 8u / t->bits : 0, line = line_of(mode);
    const uint32_t along = (t->mn_major ? t->rows : t->k) * t->bits / 8u;
    if (t->mn_major && t->bits < 8)
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0,
                           "elements that share a byte are K-major, and these are MN-major");
    if (t->rows == 0 || t->rows % LINES || !each || t->k == 0 || t->k % each || along % line)
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0,
                           "%u rows of %u k: rows are a multiple of 8, k of %u, and %s fill lines "
                           "of %u bytes",
                           t->rows, t->k, (unsigned)each, t->mn_major ? "rows" : "k",
                           (unsigned)line);
    return WSIM_OK;
}

/* A kind of descriptors: its rules for tiles, a descriptor of the elements from `first` of k on,
 * and its bits. */
struct kind {
    enum wsim_status (*check)(const struct wsim_tile *tile, enum wsim_swizzle mode,
                              struct wsim_diag *diag);
    struct wsim_descriptor (*of)(const struct wsim_tile *tile, uint32_t at, enum wsim_swizzle mode,
                                 uint32_t first);
    enum wsim_status (*encode)(const struct wsim_descriptor *descriptor, uint64_t *bits,
                               struct wsim_diag *diag);
};

static enum wsim_status suggest(const struct kind *kind, const struct wsim_tile *tile, uint32_t at,
                                enum wsim_swizzle mode, uint32_t step,
                                struct wsim_descriptor *descriptor, uint64_t *bits,
                                struct wsim_diag *diag) {
    const uint32_t each = tile->bits ? STEP_BYTES * 8u / tile->bits : 0, first = step * each;
    enum wsim_status status = kind->check(tile, mode, diag);
    struct wsim_descriptor d;
    if (status)
        return status;
    if (first >= tile->k)
        return base_refuse(diag, RULE_SUGGEST_TILE_SHAPE, 0, "step %u: a k of %u has %u steps",
                           (unsigned)step, tile->k, (unsigned)(tile->k / each));
    d = kind->of(tile, at, mode, first);
    status = kind->encode(&d, bits, diag);
    if (!status)
        *descriptor = d;
    return status;
}

enum wsim_status wsim_suggest_descriptor(const struct wsim_tile *tile, uint32_t at,
                                         enum wsim_swizzle mode, uint32_t step,
                                         struct wsim_descriptor *descriptor, uint64_t *bits,
                                         struct wsim_diag *diag) {
    static const struct kind kind = {check, descriptor_of, wsim_descriptor_encode};
    return suggest(&kind, tile, at, mode, step, descriptor, bits, diag);
}

enum wsim_status wsim_suggest_umma(const struct wsim_tile *tile, uint32_t at,
                                   enum wsim_swizzle mode, uint32_t step,
                                   struct wsim_descriptor *descriptor, uint64_t *bits,
                                   struct wsim_diag *diag) {
    static const struct kind kind = {check_atoms, atoms_of, wsim_umma_matrix_encode};
    return suggest(&kind, tile, at, mode, step, descriptor, bits, diag);
}
