/* driver.c - the driver's encode calls, by dlopen: building needs no CUDA. */
#include "maps.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77, LISTS = 8, COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76 };

/* A data pointer into a function pointer, as POSIX has it. */
static int find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int fail(const char *call, int code) {
    fprintf(stderr, "wsim-maps: %s answers %d\n", call, code);
    return 2;
}

/* A device and its context; the maps are made for the current device. */
static int start(void *library, struct maps_driver *driver) {
    int (*init)(unsigned), (*device_get)(int *, int), (*name)(char *, int, int), (*version)(int *),
        (*retain)(void **, int), (*current)(void *), (*attribute)(int *, int, int);
    void *context;
    int device, code;
    if (!find(library, "cuInit", &init) || !find(library, "cuDeviceGet", &device_get) ||
        !find(library, "cuDeviceGetName", &name) ||
        !find(library, "cuDriverGetVersion", &version) ||
        !find(library, "cuDeviceGetAttribute", &attribute) ||
        !find(library, "cuDevicePrimaryCtxRetain", &retain) ||
        !find(library, "cuCtxSetCurrent", &current))
        return fail("the driver's library: a function is missing, which", 0);
    if ((code = init(0)) != 0 || (code = device_get(&device, 0)) != 0) {
        fprintf(stderr, "wsim-maps: no GPU (cuInit, cuDeviceGet answer %d)\n", code);
        return SKIPPED;
    }
    name(driver->gpu, (int)sizeof driver->gpu, device);
    version(&driver->version);
    attribute(&driver->major, COMPUTE_MAJOR, device);
    attribute(&driver->minor, COMPUTE_MINOR, device);
    if ((code = retain(&context, device)) != 0 || (code = current(context)) != 0)
        return fail("a context", code);
    return 0;
}

/* "580.159.03" out of the kernel module's line. */
static void read_release(char *out, size_t size) {
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    char line[256], *at = NULL;
    snprintf(out, size, "unknown");
    if (!file)
        return;
    if (fgets(line, sizeof line, file))
        for (at = strtok(line, " \t\n"); at && strspn(at, "0123456789.") != strlen(at);)
            at = strtok(NULL, " \t\n");
    if (at)
        snprintf(out, size, "%s", at);
    fclose(file);
}

int maps_driver_open(struct maps_driver *driver) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    int status;
    if (!library) {
        fprintf(stderr, "wsim-maps: no driver: %s\n", dlerror());
        return SKIPPED;
    }
    status = start(library, driver);
    if (status)
        return status;
    read_release(driver->release, sizeof driver->release);
    if (!find(library, "cuTensorMapEncodeTiled", &driver->tiled) ||
        !find(library, "cuTensorMapEncodeIm2col", &driver->im2col))
        return fail("this driver: tensor maps are missing, which", 0);
    return 0;
}

int maps_driver_ask(const struct maps_driver *driver, const struct wsim_tensor *t,
                    uint64_t image[16]) {
    _Alignas(128) uint64_t map[16] = {0};
    uint64_t dim[LISTS] = {1, 1, 1, 1, 1, 1, 1, 1}, stride[LISTS] = {0};
    uint32_t box[LISTS] = {1, 1, 1, 1, 1, 1, 1, 1}, step[LISTS] = {1, 1, 1, 1, 1, 1, 1, 1};
    int lower[LISTS] = {0}, upper[LISTS] = {0}, code;
    void *address = (void *)(uintptr_t)t->base;
    memcpy(dim, t->dims, sizeof t->dims);
    memcpy(stride, t->strides, sizeof t->strides);
    memcpy(box, t->box, sizeof t->box);
    memcpy(step, t->estrides, sizeof t->estrides);
    memcpy(lower, t->lower, sizeof t->lower);
    memcpy(upper, t->upper, sizeof t->upper);
    if (t->mode == WSIM_TENSOR_TILED)
        code = driver->tiled(map, (int)t->dtype, t->rank, address, dim, stride, box, step,
                             (int)t->interleave, (int)t->swizzle, (int)t->l2, (int)t->oob);
    else
        code = driver->im2col(map, (int)t->dtype, t->rank, address, dim, stride, lower, upper,
                              t->channels, t->pixels, step, (int)t->interleave, (int)t->swizzle,
                              (int)t->l2, (int)t->oob);
    if (image)
        memcpy(image, map, sizeof map);
    return code;
}
