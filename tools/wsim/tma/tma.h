/* tma.h - a tensor map, from the command line or a file, to an answer. */
#ifndef WSIM_TMA_H
#define WSIM_TMA_H

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

/* Puts the options that are given into `object`, over what is there. TOOL_GO, or TOOL_USAGE after
 * naming one that is no number or list. */
int tma_put_options(char *const option[TMA_PARAMETERS], json_t *object);

/* The answer of the model. */
struct tma_answer {
    const struct wsim_tensor *tensor;
    const struct wsim_arch *arch;
    enum wsim_status status;
    struct wsim_diag why; /* of a refusal                 */
    struct wsim_tensor_map map;
};
void tma_print_text(const struct tma_answer *answer);
void tma_print_csv(const struct tma_answer *answer);
void tma_print_json(const struct tma_answer *answer);

#endif
