/* number_json.h - an element as a JSON number; number.h has it as text. */
#ifndef WSIM_NUMBER_JSON_H
#define WSIM_NUMBER_JSON_H

#include "../../lib/number.h"

#include <jansson.h>

/* Infinities and NaN are strings, as JSON has none. */
json_t *number_json(const struct wsim_layout *layout, uint64_t raw);

#endif
