/* texture.h - textures and surfaces: arrays of texels in device memory, and how kernels read them.
 *
 *     struct wsim_array array = {.width = 640, .height = 480};
 *     array.shape = WSIM_ARRAY_2D, array.channels = 1;
 *     array.bits = 32, array.kind = WSIM_CHANNEL_FLOAT;
 *     wsim_device_alloc(device, "image", wsim_array_bytes(&array), 0, &array.address, &diag);
 *     struct wsim_texture smooth = {.array = array, .filter = WSIM_FILTER_LINEAR};
 *     wsim_texture_make(device, &smooth, &handle, &diag);
 *
 * The handle is a cudaTextureObject_t. An array is plain data: it describes texels and owns no
 * memory. Its texels are bytes of a device in the order of wsim_array_at. Functions of kernel.h
 * copy these bytes, and checks cover them too. A GPU keeps them in another order, which no program
 * can see.
 * Source: PTX ISA 9.0, "Texture Instructions" and "Surface Instructions"; CUDA C++ Programming
 * Guide, "Texture Fetching"; recordings of an H100.
 */
#ifndef WSIM_TEXTURE_H
#define WSIM_TEXTURE_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_device; /* kernel.h */

/* --- arrays --- */

enum wsim_array_shape {
    WSIM_ARRAY_1D,
    WSIM_ARRAY_2D, /* also rows of plain memory with a pitch: cudaResourceTypePitch2D           */
    WSIM_ARRAY_3D,
    WSIM_ARRAY_1D_LAYERS,
    WSIM_ARRAY_2D_LAYERS,
    WSIM_ARRAY_CUBE, /* six layers: +x -x +y -y +z -z                                     */
    WSIM_ARRAY_CUBE_LAYERS,
    WSIM_ARRAY_LINEAR /* texels of plain memory, by number: cudaResourceTypeLinear              */
};

enum wsim_channel_kind { WSIM_CHANNEL_UNSIGNED, WSIM_CHANNEL_SIGNED, WSIM_CHANNEL_FLOAT };

#define WSIM_ARRAY_LEVELS 18 /* of a mipmapped array, at most */

struct wsim_array {
    uint64_t address; /* of the first texel; a multiple of the bytes of a texel                */
    uint64_t pitch;   /* bytes from row to row; 0: rows follow each other                     */
    uint32_t width, height, depth; /* of level 0. `height` counts with two dimensions. `depth`
                                      counts planes of 3D, layers, and faces (6 a cube)       */
    uint8_t shape;    /* enum wsim_array_shape                                                 */
    uint8_t channels; /* 1, 2 or 4                                                             */
    uint8_t bits;     /* of a channel: 8, 16 or 32                                             */
    uint8_t kind;     /* enum wsim_channel_kind; a float has 16 or 32 bits                     */
    uint8_t levels;   /* of a mipmap; 0 counts as 1                                            */
};

/* Checks an array as wsim_texture_make and wsim_surface_make do. Errors: WSIM_OPERAND, and
 * WSIM_ALIGN for the address and the pitch. */
WSIM_API enum wsim_status wsim_array_check(const struct wsim_array *array, struct wsim_diag *diag);

/* The bytes of all levels, from `address` on. With a pitch, they end with the texels of the last
 * row. */
WSIM_API uint64_t wsim_array_bytes(const struct wsim_array *array);

/* Level number `index` as an array of one level: 1 and *level, or 0 past the last. Widths, heights
 * and planes of 3D halve from level to level, rounded down, and stay at least 1. */
WSIM_API int wsim_array_level(const struct wsim_array *array, unsigned index,
                              struct wsim_array *level);

/* The address of a texel of level 0. `z` is the plane, the layer or the face. */
WSIM_API uint64_t wsim_array_at(const struct wsim_array *array, uint32_t x, uint32_t y, uint32_t z);

/* --- textures --- */

enum wsim_filter { WSIM_FILTER_POINT, WSIM_FILTER_LINEAR };

/* Coordinates outside of [0, 1). Without normalised coordinates the first and third act as CLAMP.
 */
enum wsim_address_mode {
    WSIM_ADDRESS_WRAP,
    WSIM_ADDRESS_CLAMP,
    WSIM_ADDRESS_MIRROR,
    WSIM_ADDRESS_BORDER
};

/* A texture: an array, and how instructions read it. Fields of f32 are its bits. */
struct wsim_texture {
    struct wsim_array array;
    uint8_t address_mode[3]; /* enum wsim_address_mode of x, y, z                               */
    uint8_t filter;          /* enum wsim_filter inside a level                                 */
    uint8_t normalized;      /* 1: coordinates of [0, 1) cover the array; 0: those of texels    */
    uint8_t reads_float;     /* 1: integers of 8 and 16 bits read as numbers of [0, 1], [-1, 1] */
    uint8_t srgb;            /* 1: the first three channels of 8 bits are sRGB, read as linear  */
    uint8_t mip_filter;      /* enum wsim_filter between levels                                 */
    uint8_t anisotropy;      /* at most; 0 and 1: none                                          */
    uint32_t lod_bias, lod_least, lod_most; /* f32                                              */
    uint32_t border[4];                     /* f32, of WSIM_ADDRESS_BORDER                      */
};

/* Makes a texture object of a device. *handle is what kernels take as cudaTextureObject_t, never 0.
 * The texture is copied; its memory has to outlive the launches that read it. A handle is used
 * again only after some thousand others were released. Errors: those of wsim_array_check;
 * WSIM_OPERAND (a field has no meaning); WSIM_BOUNDS (the array lies in no buffer); WSIM_NO_MEMORY.
 */
WSIM_API enum wsim_status wsim_texture_make(struct wsim_device *device,
                                            const struct wsim_texture *texture, uint64_t *handle,
                                            struct wsim_diag *diag);

/* Makes a surface object: an array without a sampler. Errors: as wsim_texture_make. */
WSIM_API enum wsim_status wsim_surface_make(struct wsim_device *device,
                                            const struct wsim_array *array, uint64_t *handle,
                                            struct wsim_diag *diag);

/* Releases a texture or surface object. Errors: WSIM_OPERAND (there is none). */
WSIM_API enum wsim_status wsim_texture_release(struct wsim_device *device, uint64_t handle,
                                               struct wsim_diag *diag);

/* The texture with a handle, good until its release; NULL: there is none. */
WSIM_API const struct wsim_texture *wsim_texture_of(const struct wsim_device *device,
                                                    uint64_t handle);

/* The array of a surface with a handle, good until its release; NULL: there is none. */
WSIM_API const struct wsim_array *wsim_surface_of(const struct wsim_device *device,
                                                  uint64_t handle);

/* A .texref or .surfref variable of a module has 8 bytes and holds a handle, which instructions use
 * in its place. wsim_device_symbol finds it, and wsim_device_write binds it. It begins as 0, which
 * is no object. */

#ifdef __cplusplus
}
#endif
#endif
