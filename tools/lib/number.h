/* number.h - raw bits of an element as something to read. The library has no floating point; for
 * display, and only there, the program uses double: every format of an element fits into one. */
#ifndef TOOLS_NUMBER_H
#define TOOLS_NUMBER_H

#include <wsim/layout.h>

#define NUMBER_TEXT 96

/* `raw` is what wsim_regs_get gives for an element of `layout`. Infinities and NaN are "inf",
 * "-inf", "nan"; numbers have as many digits as tell them from their neighbours. */
void number_text(const struct wsim_layout *layout, uint64_t raw, char out[NUMBER_TEXT]);

/* The meaning of `raw`. */
struct wsim_value number_value(const struct wsim_layout *layout, uint64_t raw);
double number_double(struct wsim_value value);

/* The container of a value with these bits. */
uint64_t number_container(const struct wsim_layout *layout, uint64_t bits);

/* The container bits of 2^exp * (-1)^negative * sig, rounded to nearest. */
uint64_t number_bits(const struct wsim_layout *layout, int negative, uint64_t sig, int exp);

/* The count of 0, 1, 2, ... that the format of `layout` holds exactly, at most 257 (0 to 256). It
 * is odd, so that continued counting gives different rows of a matrix. 2 for single bits, 0 for a
 * format without zero. */
unsigned number_count(const struct wsim_layout *layout);

#endif
