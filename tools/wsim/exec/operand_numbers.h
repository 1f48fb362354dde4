/* operand_numbers.h - matrices of numbers: from files, or element by element on the command line.
 */
#ifndef WSIM_OPERAND_NUMBERS_H
#define WSIM_OPERAND_NUMBERS_H

#include "operand.h"

/* Whether `text` is "I,J=NUMBER; ..." or the name of a file that ends in .csv or .npy. */
int operand_is_numbers(const char *text);

/* Fills the raw elements of a matrix, row by row, batch after batch. `what` is the option. TOOL_GO,
 * or TOOL_USAGE after saying what is wrong. */
int operand_numbers(const char *what, const struct wsim_layout *layout, const char *text,
                    const struct operand_reading *reading, uint64_t *matrix);

#endif
