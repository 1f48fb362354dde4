/* Textures and surfaces. */
#include "channels.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { RESOURCE_ARRAY, RESOURCE_MIPMAP, RESOURCE_LINEAR, RESOURCE_PITCH };

struct resource { /* cudaResourceDesc */
    int type;
    union {
        cudaArray_t array;
        struct {
            void *pointer;
            struct channel_desc desc;
            size_t width, height, pitch; /* of linear memory, `width` is its bytes */
        } memory;
        int reserved[32];
    } is;
    unsigned flags;
};

struct sampler { /* cudaTextureDesc; numbers of f32 by their bits */
    int address[3], filter, reads_float, srgb;
    uint32_t border[4];
    int normalized;
    unsigned anisotropy;
    int mip_filter;
    uint32_t lod_bias, lod_least, lod_most;
    int no_trilinear, seamless;
};

struct view { /* cudaResourceViewDesc */
    int format;
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer, reserved[16];
};

/* Objects and what they were made of. */
struct object {
    struct object *next;
    uint64_t handle;
    struct resource resource;
    struct sampler sampler;
    struct view view; /* zeros: none was given */
};

static struct {
    pthread_mutex_t lock;
    struct object *list;
} objects = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Plain memory that a texture can read. */
static int check_memory(const struct resource *resource, const struct wsim_array *shape) {
    enum { ALIGNMENT = 14, PITCH_ALIGNMENT = 51, LINEAR_WIDTH = 69, ROWS_PITCH = 72 };
    const size_t pitch = resource->is.memory.pitch;
    int align = 1, pitch_align = 1, width = 0, most = 0, device = rt_device(), error;
    error = wsimrt_device_attribute(&align, ALIGNMENT, device);
    error = error ? error : wsimrt_device_attribute(&pitch_align, PITCH_ALIGNMENT, device);
    error = error ? error : wsimrt_device_attribute(&width, LINEAR_WIDTH, device);
    error = error ? error : wsimrt_device_attribute(&most, ROWS_PITCH, device);
    if (error)
        return error;
    if (!shape->address || shape->address % (unsigned)align)
        return WSIMRT_INVALID_VALUE;
    if (resource->type == RESOURCE_LINEAR)
        return shape->width > (unsigned)width ? WSIMRT_INVALID_VALUE : 0;
    return pitch % (unsigned)pitch_align || pitch > (unsigned)most ||
                   pitch < shape->width * rt_texel(shape)
               ? WSIMRT_INVALID_VALUE
               : 0;
}

static int read_resource(const struct resource *resource, struct wsim_array *shape) {
    struct wsimrt_range range;
    int error;
    *shape = (struct wsim_array){.levels = 1};
    if (resource->type == RESOURCE_ARRAY || resource->type == RESOURCE_MIPMAP)
        return wsimrt_array_info(resource->is.array, shape, NULL);
    if (resource->type != RESOURCE_LINEAR && resource->type != RESOURCE_PITCH)
        return WSIMRT_INVALID_VALUE;
    if (!rt_read_channels(&resource->is.memory.desc, shape))
        return RT_INVALID_CHANNELS;
    shape->address = (uint64_t)(uintptr_t)resource->is.memory.pointer;
    if (resource->type == RESOURCE_LINEAR) {
        const size_t texels = resource->is.memory.width / rt_texel(shape);
        shape->shape = WSIM_ARRAY_LINEAR;
        shape->width = texels > UINT32_MAX ? UINT32_MAX : (uint32_t)texels;
        error = check_memory(resource, shape);
        if (!error && !wsimrt_memory_of(shape->address, &range) &&
            range.base + range.bytes - shape->address < texels * rt_texel(shape))
            shape->width = /* what is behind the memory reads as 0 */
                (uint32_t)((range.base + range.bytes - shape->address) / rt_texel(shape));
        return error;
    }
    shape->shape = WSIM_ARRAY_2D;
    shape->width = (uint32_t)resource->is.memory.width;
    shape->height = (uint32_t)resource->is.memory.height;
    shape->pitch = resource->is.memory.pitch;
    return check_memory(resource, shape);
}

/* Texels read as others of equal size. A view of some levels or layers is not modelled. */
static int read_view(const struct view *view, struct wsim_array *shape) {
    static const struct {
        uint8_t bits, kind;
    } formats[] = {{8, WSIM_CHANNEL_UNSIGNED},  {8, WSIM_CHANNEL_SIGNED},
                   {16, WSIM_CHANNEL_UNSIGNED}, {16, WSIM_CHANNEL_SIGNED},
                   {32, WSIM_CHANNEL_UNSIGNED}, {32, WSIM_CHANNEL_SIGNED},
                   {16, WSIM_CHANNEL_FLOAT},    {32, WSIM_CHANNEL_FLOAT}};
    enum { FORMATS = 3 * sizeof formats / sizeof formats[0], COMPRESSED_LAST = FORMATS + 14 };
    const unsigned format = (unsigned)view->format;
    const size_t texel = rt_texel(shape);
    if (view->first_level || view->first_layer || (format > FORMATS && format <= COMPRESSED_LAST))
        return wsimrt_unsupported(
            "cudaCreateTextureObject with a view of some levels, layers or of blocks");
    if (format > FORMATS || view->width != shape->width || view->height != shape->height ||
        view->depth != shape->depth)
        return WSIMRT_INVALID_VALUE;
    if (!format)
        return 0;
    shape->channels = (uint8_t)(1u << (format - 1) % 3);
    shape->bits = formats[(format - 1) / 3].bits;
    shape->kind = formats[(format - 1) / 3].kind;
    return rt_texel(shape) == texel ? 0 : WSIMRT_INVALID_VALUE;
}

/* Ways of reading that fit the texels. Numbers of 32 bits do not become a part of 1, and only
 * floating-point numbers are filtered. Linear memory has no filter. */
static int check_sampler(const struct resource *resource, const struct sampler *sampler,
                         const struct wsim_array *shape) {
    if (sampler->reads_float && (shape->bits == 32 || shape->kind == WSIM_CHANNEL_FLOAT))
        return RT_INVALID_NORM;
    if (sampler->filter && !sampler->reads_float && shape->kind != WSIM_CHANNEL_FLOAT &&
        resource->type != RESOURCE_LINEAR)
        return RT_INVALID_FILTER;
    return 0;
}

static int keep(uint64_t handle, const struct resource *resource, const struct sampler *sampler,
                const struct view *view) {
    struct object *made = calloc(1, sizeof *made);
    if (!made)
        return WSIMRT_OUT_OF_MEMORY;
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
    return 0;
}

RT cudaCreateTextureObject(uint64_t *handle, const struct resource *resource,
                           const struct sampler *sampler, const struct view *view) {
    struct wsim_texture texture = {.filter = 0};
    int error = handle && resource ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && !sampler)
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : read_resource(resource, &texture.array);
    error = error || !view ? error : read_view(view, &texture.array);
    error = error ? error : check_sampler(resource, sampler, &texture.array);
    if (error)
        return rt_note(error);
    for (unsigned i = 0; i < 3; i++)
        texture.address_mode[i] = (uint8_t)sampler->address[i];
    texture.filter = (uint8_t)(resource->type == RESOURCE_LINEAR ? 0 : sampler->filter);
    texture.normalized = sampler->normalized != 0;
    texture.reads_float = sampler->reads_float != 0;
    texture.srgb = sampler->srgb != 0 && texture.array.bits == 8; /* others ignore it */
    texture.mip_filter = (uint8_t)sampler->mip_filter;
    texture.anisotropy = (uint8_t)(sampler->anisotropy > 16 ? 16 : sampler->anisotropy);
    texture.lod_bias = sampler->lod_bias;
    texture.lod_least = sampler->lod_least;
    texture.lod_most = sampler->lod_most;
    memcpy(texture.border, sampler->border, sizeof texture.border);
    error = wsimrt_texture_make(&texture, handle);
    return rt_note(error ? error : keep(*handle, resource, sampler, view));
}

RT cudaCreateSurfaceObject(uint64_t *handle, const struct resource *resource) {
    struct wsim_array shape;
    int error = handle && resource ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && resource->type != RESOURCE_ARRAY)
        error = rt_read_channels(&resource->is.memory.desc, &shape) ? WSIMRT_INVALID_VALUE
                                                                    : RT_INVALID_CHANNELS;
    error = error ? error : read_resource(resource, &shape);
    error = error ? error : wsimrt_surface_make(&shape, handle);
    return rt_note(error ? error : keep(*handle, resource, NULL, NULL));
}

RT cudaDestroyTextureObject(uint64_t handle) {
    int error = handle ? rt_need() : 0;
    if (error || !handle)
        return rt_note(error);
    pthread_mutex_lock(&objects.lock);
    for (struct object **link = &objects.list, *object; (object = *link); link = &object->next)
        if (object->handle == handle) {
            *link = object->next;
            free(object);
            break;
        }
    pthread_mutex_unlock(&objects.lock);
    wsimrt_texture_free(handle); /* of what is none, an H200 says nothing */
    return 0;
}

RT cudaDestroySurfaceObject(uint64_t handle) {
    return cudaDestroyTextureObject(handle);
}

/* Finds what made an object. */
static int find(uint64_t handle, const void *out, struct object *found) {
    int error = WSIMRT_INVALID_VALUE;
    pthread_mutex_lock(&objects.lock);
    for (const struct object *object = out ? objects.list : NULL; object; object = object->next)
        if (object->handle == handle) {
            *found = *object;
            error = 0;
            break;
        }
    pthread_mutex_unlock(&objects.lock);
    return rt_note(error);
}

RT cudaGetTextureObjectResourceDesc(struct resource *out, uint64_t handle) {
    struct object object = {.handle = 0};
    const int error = find(handle, out, &object);
    if (!error) /* without the flags, which CUDA 12 lacks */
        memcpy(out, &object.resource,
               offsetof(struct resource, is) + sizeof object.resource.is.memory);
    return error;
}

RT cudaGetSurfaceObjectResourceDesc(struct resource *out, uint64_t handle) {
    return cudaGetTextureObjectResourceDesc(out, handle);
}

RT cudaGetTextureObjectTextureDesc(struct sampler *out, uint64_t handle) {
    struct object object = {.handle = 0};
    const int error = find(handle, out, &object);
    if (!error) {
        *out = object.sampler;
        memset(out->border, 0, sizeof out->border); /* an H200 does not give it back */
    }
    return error;
}

RT cudaGetTextureObjectResourceViewDesc(struct view *out, uint64_t handle) {
    struct object object = {.handle = 0};
    const int error = find(handle, out, &object);
    if (!error)
        *out = object.view;
    return error;
}
