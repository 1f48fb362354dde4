/* machine.h - numbers that the assembler states beside the machine code of a kernel. */
#ifndef WSIM_RUNTIME_MACHINE_H
#define WSIM_RUNTIME_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct machine {
    struct machine *next;
    uint32_t registers, frame; /* of a thread: registers, bytes of stack */
    char name[];
};

/* Adds the kernels of an ELF file. A damaged file adds none. */
void machine_read(const void *bytes, size_t size, struct machine **list);

/* Whether the assembler added the function: it is not in the text. */
int machine_is_added(const struct machine *machine);

/* NULL: unknown. */
const struct machine *machine_find(const struct machine *list, const char *name);

void machine_free(struct machine *list);

#endif
