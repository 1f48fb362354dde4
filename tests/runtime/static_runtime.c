/* Functions that stand for the runtime inside a program. Each gives an error that no runtime gives.
 */
#include "static_runtime.h"

/* Longer than any jump. */
#define INSIDE __attribute__((noinline, aligned(16)))
#define BODY                                                                                       \
    do {                                                                                           \
        static volatile int calls;                                                                 \
        calls = 3 * calls + 1;                                                                     \
        return 7000 + (calls == 0);                                                                \
    } while (0)

INSIDE int cudaMalloc(void **pointer, size_t bytes) {
    (void)pointer, (void)bytes;
    BODY;
}
INSIDE int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    (void)to, (void)from, (void)bytes, (void)kind;
    BODY;
}
INSIDE int cudaFree(void *pointer) {
    (void)pointer;
    BODY;
}
INSIDE int cudaDeviceSynchronize(void) {
    BODY;
}
INSIDE int cudaLaunchKernel(const void *host, struct three grid, struct three block, void **params,
                            size_t shared, void *stream) {
    (void)host, (void)grid, (void)block, (void)params, (void)shared, (void)stream;
    BODY;
}
INSIDE void **__cudaRegisterFatBinary(void *wrapper) {
    static volatile int calls;
    calls = 3 * calls + 1;
    (void)wrapper;
    return NULL;
}
INSIDE void __cudaRegisterFatBinaryEnd(void **handle) {
    static volatile int calls;
    calls = 3 * calls + 1;
    (void)handle;
}
INSIDE void __cudaUnregisterFatBinary(void **handle) {
    static volatile int calls;
    calls = 3 * calls + 1;
    (void)handle;
}
INSIDE void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                   int limit, void *thread, void *block, void *block_size,
                                   void *grid_size, int *warp_size) {
    static volatile int calls;
    (void)handle, (void)host, (void)device, (void)name, (void)limit, (void)thread, (void)block;
    (void)block_size, (void)grid_size, (void)warp_size;
    calls = 3 * calls + 1;
}
/* Too short for a long jump. */
#ifdef __x86_64__
__asm__(".text\n.globl cudaGetLastError\n.hidden cudaGetLastError\n.type cudaGetLastError, "
        "@function\n.p2align 4\ncudaGetLastError:\n"
        "movl $7000, %eax\nnop\nret\n.size cudaGetLastError, .-cudaGetLastError\n");
#else
INSIDE int cudaGetLastError(void) {
    BODY;
}
#endif

#ifdef OLD /* a name that only CUDA 12 has */
int cudaGetDeviceProperties_v2(void *properties, int device);
INSIDE int cudaGetDeviceProperties_v2(void *properties, int device) {
    (void)properties, (void)device;
    BODY;
}
#endif
