/* instruction.h - the instructions of PTX text with their operands and effects. */
#ifndef WSIM_LINT_INSTRUCTION_H
#define WSIM_LINT_INSTRUCTION_H

#include "text.h"

#include <wsim/scalar.h>

/* Effects of an instruction, by its words (effect.def). */
enum lint_effect {
    EFFECT_ACCESS = 1 << 0, /* reads or writes shared state                        */
    EFFECT_WRITE = 1 << 1,  /* writes memory, or orders accesses                   */
    EFFECT_SHARED_READ = 1 << 2,
    EFFECT_SHARED_WRITE = 1 << 3,
    EFFECT_COPY = 1 << 4, /* cp.async                                            */
    EFFECT_COPY_COMMIT = 1 << 5,
    EFFECT_COPY_WAIT = 1 << 6,
    EFFECT_COPY_ALL = 1 << 7, /* waits for copies without a group too                */
    EFFECT_BULK = 1 << 8,     /* a bulk copy that completes with its group           */
    EFFECT_BULK_COMMIT = 1 << 9,
    EFFECT_BULK_WAIT = 1 << 10,
    EFFECT_MMA = 1 << 11, /* wgmma.mma_async                                     */
    EFFECT_MMA_COMMIT = 1 << 12,
    EFFECT_MMA_WAIT = 1 << 13,
    EFFECT_MMA_FENCE = 1 << 14,
    EFFECT_ASYNC_READ = 1 << 15, /* reads shared memory through the async proxy         */
    EFFECT_PROXY = 1 << 16,      /* fence.proxy.async                                   */
    EFFECT_INIT = 1 << 17,       /* mbarrier.init                                       */
    EFFECT_INIT_FENCE = 1 << 18,
    EFFECT_ASYNC_BARRIER = 1 << 19, /* the async proxy completes a phase of an mbarrier   */
    EFFECT_TEST = 1 << 20           /* mbarrier.try_wait, test_wait                        */
};

struct lint_instruction {
    struct lint_span spelling, operands; /* in the text */
    uint32_t effects;
    int guarded;
    int word;  /* the spelling begins as an instruction does: no guard, no label */
    int named; /* the spelling is PTX of the tables, perhaps without a model */
    int known; /* the spelling; the fields below are then set */
    struct wsim_instruction is;
    struct wsim_scalar_info info; /* of a scalar row                         */
    unsigned results;             /* the first operands, which it writes     */
    int sums;                     /* it reads its first operand too          */
};

struct lint_instructions {
    struct lint_instruction *all;
    size_t n, room;
};

struct lint_instructions lint_instructions_of(const struct lint_text *text);
void lint_instructions_free(struct lint_instructions *instructions);

/* Operand `index` of an instruction, from 0; n is 0: none. Commas in brackets separate nothing. */
struct lint_span lint_operand_at(const struct lint_text *text,
                                 const struct lint_instruction *instruction, unsigned index);

/* Whether a part of the text contains the name as a whole word. */
int lint_names(const struct lint_text *text, struct lint_span in, struct lint_span name);

#endif
