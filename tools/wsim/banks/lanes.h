/* lanes.h - the lanes of a warp, and a number for each, as JSON. */
#ifndef WSIM_LANES_H
#define WSIM_LANES_H

#include <jansson.h>
#include <stdint.h>

/* [0, 1, 16]; bit l is lane l. */
json_t *lanes_json(uint32_t lanes);

/* All of `number`, one a lane. */
json_t *lanes_numbers_json(const uint32_t *number);

#endif
