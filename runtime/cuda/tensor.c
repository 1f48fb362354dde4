/* Tensor maps. The enumerations of <wsim/tensor.h> have the driver's numbers. */
#include "driver.h"

#include <string.h>
#include <wsim/tensor.h>

/* The parameters that all modes share. Lists of the driver have as many entries as wsim's. */
struct common {
    int type;
    unsigned rank;
    void *base;
    const uint64_t *dims, *strides;
    const uint32_t *element_strides;
    int interleave, swizzle, l2, fill;
};

static int read_common(const struct common *common, struct wsim_tensor *tensor) {
    const int error = driver_context();
    if (error)
        return error;
    *tensor = (struct wsim_tensor){.dtype = (enum wsim_tensor_type)common->type,
                                   .interleave = (enum wsim_tensor_interleave)common->interleave,
                                   .swizzle = (enum wsim_swizzle)common->swizzle,
                                   .oob = (enum wsim_tensor_fill)common->fill,
                                   .l2 = (uint32_t)common->l2,
                                   .rank = common->rank,
                                   .base = (uint64_t)(uintptr_t)common->base};
    if (common->rank < 1 || common->rank > WSIM_TENSOR_RANK || !common->dims ||
        !common->element_strides || (common->rank > 1 && !common->strides))
        return WSIMRT_INVALID_VALUE;
    for (unsigned i = 0; i < common->rank; i++) {
        tensor->dims[i] = common->dims[i];
        tensor->estrides[i] = common->element_strides[i];
        if (i + 1 < common->rank)
            tensor->strides[i] = common->strides[i];
    }
    return 0;
}

CU cuTensorMapEncodeTiled(struct wsim_tensor_map *map, int type, unsigned rank, void *base,
                          const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                          const uint32_t *element_strides, int interleave, int swizzle, int l2,
                          int fill) {
    const struct common common = {type,       rank,    base, dims, strides, element_strides,
                                  interleave, swizzle, l2,   fill};
    struct wsim_tensor tensor;
    const int error = map && box ? read_common(&common, &tensor) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    tensor.mode = WSIM_TENSOR_TILED;
    for (unsigned i = 0; i < rank; i++)
        tensor.box[i] = box[i];
    return wsimrt_tensor_encode(&tensor, map);
}

CU cuTensorMapEncodeIm2col(struct wsim_tensor_map *map, int type, unsigned rank, void *base,
                           const uint64_t *dims, const uint64_t *strides, const int *lower,
                           const int *upper, unsigned channels, unsigned pixels,
                           const uint32_t *element_strides, int interleave, int swizzle, int l2,
                           int fill) {
    const struct common common = {type,       rank,    base, dims, strides, element_strides,
                                  interleave, swizzle, l2,   fill};
    struct wsim_tensor tensor;
    const int error = map && lower && upper ? read_common(&common, &tensor) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    tensor.mode = WSIM_TENSOR_IM2COL;
    for (unsigned i = 0; i + 2 < rank; i++) {
        tensor.lower[i] = lower[i];
        tensor.upper[i] = upper[i];
    }
    tensor.channels = channels;
    tensor.pixels = pixels;
    return wsimrt_tensor_encode(&tensor, map);
}

/* CUtensorMapIm2ColWideMode: 0 W, 1 W128. */
CU cuTensorMapEncodeIm2colWide(struct wsim_tensor_map *map, int type, unsigned rank, void *base,
                               const uint64_t *dims, const uint64_t *strides, int lower, int upper,
                               unsigned channels, unsigned pixels, const uint32_t *element_strides,
                               int interleave, int mode, int swizzle, int l2, int fill) {
    const struct common common = {type,       rank,    base, dims, strides, element_strides,
                                  interleave, swizzle, l2,   fill};
    struct wsim_tensor tensor;
    const int error =
        map && (mode == 0 || mode == 1) ? read_common(&common, &tensor) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    tensor.mode = mode ? WSIM_TENSOR_IM2COL_W128 : WSIM_TENSOR_IM2COL_W;
    tensor.lower[0] = lower;
    tensor.upper[0] = upper;
    tensor.channels = channels;
    tensor.pixels = pixels;
    return wsimrt_tensor_encode(&tensor, map);
}

CU cuTensorMapReplaceAddress(struct wsim_tensor_map *map, void *base) {
    struct wsim_tensor tensor;
    const int error = map ? wsimrt_tensor_decode(map, &tensor) : WSIMRT_INVALID_VALUE;
    tensor.base = (uint64_t)(uintptr_t)base;
    return error ? error : wsimrt_tensor_encode(&tensor, map);
}
