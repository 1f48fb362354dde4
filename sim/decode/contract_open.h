/* contract_open.h - values of a function and their uses, for contract.c and inverse.c. */
#ifndef WSIM_DECODE_CONTRACT_OPEN_H
#define WSIM_DECODE_CONTRACT_OPEN_H

#include "contract.h"
#include "places.h"

struct contract {
    struct run_build *build;
    const struct wsim_arch *arch; /* the target of the text; NULL: not known */
    struct places places;
    uint32_t *block;  /* of each instruction; fences end one too */
    uint8_t *product; /* it can become part of every use: enum   */
    uint8_t *dead;    /* nothing depends on it: enum             */
};

/* The one instruction whose result a register has at `at`, + 1. 0: none, several, or a caller. */
uint32_t contract_write(struct contract *contract, uint32_t reg, uint32_t at);

const struct ptx_operand *contract_operands(const struct run_build *build, uint32_t at);

/* Whether an operand is the same at `to` as it was at `from`. In another block it is, if no path
 * from a write of it comes to `to` around `from`. */
int contract_is_kept(struct contract *contract, const struct ptx_operand *operand, uint32_t from,
                     uint32_t to);

/* The number that an operand is, perhaps by way of mov. NULL: none that the text has. */
const struct ptx_operand *contract_number(struct contract *contract, uint32_t at,
                                          const struct ptx_operand *operand);

/* Whether the value that an instruction writes has one use, in one place, that is not dead. *dead:
 * whether there are others. */
int contract_used_once(struct contract *contract, uint32_t at, uint32_t reg, int *dead);

/* Whether an instruction only makes results that no instruction reads, or that such ones read. The
 * assembler keeps one whose machine code has blocks. */
int contract_is_dead(struct contract *contract, uint32_t at);

/* Whether the machine code of an instruction has a call, or more than one block. */
int contract_has_blocks(const struct run_build *build, uint32_t at,
                        const struct scalar_meaning *meaning);

/* Fills build->inverse: inverse.c. */
void inverse_find(struct contract *contract);

#endif
