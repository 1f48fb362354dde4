/* Rows of steps.def as a table. */
#include "steps.h"
#include "../watch/passes.h"
#include "flow.h"
#include "loop.h"
#include "matrix.h"
#include "planners.h"

static run_pass *const after_function[] = {
#define PASS(when, pass) PASS_##when(pass)
#define PASS_FUNCTION(pass) pass,
#define PASS_PROGRAM(pass)
#include "steps.def"
#undef PASS_FUNCTION
#undef PASS_PROGRAM
    NULL};

static run_pass *const after_program[] = {
#define PASS(when, pass) PASS_##when(pass)
#define PASS_FUNCTION(pass)
#define PASS_PROGRAM(pass) pass,
#include "steps.def"
    NULL};

const struct run_planners step_planners = {
    .of_method =
        {
#define STEP(method, planner) [SCALAR_METHOD_##method] = planner,
#include "steps.def"
        },
    .of_family =
        {
#define MATRIX(family, planner) [WSIM_##family] = planner,
#include "steps.def"
        },
    .computes = data_plan,
    .nothing = flow_hint_plan,
    .special = special_row,
    .after_function = after_function,
    .after_program = after_program,
};
