/* The extent of one copy: its elements, and their room in shared memory. */
#include "tensor.h"

/* Dimension 0 of an interleaved map counts slices; the last but one selects a slice. */
static void tiled_extents(const struct wsim_tensor *t, struct wsim_tensor_tile *tile) {
    int slices = t->interleave != WSIM_TENSOR_INTERLEAVE_NONE;
    for (uint32_t i = 0; i < t->rank; i++) {
        uint32_t every = i == 0 && !slices ? 1 : t->estrides[i];
        tile->extent[i] = (t->box[i] + every - 1) / every;
        if (slices && i + 2 == t->rank)
            tile->extent[i] = 1;
    }
}

static void im2col_extents(const struct wsim_tensor *t, struct wsim_tensor_tile *tile) {
    tile->extent[0] = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE ? t->channels : 1;
    tile->extent[1] = tensor_pixels(t);
    tile->extent[2] = tile->extent[3] = tile->extent[4] = 1;
}

/* The bytes of a row in global memory: shared memory adds padding to some types. */
static uint32_t data_bytes(const struct wsim_tensor *t, uint32_t elements) {
    return elements * tensor_types[t->dtype].memory_bits / 8;
}

struct wsim_tensor_tile wsim_tensor_measure(const struct wsim_tensor *tensor) {
    const unsigned slice = tensor_interleaves[tensor->interleave].slice;
    struct wsim_tensor_tile tile = {{0}, 0, 0, 0, 1, 0, 0, 0, 0};
    tile.span = wsim_swizzle_span(tensor->swizzle);
    tile.repeat = tile.span ? wsim_swizzle_period(tensor->swizzle) : 0;
    tile.element_bits = slice ? 8 * slice : tensor_types[tensor->dtype].bits;
    if (tensor->mode == WSIM_TENSOR_TILED)
        tiled_extents(tensor, &tile);
    else
        im2col_extents(tensor, &tile);
    for (uint32_t i = 1; i < WSIM_TENSOR_RANK; i++)
        tile.rows *= tile.extent[i] ? tile.extent[i] : 1;
    tile.inner = tile.extent[0] * tile.element_bits / 8;
    tile.pitch = tile.span && !slice ? tile.span : tile.inner;
    tile.bytes = tile.rows * (slice ? tile.inner : data_bytes(tensor, tile.extent[0]));
    tile.room = (tile.rows - 1) * tile.pitch + tile.inner;
    if (tile.span) /* the last row is moved within it */
        tile.room = (tile.room + tile.span - 1) / tile.span * tile.span;
    return tile;
}
