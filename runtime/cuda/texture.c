/* Textures and surfaces. */
#include "driver.h"
#include "formats.h"

#include <string.h>

struct resource { /* CUDA_RESOURCE_DESC */
    int type;
    union {
        struct wsimrt_array *array;
        struct {
            CUdeviceptr address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
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

void cu_read_flags(unsigned flags, struct wsimrt_sampler *sampler) {
    sampler->reads_float = flags & CU_AS_INTEGER ? 0 : 2;
    sampler->normalized = (flags & CU_NORMALIZED) != 0;
    sampler->srgb = (flags & CU_SRGB) != 0;
    sampler->no_trilinear = (flags & CU_NO_TRILINEAR) != 0;
    sampler->seamless = (flags & CU_SEAMLESS) != 0;
}

unsigned cu_flags_of(const struct wsimrt_sampler *sampler) {
    return (sampler->reads_float ? 0u : CU_AS_INTEGER) |
           (sampler->normalized ? CU_NORMALIZED : 0u) | (sampler->srgb ? CU_SRGB : 0u) |
           (sampler->no_trilinear ? CU_NO_TRILINEAR : 0u) | (sampler->seamless ? CU_SEAMLESS : 0u);
}

static int read_resource(const struct resource *from, struct wsimrt_resource *to) {
    struct wsim_array texel;
    *to = (struct wsimrt_resource){.type = from->type, .flags = from->flags};
    if (wsimrt_is_array(from->type)) {
        to->array = from->is.array;
        return 0;
    }
    if (!cu_read_format(from->is.memory.format, from->is.memory.channels, &texel))
        return WSIMRT_INVALID_VALUE;
    to->address = from->is.memory.address;
    to->channels = texel.channels;
    to->bits = texel.bits;
    to->kind = texel.kind;
    to->width = from->is.memory.width;
    to->height = from->is.memory.height;
    to->pitch = from->is.memory.pitch;
    return 0;
}

static void write_resource(const struct wsimrt_resource *from, struct resource *to) {
    memset(to, 0, sizeof *to);
    to->type = from->type;
    to->flags = from->flags;
    if (wsimrt_is_array(from->type)) {
        to->is.array = from->array;
        return;
    }
    to->is.memory.address = from->address;
    to->is.memory.format = cu_format_of(from->bits, from->kind);
    to->is.memory.channels = from->channels;
    to->is.memory.width = from->width;
    to->is.memory.height = from->height;
    to->is.memory.pitch = from->pitch;
}

static void read_sampler(const struct sampler *from, struct wsimrt_sampler *to) {
    *to = (struct wsimrt_sampler){.filter = from->filter,
                                  .anisotropy = from->anisotropy,
                                  .mip_filter = from->mip_filter,
                                  .lod_bias = from->lod_bias,
                                  .lod_least = from->lod_least,
                                  .lod_most = from->lod_most};
    cu_read_flags(from->flags, to);
    memcpy(to->address, from->address, sizeof to->address);
    memcpy(to->border, from->border, sizeof to->border);
}

static void write_sampler(const struct wsimrt_sampler *from, struct sampler *to) {
    *to = (struct sampler){.filter = from->filter,
                           .flags = cu_flags_of(from),
                           .anisotropy = from->anisotropy,
                           .mip_filter = from->mip_filter,
                           .lod_bias = from->lod_bias,
                           .lod_least = from->lod_least,
                           .lod_most = from->lod_most};
    memcpy(to->address, from->address, sizeof to->address);
    memcpy(to->border, from->border, sizeof to->border);
}

CU cuTexObjectCreate(uint64_t *handle, const struct resource *resource,
                     const struct sampler *sampler, const struct wsimrt_view *view) {
    struct wsimrt_described what = {.resource = {.type = 0}};
    enum { OVERLOOKED = 4 | 8 }; /* bits without a meaning that an H200 takes */
    int error = driver_context();
    if (!error)
        error = handle && resource && sampler ? read_resource(resource, &what.resource)
                                              : WSIMRT_INVALID_VALUE;
    if (!error && (resource->flags || sampler->flags & ~(unsigned)(CU_SAMPLER_FLAGS | OVERLOOKED)))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    read_sampler(sampler, &what.sampler);
    what.overlooked = sampler->flags & OVERLOOKED;
    if (view && wsimrt_is_array(resource->type))
        what.view = *view;
    error = wsimrt_texture_make(&what, handle);
    return error == WSIMRT_INVALID_FILTER ? WSIMRT_INVALID_VALUE : error;
}

CU cuSurfObjectCreate(uint64_t *handle, const struct resource *resource) {
    struct wsimrt_resource what;
    const int error = handle && resource && resource->type == WSIMRT_RESOURCE_ARRAY
                          ? read_resource(resource, &what)
                          : WSIMRT_INVALID_VALUE;
    return error ? error : wsimrt_surface_make(&what, handle);
}

CU cuTexObjectDestroy(uint64_t handle) {
    return handle ? wsimrt_texture_free(handle) : 0;
}

CU cuSurfObjectDestroy(uint64_t handle) {
    return cuTexObjectDestroy(handle);
}

CU cuTexObjectGetResourceDesc(struct resource *out, uint64_t handle) {
    struct wsimrt_described what;
    const int error = out ? wsimrt_texture_of(handle, &what) : WSIMRT_INVALID_VALUE;
    if (!error)
        write_resource(&what.resource, out);
    return error;
}

CU cuSurfObjectGetResourceDesc(struct resource *out, uint64_t handle) {
    return cuTexObjectGetResourceDesc(out, handle);
}

CU cuTexObjectGetTextureDesc(struct sampler *out, uint64_t handle) {
    struct wsimrt_described what;
    const int error = out ? wsimrt_texture_of(handle, &what) : WSIMRT_INVALID_VALUE;
    if (!error)
        write_sampler(&what.sampler, out);
    if (!error)
        out->flags |= what.overlooked;
    return error;
}

CU cuTexObjectGetResourceViewDesc(struct wsimrt_view *out, uint64_t handle) {
    struct wsimrt_described what;
    const int error = out ? wsimrt_texture_of(handle, &what) : WSIMRT_INVALID_VALUE;
    if (!error)
        *out = what.view;
    return error;
}
