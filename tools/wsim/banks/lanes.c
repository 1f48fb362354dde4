/* The lanes of a warp; see lanes.h. */
#include "lanes.h"

#include <stdio.h>
#include <wsim/wsim.h>

void lanes_print(uint32_t lanes) {
    const char *comma = "";
    unsigned lane, last;
    if (!lanes)
        printf("none");
    for (lane = 0; lane < WSIM_LANES; lane = last + 1) {
        last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last + 1 < WSIM_LANES && (lanes >> (last + 1) & 1))
            last++;
        printf("%s%u", comma, lane);
        if (last > lane)
            printf("-%u", last);
        comma = ",";
    }
}

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
