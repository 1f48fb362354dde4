/* Launches that run; see machine.h. */
#include "machine.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Lists everything in all kernels that wsim does not run: TOOL_USAGE if it is not legal. */
static int list_problems(const struct machine *machine, const struct wsim_diag *diag) {
    const struct wsim_module *module = wsim_session_module(machine->session);
    struct wsim_problem problem;
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++)
        tool_error("%s:%lu:%lu: %s (%lu time%s%s%s)",
                   text_path(problem.file ? problem.file : machine->launch->ptx[0].name).text,
                   (unsigned long)problem.line, (unsigned long)problem.col, problem.text,
                   (unsigned long)problem.count, problem.count == 1 ? "" : "s",
                   problem.kernel ? ", in " : "",
                   problem.kernel ? text_cut(problem.kernel).text : "");
    return diag->status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_USAGE;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Shows progress on a terminal; 1: the time is over. */
static int show(void *context, size_t launch, uint64_t done, uint64_t all) {
    struct machine *m = context;
    const double now = seconds();
    if (m->options.progress && now - m->shown >= 0.2) {
        m->shown = now;
        m->is_shown = 1;
        fprintf(stderr, "\rlaunch %zu of %zu: %llu of %llu blocks\033[K", launch + 1,
                m->launch->nlaunches, (unsigned long long)done, (unsigned long long)all);
    }
    m->late = m->ends > 0 && now >= m->ends;
    return m->late;
}

/* Links the PTX once more, with its machine code. */
static int assemble(struct machine *machine, const char *assembler) {
    const struct wsim_arch *arch = wsim_session_arch(machine->session);
    struct wsim_session *session;
    struct wsim_diag diag;
    int status = TOOL_GO;
    if (!(machine->options.launch.flags & WSIM_MODULE_AS_WRITTEN))
        status = assembler_run(machine->opened, arch, assembler, &machine->assembly);
    if (status != TOOL_GO || !machine->assembly)
        return status;
    machine->options.launch.machine = wsim_assembly_machine(machine->assembly);
    if (wsim_session_make(machine->opened->file, &machine->options.launch, &session, NULL, &diag))
        return tool_refused(NULL, &diag);
    wsim_session_free(machine->session);
    machine->session = session;
    return TOOL_GO;
}

/* The kernel of the only launch, if its name is the given one, or there is no other. */
static const struct wsim_kernel *kernel_of(const struct wsim_module *module, const char *name) {
    const struct wsim_kernel *found = NULL, *kernel;
    struct wsim_kernel_info info;
    for (size_t i = 0; (kernel = wsim_module_kernel(module, i)); i++) {
        wsim_kernel_describe(kernel, &info);
        if (name && !strstr(info.name, name))
            continue;
        if (found)
            return NULL;
        found = kernel;
    }
    return found;
}

/* Options that fit the parameters of a kernel, to be pasted and changed. */
static void note_arguments(const struct wsim_kernel *kernel) {
    char line[512] = "";
    struct wsim_kernel_param param;
    size_t n = 0;
    for (size_t i = 0; wsim_kernel_param_at(kernel, i, &param); i++) {
        char one[64];
        if (param.bytes == 8 && strcmp(param.type, "f64") != 0)
            snprintf(one, sizeof one, "'p%zu[4096]=0'", i);
        else if (param.bytes <= 8 && strcmp(param.type, "b8") != 0)
            snprintf(one, sizeof one, "%s:1", param.type);
        else if (param.bytes <= 16)
            snprintf(one, sizeof one, "'{\"hex\": \"%0*d\"}'", (int)(2 * param.bytes), 0);
        else
            return; /* a struct or a tensor map needs a launch file */
        if (n + strlen(one) + sizeof " --arg " > sizeof line)
            return;
        n += (size_t)snprintf(line + n, sizeof line - n, " --arg %s", one);
    }
    tool_note("for example:%s", line);
    if (strstr(line, "[4096]"))
        tool_note("a pointer takes a buffer: p0[4096]=0 has 4096 bytes, all 0, as 'float "
                  "p0[1024]=0'; a 64-bit number is "
                  "s64:1");
}

/* Shows how to give the arguments that the command line lacks. */
static void help_arguments(const struct machine *machine) {
    const struct wsim_launch_parts *parts = machine->launch;
    struct wsim_text *texts = memory_make(parts->nptx, sizeof *texts);
    struct wsim_module *module = NULL;
    const struct wsim_kernel *kernel;
    for (size_t i = 0; i < parts->nptx; i++)
        texts[i] = (struct wsim_text){parts->ptx[i].name, parts->ptx[i].bytes,
                                      (size_t)parts->ptx[i].size, NULL};
    if (!wsim_module_link(texts, parts->nptx, machine->options.launch.flags, &module, NULL, NULL)) {
        kernel = kernel_of(module, parts->launches[0].kernel);
        if (kernel)
            note_arguments(kernel);
        wsim_module_free(module);
    }
    free(texts);
}

static int refuse(const struct machine *machine, const char *ptx, const struct wsim_diag *diag) {
    const int status = opened_refuse(machine->opened, ptx, diag);
    if (!machine->opened->name && diag->rule && strcmp(diag->rule, "launch.params.size") == 0)
        help_arguments(machine);
    return status;
}

int machine_open(struct machine *machine, const struct opened *opened,
                 const struct machine_options *options) {
    const size_t n = opened->parts->nlaunches;
    struct wsim_diag diag;
    const char *ptx;
    int status;
    *machine = (struct machine){.opened = opened, .launch = opened->parts, .options = *options};
    machine->launches = memory_make(n, sizeof *machine->launches);
    if (options->progress || options->timeout > 0)
        machine->options.launch.progress = show;
    machine->options.launch.context = machine;
    if (wsim_session_make(opened->file, &machine->options.launch, &machine->session, &ptx, &diag))
        return machine->session ? list_problems(machine, &diag) : refuse(machine, ptx, &diag);
    status = assemble(machine, options->assembler);
    if (status != TOOL_GO)
        return status;
    for (size_t i = 0; i < n; i++) {
        struct wsim_launch launch;
        wsim_kernel_describe(wsim_session_kernel(machine->session, i),
                             &machine->launches[i].kernel);
        wsim_session_describe(machine->session, i, &launch);
        memcpy(machine->launches[i].block, launch.block, sizeof launch.block);
    }
    return TOOL_GO;
}

void machine_close(struct machine *machine) {
    wsim_session_free(machine->session);
    wsim_assembly_free(machine->assembly);
    free(machine->launches);
}

int machine_fill(struct machine *machine) {
    struct wsim_diag diag;
    machine->ran = 0;
    machine->stopped = 0;
    for (size_t i = 0; i < machine->launch->nlaunches; i++)
        machine->launches[i].report = NULL;
    return wsim_session_fill(machine->session, &diag) ? opened_refuse(machine->opened, NULL, &diag)
                                                      : TOOL_GO;
}

int machine_check(struct machine *machine) {
    struct wsim_diag diag;
    return wsim_session_check(machine->session, &diag) ? opened_refuse(machine->opened, NULL, &diag)
                                                       : TOOL_GO;
}

static int run_one(struct machine *machine) {
    struct machine_launch *one = &machine->launches[machine->ran];
    struct wsim_diag diag;
    enum wsim_status status;
    machine->shown = seconds();
    machine->is_shown = machine->late = 0;
    status = wsim_session_run(machine->session, &diag);
    if (machine->is_shown)
        fputs("\r\033[K", stderr);
    if (machine->late)
        tool_note("launches[%zu] stopped after --timeout %g", machine->ran,
                  machine->options.timeout);
    if (status)
        return opened_refuse(machine->opened, NULL, &diag);
    one->report = wsim_session_report(machine->session, machine->ran);
    wsim_report_totals(one->report, &one->totals);
    machine->ran = wsim_session_ran(machine->session);
    machine->stopped = wsim_session_stopped(machine->session);
    return TOOL_GO;
}

int machine_run(struct machine *machine, size_t count) {
    int status = TOOL_GO;
    machine->ends = machine->options.timeout > 0 ? seconds() + machine->options.timeout : 0;
    while (machine->ran < count && status == TOOL_GO && !machine->stopped)
        status = run_one(machine);
    return status;
}

int machine_same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

uint8_t *machine_read(const struct machine *machine, uint64_t address, uint64_t bytes) {
    uint8_t *out = memory_make((size_t)bytes, 1);
    if (bytes)
        wsim_device_read(wsim_session_device(machine->session), address, out, bytes, NULL);
    return out;
}
