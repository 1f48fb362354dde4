/* Arrays, textures and surfaces. */
#include "cudart.h"

#include "core/array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct wsimrt_array *cudaArray_t;

struct channel_desc { /* cudaChannelFormatDesc: bits of each channel; kind 0 signed, 1 unsigned, 2
                         float */
    int x, y, z, w, kind;
};

/* Bits of flags. */
enum { LAYERED = 1, SURFACE = 2, CUBE = 4, GATHER = 8, FLAGS = 15 };

/* --- descriptions --- */

WSIMRT_API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
WSIMRT_API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return (struct channel_desc){x, y, z, w, kind};
}

/* 0: the channels do not fit any format. */
static int read_channels(const struct channel_desc *desc, struct wsim_array *shape) {
    static const uint8_t kinds[] = {WSIM_CHANNEL_SIGNED, WSIM_CHANNEL_UNSIGNED, WSIM_CHANNEL_FLOAT};
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    unsigned n = 0;
    if (desc->kind < 0 || desc->kind > 2 || (desc->x != 8 && desc->x != 16 && desc->x != 32))
        return 0;
    while (n < 4 && bits[n] == desc->x)
        n++;
    for (unsigned i = n; i < 4; i++)
        if (bits[i])
            return 0;
    shape->channels = (uint8_t)n;
    shape->bits = (uint8_t)desc->x;
    shape->kind = kinds[desc->kind];
    return n != 3;
}

static struct channel_desc to_channels(const struct wsim_array *shape) {
    static const int kinds[] = {1, 0, 2};
    const int bits = shape->bits;
    return (struct channel_desc){bits, shape->channels > 1 ? bits : 0,
                                 shape->channels > 2 ? bits : 0, shape->channels > 3 ? bits : 0,
                                 kinds[shape->kind]};
}

static int read_extent(const struct extent *extent, unsigned flags, struct wsim_array *shape) {
    const int layered = (flags & LAYERED) != 0;
    if (!extent->width || extent->width > UINT32_MAX || extent->height > UINT32_MAX ||
        extent->depth > UINT32_MAX || flags & ~(unsigned)FLAGS)
        return 0;
    shape->width = (uint32_t)extent->width;
    shape->height = (uint32_t)extent->height;
    shape->depth = (uint32_t)extent->depth;
    if (flags & CUBE) {
        if (extent->width != extent->height || !extent->depth || extent->depth % 6 ||
            (!layered && extent->depth != 6))
            return 0;
        shape->shape = layered ? WSIM_ARRAY_CUBE_LAYERS : WSIM_ARRAY_CUBE;
    } else if (layered) {
        shape->shape = extent->height ? WSIM_ARRAY_2D_LAYERS : WSIM_ARRAY_1D_LAYERS;
        return extent->depth != 0;
    } else if (extent->depth) {
        shape->shape = WSIM_ARRAY_3D;
        return extent->height != 0;
    } else {
        shape->shape = extent->height ? WSIM_ARRAY_2D : WSIM_ARRAY_1D;
    }
    return 1;
}

static struct extent to_extent(const struct wsim_array *shape) {
    return (struct extent){shape->width, shape->height, shape->depth};
}

/* --- arrays --- */

static int make(cudaArray_t *array, const struct channel_desc *desc, struct extent extent,
                unsigned levels, unsigned flags) {
    struct wsim_array shape = {.levels = (uint8_t)levels};
    int error = array && desc ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && (!read_channels(desc, &shape) || !read_extent(&extent, flags, &shape)))
        error = WSIMRT_INVALID_VALUE;
    return rt_note(error ? error : wsimrt_array_make(&shape, flags, array));
}

RT cudaMallocArray(cudaArray_t *array, const struct channel_desc *desc, size_t width, size_t height,
                   unsigned flags) {
    return make(array, desc, (struct extent){width, height, 0}, 1, flags);
}

RT cudaMalloc3DArray(cudaArray_t *array, const struct channel_desc *desc, struct extent extent,
                     unsigned flags) {
    return make(array, desc, extent, 1, flags);
}

/* Levels are those until one texel is left, at most. */
RT cudaMallocMipmappedArray(cudaArray_t *array, const struct channel_desc *desc,
                            struct extent extent, unsigned levels, unsigned flags) {
    size_t most = extent.width > extent.height ? extent.width : extent.height;
    unsigned all = 1;
    if (!(flags & (LAYERED | CUBE)) && extent.depth > most)
        most = extent.depth;
    for (; most > 1; most /= 2)
        all++;
    if (!levels)
        return rt_note(WSIMRT_INVALID_VALUE);
    if (all > WSIM_ARRAY_LEVELS)
        all = WSIM_ARRAY_LEVELS;
    return make(array, desc, extent, levels < all ? levels : all, flags);
}

RT cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaArray_t array, unsigned index) {
    RT_CALL(wsimrt_array_level(array, index, level));
}

RT cudaFreeArray(cudaArray_t array) {
    RT_CALL(array ? wsimrt_array_free(array) : 0);
}

RT cudaFreeMipmappedArray(cudaArray_t array) {
    return cudaFreeArray(array);
}

RT cudaArrayGetInfo(struct channel_desc *desc, struct extent *extent, unsigned *flags,
                    cudaArray_t array) {
    struct wsim_array shape;
    unsigned given = 0;
    int error = rt_need();
    error = error ? error : wsimrt_array_info(array, &shape, &given);
    if (error)
        return rt_note(error);
    if (desc)
        *desc = to_channels(&shape);
    if (extent)
        *extent = to_extent(&shape);
    if (flags)
        *flags = given;
    return 0;
}

RT cudaGetChannelDesc(struct channel_desc *desc, cudaArray_t array) {
    return desc ? cudaArrayGetInfo(desc, NULL, NULL, array) : rt_note(WSIMRT_INVALID_VALUE);
}

/* --- copies --- */

static uint64_t at(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

/* The place of a byte in a row of an array, of which `width` bytes and `height` rows are left. */
static int place_of(cudaArray_t array, size_t x, size_t y, size_t width, size_t height,
                    struct wsimrt_place *place) {
    struct wsim_array shape;
    int error = wsimrt_array_info(array, &shape, NULL);
    const uint64_t row = error ? 0 : (uint64_t)shape.width * shape.channels * shape.bits / 8;
    const uint64_t rows = !error && shape.height ? shape.height : 1;
    if (!error && (x > row || width > row - x || y > rows || height > rows - y))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_array_place(array, 0, y, 0, place);
    if (!error)
        place->address += x;
    return error;
}

struct rows {
    cudaArray_t array;   /* or */
    const void *pointer; /* rows of memory */
    size_t pitch;
    size_t x, y; /* bytes, rows */
};

static int side_of(const struct rows *rows, size_t width, size_t height,
                   struct wsimrt_place *place) {
    if (rows->array)
        return place_of(rows->array, rows->x, rows->y, width, height, place);
    *place = (struct wsimrt_place){at(rows->pointer), rows->pitch, 0};
    return rows->pitch < width && height > 1 ? RT_INVALID_PITCH : 0;
}

static int copy_rows(const struct rows *to, const struct rows *from, size_t width, size_t height,
                     int kind, cudaStream_t stream, int wait) {
    struct wsimrt_copy copy = {.width = width, .height = height, .depth = 1};
    int error = kind < 0 || kind > 4 ? RT_INVALID_DIRECTION : rt_need();
    error = error ? error : side_of(to, width, height, &copy.to);
    error = error ? error : side_of(from, width, height, &copy.from);
    if (error || !width || !height)
        return rt_note(error);
    return rt_note(wsimrt_copy(&copy, stream, wait));
}

RT cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                       size_t width, size_t height, int kind) {
    return copy_rows(&(struct rows){.array = to, .x = x, .y = y},
                     &(struct rows){.pointer = from, .pitch = pitch}, width, height, kind, NULL, 1);
}

RT cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                            size_t width, size_t height, int kind, cudaStream_t stream) {
    return copy_rows(&(struct rows){.array = to, .x = x, .y = y},
                     &(struct rows){.pointer = from, .pitch = pitch}, width, height, kind, stream,
                     0);
}

RT cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                         size_t height, int kind) {
    return copy_rows(&(struct rows){.pointer = to, .pitch = pitch},
                     &(struct rows){.array = from, .x = x, .y = y}, width, height, kind, NULL, 1);
}

RT cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                              size_t width, size_t height, int kind, cudaStream_t stream) {
    return copy_rows(&(struct rows){.pointer = to, .pitch = pitch},
                     &(struct rows){.array = from, .x = x, .y = y}, width, height, kind, stream, 0);
}

RT cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
                            size_t from_x, size_t from_y, size_t width, size_t height, int kind) {
    return copy_rows(&(struct rows){.array = to, .x = to_x, .y = to_y},
                     &(struct rows){.array = from, .x = from_x, .y = from_y}, width, height, kind,
                     NULL, 1);
}

/* Bytes that go on in the next row: rows of an array follow each other. */
static int copy_line(cudaArray_t array, size_t x, size_t y, const void *memory, size_t bytes,
                     int to_array, int kind, cudaStream_t stream, int wait) {
    struct wsim_array shape;
    struct wsimrt_copy copy = {.width = bytes, .height = 1, .depth = 1};
    struct wsimrt_place place = {0, 0, 0};
    uint64_t row, all;
    int error = kind < 0 || kind > 4 ? RT_INVALID_DIRECTION : rt_need();
    error = error ? error : wsimrt_array_info(array, &shape, NULL);
    error = error ? error : wsimrt_array_place(array, 0, 0, 0, &place);
    if (error || !bytes)
        return rt_note(error);
    row = (uint64_t)shape.width * shape.channels * shape.bits / 8;
    all = row * (shape.height ? shape.height : 1);
    if (y * row > all || x > row || bytes > all - y * row || x > all - y * row - bytes)
        return rt_note(WSIMRT_INVALID_VALUE);
    place.address += y * row + x;
    copy.to = to_array ? place : (struct wsimrt_place){at(memory), bytes, bytes};
    copy.from = to_array ? (struct wsimrt_place){at(memory), bytes, bytes} : place;
    return rt_note(wsimrt_copy(&copy, stream, wait));
}

RT cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, int kind) {
    return copy_line(to, x, y, from, bytes, 1, kind, NULL, 1);
}

RT cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                          int kind, cudaStream_t stream) {
    return copy_line(to, x, y, from, bytes, 1, kind, stream, 0);
}

RT cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, int kind) {
    return copy_line(from, x, y, to, bytes, 0, kind, NULL, 1);
}

RT cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, int kind,
                            cudaStream_t stream) {
    return copy_line(from, x, y, to, bytes, 0, kind, stream, 0);
}

RT cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x,
                          size_t from_y, size_t bytes, int kind) {
    struct wsimrt_place place;
    int error = rt_need();
    error = error ? error : wsimrt_array_place(from, 0, from_y, 0, &place);
    return error ? rt_note(error)
                 : copy_line(to, to_x, to_y, (void *)(uintptr_t)(place.address + from_x), bytes, 1,
                             kind, NULL, 1);
}

/* --- textures and surfaces --- */

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
    struct view view;
    int has_view;
};

static struct {
    pthread_mutex_t lock;
    struct object *list;
} objects = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int read_resource(const struct resource *resource, struct wsim_array *shape) {
    *shape = (struct wsim_array){.levels = 1};
    if (resource->type == RESOURCE_ARRAY || resource->type == RESOURCE_MIPMAP)
        return wsimrt_array_info(resource->is.array, shape, NULL);
    if ((resource->type != RESOURCE_LINEAR && resource->type != RESOURCE_PITCH) ||
        !read_channels(&resource->is.memory.desc, shape))
        return WSIMRT_INVALID_VALUE;
    shape->address = at(resource->is.memory.pointer);
    if (resource->type == RESOURCE_LINEAR) {
        const size_t texels =
            resource->is.memory.width / ((size_t)shape->channels * shape->bits / 8);
        shape->shape = WSIM_ARRAY_LINEAR;
        shape->width = texels > UINT32_MAX ? UINT32_MAX : (uint32_t)texels;
        return texels > UINT32_MAX ? WSIMRT_INVALID_VALUE : 0;
    }
    shape->shape = WSIM_ARRAY_2D;
    shape->width = (uint32_t)resource->is.memory.width;
    shape->height = (uint32_t)resource->is.memory.height;
    shape->pitch = resource->is.memory.pitch;
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
    made->has_view = view != NULL;
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
    int error = handle && resource && sampler ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : read_resource(resource, &texture.array);
    if (error)
        return rt_note(error);
    for (unsigned i = 0; i < 3; i++)
        texture.address_mode[i] = (uint8_t)sampler->address[i];
    texture.filter = (uint8_t)sampler->filter;
    texture.normalized = sampler->normalized != 0;
    texture.reads_float = sampler->reads_float != 0;
    texture.srgb = sampler->srgb != 0;
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
    int error =
        handle && resource && resource->type == RESOURCE_ARRAY ? rt_need() : WSIMRT_INVALID_VALUE;
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
    return rt_note(wsimrt_texture_free(handle));
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
    if (!error)
        *out = object.sampler;
    return error;
}

RT cudaGetTextureObjectResourceViewDesc(struct view *out, uint64_t handle) {
    struct object object = {.handle = 0};
    int error = find(handle, out, &object);
    if (!error && !object.has_view)
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *out = object.view;
    return rt_note(error);
}

RT cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct channel_desc *desc,
                                        int device) {
    struct wsim_array shape;
    int most = 0, error = width && desc ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    enum { LARGEST_LINEAR = 69 }; /* attribute: texels of linear memory */
    if (!error && !read_channels(desc, &shape))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_device_attribute(&most, LARGEST_LINEAR, device);
    if (!error)
        *width = (size_t)most;
    return rt_note(error);
}
