/* slip.h - whether a misspelt instruction is a slip of the pen. */
#ifndef WSIM_LINT_SLIP_H
#define WSIM_LINT_SLIP_H

#include <stddef.h>

/* The version of PTX that the tables have, as major * 10 + minor. */
#define LINT_TABLES_PTX 90

/* Whether one exchanged, missing, additional or other letter separates a word of the spelling from
 * a legal spelling. `at` is the offset of the word. The first letter is right: get and set are two
 * words. A newer PTX does not explain such a word: its new words have digits, or differ in more.
 * Words with digits are types, shapes and counts, which newer versions extend by one character;
 * they are no slips. */
int lint_is_slip(const char *spelling, size_t at);

#endif
