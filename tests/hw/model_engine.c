/* Scalar kernels in the engine of whole kernels (wsim/kernel.h). The text is that of the GPU's
 * assembler, so loads, stores and the steps for 32 lanes take part. */
#include "model_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/kernel.h>

static struct wsim_module *module;
static unsigned loaded = ~0u;
static struct wsim_diag diag;

static char *read_text(const char *path) {
    enum { MOST = 1 << 22 };
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(MOST, 1) : NULL;
    if (text)
        (void)!fread(text, 1, MOST - 1, file);
    if (file)
        fclose(file);
    return text;
}

/* The module of a part, which stays until another is asked for. */
static const char *load(const char *folder, unsigned part) {
    char path[4096], *text;
    enum wsim_status status;
    if (part == loaded)
        return NULL;
    snprintf(path, sizeof path, "%s/scalar%u.ptx", folder, part);
    text = read_text(path);
    if (!text)
        return "a file of kernels cannot be read";
    wsim_module_free(module);
    module = NULL;
    loaded = part;
    status = wsim_module_load(text, strlen(text), 0, &module, &diag);
    free(text);
    return status ? diag.text : NULL;
}

static const char *launch(struct wsim_device *device, const char *symbol, uint64_t in, uint64_t out,
                          uint32_t n) {
    struct wsim_launch launch = {
        .kernel = wsim_module_find(module, symbol), .grid = {(n + 127) / 128}, .block = {128}};
    const uint64_t values[3] = {in, out, n};
    struct wsim_report *report = NULL;
    uint8_t params[64] = {0};
    enum wsim_status status;
    for (size_t i = 0; i < 3; i++) {
        struct wsim_kernel_param param;
        if (!wsim_kernel_param_at(launch.kernel, i, &param) || param.offset + 8 > sizeof params)
            return "the kernel has other parameters";
        for (uint32_t k = 0; k < param.bytes; k++)
            params[param.offset + k] = (uint8_t)(values[i] >> 8 * k);
        launch.param_bytes = param.offset + param.bytes;
    }
    launch.params = params;
    launch.threads = 1;
    status = wsim_launch_run(device, module, &launch, &report, &diag);
    wsim_report_free(report);
    return status ? diag.text : NULL;
}

const char *model_engine_run(const char *folder, unsigned part, const char *symbol,
                             const uint64_t *in, unsigned words, uint32_t n, uint64_t *out,
                             unsigned results) {
    struct wsim_device *device = NULL;
    uint64_t from, to;
    const char *why = load(folder, part);
    if (why)
        return why;
    if (wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag) ||
        wsim_device_alloc(device, "in", (uint64_t)words * n * 8 + 8, 0, &from, &diag) ||
        wsim_device_alloc(device, "out", (uint64_t)results * n * 8 + 8, 0, &to, &diag) ||
        wsim_device_write(device, from, in, (uint64_t)words * n * 8, &diag))
        why = diag.text;
    if (!why)
        why = launch(device, symbol, from, to, n);
    if (!why && wsim_device_read(device, to, out, (uint64_t)results * n * 8, &diag))
        why = diag.text;
    wsim_device_free(device);
    return why;
}
