/* Arrays: their bytes in device memory, and which ones have a meaning. */
#include "texture.h"

#include <string.h>

const struct texture_shape texture_shapes[] = {
#define TEXTURE_SHAPE(id, word, axes, layered, cube)                                               \
    [WSIM_ARRAY_##id] = {word, axes, layered, cube},
#define TEXTURE_WORDLESS(id, axes, layered, cube) TEXTURE_SHAPE(id, "", axes, layered, cube)
#include "../isa/texture.def"
};
#define SHAPES (sizeof texture_shapes / sizeof texture_shapes[0])

static uint32_t halved(uint32_t size, unsigned times) {
    return size >> times ? size >> times : 1;
}

static uint32_t planes_of(const struct wsim_array *array) {
    return array->depth ? array->depth : 1;
}

static uint32_t rows_of(const struct wsim_array *array) {
    return array->height ? array->height : 1;
}

uint64_t texture_pitch(const struct wsim_array *array) {
    return array->pitch ? array->pitch : (uint64_t)array->width * texture_texel(array);
}

uint64_t texture_slice(const struct wsim_array *array) {
    return texture_pitch(array) * rows_of(array);
}

/* A level without its address. */
static struct wsim_array level_of(const struct wsim_array *array, unsigned index) {
    struct wsim_array level = *array;
    level.levels = 1;
    level.width = halved(array->width, index);
    if (array->height)
        level.height = halved(array->height, index);
    if (array->shape == WSIM_ARRAY_3D)
        level.depth = halved(array->depth, index);
    if (index)
        level.pitch = 0;
    return level;
}

uint64_t wsim_array_bytes(const struct wsim_array *array) {
    uint64_t bytes = 0;
    if (array->pitch && array->height) /* behind the last row are none */
        return (array->height - 1) * array->pitch + (uint64_t)array->width * texture_texel(array);
    for (unsigned i = 0; i == 0 || i < array->levels; i++) {
        const struct wsim_array level = level_of(array, i);
        bytes += texture_slice(&level) * planes_of(&level);
    }
    return bytes;
}

int wsim_array_level(const struct wsim_array *array, unsigned index, struct wsim_array *level) {
    uint64_t address = array->address;
    if (index && index >= array->levels)
        return 0;
    for (unsigned i = 0; i < index; i++) {
        const struct wsim_array above = level_of(array, i);
        address += texture_slice(&above) * planes_of(&above);
    }
    *level = level_of(array, index);
    level->address = address;
    return 1;
}

uint64_t wsim_array_at(const struct wsim_array *array, uint32_t x, uint32_t y, uint32_t z) {
    return array->address + z * texture_slice(array) + y * texture_pitch(array) +
           (uint64_t)x * texture_texel(array);
}

/* --- which arrays there are --- */

static int is_texel(const struct wsim_array *array) {
    static const struct {
        uint8_t kind, bits;
    } texels[] = {
#define TEXEL(kind, bits, format) {WSIM_CHANNEL_##kind, bits},
#include "../isa/texture.def"
    };
    for (unsigned i = 0; i < sizeof texels / sizeof texels[0]; i++)
        if (texels[i].kind == array->kind && texels[i].bits == array->bits)
            return array->channels == 1 || array->channels == 2 || array->channels == 4;
    return 0;
}

static enum wsim_status refuse(struct wsim_diag *diag, const char *why) {
    return base_refuse(diag, RULE_TEXTURE_ARRAY_WRONG, 0, "%s", why);
}

static enum wsim_status check_sizes(const struct wsim_array *array, struct wsim_diag *diag) {
    const struct texture_shape *shape = &texture_shapes[array->shape];
    const unsigned bits = array->shape == WSIM_ARRAY_LINEAR ? 30 : 17;
    const uint32_t most = UINT32_C(1) << bits;
    unsigned longest = 0;
    if ((!array->width && array->shape != WSIM_ARRAY_LINEAR) || array->width > most ||
        array->height > most || array->depth > most)
        return base_refuse(diag, RULE_TEXTURE_ARRAY_WRONG, 0,
                           "this array has 1 to 2^%u texels a row, rows and planes", bits);
    if ((shape->axes > 1) != (array->height > 0))
        return refuse(diag, "an array has a height if it has two or three dimensions, else 0");
    if ((shape->axes > 2 || shape->layered || shape->cube) != (array->depth > 0))
        return refuse(diag, "an array has a depth if it has planes, layers or faces, else 0");
    if (shape->cube && (array->width != array->height || array->depth % 6 ||
                        (!shape->layered && array->depth != 6)))
        return refuse(diag, "a cube has six faces, as wide as they are high");
    while (array->width >> longest || array->height >> longest ||
           (shape->axes > 2 && array->depth >> longest))
        longest++;
    if (array->levels > longest && array->levels > 1)
        return base_refuse(diag, RULE_TEXTURE_ARRAY_WRONG, 0,
                           "an array of this size has %u levels at most, not %u", longest,
                           array->levels);
    return WSIM_OK;
}

enum wsim_status wsim_array_check(const struct wsim_array *array, struct wsim_diag *diag) {
    enum wsim_status status;
    if (array->shape >= SHAPES)
        return refuse(diag, "the shape is none of enum wsim_array_shape");
    if (!is_texel(array))
        return base_refuse(diag, RULE_TEXTURE_ARRAY_WRONG, 0,
                           "a texel has 1, 2 or 4 channels of 8, 16 or 32 bits, and a float 16 or "
                           "32: not %u of %u",
                           array->channels, array->bits);
    status = check_sizes(array, diag);
    if (status)
        return status;
    if (array->pitch && (array->levels > 1 || array->shape != WSIM_ARRAY_2D))
        return refuse(diag, "only an array of two dimensions and one level has a pitch");
    if (array->pitch && array->pitch < (uint64_t)array->width * texture_texel(array))
        return refuse(diag, "rows are longer than their pitch");
    if (array->address % texture_texel(array) || array->pitch % texture_texel(array))
        return base_refuse(diag, RULE_TEXTURE_ARRAY_ALIGN, 0,
                           "the address and the pitch of an array are multiples of its texels of "
                           "%u bytes",
                           texture_texel(array));
    return WSIM_OK;
}
