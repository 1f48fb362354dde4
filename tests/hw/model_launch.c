/* The GPU of `wsim-hw launch` made of the model (tools/hw/hardware_launch.h). MODEL_GPU_WRONG=write
 * spoils a byte of the first buffer that is read, =guard one before it. */
#include "../../tools/hw/hardware_launch.h"
#include "model_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/kernel.h>

static struct wsim_module *module;
static struct wsim_device *device;
static struct wsim_diag diag;

static const char *text_of(enum wsim_status status) {
    return status == WSIM_OK ? NULL : diag.text;
}

const char *hw_module_load(const char *const *ptx, size_t n) {
    struct wsim_text texts[16];
    enum wsim_status status;
    if (n > sizeof texts / sizeof *texts)
        return "too many texts";
    for (size_t i = 0; i < n; i++)
        texts[i] = (struct wsim_text){NULL, ptx[i], strlen(ptx[i]), NULL};
    wsim_module_free(module);
    wsim_device_free(device);
    module = NULL;
    device = NULL;
    status = wsim_module_link(texts, n, 0, &module, NULL, &diag);
    if (status == WSIM_OK)
        status = wsim_device_make(model_arch(), &device, &diag);
    return text_of(status);
}

const char *hw_memory_make(uint64_t bytes, uint64_t *address) {
    return text_of(wsim_device_alloc(device, "memory", bytes, 0, address, &diag));
}

void hw_memory_free(uint64_t address) {
    wsim_device_release(device, address, NULL);
}

const char *hw_memory_write(uint64_t address, const void *bytes, uint64_t size) {
    return text_of(wsim_device_write(device, address, bytes, size, &diag));
}

const char *hw_memory_fill(uint64_t address, int byte, uint64_t size) {
    uint8_t *bytes = malloc((size_t)size + 1);
    const char *why = "out of memory";
    if (bytes) {
        memset(bytes, byte, (size_t)size);
        why = size ? hw_memory_write(address, bytes, size) : NULL;
    }
    free(bytes);
    return why;
}

const char *hw_memory_read(uint64_t address, void *bytes, uint64_t size) {
    const char *wrong = getenv("MODEL_GPU_WRONG");
    const char *why = text_of(wsim_device_read(device, address, bytes, size, &diag));
    const int guard = size == 4096 && size && ((uint8_t *)bytes)[0] == 0xc5;
    if (!why && size && wrong && strcmp(wrong, guard ? "guard" : "write") == 0)
        ((uint8_t *)bytes)[size / 2] ^= 1;
    return why;
}

const char *hw_module_symbol(const char *name, uint64_t *address, uint64_t *bytes) {
    return text_of(wsim_device_symbol(device, module, name, address, bytes, &diag));
}

const char *hw_tensor_encode(const struct wsim_tensor *tensor, void *map) {
    struct wsim_tensor_map made;
    enum wsim_status status = wsim_tensor_encode(tensor, model_arch(), &made, &diag);
    if (status == WSIM_OK)
        memcpy(map, &made, sizeof made);
    return text_of(status);
}

static const char *put_params(const struct hw_grid *grid, const struct wsim_kernel *kernel,
                              uint8_t *params) {
    for (size_t i = 0; i < grid->nargs; i++) {
        struct wsim_kernel_param param;
        if (!wsim_kernel_param_at(kernel, i, &param) || param.bytes != grid->bytes[i])
            return "an argument and its parameter differ in size";
        memcpy(params + param.offset, grid->args[i], param.bytes);
    }
    return NULL;
}

const char *hw_grid_run(const struct hw_grid *grid) {
    struct wsim_launch launch = {.kernel = wsim_module_find(module, grid->kernel),
                                 .shared = grid->shared};
    struct wsim_report *report = NULL;
    struct wsim_kernel_info kernel;
    enum wsim_status status;
    uint8_t *params;
    const char *why;
    size_t size = 0;
    if (launch.kernel)
        wsim_kernel_describe(launch.kernel, &kernel);
    if (!launch.kernel || kernel.params != grid->nargs)
        return "there is no such kernel";
    params = calloc(kernel.param_bytes + 1, 1);
    why = params ? put_params(grid, launch.kernel, params) : "out of memory";
    memcpy(launch.grid, grid->grid, sizeof launch.grid);
    memcpy(launch.block, grid->block, sizeof launch.block);
    memcpy(launch.cluster, grid->cluster, sizeof launch.cluster);
    launch.cooperative = grid->cooperative != 0;
    launch.params = params;
    launch.param_bytes = kernel.param_bytes;
    if (!why) {
        status = wsim_launch_run(device, module, &launch, &report, &diag);
        why = text_of(status);
    }
    if (!why) {
        const char *text = wsim_report_output(report, &size);
        fwrite(text, 1, size, stdout);
    }
    wsim_report_free(report);
    free(params);
    return why;
}
