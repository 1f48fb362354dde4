// hardware_launch.cu - whole kernels on the GPU; see hardware_launch.h.
#include "hardware_launch.h"

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

static cudaLibrary_t library;
static char said[4096];

static const char *name_of(cudaError_t error) {
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

/* A function of the driver; it is not linked, so that the program starts without one. */
static void *driver_function(const char *name, unsigned version) {
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found) !=
            cudaSuccess ||
        found != cudaDriverEntryPointSuccess)
        return NULL;
    return function;
}

/* Room for kernels that recurse and that print much; without effect once one has run. */
enum { STACK_BYTES = 32 << 10, PRINTED_BYTES = 64 << 20 };

/* Machine code of several texts; it belongs to *linker. NULL: why is in `said`. */
static const void *link(const char *const *ptx, size_t n, CUlinkState *linker) {
    const auto create = (decltype(&cuLinkCreate))driver_function("cuLinkCreate", 6050);
    const auto add = (decltype(&cuLinkAddData))driver_function("cuLinkAddData", 6050);
    const auto complete = (decltype(&cuLinkComplete))driver_function("cuLinkComplete", 5050);
    static char log[3072];
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(size_t)sizeof log}, *code = NULL;
    size_t size;
    CUresult error = CUDA_ERROR_NOT_SUPPORTED;
    log[0] = 0;
    cudaFree(0); /* the context */
    if (create && add && complete)
        error = create(2, names, values, linker);
    for (size_t i = 0; i < n && error == CUDA_SUCCESS; i++)
        error = add(*linker, CU_JIT_INPUT_PTX, (void *)ptx[i], strlen(ptx[i]) + 1, "text", 0, NULL, NULL);
    if (error == CUDA_SUCCESS)
        error = complete(*linker, &code, &size);
    if (error == CUDA_SUCCESS)
        return code;
    snprintf(said, sizeof said, "the texts are not linked (error %d): %s", (int)error, log);
    return NULL;
}

extern "C" const char *hw_module_load(const char *const *ptx, size_t n) {
    static char log[3072];
    CUlinkState linker = NULL;
    const void *code = ptx[0];
    cudaJitOption names[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
    void *values[] = {log, (void *)(size_t)sizeof log};
    cudaError_t error;
    if (library)
        cudaLibraryUnload(library);
    else if (cudaDeviceSetLimit(cudaLimitStackSize, STACK_BYTES) != cudaSuccess ||
             cudaDeviceSetLimit(cudaLimitPrintfFifoSize, PRINTED_BYTES) != cudaSuccess)
        cudaGetLastError();
    library = NULL;
    log[0] = 0;
    if (n > 1 && !(code = link(ptx, n, &linker)))
        return said;
    error = cudaLibraryLoadData(&library, code, names, values, 2, NULL, NULL, 0);
    const auto destroy = (decltype(&cuLinkDestroy))driver_function("cuLinkDestroy", 5050);
    if (linker && destroy)
        destroy(linker);
    if (error == cudaSuccess)
        return NULL;
    snprintf(said, sizeof said, "%s: %s", cudaGetErrorString(error), log);
    return said;
}

extern "C" const char *hw_memory_make(uint64_t bytes, uint64_t *address) {
    void *memory = NULL;
    const cudaError_t error = cudaMalloc(&memory, bytes ? bytes : 1);
    *address = (uint64_t)(size_t)memory;
    return name_of(error);
}

extern "C" void hw_memory_free(uint64_t address) {
    cudaFree((void *)(size_t)address);
}

extern "C" const char *hw_memory_write(uint64_t address, const void *bytes, uint64_t size) {
    return name_of(cudaMemcpy((void *)(size_t)address, bytes, size, cudaMemcpyHostToDevice));
}

extern "C" const char *hw_memory_fill(uint64_t address, int byte, uint64_t size) {
    return name_of(size ? cudaMemset((void *)(size_t)address, byte, size) : cudaSuccess);
}

extern "C" const char *hw_memory_read(uint64_t address, void *bytes, uint64_t size) {
    return name_of(cudaMemcpy(bytes, (void *)(size_t)address, size, cudaMemcpyDeviceToHost));
}

extern "C" const char *hw_module_symbol(const char *name, uint64_t *address, uint64_t *bytes) {
    void *at = NULL;
    size_t size = 0;
    const cudaError_t error = cudaLibraryGetGlobal(&at, &size, library, name);
    *address = (uint64_t)(size_t)at;
    *bytes = size;
    return name_of(error);
}

extern "C" const char *hw_tensor_encode(const struct wsim_tensor *t, void *map) {
    static const char *const names[] = {"cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col"};
    CUtensorMap made;
    void *const base = (void *)(size_t)t->base;
    void *function;
    CUresult result;
    if (t->mode != WSIM_TENSOR_TILED && t->mode != WSIM_TENSOR_IM2COL)
        return "a tensor map of this mode is for another GPU";
    function = driver_function(names[t->mode == WSIM_TENSOR_IM2COL], 12000);
    if (!function)
        return "the driver makes no tensor maps";
    if (t->mode == WSIM_TENSOR_TILED)
        result = ((decltype(&cuTensorMapEncodeTiled))function)(
            &made, (CUtensorMapDataType)t->dtype, t->rank, base, (const cuuint64_t *)t->dims,
            (const cuuint64_t *)t->strides, t->box, t->estrides,
            (CUtensorMapInterleave)t->interleave, (CUtensorMapSwizzle)t->swizzle,
            (CUtensorMapL2promotion)t->l2, (CUtensorMapFloatOOBfill)t->oob);
    else
        result = ((decltype(&cuTensorMapEncodeIm2col))function)(
            &made, (CUtensorMapDataType)t->dtype, t->rank, base, (const cuuint64_t *)t->dims,
            (const cuuint64_t *)t->strides, t->lower, t->upper, t->channels, t->pixels, t->estrides,
            (CUtensorMapInterleave)t->interleave, (CUtensorMapSwizzle)t->swizzle,
            (CUtensorMapL2promotion)t->l2, (CUtensorMapFloatOOBfill)t->oob);
    if (result != CUDA_SUCCESS) {
        snprintf(said, sizeof said, "the driver makes no such tensor map (error %d)", (int)result);
        return said;
    }
    memcpy(map, &made, sizeof made);
    return NULL;
}

static const char *find(const char *name, cudaKernel_t *kernel) {
    unsigned count = 0;
    cudaError_t error;
    if (name)
        return name_of(cudaLibraryGetKernel(kernel, library, name));
    error = cudaLibraryGetKernelCount(&count, library);
    if (error == cudaSuccess && count != 1)
        return "the file names no kernel, and the PTX has several";
    return name_of(error == cudaSuccess ? cudaLibraryEnumerateKernels(kernel, 1, library) : error);
}

/* The driver would read beyond arguments that are too few or too short. */
static const char *check(cudaKernel_t kernel, const struct hw_grid *grid) {
    typedef CUresult param_info(CUkernel, size_t, size_t *, size_t *);
    param_info *const ask = (param_info *)driver_function("cuKernelGetParamInfo", 12040);
    size_t offset, size, count = 0;
    if (!ask)
        return "the driver cannot be asked for parameters";
    for (; ask((CUkernel)kernel, count, &offset, &size) == CUDA_SUCCESS; count++)
        if (count < grid->nargs && size != grid->bytes[count]) {
            snprintf(said, sizeof said, "argument %zu has %u bytes, the parameter %zu", count,
                     grid->bytes[count], size);
            return said;
        }
    cudaGetLastError();
    if (count == grid->nargs)
        return NULL;
    snprintf(said, sizeof said, "%zu arguments, and the kernel has %zu parameters", grid->nargs, count);
    return said;
}

static dim3 dim_of(const uint32_t extent[3]) {
    return dim3(extent[0] ? extent[0] : 1, extent[1] ? extent[1] : 1, extent[2] ? extent[2] : 1);
}

extern "C" const char *hw_grid_run(const struct hw_grid *grid) {
    cudaKernel_t kernel = NULL;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[2] = {}, &cluster = attributes[0];
    const char *why = find(grid->kernel, &kernel);
    cudaError_t error;
    if (!why)
        why = check(kernel, grid);
    if (why)
        return why;
    error = cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            (int)grid->shared, 0);
    if (error == cudaSuccess)
        error = cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1, 0);
    config.gridDim = dim_of(grid->grid);
    config.blockDim = dim_of(grid->block);
    config.dynamicSmemBytes = grid->shared;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = grid->cluster[0];
    cluster.val.clusterDim.y = grid->cluster[1] ? grid->cluster[1] : 1;
    cluster.val.clusterDim.z = grid->cluster[2] ? grid->cluster[2] : 1;
    config.attrs = attributes;
    config.numAttrs = grid->cluster[0] != 0;
    if (grid->cooperative) {
        attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
        attributes[config.numAttrs++].val.cooperative = 1;
    }
    if (error == cudaSuccess)
        error = cudaLaunchKernelExC(&config, (const void *)kernel, grid->args);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize(); /* printf is written by then */
    return name_of(error);
}
