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
    uint32_t *sums;   /* of a product: how many sums take it     */
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

/* Instructions that hand on a value: mov, and for sums of `type` also its neg and its product by 1
 * or -1. A .ftz of theirs counts where the sum has none. */
struct contract_copies {
    const struct isa_scalar_type *type; /* NULL: mov alone */
    uint8_t ftz;
};
/* The copies that a sum with the words of `meaning` looks through. */
struct contract_copies contract_copies_of(const struct scalar_meaning *meaning);
/* The register that the instruction copies. NULL: it copies none. *negates: with the other sign. */
const struct ptx_operand *contract_copied(struct contract *contract, uint32_t at,
                                          const struct contract_copies *copies, int *negates);

/* contract_write past copies. *negative: the value has the other sign. */
uint32_t contract_source(struct contract *contract, uint32_t reg, uint32_t at,
                         const struct contract_copies *copies, int *negative);

/* A use of a value: instruction, register, what it does (uses.h). */
struct contract_use {
    uint32_t at, reg;
    uint8_t what;
    uint8_t is_copy; /* of the value, by the instructions `copied` */
};
typedef int contract_visit(struct contract *contract, const struct contract_use *use, void *data);
/* Visits the uses of the value that `at` writes to `reg`, and those of its copies. Returns 0 if a
 * visit does, if a read meets another write too, or if the value of a copy may be an older one. */
int contract_uses(struct contract *contract, uint32_t at, uint32_t reg,
                  const struct contract_copies *copies, contract_visit *visit, void *data);

/* Whether the value that an instruction writes has one use, in one place, that is not dead, perhaps
 * by way of mov. *dead: whether there are others. */
int contract_used_once(struct contract *contract, uint32_t at, uint32_t reg, int *dead);

/* Whether an instruction only makes results that no instruction reads, or that such ones read. The
 * assembler keeps one whose machine code has blocks. */
int contract_is_dead(struct contract *contract, uint32_t at);

/* Whether the machine code of an instruction has a call, or more than one block. */
int contract_has_blocks(const struct run_build *build, uint32_t at,
                        const struct scalar_meaning *meaning);

/* Whether the guard of an instruction ends a block in machine code. */
int contract_ends_block(const struct run_build *build, uint32_t at);

/* The division before a product by a power of two or a sum stays a division; rcp.approx without
 * .ftz; an f32 of the text. contract.c */
int contract_is_divided(const struct run_build *build, uint32_t at);
int contract_is_inverse(const struct run_build *build, uint32_t at);
struct ptx_operand contract_number_operand(uint32_t bits);

/* A register or a number of the text. */
int contract_is_value(const struct ptx_operand *operand);

/* Whether the assembler has an operand in its instruction: a number, or what stands at a fixed
 * place of the parameters or of constant memory. */
int contract_is_constant(struct contract *contract, uint32_t at, const struct ptx_operand *operand);
/* The same without what the assembler computes: it computes nothing of a NaN. */
int contract_is_held(struct contract *contract, uint32_t at, const struct ptx_operand *operand);

/* Fills build->inverse: inverse.c. */
void inverse_find(struct contract *contract);

/* Sets OPERANDS_TURNED: turned.c. */
void turned_find(struct contract *contract);

#endif
