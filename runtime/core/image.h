/* image.h - PTX from what a program gives: text, fat binaries, wrappers of nvcc. */
#ifndef WSIM_RUNTIME_IMAGE_H
#define WSIM_RUNTIME_IMAGE_H

#include "runtime.h"

#include <wsim/kernel.h>

/* The text of an image. `text->bytes` belongs to `owned` if that is not NULL, else to the caller.
 * Errors: as wsimrt_module_load; *reason is a sentence then. */
struct image_text {
    struct wsim_text text;
    char *owned;
    uint8_t empty; /* kernels of machine code without their instructions: none can be launched */
};
int image_read(const struct wsimrt_image *image, const struct wsim_arch *arch,
               struct image_text *text, struct wsim_diag *reason);

/* Adds what the machine code for the architecture says about kernels. */
struct machine;
void image_machine(const struct wsimrt_image *image, const struct wsim_arch *arch,
                   struct machine **list);

/* Whether an image is a fat binary with PTX for some target. */
int image_has_text(const struct wsimrt_image *image);

#endif
