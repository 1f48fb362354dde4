/* static_runtime.h - functions of the runtime that a program has inside. */
#ifndef STATIC_RUNTIME_H
#define STATIC_RUNTIME_H

#include <stddef.h>

struct three {
    unsigned x, y, z;
};

#pragma GCC visibility push(hidden)
int cudaMalloc(void **pointer, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaFree(void *pointer);
int cudaDeviceSynchronize(void);
int cudaLaunchKernel(const void *host, struct three grid, struct three block, void **params,
                     size_t shared, void *stream);
int cudaGetLastError(void);
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *thread, void *block, void *block_size, void *grid_size,
                            int *warp_size);
#pragma GCC visibility pop

#endif
