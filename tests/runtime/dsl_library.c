/* A library as the runtime of the CuTe DSL is: the CUDA runtime is inside, without names, and
 * exports have '_' before theirs. `run`: 0 if both the exports and calls from inside reach wsim. */
#include <stddef.h>
#include <stdio.h>

#define NAME __attribute__((visibility("default"), noinline)) int
/* Callers must not know which registers a function leaves alone: wsim takes its place. */
#if defined(__has_attribute) && __has_attribute(noipa)
#define OPAQUE noinline, noipa
#else
#define OPAQUE noinline
#endif
#define INSIDE static __attribute__((OPAQUE, aligned(16), section("inside"))) int
#define BODY                                                                                       \
    do {                                                                                           \
        static volatile int calls;                                                                 \
        calls = 3 * calls + 1;                                                                     \
        return 7000 + (calls == 0);                                                                \
    } while (0)
#define CHECK(truth)                                                                               \
    do {                                                                                           \
        if (!(truth)) {                                                                            \
            printf("line %d: %s\n", __LINE__, #truth);                                             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static volatile size_t seen;

INSIDE allocate(void **pointer, size_t bytes) {
    seen = bytes; /* no argument is unused, so that no clone has fewer */
    *pointer = NULL;
    BODY;
}

INSIDE release(void *pointer) {
    seen = pointer ? 2 : 1;
    BODY;
}

NAME _cudaMalloc(void **pointer, size_t bytes);
NAME _cudaFree(void *pointer);
NAME _cuDeviceGet(int *device, int number);
NAME cuda_dialect_init_library_once(void);
NAME run(void);

NAME _cudaMalloc(void **pointer, size_t bytes) {
    return allocate(pointer, bytes);
}

NAME _cudaFree(void *pointer) {
    return release(pointer);
}

NAME _cuDeviceGet(int *device, int number) {
    (void)device, (void)number;
    BODY;
}

NAME cuda_dialect_init_library_once(void) {
    return 0;
}

NAME run(void) {
    void *first = NULL, *second = NULL;
    int device = -1;
    CHECK(_cudaMalloc(&first, 16) == 0 && first);
    CHECK(allocate(&second, 16) == 0 && second && second != first);
    CHECK(_cudaFree(first) == 0);
    CHECK(release(second) == 0);
    CHECK(_cuDeviceGet(&device, 0) == 0 && device == 0);
    return 0;
}
