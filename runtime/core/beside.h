/* beside.h - PTX files for modules of machine code. Compilers at run time that load machine code
 * write its PTX to a folder when they are asked to. WSIM_PTX names that folder. */
#ifndef WSIM_RUNTIME_BESIDE_H
#define WSIM_RUNTIME_BESIDE_H

#include "image.h"
#include "machine.h"

/* The one text among the .ptx files of `folder`, and of folders in it, that defines all `kernels`.
 * Several files may hold the same text. 0: none, or several; *reason says so. */
int beside_find(const char *folder, const struct machine *kernels, struct image_text *text,
                struct wsim_diag *reason);

#endif
