/* Compilers at run time return machine code by default. Here they return PTX, which modules load as
 * well.
 *
 * NVRTC makes both: functions that return machine code jump to those that return PTX.
 *
 * nvJitLink: the driver links PTX (cuLink*). The genuine library links LTO IR, to PTX. It has each
 * function by two names. The plain name jumps here. The name with a version works as before. */
#include "compiler.h"
#include "cudart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- linking --- */

/* nvJitLinkResult and nvJitLinkInputType. */
enum { LINK_OK, LINK_INVALID_INPUT = 3, LINK_PTX_COMPILE = 4, LINK_INTERNAL = 6 };
enum { INPUT_CUBIN = 1, INPUT_PTX = 2, INPUT_ANY = 10 };
/* CUjitInputType and CUjit_option of the driver. */
enum {
    DRIVER_PTX = 1,
    DRIVER_LIBRARY = 4,
    JIT_REGISTERS = 0,
    JIT_ERROR_LOG = 5,
    JIT_ERROR_BYTES = 6
};
enum { LOG_BYTES = 8192, MOST_OPTIONS = 128 };

RT cuInit(unsigned flags);
RT cuLinkCreate_v2(unsigned n, int *options, void **values, void **state);
RT cuLinkAddData_v2(void *state, int type, const void *data, size_t size, const char *name,
                    unsigned n, int *options, void **values);
RT cuLinkAddFile_v2(void *state, int type, const char *path, unsigned n, int *options,
                    void **values);
RT cuLinkComplete(void *state, void **image, size_t *size);
RT cuLinkDestroy(void *state);

/* A handle. The driver links PTX. With the option -lto, the genuine library makes PTX of LTO IR
 * first. */
struct link {
    void *genuine, *driver;
    int has_ir; /* the genuine library has inputs */
    const void *image;
    size_t bytes;
    char log[LOG_BYTES];
};

enum genuine {
    CREATE,
    DESTROY,
    ADD_DATA,
    ADD_FILE,
    COMPLETE,
    PTX_SIZE,
    PTX,
    ERROR_SIZE,
    ERROR_TEXT
};
static const char *const genuine_names[COMPILER_GENUINE] = {
    "__nvJitLinkCreate_",       "__nvJitLinkDestroy_",         "__nvJitLinkAddData_",
    "__nvJitLinkAddFile_",      "__nvJitLinkComplete_",        "__nvJitLinkGetLinkedPtxSize_",
    "__nvJitLinkGetLinkedPtx_", "__nvJitLinkGetErrorLogSize_", "__nvJitLinkGetErrorLog_",
};
static any_function *genuine[COMPILER_GENUINE];

const char *compiler_genuine_name(size_t i) {
    return genuine_names[i];
}

void compiler_set_genuine(size_t i, any_function *function) {
    genuine[i] = function;
}

typedef int create(void **handle, uint32_t n, const char **options);
typedef int with_handle(void *handle);
typedef int add_data(void *handle, int type, const void *data, size_t size, const char *name);
typedef int add_file(void *handle, int type, const char *path);
typedef int get_size(void *handle, size_t *size);
typedef int get_text(void *handle, char *text);
typedef int pointer_to_handle(void **handle);

#define GENUINE(type, which) ((type *)(void (*)(void))genuine[which])

static int has_option(uint32_t n, const char **options, const char *option) {
    for (uint32_t i = 0; i < n; i++)
        if (options[i] && strcmp(options[i], option) == 0)
            return 1;
    return 0;
}

/* Links LTO IR, to PTX. */
static int create_genuine(struct link *link, uint32_t n, const char **options) {
    const char *all[MOST_OPTIONS];
    uint32_t total = n;
    if (n + 1 > MOST_OPTIONS || !genuine[CREATE])
        return LINK_INTERNAL;
    memcpy(all, options, n * sizeof *options);
    if (!has_option(n, options, "-ptx"))
        all[total++] = "-ptx";
    return GENUINE(create, CREATE)(&link->genuine, total, all);
}

/* The number of -maxrregcount=N; 0: none. */
static unsigned long registers_of(uint32_t n, const char **options) {
    static const char name[] = "-maxrregcount=";
    unsigned long most = 0;
    for (uint32_t i = 0; i < n; i++)
        if (options[i] && strncmp(options[i], name, sizeof name - 1) == 0)
            most = strtoul(options[i] + sizeof name - 1, NULL, 10);
    return most;
}

static int create_driver(struct link *link, unsigned long registers) {
    int options[3] = {JIT_ERROR_LOG, JIT_ERROR_BYTES, JIT_REGISTERS};
    void *values[3] = {link->log, (void *)(uintptr_t)LOG_BYTES, (void *)(uintptr_t)registers};
    return cuInit(0) || cuLinkCreate_v2(registers ? 3 : 2, options, values, &link->driver)
               ? LINK_INTERNAL
               : LINK_OK;
}

static int link_destroy(struct link **handle) {
    struct link *link = handle ? *handle : NULL;
    if (!link)
        return LINK_INVALID_INPUT;
    if (link->genuine)
        GENUINE(pointer_to_handle, DESTROY)(&link->genuine);
    if (link->driver)
        cuLinkDestroy(link->driver);
    free(link);
    *handle = NULL;
    return LINK_OK;
}

static int link_create(struct link **handle, uint32_t n, const char **options) {
    struct link *link;
    int error;
    if (!handle || (n && !options))
        return LINK_INVALID_INPUT;
    link = calloc(1, sizeof *link);
    error = link ? create_driver(link, registers_of(n, options)) : LINK_INTERNAL;
    if (!error && has_option(n, options, "-lto"))
        error = create_genuine(link, n, options);
    if (error)
        link_destroy(&link);
    else
        *handle = link;
    return error;
}

/* Keeps the log of the genuine library. */
static int genuine_error(struct link *link, int error) {
    size_t size = 0;
    if (error && !GENUINE(get_size, ERROR_SIZE)(link->genuine, &size) && size < LOG_BYTES)
        GENUINE(get_text, ERROR_TEXT)(link->genuine, link->log);
    return error;
}

/* An input that cannot be linked: what to do is in the log. */
static int refuse_input(struct link *link, const char *name) {
    snprintf(link->log, LOG_BYTES, "%s is no PTX: wsim links PTX, and LTO IR with the option -lto",
             name ? name : "an input");
    return LINK_INVALID_INPUT;
}

static int is_text(const void *data, size_t size) {
    const unsigned char *bytes = data;
    return data && size && bytes[0] < 0x7F;
}

static int link_add_data(struct link *link, int type, const void *data, size_t size,
                         const char *name) {
    if (!link || !data)
        return LINK_INVALID_INPUT;
    if (type == INPUT_PTX || ((type == INPUT_ANY || type == INPUT_CUBIN) && is_text(data, size)))
        return cuLinkAddData_v2(link->driver, DRIVER_PTX, data, size, name, 0, NULL, NULL)
                   ? LINK_INVALID_INPUT
                   : LINK_OK;
    if (!cuLinkAddData_v2(link->driver, DRIVER_LIBRARY, data, size, name, 0, NULL, NULL))
        return LINK_OK; /* the device runtime */
    if (!link->genuine)
        return refuse_input(link, name);
    link->has_ir = 1;
    return genuine_error(link, GENUINE(add_data, ADD_DATA)(link->genuine, type, data, size, name));
}

static int link_add_file(struct link *link, int type, const char *path) {
    if (!link || !path)
        return LINK_INVALID_INPUT;
    if (type == INPUT_PTX)
        return cuLinkAddFile_v2(link->driver, DRIVER_PTX, path, 0, NULL, NULL) ? LINK_INVALID_INPUT
                                                                               : LINK_OK;
    if (!cuLinkAddFile_v2(link->driver, DRIVER_LIBRARY, path, 0, NULL, NULL))
        return LINK_OK; /* the device runtime */
    if (!link->genuine)
        return refuse_input(link, path);
    link->has_ir = 1;
    return genuine_error(link, GENUINE(add_file, ADD_FILE)(link->genuine, type, path));
}

/* Makes PTX of the LTO IR, which is one more input. */
static int complete_genuine(struct link *link) {
    size_t size = 0;
    char *text = NULL;
    int error = genuine_error(link, GENUINE(with_handle, COMPLETE)(link->genuine));
    error = error ? error : GENUINE(get_size, PTX_SIZE)(link->genuine, &size);
    if (!error && !(text = malloc(size + 1)))
        error = LINK_INTERNAL;
    error = error ? error : GENUINE(get_text, PTX)(link->genuine, text);
    if (!error && cuLinkAddData_v2(link->driver, DRIVER_PTX, text, size, "LTO", 0, NULL, NULL))
        error = LINK_INTERNAL;
    free(text);
    return error;
}

static int link_complete(struct link *link) {
    void *image = NULL;
    int error;
    if (!link)
        return LINK_INVALID_INPUT;
    error = link->has_ir ? complete_genuine(link) : LINK_OK;
    if (!error && cuLinkComplete(link->driver, &image, &link->bytes))
        error = LINK_PTX_COMPILE;
    link->image = image;
    return error;
}

static int link_size(struct link *link, size_t *size) {
    if (!link || !size || !link->image)
        return LINK_INVALID_INPUT;
    *size = link->bytes;
    return LINK_OK;
}

static int link_code(struct link *link, char *code) {
    if (!link || !code || !link->image)
        return LINK_INVALID_INPUT;
    memcpy(code, link->image, link->bytes);
    return LINK_OK;
}

static int error_size(struct link *link, size_t *size) {
    if (!link || !size)
        return LINK_INVALID_INPUT;
    *size = strlen(link->log) + 1;
    return LINK_OK;
}

static int error_text(struct link *link, char *text) {
    if (!link || !text)
        return LINK_INVALID_INPUT;
    memcpy(text, link->log, strlen(link->log) + 1);
    return LINK_OK;
}

/* There is never information. */
static int info_size(struct link *link, size_t *size) {
    if (!link || !size)
        return LINK_INVALID_INPUT;
    *size = 1;
    return LINK_OK;
}

static int info_text(struct link *link, char *text) {
    if (!link || !text)
        return LINK_INVALID_INPUT;
    *text = '\0';
    return LINK_OK;
}

/* --- the names --- */

#define OURS(function) (any_function *)(function), NULL
static const struct name compilers[] = {
    {"nvrtcGetCUBIN", NULL, "nvrtcGetPTX"},       {"nvrtcGetCUBINSize", NULL, "nvrtcGetPTXSize"},
    {"nvJitLinkCreate", OURS(link_create)},       {"nvJitLinkDestroy", OURS(link_destroy)},
    {"nvJitLinkAddData", OURS(link_add_data)},    {"nvJitLinkAddFile", OURS(link_add_file)},
    {"nvJitLinkComplete", OURS(link_complete)},   {"nvJitLinkGetLinkedCubinSize", OURS(link_size)},
    {"nvJitLinkGetLinkedCubin", OURS(link_code)}, {"nvJitLinkGetLinkedPtxSize", OURS(link_size)},
    {"nvJitLinkGetLinkedPtx", OURS(link_code)},   {"nvJitLinkGetErrorLogSize", OURS(error_size)},
    {"nvJitLinkGetErrorLog", OURS(error_text)},   {"nvJitLinkGetInfoLogSize", OURS(info_size)},
    {"nvJitLinkGetInfoLog", OURS(info_text)},
};

const struct name *compiler_find(const char *text) {
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
        if (strcmp(compilers[i].name, text) == 0)
            return &compilers[i];
    return NULL;
}
