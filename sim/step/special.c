/* Special registers: what a thread can ask about where it is. */
#include "../isa/isa.h"
#include "flow.h"
#include "steps.h"
#include "../state/device.h"
#include "../state/launch.h"

#include <time.h>

static uint64_t in_cluster(const struct run_block *block, unsigned axis) {
    return block->id[axis] % block->unit->worker->launch->cluster[axis];
}

/* Nanoseconds that grow. */
static uint64_t nanoseconds(void) {
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A loop that only asks for the time: most instructions between two times, least times. */
enum { SPIN_MOST = 16, SPIN_LEAST = 1024, SPIN_LEAPS = 20 };

/* Whether the clocks stand still: nothing has changed since special_stand. */
static int stands(const struct run_warp *warp) {
    const struct run_worker *worker = warp->worker;
    const struct run_unit *unit = warp->block->unit;
    return worker->stands && unit->events == unit->seen &&
           worker->stands == atomic_load(&worker->launch->device->space->changes) + 1;
}

void special_stand(struct run_worker *worker, uint64_t changes) {
    worker->stands = changes + 1;
    worker->stood = worker->instructions + 1;
    worker->stood_at = nanoseconds();
}

/* Instructions of this thread of the host stand for cycles. A loop that waits for a time gets there
 * by leaps, which double. */
static uint64_t cycles(const struct run_warp *warp) {
    struct run_worker *worker = warp->worker;
    const uint64_t leaps = atomic_load(&worker->launch->shared->leaps);
    const int spins = worker->instructions - worker->asked < SPIN_MOST;
    if (stands(warp))
        return worker->stood * 4 + worker->leaps + leaps;
    worker->asked = worker->instructions;
    worker->asks = spins ? worker->asks + 1 : 0;
    if (worker->asks > SPIN_LEAST) {
        const uint32_t leap = worker->asks - SPIN_LEAST;
        worker->leaps += UINT64_C(1) << (leap < SPIN_LEAPS ? leap : SPIN_LEAPS);
    }
    return worker->instructions * 4 + worker->leaps + leaps + nanoseconds() % 4;
}

static uint64_t timer(const struct run_warp *warp) {
    const uint64_t now = stands(warp) ? warp->worker->stood_at : nanoseconds();
    return now + atomic_load(&warp->worker->launch->shared->leaps);
}

static uint64_t value_of(const struct run_warp *warp, unsigned special) {
    const struct run_block *block = warp->block;
    const struct run_launch *launch = warp->worker->launch;
    switch (special) {
    case PTX_SR_NTID_X: return launch->block[0];
    case PTX_SR_NTID_Y: return launch->block[1];
    case PTX_SR_NTID_Z: return launch->block[2];
    case PTX_SR_CTAID_X: return block->id[0];
    case PTX_SR_CTAID_Y: return block->id[1];
    case PTX_SR_CTAID_Z: return block->id[2];
    case PTX_SR_NCTAID_X: return launch->grid[0];
    case PTX_SR_NCTAID_Y: return launch->grid[1];
    case PTX_SR_NCTAID_Z: return launch->grid[2];
    case PTX_SR_CLUSTERID_X: return block->id[0] / launch->cluster[0];
    case PTX_SR_CLUSTERID_Y: return block->id[1] / launch->cluster[1];
    case PTX_SR_CLUSTERID_Z: return block->id[2] / launch->cluster[2];
    case PTX_SR_NCLUSTERID_X: return launch->clusters[0];
    case PTX_SR_NCLUSTERID_Y: return launch->clusters[1];
    case PTX_SR_NCLUSTERID_Z: return launch->clusters[2];
    case PTX_SR_CLUSTER_CTAID_X: return in_cluster(block, 0);
    case PTX_SR_CLUSTER_CTAID_Y: return in_cluster(block, 1);
    case PTX_SR_CLUSTER_CTAID_Z: return in_cluster(block, 2);
    case PTX_SR_CLUSTER_NCTAID_X: return launch->cluster[0];
    case PTX_SR_CLUSTER_NCTAID_Y: return launch->cluster[1];
    case PTX_SR_CLUSTER_NCTAID_Z: return launch->cluster[2];
    case PTX_SR_CLUSTER_CTARANK: return block->rank;
    case PTX_SR_CLUSTER_NCTARANK: return block->unit->n_blocks;
    case PTX_SR_IS_EXPLICIT_CLUSTER: return launch->explicit_cluster;
    case PTX_SR_WARPID: return warp->number;
    case PTX_SR_NWARPID: return ISA_SM_WARPS;
    case PTX_SR_NSMID: return isa_figure(launch->arch, WSIM_FIGURE_SMS);
    case PTX_SR_GRIDID: return 1;
    case PTX_SR_CLOCK: return cycles(warp) & 0xFFFFFFFFu;
    case PTX_SR_CLOCK_HI: return cycles(warp) >> 32;
    case PTX_SR_CLOCK64: return cycles(warp);
    case PTX_SR_GLOBALTIMER: return timer(warp);
    case PTX_SR_GLOBALTIMER_LO: return timer(warp) & 0xFFFFFFFFu;
    case PTX_SR_GLOBALTIMER_HI: return timer(warp) >> 32;
    case PTX_SR_RESERVED_SMEM_END: return launch->shared_base ? ISA_SHARED_RESERVED_USED : 0;
    case PTX_SR_RESERVED_SMEM_CAP: return launch->shared_base;
    case PTX_SR_RESERVED_SMEM_1: return launch->scratch;
    case PTX_SR_TOTAL_SMEM_SIZE:
        return ((uint64_t)launch->shared_bytes + ISA_SHARED_UNIT - 1) / ISA_SHARED_UNIT *
               ISA_SHARED_UNIT;
    case PTX_SR_AGGR_SMEM_SIZE: return launch->shared_bytes + (uint64_t)launch->shared_base;
    case PTX_SR_DYNAMIC_SMEM_SIZE: return launch->how->shared;
    case PTX_SR_ENVREG1: return launch->workspace >> 32;
    case PTX_SR_ENVREG2: return launch->workspace & 0xFFFFFFFFu;
    default: return 0; /* %smid, %tid.w ..., %pm and other %envreg without anything in them */
    }
}

/* Values of a special register that differs from lane to lane. Returns 0 for other registers. */
static int lane_values(const struct run_warp *warp, unsigned special, uint32_t values[RUN_LANES]) {
    switch (special) {
    case PTX_SR_TID_X:
    case PTX_SR_TID_Y:
    case PTX_SR_TID_Z:
        memcpy(values, warp->tid[special - PTX_SR_TID_X], sizeof warp->tid[0]);
        return 1;
    case PTX_SR_LANEID:
    case PTX_SR_LANEMASK_EQ:
    case PTX_SR_LANEMASK_LT:
    case PTX_SR_LANEMASK_LE:
    case PTX_SR_LANEMASK_GE:
    case PTX_SR_LANEMASK_GT: break;
    default: return 0;
    }
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        uint32_t below = (1u << lane) - 1, self = 1u << lane;
        values[lane] = special == PTX_SR_LANEID        ? lane
                       : special == PTX_SR_LANEMASK_EQ ? self
                       : special == PTX_SR_LANEMASK_LT ? below
                       : special == PTX_SR_LANEMASK_LE ? below | self
                       : special == PTX_SR_LANEMASK_GE ? ~below
                                                       : ~(below | self);
    }
    return 1;
}

_Static_assert(PTX_SR_TID_Y == PTX_SR_TID_X + 1 && PTX_SR_TID_Z == PTX_SR_TID_X + 2,
               "axes of a thread are numbered one after another");

void special_values(const struct run_warp *warp, uint32_t special, uint64_t values[RUN_LANES]) {
    uint32_t each[RUN_LANES];
    const int differ = lane_values(warp, special, each);
    const uint64_t same = differ ? 0 : value_of(warp, special);
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        values[lane] = differ ? each[lane] : same;
}

/* Registers of 32 bits, all lanes at once. */
static void put_words(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                      const uint32_t values[RUN_LANES]) {
    uint32_t *to = run_words(frame, op->at[0]);
    if (lanes == 0xFFFFFFFFu)
        memcpy(to, values, sizeof(uint32_t[RUN_LANES]));
    else
        for (; lanes; lanes &= lanes - 1)
            to[run_lowest(lanes)] = values[run_lowest(lanes)];
}

static enum run_next read_thread(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp) {
    put_words(frame, op, lanes, warp->tid[op->immediate - PTX_SR_TID_X]);
    return RUN_ON;
}

static enum run_next read_lane(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    uint32_t values[RUN_LANES];
    lane_values(warp, (unsigned)op->immediate, values);
    put_words(frame, op, lanes, values);
    return RUN_ON;
}

static enum run_next read_same(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    const uint32_t value = (uint32_t)value_of(warp, (unsigned)op->immediate);
    uint32_t values[RUN_LANES];
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        values[lane] = value;
    put_words(frame, op, lanes, values);
    return RUN_ON;
}

/* Registers of any width. */
static enum run_next read_special(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp) {
    const struct run_row row = {.at = op->at[0], .bits = op->bytes};
    uint64_t values[RUN_LANES];
    special_values(warp, (uint32_t)op->immediate, values);
    for (; lanes; lanes &= lanes - 1)
        run_put(frame, row, run_lowest(lanes), values[run_lowest(lanes)]);
    return RUN_ON;
}

static run_step *step_of(unsigned special, unsigned bits) {
    if (bits != 32)
        return read_special;
    switch (special) {
    case PTX_SR_TID_X:
    case PTX_SR_TID_Y:
    case PTX_SR_TID_Z: return read_thread;
    case PTX_SR_LANEID:
    case PTX_SR_LANEMASK_EQ:
    case PTX_SR_LANEMASK_LT:
    case PTX_SR_LANEMASK_LE:
    case PTX_SR_LANEMASK_GE:
    case PTX_SR_LANEMASK_GT: return read_lane;
    default: return read_same;
    }
}

uint32_t special_of(const struct run_op *op) {
    return op->step == read_thread || op->step == read_lane || op->step == read_same ||
                   op->step == read_special
               ? (uint32_t)op->immediate
               : RUN_NOWHERE;
}

/* Values that another run can give otherwise. */
static int is_clock(unsigned special) {
    switch (special) {
    case PTX_SR_CLOCK:
    case PTX_SR_CLOCK_HI:
    case PTX_SR_CLOCK64:
    case PTX_SR_GLOBALTIMER:
    case PTX_SR_GLOBALTIMER_LO:
    case PTX_SR_GLOBALTIMER_HI:
    case PTX_SR_SMID:
    case PTX_SR_NSMID: return 1;
    default: return 0;
    }
}

void special_read(struct run_plan *plan, struct run_op *op, uint32_t special, struct run_row row) {
    op->step = step_of(special, row.bits);
    op->at[0] = row.at;
    op->bytes = row.bits;
    op->immediate = special;
    plan->build->program->clock |= (uint8_t)is_clock(special);
    plan->build->program->scratch |= special == PTX_SR_RESERVED_SMEM_1;
    plan->build->program->grids |= special == PTX_SR_ENVREG1 || special == PTX_SR_ENVREG2;
}

enum wsim_status special_row(struct run_plan *plan, uint32_t special, struct run_row *row) {
    const char *type = ptx_special_type(special);
    unsigned bits = !strcmp(type, "pred") ? 1 : !strcmp(type, "u64") ? 64 : 32;
    enum wsim_status status = plan_scratch(plan, bits, row);
    struct run_op *op = status ? NULL : plan_before(plan);
    if (status)
        return status;
    if (!op)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    op->guard = RUN_ALWAYS;
    special_read(plan, op, special, *row);
    return WSIM_OK;
}
