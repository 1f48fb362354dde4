/* textures.h - the texture and surface objects of a device. */
#ifndef WSIM_STATE_TEXTURES_H
#define WSIM_STATE_TEXTURES_H

#include "device.h"

#include <wsim/texture.h>

enum run_texture_kind { RUN_NO_TEXTURE, RUN_TEXTURE, RUN_SURFACE };

/* An object; a surface uses the array alone. */
struct run_texture {
    uint8_t kind;  /* enum run_texture_kind; RUN_NO_TEXTURE: it was released */
    uint64_t next; /* of released ones: the handle of the one after it      */
    struct wsim_texture texture;
};

/* Objects by handle, from 1. The released ones are a queue. */
struct run_textures {
    struct run_texture **at;
    uint64_t n, room;
    uint64_t first_released, last_released, n_released;
};

/* The object with a handle; NULL: there is none, or it was released. */
const struct run_texture *run_texture_of(const struct wsim_device *device, uint64_t handle);

/* A new object, or one that was released long ago; NULL: no memory. */
struct run_texture *run_texture_new(struct run_textures *textures, uint64_t *handle);

/* Releases an object. */
void run_texture_drop(struct run_textures *textures, uint64_t handle);

void run_textures_free(struct run_textures *textures);

#endif
