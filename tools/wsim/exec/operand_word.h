/* operand_word.h - what the words of operands and of memory have in common. */
#ifndef WSIM_OPERAND_WORD_H
#define WSIM_OPERAND_WORD_H

#include <stdint.h>

/* The mix of traces, and word `i` of stream `seed` of a counter-based generator. */
uint64_t operand_mix(uint64_t z);
uint64_t operand_random(uint64_t seed, uint64_t i);

/* Whether it is "random:..."; reads SEED of that, another text leaves *seed alone. */
int operand_is_random(const char *text);
int operand_seed(const char *what, const char *text, uint32_t *seed);

/* Whether it is hex digits, "hex:..." or "@FILE". */
int operand_is_hex(const char *text);

#endif
