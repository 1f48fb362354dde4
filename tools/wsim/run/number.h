/* number.h - numbers of a launch file: JSON's, or texts in decimal or 0x hex, which hold 64 bits
 * whatever a reader of JSON does to large numbers. Each answers TOOL_GO, or TOOL_USAGE after saying
 * what is wrong and where.
 */
#ifndef WSIM_RUN_NUMBER_H
#define WSIM_RUN_NUMBER_H

#include "place.h"

#include <jansson.h>
#include <stdint.h>
#include <wsim/format.h>

/* A whole number of 0 to `most`. */
int number_whole(const struct place *at, const json_t *value, uint64_t most, uint64_t *out);

/* The `bits` low bits of an integer: 's' signed, 'u' unsigned, 'b' either. */
int number_integer(const struct place *at, const json_t *value, char kind, unsigned bits,
                   uint64_t *out);

/* The bits of a float: a number, rounded to nearest, or a text with "0x" and the bits, or "inf",
 * "-inf", "nan". */
int number_float(const struct place *at, const json_t *value, const struct wsim_format *format,
                 uint64_t *out);

/* A limit: a number that is not negative. */
int number_limit(const struct place *at, const json_t *value, double *out);

#endif
