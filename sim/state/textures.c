/* The table of texture and surface objects of a device. */
#include "textures.h"

#include <stdlib.h>

/* Released handles that are kept back, so that a stale one names no other object. */
enum { KEPT_BACK = 4096 };

const struct run_texture *run_texture_of(const struct wsim_device *device, uint64_t handle) {
    const struct run_textures *textures = device->textures;
    const struct run_texture *found;
    if (!textures || !handle || handle > textures->n)
        return NULL;
    found = textures->at[handle - 1];
    return found->kind ? found : NULL;
}

void run_textures_free(struct run_textures *textures) {
    for (uint64_t i = 0; textures && i < textures->n; i++)
        free(textures->at[i]);
    if (textures)
        free(textures->at);
    free(textures);
}

/* The object that was released first. */
static struct run_texture *used_again(struct run_textures *textures, uint64_t *handle) {
    struct run_texture *object;
    if (textures->n_released <= KEPT_BACK)
        return NULL;
    *handle = textures->first_released;
    object = textures->at[*handle - 1];
    textures->first_released = object->next;
    textures->n_released--;
    return object;
}

struct run_texture *run_texture_new(struct run_textures *textures, uint64_t *handle) {
    struct run_texture *object = used_again(textures, handle);
    if (object)
        return object;
    if (textures->n == textures->room) {
        const uint64_t room = textures->room ? 2 * textures->room : 16;
        struct run_texture **grown =
            realloc(textures->at, (size_t)room * sizeof(struct run_texture *));
        if (!grown)
            return NULL;
        textures->at = grown;
        textures->room = room;
    }
    object = calloc(1, sizeof *object);
    if (!object)
        return NULL;
    textures->at[textures->n++] = object;
    *handle = textures->n;
    return object;
}

void run_texture_drop(struct run_textures *textures, uint64_t handle) {
    textures->at[handle - 1]->kind = RUN_NO_TEXTURE;
    if (textures->n_released++)
        textures->at[textures->last_released - 1]->next = handle;
    else
        textures->first_released = handle;
    textures->last_released = handle;
}
