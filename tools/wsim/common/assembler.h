/* assembler.h - the machine code of PTX, where ptxas and nvdisasm are installed. */
#ifndef WSIM_COMMON_ASSEMBLER_H
#define WSIM_COMMON_ASSEMBLER_H

#include <signal.h>
#include <wsim/harness/assembler.h>

/* Paths of the two programs. */
struct assembler {
    char *ptxas, *nvdisasm;
    const sigset_t *mask; /* signals that they block; NULL: those of the caller */
};

/* Finds both. `which` is the path of ptxas or of its folder. NULL: CUDA_HOME, CUDA_PATH, the PATH,
 * the virtual environment of Python and /usr/local/cuda are searched. nvdisasm is first looked for
 * beside ptxas. NULL, or what is missing. assembler_close in both cases. */
const char *assembler_open(struct assembler *programs, const char *which);
void assembler_close(struct assembler *programs);

struct assembler_text {
    const char *name, *bytes; /* messages use the name */
    size_t size;
};

/* The reason of a failure: the first line of a program's output, or a message of wsim. */
struct assembler_failure {
    char text[1200];
};

/* Assembles PTX in a temporary folder, which it removes. TOOL_GO and *assembly, or TOOL_USAGE, a
 * reason and NULL. */
int assembler_assemble(const struct assembler *programs, const struct assembler_text *text,
                       const struct wsim_arch *arch, struct wsim_assembly **assembly,
                       struct assembler_failure *failure);

#endif
