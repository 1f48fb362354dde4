/* assembler.h - PTX with a line for each instruction, and the machine code that names these lines.
 * The room reads texts alone: it starts no program. */
#ifndef WSIM_ASSEMBLER_ASSEMBLER_H
#define WSIM_ASSEMBLER_ASSEMBLER_H

#include <wsim/harness/assembler.h>

/* The position of an instruction in the PTX, from 1. */
struct assembler_place {
    uint32_t line, col;
};

struct wsim_assembly {
    char *text;
    size_t size, room;
    struct assembler_place *places; /* number n of the .loc is places[n - 1] */
    size_t n_places, room_places;
    struct wsim_machine_kernel *kernels;
    size_t n_kernels, room_kernels;
    struct wsim_machine_access *accesses;
    size_t n_accesses, room_accesses;
    struct wsim_machine machine;
};

/* Grows an array of `each` bytes an element to hold one more than `n`; 0: no memory. */
int assembler_grow(void **array, size_t each, size_t n, size_t *room);

enum wsim_status assembler_no_memory(struct wsim_diag *diag);

#endif
