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

/* Texture and surface objects of the current context. Errors: WSIMRT_INVALID_VALUE. */
WSIMRT_API int wsimrt_texture_make(const struct wsim_texture *texture, uint64_t *handle);
WSIMRT_API int wsimrt_surface_make(const struct wsim_array *array, uint64_t *handle);
WSIMRT_API int wsimrt_texture_free(uint64_t handle);

#ifdef __cplusplus
}
#endif
#endif
