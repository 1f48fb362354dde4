/* Modules: memory of their programs, their problems, kernels by name. */
#include "module.h"

#include <stdlib.h>

/* --- memory that is freed as a whole --- */

#define CHUNK 65536u

struct run_chunk {
    struct run_chunk *next;
    size_t used, size;
    union { /* aligned for whatever is kept in it */
        uint64_t number;
        void *pointer;
    } bytes[];
};

void *run_arena_get(struct run_arena *arena, size_t size) {
    struct run_chunk *chunk = arena->chunks;
    void *got;
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + 15) / 16 * 16;
    if (!chunk || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK ? size : CHUNK;
        chunk = calloc(1, sizeof *chunk + room);
        if (!chunk)
            return NULL;
        chunk->size = room;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    got = (uint8_t *)chunk->bytes + chunk->used;
    chunk->used += size;
    return got;
}

void run_arena_free(struct run_arena *arena) {
    for (struct run_chunk *next, *chunk = arena->chunks; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    arena->chunks = NULL;
}

/* --- problems --- */

enum wsim_status run_problem(struct wsim_module *module, const struct wsim_diag *why,
                             int32_t function, struct run_place at, uint32_t count,
                             struct wsim_diag *diag) {
    const char *file = run_part(&module->ptx, at.part);
    size_t size = strlen(why->text) + 1;
    char *text;
    for (size_t i = 0; i < module->n_problems; i++)
        if (module->problem_function[i] == function && module->problems[i].rule == why->rule &&
            module->problems[i].file == file && !strcmp(module->problems[i].text, why->text)) {
            module->problems[i].count += count;
            return WSIM_OK;
        }
    if (module->n_problems == module->room_problems) {
        size_t room = module->room_problems ? 2 * module->room_problems : 16;
        struct wsim_problem *problems = realloc(module->problems, room * sizeof *module->problems);
        int32_t *functions;
        if (problems)
            module->problems = problems;
        functions = problems ? realloc(module->problem_function, room * sizeof *functions) : NULL;
        if (!functions)
            return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
        module->problem_function = functions;
        module->room_problems = room;
    }
    text = run_arena_get(&module->arena, size);
    if (!text)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for a module");
    memcpy(text, why->text, size);
    module->problem_function[module->n_problems] = function;
    module->problems[module->n_problems++] =
        (struct wsim_problem){.status = why->status,
                              .rule = why->rule,
                              .text = text,
                              .kernel = function >= 0 ? module->ptx.functions[function].name : NULL,
                              .line = at.line,
                              .col = at.col,
                              .count = count,
                              .file = file};
    return WSIM_OK;
}

int run_concerns(const struct wsim_module *module, const struct run_program *program,
                 size_t index) {
    for (uint32_t i = 0; i < program->n_functions; i++)
        if (module->problem_function[index] == (int32_t)program->functions[i].index)
            return 1;
    return module->problem_function[index] < 0;
}

enum wsim_status run_undefined(struct wsim_diag *why, const struct ptx_module *ptx,
                               uint32_t variable) {
    const struct ptx_variable *v = &ptx->variables[variable];
    const char *file = run_part(ptx, v->part);
    return base_refuse(why, RULE_LAUNCH_VARIABLE_UNDEFINED, 0,
                       "variable '%.80s' is .extern (line %u%s%.60s) and never defined", v->name,
                       (unsigned)v->line, file ? " of " : "", file ? file : "");
}

const struct wsim_kernel *wsim_module_find(const struct wsim_module *module, const char *name) {
    const struct wsim_kernel *only = NULL;
    size_t kernels = 0;
    for (; module; module = module->next)
        for (size_t i = 0; i < module->n_kernels; i++) {
            only = &module->kernels[i];
            kernels++;
            if (name && !strcmp(only->program.kernel->name, name))
                return only;
        }
    return name || kernels != 1 ? NULL : only;
}
