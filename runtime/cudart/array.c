/* Arrays, textures and surfaces. */
#include "channels.h"

/* Bits of flags. */
enum { LAYERED = 1, SURFACE = 2, CUBE = 4, GATHER = 8, DEFERRED = 0x80, FLAGS = 15 | DEFERRED };

/* --- descriptions --- */

WSIMRT_API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
WSIMRT_API struct channel_desc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return (struct channel_desc){x, y, z, w, kind};
}

int rt_read_channels(const struct channel_desc *desc, struct wsim_array *shape) {
    static const uint8_t kinds[] = {WSIM_CHANNEL_SIGNED, WSIM_CHANNEL_UNSIGNED, WSIM_CHANNEL_FLOAT};
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    unsigned n = 0;
    if (desc->kind < 0 || desc->kind > 2 || (desc->x != 8 && desc->x != 16 && desc->x != 32) ||
        (kinds[desc->kind] == WSIM_CHANNEL_FLOAT && desc->x == 8))
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

struct channel_desc rt_channels_of(const struct wsim_array *shape) {
    static const int kinds[] = {1, 0, 2};
    const int bits = shape->bits;
    return (struct channel_desc){bits, shape->channels > 1 ? bits : 0,
                                 shape->channels > 2 ? bits : 0, shape->channels > 3 ? bits : 0,
                                 kinds[shape->kind]};
}

static int read_extent(const struct extent *extent, unsigned flags, struct wsim_array *shape) {
    const int layered = (flags & LAYERED) != 0;
    if (!extent->width || extent->width > UINT32_MAX || extent->height > UINT32_MAX ||
        extent->depth > UINT32_MAX)
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
    struct wsim_array shape = {
        .levels = (uint8_t)(levels < WSIM_ARRAY_LEVELS ? levels : WSIM_ARRAY_LEVELS)};
    int error = array && desc ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && !read_extent(&extent, flags, &shape))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !rt_read_channels(desc, &shape))
        error = WSIMRT_INVALID_CHANNELS;
    error = error ? error : wsimrt_capture_refuses();
    if (!error && (flags & ~(unsigned)FLAGS || (flags & GATHER && !shape.height)))
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

RT cudaMallocMipmappedArray(cudaArray_t *array, const struct channel_desc *desc,
                            struct extent extent, unsigned levels, unsigned flags) {
    return make(array, desc, extent, levels, flags);
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
        *desc = rt_channels_of(&shape);
    if (extent)
        *extent = to_extent(&shape);
    if (flags)
        *flags = given;
    return 0;
}

RT cudaGetChannelDesc(struct channel_desc *desc, cudaArray_t array) {
    return desc ? cudaArrayGetInfo(desc, NULL, NULL, array) : rt_note(WSIMRT_INVALID_VALUE);
}

/* Arrays have their memory from the beginning, one plane, and are not sparse. */
static int refuse_whole(cudaArray_t array, const char *symbol) {
    unsigned flags = 0;
    struct wsim_array shape;
    int error = rt_need();
    error = error ? error : wsimrt_array_info(array, &shape, &flags);
    if (!error)
        error = flags & DEFERRED ? wsimrt_unsupported(symbol) : WSIMRT_INVALID_VALUE;
    return rt_note(error);
}

RT cudaArrayGetMemoryRequirements(void *needs, cudaArray_t array, int device) {
    (void)needs, (void)device;
    return refuse_whole(array, "cudaArrayGetMemoryRequirements");
}

RT cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned index) {
    (void)plane, (void)index;
    return refuse_whole(array, "cudaArrayGetPlane");
}

RT cudaArrayGetSparseProperties(void *properties, cudaArray_t array) {
    (void)properties;
    return refuse_whole(array, "cudaArrayGetSparseProperties");
}

RT cudaMipmappedArrayGetMemoryRequirements(void *needs, cudaArray_t array, int device) {
    return cudaArrayGetMemoryRequirements(needs, array, device);
}

RT cudaMipmappedArrayGetSparseProperties(void *properties, cudaArray_t array) {
    return cudaArrayGetSparseProperties(properties, array);
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
    const uint64_t row = error ? 0 : (uint64_t)shape.width * rt_texel(&shape);
    const uint64_t rows = !error && shape.height ? shape.height : 1;
    if (!error && (x > row || width > row - x || y > rows || height > rows - y))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_array_place(array, 0, y, 0, place);
    if (!error)
        place->address += x;
    return error;
}

struct rows {
    const void *pointer; /* rows of memory, or */
    int is_array;
    cudaArray_t array;
    size_t pitch;
    size_t x, y; /* bytes, rows */
};

/* An array is no memory of the host: kinds 0 and, on one side, 2 or 1 contradict it. */
static int check_direction(int kind, int to_array, int from_array) {
    const int to_host = kind == 0 || kind == 2, from_host = kind == 0 || kind == 1;
    return kind < 0 || kind > 4 || (to_array && to_host) || (from_array && from_host)
               ? RT_INVALID_DIRECTION
               : rt_need();
}

static int side_of(const struct rows *rows, size_t width, size_t height,
                   struct wsimrt_place *place) {
    if (rows->is_array)
        return place_of(rows->array, rows->x, rows->y, width, height, place);
    *place = (struct wsimrt_place){at(rows->pointer), rows->pitch, 0};
    return 0;
}

static int check_pitch(const struct rows *rows, size_t width, size_t height) {
    if (rows->is_array || rows->pitch >= width)
        return 0;
    return height > 1 ? RT_INVALID_PITCH : WSIMRT_INVALID_VALUE;
}

static int copy_rows(const struct rows *to, const struct rows *from, size_t width, size_t height,
                     int kind, cudaStream_t stream, int wait) {
    struct wsimrt_copy copy = {.width = width, .height = height, .depth = 1};
    int error = rt_need();
    error = error ? error : wsimrt_stream_asked(stream, 0);
    if (error || !width || !height)
        return rt_note(error);
    error = check_direction(kind, to->is_array, from->is_array);
    error = error ? error : check_pitch(to, width, height);
    error = error ? error : check_pitch(from, width, height);
    error = error ? error : side_of(to, width, height, &copy.to);
    error = error ? error : side_of(from, width, height, &copy.from);
    error = error ? error : rt_check_kind(&copy, kind);
    if (error)
        return rt_note(error);
    return rt_note(wsimrt_copy(&copy, stream, wait));
}

RT cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                       size_t width, size_t height, int kind) {
    return copy_rows(&(struct rows){.is_array = 1, .array = to, .x = x, .y = y},
                     &(struct rows){.pointer = from, .pitch = pitch}, width, height, kind, NULL, 1);
}

RT cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                            size_t width, size_t height, int kind, cudaStream_t stream) {
    return copy_rows(&(struct rows){.is_array = 1, .array = to, .x = x, .y = y},
                     &(struct rows){.pointer = from, .pitch = pitch}, width, height, kind, stream,
                     0);
}

RT cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                         size_t height, int kind) {
    return copy_rows(&(struct rows){.pointer = to, .pitch = pitch},
                     &(struct rows){.is_array = 1, .array = from, .x = x, .y = y}, width, height,
                     kind, NULL, 1);
}

RT cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                              size_t width, size_t height, int kind, cudaStream_t stream) {
    return copy_rows(&(struct rows){.pointer = to, .pitch = pitch},
                     &(struct rows){.is_array = 1, .array = from, .x = x, .y = y}, width, height,
                     kind, stream, 0);
}

RT cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
                            size_t from_x, size_t from_y, size_t width, size_t height, int kind) {
    return copy_rows(&(struct rows){.is_array = 1, .array = to, .x = to_x, .y = to_y},
                     &(struct rows){.is_array = 1, .array = from, .x = from_x, .y = from_y}, width,
                     height, kind, NULL, 1);
}

/* Bytes that go on in the next row: rows of an array follow each other. Too many bytes are an
 * error, but the rest of the first row was copied then. */
static int copy_line(cudaArray_t array, size_t x, size_t y, const void *memory, size_t bytes,
                     int to_array, int kind, cudaStream_t stream, int wait) {
    struct wsim_array shape;
    struct wsimrt_copy copy = {.width = bytes, .height = 1, .depth = 1};
    struct wsimrt_place place = {0, 0, 0};
    uint64_t row, all;
    int error = check_direction(kind, to_array, !to_array), end = 0;
    error = error ? error : wsimrt_array_info(array, &shape, NULL);
    error = error ? error : wsimrt_array_place(array, 0, 0, 0, &place);
    if (error || !bytes)
        return rt_note(error);
    row = (uint64_t)shape.width * rt_texel(&shape);
    all = row * (shape.height ? shape.height : 1);
    if (y * row > all || x > row || x > all - y * row)
        return rt_note(WSIMRT_INVALID_VALUE);
    if (bytes > all - y * row - x) {
        if (!x)
            return rt_note(WSIMRT_INVALID_VALUE);
        copy.width = row - x;
        end = WSIMRT_INVALID_VALUE;
    }
    place.address += y * row + x;
    copy.to = to_array ? place : (struct wsimrt_place){at(memory), bytes, bytes};
    copy.from = to_array ? (struct wsimrt_place){at(memory), bytes, bytes} : place;
    error = copy.width ? wsimrt_copy(&copy, stream, wait) : 0;
    return rt_note(error ? error : end);
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

/* --- limits --- */

RT cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct channel_desc *desc,
                                        int device) {
    struct wsim_array shape;
    int error = width && desc ? wsimrt_init() : WSIMRT_INVALID_VALUE;
    if (!error && !rt_read_channels(desc, &shape))
        error = WSIMRT_INVALID_CHANNELS;
    return rt_note(error ? error : wsimrt_linear_width(&shape, device, width));
}
