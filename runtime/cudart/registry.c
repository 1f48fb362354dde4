/* Registration: what the code that nvcc generates says before main about fat binaries, kernels and
 * variables. A fat binary is loaded when one of its kernels or variables is used first. */
#include "cudart.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRAPPER_MAGIC 0x466243B1u

/* The argument of __cudaRegisterFatBinary. With version 2, `units` lists the fat binaries of all
 * units that -rdc=true linked, with NULL at the end: `image` is machine code then. */
struct wrapper {
    uint32_t magic, version;
    const void *image;
    const void *const *units;
};

struct fatbin {
    struct fatbin *next;
    const struct wrapper *wrapper;
    struct wsimrt_module *module;
    int tried, error;
};

struct symbol {
    const void *host;
    const char *name;
    struct fatbin *fatbin;
    struct wsimrt_function *function; /* of a kernel that was used */
    void **managed; /* where the program keeps the address of a managed variable */
    size_t bytes;
    uint8_t variable, known; /* known: the pointer of a managed variable is set */
};

static struct {
    pthread_mutex_t lock;
    struct fatbin *fatbins;
    struct symbol *slots; /* by the address of the host, with gaps */
    size_t n, room;       /* room: a power of two */
    size_t managed;       /* variables whose pointer is not set */
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- the table --- */

static struct symbol *slot_of(const void *host) {
    size_t at = (size_t)((uint64_t)(uintptr_t)host * 0x9E3779B97F4A7C15u >> 20);
    for (at &= registry.room - 1; registry.slots[at].host; at = (at + 1) & (registry.room - 1))
        if (registry.slots[at].host == host)
            break;
    return &registry.slots[at];
}

static int grow(void) {
    struct symbol *old = registry.slots;
    const size_t room = registry.room;
    struct symbol *slots = calloc(room ? 2 * room : 256, sizeof *slots);
    if (!slots)
        return 0;
    registry.slots = slots;
    registry.room = room ? 2 * room : 256;
    for (size_t i = 0; i < room; i++)
        if (old[i].host)
            *slot_of(old[i].host) = old[i];
    free(old);
    return 1;
}

/* Whether a handle is one; the last one that was made comes first. */
static int is_fatbin(const struct fatbin *handle) {
    const struct fatbin *at = registry.fatbins;
    while (at && at != handle)
        at = at->next;
    return at != NULL;
}

static void add(const struct symbol *symbol) {
    pthread_mutex_lock(&registry.lock);
    if (is_fatbin(symbol->fatbin) && (2 * (registry.n + 1) <= registry.room || grow())) {
        struct symbol *slot = slot_of(symbol->host);
        registry.n += !slot->host;
        registry.managed += symbol->managed != NULL;
        *slot = *symbol;
    }
    pthread_mutex_unlock(&registry.lock);
}

static struct symbol *find(const void *host) {
    struct symbol *slot = host && registry.room ? slot_of(host) : NULL;
    return slot && slot->host ? slot : NULL;
}

/* --- registration --- */

WSIMRT_API void **__cudaRegisterFatBinary(void *wrapper) {
    struct fatbin *fatbin = calloc(1, sizeof *fatbin);
    if (!fatbin)
        return NULL;
    fatbin->wrapper = wrapper;
    pthread_mutex_lock(&registry.lock);
    fatbin->next = registry.fatbins;
    registry.fatbins = fatbin;
    pthread_mutex_unlock(&registry.lock);
    return (void **)fatbin;
}

WSIMRT_API void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

WSIMRT_API void __cudaUnregisterFatBinary(void **handle) {
    struct fatbin *fatbin = (struct fatbin *)handle, **at = &registry.fatbins;
    pthread_mutex_lock(&registry.lock);
    while (*at && *at != fatbin)
        at = &(*at)->next;
    if (*at)
        *at = fatbin->next;
    else
        fatbin = NULL;
    for (size_t i = 0; fatbin && i < registry.room; i++)
        if (registry.slots[i].fatbin == fatbin)
            registry.slots[i].fatbin = NULL; /* its name is gone with the object */
    pthread_mutex_unlock(&registry.lock);
    if (fatbin && fatbin->module)
        wsimrt_module_unload(fatbin->module);
    free(fatbin);
}

WSIMRT_API void __cudaRegisterFunction(void **handle, const char *host, char *device,
                                       const char *name, int limit, void *thread, void *block,
                                       struct dim3 *block_size, struct dim3 *grid_size,
                                       int *warp_size) {
    const struct symbol symbol = {.host = host, .name = name, .fatbin = (struct fatbin *)handle};
    (void)device, (void)limit, (void)thread, (void)block, (void)block_size, (void)grid_size;
    (void)warp_size;
    add(&symbol);
}

WSIMRT_API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                                  int external, size_t bytes, int constant, int global) {
    const struct symbol symbol = {.host = host,
                                  .name = name,
                                  .fatbin = (struct fatbin *)handle,
                                  .bytes = bytes,
                                  .variable = 1};
    (void)device, (void)external, (void)constant, (void)global;
    add(&symbol);
}

WSIMRT_API void __cudaRegisterManagedVar(void **handle, void **pointer, char *device,
                                         const char *name, int external, size_t bytes, int constant,
                                         int global) {
    const struct symbol symbol = {.host = pointer,
                                  .name = name,
                                  .fatbin = (struct fatbin *)handle,
                                  .managed = pointer,
                                  .bytes = bytes,
                                  .variable = 1};
    (void)device, (void)external, (void)constant, (void)global;
    add(&symbol);
}

WSIMRT_API void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes) {
    (void)handle, (void)name, (void)host, (void)bytes;
}

WSIMRT_API void __cudaRegisterUnifiedTable(void **handle, void *table) {
    (void)handle, (void)table;
}

/* --- loading --- */

static int load_units(struct fatbin *fatbin, const struct wsimrt_load *load) {
    const void *const *units = fatbin->wrapper->units;
    struct wsimrt_image *images;
    size_t n = 0;
    int error;
    while (units[n])
        n++;
    images = calloc(n ? n : 1, sizeof *images);
    for (size_t i = 0; images && i < n; i++)
        images[i].bytes = units[i];
    error = images ? wsimrt_module_load(images, n, load, &fatbin->module) : WSIMRT_OUT_OF_MEMORY;
    free(images);
    return error;
}

static int load(struct fatbin *fatbin) {
    const struct wrapper *wrapper = fatbin->wrapper;
    const int linked = wrapper && wrapper->version >= 2 && wrapper->units;
    const struct wsimrt_load how = {.is_library = 1, .linked = linked ? wrapper->image : NULL};
    const struct wsimrt_image image = {wrapper, 0};
    if (fatbin->tried)
        return fatbin->error;
    fatbin->tried = 1;
    if (!wrapper || wrapper->magic != WRAPPER_MAGIC)
        fatbin->error = WSIMRT_INVALID_IMAGE;
    else if (linked)
        fatbin->error = load_units(fatbin, &how);
    else
        fatbin->error = wsimrt_module_load(&image, 1, &how, &fatbin->module);
    return fatbin->error;
}

/* Gives managed variables their memory, before kernels or the host use them. */
static void set_managed(void) {
    for (size_t i = 0; registry.managed && i < registry.room; i++) {
        struct symbol *symbol = &registry.slots[i];
        uint64_t address = 0;
        if (!symbol->host || !symbol->managed || symbol->known || !symbol->fatbin)
            continue;
        symbol->known = 1;
        registry.managed--;
        if (!load(symbol->fatbin) &&
            !wsimrt_module_symbol(symbol->fatbin->module, symbol->name, &address, NULL))
            *symbol->managed = (void *)(uintptr_t)address;
    }
}

/* nvcc's code calls it before the first use of a managed variable by the host. */
WSIMRT_API char __cudaInitModule(void **handle) {
    (void)handle;
    if (rt_need())
        return 0;
    pthread_mutex_lock(&registry.lock);
    set_managed();
    pthread_mutex_unlock(&registry.lock);
    return 1;
}

int rt_function(const void *host, struct wsimrt_function **function) {
    struct wsimrt_function_info info;
    struct symbol *symbol;
    int error = 0, known;
    pthread_mutex_lock(&registry.lock);
    set_managed();
    symbol = find(host);
    known = !host || symbol != NULL;
    if (!symbol || symbol->variable || !symbol->fatbin)
        error = RT_INVALID_FUNCTION;
    else if (!symbol->function && !(error = load(symbol->fatbin)))
        error = wsimrt_module_function(symbol->fatbin->module, symbol->name, &symbol->function);
    if (!error)
        *function = symbol->function;
    pthread_mutex_unlock(&registry.lock);
    if (error == WSIMRT_NOT_FOUND)
        error = RT_INVALID_FUNCTION;
    if (error != RT_INVALID_FUNCTION)
        return error;
    /* A handle of cudaGetKernel or of a library. */
    *function = (struct wsimrt_function *)(uintptr_t)host;
    if (!wsimrt_function_info(*function, &info))
        return 0;
    return known ? error : WSIMRT_INVALID_HANDLE;
}

void *rt_host_of(struct wsimrt_function *function) {
    void *host = function;
    pthread_mutex_lock(&registry.lock);
    for (size_t i = 0; i < registry.room; i++)
        if (registry.slots[i].host && registry.slots[i].function == function)
            host = (void *)(uintptr_t)registry.slots[i].host;
    pthread_mutex_unlock(&registry.lock);
    return host;
}

/* The program names a managed variable by the address of its memory. */
static struct symbol *find_managed(const void *address) {
    for (size_t i = 0; address && i < registry.room; i++)
        if (registry.slots[i].host && registry.slots[i].managed &&
            *registry.slots[i].managed == address)
            return &registry.slots[i];
    return NULL;
}

int rt_symbol(const void *host, uint64_t *address, uint64_t *bytes) {
    struct symbol *symbol;
    int error = RT_INVALID_SYMBOL;
    pthread_mutex_lock(&registry.lock);
    set_managed();
    symbol = find(host);
    symbol = symbol ? symbol : find_managed(host);
    if (symbol && symbol->variable && symbol->fatbin && !(error = load(symbol->fatbin)))
        error = wsimrt_module_symbol(symbol->fatbin->module, symbol->name, address, bytes);
    pthread_mutex_unlock(&registry.lock);
    return error == WSIMRT_NOT_FOUND ? RT_INVALID_SYMBOL : error;
}

/* --- symbols --- */

RT cudaGetSymbolAddress(void **address, const void *symbol) {
    uint64_t at = 0, bytes;
    int error = address ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : rt_symbol(symbol, &at, &bytes);
    if (!error)
        *address = (void *)(uintptr_t)at;
    return rt_note(error);
}

RT cudaGetSymbolSize(size_t *size, const void *symbol) {
    uint64_t at, bytes = 0;
    int error = size ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : rt_symbol(symbol, &at, &bytes);
    if (!error)
        *size = (size_t)bytes;
    return rt_note(error);
}

RT __cudaGetKernel(struct wsimrt_function **kernel, const void *host) {
    int error = kernel ? rt_need() : WSIMRT_INVALID_VALUE;
    return rt_note(error ? error : rt_function(host, kernel));
}

RT cudaGetKernel(struct wsimrt_function **kernel, const void *host) {
    struct wsimrt_function *found;
    int error = kernel ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : rt_function(host, &found);
    if (!error)
        *kernel = found;
    return rt_note(error == WSIMRT_INVALID_HANDLE ? RT_INVALID_FUNCTION : error);
}

RT cudaGetFuncBySymbol(struct wsimrt_function **kernel, const void *host) {
    struct wsimrt_function *unused;
    return cudaGetKernel(kernel ? kernel : &unused, host);
}

/* --- libraries --- */

int cuLibraryLoadData(struct wsimrt_module **, const void *, int *, void **, unsigned, int *,
                      void **, unsigned);

/* cudaJitOption has the numbers of CUjit_option. */
RT cudaLibraryLoadData(struct wsimrt_module **library, const void *image, int *options,
                       void **values, unsigned n, int *library_options, void **library_values,
                       unsigned n_library) {
    RT_CALL(cuLibraryLoadData(library, image, options, values, n, library_options, library_values,
                              n_library));
}

/* The bytes of a file with NUL at the end; NULL: it cannot be read. */
static char *read_file(const char *path) {
    struct stat status;
    char *bytes = NULL;
    size_t used = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        bytes = calloc(1, (size_t)status.st_size + 1);
    while (bytes && used < (size_t)status.st_size) {
        const ssize_t n = read(file, bytes + used, (size_t)status.st_size - used);
        if (n <= 0)
            break;
        used += (size_t)n;
    }
    close(file);
    return bytes;
}

RT cudaLibraryLoadFromFile(struct wsimrt_module **library, const char *path, int *options,
                           void **values, unsigned n, int *library_options, void **library_values,
                           unsigned n_library) {
    char *bytes = path ? read_file(path) : NULL;
    const int error = bytes ? cudaLibraryLoadData(library, bytes, options, values, n,
                                                  library_options, library_values, n_library)
                            : rt_note(path ? WSIMRT_FILE_NOT_FOUND : WSIMRT_INVALID_VALUE);
    free(bytes);
    return error;
}

RT cudaLibraryUnload(struct wsimrt_module *library) {
    return rt_note(wsimrt_module_unload(library));
}

RT cudaLibraryGetKernel(struct wsimrt_function **kernel, struct wsimrt_module *library,
                        const char *name) {
    RT_CALL(wsimrt_module_function(library, name, kernel));
}

RT cudaLibraryGetGlobal(void **address, size_t *bytes, struct wsimrt_module *library,
                        const char *name) {
    uint64_t at = 0, size = 0;
    int error = rt_need();
    error = error ? error : wsimrt_module_symbol(library, name, &at, &size);
    if (!error && address)
        *address = (void *)(uintptr_t)at;
    if (!error && bytes)
        *bytes = (size_t)size;
    return rt_note(error);
}

RT cudaLibraryGetManaged(void **address, size_t *bytes, struct wsimrt_module *library,
                         const char *name) {
    struct wsimrt_range range;
    uint64_t at = 0, size = 0;
    int error = rt_need();
    error = error ? error : wsimrt_module_symbol(library, name, &at, &size);
    if (!error && (wsimrt_memory_of(at, &range) || range.kind != WSIMRT_MANAGED))
        error = WSIMRT_NOT_FOUND;
    if (!error && address)
        *address = (void *)(uintptr_t)at;
    if (!error && bytes)
        *bytes = (size_t)size;
    return rt_note(error);
}

/* No variable of nvcc 13 is a unified function. */
RT cudaLibraryGetUnifiedFunction(void **address, struct wsimrt_module *library, const char *name) {
    (void)address, (void)library, (void)name;
    return rt_note(WSIMRT_INVALID_VALUE);
}

RT cudaLibraryGetKernelCount(unsigned *count, struct wsimrt_module *library) {
    size_t n = 0;
    int error = count ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_module_count(library, &n);
    if (!error)
        *count = (unsigned)n;
    return rt_note(error);
}

RT cudaLibraryEnumerateKernels(struct wsimrt_function **kernels, unsigned most,
                               struct wsimrt_module *library) {
    size_t n = 0;
    int error = kernels ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_module_count(library, &n);
    for (size_t i = 0; !error && i < n && i < most; i++)
        error = wsimrt_module_function_at(library, i, &kernels[i]);
    return rt_note(error);
}
