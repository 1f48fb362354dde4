/* Limits of one value of a tensor map, and how a refusal names the value. */
#include "../base/base.h"
#include "tensor.h"

#include <inttypes.h>
#include <stdio.h>

const char *tensor_place(char out[TENSOR_PLACE], const char *name, int index) {
    if (index < 0)
        snprintf(out, TENSOR_PLACE, "%s", name);
    else
        snprintf(out, TENSOR_PLACE, "%s[%d]", name, index);
    return out;
}

enum wsim_status tensor_check_limit(enum tensor_limit_id limit, const char *name, int index,
                                    uint64_t value, struct wsim_diag *diag) {
    const struct tensor_limit *row = &tensor_limits[limit];
    char text[TENSOR_PLACE];
    if (value >= row->least && value <= row->most)
        return WSIM_OK;
    return base_refuse(diag, RULE_TENSOR_VALUE_RANGE, 0,
                       "%s is %" PRIu64 ": it can be %" PRIu64 " to %" PRIu64
                       "; the nearest is %" PRIu64,
                       tensor_place(text, name, index), value, row->least, row->most,
                       value < row->least ? row->least : row->most);
}
