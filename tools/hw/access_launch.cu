// access_launch.cu - the launch of one access.
#include "access_launch.h"

#include <cuda_runtime.h>

enum { IN_BYTES = HW_ACCESS_ROWS * 128, OUT_BYTES = HW_RESULT_ROWS * 128 };

static uint32_t *input, *output;
static uint8_t *source;

/* Twice the room holds a place that is a multiple of its size. */
static cudaError_t reserve(void) {
    const size_t room = 2 * (size_t)HW_ACCESS_SOURCE;
    cudaError_t error = cudaMalloc((void **)&input, IN_BYTES);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&output, OUT_BYTES);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&source, room);
    if (error == cudaSuccess)
        error = cudaMemset(source, 0x5a, room);
    source += (HW_ACCESS_SOURCE - (size_t)source % HW_ACCESS_SOURCE) % HW_ACCESS_SOURCE;
    return error;
}

extern "C" const char *hw_access_launch(const struct hw_kernel *kernel, const uint32_t *in,
                                        uint32_t *out) {
    void *arguments[] = {&input, &output, &source};
    cudaError_t error = input ? cudaSuccess : reserve();
    if (error == cudaSuccess)
        error = cudaMemcpy(input, in, IN_BYTES, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) /* what a kernel without code would leave */
        error = cudaMemset(output, 0xa5, OUT_BYTES);
    if (error == cudaSuccess)
        error = cudaLaunchKernel(kernel->code, dim3(1), dim3(32), arguments, 0, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(out, output, OUT_BYTES, cudaMemcpyDeviceToHost);
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}
