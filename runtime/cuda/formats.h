/* formats.h - formats of texels, for arrays and for textures. */
#ifndef WSIM_RUNTIME_FORMATS_H
#define WSIM_RUNTIME_FORMATS_H

#include "core/array.h"

/* Fills the channels of *shape from a CUarray_format. 0: they do not fit any format. */
int cu_read_format(int format, unsigned channels, struct wsim_array *shape);

/* The CUarray_format of a channel; 0: none. */
int cu_format_of(unsigned bits, unsigned kind);

#endif
