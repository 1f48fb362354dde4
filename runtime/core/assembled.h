/* assembled.h - the machine code of a module, from the process that started the program.
 *
 * With WSIM_ASSEMBLER_SOCKET each module that is one PTX text goes there, and its accesses of
 * shared memory count as machine code has them. Both sides are of one build. Messages are structs
 * of this header, in the order of bytes of the machine. */
#ifndef WSIM_RUNTIME_ASSEMBLED_H
#define WSIM_RUNTIME_ASSEMBLED_H

#include <wsim/kernel.h>

/* The question; `size` bytes of PTX follow. */
struct assembled_question {
    uint64_t size;
    char arch[24]; /* name of the architecture, with a NUL */
};

/* The answer. Kernels, accesses and names (each with a NUL) follow. No kernels: there is none. */
struct assembled_answer {
    uint64_t kernels, accesses, names; /* numbers of the first two, bytes of the last */
};
struct assembled_kernel {
    uint32_t registers, stack, spill_stores, spill_loads;
};

struct assembled; /* machine code, to be freed */

/* NULL: there is no socket, or no machine code. */
struct assembled *assembled_ask(const char *text, size_t size, const struct wsim_arch *arch);
const struct wsim_machine *assembled_machine(const struct assembled *assembled);
void assembled_free(struct assembled *assembled);

#endif
