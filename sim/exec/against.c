/* A descriptor against the tensor load that filled its tile: each element, where the copy puts it
 * and where the descriptor reads it. */
#include "descriptor.h"
#include "exec.h"

#include <wsim/bulk.h>

/* The box of the copy, and where in it the tile begins: at which of its rows, at which byte. */
struct subject {
    const struct wsim_descriptor *d;
    const struct wsim_tile *tile;
    struct wsim_tensor tensor;
    struct wsim_tensor_tile box;
    uint32_t byte;
    uint64_t row;
};

/* Names the first difference that explains the mismatch; either side alone may be right. The
 * stride takes part from line 8 (`line`) on. */
static void explain(const struct subject *s, unsigned line, struct base_text *text) {
    unsigned width = descriptor_width(s->d);
    if (s->tensor.swizzle != s->d->mode)
        base_put(text, ": the map swizzles %s, the descriptor %s",
                 wsim_swizzle_name(s->tensor.swizzle), wsim_swizzle_name(s->d->mode));
    else if (s->box.pitch != width)
        base_put(text, ": rows of the box are %u bytes, lines of the descriptor %u",
                 (unsigned)s->box.pitch, width);
    else if (s->d->base_offset)
        base_put(text, ": a copy swizzles by address, base offset 0");
    else if (line >= DESCRIPTOR_LINES && s->d->stride != DESCRIPTOR_LINES * s->box.pitch)
        base_put(text, ": eight rows of the box take 0x%x, the stride offset is 0x%x",
                 (unsigned)(DESCRIPTOR_LINES * s->box.pitch), (unsigned)s->d->stride);
}

static void tell(const struct subject *s, const struct wsim_descriptor_match *found,
                 struct wsim_diag *diag) {
    char because[128] = "";
    struct base_text text = {because, sizeof because, 0};
    explain(s, s->tile->mn_major ? found->k : found->row, &text);
    base_refuse(diag, RULE_ADVICE_COPY_ELSEWHERE, 0,
                "row %u, k %u: the copy puts it at 0x%x, the descriptor reads 0x%x%s", found->row,
                found->k, (unsigned)found->copied, (unsigned)found->read, because);
}

/* Elements in order of rows, up to the first that lies elsewhere; those beyond the box are left. */
static enum wsim_status compare(const struct subject *s, const struct wsim_op *load,
                                const struct wsim_arch *arch, const struct wsim_bulk *bulk,
                                struct wsim_descriptor_match *found, struct wsim_diag *diag) {
    const struct wsim_tile *tile = s->tile;
    for (unsigned i = 0; i < found->elements && !found->differs; i++) {
        unsigned row = i / tile->k, k = i % tile->k;
        uint64_t line = s->row + (tile->mn_major ? k : row);
        uint32_t byte = s->byte + (tile->mn_major ? row : k) * tile->bits / 8u;
        struct wsim_bulk_place place;
        enum wsim_status status;
        if (line >= s->box.rows || byte >= s->box.inner)
            continue;
        status = wsim_bulk_locate(load, arch, bulk, line, byte, &place, diag);
        if (status)
            return status;
        found->inside++;
        uint32_t read = wsim_descriptor_address(s->d, tile, row, k);
        if (place.shared == read)
            continue;
        found->differs = 1;
        found->row = (uint16_t)row;
        found->k = (uint16_t)k;
        found->copied = place.shared;
        found->read = read;
    }
    return WSIM_OK;
}

enum wsim_status wsim_descriptor_compare(const struct wsim_descriptor *descriptor,
                                         const struct wsim_tile *tile, const struct wsim_op *load,
                                         const struct wsim_arch *arch, const struct wsim_bulk *bulk,
                                         struct wsim_descriptor_match *match,
                                         struct wsim_diag *diag) {
    struct subject s = {.d = descriptor, .tile = tile};
    struct wsim_descriptor_match found = {.elements = (uint32_t)tile->rows * tile->k};
    struct wsim_bulk_place place;
    uint32_t from = bulk->shared_at, offset = descriptor->start - from;
    enum wsim_status status = wsim_bulk_locate(load, arch, bulk, 0, 0, &place, diag);
    if (!status)
        status = wsim_tensor_decode(bulk->map, &s.tensor, diag);
    if (status)
        return status;
    s.box = wsim_tensor_measure(&s.tensor);
    if (descriptor->start < from || offset >= s.box.room) {
        found.differs = 1;
        *match = found;
        base_refuse(diag, RULE_ADVICE_COPY_ELSEWHERE, 0,
                    "start 0x%x is outside the tile of the copy, [0x%x, 0x%x)",
                    (unsigned)descriptor->start, (unsigned)from, (unsigned)(from + s.box.room));
        return WSIM_OK;
    }
    s.row = offset / s.box.pitch;
    s.byte = offset % s.box.pitch;
    status = compare(&s, load, arch, bulk, &found, diag);
    if (status)
        return status;
    if (found.differs)
        tell(&s, &found, diag);
    *match = found;
    return WSIM_OK;
}
