/* Batches of the driver: many copies, boxes, prefetches or discards by one call. An H200
 * gave these errors for batches of the runtime, which passes its arguments on. */
#include "cu.h"

enum { ORDER_STREAM = 1, FROM_HOST_NOW, ANY_ORDER, POINTER = 1, ARRAY, DEVICE = 1, GLOBAL = 1 };

struct location {
    int type, id;
};
struct attributes {
    int order;
    struct location from, to;
    unsigned flags;
};

static uint64_t device_memory(size_t bytes) {
    uint64_t address = 0;
    ck_cu(OK, CU(cuMemAlloc_v2)(&address, bytes));
    ck_cu(OK, CU(cuMemsetD8_v2)(address, 0, bytes));
    return address;
}

static void *new_stream(void) {
    void *stream = NULL;
    ck_cu(OK, CU(cuStreamCreate)(&stream, 1u));
    return stream;
}

START_TEST(copies_of_a_batch) {
    void *context = cu_begin(), *stream = new_stream();
    unsigned char from[192], got[192];
    const uint64_t device = device_memory(sizeof from);
    uint64_t to[3] = {device + 128, device, device + 64}, sources[3];
    size_t sizes[3] = {64, 64, 64}, first[2] = {0, 1}, failed = 0;
    struct attributes attributes[2] = {{.order = ORDER_STREAM}, {.order = ANY_ORDER, .flags = 1}};
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i + 1);
    for (unsigned i = 0; i < 3; i++)
        sources[i] = (uint64_t)(uintptr_t)(from + (size_t)64 * i);
    ck_cu(OK, CU(cuMemcpyBatchAsync_v2)(to, sources, sizes, (size_t)3, attributes, first, (size_t)2,
                                        stream));
    ck_cu(OK, CU(cuStreamSynchronize)(stream));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(got, device, sizeof got));
    for (unsigned i = 0; i < sizeof got; i++)
        ck_assert_uint_eq(got[i], from[(i + 64) % sizeof from]);
    ck_cu(INVALID_VALUE, CU(cuMemcpyBatchAsync_v2)(to, sources, sizes, (size_t)3, attributes, first,
                                                   (size_t)2, NULL));
    ck_cu(INVALID_VALUE, CU(cuMemcpyBatchAsync_v2)(to, sources, sizes, (size_t)0, attributes, first,
                                                   (size_t)2, stream));
    first[1] = 3;
    ck_cu(INVALID_VALUE, CU(cuMemcpyBatchAsync)(to, sources, sizes, (size_t)3, attributes, first,
                                                (size_t)2, &failed, stream));
    ck_assert(failed == SIZE_MAX);
    attributes[0].order = 4;
    ck_cu(INVALID_VALUE, CU(cuMemcpyBatchAsync_v2)(to, sources, sizes, (size_t)3, attributes, first,
                                                   (size_t)1, stream));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

struct operand {
    int type;
    union {
        struct {
            uint64_t address;
            size_t row, layer;
            struct location hint;
        } memory;
        struct {
            void *array;
            size_t x, y, z;
        } array;
    } is;
};
struct box {
    struct operand from, to;
    size_t width, height, depth;
    int order;
    unsigned flags;
};

START_TEST(boxes_of_a_batch) {
    const struct {
        size_t width, height;
        int format;
        unsigned channels;
    } desc = {8, 4, 3, 1}; /* 32-bit unsigned */
    void *context = cu_begin(), *stream = new_stream(), *array = NULL;
    uint32_t host[64], got[64] = {0};
    const uint64_t device = device_memory(sizeof host);
    size_t failed = 9;
    struct box boxes[2] = {
        {.from = {.type = POINTER}, .to = {.type = ARRAY}, .order = ORDER_STREAM},
        {.from = {.type = ARRAY}, .to = {.type = POINTER}, .order = FROM_HOST_NOW},
    };
    for (unsigned i = 0; i < 64; i++)
        host[i] = i;
    ck_cu(OK, CU(cuArrayCreate_v2)(&array, &desc));
    boxes[0].from.is.memory.address = (uint64_t)(uintptr_t)host;
    boxes[0].from.is.memory.row = 8;
    boxes[0].to.is.array.array = boxes[1].from.is.array.array = array;
    boxes[0].to.is.array.x = boxes[1].from.is.array.x = 2;
    boxes[0].to.is.array.y = boxes[1].from.is.array.y = 1;
    boxes[1].to.is.memory.address = device; /* rows follow each other */
    for (unsigned i = 0; i < 2; i++)
        boxes[i].width = 3, boxes[i].height = 2, boxes[i].depth = 1;
    ck_cu(OK, CU(cuMemcpy3DBatchAsync_v2)((size_t)2, boxes, 0ull, stream));
    ck_cu(OK, CU(cuStreamSynchronize)(stream));
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(got, device, sizeof got));
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(got[i], host[i / 3 * 8 + i % 3]);
    ck_assert_uint_eq(got[6], 0);
    boxes[1].from.is.array.x = 6; /* beyond the array */
    ck_cu(INVALID_VALUE, CU(cuMemcpy3DBatchAsync)((size_t)2, boxes, &failed, 0ull, stream));
    ck_assert_uint_eq(failed, 1);
    boxes[0].depth = 0;
    ck_cu(INVALID_VALUE, CU(cuMemcpy3DBatchAsync_v2)((size_t)1, boxes, 0ull, stream));
    boxes[0].depth = 1, boxes[0].from.type = 3;
    ck_cu(INVALID_VALUE, CU(cuMemcpy3DBatchAsync_v2)((size_t)1, boxes, 0ull, stream));
    ck_cu(INVALID_VALUE, CU(cuMemcpy3DBatchAsync_v2)((size_t)1, boxes, 1ull, stream));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(prefetches_and_discards_of_a_batch) {
    enum { LAST_PREFETCH = 4, BYTES = 4096 };
    const struct location device = {DEVICE, 0}, none = {DEVICE, 99};
    void *context = cu_begin(), *stream = new_stream();
    uint64_t address[2] = {0};
    size_t sizes[2] = {BYTES, BYTES}, first = 0;
    int last = -1;
    for (unsigned i = 0; i < 2; i++)
        ck_cu(OK, CU(cuMemAllocManaged)(&address[i], (size_t)BYTES, (unsigned)GLOBAL));
    ck_cu(OK, CU(cuMemPrefetchBatchAsync)(address, sizes, (size_t)2, &device, &first, (size_t)1,
                                          0ull, stream));
    ck_cu(OK,
          CU(cuMemRangeGetAttribute)(&last, sizeof last, LAST_PREFETCH, address[1], (size_t)BYTES));
    ck_assert_int_eq(last, 0);
    ck_cu(OK, CU(cuMemDiscardBatchAsync)(address, sizes, (size_t)2, 0ull, stream));
    ck_cu(OK, CU(cuMemDiscardAndPrefetchBatchAsync)(address, sizes, (size_t)2, &device, &first,
                                                    (size_t)1, 0ull, stream));
    ck_cu(INVALID_VALUE, CU(cuMemPrefetchBatchAsync)(address, sizes, (size_t)2, &none, &first,
                                                     (size_t)1, 0ull, stream));
    ck_cu(INVALID_VALUE,
          CU(cuMemDiscardBatchAsync)(address, sizes, (size_t)2, 0ull, (void *)(uintptr_t)1));
    ck_cu(INVALID_VALUE, CU(cuMemDiscardBatchAsync)(address, sizes, (size_t)2, 1ull, stream));
    sizes[1] = BYTES + 1;
    ck_cu(INVALID_VALUE, CU(cuMemDiscardBatchAsync)(address, sizes, (size_t)2, 0ull, stream));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&copies_of_a_batch, &boxes_of_a_batch,
                                                &prefetches_and_discards_of_a_batch};
    TCase *tcase = tcase_create("batch");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("batch", tcase);
}
