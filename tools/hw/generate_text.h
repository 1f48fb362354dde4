/* generate_text.h - what kernels of both kinds print. */
#ifndef HW_GENERATE_TEXT_H
#define HW_GENERATE_TEXT_H

#include <wsim/wsim.h>

#include <stdio.h>
#include <string.h>

/* Appends to a char array as printf prints. */
#define PUT(part, ...) snprintf((part) + strlen(part), sizeof(part) - strlen(part), __VA_ARGS__)

/* The separator before the next element of a list; "" before the first. */
const char *generate_comma(const char *part);

/* Bit i: `op` is legal on architecture i of the table. */
unsigned long long generate_targets(const struct wsim_op *op);

/* Calls `print` for every operation that has cases, and each selector; returns how many. */
unsigned generate_each(void (*print)(const struct wsim_op *op, unsigned selector, unsigned number));

/* The row of a kernel in a list of struct hw_kernel; by_name: it is in a file of its own. */
void generate_row(const struct wsim_op *op, unsigned selector, const char *symbol, int by_name);

#endif
