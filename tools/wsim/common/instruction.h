/* instruction.h - the instruction that a command is about: an operation of the tables, or a
 * tcgen05.mma with the fields of its instruction descriptor. */
#ifndef WSIM_TOOL_INSTRUCTION_H
#define WSIM_TOOL_INSTRUCTION_H

#include "umma.h"

struct instruction {
    char spelling[WSIM_SPELLING_MAX];
    int is_umma;
    struct umma umma;      /* with is_umma                                     */
    struct wsim_op op;     /* without                                          */
    struct wsim_atom atom; /* its use, as a name of CuTe or an option says     */
};

/* Reads it from all of `args`, as tool_op_atom and umma_from_words do. */
void instruction_read(const char **args, struct instruction *in);

/* An operation without further choices. */
struct instruction instruction_of(const struct wsim_op *op);

/* The tcgen05.mma of M rows and N columns with the types and the use of a wgmma.mma_async: 1, or 0
 * if there is none. */
int instruction_tensor(const struct instruction *in, unsigned m, unsigned n,
                       struct instruction *tensor);

/* The wgmma that multiplies the matrices of a tcgen05.mma: 1, or 0 if there is none. */
int instruction_group(const struct instruction *in, struct instruction *group);

/* The name of its target if the user names none. */
const char *instruction_arch(const struct instruction *in);

/* Whether the target has it, as wsim_op_check. Preparing can refuse it still: wsim has no model. */
enum wsim_status instruction_check(const struct instruction *in, const struct wsim_arch *arch,
                                   struct wsim_diag *diag);

enum wsim_status instruction_prepare(const struct instruction *in, const struct wsim_arch *arch,
                                     uint32_t flags, struct wsim_code *code,
                                     struct wsim_diag *diag);

/* The layout of an operand: of a tcgen05.mma a matrix without registers. 1, or 0 if it has no such
 * layout. */
int instruction_layout(const struct instruction *in, const struct wsim_arch *arch,
                       enum wsim_operand operand, struct wsim_layout *layout);

/* Bits of an element of A or B of tcgen05 in shared memory; 0: another instruction or operand. */
unsigned instruction_bits(const struct instruction *in, enum wsim_operand operand);

/* The tile of A or B in shared memory, as wsim_wgmma_tile has it. */
enum wsim_status instruction_tile(const struct instruction *in, enum wsim_operand operand,
                                  struct wsim_tile *tile, struct wsim_diag *diag);

/* The descriptor of a tile of wgmma without swizzle and gaps, from `start` on. Cores have 8 lines
 * of 16 bytes, and follow each other along the lines. */
struct wsim_descriptor instruction_plain(const struct wsim_tile *tile, uint32_t start);

/* Where its results on a target are known from; NULL: nowhere, and without an open question. */
struct evidence {
    const char *word, *source, *caveat;
};
struct evidence instruction_evidence(const struct instruction *in, const struct wsim_arch *arch);

#endif
