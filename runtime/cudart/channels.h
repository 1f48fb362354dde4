/* channels.h - formats of texels, for arrays and for textures. */
#ifndef WSIM_RUNTIME_CHANNELS_H
#define WSIM_RUNTIME_CHANNELS_H

#include "cudart.h"

#include "core/array.h"

typedef struct wsimrt_array *cudaArray_t;

struct channel_desc { /* cudaChannelFormatDesc: bits of each channel; kind 0 signed, 1 unsigned, 2
                         float */
    int x, y, z, w, kind;
};

/* Fills the channels of *shape. 0: they do not fit any format. */
int rt_read_channels(const struct channel_desc *desc, struct wsim_array *shape);

struct channel_desc rt_channels_of(const struct wsim_array *shape);

static inline size_t rt_texel(const struct wsim_array *shape) {
    return (size_t)shape->channels * shape->bits / 8;
}

#endif
