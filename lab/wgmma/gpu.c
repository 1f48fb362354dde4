/* gpu.c - launches the kernels of kernels.c through the driver API. */
#include "gpu.h"

#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

enum { MODULES = 16 };

static CUmodule modules[MODULES];
static int nmodules;
static CUdevice device;
static CUdeviceptr memory; /* of one struct launch, and of the parameters after it */

static void check(CUresult result, const char *what) {
    const char *text = "?";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(2);
}

int gpu_open(char **cubins, int n) {
    CUcontext context;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS)
        return 0;
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    while (nmodules < n && nmodules < MODULES) {
        check(cuModuleLoad(&modules[nmodules], cubins[nmodules]), cubins[nmodules]);
        nmodules++;
    }
    check(cuMemAlloc(&memory, sizeof(struct launch) + 72), "memory");
    return 1;
}

void gpu_name(char *name, int size) {
    check(cuDeviceGetName(name, size, device), "name");
}

static CUfunction find(const struct form *form) {
    CUfunction function = NULL;
    char name[32];
    snprintf(name, sizeof name, "k%u", form->number);
    for (int i = 0; i < nmodules; i++)
        if (cuModuleGetFunction(&function, modules[i], name) == CUDA_SUCCESS)
            return function;
    fprintf(stderr, "no kernel %s for %s\n", name, form->spelling);
    exit(2);
}

#define AT(member) (memory + offsetof(struct launch, member))

/* The result of an address outside of the block. Any other error is one of this program. */
static int is_trap(CUresult result) {
    return result == CUDA_ERROR_ILLEGAL_ADDRESS;
}

enum gpu_answer gpu_run(struct launch *launch) {
    const char *what = launch->form->spelling;
    uint64_t io[9] = {AT(window),      AT(a),           AT(c),           AT(d),       AT(e),
                      launch->desc[0], launch->desc[1], launch->scale_d, launch->size};
    CUdeviceptr parameters = memory + sizeof *launch;
    void *arguments[] = {&parameters};
    CUfunction function = find(launch->form);
    CUresult result;
    for (size_t i = 0; i < sizeof launch->d / sizeof launch->d[0]; i++)
        launch->d[i] = 0xA5A5A5A5;
    check(cuMemcpyHtoD(memory, launch, sizeof *launch), what);
    check(cuMemcpyHtoD(parameters, io, sizeof io), what);
    check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             (int)launch->size),
          what);
    check(cuLaunchKernel(function, 1, 1, 1, WSIM_GROUP_THREADS, 1, 1, launch->size, NULL, arguments,
                         NULL),
          what);
    result = cuCtxSynchronize();
    if (is_trap(result))
        return GPU_TRAPPED;
    check(result, what);
    check(cuMemcpyDtoH(launch->d, AT(d), sizeof launch->d), what);
    return GPU_RAN;
}
