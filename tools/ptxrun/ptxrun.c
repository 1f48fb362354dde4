/* ptx_run on top of wsim/kernel.h: modules that were parsed are kept by their text. */
#include "ptxrun.h"

#include <wsim/kernel.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096u
#define PARAMS 4096u /* bytes */

/* A text and its module; never freed, because no call marks the last launch. */
struct entry {
    struct entry *next;
    uint64_t hash;
    size_t length;
    char *text;
    struct wsim_module *module;
    const struct wsim_kernel *kernel;
    const char *name; /* of it */
};

static struct entry *buckets[BUCKETS];
static struct wsim_device *device; /* one launch at a time: `lock` */
static const struct wsim_arch *device_arch;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void complain(const char *what, const struct wsim_diag *diag) {
    fprintf(stderr, "wsim: %s: ", what);
    if (diag->line)
        fprintf(stderr, "%u:%u: ", (unsigned)diag->line, (unsigned)diag->col);
    fprintf(stderr, "%s\n", diag->text);
    if (getenv("WSIM_PTXRUN_ABORT"))
        abort();
}

static uint64_t hash_of(const char *text, size_t *length) {
    uint64_t hash = 0xCBF29CE484222325u;
    const char *at = text;
    for (; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001B3u;
    *length = (size_t)(at - text);
    return hash;
}

static struct entry *make(const char *source, uint64_t hash, size_t length) {
    struct entry *entry = calloc(1, sizeof *entry);
    const struct wsim_kernel *kernel;
    struct wsim_kernel_info info;
    struct wsim_problem problem;
    struct wsim_diag diag = {.text = "out of memory"};
    if (!entry || !(entry->text = malloc(length + 1)) ||
        wsim_module_load(source, length, WSIM_MODULE_LENIENT, &entry->module, &diag)) {
        complain("PTX", &diag);
    } else if (!(kernel = wsim_module_kernel(entry->module, 0))) {
        snprintf(diag.text, sizeof diag.text, "there is no kernel in it");
        complain("PTX", &diag);
        wsim_module_free(entry->module);
    } else {
        if (wsim_module_problem(entry->module, 0, &problem))
            fprintf(stderr, "wsim: %u:%u: %s\n", (unsigned)problem.line, (unsigned)problem.col,
                    problem.text);
        wsim_kernel_describe(kernel, &info);
        entry->kernel = kernel;
        entry->name = info.name;
        memcpy(entry->text, source, length + 1);
        entry->hash = hash;
        entry->length = length;
        entry->next = buckets[hash % BUCKETS];
        return buckets[hash % BUCKETS] = entry;
    }
    if (entry)
        free(entry->text);
    free(entry);
    return NULL;
}

static struct entry *find(const char *source) {
    size_t length;
    uint64_t hash = hash_of(source, &length);
    struct entry *entry = buckets[hash % BUCKETS];
    while (entry && (entry->hash != hash || entry->length != length ||
                     memcmp(entry->text, source, length) != 0))
        entry = entry->next;
    return entry ? entry : make(source, hash, length);
}

/* The architecture of the text; one older than all that are modelled is the oldest of these. */
static const struct wsim_arch *arch_of(const struct entry *entry) {
    const char *name = getenv("WSIM_PTXRUN_ARCH");
    const struct wsim_arch *arch;
    struct wsim_module_info info;
    wsim_module_describe(entry->module, &info);
    arch = wsim_arch_find(name ? name : info.target);
    return arch ? arch : wsim_arch_at(0);
}

static int open_device(const struct wsim_arch *arch, struct wsim_diag *diag) {
    if (device && arch == device_arch)
        return 1;
    wsim_device_free(device);
    device = NULL;
    device_arch = arch;
    return !wsim_device_make(arch, &device, diag) &&
           !wsim_device_adopt(device, "memory of the process", NULL, UINT64_MAX, diag);
}

/* The values of the parameters, each at its place. 0: they are not as many, or too long. */
static int pack(const struct entry *entry, int n_args, void *args[], uint8_t *params,
                uint32_t *bytes) {
    struct wsim_kernel_param param;
    int i = 0;
    *bytes = 0;
    for (; wsim_kernel_param_at(entry->kernel, (size_t)i, &param); i++) {
        uint64_t value;
        if (i >= n_args || param.bytes > sizeof value || param.offset + param.bytes > PARAMS)
            return 0;
        value = (uint64_t)(uintptr_t)args[i];
        for (uint32_t b = 0; b < param.bytes; b++)
            params[param.offset + b] = (uint8_t)(value >> 8 * b);
        *bytes = param.offset + param.bytes;
    }
    return i == n_args;
}

static void run(const struct entry *entry, struct wsim_launch *launch) {
    struct wsim_report *report = NULL;
    struct wsim_diag diag;
    size_t size;
    const char *text;
    if (!open_device(arch_of(entry), &diag) ||
        wsim_launch_run(device, entry->module, launch, &report, &diag))
        complain(entry->name, &diag);
    if (report && (text = wsim_report_output(report, &size)) != NULL)
        fwrite(text, 1, size, stdout);
    wsim_report_free(report);
}

WSIM_API void ptx_run(const char *source, int n_args, void *args[], int block_x, int block_y,
                      int block_z, int grid_x, int grid_y, int grid_z, int shared_bytes) {
    uint8_t params[PARAMS] = {0};
    struct wsim_launch launch = {
        .grid = {(uint32_t)grid_x, (uint32_t)grid_y, (uint32_t)grid_z},
        .block = {(uint32_t)block_x, (uint32_t)block_y, (uint32_t)block_z},
        .shared = (uint32_t)shared_bytes,
        .params = params,
    };
    struct entry *entry;
    pthread_mutex_lock(&lock);
    entry = find(source);
    if (entry) {
        launch.kernel = entry->kernel;
        if (pack(entry, n_args, args, params, &launch.param_bytes)) {
            run(entry, &launch);
        } else {
            struct wsim_diag diag = {.text = "its parameters are others, or not plain numbers"};
            complain(entry->name, &diag);
        }
    }
    pthread_mutex_unlock(&lock);
}
