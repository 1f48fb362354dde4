/* tma_input.h - the parameters of a tensor map, from the command line or a file. */
#ifndef WSIM_TMA_INPUT_H
#define WSIM_TMA_INPUT_H

#include "../common/tool.h"

enum tma_kind { TMA_NAME, TMA_NUMBER, TMA_LIST, TMA_L2_LEVEL };

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

struct tma_row {
    const char *name;
    enum tma_kind kind;
};
extern const struct tma_row tma_rows[TMA_PARAMETERS];

/* The parameters of `file` (NULL: none; "-": standard input), then those of the command line over
 * them (NULL: not given). A map is im2col if it has a corner, channels or pixels. TOOL_GO, or
 * TOOL_USAGE after saying what is wrong. */
int tma_read(const char *file, char *const option[TMA_PARAMETERS], struct wsim_tensor *tensor);

/* Notes the strides of a tensor that has none of its own. */
void tma_note_strides(const struct wsim_tensor *tensor);

/* Puts the options that are given into `object`, over what is there. TOOL_GO, or TOOL_USAGE after
 * naming one that is no number or list. */
int tma_put_options(char *const option[TMA_PARAMETERS], json_t *object);

#endif
