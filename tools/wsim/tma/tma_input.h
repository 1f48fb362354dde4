/* tma_input.h - the parameters of a tensor map, from the command line or a file. */
#ifndef WSIM_TMA_INPUT_H
#define WSIM_TMA_INPUT_H

#include "../common/tool.h"

/* The parameters, as options and as members of a file; in the order of the help. */
enum tma_parameter {
    TMA_DTYPE,
    TMA_DIMS,
    TMA_STRIDES,
    TMA_BOX,
    TMA_ESTRIDES,
    TMA_LOWER,
    TMA_UPPER,
    TMA_CHANNELS,
    TMA_PIXELS,
    TMA_BASE,
    TMA_INTERLEAVE,
    TMA_SWIZZLE,
    TMA_L2,
    TMA_OOB,
    TMA_PARAMETERS
};

/* The parameters of `file` (NULL: none; "-": standard input) and of the command line (NULL: not
 * given), which win. A map is im2col if it has a corner, channels or pixels. */
void tma_read(const char *file, char *const option[TMA_PARAMETERS], struct wsim_tensor *tensor);

/* Notes the strides of a map that was given none. */
void tma_note_strides(const struct wsim_tensor *tensor);

#endif
