/* Modules, libraries, kernels and the linker. A library is a module of no context, a kernel one of
 * its functions. */
#define _GNU_SOURCE /* memmem */
#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- modules --- */

/* Options of the just-in-time compiler that are answered. */
enum {
    JIT_REGISTERS,
    JIT_INFO_LOG = 3,
    JIT_INFO_BYTES,
    JIT_ERROR_LOG,
    JIT_ERROR_BYTES,
    JIT_TARGET = 9,
    JIT_CACHE = 14
};

static struct wsimrt_load read_options(unsigned n, const int *options, void **values) {
    struct wsimrt_load load = {0};
    for (unsigned i = 0; options && values && i < n; i++)
        switch (options[i]) {
        case JIT_REGISTERS: /* of two, the smaller one */
            if (!load.registers || (uintptr_t)values[i] < load.registers)
                load.registers = (unsigned)(uintptr_t)values[i];
            break;
        case JIT_INFO_LOG: load.info = values[i]; break;
        case JIT_INFO_BYTES: load.info_bytes = (unsigned)(uintptr_t)values[i]; break;
        case JIT_ERROR_LOG: load.log = values[i]; break;
        case JIT_ERROR_BYTES: load.log_bytes = (unsigned)(uintptr_t)values[i]; break;
        default: break;
        }
    if (load.log && load.log_bytes)
        load.log[0] = '\0';
    if (load.info && load.info_bytes)
        load.info[0] = '\0';
    return load;
}

/* Whether options have both of two, or none. */
static int are_both(unsigned n, const int *options, int one, int other) {
    int has = 0;
    for (unsigned i = 0; i < n; i++)
        has |= options[i] == one ? 1 : options[i] == other ? 2 : 0;
    return !has || has == 3;
}

/* Whether all options are of CUjit_option, with values that an H200 takes. A log has a size. */
static int are_options(unsigned n, const int *options, void **values) {
    enum { OPTIONS = 38, CACHE_MODES = 3 };
    if (n && (!options || !values))
        return 0;
    for (unsigned i = 0; i < n; i++)
        if (options[i] < 0 || options[i] >= OPTIONS ||
            (options[i] == JIT_REGISTERS && !values[i]) ||
            (options[i] == JIT_CACHE && (uintptr_t)values[i] >= CACHE_MODES))
            return 0;
    return are_both(n, options, JIT_ERROR_LOG, JIT_ERROR_BYTES);
}

/* A size becomes the number of bytes that the log has. One that was cut counts its NUL, too. */
static int write_sizes(int error, unsigned n, const int *options, void **values,
                       const struct wsimrt_load *load) {
    for (unsigned i = 0; i < n; i++) {
        const int is_info = options[i] == JIT_INFO_BYTES;
        const char *const log = is_info ? load->info : load->log;
        const size_t room = is_info ? load->info_bytes : load->log_bytes;
        const size_t length = log ? strnlen(log, room) : 0;
        if ((is_info || options[i] == JIT_ERROR_BYTES) && log)
            values[i] = (void *)(uintptr_t)(length && length + 1 == room ? room : length);
    }
    return error;
}

/* The error of a module that is compiled for another target than the device; of NULL: of a target
 * that is none. */
static int check_targets(CUmodule module, unsigned n, const int *options, void **values) {
    int error = 0;
    for (unsigned i = 0; i < n && !error; i++)
        if (options[i] == JIT_TARGET)
            error = wsimrt_module_for(module, (unsigned)(uintptr_t)values[i]);
    return error;
}

CU cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, int *options,
                      void **values) {
    const struct wsimrt_image one = {image, 0};
    const struct wsimrt_load load = read_options(n, options, values);
    int error = driver_context();
    if (!error && (!image || !are_options(n, options, values)))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : check_targets(NULL, n, options, values);
    error = error ? error : wsimrt_module_load(&one, 1, &load, module);
    if (!error && (error = check_targets(*module, n, options, values))) {
        wsimrt_module_unload(*module);
        *module = NULL;
    }
    return write_sizes(error, n, options, values, &load);
}

CU cuModuleLoadData(CUmodule *module, const void *image) {
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CU cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

/* Reads a file and a NUL after it; NULL: it cannot be read. */
static char *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rbe");
    char *bytes = NULL;
    long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0 && (bytes = malloc((size_t)end + 1)) != NULL) {
        *size = fread(bytes, 1, (size_t)end, file);
        bytes[*size] = '\0';
    }
    if (file)
        fclose(file);
    return bytes;
}

static int load_file(CUmodule *module, const char *name, const struct wsimrt_load *load) {
    size_t size = 0;
    char *bytes = name ? read_file(name, &size) : NULL;
    const struct wsimrt_image image = {bytes, size};
    int error;
    if (!name)
        return WSIMRT_INVALID_VALUE;
    if (!bytes)
        return WSIMRT_FILE_NOT_FOUND;
    error = size ? wsimrt_module_load(&image, 1, load, module) : WSIMRT_INVALID_IMAGE;
    free(bytes);
    return error;
}

CU cuModuleLoad(CUmodule *module, const char *name) {
    return name && !*name ? WSIMRT_INVALID_VALUE : load_file(module, name, NULL);
}

/* The module of a library goes with the library. */
CU cuModuleUnload(CUmodule module) {
    const int error =
        wsimrt_module_is_library(module) ? WSIMRT_NOT_PERMITTED : wsimrt_capture_refuses();
    return error ? error : wsimrt_module_unload(module);
}

/* CU_MODULE_LAZY_LOADING, the default of a driver. */
CU cuModuleGetLoadingMode(int *mode) {
    if (!mode)
        return WSIMRT_INVALID_VALUE;
    *mode = 2;
    return 0;
}

CU cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    return module && name && !*name ? WSIMRT_INVALID_VALUE
                                    : wsimrt_module_function(module, name, function);
}

CU cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
    size_t n = 0;
    const int error = count ? wsimrt_module_count(module, &n) : WSIMRT_INVALID_VALUE;
    if (!error)
        *count = (unsigned)n;
    return error;
}

CU cuModuleEnumerateFunctions(CUfunction *functions, unsigned most, CUmodule module) {
    size_t n = 0;
    int error = functions ? wsimrt_module_count(module, &n) : WSIMRT_INVALID_VALUE;
    for (size_t i = 0; !error && i < n && i < most; i++)
        error = wsimrt_module_function_at(module, i, &functions[i]);
    return error;
}

CU cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
    uint64_t size = 0;
    const int error = !module || address || bytes
                          ? wsimrt_module_symbol(module, name, address, &size)
                          : WSIMRT_INVALID_VALUE;
    if (bytes)
        *bytes = (size_t)size;
    return error;
}

/* --- libraries --- */

CU cuLibraryLoadData(CUmodule *library, const void *image, int *options, void **values, unsigned n,
                     int *library_options, void **library_values, unsigned n_library) {
    const struct wsimrt_image one = {image, 0};
    struct wsimrt_load load = read_options(n, options, values);
    (void)library_options, (void)library_values, (void)n_library;
    load.is_library = load.is_lazy = 1;
    if (!image || !are_options(n, options, values))
        return WSIMRT_INVALID_VALUE;
    return write_sizes(wsimrt_module_load(&one, 1, &load, library), n, options, values, &load);
}

CU cuLibraryLoadFromFile(CUmodule *library, const char *name, int *options, void **values,
                         unsigned n, int *library_options, void **library_values,
                         unsigned n_library) {
    struct wsimrt_load load = read_options(n, options, values);
    (void)library_options, (void)library_values, (void)n_library;
    load.is_library = load.is_lazy = 1;
    return load_file(library, name, &load);
}

CU cuLibraryUnload(CUmodule library) {
    return wsimrt_module_unload(library);
}

CU cuLibraryGetKernel(CUfunction *kernel, CUmodule library, const char *name) {
    return wsimrt_module_function(library, name, kernel);
}

CU cuLibraryGetKernelCount(unsigned *count, CUmodule library) {
    return cuModuleGetFunctionCount(count, library);
}

CU cuLibraryEnumerateKernels(CUfunction *kernels, unsigned most, CUmodule library) {
    return cuModuleEnumerateFunctions(kernels, most, library);
}

CU cuLibraryGetModule(CUmodule *module, CUmodule library) {
    size_t n;
    int error = module ? wsimrt_module_count(library, &n) : WSIMRT_INVALID_VALUE;
    error = error ? error : driver_context();
    if (!error)
        *module = library;
    return error;
}

CU cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule library, const char *name) {
    size_t size = 0;
    const int error = cuModuleGetGlobal_v2(address, bytes ? &size : NULL, library, name);
    if (!error && bytes)
        *bytes = size;
    return error;
}

CU cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUmodule library, const char *name) {
    struct wsimrt_range range;
    uint64_t at = 0, size = 0;
    int error = wsimrt_module_symbol(library, name, &at, &size);
    error = error ? error : wsimrt_memory_of(at, &range);
    if (error || range.kind != WSIMRT_MANAGED)
        return error ? error : WSIMRT_NOT_FOUND;
    return cuModuleGetGlobal_v2(address, bytes, library, name);
}

/* No variable of nvcc 13 is a unified function. */
CU cuLibraryGetUnifiedFunction(void **address, CUmodule library, const char *name) {
    (void)address, (void)library, (void)name;
    return WSIMRT_INVALID_VALUE;
}

/* --- functions and kernels --- */

CU cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
    return wsimrt_function_get(function, attribute, value);
}

CU cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    return wsimrt_function_set(function, attribute, value);
}

/* A preference: it changes no result. */
CU cuFuncSetCacheConfig(CUfunction function, int config) {
    enum { CONFIGS = 4 };
    return function && (config < 0 || config >= CONFIGS) ? WSIMRT_INVALID_VALUE
                                                         : wsimrt_function_cache(function, config);
}

CU cuFuncSetSharedMemConfig(CUfunction function, int config) {
    return cuFuncSetCacheConfig(function, config);
}

CU cuFuncGetModule(CUmodule *module, CUfunction function) {
    struct wsimrt_function_info info;
    const int error =
        module && function ? wsimrt_function_info(function, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *module = info.module;
    return error;
}

CU cuFuncGetName(const char **name, CUfunction function) {
    struct wsimrt_function_info info;
    const int error =
        name && function ? wsimrt_function_info(function, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *name = info.name;
    return error;
}

CU cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
    return function ? wsimrt_function_param(function, index, offset, bytes) : WSIMRT_INVALID_VALUE;
}

/* CU_FUNCTION_LOADING_STATE_LOADED. */
CU cuFuncIsLoaded(int *state, CUfunction function) {
    struct wsimrt_function_info info;
    const int error = state ? wsimrt_function_info(function, &info) : WSIMRT_INVALID_VALUE;
    if (!error)
        *state = 1;
    return error;
}

CU cuFuncLoad(CUfunction function) {
    return cuFuncSetCacheConfig(function, 0);
}

CU cuKernelGetFunction(CUfunction *function, CUfunction kernel) {
    int error = function ? cuFuncLoad(kernel) : WSIMRT_INVALID_VALUE;
    error = error ? error : driver_context();
    if (!error)
        *function = kernel;
    return error;
}

CU cuKernelGetLibrary(CUmodule *library, CUfunction kernel) {
    return kernel ? cuFuncGetModule(library, kernel) : WSIMRT_INVALID_HANDLE;
}

CU cuKernelGetName(const char **name, CUfunction kernel) {
    return cuFuncGetName(name, kernel);
}

CU cuKernelGetParamInfo(CUfunction kernel, size_t index, size_t *offset, size_t *bytes) {
    const int error = kernel ? driver_context() : WSIMRT_INVALID_VALUE;
    return error ? error : wsimrt_function_param(kernel, index, offset, bytes);
}

static int check_kernel(CUfunction kernel, CUdevice device) {
    struct wsimrt_device_info info;
    return kernel ? wsimrt_device_info(device, &info) : WSIMRT_INVALID_HANDLE;
}

CU cuKernelGetAttribute(int *value, int attribute, CUfunction kernel, CUdevice device) {
    const int error = check_kernel(kernel, device);
    return error ? error : wsimrt_function_get(kernel, attribute, value);
}

CU cuKernelSetAttribute(int attribute, int value, CUfunction kernel, CUdevice device) {
    const int error = check_kernel(kernel, device);
    return error ? error : wsimrt_function_set(kernel, attribute, value);
}

CU cuKernelSetCacheConfig(CUfunction kernel, int config, CUdevice device) {
    struct wsimrt_device_info info;
    const int error = wsimrt_device_info(device, &info);
    return error ? error : cuFuncSetCacheConfig(kernel, config);
}

/* --- the linker --- */

/* Images that were added. `image` is the result of cuLinkComplete: the texts of all, one after the
 * other. */
struct link {
    struct link *next;
    struct wsimrt_image *images;
    size_t n;
    struct wsimrt_load load;
    char *image;
    char *limits; /* a line for each kernel of a unit with an option of its own; NULL: none */
    int error;    /* of units that do not fit together */
};

/* All links of the process, which a stray handle is not among. */
static struct {
    pthread_mutex_t lock;
    struct link *first;
} links = {PTHREAD_MUTEX_INITIALIZER, NULL};

/* The place that points to a link, or to NULL. The caller has the lock. */
static struct link **place_of(const struct link *link) {
    struct link **at = &links.first;
    while (*at && *at != link)
        at = &(*at)->next;
    return at;
}

static int is_link(const struct link *link) {
    int is;
    pthread_mutex_lock(&links.lock);
    is = link && *place_of(link);
    pthread_mutex_unlock(&links.lock);
    return is;
}

CU cuLinkCreate_v2(unsigned n, int *options, void **values, struct link **state) {
    struct link *link = NULL;
    if (!are_options(n, options, values))
        return WSIMRT_INVALID_VALUE;
    link = state ? calloc(1, sizeof *link) : NULL;
    if (!link)
        return state ? WSIMRT_OUT_OF_MEMORY : WSIMRT_INVALID_VALUE;
    link->load = read_options(n, options, values);
    pthread_mutex_lock(&links.lock);
    link->next = links.first;
    links.first = link;
    pthread_mutex_unlock(&links.lock);
    *state = link;
    return 0;
}

CU cuLinkDestroy(struct link *link) {
    if (!is_link(link))
        return WSIMRT_INVALID_HANDLE;
    pthread_mutex_lock(&links.lock);
    *place_of(link) = link->next;
    pthread_mutex_unlock(&links.lock);
    for (size_t i = 0; i < link->n; i++)
        free((void *)(uintptr_t)link->images[i].bytes);
    free(link->images);
    free(link->image);
    free(link->limits);
    free(link);
    return 0;
}

/* CUjitInputType. */
enum { INPUT_CUBIN, INPUT_PTX, INPUT_FATBIN, INPUT_OBJECT, INPUT_LIBRARY, INPUT_NVVM, INPUTS };

/* Whether the units fit together. is_part: others may come. Each alone is right. */
static int try_units(const struct link *link, uint8_t is_part) {
    struct wsimrt_load load = link->load;
    struct wsimrt_module *trial;
    int error;
    load.is_library = 1;
    load.is_part = is_part;
    error = wsimrt_module_load(link->images, link->n, &load, &trial);
    if (!error)
        wsimrt_module_unload(trial);
    return error == WSIMRT_INVALID_PTX ? WSIMRT_INVALID_SOURCE : error;
}

/* The library of the device runtime. wsim has its functions, and adds those that a module calls. */
static int is_device_runtime(const void *data, size_t size) {
    static const char archive[] = "!<arch>\n", member[] = "cuda_device_runtime.o";
    return size > sizeof archive && memcmp(data, archive, sizeof archive - 1) == 0 &&
           memmem(data, size, member, sizeof member - 1) != NULL;
}

/* Whether a unit may have these options. As on an H200, those of the whole link are not among them.
 */
static int are_options_of_unit(unsigned n, const int *options, void **values) {
    static const uint8_t whole[] = {2, JIT_INFO_LOG, JIT_INFO_BYTES, JIT_ERROR_LOG, JIT_ERROR_BYTES,
                                    8, JIT_TARGET};
    int are = are_options(n, options, values);
    for (unsigned i = 0; are && i < n; i++)
        are = !memchr(whole, options[i], sizeof whole);
    return are;
}

/* Notes the most registers of each kernel of a unit. */
static int note_registers(struct link *link, struct wsimrt_module *unit, unsigned registers) {
    size_t kernels = 0;
    int error = registers ? wsimrt_module_count(unit, &kernels) : 0;
    for (size_t i = 0; !error && i < kernels; i++) {
        const size_t length = link->limits ? strlen(link->limits) : 0;
        struct wsimrt_function *function;
        struct wsimrt_function_info info;
        char *grown;
        error = wsimrt_module_function_at(unit, i, &function);
        error = error ? error : wsimrt_function_info(function, &info);
        if (error)
            break;
        grown =
            realloc(link->limits, length + sizeof WSIMRT_REGISTERS_LINE + strlen(info.name) + 16);
        if (!grown)
            return WSIMRT_OUT_OF_MEMORY;
        link->limits = grown;
        sprintf(grown + length, WSIMRT_REGISTERS_LINE "%u %s", registers, info.name);
    }
    return error;
}

CU cuLinkAddData_v2(struct link *link, int type, void *data, size_t size, const char *name,
                    unsigned n, int *options, void **values) {
    struct wsimrt_image *grown, image;
    struct wsimrt_load load;
    struct wsimrt_module *trial;
    char *bytes;
    int error;
    (void)name;
    if (!is_link(link))
        return WSIMRT_INVALID_HANDLE;
    if (!are_options_of_unit(n, options, values) || !data || !size || type < 0 || type >= INPUTS ||
        link->image)
        return WSIMRT_INVALID_VALUE;
    if (type == INPUT_CUBIN)
        return size > 4 && memcmp(data, "\177ELF", 4) == 0 ? WSIMRT_NO_BINARY_FOR_GPU
                                                           : WSIMRT_INVALID_IMAGE;
    if (type == INPUT_LIBRARY && is_device_runtime(data, size))
        return 0;
    if (type != INPUT_PTX)
        return WSIMRT_NOT_SUPPORTED;
    bytes = malloc(size + 1);
    grown = bytes ? realloc(link->images, (link->n + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(bytes);
        return WSIMRT_OUT_OF_MEMORY;
    }
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    load = link->load;
    load.is_library = load.is_part = 1;
    image = (struct wsimrt_image){bytes, strlen(bytes)};
    error = image.size ? wsimrt_module_load(&image, 1, &load, &trial) : WSIMRT_INVALID_IMAGE;
    link->images = grown;
    if (error) {
        free(bytes);
        return error;
    }
    error = note_registers(link, trial, read_options(n, options, values).registers);
    wsimrt_module_unload(trial);
    if (error) {
        free(bytes);
        return error;
    }
    link->images[link->n++] = image;
    if (link->n > 1 && !link->error)
        link->error = try_units(link, 1);
    return link->error;
}

CU cuLinkAddFile_v2(struct link *link, int type, const char *path, unsigned n, int *options,
                    void **values) {
    size_t size = 0;
    char *bytes = path ? read_file(path, &size) : NULL;
    int error;
    if (!path)
        return WSIMRT_INVALID_VALUE;
    if (!bytes)
        return WSIMRT_FILE_NOT_FOUND;
    error = size ? cuLinkAddData_v2(link, type, bytes, size, path, n, options, values)
                 : WSIMRT_INVALID_IMAGE;
    free(bytes);
    return error;
}

/* The image is the text of all units: a module of several texts, which cuModuleLoadData links.
 * Without units it is a module of nothing. */
CU cuLinkComplete(struct link *link, void **image, size_t *size) {
    static const char nothing[] = ".version 6.4\n.target sm_50\n.address_size 64\n";
    size_t bytes = 1;
    int error;
    if (!is_link(link) || link->image) /* it ends once */
        return WSIMRT_INVALID_HANDLE;
    if (!image)
        return WSIMRT_INVALID_VALUE;
    error = link->error || !link->n ? link->error : try_units(link, 0);
    if (error)
        return error;
    for (size_t i = 0; i < link->n; i++)
        bytes += link->images[i].size + 1;
    bytes += sizeof nothing + sizeof WSIMRT_REGISTERS_LINE + 12;
    bytes += link->limits ? strlen(link->limits) : 0;
    link->image = malloc(bytes);
    if (!link->image)
        return WSIMRT_OUT_OF_MEMORY;
    memcpy(link->image, nothing, sizeof nothing);
    for (size_t i = 0, at = 0; i < link->n; i++)
        at += (size_t)sprintf(link->image + at, "%s\n", (const char *)link->images[i].bytes);
    if (link->load.registers || link->limits)
        sprintf(link->image + strlen(link->image), "%s" WSIMRT_REGISTERS_LINE "%u\n",
                link->limits ? link->limits : "", link->load.registers);
    *image = link->image;
    if (size)
        *size = strlen(link->image) + 1;
    return 0;
}
