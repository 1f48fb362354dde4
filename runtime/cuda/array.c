/* Arrays, textures and surfaces. */
#include "driver.h"

#include "core/array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

/* 0: no such format. */
static int read_format(int format, unsigned channels, struct wsim_array *shape) {
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

/* Bits of flags. */
enum { LAYERED = 1, CUBE = 4, FLAGS = 15 };

static int make(CUarray *array, const struct array_3d *desc, unsigned levels) {
    struct wsim_array shape = {.levels = (uint8_t)levels};
    const int layered = desc && desc->flags & LAYERED, cube = desc && desc->flags & CUBE;
    if (!array || !desc || !levels || desc->flags & ~(unsigned)FLAGS || desc->width > UINT32_MAX ||
        desc->height > UINT32_MAX || desc->depth > UINT32_MAX ||
        !read_format(desc->format, desc->channels, &shape))
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
    return make(array, desc, levels < WSIM_ARRAY_LEVELS ? levels : WSIM_ARRAY_LEVELS);
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
    *desc = (struct array_3d){shape.width, shape.height, shape.depth, 0, shape.channels, flags};
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].bits == shape.bits && formats[i].kind == shape.kind)
            desc->format = formats[i].format;
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

/* --- textures and surfaces --- */

enum { RESOURCE_ARRAY, RESOURCE_MIPMAP, RESOURCE_LINEAR, RESOURCE_PITCH };

struct resource { /* CUDA_RESOURCE_DESC */
    int type;
    union {
        CUarray array;
        struct {
            CUdeviceptr address;
            int format;
            unsigned channels;
            size_t width, height, pitch; /* of linear memory, `width` is its bytes */
        } memory;
        int reserved[32];
    } is;
    unsigned flags;
};

struct sampler { /* CUDA_TEXTURE_DESC; numbers of f32 by their bits */
    int address[3], filter;
    unsigned flags, anisotropy;
    int mip_filter;
    uint32_t lod_bias, lod_least, lod_most, border[4];
    int reserved[12];
};

enum { AS_INTEGER = 1, NORMALIZED = 2, SRGB = 0x10 };

struct view { /* CUDA_RESOURCE_VIEW_DESC */
    int format;
    size_t size[3];
    unsigned levels[2], layers[2];
    int reserved[16];
};

/* The descriptors that made the objects. */
static struct {
    pthread_mutex_t lock;
    struct object {
        struct object *next;
        uint64_t handle;
        struct resource resource;
        struct sampler sampler;
        struct view view;
    } * list;
} objects = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remember(uint64_t handle, const struct resource *resource,
                     const struct sampler *sampler, const struct view *view) {
    struct object *made = calloc(1, sizeof *made);
    if (!made)
        return;
    made->handle = handle;
    made->resource = *resource;
    if (sampler)
        made->sampler = *sampler;
    if (view)
        made->view = *view;
    pthread_mutex_lock(&objects.lock);
    made->next = objects.list;
    objects.list = made;
    pthread_mutex_unlock(&objects.lock);
}

static void forget(uint64_t handle) {
    pthread_mutex_lock(&objects.lock);
    for (struct object **link = &objects.list, *at; (at = *link); link = &at->next)
        if (at->handle == handle) {
            *link = at->next;
            free(at);
            break;
        }
    pthread_mutex_unlock(&objects.lock);
}

static int recall(uint64_t handle, const void *out, struct object *found) {
    int error = WSIMRT_INVALID_VALUE;
    pthread_mutex_lock(&objects.lock);
    for (const struct object *at = out ? objects.list : NULL; at && error; at = at->next)
        if (at->handle == handle) {
            *found = *at;
            error = 0;
        }
    pthread_mutex_unlock(&objects.lock);
    return error;
}

CU cuTexObjectGetResourceDesc(struct resource *out, uint64_t handle) {
    struct object object = {.handle = 0};
    const int error = recall(handle, out, &object);
    if (!error)
        *out = object.resource;
    return error;
}

CU cuSurfObjectGetResourceDesc(struct resource *out, uint64_t handle) {
    return cuTexObjectGetResourceDesc(out, handle);
}

CU cuTexObjectGetTextureDesc(struct sampler *out, uint64_t handle) {
    struct object object = {.handle = 0};
    const int error = recall(handle, out, &object);
    if (!error)
        *out = object.sampler;
    return error;
}

CU cuTexObjectGetResourceViewDesc(struct view *out, uint64_t handle) {
    struct object object = {.handle = 0};
    const int error = recall(handle, out, &object);
    if (!error)
        *out = object.view;
    return error;
}

static int read_resource(const struct resource *resource, struct wsim_array *shape) {
    *shape = (struct wsim_array){.levels = 1};
    if (resource->type == RESOURCE_ARRAY || resource->type == RESOURCE_MIPMAP)
        return wsimrt_array_info(resource->is.array, shape, NULL);
    if ((resource->type != RESOURCE_LINEAR && resource->type != RESOURCE_PITCH) ||
        !read_format(resource->is.memory.format, resource->is.memory.channels, shape))
        return WSIMRT_INVALID_VALUE;
    shape->address = resource->is.memory.address;
    shape->shape = resource->type == RESOURCE_LINEAR ? WSIM_ARRAY_LINEAR : WSIM_ARRAY_2D;
    if (resource->type == RESOURCE_LINEAR) {
        const size_t texels =
            resource->is.memory.width / ((size_t)shape->channels * shape->bits / 8);
        shape->width = (uint32_t)texels;
        return texels > UINT32_MAX ? WSIMRT_INVALID_VALUE : 0;
    }
    shape->width = (uint32_t)resource->is.memory.width;
    shape->height = (uint32_t)resource->is.memory.height;
    shape->pitch = resource->is.memory.pitch;
    return 0;
}

CU cuTexObjectCreate(uint64_t *handle, const struct resource *resource,
                     const struct sampler *sampler, const struct view *view) {
    enum { KNOWN = 0x73 }; /* bits of CU_TRSF_... */
    struct wsim_texture texture = {.filter = 0};
    int error = handle && resource && sampler ? read_resource(resource, &texture.array)
                                              : WSIMRT_INVALID_VALUE;
    if (!error && (resource->flags || sampler->flags & ~(unsigned)KNOWN))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    for (unsigned i = 0; i < 3; i++)
        texture.address_mode[i] = (uint8_t)sampler->address[i];
    texture.filter = (uint8_t)sampler->filter;
    texture.normalized = (sampler->flags & NORMALIZED) != 0;
    texture.reads_float = !(sampler->flags & AS_INTEGER) && texture.array.bits < 32 &&
                          texture.array.kind != WSIM_CHANNEL_FLOAT;
    texture.srgb = (sampler->flags & SRGB) != 0;
    texture.mip_filter = (uint8_t)sampler->mip_filter;
    texture.anisotropy = (uint8_t)(sampler->anisotropy > 16 ? 16 : sampler->anisotropy);
    texture.lod_bias = sampler->lod_bias;
    texture.lod_least = sampler->lod_least;
    texture.lod_most = sampler->lod_most;
    memcpy(texture.border, sampler->border, sizeof texture.border);
    error = wsimrt_texture_make(&texture, handle);
    if (!error)
        remember(*handle, resource, sampler, view);
    return error;
}

CU cuSurfObjectCreate(uint64_t *handle, const struct resource *resource) {
    struct wsim_array shape;
    int error = handle && resource && resource->type == RESOURCE_ARRAY
                    ? read_resource(resource, &shape)
                    : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_surface_make(&shape, handle);
    if (!error)
        remember(*handle, resource, NULL, NULL);
    return error;
}

CU cuTexObjectDestroy(uint64_t handle) {
    forget(handle);
    return handle ? wsimrt_texture_free(handle) : 0;
}

CU cuSurfObjectDestroy(uint64_t handle) {
    return cuTexObjectDestroy(handle);
}
