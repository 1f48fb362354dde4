/* Arrays of texels: device memory with a shape. */
#include "array.h"
#include "state.h"

#include <stdlib.h>

struct wsimrt_array {
    struct wsim_array shape;
    unsigned flags;
    struct wsimrt_array *owner;                     /* of a level */
    struct wsimrt_array *levels[WSIM_ARRAY_LEVELS]; /* that were asked for */
};

static int enter(const struct wsimrt_array *array) {
    struct wsimrt_context *context;
    const int error = core_enter(&context);
    return error || handle_is(array, HANDLE_ARRAY) ? error : WSIMRT_INVALID_HANDLE;
}

int array_shape(const struct wsimrt_array *array, struct wsim_array *shape) {
    if (!handle_is(array, HANDLE_ARRAY))
        return WSIMRT_INVALID_HANDLE;
    *shape = array->shape;
    return 0;
}

static int make(const struct wsim_array *shape, unsigned flags, struct wsimrt_array **array) {
    struct wsimrt_array *made = calloc(1, sizeof *made);
    if (!made || !handle_add(made, HANDLE_ARRAY)) {
        free(made);
        return WSIMRT_OUT_OF_MEMORY;
    }
    made->shape = *shape;
    made->flags = flags;
    *array = made;
    return 0;
}

/* Whether a device has arrays of this size, by the numbers of its attributes. */
static int fits(const struct wsim_array *shape, unsigned flags, int device) {
    enum { GATHER = 8 };
    static const struct {
        int width, height, depth; /* 0: any */
    } limits[] = {
        [WSIM_ARRAY_1D] = {21, 0, 0},
        [WSIM_ARRAY_2D] = {22, 23, 0},
        [WSIM_ARRAY_3D] = {24, 25, 26},
        [WSIM_ARRAY_1D_LAYERS] = {42, 0, 43},
        [WSIM_ARRAY_2D_LAYERS] = {27, 28, 29},
        [WSIM_ARRAY_CUBE] = {52, 52, 0},
        [WSIM_ARRAY_CUBE_LAYERS] = {53, 53, 54},
    };
    const int gathers = flags & GATHER && shape->shape == WSIM_ARRAY_2D;
    const int numbers[3] = {gathers ? 45 : limits[shape->shape].width,
                            gathers ? 46 : limits[shape->shape].height, limits[shape->shape].depth};
    const uint32_t sizes[3] = {shape->width, shape->height, shape->depth};
    int most;
    for (unsigned k = 0; k < 3; k++)
        if (numbers[k] && device_attribute(&most, numbers[k], device) && sizes[k] > (uint32_t)most)
            return 0;
    return 1;
}

/* Levels of a mipmap: those until one texel is left, at most, and one at least. */
static uint8_t levels_of(const struct wsim_array *shape) {
    const uint32_t planes = shape->shape == WSIM_ARRAY_3D ? shape->depth : 0;
    uint32_t most = shape->width > shape->height ? shape->width : shape->height;
    uint8_t all = 1;
    most = most > planes ? most : planes;
    for (; most > 1 && all < shape->levels; most /= 2)
        all++;
    return all;
}

int wsimrt_array_make(const struct wsim_array *shape, unsigned flags, struct wsimrt_array **array) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct wsim_array whole;
    struct wsim_diag diag;
    if (!error && (!shape || !array))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : capture_unsafe();
    if (error)
        return core_leave(error);
    whole = *shape;
    whole.address = 512; /* any aligned one, for the check */
    whole.levels = levels_of(shape);
    if (wsim_array_check(&whole, &diag) || !fits(&whole, flags, context->ordinal))
        return core_leave(WSIMRT_INVALID_VALUE);
    error = memory_room(context->ordinal, wsim_array_bytes(&whole))
                ? memory_of_array(context, wsim_array_bytes(&whole), &whole.address)
                : WSIMRT_OUT_OF_MEMORY;
    if (!error && (error = make(&whole, flags, array)))
        memory_release(whole.address);
    return core_leave(error);
}

static void drop(struct wsimrt_array *array) {
    handle_remove(array);
    free(array);
}

int wsimrt_array_free(struct wsimrt_array *array) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    if (!error && (!handle_is(array, HANDLE_ARRAY) || array->owner))
        error = WSIMRT_INVALID_HANDLE;
    error = error ? error : capture_unsafe();
    error = error ? error : work_drain(context, NULL);
    if (!error) {
        memory_release(array->shape.address);
        for (unsigned i = 0; i < WSIM_ARRAY_LEVELS; i++)
            if (array->levels[i])
                drop(array->levels[i]);
        drop(array);
    }
    return core_leave(error);
}

int wsimrt_array_info(struct wsimrt_array *array, struct wsim_array *shape, unsigned *flags) {
    int error = enter(array);
    error = error || shape ? error : WSIMRT_INVALID_VALUE;
    if (!error)
        *shape = array->shape;
    if (!error && flags)
        *flags = array->flags;
    return core_leave(error);
}

int wsimrt_array_level(struct wsimrt_array *array, unsigned index, struct wsimrt_array **level) {
    int error = enter(array);
    struct wsim_array shape;
    if (!error &&
        (!level || index >= WSIM_ARRAY_LEVELS || !wsim_array_level(&array->shape, index, &shape)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !array->levels[index]) {
        error = make(&shape, array->flags, &array->levels[index]);
        if (!error)
            array->levels[index]->owner = array;
    }
    if (!error)
        *level = array->levels[index];
    return core_leave(error);
}

int wsimrt_array_place(struct wsimrt_array *array, uint64_t x, uint64_t y, uint64_t z,
                       struct wsimrt_place *place) {
    int error = enter(array);
    const struct wsim_array *shape = error ? NULL : &array->shape;
    if (!error && (!place || x >= shape->width || y >= (shape->height ? shape->height : 1) ||
                   z >= (shape->depth ? shape->depth : 1)))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        const uint64_t texel = (uint64_t)shape->channels * shape->bits / 8;
        const uint64_t pitch = shape->pitch ? shape->pitch : shape->width * texel;
        *place = (struct wsimrt_place){wsim_array_at(shape, (uint32_t)x, (uint32_t)y, (uint32_t)z),
                                       pitch, pitch * (shape->height ? shape->height : 1)};
    }
    return core_leave(error);
}

int wsimrt_linear_width(const struct wsim_array *shape, int device, size_t *width) {
    enum { LARGEST_LINEAR = 69 }; /* attribute: texels of 16 bytes */
    const size_t texel = (size_t)shape->channels * shape->bits / 8;
    int most = 0;
    const int error = wsimrt_device_attribute(&most, LARGEST_LINEAR, device);
    if (!error)
        *width = (size_t)most * (texel > 4 ? 16 / texel : 4);
    return error;
}
