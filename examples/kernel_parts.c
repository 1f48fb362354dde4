/* Common functions of the examples with whole kernels. */
#include "kernel_parts.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_text(const char *path, size_t *size) {
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST);
    if (!file || !text) {
        perror(path);
        exit(2);
    }
    *size = fread(text, 1, MOST, file);
    fclose(file);
    return text;
}

struct parts parts_open(const char *name, const char *arch) {
    char path[1024], *text;
    struct parts parts;
    struct wsim_diag diag;
    size_t size;
    snprintf(path, sizeof path, "%s/kernels/%s.ptx", EXAMPLES, name);
    text = read_text(path, &size);
    must(wsim_module_load(text, size, 0, &parts.module, &diag), &diag);
    must(wsim_device_make(wsim_arch_find(arch), &parts.device, &diag), &diag);
    free(text);
    return parts;
}

void parts_close(struct parts *parts) {
    wsim_device_free(parts->device);
    wsim_module_free(parts->module);
}

uint64_t parts_buffer(struct parts *parts, const char *name, const void *from, uint64_t bytes) {
    void *zeros = from ? NULL : calloc(1, (size_t)bytes);
    struct wsim_diag diag;
    uint64_t address;
    must(wsim_device_alloc(parts->device, name, bytes, 0, &address, &diag), &diag);
    must(wsim_device_write(parts->device, address, from ? from : zeros, bytes, &diag), &diag);
    free(zeros);
    return address;
}

void parts_read(struct parts *parts, uint64_t address, void *to, uint64_t bytes) {
    struct wsim_diag diag;
    must(wsim_device_read(parts->device, address, to, bytes, &diag), &diag);
}

struct wsim_tensor_map parts_map(enum wsim_tensor_type type, uint64_t base, unsigned rows,
                                 unsigned cols, unsigned pitch, enum wsim_swizzle swizzle,
                                 unsigned box_rows, unsigned box_cols) {
    struct wsim_tensor tensor = {.dtype = type,
                                 .swizzle = swizzle,
                                 .rank = 2,
                                 .base = base,
                                 .dims = {cols, rows},
                                 .strides = {pitch},
                                 .estrides = {1, 1},
                                 .box = {box_cols, box_rows}};
    struct wsim_tensor_map map;
    struct wsim_diag diag;
    must(wsim_tensor_encode(&tensor, wsim_arch_find("sm_90a"), &map, &diag), &diag);
    return map;
}

struct wsim_totals parts_run(struct parts *parts, const char *kernel, unsigned x, unsigned y,
                             unsigned threads, const void *params, uint32_t bytes) {
    struct wsim_launch launch = {.name = kernel,
                                 .grid = {x, y},
                                 .block = {threads},
                                 .params = params,
                                 .param_bytes = bytes,
                                 .checks = WSIM_CHECK_ALL,
                                 .count = 1};
    struct wsim_report *report;
    struct wsim_finding finding;
    struct wsim_totals totals = {0};
    struct wsim_diag diag;
    enum wsim_status status =
        wsim_launch_run(parts->device, parts->module, &launch, &report, &diag);
    if (report)
        wsim_report_totals(report, &totals);
    for (size_t i = 0; report && wsim_report_finding(report, i, &finding); i++)
        printf("%s: %s:%u: %s\n", kernel, finding.file, finding.line, finding.text);
    must(status, &diag);
    wsim_report_free(report);
    return totals;
}
