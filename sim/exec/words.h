/* words.h - moves between registers and lines of memory, by words of 32 bits.
 *
 * A line of memory is a number of whole words, and a register is one word of each lane. Where a
 * layout keeps the elements of a register contiguous in memory, the register is a word of a line.
 * Where it transposes, n words of a line (n elements a register) are n registers of other lanes,
 * element by element. Both follow from the compiled map. Functions that go element by element do
 * the rest. */
#ifndef WSIM_EXEC_WORDS_H
#define WSIM_EXEC_WORDS_H

#include "exec.h"

enum words_way {
    WORDS_NONE,     /* element by element                                                       */
    WORDS_WHOLE,    /* registers one after another are the lines one after another              */
    WORDS_RUNS,     /* four lanes of a register are four words of a line                        */
    WORDS_PAIRS,    /* four lanes of two registers are eight words of a line, in turns          */
    WORDS_STRAIGHT, /* each lane is a word                                                      */
    WORDS_HALVES,   /* crossed in twos: elements of 16 bits ...                                 */
    WORDS_BYTES     /* ... and in fours: of 8                                                   */
};

/* Words of all lines of the largest matrix that is moved. */
enum { WORDS_MOST = 256 };

/* Finds how the registers of `map` form words. Sets `way` in code->work, and in `e` the word of
 * each lane and each element. The bits from `line_bit` up of an index of the map are its line. A
 * line has `across` elements of map->bits. With WSIM_PLAIN the way is WORDS_NONE. */
void words_prepare(struct wsim_code *code, const struct wsim_code_map *map, unsigned line_bit,
                   unsigned across, unsigned lines);

/* The same of movmatrix: the result out of the source, whose register has to be the rows of the
 * matrix as they lie. */
void words_prepare_exchange(struct wsim_code *code, unsigned cols, unsigned rows);

/* From lines to registers, and back. Not for WORDS_NONE. */
void words_load(const struct wsim_code *code, const uint32_t *lines, unsigned regs,
                uint32_t *const *d);
void words_store(const struct wsim_code *code, const uint32_t *const *r, unsigned regs,
                 uint32_t *lines);

#endif
