/* exec_run.h - one execution: what went in and what came out. */
#ifndef WSIM_EXEC_RUN_H
#define WSIM_EXEC_RUN_H

#include "operand.h"

/* What a warpgroup has beside registers: operands that lie in memory, where, and immediates. */
struct exec_group {
    int in_memory[WSIM_OPERANDS];
    uint64_t desc[WSIM_OPERANDS];
    struct wsim_descriptor at[WSIM_OPERANDS];
    struct wsim_tile tile[WSIM_OPERANDS];
    uint32_t scale_d;
    int negate_a, negate_b, trans_a, trans_b;
};

#define EXEC_ROWS (WSIM_GROUP_REGS * WSIM_GROUP_THREADS / WSIM_LANES)

/* Operands that the instruction lacks have has[] 0; smem is then {NULL, 0}. */
struct exec_run {
    struct wsim_op op;
    struct wsim_atom atom; /* what the name says beside */
    const struct wsim_arch *arch;
    char spelling[WSIM_SPELLING_MAX];
    int has[WSIM_OPERANDS];
    const char *source[WSIM_OPERANDS]; /* the word it was filled from */
    struct operand_reading reading;    /* and how                     */
    struct wsim_layout layout[WSIM_OPERANDS];
    struct wsim_code code;
    union operand_regs regs[WSIM_OPERANDS];
    uint32_t *at[WSIM_OPERANDS][EXEC_ROWS]; /* each 32 words of them */
    uint32_t selector, bid_a, tid_a, bid_b, tid_b, stride;
    int is_group;
    struct exec_group group;
    const char *smem_source, *addr_source; /* NULL: no memory, no addresses */
    struct {
        uint8_t *bytes;
        uint32_t size;
    } smem; /* of whatever space the instruction accesses */
    uint32_t addr[WSIM_LANES];
    struct wsim_memory shared, global;      /* over smem */
    struct wsim_io io;                      /* all of the above as wsim_run has it */
    const char *evidence, *evidence_source; /* what the model rests on */
    int is_outside;           /* hardware runs it, the text of the ISA does not allow it ... */
    struct wsim_diag outside; /* ... because                                                 */
    const char *caveat;       /* what that leaves open; NULL: nothing */
    int show_inputs;
    int lane, row, col; /* only what this lane holds, or these elements; negative: all */
};

/* Whether elements are asked for, and not the whole result. */
static inline int exec_is_list(const struct exec_run *run) {
    return run->lane >= 0 || run->row >= 0 || run->col >= 0;
}

#endif
