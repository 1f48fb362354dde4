/* tma_print.h - what wsim tma check answers. */
#ifndef WSIM_TMA_PRINT_H
#define WSIM_TMA_PRINT_H

#include "../common/tool.h"

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
/* md, svg or html: TOOL_FINE, or the status after saying why not. */
int tma_print_page(const struct tma_answer *answer, enum tool_format format);
void tma_print_json(const struct tma_answer *answer);

#endif
