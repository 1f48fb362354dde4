/* Memory: allocation, copies, fills, attributes of pointers. */
#include "driver.h"

#include "core/array.h"

#include <string.h>

/* --- allocation --- */

CU cuMemGetInfo_v2(size_t *left, size_t *total) {
    uint64_t free_bytes = 0, all = 0;
    const int error = wsimrt_memory_info(&free_bytes, &all);
    if (!error && left)
        *left = (size_t)free_bytes;
    if (!error && total)
        *total = (size_t)all;
    return error;
}

/* Without memory, the address becomes 0, as on an H200. */
static int allocate(CUdeviceptr *address, size_t bytes, enum wsimrt_memory kind, unsigned flags) {
    uint64_t at = 0;
    const int error = wsimrt_memory_alloc(bytes, kind, flags, address ? &at : NULL);
    if (address)
        *address = at;
    return error;
}

CU cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    return allocate(address, bytes, WSIMRT_DEVICE, 0);
}

CU cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                      unsigned element) {
    uint64_t row = 0;
    int error = driver_context();
    if (pitch)
        *pitch = 0;
    if (!error && !(pitch && width && height && (element == 4 || element == 8 || element == 16)))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_pitch(width, &row);
    if (!error)
        *pitch = (size_t)row;
    if (!error && height > SIZE_MAX / row)
        error = WSIMRT_OUT_OF_MEMORY;
    return error ? error : cuMemAlloc_v2(address, (size_t)row * height);
}

CU cuMemFree_v2(CUdeviceptr address) {
    if (!address) /* without a context this is nothing */
        return driver_context() == WSIMRT_CONTEXT_IS_DESTROYED ? WSIMRT_CONTEXT_IS_DESTROYED : 0;
    return wsimrt_memory_free(address, 0);
}

CU cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
    if ((flags != 1 && flags != 2) || !bytes) {
        if (address)
            *address = 0;
        return WSIMRT_INVALID_VALUE;
    }
    return allocate(address, bytes, WSIMRT_MANAGED, flags);
}

CU cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    uint64_t at = 0;
    int error = driver_context();
    error = error ? error : wsimrt_capture_refuses();
    if (!error && (!address || flags & ~7u))
        error = WSIMRT_INVALID_VALUE;
    if (!error && bytes)
        error = wsimrt_memory_alloc(bytes, WSIMRT_HOST, flags, &at);
    if (!error)
        *address = (void *)(uintptr_t)at;
    return error;
}

CU cuMemAllocHost_v2(void **address, size_t bytes) {
    return cuMemHostAlloc(address, bytes, 0);
}

CU cuMemFreeHost(void *address) {
    return address ? wsimrt_memory_free((uint64_t)(uintptr_t)address, 1) : 0;
}

CU cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
    return wsimrt_memory_register(address, bytes, flags);
}

CU cuMemHostUnregister(void *address) {
    return wsimrt_memory_unregister(address);
}

/* The range that an address lies in, if it is not one of freed memory. */
static int find(uint64_t address, struct wsimrt_range *range) {
    const int error = wsimrt_memory_of(address, range);
    return error || !range->freed ? error : WSIMRT_INVALID_VALUE;
}

static int is_host(const struct wsimrt_range *range) {
    return range->kind == WSIMRT_HOST || range->kind == WSIMRT_REGISTERED;
}

CU cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned flags) {
    struct wsimrt_range range;
    int error = driver_context();
    if (address)
        *address = 0;
    if (!error)
        error = address && !flags ? find((uint64_t)(uintptr_t)host, &range) : WSIMRT_INVALID_VALUE;
    if (!error && (range.mapped ? range.far : !is_host(&range) || range.away))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *address = (uint64_t)(uintptr_t)host;
    return error;
}

CU cuMemHostGetFlags(unsigned *flags, void *host) {
    struct wsimrt_range range;
    int error = driver_context();
    if (!error)
        error = flags ? find((uint64_t)(uintptr_t)host, &range) : WSIMRT_INVALID_VALUE;
    if (!error &&
        ((!is_host(&range) && range.kind != WSIMRT_MANAGED && !range.mapped) || range.pool))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = range.mapped ? 0 : range.flags | 2; /* mapped */
    return error;
}

CU cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
    struct wsimrt_range range;
    int error = driver_context();
    if (!error && ((error = find(address, &range)) == WSIMRT_INVALID_VALUE ||
                   (!error && range.mapped && range.far)))
        error = WSIMRT_NOT_FOUND;
    if (error)
        return error;
    if (base)
        *base = range.base;
    if (bytes)
        *bytes = (size_t)range.bytes;
    return 0;
}

/* --- attributes of pointers --- */

enum { POOL_PIECE = 32 << 20 }; /* pools map their memory in pieces */

/* CUpointer_attribute. */
enum {
    POINTER_CONTEXT = 1,
    POINTER_TYPE,
    POINTER_DEVICE,
    POINTER_HOST,
    POINTER_TOKENS,
    POINTER_SYNC,
    POINTER_ID,
    POINTER_MANAGED,
    POINTER_ORDINAL,
    POINTER_IPC,
    POINTER_START,
    POINTER_SIZE,
    POINTER_MAPPED,
    POINTER_HANDLES,
    POINTER_RDMA,
    POINTER_ACCESS,
    POINTER_POOL,
    POINTER_MAPPING_SIZE,
    POINTER_MAPPING_BASE,
    POINTER_BLOCK,
    POINTER_DECOMPRESS
};

static int put_pointer(void *out, const struct wsimrt_range *range, uint64_t address) {
    const int none = range->kind == WSIMRT_DEVICE || range->kind == WSIMRT_VARIABLE ||
                     (range->mapped && !range->host);
    if (none)
        address = 0; /* the host has no pointer to it */
    memcpy(out, &address, sizeof address);
    return none ? WSIMRT_INVALID_VALUE : 0;
}

/* Source: an H200 (driver 580). */
static int put_rare(void *out, int attribute, const struct wsimrt_range *range) {
    const uint64_t tokens = 0, block = range->id;
    const int decompress = range->kind == WSIMRT_DEVICE && !range->pool && !range->mapped;
    if (attribute == POINTER_TOKENS && range->kind == WSIMRT_HOST)
        return WSIMRT_INVALID_VALUE;
    if (attribute == POINTER_TOKENS)
        memcpy(out, &tokens, sizeof tokens);
    else if (attribute == POINTER_BLOCK)
        memcpy(out, &block, sizeof block);
    else
        memcpy(out, &decompress, sizeof decompress);
    return 0;
}

static int put_attribute(void *out, int attribute, const struct wsimrt_range *range,
                         uint64_t address) {
    const unsigned type = is_host(range) ? MEMORY_HOST : MEMORY_DEVICE;
    const size_t size = (size_t)range->bytes;
    const unsigned long long id = range->id;
    const uint64_t none = 0;
    const size_t piece = POOL_PIECE;
    const unsigned access = range->mapped ? range->access : 3; /* read and write */
    const uint64_t start = range->mapped ? range->reserved : range->base;
    const size_t whole = (size_t)(range->mapped ? range->reserved_bytes : range->bytes);
    const void *const context = range->pool ? NULL : range->context;
    switch (attribute) {
    case POINTER_CONTEXT: memcpy(out, &context, sizeof context); return 0;
    case POINTER_TYPE: memcpy(out, &type, sizeof type); return 0;
    case POINTER_DEVICE:
        if (range->away || range->far)
            return WSIMRT_INVALID_VALUE;
        memcpy(out, &address, sizeof address);
        return 0;
    case POINTER_HOST: return put_pointer(out, range, address);
    case POINTER_TOKENS:
    case POINTER_BLOCK:
    case POINTER_DECOMPRESS: return put_rare(out, attribute, range);
    case POINTER_SYNC: {
        const unsigned sync = range->sync;
        memcpy(out, &sync, sizeof sync);
        return 0;
    }
    case POINTER_MANAGED: {
        const unsigned managed = range->kind == WSIMRT_MANAGED;
        memcpy(out, &managed, sizeof managed);
        return 0;
    }
    case POINTER_ID: memcpy(out, &id, sizeof id); return 0;
    case POINTER_ORDINAL: memcpy(out, &range->device, sizeof range->device); return 0;
    case POINTER_START: memcpy(out, &start, sizeof start); return 0;
    case POINTER_MAPPING_BASE: memcpy(out, &range->base, sizeof range->base); return 0;
    case POINTER_SIZE: memcpy(out, &whole, sizeof whole); return 0;
    case POINTER_MAPPING_SIZE: memcpy(out, range->pool ? &piece : &size, sizeof size); return 0;
    case POINTER_MAPPED: {
        const unsigned mapped = 1;
        memcpy(out, &mapped, sizeof mapped);
        return 0;
    }
    case POINTER_IPC:
    case POINTER_RDMA: {
        const unsigned shared = range->kind == WSIMRT_DEVICE && !range->pool && !range->mapped;
        memcpy(out, &shared, sizeof shared);
        return 0;
    }
    case POINTER_POOL: memcpy(out, &range->pool, sizeof range->pool); return 0;
    case POINTER_HANDLES: memcpy(out, &none, sizeof none); return 0;
    case POINTER_ACCESS: memcpy(out, &access, sizeof access); return 0;
    default: return WSIMRT_INVALID_VALUE;
    }
}

CU cuPointerGetAttribute(void *out, int attribute, CUdeviceptr address) {
    struct wsimrt_range range;
    const int error = out ? find(address, &range) : WSIMRT_INVALID_VALUE;
    return error ? error : put_attribute(out, attribute, &range, address);
}

/* Pointers of no memory that is known give zeros, and -2 as their device. */
CU cuPointerGetAttributes(unsigned n, int *attributes, void **out, CUdeviceptr address) {
    struct wsimrt_range range;
    struct wsimrt_context *context;
    int error = attributes && out && n ? wsimrt_context_current(&context) : WSIMRT_INVALID_VALUE;
    int known;
    if (error)
        return error;
    known = find(address, &range) == 0;
    for (unsigned i = 0; i < n; i++) {
        if (!attributes[i] || attributes[i] == POINTER_TOKENS)
            return WSIMRT_INVALID_VALUE; /* in lists only, as on an H200 */
        if (known && put_attribute(out[i], attributes[i], &range, address) == 0)
            continue;
        switch (attributes[i]) {
        case POINTER_ORDINAL: memcpy(out[i], &(int){-2}, sizeof(int)); break;
        case POINTER_TYPE:
        case POINTER_SYNC:
        case POINTER_MANAGED:
        case POINTER_MAPPED:
        case POINTER_IPC:
        case POINTER_RDMA:
        case POINTER_ACCESS: memset(out[i], 0, sizeof(int)); break;
        default: memset(out[i], 0, sizeof(uint64_t));
        }
    }
    return 0;
}

CU cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr address) {
    unsigned sync = 0;
    const int error = wsimrt_capture_refuses();
    if (error || !value || attribute != POINTER_SYNC)
        return error ? error : WSIMRT_INVALID_VALUE;
    memcpy(&sync, value, sizeof sync);
    return wsimrt_memory_set_sync(address, sync != 0);
}

/* --- advice about managed memory changes no result --- */

/* --- copies --- */

static int copy(uint64_t to, uint64_t from, size_t bytes, CUstream stream, int wait) {
    const struct wsimrt_copy how = {
        .to = {to, bytes, bytes}, .from = {from, bytes, bytes}, .width = bytes};
    return wsimrt_copy(&how, stream, wait);
}

static uint64_t address_of(const void *host) {
    return (uint64_t)(uintptr_t)host;
}

CU cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copy(to, from, bytes, NULL, 1);
}

CU cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copy(to, from, bytes, stream, 0);
}

/* A copy whose `address` is one of a device: memory that no device knows is refused. */
static int copy_device(uint64_t address, uint64_t to, uint64_t from, size_t bytes, CUstream stream,
                       int wait) {
    struct wsimrt_range range;
    const int error = wsimrt_stream_asked(stream, 0);
    if (error)
        return error;
    return bytes && find(address, &range) == WSIMRT_INVALID_VALUE
               ? WSIMRT_INVALID_VALUE
               : copy(to, from, bytes, stream, wait);
}

CU cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    return copy_device(to, to, address_of(from), bytes, NULL, 1);
}

CU cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    return copy_device(to, to, address_of(from), bytes, stream, 0);
}

CU cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    return copy_device(from, address_of(to), from, bytes, NULL, 1);
}

CU cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copy_device(from, address_of(to), from, bytes, stream, 0);
}

/* Both sides are memory of devices. */
static int copy_inside(uint64_t to, uint64_t from, size_t bytes, CUstream stream, int wait) {
    struct wsimrt_range range;
    return bytes && find(to, &range) == WSIMRT_INVALID_VALUE
               ? WSIMRT_INVALID_VALUE
               : copy_device(from, to, from, bytes, stream, wait);
}

CU cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copy_inside(to, from, bytes, NULL, 1);
}

CU cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copy_inside(to, from, bytes, stream, 0);
}

CU cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                size_t bytes) {
    struct wsimrt_context_info info;
    int error = wsimrt_context_info(to_context, &info);
    error = error ? error : wsimrt_context_info(from_context, &info);
    return error ? error : copy(to, from, bytes, NULL, 1);
}

/* No graph holds it. */
CU cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                     size_t bytes, CUstream stream) {
    struct wsimrt_context_info info;
    int error = wsimrt_stream_asked(stream, 1);
    error = error ? error : wsimrt_context_info(to_context, &info);
    error = error ? error : wsimrt_context_info(from_context, &info);
    return error ? error : copy(to, from, bytes, stream, 0);
}

/* The first byte of a box in an array; `x` and the width are bytes. */
static int read_array(const struct side_3d *side, size_t width, size_t rows,
                      struct wsimrt_place *place) {
    struct wsim_array shape;
    int error = side->level ? WSIMRT_INVALID_VALUE : wsimrt_array_info(side->array, &shape, NULL);
    const size_t height = error ? 0 : shape.height ? shape.height : 1;
    error = error ? error : wsimrt_array_place(side->array, 0, side->y, side->z, place);
    if (!error && (side->x > place->pitch || width > place->pitch - side->x || side->y > height ||
                   rows > height - side->y))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        place->address += side->x;
    return error;
}

/* Whether a box ends inside pinned memory: the core takes what is outside for memory of the host.
 */
static int ends_inside(const struct wsimrt_range *range, const struct wsimrt_place *first,
                       size_t width, size_t rows, size_t planes) {
    const uint64_t before = first->address - range->base;
    uint64_t left = range->bytes - before;
    if (!width || !rows || !planes) /* nothing is copied */
        return 1;
    if (before > range->bytes || width > left || !first->slice) /* a slice of 0 overflowed */
        return 0;
    left -= width;
    if (rows > 1 && rows - 1 > left / first->pitch)
        return 0;
    left -= rows > 1 ? (rows - 1) * first->pitch : 0;
    return planes <= 1 || planes - 1 <= left / first->slice;
}

/* The first byte of a side of a box. */
static int read_side(const struct side_3d *side, size_t width, size_t rows, size_t planes,
                     struct wsimrt_place *place) {
    const size_t pitch = side->pitch ? side->pitch : side->x + width;
    const size_t height = side->height ? side->height : side->y + rows;
    struct wsimrt_range range;
    int known;
    if (side->type < MEMORY_HOST || side->type > MEMORY_UNIFIED)
        return WSIMRT_INVALID_VALUE;
    if (side->type == MEMORY_ARRAY)
        return side->array ? read_array(side, width, rows, place) : WSIMRT_INVALID_VALUE;
    if (pitch < width || side->x > pitch - width || height < rows || side->y > height - rows)
        return WSIMRT_INVALID_VALUE;
    known = side->type != MEMORY_HOST && find(side->device, &range) == 0;
    if (side->type == MEMORY_DEVICE && !known)
        return WSIMRT_INVALID_VALUE;
    place->address = side->type == MEMORY_HOST ? address_of(side->host) : side->device;
    place->address += side->x + side->y * pitch + side->z * pitch * height;
    place->pitch = pitch;
    place->slice = (uint64_t)pitch * height;
    if (known && is_host(&range) && !ends_inside(&range, place, width, rows, planes))
        return WSIMRT_INVALID_VALUE;
    return 0;
}

int copy_of_box(const struct memcpy_3d *box, struct wsimrt_copy *how) {
    int error;
    *how = (struct wsimrt_copy){.height = 0};
    if (!box)
        return WSIMRT_INVALID_VALUE;
    how->width = box->width;
    how->height = box->height;
    how->depth = box->depth;
    error = read_side(&box->to, box->width, box->height, box->depth, &how->to);
    return error ? error : read_side(&box->from, box->width, box->height, box->depth, &how->from);
}

static int copy_3d(const struct memcpy_3d *box, CUstream stream, int wait) {
    struct wsimrt_copy how;
    int error = wsimrt_stream_asked(stream, 0);
    if (error || (box && (!box->width || !box->height || !box->depth)))
        return error;
    error = copy_of_box(box, &how);
    return error ? error : wsimrt_copy(&how, stream, wait);
}

CU cuMemcpy3D_v2(const struct memcpy_3d *box) {
    return copy_3d(box, NULL, 1);
}

CU cuMemcpy3DAsync_v2(const struct memcpy_3d *box, CUstream stream) {
    return copy_3d(box, stream, 0);
}

CU cuMemcpy3DPeer(const struct memcpy_3d *box) {
    return copy_3d(box, NULL, 1);
}

CU cuMemcpy3DPeerAsync(const struct memcpy_3d *box, CUstream stream) {
    return copy_3d(box, stream, 0);
}

static struct side_3d deepen(const struct side_2d *side) {
    return (struct side_3d){.x = side->x,
                            .y = side->y,
                            .type = side->type,
                            .host = side->host,
                            .device = side->device,
                            .array = side->array,
                            .pitch = side->pitch};
}

static int copy_2d(const struct memcpy_2d *box, CUstream stream, int wait) {
    struct memcpy_3d deep;
    if (!box)
        return WSIMRT_INVALID_VALUE;
    deep = (struct memcpy_3d){deepen(&box->from), deepen(&box->to), box->width, box->height, 1};
    return copy_3d(&deep, stream, wait);
}

CU cuMemcpy2D_v2(const struct memcpy_2d *box) {
    return copy_2d(box, NULL, 1);
}

CU cuMemcpy2DUnaligned_v2(const struct memcpy_2d *box) {
    return copy_2d(box, NULL, 1);
}

CU cuMemcpy2DAsync_v2(const struct memcpy_2d *box, CUstream stream) {
    return copy_2d(box, stream, 0);
}

/* --- fills --- */

/* Memory that no device knows is refused. With `now` the host waits for a fill of memory that it
 * sees. Source: CUDA Driver API, "API synchronization behavior". */
static int fill_device(const struct wsimrt_fill *how, CUstream stream, int now) {
    struct wsimrt_range range;
    const int error = find(how->to.address, &range);
    const int wait = !error && now && (is_host(&range) || range.kind == WSIMRT_MANAGED);
    return error == WSIMRT_INVALID_VALUE ? error : wsimrt_fill(how, stream, wait);
}

static int fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned size, size_t width,
                size_t height, CUstream stream, int now) {
    struct wsimrt_fill how = {.to = {to, pitch, 0}, .height = height, .value = value, .size = size};
    const int error = wsimrt_stream_asked(stream, 0);
    if (error || width > SIZE_MAX / size)
        return error ? error : WSIMRT_INVALID_VALUE;
    how.width = width * size;
    return width && height ? fill_device(&how, stream, now) : 0;
}

CU cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t n) {
    return fill(to, 0, value, 1, n, 1, NULL, 1);
}

CU cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t n) {
    return fill(to, 0, value, 2, n, 1, NULL, 1);
}

CU cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t n) {
    return fill(to, 0, value, 4, n, 1, NULL, 1);
}

CU cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
    return fill(to, pitch, value, 1, width, height, NULL, 1);
}

CU cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                    size_t height) {
    return fill(to, pitch, value, 2, width, height, NULL, 1);
}

CU cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
    return fill(to, pitch, value, 4, width, height, NULL, 1);
}

CU cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream) {
    return fill(to, 0, value, 1, n, 1, stream, 0);
}

CU cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream) {
    return fill(to, 0, value, 2, n, 1, stream, 0);
}

CU cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream) {
    return fill(to, 0, value, 4, n, 1, stream, 0);
}

CU cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                     CUstream stream) {
    return fill(to, pitch, value, 1, width, height, stream, 0);
}

CU cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                      size_t height, CUstream stream) {
    return fill(to, pitch, value, 2, width, height, stream, 0);
}

CU cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                      CUstream stream) {
    return fill(to, pitch, value, 4, width, height, stream, 0);
}
