/* instruction.h - the instructions of a text of PTX, each with its operands, and what it does to
 * memory and to what is done asynchronously.
 */
#ifndef WSIM_LINT_INSTRUCTION_H
#define WSIM_LINT_INSTRUCTION_H

#include "source.h"

#include <wsim/wsim.h>

/* Effects of the words in effect.def. */
enum effect {
    EFFECT_ACCESS = 1,      /* reads or writes memory that others write                   */
    EFFECT_WRITE = 2,       /* writes memory, or orders accesses to it                    */
    EFFECT_SHARED_READ = 4, /* of shared memory, by the thread itself                     */
    EFFECT_SHARED_WRITE = 8,
    EFFECT_COPY = 16, /* cp.async                                                   */
    EFFECT_COPY_COMMIT = 32,
    EFFECT_COPY_WAIT = 64,
    EFFECT_BULK = 128, /* a bulk copy that a group is waited for with                */
    EFFECT_BULK_COMMIT = 256,
    EFFECT_BULK_WAIT = 512,
    EFFECT_MMA = 1024, /* wgmma.mma_async                                            */
    EFFECT_MMA_COMMIT = 2048,
    EFFECT_MMA_WAIT = 4096,
    EFFECT_MMA_FENCE = 8192,
    EFFECT_ASYNC_READ = 16384, /* of shared memory through the async proxy                  */
    EFFECT_PROXY = 32768,      /* fence.proxy.async                                         */
    EFFECT_INIT = 65536,       /* mbarrier.init                                             */
    EFFECT_INIT_FENCE = 131072,
    EFFECT_ASYNC_BARRIER = 262144, /* the async proxy completes on an mbarrier              */
    EFFECT_TEST = 524288,          /* mbarrier.try_wait, test_wait                          */
    EFFECT_COPY_ALL = 1048576      /* waits for copies that no group has                    */
};

struct lint_instruction {
    struct lint_span spelling, operands; /* in the text */
    uint32_t effects;
    int guarded;
    int known; /* what follows is */
    struct wsim_instruction is;
    struct wsim_scalar_info info; /* of a scalar row */
    unsigned results;             /* operands that it writes, the first ones */
    int sums;                     /* it reads its first operand as well      */
};

struct lint_instructions {
    struct lint_instruction *all;
    size_t n, room;
};

struct lint_instructions instructions_of(const struct lint_text *text);
void instructions_free(struct lint_instructions *instructions);

/* Operand `index` of it, from 0; n is 0: there is none. Commas in brackets divide none. */
struct lint_span instruction_operand(const struct lint_text *text,
                                     const struct lint_instruction *instruction, unsigned index);

/* Whether the name stands in that part of the text, as a whole. */
int instruction_names(const struct lint_text *text, struct lint_span in, struct lint_span name);

#endif
