/* array.h - arrays of texels, textures and surfaces. The rules of runtime.h hold for all functions.
 */
#ifndef WSIM_RUNTIME_ARRAY_H
#define WSIM_RUNTIME_ARRAY_H

#include "runtime.h"

#include <wsim/texture.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wsimrt_array;

/* Makes an array of the current context: *shape without an address. `flags` are kept for
 * wsimrt_array_info. Errors: WSIMRT_INVALID_VALUE (a field has no meaning), WSIMRT_OUT_OF_MEMORY.
 */
WSIMRT_API int wsimrt_array_make(const struct wsim_array *shape, unsigned flags,
                                 struct wsimrt_array **array);

/* Frees an array after all work of the context. Arrays of its levels go with it. */
WSIMRT_API int wsimrt_array_free(struct wsimrt_array *array);

/* The shape with the address of the first texel. `flags` may be NULL. */
WSIMRT_API int wsimrt_array_info(struct wsimrt_array *array, struct wsim_array *shape,
                                 unsigned *flags);

/* The array of a level, which belongs to the array. Errors: WSIMRT_INVALID_VALUE. */
WSIMRT_API int wsimrt_array_level(struct wsimrt_array *array, unsigned index,
                                  struct wsimrt_array **level);

/* The place of a texel for copies. Errors: WSIMRT_INVALID_VALUE (a coordinate is outside). */
WSIMRT_API int wsimrt_array_place(struct wsimrt_array *array, uint64_t x, uint64_t y, uint64_t z,
                                  struct wsimrt_place *place);

/* --- textures and surfaces --- */

enum {
    WSIMRT_RESOURCE_ARRAY,
    WSIMRT_RESOURCE_MIPMAP,
    WSIMRT_RESOURCE_LINEAR,
    WSIMRT_RESOURCE_PITCH
};
static inline int wsimrt_is_array(int type) {
    return type == WSIMRT_RESOURCE_ARRAY || type == WSIMRT_RESOURCE_MIPMAP;
}

/* The texels that an object reads: an array, or memory with its channels. */
struct wsimrt_resource {
    int type;
    struct wsimrt_array *array;
    uint64_t address;
    uint8_t channels, bits, kind; /* as those of wsim_array */
    size_t width, height, pitch;  /* of linear memory, `width` is its bytes */
    unsigned flags;
};

/* How an object reads them: cudaTextureDesc. Numbers of f32 stand by their bits. */
struct wsimrt_sampler {
    int address[3], filter;
    int reads_float; /* a part of 1: 1; 2: only where the texels can be one */
    int srgb;
    uint32_t border[4];
    int normalized;
    unsigned anisotropy;
    int mip_filter;
    uint32_t lod_bias, lod_least, lod_most;
    int no_trilinear, seamless;
};

/* Texels read as others: cudaResourceViewDesc and CUDA_RESOURCE_VIEW_DESC. */
struct wsimrt_view {
    int format;
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer, reserved[16];
};

/* The descriptors of an object: without a sampler, of a surface; a view of zeros is none. */
struct wsimrt_described {
    struct wsimrt_resource resource;
    struct wsimrt_sampler sampler;
    unsigned overlooked; /* bits of flags without a meaning, which an H200 keeps */
    struct wsimrt_view view;
};

/* Errors of textures, by their numbers in cudaError_t. */
enum { WSIMRT_INVALID_CHANNELS = 20, WSIMRT_INVALID_FILTER = 26, WSIMRT_INVALID_NORM = 27 };

/* Makes an object of the current context and keeps its descriptors. Errors: WSIMRT_INVALID_VALUE,
 * WSIMRT_INVALID_FILTER, WSIMRT_INVALID_NORM, WSIMRT_NOT_SUPPORTED. */
WSIMRT_API int wsimrt_texture_make(const struct wsimrt_described *what, uint64_t *handle);
WSIMRT_API int wsimrt_surface_make(const struct wsimrt_resource *resource, uint64_t *handle);
WSIMRT_API int wsimrt_texture_free(uint64_t handle);

/* The descriptors of an object. Errors: WSIMRT_INVALID_VALUE (there is no such object). */
WSIMRT_API int wsimrt_texture_of(uint64_t handle, struct wsimrt_described *what);

/* The most texels of a texture of linear memory. Errors: WSIMRT_INVALID_DEVICE. */
WSIMRT_API int wsimrt_linear_width(const struct wsim_array *shape, int device, size_t *width);

#ifdef __cplusplus
}
#endif
#endif
