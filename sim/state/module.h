/* module.h - a module: its text as read, and each of its kernels decoded. */
#ifndef WSIM_STATE_MODULE_H
#define WSIM_STATE_MODULE_H

#include "../isa/scalar.h"
#include "run.h"

/* Memory that is freed as a whole: programs and what their operations point to. */
struct run_arena {
    struct run_chunk *chunks;
};
void *run_arena_get(struct run_arena *arena, size_t size); /* zeros; NULL: no memory */
void run_arena_free(struct run_arena *arena);

/* The part of a text from one .version on; `next` is the following part. */
struct wsim_module {
    struct ptx_module ptx;
    uint64_t
        stamp; /* another module at the same address, after this one was freed, has another one */
    uint32_t flags;
    struct run_arena arena;
    struct wsim_kernel *kernels; /* those that are defined, in file order                       */
    size_t n_kernels;
    struct wsim_problem *problems;
    int32_t *problem_function; /* of each problem; -1: of the module                           */
    size_t n_problems, room_problems;
    size_t instructions, variables;
    uint64_t *constant_at; /* of each .const variable: its offset                              */
    uint64_t constant_bytes;
    struct scalar_meaning *meanings; /* of each opcode that is a scalar row                    */
    struct wsim_scalar_info *infos;  /* the same                                               */
    uint8_t *lenient;                /* of each opcode: no assembler takes it                  */
    uint32_t *troubles;        /* of each function: problems in it + 1; 0: not decoded yet     */
    uint32_t *troubles_before; /* found before it was decoded                                  */
    const struct wsim_machine *machine; /* while kernels are decoded; NULL: none was given  */
    struct wsim_module *next;
};

/* A kernel, decoded. */
struct wsim_kernel {
    const struct wsim_module *module; /* of the text that it is in */
    struct run_program program;
};

/* The name of text `part`, where there are several; NULL: it has none, or there is only one. */
static inline const char *run_part(const struct ptx_module *ptx, uint32_t part) {
    return ptx->n_parts > 1 ? ptx->parts[part] : NULL;
}

/* The value of a pointer to function `index`. */
static inline uint64_t run_function_address(uint32_t index) {
    return RUN_CODE_WINDOW + 16 * ((uint64_t)index + 1);
}

/* The position of a problem. */
struct run_place {
    uint32_t part, line, col;
};

/* Adds a problem, or counts it if its function and words are known. Errors: WSIM_NO_MEMORY. */
enum wsim_status run_problem(struct wsim_module *module, const struct wsim_diag *why,
                             int32_t function, struct run_place at, uint32_t count,
                             struct wsim_diag *diag);

/* A variable of a device: not one that is only declared, or that another one stands for. */
static inline int run_has_memory(const struct ptx_variable *v) {
    return (v->space == PTX_GLOBAL || v->space == PTX_CONST) && v->linkage != PTX_EXTERN &&
           !v->elsewhere;
}

/* Refuses a variable that no text defines. */
enum wsim_status run_undefined(struct wsim_diag *why, const struct ptx_module *ptx,
                               uint32_t variable);

/* Whether problem `index` stands in the way of a program. */
int run_concerns(const struct wsim_module *module, const struct run_program *program, size_t index);

#endif
