/* Texture and surface objects: making, releasing and describing them. */
#include "textures.h"

#include <stdlib.h>

static enum wsim_status make(struct wsim_device *device, enum run_texture_kind kind,
                             const struct wsim_texture *texture, uint64_t *handle,
                             struct wsim_diag *diag) {
    const struct wsim_array *array = &texture->array;
    enum wsim_status status = wsim_array_check(array, diag);
    struct run_texture *object;
    uint64_t bytes;
    *handle = 0;
    if (status)
        return status;
    bytes = wsim_array_bytes(array);
    if (!device->all && !run_buffer_of(device, array->address, bytes ? bytes : 1))
        return base_refuse(diag, RULE_TEXTURE_ARRAY_OUTSIDE, 0,
                           "the %llu bytes of the array at 0x%llx do not lie in one buffer",
                           (unsigned long long)bytes, (unsigned long long)array->address);
    if (!device->textures)
        device->textures = calloc(1, sizeof *device->textures);
    object = device->textures ? run_texture_new(device->textures, handle) : NULL;
    if (!object)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a texture");
    *object = (struct run_texture){.kind = (uint8_t)kind, .texture = *texture};
    return WSIM_OK;
}

enum wsim_status wsim_texture_make(struct wsim_device *device, const struct wsim_texture *texture,
                                   uint64_t *handle, struct wsim_diag *diag) {
    *handle = 0;
    for (unsigned k = 0; k < 3; k++)
        if (texture->address_mode[k] > WSIM_ADDRESS_BORDER)
            return base_refuse(diag, RULE_TEXTURE_SAMPLER_WRONG, 0,
                               "address mode %u is none of enum wsim_address_mode",
                               texture->address_mode[k]);
    if (texture->filter > WSIM_FILTER_LINEAR || texture->mip_filter > WSIM_FILTER_LINEAR)
        return base_refuse(
            diag, RULE_TEXTURE_SAMPLER_WRONG, 0, "filter %u is none of enum wsim_filter",
            texture->filter > texture->mip_filter ? texture->filter : texture->mip_filter);
    if (texture->reads_float &&
        (texture->array.kind == WSIM_CHANNEL_FLOAT || texture->array.bits == 32))
        return base_refuse(diag, RULE_TEXTURE_SAMPLER_WRONG, 0,
                           "only integers of 8 and 16 bits read as fractions");
    if (texture->filter == WSIM_FILTER_LINEAR && !texture->reads_float &&
        texture->array.kind != WSIM_CHANNEL_FLOAT)
        return base_refuse(diag, RULE_TEXTURE_SAMPLER_WRONG, 0,
                           "a linear filter needs texels that read as floating point");
    if (texture->srgb && (texture->array.bits != 8 || !texture->reads_float ||
                          texture->array.kind != WSIM_CHANNEL_UNSIGNED))
        return base_refuse(diag, RULE_TEXTURE_SAMPLER_WRONG, 0,
                           "sRGB texels are unsigned, of 8 bits, and read as fractions");
    return make(device, RUN_TEXTURE, texture, handle, diag);
}

enum wsim_status wsim_surface_make(struct wsim_device *device, const struct wsim_array *array,
                                   uint64_t *handle, struct wsim_diag *diag) {
    const struct wsim_texture texture = {.array = *array};
    return make(device, RUN_SURFACE, &texture, handle, diag);
}

enum wsim_status wsim_texture_release(struct wsim_device *device, uint64_t handle,
                                      struct wsim_diag *diag) {
    if (!run_texture_of(device, handle))
        return base_refuse(diag, RULE_TEXTURE_HANDLE_UNKNOWN, 0,
                           "0x%llx is no texture or surface of this device",
                           (unsigned long long)handle);
    run_texture_drop(device->textures, handle);
    return WSIM_OK;
}

const struct wsim_texture *wsim_texture_of(const struct wsim_device *device, uint64_t handle) {
    const struct run_texture *object = run_texture_of(device, handle);
    return object && object->kind == RUN_TEXTURE ? &object->texture : NULL;
}

const struct wsim_array *wsim_surface_of(const struct wsim_device *device, uint64_t handle) {
    const struct run_texture *object = run_texture_of(device, handle);
    return object && object->kind == RUN_SURFACE ? &object->texture.array : NULL;
}
