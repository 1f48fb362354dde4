/* A file of PTX as text and as JSON; see print.h. */
#include "print.h"

#include "../common/text.h"

#include <string.h>

static const char *times(unsigned long n, char out[32]) {
    snprintf(out, 32, n == 1 ? "once" : "%lu times", n);
    return out;
}

static const char *plural(unsigned long n) {
    return n == 1 ? "" : "s";
}

/* "PTX 9.0 for sm_90a", or what there is of it. */
static const char *version_of(const struct wsim_module_info *info, char out[96]) {
    int n = snprintf(out, 96, "PTX");
    if (info->version)
        n += snprintf(out + n, 96 - (size_t)n, " %u.%u", info->version / 10, info->version % 10);
    if (*info->target)
        snprintf(out + n, 96 - (size_t)n, " for %.60s", info->target);
    return out;
}

/* --- text --- */

static void print_extents(const char *what, const uint32_t extent[3]) {
    if (extent[0])
        printf(", %s %ux%ux%u", what, (unsigned)extent[0], (unsigned)extent[1],
               (unsigned)extent[2]);
}

static void print_kernel(const struct wsim_kernel *handle) {
    struct wsim_kernel_info info, *kernel = &info;
    struct wsim_kernel_param param;
    wsim_kernel_describe(handle, &info);
    printf("  %s: %lu instruction%s, %lu registers, shared %lu%s, local %lu, const %lu bytes",
           kernel->name, (unsigned long)kernel->instructions, plural(kernel->instructions),
           (unsigned long)kernel->registers, (unsigned long)kernel->shared,
           kernel->dynamic_shared ? " and what a launch gives" : "", (unsigned long)kernel->local,
           (unsigned long)kernel->constant);
    print_extents("reqntid", kernel->reqntid);
    print_extents("maxntid", kernel->maxntid);
    print_extents("cluster", kernel->cluster);
    printf(kernel->problems ? "; not modelled\n" : "\n");
    for (size_t i = 0; wsim_kernel_param_at(handle, i, &param); i++)
        printf("    %4lu  %s %s%s, %lu byte%s\n", (unsigned long)param.offset, param.type,
               param.name, param.pointer ? " (pointer)" : "", (unsigned long)param.bytes,
               plural(param.bytes));
}

static void print_problem(const char *name, const struct wsim_problem *problem) {
    char count[32];
    int unmodelled = problem->status == WSIM_UNMODELLED;
    printf("%s:%lu:%lu: %s: %s (%s%s%s) [%s]\n",
           text_path(problem->file ? problem->file : name).text, (unsigned long)problem->line,
           (unsigned long)problem->col, unmodelled ? "not modelled" : "wrong", problem->text,
           times(problem->count, count), problem->kernel ? " in " : "",
           problem->kernel ? problem->kernel : "", problem->rule);
}

static void print_text(const struct print *print, const char *name,
                       const struct wsim_module *module, int status) {
    struct wsim_module_info info;
    const struct wsim_kernel *kernel;
    struct wsim_problem problem;
    char version[96];
    wsim_module_describe(module, &info);
    if (!print->quiet)
        printf("%s: %s, %lu line%s, %lu instruction%s, %lu kernel%s: %s\n", text_path(name).text,
               version_of(&info, version), (unsigned long)info.lines, plural(info.lines),
               (unsigned long)info.instructions, plural(info.instructions),
               (unsigned long)info.kernels, plural(info.kernels),
               status == TOOL_FINE         ? "all modelled"
               : status == TOOL_UNMODELLED ? "not all modelled"
                                           : "not PTX");
    for (size_t i = 0; !print->quiet && (kernel = wsim_module_kernel(module, i)) != NULL; i++)
        print_kernel(kernel);
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++)
        print_problem(name, &problem);
}

/* --- JSON --- */

static json_t *json_extents(const uint32_t extent[3]) {
    if (!extent[0])
        return json_null();
    return json_pack("[i,i,i]", (int)extent[0], (int)extent[1], (int)extent[2]);
}

static json_t *json_params(const struct wsim_kernel *kernel) {
    json_t *list = json_array();
    struct wsim_kernel_param param;
    for (size_t i = 0; wsim_kernel_param_at(kernel, i, &param); i++)
        json_array_append_new(list, json_pack("{s:o,s:s,s:I,s:I,s:I,s:b}", "name",
                                              tool_json_text(param.name), "type", param.type,
                                              "bytes", (json_int_t)param.bytes, "align",
                                              (json_int_t)param.align, "offset",
                                              (json_int_t)param.offset, "pointer", param.pointer));
    return list;
}

static json_t *json_kernel(const struct wsim_kernel *handle) {
    struct wsim_kernel_info info, *kernel = &info;
    wsim_kernel_describe(handle, &info);
    json_t *root = json_pack(
        "{s:o,s:I,s:b,s:I,s:I,s:I,s:b,s:I,s:I,s:I,s:I}", "name", tool_json_text(kernel->name),
        "line", (json_int_t)kernel->line, "modelled", kernel->problems == 0, "instructions",
        (json_int_t)kernel->instructions, "registers", (json_int_t)kernel->registers, "shared",
        (json_int_t)kernel->shared, "dynamic_shared", kernel->dynamic_shared, "local",
        (json_int_t)kernel->local, "const", (json_int_t)kernel->constant, "contractible",
        (json_int_t)kernel->contractible, "parameter_bytes", (json_int_t)kernel->param_bytes);
    json_object_set_new(root, "reqntid", json_extents(kernel->reqntid));
    json_object_set_new(root, "maxntid", json_extents(kernel->maxntid));
    json_object_set_new(root, "cluster", json_extents(kernel->cluster));
    json_object_set_new(root, "parameters", json_params(handle));
    return root;
}

static json_t *json_problem(const struct wsim_problem *problem) {
    json_t *root = json_pack(
        "{s:s,s:s,s:o,s:I,s:I,s:I}", "status", wsim_status_name(problem->status), "rule",
        problem->rule, "text", tool_json_text(problem->text), "line", (json_int_t)problem->line,
        "column", (json_int_t)problem->col, "count", (json_int_t)problem->count);
    if (problem->file)
        json_object_set_new(root, "file", tool_json_text(problem->file));
    json_object_set_new(root, "kernel",
                        problem->kernel ? tool_json_text(problem->kernel) : json_null());
    return root;
}

static json_t *json_file(const struct print *print, const char *name,
                         const struct wsim_module *module, int status) {
    char version[16];
    struct wsim_module_info info;
    const struct wsim_kernel *kernel;
    struct wsim_problem problem;
    json_t *kernels = json_array(), *problems = json_array();
    wsim_module_describe(module, &info);
    for (size_t i = 0; !print->quiet && (kernel = wsim_module_kernel(module, i)) != NULL; i++)
        json_array_append_new(kernels, json_kernel(kernel));
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++)
        json_array_append_new(problems, json_problem(&problem));
    snprintf(version, sizeof version, "%u.%u", info.version / 10, info.version % 10);
    return json_pack(
        "{s:o,s:s,s:s,s:o,s:I,s:I,s:I,s:o,s:o}", "file", tool_json_text(name), "status",
        status == TOOL_FINE         ? "modelled"
        : status == TOOL_UNMODELLED ? "unmodelled"
                                    : "wrong",
        "version", version, "target", tool_json_text(info.target), "lines", (json_int_t)info.lines,
        "instructions", (json_int_t)info.instructions, "variables", (json_int_t)info.variables,
        "kernels", kernels, "problems", problems);
}

int print_module(const struct print *print, const char *name, const struct wsim_module *module,
                 enum wsim_status loaded) {
    struct wsim_problem problem;
    int status = loaded && loaded != WSIM_UNMODELLED        ? TOOL_USAGE
                 : wsim_module_problem(module, 0, &problem) ? TOOL_UNMODELLED
                                                            : TOOL_FINE;
    if (print->json)
        json_array_append_new(print->json, json_file(print, name, module, status));
    else
        print_text(print, name, module, status);
    return status;
}
