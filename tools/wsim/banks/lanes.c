/* The lanes of a warp; see lanes.h. */
#include "lanes.h"

#include <wsim/wsim.h>

json_t *lanes_json(uint32_t lanes) {
    json_t *list = json_array();
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        if (lanes >> lane & 1)
            json_array_append_new(list, json_integer(lane));
    return list;
}

json_t *lanes_numbers_json(const uint32_t *number) {
    json_t *list = json_array();
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        json_array_append_new(list, json_integer(number[lane]));
    return list;
}
