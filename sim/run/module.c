/* Modules: reads text, decodes every kernel, and lists unmodelled code. */
#include "../state/module.h"
#include "../step/steps.h"

#include <stdlib.h>
#include <time.h>

#define MOST_TEXTS 65536

/* --- load --- */

/* When it was made, and where. Devices remember modules by it, as addresses are used again. */
static uint64_t make_stamp(const struct wsim_module *module) {
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) * 64 ^
           (uint64_t)(uintptr_t)module * 0x9E3779B97F4A7C15u;
}

static enum wsim_status no_memory(struct wsim_diag *diag) {
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
}

static enum wsim_status take_problems(struct wsim_module *module, struct wsim_diag *diag) {
    for (uint32_t i = 0; i < module->ptx.n_problems; i++) {
        const struct ptx_problem *problem = &module->ptx.problems[i];
        struct wsim_diag why = {.status = problem->status, .rule = problem->rule};
        enum wsim_status status;
        struct base_text text = {.at = why.text, .size = sizeof why.text};
        base_put(&text, "%s", problem->text);
        status = run_problem(module, &why, problem->function,
                             (struct run_place){problem->part, problem->line, problem->col},
                             problem->count, diag);
        if (status)
            return status;
    }
    return WSIM_OK;
}

/* Constant variables share one window. */
static void place_constants(struct wsim_module *module) {
    for (uint32_t i = 0; i < module->ptx.n_variables; i++) {
        const struct ptx_variable *variable = &module->ptx.variables[i];
        const uint64_t align = variable->align ? variable->align : 1; /* as on an H200 */
        if (!run_has_memory(variable))
            continue;
        module->variables++;
        if (variable->space != PTX_CONST)
            continue;
        module->constant_at[i] = (module->constant_bytes + align - 1) / align * align;
        module->constant_bytes = module->constant_at[i] + variable->bytes;
    }
}

/* Accepts spellings that assemblers refuse and some compilers write, if the caller asks for it. */
static enum wsim_status check_leniency(struct wsim_module *module, struct wsim_diag *diag) {
    for (uint32_t i = 0; i < module->ptx.n_functions; i++) {
        const struct ptx_function *function = &module->ptx.functions[i];
        for (uint32_t c = 0; c < function->n_code; c++) {
            const struct ptx_instruction *at = &function->code[c];
            const struct ptx_opcode *opcode = &module->ptx.opcodes[at->opcode];
            struct wsim_diag why;
            enum wsim_status status;
            if (!module->lenient[at->opcode] || module->flags & WSIM_MODULE_LENIENT)
                continue;
            base_refuse(&why, RULE_MODULE_SPELLING_LENIENT, 0,
                        "no assembler accepts %.100s: only lenient reading does", opcode->text);
            status = run_problem(module, &why, (int32_t)i,
                                 (struct run_place){function->part, at->line, at->col}, 1, diag);
            if (status)
                return status;
            module->troubles_before[i]++;
        }
    }
    return WSIM_OK;
}

/* An initialiser with the address of an undefined variable concerns every kernel. */
static enum wsim_status check_initialisers(struct wsim_module *module, struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    enum wsim_status status = WSIM_OK;
    for (uint32_t i = 0; i < ptx->n_variables && !status; i++)
        for (uint32_t r = 0; r < ptx->variables[i].n_relocations && !status; r++) {
            const struct ptx_variable *v = &ptx->variables[i];
            const struct ptx_relocation *to = &v->relocations[r];
            struct wsim_diag why;
            if (to->is_function || ptx->variables[to->symbol].linkage != PTX_EXTERN)
                continue;
            run_undefined(&why, ptx, to->symbol);
            status = run_problem(module, &why, -1, (struct run_place){v->part, v->line, v->col}, 1,
                                 diag);
        }
    return status;
}

static void read_meanings(struct wsim_module *module) {
    for (uint32_t i = 0; i < module->ptx.n_opcodes; i++) {
        const struct ptx_opcode *opcode = &module->ptx.opcodes[i];
        if (opcode->kind != PTX_SCALAR)
            continue;
        isa_scalar_meaning(&opcode->scalar, &module->meanings[i]);
        module->lenient[i] =
            wsim_scalar_info(&opcode->scalar, &module->infos[i]) && !module->infos[i].ptx;
    }
}

static struct run_program *take_kernel(struct wsim_module *module) {
    struct wsim_kernel *kernel = &module->kernels[module->n_kernels++];
    kernel->module = module;
    return &kernel->program;
}

static enum wsim_status decode_all(struct wsim_module *module, struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    for (uint32_t i = 0; i < ptx->n_functions; i++) {
        enum wsim_status status;
        module->instructions += ptx->functions[i].n_code;
        if (!ptx->functions[i].is_entry || !ptx->functions[i].is_defined ||
            ptx->functions[i].elsewhere)
            continue;
        status = run_decode(module, i, &step_planners, take_kernel(module), diag);
        if (status)
            return status;
    }
    return WSIM_OK;
}

/* Takes only the problems of a text that is not PTX. */
static enum wsim_status prepare(struct wsim_module *module, int wrong, struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    struct run_arena *arena = &module->arena;
    enum wsim_status status;
    module->stamp = make_stamp(module);
    module->kernels = run_arena_get(arena, (ptx->n_functions + 1u) * sizeof *module->kernels);
    module->meanings = run_arena_get(arena, (ptx->n_opcodes + 1u) * sizeof *module->meanings);
    module->infos = run_arena_get(arena, (ptx->n_opcodes + 1u) * sizeof *module->infos);
    module->lenient = run_arena_get(arena, ptx->n_opcodes + 1u);
    module->constant_at =
        run_arena_get(arena, (ptx->n_variables + 1u) * sizeof *module->constant_at);
    module->troubles = run_arena_get(arena, (ptx->n_functions + 1u) * sizeof *module->troubles);
    module->troubles_before =
        run_arena_get(arena, (ptx->n_functions + 1u) * sizeof *module->troubles_before);
    if (!module->kernels || !module->meanings || !module->infos || !module->lenient ||
        !module->constant_at || !module->troubles || !module->troubles_before)
        return no_memory(diag);
    read_meanings(module);
    place_constants(module);
    status = take_problems(module, diag);
    if (!status && !wrong)
        status = check_leniency(module, diag);
    if (!status && !wrong)
        status = check_initialisers(module, diag);
    return status || wrong ? status : decode_all(module, diag);
}

#define FLAGS                                                                                      \
    (WSIM_MODULE_NO_CONTRACT | WSIM_MODULE_LENIENT | WSIM_MODULE_PLAIN | WSIM_MODULE_DIAGNOSE |    \
     WSIM_MODULE_AS_WRITTEN | WSIM_MODULE_ONE_BY_ONE)

static enum wsim_status wrong_count(size_t n, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_MODULE_TEXTS_RANGE, 0, "a program of %llu texts: must be 1 to %d",
                       (unsigned long long)n, MOST_TEXTS);
}

/* Reads the texts in turn and links them. *read: the status of the first text that is wrong. */
static enum wsim_status read_texts(const struct wsim_text *texts, uint32_t n, int diagnose,
                                   struct ptx_module *out, enum wsim_status *read, uint32_t *wrong,
                                   struct wsim_diag *diag) {
    struct ptx_module *parts = calloc(n, sizeof *parts);
    const char **names = calloc(n, sizeof *names);
    enum wsim_status status = parts && names ? WSIM_OK : no_memory(diag), linked;
    *read = WSIM_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        enum wsim_status one =
            ptx_read(texts[i].bytes, texts[i].size, &parts[i], *read ? NULL : diag);
        names[i] = texts[i].name;
        if (one && !*read)
            *read = one, *wrong = i;
        if (one == WSIM_NO_MEMORY || (one && !diagnose))
            status = one;
    }
    if (!status) {
        linked = ptx_link(parts, n, names, *read != WSIM_OK, out, wrong, diag);
        *read = linked ? linked : *read;
        status = linked == WSIM_NO_MEMORY || !diagnose ? linked : WSIM_OK;
    }
    for (uint32_t i = 0; parts && i < n; i++)
        ptx_free(&parts[i]);
    free(parts);
    free(names);
    return status;
}

/* Whether accesses are in ascending order, and of kernels that exist. */
static int is_sorted(const struct wsim_machine *machine) {
    for (size_t i = 0; i < machine->naccesses; i++) {
        const struct wsim_machine_access *a = &machine->accesses[i], *b = a + 1;
        if (a->kernel >= machine->nkernels)
            return 0;
        if (i + 1 < machine->naccesses && (a->kernel != b->kernel ? a->kernel > b->kernel
                                           : a->line != b->line   ? a->line > b->line
                                                                  : a->col > b->col))
            return 0;
    }
    return 1;
}

enum wsim_status wsim_module_link(const struct wsim_text *texts, size_t n, uint32_t flags,
                                  struct wsim_module **module, size_t *wrong,
                                  struct wsim_diag *diag) {
    struct wsim_module *made, *last;
    enum wsim_status status, read;
    uint32_t part = 0;
    *module = NULL;
    if (wrong)
        *wrong = 0;
    if (flags & ~FLAGS)
        return base_refuse(diag, RULE_MODULE_FLAGS_UNKNOWN, 0, "unknown flags 0x%x",
                           flags & ~FLAGS);
    if (n < 1 || n > MOST_TEXTS)
        return wrong_count(n, diag);
    made = last = calloc(1, sizeof *made);
    if (!made)
        return no_memory(diag);
    made->flags = flags;
    made->machine = n == 1 ? texts->machine : NULL;
    if (made->machine && !is_sorted(made->machine)) {
        free(made);
        return base_refuse(diag, RULE_MODULE_MACHINE_ORDER, 0,
                           "accesses of machine code are in ascending order of kernel, line and "
                           "col, and name its kernels");
    }
    status = read_texts(texts, (uint32_t)n, (flags & WSIM_MODULE_DIAGNOSE) != 0, &made->ptx, &read,
                        &part, diag);
    if (wrong)
        *wrong = part;
    if (!status)
        status = prepare(made, read != WSIM_OK, diag);
    for (; !status && last->ptx.next; last = last->next) {
        last->next = calloc(1, sizeof *last->next);
        if (!last->next) {
            status = no_memory(diag);
            break;
        }
        last->next->flags = flags;
        last->next->ptx = *last->ptx.next;
        status = prepare(last->next, read != WSIM_OK, diag);
    }
    made->machine = NULL;
    if (status)
        wsim_module_free(made);
    else
        *module = made;
    return status ? status : read;
}

enum wsim_status wsim_module_load(const char *text, size_t size, uint32_t flags,
                                  struct wsim_module **module, struct wsim_diag *diag) {
    const struct wsim_text one = {.bytes = text, .size = size};
    return wsim_module_link(&one, 1, flags, module, NULL, diag);
}

void wsim_module_free(struct wsim_module *module) {
    struct wsim_module *first = module;
    if (!module)
        return;
    for (struct wsim_module *next; module; module = next) {
        next = module->next;
        for (size_t i = 0; i < module->n_kernels; i++) {
            struct run_program *program = &module->kernels[i].program;
            for (uint32_t f = 0; f < program->n_functions; f++)
                free(program->functions[f].constants);
            free(program->ops);
            free(program->where);
            free(program->merged);
        }
        free(module->problems);
        free(module->problem_function);
        run_arena_free(&module->arena);
        if (module != first)
            free(module);
    }
    ptx_free(&first->ptx);
    free(first);
}

/* --- modules and kernels described --- */

void wsim_module_describe(const struct wsim_module *module, struct wsim_module_info *info) {
    *info = (struct wsim_module_info){.version = module->ptx.version, .target = module->ptx.target};
    for (; module; module = module->next) {
        info->kernels += module->n_kernels;
        info->problems += module->n_problems;
        info->variables += module->variables;
        info->lines += module->ptx.lines;
        info->instructions += module->instructions;
    }
}

int wsim_module_problem(const struct wsim_module *module, size_t index,
                        struct wsim_problem *problem) {
    for (; module; module = module->next) {
        if (index < module->n_problems) {
            *problem = module->problems[index];
            return 1;
        }
        index -= module->n_problems;
    }
    return 0;
}

const struct wsim_kernel *wsim_module_kernel(const struct wsim_module *module, size_t index) {
    for (; module; module = module->next) {
        if (index < module->n_kernels)
            return &module->kernels[index];
        index -= module->n_kernels;
    }
    return NULL;
}

void wsim_kernel_describe(const struct wsim_kernel *kernel, struct wsim_kernel_info *info) {
    const struct run_program *program = &kernel->program;
    const struct ptx_function *source = program->kernel;
    const struct ptx_module *ptx = program->module;
    *info = (struct wsim_kernel_info){
        .name = source->name,
        .params = source->n_params,
        .param_bytes = source->param_bytes,
        .shared = program->shared_bytes,
        .dynamic_shared = program->dynamic,
        .problems = program->problems,
        .contractible = program->contractible,
        .line = source->line,
        .file = run_part(ptx, source->part),
        .maxnreg = source->maxnreg,
        .minnctapersm = source->minnctapersm,
        .maxclusterrank = source->maxclusterrank,
        .assembled = kernel->program.assembled,
        .blocksareclusters = source->blocksareclusters != 0,
        .address = run_function_address((uint32_t)(source - ptx->functions))};
    for (uint32_t i = 0; i < program->n_functions; i++) {
        info->instructions += program->functions[i].source->n_code;
        info->registers += program->functions[i].source->n_registers;
        info->local += program->functions[i].local_bytes;
        if (info->machine_registers < program->functions[i].machine_registers)
            info->machine_registers = program->functions[i].machine_registers;
    }
    for (uint32_t i = 0; i < ptx->n_variables; i++)
        if (ptx->variables[i].space == PTX_CONST && run_has_memory(&ptx->variables[i]))
            info->constant += (uint32_t)ptx->variables[i].bytes;
    memcpy(info->reqntid, source->reqntid, sizeof info->reqntid);
    memcpy(info->maxntid, source->maxntid, sizeof info->maxntid);
    memcpy(info->cluster, source->reqnctapercluster, sizeof info->cluster);
}

int wsim_kernel_merged(const struct wsim_kernel *kernel, size_t index, struct wsim_merged *merged) {
    const struct run_program *program = &kernel->program;
    const struct run_merged *from;
    if (index >= program->n_merged)
        return 0;
    from = &program->merged[index];
    *merged = (struct wsim_merged){.line = from->line,
                                   .head = from->head == from->line && !from->n ? 0 : from->head,
                                   .n = from->n,
                                   .function = program->functions[from->function].source->name};
    for (unsigned i = 0; i < from->n; i++) {
        merged->bytes[i] = from->access[i].bytes;
        merged->from[i] = from->access[i].from;
    }
    return 1;
}

int wsim_kernel_param_at(const struct wsim_kernel *kernel, size_t index,
                         struct wsim_kernel_param *param) {
    const struct ptx_param *source;
    if (!kernel || index >= kernel->program.kernel->n_params)
        return 0;
    source = &kernel->program.kernel->params[index];
    *param = (struct wsim_kernel_param){.name = source->name,
                                        .type = source->type.name,
                                        .bytes = source->bytes,
                                        .align = source->align,
                                        .offset = source->offset,
                                        .pointer = source->pointer};
    return 1;
}
