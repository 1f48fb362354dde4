/* Modules: text is read, every kernel in it is decoded, and what is not modelled is listed. */
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
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "there is no memory for a module");
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
        uint64_t align = variable->align > 16 ? variable->align : 16;
        if (!run_has_memory(variable))
            continue;
        module->variables++;
        if (variable->space != PTX_CONST)
            continue;
        module->constant_at[i] = (module->constant_bytes + align - 1) / align * align;
        module->constant_bytes = module->constant_at[i] + variable->bytes;
    }
}

/* What assemblers refuse and some compilers write is taken if the caller says so. */
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
                        "%.100s is taken by no assembler, and only if leniency is asked for",
                        opcode->text);
            status = run_problem(module, &why, (int32_t)i,
                                 (struct run_place){function->part, at->line, at->col}, 1, diag);
            if (status)
                return status;
            module->troubles_before[i]++;
        }
    }
    return WSIM_OK;
}

/* An initialiser with the address of what nobody defines concerns every kernel. */
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

static enum wsim_status decode_all(struct wsim_module *module, struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    for (uint32_t i = 0; i < ptx->n_functions; i++) {
        enum wsim_status status;
        module->instructions += ptx->functions[i].n_code;
        if (!ptx->functions[i].is_entry || !ptx->functions[i].is_defined ||
            ptx->functions[i].elsewhere)
            continue;
        status =
            run_decode(module, i, &step_planners, &module->programs[module->n_programs++], diag);
        if (status)
            return status;
    }
    return WSIM_OK;
}

/* Of a text that is no PTX only the problems are taken. */
static enum wsim_status prepare(struct wsim_module *module, int wrong, struct wsim_diag *diag) {
    const struct ptx_module *ptx = &module->ptx;
    struct run_arena *arena = &module->arena;
    enum wsim_status status;
    module->stamp = make_stamp(module);
    module->programs = run_arena_get(arena, (ptx->n_functions + 1u) * sizeof *module->programs);
    module->meanings = run_arena_get(arena, (ptx->n_opcodes + 1u) * sizeof *module->meanings);
    module->infos = run_arena_get(arena, (ptx->n_opcodes + 1u) * sizeof *module->infos);
    module->lenient = run_arena_get(arena, ptx->n_opcodes + 1u);
    module->constant_at =
        run_arena_get(arena, (ptx->n_variables + 1u) * sizeof *module->constant_at);
    module->troubles = run_arena_get(arena, (ptx->n_functions + 1u) * sizeof *module->troubles);
    module->troubles_before =
        run_arena_get(arena, (ptx->n_functions + 1u) * sizeof *module->troubles_before);
    if (!module->programs || !module->meanings || !module->infos || !module->lenient ||
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
    (WSIM_MODULE_CONTRACT | WSIM_MODULE_LENIENT | WSIM_MODULE_PLAIN | WSIM_MODULE_DIAGNOSE)

static enum wsim_status wrong_count(size_t n, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_MODULE_TEXTS_RANGE, 0, "a program of %llu texts: it has 1 to %d",
                       (unsigned long long)n, MOST_TEXTS);
}

/* Reads them one after the other, and makes one of them. *read: what was wrong with a text. */
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
        return base_refuse(diag, RULE_MODULE_FLAGS_UNKNOWN, 0, "there are no flags 0x%x",
                           flags & ~FLAGS);
    if (n < 1 || n > MOST_TEXTS)
        return wrong_count(n, diag);
    made = last = calloc(1, sizeof *made);
    if (!made)
        return no_memory(diag);
    made->flags = flags;
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
    if (status)
        wsim_module_free(made);
    else
        *module = made;
    return status ? status : read;
}

enum wsim_status wsim_module_load(const char *text, size_t size, uint32_t flags,
                                  struct wsim_module **module, struct wsim_diag *diag) {
    const struct wsim_text one = {NULL, text, size};
    return wsim_module_link(&one, 1, flags, module, NULL, diag);
}

void wsim_module_free(struct wsim_module *module) {
    struct wsim_module *first = module;
    if (!module)
        return;
    for (struct wsim_module *next; module; module = next) {
        next = module->next;
        for (size_t i = 0; i < module->n_programs; i++) {
            struct run_program *program = &module->programs[i];
            for (uint32_t f = 0; f < program->n_functions; f++)
                free(program->functions[f].constants);
            free(program->ops);
            free(program->where);
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

/* --- what a module says of itself --- */

void wsim_module_describe_sized(const struct wsim_module *module, struct wsim_module_info *info,
                                size_t size) {
    struct wsim_module_info all = {.version = module->ptx.version, .target = module->ptx.target};
    for (; module; module = module->next) {
        all.kernels += module->n_programs;
        all.problems += module->n_problems;
        all.variables += module->variables;
        all.lines += module->ptx.lines;
        all.instructions += module->instructions;
    }
    run_give(info, size, &all, sizeof all);
}

int wsim_module_problem_sized(const struct wsim_module *module, size_t index,
                              struct wsim_problem *problem, size_t size) {
    for (; module; module = module->next) {
        if (index < module->n_problems) {
            run_give(problem, size, &module->problems[index], sizeof *problem);
            return 1;
        }
        index -= module->n_problems;
    }
    return 0;
}

static void describe(const struct run_program *program, struct wsim_kernel *out, size_t size) {
    const struct ptx_function *source = program->kernel;
    struct wsim_kernel all = {0}, *kernel = &all;
    *kernel = (struct wsim_kernel){.name = source->name,
                                   .params = source->n_params,
                                   .param_bytes = source->param_bytes,
                                   .shared = program->shared_bytes,
                                   .dynamic_shared = program->dynamic,
                                   .problems = program->problems,
                                   .contractible = program->contractible,
                                   .line = source->line,
                                   .file = run_part(program->module, source->part)};
    for (uint32_t i = 0; i < program->n_functions; i++) {
        kernel->instructions += program->functions[i].source->n_code;
        kernel->registers += program->functions[i].source->n_registers;
        kernel->local += program->functions[i].local_bytes;
    }
    for (uint32_t i = 0; i < program->module->n_variables; i++)
        if (program->module->variables[i].space == PTX_CONST &&
            run_has_memory(&program->module->variables[i]))
            kernel->constant += (uint32_t)program->module->variables[i].bytes;
    memcpy(kernel->reqntid, source->reqntid, sizeof kernel->reqntid);
    memcpy(kernel->maxntid, source->maxntid, sizeof kernel->maxntid);
    memcpy(kernel->cluster, source->reqnctapercluster, sizeof kernel->cluster);
    run_give(out, size, kernel, sizeof *kernel);
}

int wsim_module_kernel_sized(const struct wsim_module *module, size_t index,
                             struct wsim_kernel *kernel, size_t size) {
    for (; module; module = module->next) {
        if (index < module->n_programs) {
            describe(&module->programs[index], kernel, size);
            return 1;
        }
        index -= module->n_programs;
    }
    return 0;
}

int wsim_module_find_sized(const struct wsim_module *module, const char *name,
                           struct wsim_kernel *kernel, size_t size) {
    const struct wsim_module *owner;
    const struct run_program *program = run_find(module, name, &owner);
    if (program)
        describe(program, kernel, size);
    return program != NULL;
}

int wsim_module_param_sized(const struct wsim_module *module, const char *kernel, size_t index,
                            struct wsim_kernel_param *param, size_t size) {
    struct wsim_kernel_param all;
    const struct wsim_module *owner;
    const struct run_program *program = run_find(module, kernel, &owner);
    const struct ptx_param *source;
    if (!program || index >= program->kernel->n_params)
        return 0;
    source = &program->kernel->params[index];
    all = (struct wsim_kernel_param){.name = source->name,
                                     .type = source->type.name,
                                     .bytes = source->bytes,
                                     .align = source->align,
                                     .offset = source->offset,
                                     .pointer = source->pointer};
    run_give(param, size, &all, sizeof all);
    return 1;
}
