/* A descriptor against the tensor copy that filled its tile: each element, where the copy puts it
 * and where the descriptor reads it. */
#include "desc.h"

#include <stdarg.h>
#include <string.h>

static void say(struct wsim_diag *diag, const char *format, ...) {
    size_t used = strlen(diag->text);
    va_list args;
    va_start(args, format);
    vsnprintf(diag->text + used, sizeof diag->text - used, format, args);
    va_end(args);
}

/* Where the tile begins in the box: the row, and the byte of it. */
struct corner {
    uint64_t row;
    uint32_t byte;
};

/* `row`: of eight lines and more the stride is a part. */
static void explain(const struct tma_copy *load, const struct wsim_descriptor *d, unsigned row,
                    struct wsim_diag *why) {
    unsigned width = d->mode == WSIM_SWIZZLE_NONE ? TMA_PIECE : wsim_swizzle_span(d->mode);
    if (load->tensor.swizzle != d->mode)
        say(why, ": the map swizzles %s, the descriptor %s",
            wsim_swizzle_name(load->tensor.swizzle), wsim_swizzle_name(d->mode));
    else if (load->tile.pitch != width)
        say(why, ": rows of the box are %u bytes, lines of the descriptor %u",
            (unsigned)load->tile.pitch, width);
    else if (d->base_offset)
        say(why, ": a copy swizzles by address, base offset 0");
    else if (row >= 8 && d->stride != 8 * load->tile.pitch)
        say(why, ": eight rows of the box take 0x%x, the stride offset is 0x%x",
            (unsigned)(8 * load->tile.pitch), (unsigned)d->stride);
}

/* One element; 0 if it is where the copy puts it, or not in the box. */
static int is_elsewhere(const struct tma_copy *load, const struct wsim_descriptor *d,
                        const struct wsim_tile *tile, struct corner at, unsigned row, unsigned k,
                        struct desc_against *against) {
    uint64_t line = at.row + (tile->mn_major ? k : row);
    uint32_t byte = at.byte + (tile->mn_major ? row : k) * tile->bits / 8u;
    uint32_t address = wsim_descriptor_address(d, tile, row, k);
    struct wsim_bulk_place place;
    if (line >= load->tile.rows || byte >= load->tile.inner)
        return 0;
    against->inside++;
    if (wsim_bulk_locate(&load->op, load->arch, &load->io, line, byte, &place, &against->why))
        return 1;
    if (place.shared == address)
        return 0;
    say(&against->why, "row %u, k %u: the copy puts it at 0x%x, the descriptor reads 0x%x", row, k,
        (unsigned)place.shared, (unsigned)address);
    explain(load, d, tile->mn_major ? k : row, &against->why);
    return 1;
}

void desc_compare(const struct tma_copy *load, const struct wsim_descriptor *d,
                  const struct wsim_tile *tile, struct desc_against *against) {
    uint32_t from = load->io.shared_at, offset = d->start - from;
    struct corner at = {offset / load->tile.pitch, offset % load->tile.pitch};
    unsigned row, k;
    memset(against, 0, sizeof *against);
    against->elements = (unsigned)tile->rows * tile->k;
    if (d->start < from || offset >= load->tile.room) {
        against->wrong = 1;
        say(&against->why, "start 0x%x lies outside of the copy's tile, 0x%x to before 0x%x",
            (unsigned)d->start, (unsigned)from, (unsigned)(from + load->tile.room));
        return;
    }
    for (row = 0; row < tile->rows && !against->wrong; row++)
        for (k = 0; k < tile->k && !against->wrong; k++)
            against->wrong = is_elsewhere(load, d, tile, at, row, k, against);
}
