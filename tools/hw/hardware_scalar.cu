// hardware_scalar.cu - scalar instructions on the GPU: sources are drawn there, kernels come from PTX.
#include "hardware.h"

#include <cuda_runtime.h>

static uint64_t *buffer[2];
static size_t room[2];

__global__ static void draw(struct hw_scalar_plan plan, uint64_t seed, uint64_t first, uint32_t n,
                            uint64_t *in) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (unsigned w = 0; w < plan.words; w++)
        in[(size_t)w * n + i] = plan.counts && w == 0
                                    ? wsim_scalar_count(&plan.word[0], first + i)
                                    : wsim_scalar_draw(plan.word, w, seed, first + i);
}

static cudaError_t reserve(int which, size_t bytes) {
    cudaError_t error;
    if (bytes <= room[which])
        return cudaSuccess;
    cudaFree(buffer[which]);
    room[which] = 0;
    error = cudaMalloc((void **)&buffer[which], bytes);
    if (error == cudaSuccess)
        room[which] = bytes;
    return error;
}

static cudaError_t find(unsigned part, const char *symbol, cudaKernel_t *kernel) {
    enum { PARTS = 1024 };
    static cudaLibrary_t library[PARTS];
    cudaError_t error = cudaSuccess;
    if (part >= PARTS || !hw_scalar_images[part])
        return cudaErrorSymbolNotFound;
    if (!library[part])
        error = cudaLibraryLoadData(&library[part], hw_scalar_images[part], 0, 0, 0, 0, 0, 0);
    if (error == cudaSuccess)
        error = cudaLibraryGetKernel(kernel, library[part], symbol);
    return error;
}

extern "C" int hw_scalar_has(unsigned part, const char *symbol) {
    cudaKernel_t kernel;
    const cudaError_t error = find(part, symbol, &kernel);
    cudaGetLastError();
    return error == cudaSuccess;
}

static cudaError_t launch(const struct hw_scalar_plan *plan, cudaKernel_t kernel, uint32_t n) {
    void *arguments[] = {&buffer[0], &buffer[1], &n};
    /* what a kernel that does nothing would leave */
    cudaError_t error = cudaMemsetAsync(buffer[1], 0xa5, (size_t)plan->results * n * 8);
    if (error == cudaSuccess)
        error = cudaLaunchKernel((const void *)kernel, dim3((n + 255) / 256), dim3(256), arguments, 0, 0);
    return error;
}

extern "C" const char *hw_scalar_run(const struct hw_scalar_plan *plan, unsigned part,
                                     const char *symbol, uint64_t seed, uint64_t first, uint32_t n,
                                     uint64_t *out, uint64_t *in, uint32_t sampled) {
    cudaKernel_t kernel;
    cudaError_t error = find(part, symbol, &kernel);
    if (error == cudaSuccess)
        error = reserve(0, (size_t)plan->words * n * 8);
    if (error == cudaSuccess)
        error = reserve(1, (size_t)plan->results * n * 8);
    if (error == cudaSuccess) {
        draw<<<(n + 255) / 256, 256>>>(*plan, seed, first, n, buffer[0]);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = launch(plan, kernel, n);
    if (error == cudaSuccess)
        error = cudaMemcpy(out, buffer[1], (size_t)plan->results * n * 8, cudaMemcpyDeviceToHost);
    for (unsigned w = 0; w < plan->words && error == cudaSuccess; w++)
        error = cudaMemcpy(in + (size_t)w * sampled, buffer[0] + (size_t)w * n, (size_t)sampled * 8,
                           cudaMemcpyDeviceToHost);
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

extern "C" void *hw_results_alloc(size_t bytes) {
    void *memory = NULL;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : NULL;
}

extern "C" void hw_results_free(void *memory) {
    cudaFreeHost(memory);
}
