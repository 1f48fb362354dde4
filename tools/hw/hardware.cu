// hardware.cu - buffers, the generator on the GPU, launches.
#include "hardware.h"
#include "kernel.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

static uint32_t *buffer[2];
static size_t room[2];

__global__ static void fill(struct wsim_plan plan, uint64_t seed, unsigned dist, uint64_t first,
                            uint32_t cases, uint32_t *in) {
    const size_t words = (size_t)cases * plan.in_rows * 32, step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += step) {
        const struct wsim_case c = wsim_case_at(&plan, seed, first + i / (plan.in_rows * 32), dist);
        in[i] = wsim_case_word(&plan, &c, (unsigned)(i / 32 % plan.in_rows), (unsigned)(i % 32));
    }
}

__global__ static void probe(void) {}

static void read_driver(char *text, size_t size) {
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    snprintf(text, size, "unknown");
    if (!file)
        return;
    if (fgets(text, (int)size, file))
        text[strcspn(text, "\n")] = 0;
    fclose(file);
}

/* Where the module's version cannot be read: the second word of numbers in the driver's banner. */
static void read_banner(char *text, size_t size) {
    char line[256] = "", *at;
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (!file)
        return;
    at = fgets(line, sizeof line, file) ? strstr(line, "  ") : NULL;
    while (at && *at && !(*at >= '0' && *at <= '9'))
        at++;
    if (at && *at)
        snprintf(text, size, "%.*s", (int)strspn(at, "0123456789."), at);
    fclose(file);
}

extern "C" const char *hw_open(struct hw_device *device) {
    struct cudaDeviceProp properties;
    struct cudaFuncAttributes attributes;
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        return "no CUDA device";
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&attributes, (const void *)probe);
    if (error != cudaSuccess)
        return cudaGetErrorString(error);
    snprintf(device->gpu, sizeof device->gpu, "%s", properties.name);
    snprintf(device->toolkit, sizeof device->toolkit, "%d.%d", CUDART_VERSION / 1000,
             CUDART_VERSION % 1000 / 10);
    read_driver(device->driver, sizeof device->driver);
    if (strcmp(device->driver, "unknown") == 0)
        read_banner(device->driver, sizeof device->driver);
    device->capability = (unsigned)(properties.major * 10 + properties.minor);
    device->code = (unsigned)attributes.binaryVersion;
    return NULL;
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

static cudaError_t reserve_both(const struct wsim_plan *plan, uint32_t cases) {
    cudaError_t error = reserve(0, (size_t)plan->in_rows * 128 * cases);
    return error == cudaSuccess ? reserve(1, (size_t)plan->out_rows * 128 * cases) : error;
}

/* A kernel that was assembled apart. */
static cudaError_t find(const char *symbol, cudaKernel_t *kernel) {
    static cudaLibrary_t library[64];
    cudaError_t error = cudaErrorSymbolNotFound;
    for (int i = 0; hw_images[i] && i < 64 && error != cudaSuccess; i++) {
        if (!library[i])
            error = cudaLibraryLoadData(&library[i], hw_images[i], 0, 0, 0, 0, 0, 0);
        if (library[i])
            error = cudaLibraryGetKernel(kernel, library[i], symbol);
    }
    return error;
}

/* A warpgroup for each block of operands; its window is what the block ends with. */
static cudaError_t launch_groups(const struct hw_kernel *kernel, const struct wsim_plan *plan,
                                 uint32_t cases, void **arguments) {
    const size_t window = (plan->in_rows - plan->input[WSIM_IN_MATRIX_A].first) * (size_t)128;
    cudaKernel_t code;
    cudaError_t error = find(kernel->symbol, &code);
    if (error == cudaSuccess)
        error = cudaKernelSetAttributeForDevice(
            code, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)window, 0);
    cudaGetLastError(); /* for libraries without it */
    return error == cudaSuccess ? cudaLaunchKernel((const void *)code, dim3(cases),
                                                   dim3(plan->threads), arguments, window, 0)
                                : error;
}

/* One warp, or warpgroup, for each block of operands that is in buffer 0. */
static cudaError_t launch(const struct hw_kernel *kernel, const struct wsim_plan *plan,
                          uint32_t cases, uint32_t *out) {
    const size_t bytes = (size_t)plan->out_rows * 128 * cases;
    uint32_t rows = plan->in_rows;
    void *arguments[] = {&buffer[0], &buffer[1], &cases, &rows};
    /* what a kernel without code would leave */
    cudaError_t error = cudaMemsetAsync(buffer[1], 0xa5, bytes);
    if (error == cudaSuccess && kernel->symbol)
        error = launch_groups(kernel, plan, cases, arguments);
    else if (error == cudaSuccess)
        error = cudaLaunchKernel(kernel->code, dim3((cases + HW_WARPS - 1) / HW_WARPS),
                                 dim3(32 * HW_WARPS), arguments, 0, 0);
    return error == cudaSuccess ? cudaMemcpy(out, buffer[1], bytes, cudaMemcpyDeviceToHost) : error;
}

extern "C" const char *hw_run(const struct hw_kernel *kernel, const struct wsim_plan *plan,
                              uint64_t seed, unsigned dist, uint64_t first, uint32_t cases,
                              uint32_t *out, uint32_t *in, uint32_t sampled) {
    cudaError_t error = reserve_both(plan, cases);
    if (error == cudaSuccess) {
        fill<<<4096, 256>>>(*plan, seed, dist, first, cases, buffer[0]);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = launch(kernel, plan, cases, out);
    if (error == cudaSuccess)
        error = cudaMemcpy(in, buffer[0], (size_t)plan->in_rows * 128 * sampled,
                           cudaMemcpyDeviceToHost);
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

extern "C" const char *hw_run_blocks(const struct hw_kernel *kernel, const struct wsim_plan *plan,
                                     const uint32_t *in, uint32_t cases, uint32_t *out) {
    cudaError_t error = reserve_both(plan, cases);
    if (error == cudaSuccess)
        error = cudaMemcpy(buffer[0], in, (size_t)plan->in_rows * 128 * cases,
                           cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = launch(kernel, plan, cases, out);
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}
