/* Texture and surface objects, and the descriptors that made them. */
#include "array.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

struct described {
    struct described *next;
    uint64_t handle;
    struct wsimrt_described what;
};

/* --- descriptors to textures --- */

/* Numbers of CUdevice_attribute. */
enum { ALIGNMENT = 14, PITCH_ALIGNMENT = 51, LINEAR_WIDTH = 69, ROWS_PITCH = 72 };

static size_t texel_of(const struct wsim_array *shape) {
    return (size_t)shape->channels * shape->bits / 8;
}

static int attribute_of(int attribute, int ordinal) {
    int value = 0;
    return device_attribute(&value, attribute, ordinal) ? value : 0;
}

/* Plain memory that a texture can read. */
static int check_memory(const struct wsimrt_resource *resource, const struct wsim_array *shape,
                        int ordinal) {
    if (!shape->address || shape->address % (unsigned)attribute_of(ALIGNMENT, ordinal))
        return WSIMRT_INVALID_VALUE;
    if (resource->type == WSIMRT_RESOURCE_LINEAR)
        return resource->width / texel_of(shape) > (size_t)attribute_of(LINEAR_WIDTH, ordinal)
                   ? WSIMRT_INVALID_VALUE
                   : 0;
    return resource->pitch % (unsigned)attribute_of(PITCH_ALIGNMENT, ordinal) ||
                   resource->pitch > (unsigned)attribute_of(ROWS_PITCH, ordinal) ||
                   resource->pitch < shape->width * texel_of(shape)
               ? WSIMRT_INVALID_VALUE
               : 0;
}

/* Linear memory. Texels behind its allocation read as 0. */
static void read_linear(const struct wsimrt_resource *resource, struct wsim_array *shape) {
    const struct allocation *memory = memory_find(shape->address, 1);
    size_t texels = resource->width / texel_of(shape);
    shape->shape = WSIM_ARRAY_LINEAR;
    if (memory && memory->base + memory->bytes - shape->address < texels * texel_of(shape))
        texels = (memory->base + memory->bytes - shape->address) / texel_of(shape);
    shape->width = texels > UINT32_MAX ? UINT32_MAX : (uint32_t)texels;
}

/* Memory with a pitch and no rows is linear memory. Source: an H200 (driver 580). */
static void flatten(struct wsimrt_resource *resource, size_t texel) {
    resource->type = WSIMRT_RESOURCE_LINEAR;
    resource->width *= texel;
    resource->pitch = 0;
}

/* Rows of memory with a pitch: those in its allocation, and one at least. An H200 takes all. */
static uint32_t rows_of(const struct wsimrt_resource *resource, const struct wsim_array *shape) {
    const struct allocation *memory = memory_find(shape->address, 1);
    const uint64_t row = shape->width * texel_of(shape);
    const uint64_t left = memory ? memory->base + memory->bytes - shape->address : 0;
    uint64_t rows = resource->height;
    if (resource->pitch && left >= row && rows > (left - row) / resource->pitch + 1)
        rows = (left - row) / resource->pitch + 1;
    return rows ? (uint32_t)rows : 1;
}

static int read_resource(const struct wsimrt_resource *resource, struct wsim_array *shape) {
    *shape = (struct wsim_array){.levels = 1};
    if (wsimrt_is_array(resource->type))
        return array_shape(resource->array, shape);
    if (resource->type != WSIMRT_RESOURCE_LINEAR && resource->type != WSIMRT_RESOURCE_PITCH)
        return WSIMRT_INVALID_VALUE;
    shape->channels = resource->channels;
    shape->bits = resource->bits;
    shape->kind = resource->kind;
    shape->address = resource->address;
    if (!texel_of(shape))
        return WSIMRT_INVALID_VALUE;
    if (resource->type == WSIMRT_RESOURCE_LINEAR) {
        read_linear(resource, shape);
    } else {
        shape->shape = WSIM_ARRAY_2D;
        shape->width = (uint32_t)resource->width;
        shape->height = rows_of(resource, shape);
        shape->pitch = resource->pitch;
    }
    return 0;
}

/* A view of some levels or layers is not modelled. */
static int read_view(const struct wsimrt_view *view, struct wsim_array *shape) {
    static const struct {
        uint8_t bits, kind;
    } formats[] = {{8, WSIM_CHANNEL_UNSIGNED},  {8, WSIM_CHANNEL_SIGNED},
                   {16, WSIM_CHANNEL_UNSIGNED}, {16, WSIM_CHANNEL_SIGNED},
                   {32, WSIM_CHANNEL_UNSIGNED}, {32, WSIM_CHANNEL_SIGNED},
                   {16, WSIM_CHANNEL_FLOAT},    {32, WSIM_CHANNEL_FLOAT}};
    enum { FORMATS = 3 * sizeof formats / sizeof formats[0], BLOCKS = 10, BLOCK_TEXELS = 4 };
    static const uint8_t block_channels[BLOCKS] = {2, 4, 4, 2, 2, 4, 4, 4, 4, 4}; /* of 32 bits */
    static const struct wsimrt_view none;
    const unsigned format = (unsigned)view->format;
    const size_t texel = texel_of(shape);
    if (memcmp(view, &none, sizeof none) == 0)
        return 0;
    if (format > FORMATS + BLOCKS ||
        (format > FORMATS && (shape->bits != 32 || shape->kind != WSIM_CHANNEL_UNSIGNED ||
                              shape->channels != block_channels[format - FORMATS - 1] ||
                              view->width != (size_t)BLOCK_TEXELS * shape->width)))
        return WSIMRT_INVALID_VALUE;
    if (view->first_level || view->first_layer || format > FORMATS) {
        wsimrt_say("a view of some levels, layers or of blocks is not modelled");
        return WSIMRT_NOT_SUPPORTED;
    }
    if (view->width != shape->width || view->height != shape->height || view->depth != shape->depth)
        return WSIMRT_INVALID_VALUE;
    if (!format)
        return 0;
    shape->channels = (uint8_t)(1u << (format - 1) % 3);
    shape->bits = formats[(format - 1) / 3].bits;
    shape->kind = formats[(format - 1) / 3].kind;
    return texel_of(shape) == texel ? 0 : WSIMRT_INVALID_VALUE;
}

/* Axes that have a mode of their own; the modes of others do not count. */
static unsigned axes_of(const struct wsim_array *shape) {
    switch (shape->shape) {
    case WSIM_ARRAY_LINEAR:
    case WSIM_ARRAY_1D:
    case WSIM_ARRAY_1D_LAYERS: return 1;
    case WSIM_ARRAY_3D: return 3;
    default: return 2;
    }
}

/* Refuses an array of another context on this device: nothing opens it. */
static int check_context(const struct wsimrt_resource *resource, const struct wsim_array *shape,
                         const struct wsimrt_context *context) {
    const struct allocation *const memory = memory_find(shape->address, 1);
    return wsimrt_is_array(resource->type) && memory && memory->context != context &&
                   memory->device == context->ordinal
               ? WSIMRT_PEER_ACCESS_NOT_ENABLED
               : 0;
}

/* Ways of reading that fit the texels. Numbers of 32 bits do not become a part of 1, and only
 * floating-point numbers are filtered. Linear memory has no filter. */
static int read_sampler(const struct wsimrt_sampler *sampler, int is_linear,
                        struct wsim_texture *texture) {
    const int can = texture->array.bits < 32 && texture->array.kind != WSIM_CHANNEL_FLOAT;
    texture->reads_float = sampler->reads_float && can;
    texture->filter = (uint8_t)(is_linear ? 0 : sampler->filter);
    if (texture->filter && !texture->reads_float && texture->array.kind != WSIM_CHANNEL_FLOAT)
        return WSIMRT_INVALID_FILTER;
    if (sampler->reads_float == 1 && !can)
        return WSIMRT_INVALID_NORM;
    for (unsigned i = 0; i < axes_of(&texture->array); i++)
        texture->address_mode[i] = (uint8_t)sampler->address[i];
    texture->normalized = sampler->normalized != 0;
    texture->srgb = sampler->srgb != 0 && texture->array.bits == 8 && texture->reads_float &&
                    texture->array.kind == WSIM_CHANNEL_UNSIGNED; /* others ignore it */
    texture->mip_filter = (uint8_t)sampler->mip_filter;
    texture->anisotropy = (uint8_t)(sampler->anisotropy > 16 ? 16 : sampler->anisotropy);
    texture->lod_bias = sampler->lod_bias;
    texture->lod_least = sampler->lod_least;
    texture->lod_most = sampler->lod_most;
    memcpy(texture->border, sampler->border, sizeof texture->border);
    return 0;
}

/* --- the list --- */

static struct described **find(uint64_t handle) {
    struct described **link = &core.described;
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    return link;
}

static void keep(struct described *made, uint64_t handle) {
    made->handle = handle;
    made->next = core.described;
    core.described = made;
}

/* --- the calls --- */

/* A refusal of the library, said: its sentence has more than the error. */
static int refuse(enum wsim_status status, const struct wsim_diag *diag) {
    if (status == WSIM_UNMODELLED)
        wsimrt_say("%s", diag->text);
    return core_error(status);
}

int wsimrt_texture_make(const struct wsimrt_described *what, uint64_t *handle) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct wsim_texture texture = {.filter = 0};
    struct wsimrt_described kept;
    struct described *made = NULL;
    struct wsim_diag diag;
    if (!error && (!what || !handle))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    kept = *what;
    error = capture_unsafe();
    error = error ? error : read_resource(&what->resource, &texture.array);
    if (!error && what->resource.type == WSIMRT_RESOURCE_PITCH && !what->resource.height) {
        error = check_memory(&what->resource, &texture.array, context->ordinal);
        flatten(&kept.resource, texel_of(&texture.array));
        error = error ? error : read_resource(&kept.resource, &texture.array);
    }
    error = error ? error : read_view(&what->view, &texture.array);
    for (unsigned i = 0; i < axes_of(&texture.array) && !error; i++)
        if (what->sampler.address[i] < 0 || what->sampler.address[i] > WSIM_ADDRESS_BORDER)
            error = WSIMRT_INVALID_VALUE;
    error = error ? error : check_context(&what->resource, &texture.array, context);
    error = error ? error
                  : read_sampler(&what->sampler, kept.resource.type == WSIMRT_RESOURCE_LINEAR,
                                 &texture);
    if (!error && !wsimrt_is_array(kept.resource.type))
        error = check_memory(&kept.resource, &texture.array, context->ordinal);
    if (!error && (what->sampler.filter < 0 || what->sampler.filter > WSIM_FILTER_LINEAR))
        error = WSIMRT_INVALID_VALUE; /* of linear memory, too, which has no filter */
    if (!error && !(made = calloc(1, sizeof *made)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (!error)
        error = refuse(wsim_texture_make(context->device, &texture, handle, &diag), &diag);
    if (error) {
        free(made);
        return core_leave(error);
    }
    made->what = kept;
    keep(made, *handle);
    return core_leave(0);
}

int wsimrt_surface_make(const struct wsimrt_resource *resource, uint64_t *handle) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct wsim_array shape;
    struct described *made = NULL;
    struct wsim_diag diag;
    if (!error && (!resource || !handle || resource->type != WSIMRT_RESOURCE_ARRAY))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : array_shape(resource->array, &shape);
    error = error ? error : check_context(resource, &shape, context);
    if (!error && !(made = calloc(1, sizeof *made)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (!error)
        error = refuse(wsim_surface_make(context->device, &shape, handle, &diag), &diag);
    if (error) {
        free(made);
        return core_leave(error);
    }
    made->what.resource = *resource;
    keep(made, *handle);
    return core_leave(0);
}

int wsimrt_texture_free(uint64_t handle) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct described **link = find(handle), *const gone = *link;
    struct wsim_diag diag;
    if (!error && wsim_texture_release(context->device, handle, &diag))
        error = WSIMRT_INVALID_VALUE;
    if (!error && gone) {
        *link = gone->next;
        free(gone);
    }
    return core_leave(error);
}

int wsimrt_texture_of(uint64_t handle, struct wsimrt_described *what) {
    int error = core_enter(NULL);
    const struct described *const found = *find(handle);
    if (!error && (!found || !what))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *what = found->what;
    return core_leave(error);
}
