/* Marks places in a copy of the operations, and calls the caller there. */
#include "look.h"

#include "../state/launch.h"

#include <stdlib.h>

struct look {
    struct run_look look; /* of state/run.h */
    const struct wsim_look *asked;
    struct run_program program; /* the copy      */
    struct run_op *ops;
    uint32_t version;
    uint8_t inside; /* a call is under way: ignore its own findings      */
    uint8_t ends;   /* the launch is to end */
};

static struct look *look_of(const struct run_launch *launch) {
    return (struct look *)(void *)launch->look;
}

/* The operations that execute an instruction get marks. Operations in front of it, which fetch its
 * operands, have none. */
static void mark_places(const struct run_launch *launch, struct look *look) {
    const struct wsim_look *asked = look->asked;
    look->version = asked->version;
    for (uint32_t op = 0; op < look->program.n_ops; op++) {
        struct wsim_site site;
        unsigned when = asked->when;
        look->ops[op].leads &= (uint8_t) ~(RUN_LOOKS | RUN_SEES);
        if (look->program.where[op] == RUN_NOWHERE)
            continue;
        if (asked->at) {
            view_place(launch, op, &site);
            when = (unsigned)asked->at(asked->context, &site);
        }
        look->ops[op].leads |= (uint8_t)((when & WSIM_LOOK_BEFORE ? RUN_LOOKS : 0) |
                                         (when & WSIM_LOOK_AFTER ? RUN_SEES : 0));
    }
}

void look_again(struct run_launch *launch) {
    struct look *look = look_of(launch);
    if (look && look->version != look->asked->version)
        mark_places(launch, look);
}

/* 0: the launch is to end. */
static int call(struct run_warp *warp, struct look *look, struct wsim_seen *view) {
    struct run_launch *launch = warp->worker->launch;
    int stop;
    look->inside = 1;
    stop = look->asked->see(look->asked->context, view);
    look->inside = 0;
    look_again(launch);
    return !stop;
}

/* The launch ends if the caller wants that. */
static int goes_on(struct run_warp *warp, const struct run_op *op) {
    struct look *look = look_of(warp->worker->launch);
    if (!look->ends)
        return 1;
    look->inside = 1;
    run_finding(warp, op, RUN_LANES, RULE_LAUNCH_STOPPED, 1,
                "the caller stopped the launch after %llu warp instructions",
                (unsigned long long)warp->worker->instructions);
    return 0;
}

static int see(struct run_warp *warp, struct wsim_seen *view, uint32_t when) {
    struct look *look = look_of(warp->worker->launch);
    view->when = when;
    look->ends |= !call(warp, look, view);
    return goes_on(warp, view->inside[VIEW_OP]);
}

int look_before(struct run_warp *warp, const struct run_op *op, struct look_place *place) {
    struct run_group *group = warp->group;
    const uint32_t lanes = group->lanes & ~group->looked;
    struct wsim_seen view;
    *place = (struct look_place){.op = op,
                                 .frame = group->frame,
                                 .lanes = group->lanes,
                                 .active = group->lanes &
                                           (*run_pred(group->frame->bytes, op->guard) ^ op->flip)};
    if (!(op->leads & RUN_LOOKS) || !lanes)
        return goes_on(warp, op);
    group->looked |= lanes;
    group->at = run_number(warp, op);
    view_fill(&view, warp, group->frame, op, lanes);
    return see(warp, &view, WSIM_LOOK_BEFORE);
}

int look_after(struct run_warp *warp, struct run_group *group, const struct look_place *place,
               enum run_next next) {
    /* Lanes that still wait for others, while some of their group go on. */
    const uint32_t wait =
        next == RUN_REGROUP && group->at == run_number(warp, place->op) ? group->lanes : 0;
    struct wsim_seen view;
    if (next == RUN_STOP)
        return 1;
    group->looked = wait;
    if (!(place->op->leads & RUN_SEES) || place->lanes == wait)
        return goes_on(warp, place->op);
    view_fill(&view, warp, place->frame, place->op, place->lanes & ~wait);
    view.active = place->active & ~wait;
    return see(warp, &view, WSIM_LOOK_AFTER);
}

/* Lanes of another group have executed the operation at which they met the lanes that run. */
static void see_released(struct run_warp *warp, const struct run_group *group, uint32_t lanes) {
    struct run_launch *launch = warp->worker->launch;
    const struct run_op *op = &warp->program->ops[group->at];
    struct wsim_seen view;
    if (!(op->leads & RUN_SEES))
        return;
    view_fill(&view, warp, group->frame, op, lanes);
    view.when = WSIM_LOOK_AFTER;
    look_of(launch)->ends |= !call(warp, look_of(launch), &view);
}

/* A finding of a step or of a listener. */
static void see_finding(struct run_warp *warp, const struct run_op *op,
                        const struct wsim_diag *diag) {
    struct run_launch *launch = warp->worker->launch;
    struct look *look = look_of(launch);
    const struct run_group *group = warp->group;
    struct wsim_seen view;
    if (look->inside || !(look->asked->when & WSIM_LOOK_FINDING) || !group ||
        look->program.where[run_number(warp, op)] == RUN_NOWHERE)
        return;
    view_fill(&view, warp, group->frame, op, group->lanes);
    view.when = WSIM_LOOK_FINDING;
    view.rule = diag->rule;
    view.text = diag->text;
    look->ends |= !call(warp, look, &view);
}

int look_open(struct run_launch *launch) {
    const struct run_program *program = launch->program;
    struct look *look;
    if (!launch->how->look)
        return 1;
    look = calloc(1, sizeof *look);
    if (!look)
        return 0;
    launch->look = &look->look;
    look->look = (struct run_look){.finding = see_finding, .released = see_released};
    look->asked = launch->how->look;
    look->program = *program;
    look->ops = malloc((program->n_ops + 1u) * sizeof *look->ops);
    if (!look->ops)
        return 0;
    memcpy(look->ops, program->ops, program->n_ops * sizeof *look->ops);
    for (uint32_t op = 0; op < program->n_ops; op++)
        look->ops[op].leads |= RUN_OPS;
    look->program.ops = look->ops;
    mark_places(launch, look);
    launch->program = &look->program;
    return 1;
}

void look_close(struct run_launch *launch) {
    struct look *look = look_of(launch);
    if (look)
        free(look->ops);
    free(look);
}
