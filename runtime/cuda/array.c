/* Arrays, textures and surfaces. */
#include "driver.h"
#include "formats.h"

typedef struct wsimrt_array *CUarray;

struct array_3d { /* CUDA_ARRAY3D_DESCRIPTOR */
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};
struct array_2d { /* CUDA_ARRAY_DESCRIPTOR */
    size_t width, height;
    int format;
    unsigned channels;
};

/* CUarray_format */
static const struct format {
    int format;
    uint8_t bits, kind;
} formats[] = {
    {0x01, 8, WSIM_CHANNEL_UNSIGNED},  {0x02, 16, WSIM_CHANNEL_UNSIGNED},
    {0x03, 32, WSIM_CHANNEL_UNSIGNED}, {0x08, 8, WSIM_CHANNEL_SIGNED},
    {0x09, 16, WSIM_CHANNEL_SIGNED},   {0x0A, 32, WSIM_CHANNEL_SIGNED},
    {0x10, 16, WSIM_CHANNEL_FLOAT},    {0x20, 32, WSIM_CHANNEL_FLOAT},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

int cu_read_format(int format, unsigned channels, struct wsim_array *shape) {
    if (channels != 1 && channels != 2 && channels != 4)
        return 0;
    shape->channels = (uint8_t)channels;
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].format == format) {
            shape->bits = formats[i].bits;
            shape->kind = formats[i].kind;
            return 1;
        }
    return 0;
}

int cu_format_of(unsigned bits, unsigned kind) {
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].bits == bits && formats[i].kind == kind)
            return formats[i].format;
    return 0;
}

/* Bits of flags. */
enum { LAYERED = 1, CUBE = 4, FLAGS = 15 };

static int make(CUarray *array, const struct array_3d *desc, unsigned levels) {
    struct wsim_array shape = {
        .levels = (uint8_t)(levels < WSIM_ARRAY_LEVELS ? levels : WSIM_ARRAY_LEVELS)};
    const int layered = desc && desc->flags & LAYERED, cube = desc && desc->flags & CUBE;
    const int error = driver_context();
    if (error)
        return error;
    if (!array || !desc || desc->flags & ~(unsigned)FLAGS || desc->width > UINT32_MAX ||
        desc->height > UINT32_MAX || desc->depth > UINT32_MAX ||
        !cu_read_format(desc->format, desc->channels, &shape))
        return WSIMRT_INVALID_VALUE;
    shape.width = (uint32_t)desc->width;
    shape.height = (uint32_t)desc->height;
    shape.depth = (uint32_t)desc->depth;
    if (cube)
        shape.shape = layered ? WSIM_ARRAY_CUBE_LAYERS : WSIM_ARRAY_CUBE;
    else if (layered)
        shape.shape = shape.height ? WSIM_ARRAY_2D_LAYERS : WSIM_ARRAY_1D_LAYERS;
    else if (shape.depth)
        shape.shape = WSIM_ARRAY_3D;
    else
        shape.shape = shape.height ? WSIM_ARRAY_2D : WSIM_ARRAY_1D;
    return wsimrt_array_make(&shape, desc->flags, array);
}

CU cuArray3DCreate_v2(CUarray *array, const struct array_3d *desc) {
    return make(array, desc, 1);
}

CU cuArrayCreate_v2(CUarray *array, const struct array_2d *desc) {
    struct array_3d whole = {0, 0, 0, 0, 0, 0};
    if (desc)
        whole = (struct array_3d){desc->width, desc->height, 0, desc->format, desc->channels, 0};
    return make(array, desc ? &whole : NULL, 1);
}

CU cuArrayDestroy(CUarray array) {
    return wsimrt_array_free(array);
}

CU cuMipmappedArrayCreate(CUarray *array, const struct array_3d *desc, unsigned levels) {
    return make(array, desc, levels);
}

CU cuMipmappedArrayDestroy(CUarray array) {
    return wsimrt_array_free(array);
}

CU cuMipmappedArrayGetLevel(CUarray *level, CUarray array, unsigned index) {
    return wsimrt_array_level(array, index, level);
}

CU cuArray3DGetDescriptor_v2(struct array_3d *desc, CUarray array) {
    struct wsim_array shape;
    unsigned flags = 0;
    const int error = desc ? wsimrt_array_info(array, &shape, &flags) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    *desc = (struct array_3d){shape.width,    shape.height,
                              shape.depth,    cu_format_of(shape.bits, shape.kind),
                              shape.channels, flags};
    return 0;
}

CU cuArrayGetDescriptor_v2(struct array_2d *desc, CUarray array) {
    struct array_3d whole;
    const int error = desc ? cuArray3DGetDescriptor_v2(&whole, array) : WSIMRT_INVALID_VALUE;
    if (!error)
        *desc = (struct array_2d){whole.width, whole.height, whole.format, whole.channels};
    return error;
}

/* --- copies of bytes of the first row --- */

static int copy(CUarray array, size_t offset, uint64_t memory, size_t bytes, int to_array,
                CUstream stream, int wait) {
    struct wsim_array shape;
    struct wsimrt_place place;
    struct wsimrt_copy copy = {.width = bytes, .height = 1, .depth = 1};
    int error = wsimrt_array_info(array, &shape, NULL);
    error = error ? error : wsimrt_array_place(array, 0, 0, 0, &place);
    if (!error && (offset > place.pitch || bytes > place.pitch - offset))
        error = WSIMRT_INVALID_VALUE;
    if (error || !bytes)
        return error;
    place.address += offset;
    copy.to = to_array ? place : (struct wsimrt_place){memory, bytes, bytes};
    copy.from = to_array ? (struct wsimrt_place){memory, bytes, bytes} : place;
    return wsimrt_copy(&copy, stream, wait);
}

CU cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes) {
    return copy(to, offset, (uint64_t)(uintptr_t)from, bytes, 1, NULL, 1);
}

CU cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes) {
    return copy(from, offset, (uint64_t)(uintptr_t)to, bytes, 0, NULL, 1);
}

CU cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
    return copy(to, offset, from, bytes, 1, NULL, 1);
}

CU cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
    return copy(from, offset, to, bytes, 0, NULL, 1);
}

CU cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes,
                        CUstream stream) {
    return copy(to, offset, (uint64_t)(uintptr_t)from, bytes, 1, stream, 0);
}

CU cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
    return copy(from, offset, (uint64_t)(uintptr_t)to, bytes, 0, stream, 0);
}

CU cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
    struct wsim_array shape;
    struct wsimrt_place place;
    int error = wsimrt_array_info(from, &shape, NULL);
    error = error ? error : wsimrt_array_place(from, 0, 0, 0, &place);
    if (!error && (from_offset > place.pitch || bytes > place.pitch - from_offset))
        error = WSIMRT_INVALID_VALUE;
    return error ? error : copy(to, to_offset, place.address + from_offset, bytes, 1, NULL, 1);
}

/* Arrays here have no planes, no tiles, and bring their memory along. */
CU cuArrayGetPlane(CUarray *plane, CUarray array, unsigned index) {
    (void)plane, (void)array, (void)index;
    return WSIMRT_INVALID_VALUE;
}

CU cuArrayGetMemoryRequirements(void *out, CUarray array, CUdevice device) {
    (void)out, (void)array, (void)device;
    return WSIMRT_INVALID_VALUE;
}

CU cuArrayGetSparseProperties(void *out, CUarray array) {
    (void)out, (void)array;
    return WSIMRT_INVALID_VALUE;
}

CU cuMipmappedArrayGetMemoryRequirements(void *out, CUarray array, CUdevice device) {
    return cuArrayGetMemoryRequirements(out, array, device);
}

CU cuMipmappedArrayGetSparseProperties(void *out, CUarray array) {
    return cuArrayGetSparseProperties(out, array);
}
