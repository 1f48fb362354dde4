/* Textures and surfaces. */
#include "channels.h"

#include <stddef.h>
#include <string.h>

struct resource { /* cudaResourceDesc */
    int type;
    union {
        cudaArray_t array;
        struct {
            void *pointer;
            struct channel_desc desc;
            size_t width, height, pitch;
        } memory;
        int reserved[32];
    } is;
    unsigned flags;
};

static int read_resource(const struct resource *from, struct wsimrt_resource *to) {
    struct wsim_array texel;
    *to = (struct wsimrt_resource){.type = from->type};
    if (wsimrt_is_array(from->type)) {
        to->array = from->is.array;
        return 0;
    }
    if (from->type != WSIMRT_RESOURCE_LINEAR && from->type != WSIMRT_RESOURCE_PITCH)
        return WSIMRT_INVALID_VALUE;
    if (!rt_read_channels(&from->is.memory.desc, &texel))
        return WSIMRT_INVALID_CHANNELS;
    to->address = (uint64_t)(uintptr_t)from->is.memory.pointer;
    to->channels = texel.channels;
    to->bits = texel.bits;
    to->kind = texel.kind;
    to->width = from->is.memory.width;
    to->height = from->is.memory.height;
    to->pitch = from->is.memory.pitch;
    return 0;
}

/* Without the flags, which CUDA 12 lacks. */
static void write_resource(const struct wsimrt_resource *from, struct resource *to) {
    const struct wsim_array texel = {
        .channels = from->channels, .bits = from->bits, .kind = from->kind};
    memset(to, 0, offsetof(struct resource, is) + sizeof to->is.memory);
    to->type = from->type;
    if (wsimrt_is_array(from->type)) {
        to->is.array = from->array;
        return;
    }
    to->is.memory.pointer = (void *)(uintptr_t)from->address;
    to->is.memory.desc = rt_channels_of(&texel);
    to->is.memory.width = from->width;
    to->is.memory.height = from->height;
    to->is.memory.pitch = from->pitch;
}

/* The runtime looks at these two first, also at the filter of linear memory, which has none.
 * Source: an H200 (driver 580), 868 descriptions. */
static int check_reads(const struct wsimrt_resource *resource,
                       const struct wsimrt_sampler *sampler) {
    struct wsim_array texel = {.bits = resource->bits, .kind = resource->kind};
    int error = 0;
    if (wsimrt_is_array(resource->type))
        error = wsimrt_array_info(resource->array, &texel, NULL);
    if (!error && sampler->filter && texel.kind != WSIM_CHANNEL_FLOAT &&
        !(sampler->reads_float && texel.bits < 32))
        error = WSIMRT_INVALID_FILTER;
    if (!error && sampler->reads_float && (texel.bits == 32 || texel.kind == WSIM_CHANNEL_FLOAT))
        error = WSIMRT_INVALID_NORM;
    return error;
}

RT cudaCreateTextureObject(uint64_t *handle, const struct resource *resource,
                           const struct wsimrt_sampler *sampler, const struct wsimrt_view *view) {
    struct wsimrt_described what = {.resource = {.type = 0}};
    int error = handle && resource ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && !sampler)
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : read_resource(resource, &what.resource);
    if (!error && !view)
        error = check_reads(&what.resource, sampler);
    if (error)
        return rt_note(error);
    what.sampler = *sampler;
    what.sampler.reads_float = sampler->reads_float != 0;
    if (view)
        what.view = *view;
    return rt_note(wsimrt_texture_make(&what, handle));
}

RT cudaCreateSurfaceObject(uint64_t *handle, const struct resource *resource) {
    struct wsimrt_resource what;
    int error = handle && resource ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && resource->type != WSIMRT_RESOURCE_ARRAY) {
        struct wsim_array texel;
        error = rt_read_channels(&resource->is.memory.desc, &texel) ? WSIMRT_INVALID_VALUE
                                                                    : WSIMRT_INVALID_CHANNELS;
    }
    error = error ? error : read_resource(resource, &what);
    return rt_note(error ? error : wsimrt_surface_make(&what, handle));
}

RT cudaDestroyTextureObject(uint64_t handle) {
    const int error = handle ? rt_need() : 0;
    if (!error && handle)
        wsimrt_texture_free(handle); /* of what is none, an H200 says nothing */
    return rt_note(error);
}

RT cudaDestroySurfaceObject(uint64_t handle) {
    return cudaDestroyTextureObject(handle);
}

RT cudaGetTextureObjectResourceDesc(struct resource *out, uint64_t handle) {
    struct wsimrt_described what;
    const int error = out ? wsimrt_texture_of(handle, &what) : WSIMRT_INVALID_VALUE;
    if (!error)
        write_resource(&what.resource, out);
    return rt_note(error);
}

RT cudaGetSurfaceObjectResourceDesc(struct resource *out, uint64_t handle) {
    return cudaGetTextureObjectResourceDesc(out, handle);
}

RT cudaGetTextureObjectTextureDesc(struct wsimrt_sampler *out, uint64_t handle) {
    struct wsimrt_described what;
    const int error = out ? wsimrt_texture_of(handle, &what) : WSIMRT_INVALID_VALUE;
    if (!error) {
        *out = what.sampler;
        out->reads_float = what.sampler.reads_float != 0;
        memset(out->border, 0, sizeof out->border); /* an H200 does not give it back */
    }
    return rt_note(error);
}

RT cudaGetTextureObjectResourceViewDesc(struct wsimrt_view *out, uint64_t handle) {
    struct wsimrt_described what;
    const int error = out ? wsimrt_texture_of(handle, &what) : WSIMRT_INVALID_VALUE;
    if (!error)
        *out = what.view;
    return rt_note(error);
}
