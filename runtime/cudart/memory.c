/* Memory: allocation, copies, fills, attributes of pointers. */
#include "cudart.h"

#include "core/array.h"

#include <string.h>

static uint64_t at(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

/* --- allocation --- */

static int allocate(void **pointer, size_t bytes, enum wsimrt_memory kind, unsigned flags) {
    uint64_t address = 0;
    int error = pointer ? rt_need() : WSIMRT_INVALID_VALUE;
    if (!error && bytes)
        error = wsimrt_memory_alloc(bytes, kind, flags, &address);
    if (!error)
        *pointer = (void *)(uintptr_t)address;
    return rt_note(error);
}

/* Without memory, the pointer becomes NULL, as on an H200. */
RT cudaMalloc(void **pointer, size_t bytes) {
    const int error = allocate(pointer, bytes, WSIMRT_DEVICE, 0);
    if (error == WSIMRT_OUT_OF_MEMORY)
        *pointer = NULL;
    return error;
}

RT cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    if (bytes && flags != 1 && flags != 2)
        return rt_note(WSIMRT_INVALID_VALUE);
    return allocate(pointer, bytes, WSIMRT_MANAGED, flags);
}

RT cudaMallocHost(void **pointer, size_t bytes) {
    return allocate(pointer, bytes, WSIMRT_HOST, 0);
}

RT cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    return allocate(pointer, bytes, WSIMRT_HOST, flags);
}

/* Freeing nothing still gives the error that a capture or a context has. */
static int free_nothing(void) {
    struct wsimrt_context_info info;
    int error = wsimrt_permitted();
    error = error ? error : wsimrt_context_info(NULL, &info);
    error = error ? error : wsimrt_capture_refuses();
    return error ? error : wsimrt_sticky_error();
}

RT cudaFree(void *pointer) {
    RT_CALL(pointer ? wsimrt_memory_free(at(pointer), 0) : free_nothing());
}

RT cudaFreeHost(void *pointer) {
    RT_CALL(pointer ? wsimrt_memory_free(at(pointer), 1) : wsimrt_capture_refuses());
}

RT cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    uint64_t row = 0;
    int error = pitch && pointer ? 0 : WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    if (wsimrt_pitch(width, &row))
        row = 0;                       /* numbers of bytes wrap, as on an H200 */
    *pitch = height ? (size_t)row : 0; /* an H200 gives it also if a capture refuses */
    if (width && height && row * height == 0)
        error = rt_note(WSIMRT_INVALID_VALUE);
    else
        error = allocate(pointer, (size_t)row * height, WSIMRT_DEVICE, 0);
    if (error == WSIMRT_INVALID_VALUE || error == WSIMRT_OUT_OF_MEMORY)
        *pointer = NULL;
    return error;
}

RT cudaMalloc3D(struct pitched *pitched, struct extent extent) {
    void *pointer = NULL;
    size_t pitch = 0;
    int error;
    if (!pitched)
        return rt_note(WSIMRT_INVALID_VALUE);
    error = cudaMallocPitch(&pointer, &pitch, extent.width, extent.height * extent.depth);
    pitched->pitch = pitch;
    if (error == WSIMRT_INVALID_VALUE || error == WSIMRT_OUT_OF_MEMORY)
        pitched->address = NULL;
    if (!error)
        *pitched = (struct pitched){pointer, pitch, extent.width, extent.height};
    return error;
}

RT cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    RT_CALL(wsimrt_memory_register(pointer, bytes, flags));
}

RT cudaHostUnregister(void *pointer) {
    RT_CALL(wsimrt_memory_unregister(pointer));
}

/* The live range that an address lies in. */
static int find(const void *pointer, struct wsimrt_range *range) {
    int error = rt_need();
    error = error ? error : wsimrt_memory_of(at(pointer), range);
    return error || !range->freed ? error : WSIMRT_INVALID_VALUE;
}

static int is_host(const struct wsimrt_range *range) {
    return range->kind == WSIMRT_HOST || range->kind == WSIMRT_REGISTERED;
}

RT cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    struct wsimrt_range range;
    int error = rt_need();
    if (!error && (!device || flags))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : find(host, &range);
    if (!error && (!is_host(&range) || range.away))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *device = host;
    return rt_note(error);
}

RT cudaHostGetFlags(unsigned *flags, void *host) {
    struct wsimrt_range range;
    int error = flags ? find(host, &range) : WSIMRT_INVALID_VALUE;
    if (!error && ((!is_host(&range) && range.kind != WSIMRT_MANAGED) || range.pool))
        error = WSIMRT_INVALID_VALUE;
    if (!error)
        *flags = (range.kind == WSIMRT_MANAGED ? 0 : range.flags) | 2; /* mapped */
    return rt_note(error);
}

RT cudaMemGetInfo(size_t *left, size_t *total) {
    uint64_t free_bytes = 0, all = 0;
    int error = rt_need();
    error = error ? error : wsimrt_memory_info(&free_bytes, &all);
    if (!error && left)
        *left = (size_t)free_bytes;
    if (!error && total)
        *total = (size_t)all;
    return rt_note(error);
}

/* The fields that cudaPointerAttributes has had since CUDA 11; type: 0 none, 1 host, 2 device, 3
 * managed. */
struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
};

RT cudaPointerGetAttributes(struct pointer_attributes *attributes, const void *pointer) {
    struct wsimrt_range range;
    void *const same = (void *)(uintptr_t)pointer;
    int error = attributes ? rt_need() : WSIMRT_INVALID_VALUE;
    if (error)
        return rt_note(error);
    if (find(pointer, &range))
        *attributes = (struct pointer_attributes){0, -2, NULL, same};
    else if (is_host(&range))
        *attributes = (struct pointer_attributes){1, range.device, range.away ? NULL : same, same};
    else if (range.kind == WSIMRT_MANAGED)
        *attributes = (struct pointer_attributes){3, range.device, same, same};
    else
        *attributes = (struct pointer_attributes){2, range.device, range.far ? NULL : same, NULL};
    return 0;
}

/* --- copies --- */

enum { KIND_TO_DEVICE = 1, KIND_TO_HOST, KIND_DEVICE_TO_DEVICE, KIND_DEFAULT };

/* Whether an address is memory of the host that devices do not know or may not use. */
static int is_pageable(uint64_t address) {
    struct wsimrt_range range;
    return wsimrt_memory_of(address, &range) != 0 || range.away;
}

/* The side that the kind calls a device's must not be such memory. */
int rt_check_kind(const struct wsimrt_copy *copy, int kind) {
    const int to_device = kind == 1 || kind == 3, from_device = kind == 2 || kind == 3;
    if (copy->width && ((to_device && is_pageable(copy->to.address)) ||
                        (from_device && is_pageable(copy->from.address))))
        return WSIMRT_INVALID_VALUE;
    return 0;
}

static int copy_box(const struct wsimrt_copy *copy, int kind, cudaStream_t stream, int wait) {
    int error = rt_need();
    if (!error && copy->width && (kind < 0 || kind > KIND_DEFAULT))
        error = RT_INVALID_DIRECTION;
    if (!error && copy->width)
        error = wsimrt_stream_asked(stream, 0);
    if (!error && (error = rt_check_kind(copy, kind)) != 0) {
        const int older = wsimrt_sticky_error();
        error = older ? older : error;
    }
    return rt_note(error ? error : wsimrt_copy(copy, stream, wait));
}

static int copy_bytes(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream,
                      int wait) {
    const struct wsimrt_copy copy = {
        .to = {at(to), bytes, bytes}, .from = {at(from), bytes, bytes}, .width = bytes};
    return copy_box(&copy, kind, stream, wait);
}

/* The host does not wait for a copy from memory of a device to memory of a device. */
static int is_inside(const void *to, const void *from) {
    struct wsimrt_range a, b;
    return !wsimrt_memory_of(at(to), &a) && !wsimrt_memory_of(at(from), &b) &&
           a.kind == WSIMRT_DEVICE && b.kind == WSIMRT_DEVICE && !a.freed && !b.freed;
}

RT cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    return copy_bytes(to, from, bytes, kind, NULL, !is_inside(to, from));
}

RT cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream) {
    return copy_bytes(to, from, bytes, kind, stream, 0);
}

static int check_devices(int a, int b) {
    int n = 0;
    const int error = wsimrt_device_count(&n);
    return error ? error : a < 0 || b < 0 || a >= n || b >= n ? WSIMRT_INVALID_DEVICE : 0;
}

static int copy_peer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                     cudaStream_t stream, int wait) {
    int error = rt_need();
    error = error || !bytes ? error : check_devices(to_device, from_device);
    return error ? rt_note(error)
                 : copy_bytes(to, from, bytes, KIND_DEVICE_TO_DEVICE, stream, wait);
}

RT cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
    return copy_peer(to, to_device, from, from_device, bytes, NULL, 1);
}

RT cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                       cudaStream_t stream) {
    return copy_peer(to, to_device, from, from_device, bytes, stream, 0);
}

static int copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, cudaStream_t stream, int wait) {
    const struct wsimrt_copy copy = {.to = {at(to), to_pitch, 0},
                                     .from = {at(from), from_pitch, 0},
                                     .width = width,
                                     .height = height};
    int error = rt_need();
    if (error || !width || !height)
        return rt_note(error);
    if (height > 1 && (to_pitch < width || from_pitch < width))
        return rt_note(RT_INVALID_PITCH);
    if (kind < 0 || kind > KIND_DEFAULT)
        return rt_note(RT_INVALID_DIRECTION);
    if ((error = wsimrt_stream_asked(stream, 0)) != 0)
        return rt_note(error);
    if ((to_pitch && to_pitch < width) || (from_pitch && from_pitch < width))
        return rt_note(WSIMRT_INVALID_VALUE);
    return copy_box(&copy, kind, stream, wait);
}

RT cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                size_t height, int kind) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, NULL, 1);
}

RT cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, cudaStream_t stream) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, 0);
}

static struct wsimrt_place place_of(const struct position *position, const struct pitched *memory) {
    const uint64_t slice = (uint64_t)memory->pitch * memory->height;
    return (struct wsimrt_place){at(memory->address) + position->x + position->y * memory->pitch +
                                     position->z * slice,
                                 memory->pitch, slice};
}

static int side_of(const struct copy_side *side, struct wsimrt_place *place) {
    if (side->array)
        return wsimrt_array_place(side->array, side->at.x, side->at.y, side->at.z, place);
    *place = place_of(&side->at, &side->memory);
    return 0;
}

/* Whether a box lies inside an array; NULL: there is none. */
static int check_array(struct wsimrt_array *array, const struct position *at,
                       const struct extent *extent) {
    struct wsim_array shape;
    const int error = array ? wsimrt_array_info(array, &shape, NULL) : 0;
    if (error || !array)
        return error;
    if (!shape.height)
        shape.height = 1;
    if (!shape.depth)
        shape.depth = 1;
    return at->x + extent->width > shape.width || at->y + extent->height > shape.height ||
                   at->z + extent->depth > shape.depth
               ? WSIMRT_INVALID_VALUE
               : 0;
}

/* Bytes of an element of a copy: of a texel if a side is an array. */
static int element_of(const struct copy_3d *params, size_t *bytes) {
    struct wsimrt_array *const array = params->to.array ? params->to.array : params->from.array;
    struct wsim_array shape;
    int error = 0;
    *bytes = 1;
    if (array && !(error = wsimrt_array_info(array, &shape, NULL)))
        *bytes = (size_t)shape.channels * shape.bits / 8;
    return error;
}

/* Whether rows and planes of a side of plain memory are large enough. */
static int check_memory(const struct copy_side *side, const struct wsimrt_copy *copy) {
    const struct pitched *memory = &side->memory;
    const int planes = copy->depth > 1;
    if (side->array)
        return 0;
    if (copy->height == 1 && !planes && (!memory->address || memory->pitch < copy->width))
        return WSIMRT_INVALID_VALUE;
    if (memory->pitch < copy->width || (planes && memory->height < copy->height))
        return RT_INVALID_PITCH;
    if (memory->height && memory->height < copy->height)
        return WSIMRT_INVALID_VALUE;
    return side->at.x > memory->pitch - copy->width ||
                   ((planes || (memory->height && copy->height > 1)) &&
                    side->at.y > memory->height - copy->height)
               ? WSIMRT_INVALID_VALUE
               : 0;
}

int rt_copy_box(const struct copy_3d *params, struct wsimrt_copy *copy) {
    size_t element = 1;
    int error = element_of(params, &element);
    *copy = (struct wsimrt_copy){.width = 0};
    if (error || !params->extent.width || !params->extent.height || !params->extent.depth)
        return error;
    if (params->kind < 0 || params->kind > KIND_DEFAULT)
        return RT_INVALID_DIRECTION;
    if (params->extent.width > SIZE_MAX / element)
        return WSIMRT_INVALID_VALUE;
    copy->width = params->extent.width * element;
    copy->height = params->extent.height;
    copy->depth = params->extent.depth;
    if ((params->to.array && params->to.memory.address) ||
        (params->from.array && params->from.memory.address))
        return WSIMRT_INVALID_VALUE;
    error = check_array(params->to.array, &params->to.at, &params->extent);
    error = error ? error : check_array(params->from.array, &params->from.at, &params->extent);
    error = error ? error : check_memory(&params->from, copy);
    error = error ? error : check_memory(&params->to, copy);
    error = error ? error : side_of(&params->to, &copy->to);
    error = error ? error : side_of(&params->from, &copy->from);
    return error ? error : rt_check_kind(copy, params->kind);
}

static int copy_3d(const struct copy_3d *params, cudaStream_t stream, int wait) {
    struct wsimrt_copy copy;
    int error = params ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : rt_copy_box(params, &copy);
    if (error != RT_INVALID_PITCH && error != RT_INVALID_DIRECTION) {
        const int asked = wsimrt_stream_asked(stream, 0);
        error = asked ? asked : error;
    }
    return rt_note(error || !copy.width ? error : wsimrt_copy(&copy, stream, wait));
}

RT cudaMemcpy3D(const struct copy_3d *params) {
    return copy_3d(params, NULL, 1);
}

RT cudaMemcpy3DAsync(const struct copy_3d *params, cudaStream_t stream) {
    return copy_3d(params, stream, 0);
}

static int copy_3d_peer(const struct copy_3d_peer *params, cudaStream_t stream, int wait) {
    struct copy_3d plain;
    int error = params ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : check_devices(params->to.device, params->from.device);
    if (error)
        return rt_note(error);
    plain = (struct copy_3d){
        .from = {params->from.array, params->from.at, params->from.memory},
        .to = {params->to.array, params->to.at, params->to.memory},
        .extent = params->extent,
        .kind = KIND_DEVICE_TO_DEVICE,
    };
    return copy_3d(&plain, stream, wait);
}

RT cudaMemcpy3DPeer(const struct copy_3d_peer *params) {
    return copy_3d_peer(params, NULL, 1);
}

RT cudaMemcpy3DPeerAsync(const struct copy_3d_peer *params, cudaStream_t stream) {
    return copy_3d_peer(params, stream, 0);
}

/* --- many copies at once: each is one of the stream --- */

#if RT_MAJOR >= 13
RT cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t n,
                        const struct wsimrt_copy_attributes *attributes, const size_t *first,
                        size_t n_attributes, cudaStream_t stream) {
    RT_CALL(wsimrt_batch_copy(to, from, sizes, n, attributes, first, n_attributes, stream));
}
#else
RT cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t n,
                        const struct wsimrt_copy_attributes *attributes, const size_t *first,
                        size_t n_attributes, size_t *failed, cudaStream_t stream) {
    int error = rt_need();
    error = error ? error
                  : wsimrt_batch_copy(to, from, sizes, n, attributes, first, n_attributes, stream);
    if (error && failed)
        *failed = SIZE_MAX;
    return rt_note(error);
}
#endif

struct operand { /* cudaMemcpy3DOperand */
    int type;
    union {
        struct {
            void *address;
            size_t row, layer; /* elements; 0: as the box */
            int location[2];
        } memory;
        struct {
            struct wsimrt_array *array;
            struct position at;
        } array;
    } is;
};
struct batch_op { /* cudaMemcpy3DBatchOp */
    struct operand from, to;
    struct extent extent;
    int order;
    unsigned flags;
};
enum { OPERAND_MEMORY = 1, OPERAND_ARRAY };

static int read_operand(const struct operand *operand, const struct extent *extent,
                        struct copy_side *side) {
    *side = (struct copy_side){.array = NULL};
    if (operand->type == OPERAND_ARRAY) {
        side->array = operand->is.array.array;
        side->at = operand->is.array.at;
        return side->array ? 0 : WSIMRT_INVALID_VALUE;
    }
    side->memory.address = operand->is.memory.address;
    side->memory.pitch = operand->is.memory.row ? operand->is.memory.row : extent->width;
    side->memory.height = operand->is.memory.layer ? operand->is.memory.layer : extent->height;
    return operand->type == OPERAND_MEMORY ? 0 : WSIMRT_INVALID_VALUE;
}

static int copy_op(const struct batch_op *op, cudaStream_t stream) {
    struct copy_3d box = {.extent = op->extent, .kind = KIND_DEFAULT};
    size_t element = 1;
    int error = wsimrt_batch_check(op->order, stream);
    error = error ? error : read_operand(&op->from, &op->extent, &box.from);
    error = error ? error : read_operand(&op->to, &op->extent, &box.to);
    error = error ? error : element_of(&box, &element);
    box.from.memory.pitch *= element;
    box.to.memory.pitch *= element;
    if (!error && (!op->extent.width || !op->extent.height || !op->extent.depth))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : copy_3d(&box, stream, 0);
    return error == RT_INVALID_PITCH ? WSIMRT_INVALID_VALUE : error;
}

#if RT_MAJOR >= 13
RT cudaMemcpy3DBatchAsync(size_t n, const struct batch_op *ops, unsigned long long flags,
                          cudaStream_t stream) {
    int error = !n || !ops || flags ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        error = copy_op(&ops[i], stream);
    return rt_note(error);
}
#else
RT cudaMemcpy3DBatchAsync(size_t n, const struct batch_op *ops, size_t *failed,
                          unsigned long long flags, cudaStream_t stream) {
    int error = !n || !ops || flags ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        if ((error = copy_op(&ops[i], stream)) != 0 && failed)
            *failed = i;
    return rt_note(error);
}
#endif

/* --- variables --- */

int rt_symbol_part(const void *symbol, size_t bytes, size_t offset, uint64_t *address) {
    uint64_t size = 0;
    int error = rt_need();
    error = error ? error : rt_symbol(symbol, address, &size);
    if (!error && (offset > size || bytes > size - offset))
        error = WSIMRT_INVALID_VALUE;
    *address += offset;
    return error;
}

static int copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                          int kind, cudaStream_t stream, int wait) {
    uint64_t to = 0;
    const int is_wrong = kind == 0 || kind == KIND_TO_HOST;
    int error = bytes ? rt_need() : 0;
    error = error || !bytes ? error : rt_symbol_part(symbol, bytes, offset, &to);
    if (!error && bytes && is_wrong)
        error = RT_INVALID_DIRECTION;
    return error || !bytes ? rt_note(error)
                           : copy_bytes((void *)(uintptr_t)to, from, bytes, kind, stream, wait);
}

static int copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                            cudaStream_t stream, int wait) {
    uint64_t from = 0;
    const int is_wrong = kind == 0 || kind == KIND_TO_DEVICE;
    int error = bytes ? rt_need() : 0;
    error = error || !bytes ? error : rt_symbol_part(symbol, bytes, offset, &from);
    if (!error && bytes && is_wrong)
        error = RT_INVALID_DIRECTION;
    return error || !bytes
               ? rt_note(error)
               : copy_bytes(to, (const void *)(uintptr_t)from, bytes, kind, stream, wait);
}

RT cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
    return copy_to_symbol(symbol, from, bytes, offset, kind, NULL, 1);
}

RT cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                           int kind, cudaStream_t stream) {
    return copy_to_symbol(symbol, from, bytes, offset, kind, stream, 0);
}

RT cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
    return copy_from_symbol(to, symbol, bytes, offset, kind, NULL, 1);
}

RT cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                             cudaStream_t stream) {
    return copy_from_symbol(to, symbol, bytes, offset, kind, stream, 0);
}

/* --- fills --- */

static int fill_waiting(void *to, size_t pitch, size_t slice, int value, size_t width,
                        size_t height, size_t depth, cudaStream_t stream, int wait) {
    const struct wsimrt_fill how = {.to = {at(to), pitch, slice},
                                    .width = width,
                                    .height = height,
                                    .depth = depth,
                                    .value = (unsigned char)value,
                                    .size = 1};
    int error = rt_need();
    if (error || !width || !height || !depth)
        return rt_note(error);
    error = wsimrt_stream_asked(stream, 0);
    if (error)
        return rt_note(error);
    if (!is_pageable(at(to)))
        return rt_note(wsimrt_fill(&how, stream, wait));
    error = wsimrt_sticky_error();
    return rt_note(error ? error : WSIMRT_INVALID_VALUE);
}

static int fill(void *to, size_t pitch, size_t slice, int value, size_t width, size_t height,
                size_t depth, cudaStream_t stream) {
    return fill_waiting(to, pitch, slice, value, width, height, depth, stream, 0);
}

/* The host waits for a fill of memory that it sees. Source: CUDA Runtime API, "API synchronization
 * behavior". */
static int fill_now(void *to, size_t pitch, size_t slice, int value, size_t width, size_t height,
                    size_t depth) {
    struct wsimrt_range range;
    const int wait = width && height && depth && !find(to, &range) &&
                     (is_host(&range) || range.kind == WSIMRT_MANAGED);
    return fill_waiting(to, pitch, slice, value, width, height, depth, NULL, wait);
}

RT cudaMemset(void *to, int value, size_t bytes) {
    return fill_now(to, bytes, 0, value, bytes, 1, 1);
}

RT cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    return fill(to, bytes, 0, value, bytes, 1, 1, stream);
}

RT cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return fill_now(to, pitch, 0, value, width, height, 1);
}

RT cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                     cudaStream_t stream) {
    return fill(to, pitch, 0, value, width, height, 1, stream);
}

/* An H200 refuses more lines than a slice has. It takes lines that are longer than its own, in one
 * plane. */
static int has_lines(const struct pitched *to, const struct extent *extent) {
    if (extent->depth > 1 && extent->width > to->pitch && extent->height)
        return 0;
    return extent->height <= to->height || !extent->width || !extent->depth;
}

RT cudaMemset3D(struct pitched to, int value, struct extent extent) {
    if (!has_lines(&to, &extent))
        return rt_note(WSIMRT_INVALID_VALUE);
    return fill_now(to.address, to.pitch, to.pitch * to.height, value, extent.width, extent.height,
                    extent.depth);
}

RT cudaMemset3DAsync(struct pitched to, int value, struct extent extent, cudaStream_t stream) {
    if (!has_lines(&to, &extent))
        return rt_note(WSIMRT_INVALID_VALUE);
    return fill(to.address, to.pitch, to.pitch * to.height, value, extent.width, extent.height,
                extent.depth, stream);
}
