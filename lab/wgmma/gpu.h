/* gpu.h - what the recorder asks of a GPU; tests/hw/wgmma_model.c answers with the model instead.
 */
#ifndef HW_WGMMA_GPU_H
#define HW_WGMMA_GPU_H

#include "forms.h"

/* The operands of one launch: registers as r[register][thread], descriptors from the window on.
 * Kernels load 16 bytes of the window at once. */
struct launch {
    uint8_t window[FORM_BLOCK];
    uint32_t a[4 * WSIM_GROUP_THREADS], e[WSIM_GROUP_THREADS];
    uint32_t c[WSIM_GROUP_REGS * WSIM_GROUP_THREADS], d[WSIM_GROUP_REGS * WSIM_GROUP_THREADS];
    const struct form *form;
    uint64_t desc[2], scale_d;
    uint32_t size; /* bytes of the window                                                      */
    int outside;   /* the descriptor that leaves the block                      */
};

/* Loads the kernels; 0 if there is no GPU. */
int gpu_open(char **cubins, int n);

/* Its name, at most `size` bytes. */
void gpu_name(char *name, int size);

enum gpu_answer { GPU_REFUSED, GPU_RAN, GPU_TRAPPED };

/* Fills launch->d; ends the program if the GPU fails. REFUSED: by the model. After a trap the
 * process can do no more. */
enum gpu_answer gpu_run(struct launch *launch);

#endif
