/* lanes.h - the lanes of a warp, and a number for each, as text and JSON. */
#ifndef WSIM_LANES_H
#define WSIM_LANES_H

#include <jansson.h>
#include <stdint.h>

/* Prints "0-7,16,18-19", or "none"; bit l is lane l. */
void lanes_print(uint32_t lanes);

/* [0, 1, 16] */
json_t *lanes_json(uint32_t lanes);

/* All of `number`, one a lane. */
json_t *lanes_numbers_json(const uint32_t *number);

#endif
