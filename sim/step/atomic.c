/* atom and red: a word of memory, combined with an operand, in one step. Lanes go one after
 * another, in ascending order, which is one of the orders that hardware may have. */
#include "../base/bits.h"
#include "../isa/isa.h"
#include "../memory/memory.h"
#include "../num/num.h"
#include "../num/real_bits.h"
#include "../state/launch.h"
#include "../reach/hear.h"
#include "access.h"
#include "../decode/build.h"
#include "../decode/count.h"

#include <stdatomic.h>

/* Threads of the host that run other blocks use the same memory at the same time. */
#if defined(__GNUC__) && defined(__GCC_ATOMIC_LLONG_LOCK_FREE)
#if __GCC_ATOMIC_LLONG_LOCK_FREE == 2
#define HOST_ATOMICS 1
#endif
#endif

struct atomic_plan {
    struct reach_plan reach; /* row: operands b, of cas the compared value; second: c     */
    struct run_row result[ACCESS_MOST];
    uint8_t has_result;
    uint8_t operation;                      /* enum scalar_operation */
    uint8_t letter, element_bits, elements; /* of a register: pairs of halves are two           */
    uint8_t plain; /* every number by the functions of its format, as WSIM_MODULE_PLAIN asks    */
    const struct wsim_format *format;
};

static uint64_t low_bits(uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Numbers in two's complement are compared with their sign bit turned over. */
static int is_less(uint64_t a, uint64_t b, const struct atomic_plan *plan) {
    uint64_t sign = plan->letter == 's' ? UINT64_C(1) << (plan->element_bits - 1) : 0;
    return (a ^ sign) < (b ^ sign);
}

/* In global memory the L2 cache adds f64 and passes on a NaN unchanged, the operand's first. In
 * shared memory an instruction of the lane adds, and the old value's NaN comes second (H200,
 * lab/kernels/atomics). */
static uint64_t add_double(const struct wsim_format *format, uint64_t old, uint64_t operand,
                           int global) {
    const struct real_mode mode = {.rounding = WSIM_RN};
    if (global && real_is_nan(format, operand))
        return operand;
    return global && real_is_nan(format, old) ? old : real_add(format, &mode, operand, old);
}

/* The same sums of f32 and of finite f64, faster. */
static uint32_t flushed(uint32_t x, int flush) {
    return flush && !(x & 0x7F800000u) ? x & 0x80000000u : x;
}
static uint32_t add_single(uint32_t old, uint32_t operand, int flush) {
    uint32_t sum = flushed(old, flush);
    operand = flushed(operand, flush);
    num_add_f32(&sum, &operand, 1);
    return flushed(sum, flush);
}
static int is_finite_double(uint64_t x) {
    return (x >> 52 & 0x7FF) < 0x7FF;
}

/* Additions of f32 flush subnormals in global memory, and not in shared memory (PTX ISA, atom). */
static uint64_t combine_real(const struct atomic_plan *plan, uint64_t old, uint64_t operand,
                             int global) {
    const struct real_mode mode = {.rounding = WSIM_RN,
                                   .ftz = (uint8_t)(global && plan->element_bits == 32)};
    switch (plan->operation) {
    case SCALAR_ADD:
        if (!plan->plain && plan->element_bits == 32)
            return add_single((uint32_t)old, (uint32_t)operand, global);
        if (!plan->plain && plan->element_bits == 64 && is_finite_double(old) &&
            is_finite_double(operand))
            return num_add_finite_f64(old, operand);
        return plan->element_bits == 64 ? add_double(plan->format, old, operand, global)
                                        : real_add(plan->format, &mode, old, operand);
    case SCALAR_MIN: return real_min(plan->format, &mode, old, operand);
    default: return real_max(plan->format, &mode, old, operand);
    }
}

static uint64_t combine_one(const struct atomic_plan *plan, uint64_t old, uint64_t operand,
                            int global) {
    if (plan->format)
        return combine_real(plan, old, operand, global);
    switch (plan->operation) {
    case SCALAR_ADD: return low_bits(old + operand, plan->element_bits);
    case SCALAR_MIN: return is_less(operand, old, plan) ? operand : old;
    case SCALAR_MAX: return is_less(old, operand, plan) ? operand : old;
    case SCALAR_INC: return old >= operand ? 0 : old + 1;
    case SCALAR_DEC: return !old || old > operand ? operand : old - 1;
    case SCALAR_AND: return old & operand;
    case SCALAR_OR: return old | operand;
    case SCALAR_XOR: return old ^ operand;
    default: return operand; /* exch */
    }
}

/* The new value of one register. */
static uint64_t combine(const struct atomic_plan *plan, uint64_t old, uint64_t operand,
                        uint64_t swap, int global) {
    uint64_t all = 0;
    if (plan->operation == SCALAR_CAS)
        return old == operand ? swap : old;
    for (unsigned e = 0; e < plan->elements; e++) {
        unsigned shift = e * plan->element_bits;
        all |= combine_one(plan, low_bits(old >> shift, plan->element_bits),
                           low_bits(operand >> shift, plan->element_bits), global)
               << shift;
    }
    return all;
}

/* --- one register of one lane --- */

#ifdef HOST_ATOMICS
#define EXCHANGE(type)                                                                             \
    do {                                                                                           \
        type *word = (type *)(void *)at, old = __atomic_load_n(word, __ATOMIC_SEQ_CST);            \
        type next = (type)combine(plan, old, operand, swap, global);                               \
        while (                                                                                    \
            !__atomic_compare_exchange_n(word, &old, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
            next = (type)combine(plan, old, operand, swap, global);                                \
        *changes |= old ^ next;                                                                    \
        return old;                                                                                \
    } while (0)

static uint64_t update_together(const struct atomic_plan *plan, uint8_t *at, uint64_t operand,
                                uint64_t swap, int global, uint64_t *changes) {
    switch (plan->reach.bytes) {
    case 2: EXCHANGE(uint16_t);
    case 4: EXCHANGE(uint32_t);
    default: EXCHANGE(uint64_t);
    }
}
#endif

/* Whether other threads of the host, those of the caller too, may access the word meanwhile. */
static int has_others(const struct run_shared *shared, const struct atomic_plan *plan) {
    return (shared->parallel || shared->open) && plan->reach.space != PTX_SHARED;
}

/* Returns the old value, and adds the bits that change. */
static uint64_t update(struct run_shared *shared, const struct atomic_plan *plan, uint8_t *at,
                       uint64_t operand, uint64_t swap, int global, uint64_t *changes) {
    uint64_t old, next;
#ifdef HOST_ATOMICS
    if (has_others(shared, plan) && !shared->mixed && memory_is_host())
        return update_together(plan, at, operand, swap, global, changes);
#endif
    launch_lock_atomics(shared);
    old = reach_load(at, plan->reach.bytes);
    next = combine(plan, old, operand, swap, global);
    reach_store(at, plan->reach.bytes, next);
    launch_unlock_atomics(shared);
    *changes |= old ^ next;
    return old;
}

/* exch and cas of 128 bits. */
static void update_wide(struct run_shared *shared, const struct atomic_plan *plan, uint8_t *frame,
                        uint8_t *at, unsigned lane) {
    const struct run_row *b = &plan->reach.row[0];
    const struct run_row *to = plan->operation == SCALAR_CAS ? &plan->reach.second[0] : b;
    uint64_t old[2];
    launch_lock_atomics(shared);
    old[0] = reach_load(at, 8), old[1] = reach_load(at + 8, 8);
    if (plan->operation != SCALAR_CAS ||
        (old[0] == run_get(frame, *b, lane) && old[1] == run_get_high(frame, *b, lane))) {
        reach_store(at, 8, run_get(frame, *to, lane));
        reach_store(at + 8, 8, run_get_high(frame, *to, lane));
    }
    launch_unlock_atomics(shared);
    run_put(frame, plan->result[0], lane, old[0]);
    if (plan->result[0].bits == 128)
        run_longs(frame, plan->result[0].at)[RUN_LANES + lane] = old[1];
}

/* The common case: 32-bit integers, one a lane, that no other thread of the host can access.
 * Returns the changed bits. */
#define EACH_LANE(expression)                                                                      \
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {                                  \
        const unsigned lane = run_lowest(rest);                                                    \
        const uint32_t b = operand[lane], c = swap[lane];                                          \
        uint32_t old, next;                                                                        \
        memcpy(&old, access->host[lane], sizeof old);                                              \
        next = (expression);                                                                       \
        memcpy(access->host[lane], &next, sizeof next);                                            \
        changes |= old ^ next;                                                                     \
        if (result)                                                                                \
            result[lane] = old;                                                                    \
        (void)b, (void)c;                                                                          \
    }                                                                                              \
    break
static uint32_t update_words(const struct atomic_plan *plan, uint8_t *frame,
                             const struct run_access *access) {
    const uint32_t *operand = run_words(frame, plan->reach.row[0].at);
    const uint32_t *swap = run_words(frame, plan->reach.second[0].at);
    uint32_t *result = plan->result[0].bits ? run_words(frame, plan->result[0].at) : NULL;
    const uint32_t sign = plan->letter == 's' ? 0x80000000u : 0;
    uint32_t changes = 0;
    switch (plan->operation) {
    case SCALAR_ADD: EACH_LANE(old + b);
    case SCALAR_MIN: EACH_LANE((b ^ sign) < (old ^ sign) ? b : old);
    case SCALAR_MAX: EACH_LANE((old ^ sign) < (b ^ sign) ? b : old);
    case SCALAR_INC: EACH_LANE(old >= b ? 0 : old + 1);
    case SCALAR_DEC: EACH_LANE(!old || old > b ? b : old - 1);
    case SCALAR_AND: EACH_LANE(old & b);
    case SCALAR_OR: EACH_LANE(old | b);
    case SCALAR_XOR: EACH_LANE(old ^ b);
    case SCALAR_CAS: EACH_LANE(old == b ? c : old);
    default: EACH_LANE(b); /* exch */
    }
    return changes;
}
#undef EACH_LANE

/* Whether they are such integers: registers of 32 bits, in memory that is shared, or no other
 * thread runs. */
static int are_words(const struct run_shared *shared, const struct atomic_plan *plan) {
    const int swaps = plan->operation == SCALAR_CAS;
    return !plan->format && plan->elements == 1 && plan->reach.elements == 1 &&
           plan->reach.bytes == 4 && plan->reach.row[0].bits == 32 &&
           (!swaps || plan->reach.second[0].bits == 32) &&
           (!plan->result[0].bits || plan->result[0].bits == 32) && !has_others(shared, plan) &&
           memory_is_host();
}

/* One lane. Results may be in registers of the operands, so all operands are read first. */
static void update_elements(struct run_shared *shared, const struct atomic_plan *plan,
                            uint8_t *frame, uint8_t *at, unsigned lane, int global,
                            uint64_t *changes) {
    const unsigned bits = 8u * plan->reach.bytes;
    uint64_t operand[ACCESS_MOST], swap[ACCESS_MOST];
    for (unsigned e = 0; e < plan->reach.elements; e++) {
        operand[e] = low_bits(run_get(frame, plan->reach.row[e], lane), bits);
        swap[e] = low_bits(run_get(frame, plan->reach.second[e], lane), bits);
    }
    for (unsigned e = 0; e < plan->reach.elements; e++, at += plan->reach.bytes)
        run_put(frame, plan->result[e], lane,
                update(shared, plan, at, operand[e], swap[e], global, changes));
}

static void update_lanes(struct run_warp *warp, const struct atomic_plan *plan, uint8_t *frame,
                         const struct run_access *access) {
    struct run_shared *shared = warp->worker->launch->shared;
    const int global = access->space == PTX_GLOBAL;
    uint64_t changes = 0;
    if (are_words(shared, plan)) {
        if (update_words(plan, frame, access))
            warp->block->unit->events++;
        return;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        if (plan->reach.bytes == 16) {
            update_wide(shared, plan, frame, access->host[lane], lane);
            changes = 1;
            continue;
        }
        update_elements(shared, plan, frame, access->host[lane], lane, global, &changes);
    }
    /* Repeated attempts to take a lock are not progress. */
    if (changes)
        warp->block->unit->events++;
}

/* Words of different lines come from memory together, while the access is heard. Lanes that update
 * them wait for each other. */
static void bring_words(const struct run_access *access) {
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        base_soon(access->host[run_lowest(rest)]);
}

static enum run_next update_memory(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    const struct atomic_plan *plan = op->more;
    uint32_t align = (uint32_t)plan->reach.bytes * plan->reach.elements, rest = 0;
    struct run_access access;
    reach_begin(&plan->reach, frame, lanes, &access);
    do {
        enum run_next next = plan->reach.space == PTX_GENERIC
                                 ? run_reach_generic(warp, op, &access, align, &rest)
                                 : run_reach(warp, op, &access, align);
        if (next)
            return next;
        bring_words(&access);
        hear_traffic(warp, op, &access);
        update_lanes(warp, plan, frame, &access);
        access.lanes = rest;
    } while (rest);
    return RUN_ON;
}

/* --- plan --- */

/* Whether there is a result that an instruction of the function reads. */
static int uses_result(const struct run_plan *plan, int has_result) {
    const struct ptx_operand *result = &plan->operands[0];
    return has_result && result->kind != PTX_OP_SINK &&
           (result->kind != PTX_OP_REGISTER || plan->build->uses.read[result->index]);
}

/* Adding 1 without a result is a machine instruction of its own. Its lanes share a word without
 * conflict, as those of a load do. */
static int is_counting(const struct run_plan *plan, int has_result) {
    const uint8_t type = plan->meaning.type[0];
    uint64_t number;
    return plan->meaning.operation == SCALAR_ADD &&
           (type == SCALAR_TYPE_U32 || type == SCALAR_TYPE_S32) &&
           plan_constant(plan, has_result ? 2 : 1, &number) && number == 1 &&
           !uses_result(plan, has_result);
}

/* Whether the assembler can combine the values of lanes: sums, minima, maxima and logic of 32-bit
 * integers. If the result is used, only sums. */
static int is_reducible(const struct run_plan *plan, int has_result) {
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    if ((plan->meaning.space != SCALAR_SHARED && plan->meaning.space != SCALAR_GLOBAL) ||
        plan->meaning.window == SCALAR_WINDOW_CLUSTER || plan->meaning.vector ||
        type->letter == 'f' || type->bits != 32)
        return 0;
    switch (plan->meaning.operation) {
    case SCALAR_ADD: return 1;
    case SCALAR_MIN:
    case SCALAR_MAX:
    case SCALAR_AND:
    case SCALAR_OR:
    case SCALAR_XOR: return !uses_result(plan, has_result);
    default: return 0;
    }
}

/* Wavefronts of shared memory. Vectors have no counts. */
static enum wsim_status wavefronts_plan(struct run_plan *plan, int has_result) {
    if (plan->meaning.vector ||
        (plan->meaning.space != SCALAR_SHARED && plan->meaning.space != SCALAR_GENERIC) ||
        plan->meaning.window == SCALAR_WINDOW_CLUSTER)
        return WSIM_OK;
    if (is_counting(plan, has_result))
        return count_plan(plan, SCALAR_METHOD_LD, 4);
    return count_plan(plan, plan->meaning.method, 0);
}

static enum wsim_status atomic_count_plan(struct run_plan *plan, int has_result) {
    const enum wsim_status status = wavefronts_plan(plan, has_result);
    if (status || !is_reducible(plan, has_result))
        return status;
    return count_reduced_plan(plan, &plan->operands[has_result ? 1 : 0],
                              uses_result(plan, has_result) ? &plan->operands[2] : NULL);
}

static enum wsim_status update_plan(struct run_plan *plan, int has_result) {
    struct atomic_plan *update = plan_keep(plan, sizeof *update);
    const struct isa_scalar_type *type = &isa_scalar_types[plan->meaning.type[0]];
    uint32_t at = has_result ? 1 : 0;
    enum wsim_status status;
    if (!update)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    status = reach_prepare(plan, at, has_result ? RUN_ATOMIC : RUN_REDUCE, &update->reach);
    if (!status)
        status = reach_rows(plan, at + 1, &update->reach, update->reach.row);
    if (!status && plan->meaning.operation == SCALAR_CAS)
        status = reach_rows(plan, at + 2, &update->reach, update->reach.second);
    if (!status && has_result && plan->operands[0].kind != PTX_OP_SINK)
        status = reach_rows(plan, 0, &update->reach, update->result);
    update->reach.weak = 0;
    update->reach.plain = RUN_PLAIN_STRONG;
    update->reach.replaces = plan->meaning.operation == SCALAR_EXCH;
    update->operation = plan->meaning.operation;
    update->letter = (uint8_t)type->letter;
    update->element_bits = type->element_bits;
    update->elements = type->elements;
    update->plain = (plan->build->module->flags & WSIM_MODULE_PLAIN) != 0;
    if (type->letter == 'f')
        update->format = &isa_formats[type->format];
    plan->op->step = update_memory;
    plan->op->more = update;
    plan->op->traffic = RUN_TRAFFIC_ATOMIC;
    plan->op->bytes = update->reach.bytes;
    plan->op->count = update->reach.elements;
    plan->build->program->order |= (uint8_t)has_result;
    plan->interacts = update->reach.space != PTX_SHARED;
    plan->build->program->listens |= (uint8_t)uses_result(plan, has_result);
    if (update->reach.space != PTX_GLOBAL)
        plan_flags(plan);
    plan->build->program->acquires |=
        has_result && plan->operands[0].kind != PTX_OP_SINK && plan->interacts;
    return status ? status : atomic_count_plan(plan, has_result);
}

enum wsim_status atomic_plan(struct run_plan *plan) {
    return update_plan(plan, 1);
}

enum wsim_status atomic_reduce_plan(struct run_plan *plan) {
    return update_plan(plan, 0);
}
