/* decode.h - from a kernel of a module to a program: operations that can be executed. Room decode
 * uses state and the modules of ptx; the steps come to it as a table of planners. */
#ifndef WSIM_DECODE_DECODE_H
#define WSIM_DECODE_DECODE_H

#include "plan.h"

/* Examines the decoded program and adds to it. Returns 0 without memory. */
typedef int run_pass(struct run_build *build);

/* All that decoding has to know of steps, which are rooms above. */
struct run_planners {
    run_planner *of_method[SCALAR_METHODS]; /* by enum scalar_method; NULL: not modelled     */
    run_planner *of_family[WSIM_FAMILIES];  /* of operations of the other tables             */
    run_planner *computes;                  /* of all rows of SCALAR_COMPUTES                */
    run_planner *nothing;                   /* of an instruction whose work another one does */
    /* Makes a row of scratch that an operation in front fills with a special register. */
    enum wsim_status (*special)(struct run_plan *plan, uint32_t special, struct run_row *row);
    run_pass *const *after_function; /* in this order; NULL ends them                        */
    run_pass *const *after_program;
};

/* Decodes the kernel `index` of module->ptx.functions. Adds instructions that are not modelled to
 * the problems. Errors: WSIM_NO_MEMORY. */
enum wsim_status run_decode(struct wsim_module *module, uint32_t kernel,
                            const struct run_planners *planners, struct run_program *program,
                            struct wsim_diag *diag);

#endif
