/* Many copies, prefetches or discards by one call. */
#include "core/array.h"
#include "driver.h"

#include <wsim/texture.h>

CU cuMemcpyBatchAsync_v2(const CUdeviceptr *to, const CUdeviceptr *from, const size_t *sizes,
                         size_t n, const struct wsimrt_copy_attributes *attributes,
                         const size_t *first, size_t n_attributes, CUstream stream) {
    return wsimrt_batch_copy(to, from, sizes, n, attributes, first, n_attributes, stream);
}

CU cuMemcpyBatchAsync(const CUdeviceptr *to, const CUdeviceptr *from, const size_t *sizes, size_t n,
                      const struct wsimrt_copy_attributes *attributes, const size_t *first,
                      size_t n_attributes, size_t *failed, CUstream stream) {
    const int error =
        wsimrt_batch_copy(to, from, sizes, n, attributes, first, n_attributes, stream);
    if (error && failed)
        *failed = SIZE_MAX;
    return error;
}

CU cuMemPrefetchBatchAsync(const CUdeviceptr *addresses, const size_t *sizes, size_t n,
                           const struct wsimrt_location *locations, const size_t *first,
                           size_t n_locations, unsigned long long flags, CUstream stream) {
    return wsimrt_batch_prefetch(addresses, sizes, n, locations, first, n_locations, flags, stream);
}

CU cuMemDiscardBatchAsync(const CUdeviceptr *addresses, const size_t *sizes, size_t n,
                          unsigned long long flags, CUstream stream) {
    return wsimrt_batch_discard(addresses, sizes, n, flags, stream);
}

CU cuMemDiscardAndPrefetchBatchAsync(const CUdeviceptr *addresses, const size_t *sizes, size_t n,
                                     const struct wsimrt_location *locations, const size_t *first,
                                     size_t n_locations, unsigned long long flags,
                                     CUstream stream) {
    const int error = wsimrt_batch_discard(addresses, sizes, n, flags, stream);
    return error ? error
                 : wsimrt_batch_prefetch(addresses, sizes, n, locations, first, n_locations, flags,
                                         stream);
}

/* --- boxes --- */

struct operand { /* CUmemcpy3DOperand */
    int type;
    union {
        struct {
            CUdeviceptr address;
            size_t row, layer; /* elements; 0: as the box */
            struct wsimrt_location hint;
        } memory;
        struct {
            struct wsimrt_array *array;
            size_t x, y, z;
        } array;
    } is;
};
struct batch_op { /* CUDA_MEMCPY3D_BATCH_OP */
    struct operand from, to;
    size_t width, height, depth;
    int order;
    unsigned flags;
};
enum { OPERAND_MEMORY = 1, OPERAND_ARRAY };

/* The bytes of an element: of the arrays, or one. */
static int read_element(const struct operand *operand, size_t *element) {
    struct wsim_array shape;
    size_t bytes;
    int error;
    if (operand->type == OPERAND_MEMORY)
        return 0;
    error = operand->type == OPERAND_ARRAY && operand->is.array.array
                ? wsimrt_array_info(operand->is.array.array, &shape, NULL)
                : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    bytes = (size_t)shape.channels * shape.bits / 8;
    if (*element && *element != bytes)
        return WSIMRT_INVALID_VALUE;
    *element = bytes;
    return 0;
}

static struct side_3d side_of(const struct operand *operand, const struct batch_op *op,
                              size_t element) {
    if (operand->type == OPERAND_ARRAY)
        return (struct side_3d){.type = MEMORY_ARRAY,
                                .array = operand->is.array.array,
                                .x = operand->is.array.x * element,
                                .y = operand->is.array.y,
                                .z = operand->is.array.z};
    return (struct side_3d){
        .type = MEMORY_UNIFIED,
        .device = operand->is.memory.address,
        .pitch = (operand->is.memory.row ? operand->is.memory.row : op->width) * element,
        .height = operand->is.memory.layer ? operand->is.memory.layer : op->height};
}

static int copy_op(const struct batch_op *op, CUstream stream) {
    struct wsimrt_copy how;
    struct memcpy_3d box;
    size_t element = 0;
    enum { OVERLAPS = 1 };
    int error = op->flags & ~(unsigned)OVERLAPS ? WSIMRT_INVALID_VALUE
                                                : wsimrt_batch_check(op->order, stream);
    error = error ? error : read_element(&op->from, &element);
    error = error ? error : read_element(&op->to, &element);
    if (!error && (!op->width || !op->height || !op->depth))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    element = element ? element : 1;
    box = (struct memcpy_3d){.from = side_of(&op->from, op, element),
                             .to = side_of(&op->to, op, element),
                             .width = op->width * element,
                             .height = op->height,
                             .depth = op->depth};
    error = copy_of_box(&box, &how);
    return error ? error : wsimrt_copy(&how, stream, 0);
}

CU cuMemcpy3DBatchAsync_v2(size_t n, const struct batch_op *ops, unsigned long long flags,
                           CUstream stream) {
    int error = !n || !ops || flags ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        error = copy_op(&ops[i], stream);
    return error;
}

CU cuMemcpy3DBatchAsync(size_t n, const struct batch_op *ops, size_t *failed,
                        unsigned long long flags, CUstream stream) {
    int error = !n || !ops || flags ? WSIMRT_INVALID_VALUE : 0;
    for (size_t i = 0; i < n && !error; i++)
        if ((error = copy_op(&ops[i], stream)) != 0 && failed)
            *failed = i;
    return error;
}
