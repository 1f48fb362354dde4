/* Modules and libraries, and the handles of their functions and variables. */
#define _GNU_SOURCE
#include "assembled.h"
#include "children.h"
#include "image.h"
#include "machine.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IMAGES = 65536 };

/* --- loading --- */

static void note(const struct wsimrt_load *load, const struct wsim_diag *diag) {
    if (!load || !load->log || !load->log_bytes || !*diag->text)
        return;
    if (diag->line)
        snprintf(load->log, load->log_bytes,
                 "ptxas application ptx input, line %u; error   : %s\n"
                 "ptxas fatal   : Ptx assembly aborted due to errors",
                 (unsigned)diag->line, diag->text);
    else
        snprintf(load->log, load->log_bytes, "%s", diag->text);
}

/* The text of PTX begins with .version, after comments. */
static int is_ptx(const struct wsim_text *text) {
    static const char word[] = ".version";
    for (size_t i = 0; i + sizeof word <= text->size; i++)
        if (memcmp(text->bytes + i, word, sizeof word - 1) == 0)
            return 1;
    return 0;
}

/* A text may have mistakes that the assembler refuses. The library, which may just not know an
 * instruction, refuses only the launch. */
static int has_mistake(const struct wsim_module *module, const struct wsimrt_load *load,
                       struct wsim_diag *diag) {
    static const char *const rules[] = {"ptx.opcode.name", "ptx.name.twice",
                                        "launch.function.unmodelled"};
    const size_t n = sizeof rules / sizeof rules[0] - (load && load->is_part);
    struct wsim_problem problem;
    for (size_t i = 0; wsim_module_problem(module, i, &problem); i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(problem.rule, rules[k]) == 0) {
                diag->line = problem.line;
                snprintf(diag->text, sizeof diag->text, "%s", problem.text);
                return 1;
            }
    return 0;
}

/* Whether the device runs code for a target: an older one, or its own if that has a letter. */
static int runs_target(const char *target) {
    const int number = (int)wsim_target_number(target), own = device_capability();
    const char letter = target[strlen(target) - 1];
    if (letter == 'a')
        return number == own;
    return letter == 'f' ? number <= own && number / 10 == own / 10 : number <= own;
}

/* The compiler of a driver refuses texts that the library reads. */
static int check_text(const struct wsim_module *module, const struct wsimrt_load *load,
                      struct wsim_diag *diag) {
    enum { MOST_VERSION = 99 };
    struct wsim_module_info info;
    wsim_module_describe(module, &info);
    *diag = (struct wsim_diag){.line = 1};
    if (info.version > MOST_VERSION) {
        snprintf(diag->text, sizeof diag->text, "PTX version %u.%u is not known",
                 info.version / 10u, info.version % 10u);
        return WSIMRT_UNSUPPORTED_PTX_VERSION;
    }
    if (info.target && !runs_target(info.target)) {
        snprintf(diag->text, sizeof diag->text,
                 "%s does not run .target %.40s; WSIM_ARCH chooses the architecture",
                 wsim_arch_name(core.settings.arch), info.target);
        return WSIMRT_INVALID_PTX;
    }
    return has_mistake(module, load, diag) ? WSIMRT_INVALID_PTX : 0;
}

static int link_texts(struct image_text *texts, size_t n, const struct wsimrt_load *load,
                      struct wsim_module **module) {
    struct wsim_text *list = calloc(n, sizeof *list);
    struct wsim_diag diag = {.line = 0};
    enum wsim_status status = WSIM_NO_MEMORY;
    struct assembled *assembled = NULL;
    size_t wrong = 0;
    int refused = 0;
    for (size_t i = 0; list && i < n; i++)
        list[i] = texts[i].text;
    if (list && n == 1) {
        assembled = assembled_ask(list->bytes, list->size, core.settings.arch);
        list->machine = assembled_machine(assembled);
    }
    if (list && list->machine)
        status = wsim_module_link(list, n, 0, module, &wrong, &diag);
    else if (list && n == 1)
        status = wsim_module_load(list->bytes, list->size, 0, module, &diag);
    else if (list)
        status = wsim_module_link(list, n, 0, module, &wrong, &diag);
    assembled_free(assembled);
    if (!status && !texts->owned)
        refused = check_text(*module, load, &diag);
    if (refused) {
        wsim_module_free(*module);
        *module = NULL;
    } else if (!status || status == WSIM_NO_MEMORY) {
        free(list);
        return status ? WSIMRT_OUT_OF_MEMORY : 0;
    }
    note(load, &diag);
    if (!load)
        report_lack("a module of the program", diag.text);
    if (!load || !load->log)
        wsimrt_say("a module does not load: line %u: %s", (unsigned)diag.line, diag.text);
    status = is_ptx(&list[wrong < n ? wrong : 0]) ? WSIM_SYNTAX : WSIM_OK;
    free(list);
    return refused ? refused : status ? WSIMRT_INVALID_PTX : WSIMRT_INVALID_IMAGE;
}

/* The device function that sets the condition of a graph: a handle is the address of the value. */
static const char condition_text[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)\n{\n"
    ".reg .b64 %a;\n.reg .b32 %v;\n"
    "ld.param.b64 %a, [handle];\nld.param.b32 %v, [value];\n"
    "st.volatile.global.b32 [%a], %v;\nret;\n}\n";

static int has_word(const struct wsim_text *text, const char *word) {
    return memmem(text->bytes, text->size, word, strlen(word)) != NULL;
}

static size_t add_text(struct image_text *texts, size_t n, const char *text, size_t size) {
    texts[n].text.bytes = text;
    texts[n].text.size = size;
    return n + 1;
}

/* Adds the functions of the device runtime that texts call. */
static size_t add_runtime(struct image_text *texts, size_t n, uint8_t *children) {
    int conditions = 0, grids = 0;
    *children = 0;
    for (size_t i = 0; i < n; i++) {
        conditions |= has_word(&texts[i].text, "cudaGraphSetConditional");
        grids |= has_word(&texts[i].text, "cudaCG");
        *children |= (uint8_t)(has_word(&texts[i].text, "__cudaCDP2") ||
                               has_word(&texts[i].text, "cudaGraphLaunch"));
    }
    n = conditions ? add_text(texts, n, condition_text, sizeof condition_text - 1) : n;
    n = grids ? add_text(texts, n, grid_text, grid_bytes) : n;
    return *children ? add_text(texts, n, children_text, children_bytes) : n;
}

/* Units of libraries may be for other targets alone; then only launches that need them fail. */
static int is_optional(const struct wsimrt_image *image, size_t n) {
    return n > 1 && image_has_text(image);
}

/* Keeps the lines at the end of a text that limit registers: of kernels, and the last one of all.
 */
static void read_limits(const struct wsim_text *text, struct wsimrt_module *module) {
    static const char line[] = WSIMRT_REGISTERS_LINE;
    enum { TAIL = sizeof line + 12 };
    const size_t n = text->size < TAIL ? text->size : TAIL;
    const char *from = memmem(text->bytes + text->size - n, n, line, sizeof line - 1);
    if (!from)
        return;
    module->most_registers = (unsigned)strtoul(from + sizeof line - 1, NULL, 10);
    from = memmem(text->bytes, text->size, line, sizeof line - 1);
    free(module->limits);
    module->limits = strndup(from, (size_t)(text->bytes + text->size - from));
}

/* The most registers of a kernel; 0: any. */
static unsigned limit_of(const struct wsimrt_module *module, const char *kernel) {
    static const char line[] = WSIMRT_REGISTERS_LINE;
    const char *at = module->limits;
    while (at && (at = strstr(at, line)) != NULL) {
        char *end;
        const unsigned long most = strtoul(at + sizeof line - 1, &end, 10);
        const size_t length = strcspn(end, "\n");
        if (length == strlen(kernel) + 1 && memcmp(end + 1, kernel, length - 1) == 0)
            return (unsigned)most;
        at = end;
    }
    return module->most_registers;
}

static int read_images(const struct wsimrt_image *images, size_t n, const struct wsimrt_load *load,
                       struct wsimrt_module *module) {
    struct image_text *texts = n && n <= MOST_IMAGES ? calloc(n + 3, sizeof *texts) : NULL;
    struct wsim_diag reason = {0};
    size_t read = 0;
    int error = texts ? 0 : WSIMRT_INVALID_VALUE, none = WSIMRT_NO_BINARY_FOR_GPU;
    for (size_t i = 0; !error && i < n; i++) {
        error = image_read(&images[i], core.settings.arch, &texts[read], &reason);
        if (!error && texts[read].empty && !module->lack)
            module->lack = strdup(reason.text);
        if (!error && !texts[read].owned)
            read_limits(&texts[read].text, module);
        read += !error;
        none = error ? none : 0;
        if (error == WSIMRT_NO_BINARY_FOR_GPU && is_optional(&images[i], n))
            error = 0;
    }
    error = error ? error : none;
    if (error)
        note(load, &reason);
    if (error == WSIMRT_NO_BINARY_FOR_GPU || error == WSIMRT_NOT_SUPPORTED) {
        report_lack("a module", reason.text);
        wsimrt_say("%s", reason.text);
    }
    if (!error) {
        const size_t all = add_runtime(texts, read, &module->children);
        error = link_texts(texts, all, load, &module->module);
    }
    for (size_t i = 0; i < read; i++)
        free(texts[i].owned);
    free(texts);
    return error;
}

int wsimrt_module_load(const struct wsimrt_image *images, size_t n, const struct wsimrt_load *load,
                       struct wsimrt_module **module) {
    struct wsimrt_context *context = NULL;
    const int library = load && load->is_library;
    int error = core_enter(library ? NULL : &context);
    struct wsimrt_module *made = NULL;
    if (!error && (!images || !module))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(made = calloc(1, sizeof *made)))
        error = WSIMRT_OUT_OF_MEMORY;
    if (!error && load && load->log && load->log_bytes)
        load->log[0] = '\0';
    if (!error && load && load->info && load->info_bytes)
        load->info[0] = '\0';
    if (!error && load)
        made->most_registers = load->registers;
    error = error ? error : read_images(images, n, load, made);
    if (load && load->is_lazy &&
        (error == WSIMRT_INVALID_PTX || error == WSIMRT_INVALID_IMAGE ||
         error == WSIMRT_UNSUPPORTED_PTX_VERSION)) {
        made->error = error;
        error = 0;
    }
    if (!error && !handle_add(made, HANDLE_MODULE)) {
        wsim_module_free(made->module);
        error = WSIMRT_OUT_OF_MEMORY;
    }
    if (error) {
        if (made) {
            free(made->lack);
            free(made->limits);
        }
        free(made);
        return core_leave(error);
    }
    made->context = context;
    made->uses = 1;
    for (size_t i = 0; i < n && !made->error; i++)
        image_machine(&images[i], core.settings.arch, &made->machine);
    if (load && load->linked)
        image_machine(&(struct wsimrt_image){load->linked, 0}, core.settings.arch, &made->machine);
    if (context) {
        made->next = context->modules;
        context->modules = made;
    }
    *module = made;
    return core_leave(0);
}

/* --- freeing --- */

/* Takes the handles of a module away. Launches that are queued still use it. */
static void retire(struct wsimrt_module *module) {
    for (struct wsimrt_function *at = module->functions; at; at = at->next)
        handle_remove(at);
    handle_remove(module);
    module_release(module);
}

void module_leave(struct wsimrt_context *context) {
    for (struct wsimrt_module *next; context->modules; context->modules = next) {
        next = context->modules->next;
        retire(context->modules);
    }
}

int wsimrt_module_unload(struct wsimrt_module *module) {
    int error = core_enter(NULL);
    if (!error && !handle_is(module, HANDLE_MODULE))
        error = WSIMRT_INVALID_HANDLE;
    if (!error) {
        struct wsimrt_module **at = module->context ? &module->context->modules : NULL;
        while (at && *at != module)
            at = &(*at)->next;
        if (at)
            *at = module->next;
        retire(module);
    }
    return core_leave(error);
}

int wsimrt_module_is_library(struct wsimrt_module *module) {
    int error = core_enter(NULL);
    const int is = !error && handle_is(module, HANDLE_MODULE) && !module->context;
    core_leave(0);
    return is;
}

/* --- functions --- */

static struct wsimrt_function *find_function(const struct wsimrt_module *module,
                                             const struct wsim_kernel *kernel) {
    struct wsimrt_function *at = module->functions;
    while (at && at->kernel != kernel)
        at = at->next;
    return at;
}

int module_kernel(struct wsimrt_module *module, const struct wsim_kernel *kernel,
                  struct wsimrt_function **function) {
    const int block = (int)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_SHARED);
    struct wsimrt_function *made = find_function(module, kernel);
    struct wsim_module_info info;
    const struct machine *machine;
    if (made) {
        *function = made;
        return 0;
    }
    made = calloc(1, sizeof *made);
    if (!made || !handle_add(made, HANDLE_FUNCTION)) {
        free(made);
        return WSIMRT_OUT_OF_MEMORY;
    }
    made->module = module;
    made->kernel = kernel;
    made->carveout = -1;
    wsim_kernel_describe(kernel, &made->info);
    wsim_module_describe(module->module, &info);
    made->ptx_version = info.target ? (int)wsim_target_number(info.target) : 0;
    made->dynamic_shared = (int)made->info.shared < block ? block - (int)made->info.shared : 0;
    made->wanted = (uint8_t)settings_wants(made->info.name);
    made->most_registers = limit_of(module, made->info.name);
    machine = machine_find(module->machine, made->info.name);
    if (machine) {
        made->registers = machine->registers;
        made->info.local = machine->frame;
    }
    made->next = module->functions;
    module->functions = made;
    *function = made;
    return 0;
}

/* Also a library whose image turned out wrong gives its error. */
static int check_module(const struct wsimrt_module *module) {
    return handle_is(module, HANDLE_MODULE) ? module->error : WSIMRT_INVALID_HANDLE;
}

int wsimrt_module_function(struct wsimrt_module *module, const char *name,
                           struct wsimrt_function **function) {
    int error = core_enter(NULL);
    const struct wsim_kernel *kernel = NULL;
    error = error ? error : check_module(module);
    if (!error && (!name || !function))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(kernel = wsim_module_find(module->module, name)))
        error = WSIMRT_NOT_FOUND;
    error = error ? error : module_kernel(module, kernel, function);
    return core_leave(error);
}

/* Source: an H200, 31 values with texts for sm_80 and sm_90a. `module` may be NULL: an H200 looks
 * at the target before the text. */
static int check_target(const struct wsim_module *module, unsigned target) {
    enum { OLD = 8, KEPLER = 30, MAXWELL = 50, SUFFIX = 16 };
    static const uint8_t early[] = {50, 52, 53, 60, 61, 62}; /* Maxwell and Pascal */
    static const char *const suffixes[] = {"", "a", "f"};
    const unsigned number = target & 0xFFFF, suffix = target >> SUFFIX;
    struct wsim_module_info info;
    char name[16];
    unsigned own;
    if (!suffix && (number < OLD || (number >= KEPLER && number < MAXWELL)))
        return WSIMRT_INVALID_IMAGE;
    if (suffix >= sizeof suffixes / sizeof suffixes[0])
        return WSIMRT_INVALID_VALUE;
    snprintf(name, sizeof name, "sm_%u%s", number, suffixes[suffix]);
    if (!wsim_arch_find(name) && (number > UINT8_MAX || !memchr(early, (int)number, sizeof early)))
        return WSIMRT_INVALID_VALUE;
    if (!module)
        return 0;
    wsim_module_describe(module, &info);
    own = wsim_target_number(info.target);
    if (own > number || (own < number && strpbrk(info.target, "af")))
        return WSIMRT_INVALID_PTX;
    return (int)number == device_capability() ? 0 : WSIMRT_INVALID_SOURCE;
}

int wsimrt_module_for(struct wsimrt_module *module, unsigned target) {
    int error = core_enter(NULL);
    error = error || !module ? error : check_module(module);
    error = error ? error : check_target(module ? module->module : NULL, target);
    return core_leave(error);
}

int wsimrt_module_count(struct wsimrt_module *module, size_t *count) {
    int error = core_enter(NULL);
    error = error ? error : check_module(module);
    if (!error && !count)
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : context_error();
    if (!error) {
        struct wsim_module_info info;
        wsim_module_describe(module->module, &info);
        *count = info.kernels;
    }
    return core_leave(error);
}

int wsimrt_module_function_at(struct wsimrt_module *module, size_t index,
                              struct wsimrt_function **function) {
    int error = core_enter(NULL);
    const struct wsim_kernel *kernel = NULL;
    error = error ? error : check_module(module);
    if (!error && (!function || !(kernel = wsim_module_kernel(module->module, index))))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : module_kernel(module, kernel, function);
    return core_leave(error);
}

int wsimrt_module_symbol(struct wsimrt_module *module, const char *name, uint64_t *address,
                         uint64_t *bytes) {
    struct wsimrt_context *context;
    int error = core_enter(NULL);
    struct wsim_diag diag;
    uint64_t at = 0, size = 0;
    int managed = 0;
    error = error ? error : check_module(module);
    if (!error && (!name || wsim_module_find(module->module, name))) /* a kernel has this name */
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : core_enter_with(NULL, &context);
    if (!error) {
        enum wsim_status status;
        managed = wsim_module_is_managed(module->module, name);
        status = wsim_device_symbol(module->context ? module->context->device : context->device,
                                    module->module, name, &at, &size, &diag);
        if (!status && managed && !module->context) /* it outlives all contexts, as on an H200 */
            status = wsim_device_symbol(core.root, module->module, name, &at, &size, &diag);
        error = status == WSIM_OPERAND ? WSIMRT_NOT_FOUND : core_error(status);
    }
    if (!error && size && managed)
        error = memory_managed(module->context, at, size);
    else if (!error && size)
        error = memory_variable(module->context ? module->context : context, at, size);
    if (!error && address)
        *address = at;
    if (!error && bytes)
        *bytes = size;
    return core_leave(error);
}
