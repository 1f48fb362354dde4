/* Tensor maps. */
#include "state.h"

#include <wsim/tensor.h>

int wsimrt_tensor_encode(const struct wsim_tensor *tensor, struct wsim_tensor_map *map) {
    int error = core_enter(NULL);
    struct wsim_diag diag;
    if (!error && (!tensor || !map || wsim_tensor_encode(tensor, core.settings.arch, map, &diag)))
        error = WSIMRT_INVALID_VALUE;
    return core_leave(error);
}

int wsimrt_tensor_decode(const struct wsim_tensor_map *map, struct wsim_tensor *tensor) {
    int error = core_enter(NULL);
    struct wsim_diag diag;
    if (!error && (!tensor || !map || wsim_tensor_decode(map, tensor, &diag)))
        error = WSIMRT_INVALID_VALUE;
    return core_leave(error);
}
