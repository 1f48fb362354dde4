/* compile.h - CUDA C++ files, which nvcc compiles to PTX in a temporary folder. */
#ifndef WSIM_RUN_COMPILE_H
#define WSIM_RUN_COMPILE_H

#include "../common/child.h"

#include <stddef.h>
#include <wsim/harness/launch.h>

struct compiled {
    const char **names; /* the files: PTX as given, and "DIR/x.ptx" for the PTX of DIR/x.cu       */
    char **renamed;     /* of a name: the second kind                                            */
    char **made;        /* of a name: its PTX in the folder; NULL: a file as given               */
    size_t count;
    struct child_folder folder;
    struct wsim_launch_files plain;
};

/* Compiles the files of `list` (ends with NULL) that end with ".cu". It runs `nvcc -ptx -lineinfo`
 * for the target `arch` (NULL: WSIM_ARCH_USUAL), with -rdc=true if there are several files. `nvcc`
 * is the compiler; NULL: that of NVCC, CUDA_HOME, CUDA_PATH, the PATH, the virtual environment of
 * Python or /usr/local/cuda. Messages of the compiler go to standard error. compile_close is needed
 * in any case. TOOL_GO, or TOOL_USAGE after an error message. */
int compile_open(struct compiled *compiled, const char *const *list, const char *arch,
                 const char *nvcc);

/* A file of `list` that ends with ".cu" and has a main(); NULL: none. */
const char *compile_main(const char *const *list);

/* Reads the files by their names, until compile_close. */
struct wsim_launch_files compile_files(struct compiled *compiled);

/* Removes the folder. Until then signals wait that would leave it behind. */
void compile_clean(struct compiled *compiled);
void compile_close(struct compiled *compiled);

#endif
