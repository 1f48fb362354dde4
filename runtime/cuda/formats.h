/* formats.h - formats of texels, for arrays and for textures. */
#ifndef WSIM_RUNTIME_FORMATS_H
#define WSIM_RUNTIME_FORMATS_H

#include "core/array.h"

/* Fills the channels of *shape from a CUarray_format. 0: they do not fit any format. */
int cu_read_format(int format, unsigned channels, struct wsim_array *shape);

/* The CUarray_format of a channel; 0: none. */
int cu_format_of(unsigned bits, unsigned kind);

/* CU_TRSF_...: how a texture reads its texels. */
enum {
    CU_AS_INTEGER = 1,
    CU_NORMALIZED = 2,
    CU_SRGB = 0x10,
    CU_NO_TRILINEAR = 0x20,
    CU_SEAMLESS = 0x40,
    CU_SAMPLER_FLAGS = CU_AS_INTEGER | CU_NORMALIZED | CU_SRGB | CU_NO_TRILINEAR | CU_SEAMLESS
};

/* Fills the fields of a sampler that flags stand for, and the flags of a sampler. */
void cu_read_flags(unsigned flags, struct wsimrt_sampler *sampler);
unsigned cu_flags_of(const struct wsimrt_sampler *sampler);

#endif
