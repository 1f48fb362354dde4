/* wgmma_model.c - the model in the place of the GPU of tools/hw/wgmma. */
#include "../../tools/hw/wgmma/gpu.h"

#include <stdio.h>
#include <string.h>

int gpu_open(char **cubins, int n) {
    (void)cubins;
    (void)n;
    return 1;
}

void gpu_name(char *name, int size) {
    snprintf(name, (size_t)size, "model");
}

enum gpu_answer gpu_run(struct launch *launch) {
    static struct wsim_group_regs d, c, a;
    const struct form *form = launch->form;
    enum wsim_status status;
    struct wsim_wgmma io = {.d = &d,
                            .c = &c,
                            .a = form->in_registers ? &a : NULL,
                            .desc_a = launch->desc[0],
                            .desc_b = launch->desc[1],
                            .smem = launch->window,
                            .smem_size = launch->size,
                            .e = launch->e,
                            .selector = form->selector,
                            .scale_d = launch->scale_d != 0,
                            .negate_a = form->negate[0],
                            .negate_b = form->negate[1],
                            .trans_a = form->trans[0],
                            .trans_b = form->trans[1]};
    memcpy(&c, launch->c, sizeof c);
    memcpy(&a, launch->a, sizeof launch->a);
    status = wsim_wgmma(&form->op, wsim_arch_find("sm_90a"), &io, NULL);
    if (status)
        return status == WSIM_BOUNDS ? GPU_TRAPPED : GPU_REFUSED;
    memcpy(launch->d, &d, sizeof d);
    return GPU_RAN;
}
