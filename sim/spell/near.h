/* near.h - how far apart two words are, and when one can have been meant by the other. */
#ifndef WSIM_SPELL_NEAR_H
#define WSIM_SPELL_NEAR_H

#include <stddef.h>
#include <stdint.h>

#define NEAR_MAX 48 /* characters of a word that are compared */
#define NEAR_NEVER (~0u)

/* Edits between two words, without regard to case: one character more, less or other, or two
 * neighbours exchanged. NEAR_NEVER if they are more than `most`, or too many for a slip. */
unsigned near_edits(const char *a, size_t n, const char *b, size_t m, unsigned most);

/* The sum of the differences between the numbers of two shapes, such as 4 of "m64n60k16" and
 * "m64n64k16". UINT32_MAX: they have other letters, or fewer than two numbers. */
uint32_t near_numbers(const char *a, size_t n, const char *b, size_t m);

#endif
