/* Launches on a device; see machine.h. */
#include "machine.h"
#include "kernel_name.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct place machine_place(const struct machine *machine, struct place steps[3], const char *list,
                           size_t index, const char *key) {
    steps[0] = place_root(&machine->launch->source);
    steps[1] = place_key(&steps[0], list);
    steps[2] = place_index(&steps[1], index);
    return key ? place_key(&steps[2], key) : steps[2];
}

static int refuse(const struct place *at, const struct wsim_diag *diag) {
    if (diag->status == WSIM_NO_MEMORY)
        memory_out();
    place_error(at, "%s", diag->text);
    return diag->status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

/* --- the module --- */

static int load(struct machine *machine) {
    const struct launch *launch = machine->launch;
    struct wsim_text *texts = memory_make(launch->nptx, sizeof *texts);
    struct wsim_diag diag = {0};
    enum wsim_status status;
    size_t wrong;
    for (size_t i = 0; i < launch->nptx; i++)
        texts[i] = (struct wsim_text){launch->ptx[i].name, (const char *)launch->ptx[i].file.bytes,
                                      (size_t)launch->ptx[i].file.size};
    status = wsim_module_link(texts, launch->nptx, machine->options->flags, &machine->module,
                              &wrong, &diag);
    free(texts);
    if (!status)
        return TOOL_GO;
    if (diag.status == WSIM_NO_MEMORY)
        memory_out();
    tool_error("%s:%lu:%lu: %s", text_path(launch->ptx[wrong].name).text, (unsigned long)diag.line,
               (unsigned long)diag.col, diag.text);
    return diag.status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

/* Lists everything without a model in all kernels. */
static int list_problems(const struct machine *machine) {
    struct wsim_problem problem;
    for (size_t i = 0; wsim_module_problem(machine->module, i, &problem); i++)
        tool_error("%s:%lu:%lu: %s (%lu time%s%s%s)",
                   text_path(problem.file ? problem.file : machine->launch->ptx[0].name).text,
                   (unsigned long)problem.line, (unsigned long)problem.col, problem.text,
                   (unsigned long)problem.count, problem.count == 1 ? "" : "s",
                   problem.kernel ? ", in " : "",
                   problem.kernel ? text_cut(problem.kernel).text : "");
    return TOOL_UNMODELLED;
}

/* Problems outside of functions concern all kernels. */
static int has_problems(const struct machine *machine) {
    struct wsim_problem problem;
    for (size_t i = 0; i < machine->launch->nlaunches; i++)
        if (machine->launches[i].kernel.problems)
            return 1;
    for (size_t i = 0; wsim_module_problem(machine->module, i, &problem); i++)
        if (!problem.kernel)
            return 1;
    return 0;
}

/* The number in "sm_90a"; 0 in other names. */
static unsigned long number_of(const char *target) {
    return strncmp(target, "sm_", 3) == 0 ? strtoul(target + 3, NULL, 10) : 0;
}

/* The architecture that the PTX is for or, for one older than all that are known, the first that
 * runs it as a driver would have it. */
static const struct wsim_arch *arch_of(const char *target) {
    const struct wsim_arch *arch = wsim_arch_find(target), *best = NULL;
    unsigned long wanted = number_of(target);
    for (size_t i = 0; !arch && wanted && wsim_arch_at(i); i++) {
        unsigned long number = number_of(wsim_arch_name(wsim_arch_at(i)));
        if (number >= wanted && (!best || number < number_of(wsim_arch_name(best))))
            best = wsim_arch_at(i);
    }
    return arch ? arch : best;
}

static int choose_arch(struct machine *machine) {
    struct wsim_module_info info;
    machine->arch = machine->launch->arch;
    if (machine->arch)
        return TOOL_GO;
    wsim_module_describe(machine->module, &info);
    machine->arch = info.target ? arch_of(info.target) : NULL;
    return machine->arch ? TOOL_GO
                         : tool_error("%s: unknown target '%s': name an architecture with "
                                      "arch",
                                      text_path(machine->launch->ptx[0].name).text,
                                      info.target ? text_cut(info.target).text : "");
}

/* --- arguments --- */

static int check_arg(const struct machine *machine, const struct place *args, size_t index,
                     const struct wsim_kernel_param *param, const struct launch_arg *arg) {
    struct place at = place_index(args, index);
    (void)machine;
    return arg->bytes == param->bytes
               ? TOOL_GO
               : place_error(&at, "the argument has %u byte%s, parameter %s (%s) has %u",
                             arg->bytes, arg->bytes == 1 ? "" : "s", text_cut(param->name).text,
                             param->type, param->bytes);
}

struct types {
    char text[96];
};

/* ": f32, u64 ..." of the parameters of a kernel, as many as there is room for. */
static struct types types_of(const struct wsim_kernel *kernel) {
    struct types types = {""};
    struct wsim_kernel_param param;
    size_t n = 0;
    for (size_t i = 0; wsim_kernel_param_at(kernel, i, &param); i++) {
        if (n + strlen(param.type) + sizeof ", , ..." > sizeof types.text) {
            snprintf(types.text + n, sizeof types.text - n, ", ...");
            break;
        }
        n += (size_t)snprintf(types.text + n, sizeof types.text - n, "%s%s", i ? ", " : ": ",
                              param.type);
    }
    return types;
}

static int check_args(struct machine *machine, size_t index) {
    const struct launch_one *one = &machine->launch->launches[index];
    const struct wsim_kernel *handle = machine->launches[index].handle;
    const struct wsim_kernel_info *kernel = &machine->launches[index].kernel;
    struct place steps[3], at = machine_place(machine, steps, "launches", index, "args");
    int status = TOOL_GO;
    if (one->nargs != kernel->params)
        return place_error(one->nargs ? &at : &steps[2],
                           "%zu argument%s for kernel %s, which has %zu parameter%s%s", one->nargs,
                           one->nargs == 1 ? "" : "s", text_cut(kernel->name).text, kernel->params,
                           kernel->params == 1 ? "" : "s", types_of(handle).text);
    for (size_t i = 0; i < one->nargs && status == TOOL_GO; i++) {
        struct wsim_kernel_param param;
        wsim_kernel_param_at(handle, i, &param);
        status = check_arg(machine, &at, i, &param, &one->args[i]);
    }
    return status;
}

static int find_kernel(struct machine *machine, size_t index) {
    const char *name = machine->launch->launches[index].kernel;
    struct place steps[3];
    struct place at = machine_place(machine, steps, "launches", index, name ? "kernel" : NULL);
    struct machine_launch *one = &machine->launches[index];
    int status = kernel_find(machine->module, name, machine->options->partial, &at, &one->handle);
    if (status == TOOL_GO)
        wsim_kernel_describe(one->handle, &one->kernel);
    return status;
}

int machine_open(struct machine *machine, const struct launch *launch,
                 const struct machine_options *options) {
    size_t n = launch->nlaunches;
    int status;
    *machine = (struct machine){.launch = launch, .options = options};
    machine->launches = memory_make(n, sizeof *machine->launches);
    machine->address = memory_make(launch->nbuffers, sizeof *machine->address);
    status = load(machine);
    for (size_t i = 0; i < n && status == TOOL_GO; i++)
        status = find_kernel(machine, i);
    if (status == TOOL_GO && has_problems(machine))
        status = list_problems(machine);
    if (status == TOOL_GO)
        status = choose_arch(machine);
    for (size_t i = 0; i < n && status == TOOL_GO; i++)
        status = check_args(machine, i);
    return status;
}

static void drop_launches(struct machine *machine) {
    for (size_t i = 0; i < machine->launch->nlaunches; i++) {
        free(machine->launches[i].params);
        wsim_report_free(machine->launches[i].report);
        machine->launches[i].params = NULL;
        machine->launches[i].report = NULL;
    }
    wsim_device_free(machine->device);
    machine->device = NULL;
    machine->ran = 0;
}

void machine_close(struct machine *machine) {
    drop_launches(machine);
    wsim_module_free(machine->module);
    free(machine->launches);
    free(machine->address);
}

/* --- memory --- */

/* Writes the bytes of a file, then those of a fill. */
static int write_bytes(struct machine *machine, const struct place *at, uint64_t address,
                       uint64_t bytes, const struct file_bytes *file, int fill) {
    uint8_t piece[1024];
    struct wsim_diag diag;
    memset(piece, fill < 0 ? 0 : fill, sizeof piece);
    if (file->size && wsim_device_write(machine->device, address, file->bytes, file->size, &diag))
        return refuse(at, &diag);
    for (uint64_t i = file->size; fill >= 0 && i < bytes; i += sizeof piece) {
        uint64_t n = bytes - i < sizeof piece ? bytes - i : sizeof piece;
        if (wsim_device_write(machine->device, address + i, piece, n, &diag))
            return refuse(at, &diag);
    }
    return TOOL_GO;
}

static int fill_buffer(struct machine *machine, size_t index) {
    const struct launch_buffer *buffer = &machine->launch->buffers[index];
    struct place root = place_root(&machine->launch->source), list = place_key(&root, "buffers");
    struct place at = place_key(&list, buffer->name);
    struct wsim_diag diag;
    if (wsim_device_alloc(machine->device, buffer->name, buffer->bytes, buffer->align,
                          &machine->address[index], &diag))
        return refuse(&at, &diag);
    return write_bytes(machine, &at, machine->address[index], buffer->bytes, &buffer->file,
                       buffer->fill);
}

int machine_symbol(struct machine *machine, const struct place *at, const char *name,
                   uint64_t *address, uint64_t *bytes) {
    struct wsim_diag diag;
    return wsim_device_symbol(machine->device, machine->module, name, address, bytes, &diag)
               ? refuse(at, &diag)
               : TOOL_GO;
}

static int fill_symbol(struct machine *machine, const struct launch_symbol *symbol) {
    struct place root = place_root(&machine->launch->source), list = place_key(&root, "symbols");
    struct place at = place_key(&list, symbol->name);
    uint64_t address, bytes;
    int status = machine_symbol(machine, &at, symbol->name, &address, &bytes);
    if (status != TOOL_GO)
        return status;
    if (symbol->bytes > bytes)
        return place_error(&at, "%llu bytes: the variable has %llu",
                           (unsigned long long)symbol->bytes, (unsigned long long)bytes);
    return write_bytes(machine, &at, address, symbol->bytes, &symbol->file, symbol->fill);
}

/* --- parameters --- */

static void put_address(uint8_t *to, uint64_t address) {
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(address >> 8 * i);
}

static int put_map(const struct machine *machine, const struct place *at,
                   const struct launch_patch *patch, uint64_t base, uint8_t *to) {
    struct wsim_tensor tensor = patch->tensor;
    struct wsim_tensor_map map;
    struct wsim_diag diag;
    tensor.base = base;
    if (wsim_tensor_encode(&tensor, machine->arch, &map, &diag))
        return refuse(at, &diag);
    memcpy(to, &map, sizeof map);
    return TOOL_GO;
}

static int put_arg(const struct machine *machine, const struct place *at,
                   const struct launch_arg *arg, uint8_t *to) {
    int status = TOOL_GO;
    memcpy(to, arg->value, arg->bytes);
    for (size_t i = 0; i < arg->npatches && status == TOOL_GO; i++) {
        const struct launch_patch *patch = &arg->patches[i];
        uint64_t address = machine->address[patch->buffer] + patch->offset;
        if (patch->is_map)
            status = put_map(machine, at, patch, address, to + patch->at);
        else
            put_address(to + patch->at, address);
    }
    return status;
}

static int put_args(struct machine *machine, size_t index) {
    struct machine_launch *one = &machine->launches[index];
    const struct launch_one *from = &machine->launch->launches[index];
    struct place steps[3], list = machine_place(machine, steps, "launches", index, "args");
    int status = TOOL_GO;
    one->params = memory_make(one->kernel.param_bytes, 1);
    for (size_t i = 0; i < from->nargs && status == TOOL_GO; i++) {
        struct place at = place_index(&list, i);
        struct wsim_kernel_param param;
        wsim_kernel_param_at(one->handle, i, &param);
        status = put_arg(machine, &at, &from->args[i], one->params + param.offset);
    }
    return status;
}

int machine_fill(struct machine *machine) {
    const struct launch *launch = machine->launch;
    struct place root = place_root(&launch->source);
    struct wsim_diag diag;
    int status = TOOL_GO;
    drop_launches(machine);
    if (wsim_device_make(machine->arch, &machine->device, &diag))
        return refuse(&root, &diag);
    if (machine->options->variables)
        wsim_device_limit_variables(machine->device, machine->options->variables);
    for (size_t i = 0; i < launch->nbuffers && status == TOOL_GO; i++)
        status = fill_buffer(machine, i);
    for (size_t i = 0; i < launch->nsymbols && status == TOOL_GO; i++)
        status = fill_symbol(machine, &launch->symbols[i]);
    for (size_t i = 0; i < launch->nlaunches && status == TOOL_GO; i++)
        status = put_args(machine, i);
    return status;
}

/* --- running --- */

void machine_describe(const struct machine *machine, size_t index, struct wsim_launch *out) {
    const struct launch_one *one = &machine->launch->launches[index];
    const struct machine_options *options = machine->options;
    *out = (struct wsim_launch){.kernel = machine->launches[index].handle,
                                .shared = one->shared,
                                .cooperative = one->cooperative != 0,
                                .params = machine->launches[index].params,
                                .param_bytes = machine->launches[index].kernel.param_bytes,
                                .checks = options->checks,
                                .count = 1,
                                .async = options->async,
                                .seed = options->seed,
                                .threads = options->threads,
                                .max_instructions = options->max_instructions,
                                .first = index == options->part ? options->first : 0,
                                .units = index == options->part ? options->units : 0};
    memcpy(out->grid, one->grid, sizeof out->grid);
    memcpy(out->block, one->block, sizeof out->block);
    memcpy(out->cluster, one->cluster, sizeof out->cluster);
}

int machine_check(struct machine *machine) {
    for (size_t i = 0; i < machine->launch->nlaunches; i++) {
        struct place steps[3], at = machine_place(machine, steps, "launches", i, NULL);
        struct wsim_launch launch;
        struct wsim_diag diag;
        machine_describe(machine, i, &launch);
        if (wsim_launch_check(machine->device, machine->module, &launch, &diag))
            return refuse(&at, &diag);
    }
    return TOOL_GO;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A line on a terminal, and the end of the time. */
struct progress {
    size_t index, launches;
    double shown, ends; /* seconds; ends: 0 for never */
    int shows, is_shown, late;
};

/* Shows progress; 1: the time is over. */
static int show(void *context, uint64_t done, uint64_t all) {
    struct progress *p = context;
    const double now = seconds();
    if (p->shows && now - p->shown >= 0.2) {
        p->shown = now;
        p->is_shown = 1;
        fprintf(stderr, "\rlaunch %zu of %zu: %llu of %llu blocks\033[K", p->index + 1, p->launches,
                (unsigned long long)done, (unsigned long long)all);
    }
    p->late = p->ends > 0 && now >= p->ends;
    return p->late;
}

/* Runs one launch. A launch that cannot begin is an error of the file; one that stops has a
 * finding. */
static int run_one(struct machine *machine, size_t index, int *stopped) {
    struct machine_launch *one = &machine->launches[index];
    struct place steps[3], at = machine_place(machine, steps, "launches", index, NULL);
    struct progress progress = {.index = index,
                                .launches = machine->launch->nlaunches,
                                .shown = seconds(),
                                .ends = machine->ends,
                                .shows = machine->options->progress};
    struct wsim_launch launch;
    struct wsim_diag diag = {0};
    enum wsim_status status;
    machine_describe(machine, index, &launch);
    launch.progress = progress.shows || progress.ends > 0 ? show : NULL;
    launch.context = &progress;
    status = wsim_launch_run(machine->device, machine->module, &launch, &one->report, &diag);
    if (progress.is_shown)
        fputs("\r\033[K", stderr);
    if (progress.late)
        tool_note("launches[%zu] stopped after --timeout %g", index, machine->options->timeout);
    if (status == WSIM_NO_MEMORY || (status && !one->report))
        return refuse(&at, &diag);
    wsim_report_totals(one->report, &one->totals);
    *stopped = status != WSIM_OK;
    if (*stopped && !one->totals.findings)
        return refuse(&at, &diag);
    return TOOL_GO;
}

int machine_run(struct machine *machine, size_t count) {
    int status = TOOL_GO;
    machine->stopped = 0;
    machine->ends = machine->options->timeout > 0 ? seconds() + machine->options->timeout : 0;
    while (machine->ran < count && status == TOOL_GO && !machine->stopped) {
        status = run_one(machine, machine->ran, &machine->stopped);
        machine->ran += status == TOOL_GO;
    }
    return status;
}

int machine_same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

uint8_t *machine_read(struct machine *machine, uint64_t address, uint64_t bytes) {
    uint8_t *out = memory_make((size_t)bytes, 1);
    if (bytes)
        wsim_device_read(machine->device, address, out, bytes, NULL);
    return out;
}
