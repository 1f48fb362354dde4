/* Uninitialised bits through each operation: registers that it reads, registers that it writes. */
#include "taint.h"

#include "../decode/plan.h"
#include "../isa/isa.h"
#include "../reach/reach.h"
#include "../state/module.h"
#include "../sync/lanes.h"
#include "flow.h"

/* An instruction of a warp with taint. */
struct moment {
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_function *function;
    const struct ptx_instruction *instruction;
    const struct ptx_operand *operands;
    const struct scalar_meaning *meaning;
    const struct wsim_scalar_info *info;
    uint8_t *frame;
    struct taint_frame *mirror;
    uint32_t on;
};

static const struct wsim_module *module_of(const struct run_warp *warp) {
    const struct wsim_module *module = warp->worker->launch->module;
    while (module && &module->ptx != warp->program->module)
        module = module->next;
    return module;
}

/* 0: an operation that the engine put in. */
static int find_instruction(struct moment *moment) {
    const struct run_warp *warp = moment->warp;
    const uint32_t number = run_number(warp, moment->op);
    const uint32_t where = warp->program->where[number];
    const struct wsim_module *module = module_of(warp);
    if (where == RUN_NOWHERE || !module)
        return 0;
    moment->function = run_function_of(warp->program, number);
    moment->instruction = &moment->function->source->code[where];
    moment->operands = &moment->function->source->operands[moment->instruction->first];
    moment->meaning = NULL;
    if (module->ptx.opcodes[moment->instruction->opcode].kind == PTX_SCALAR) {
        moment->meaning = &module->meanings[moment->instruction->opcode];
        moment->info = &module->infos[moment->instruction->opcode];
    }
    return 1;
}

static struct run_row row_of(const struct moment *moment, uint32_t reg) {
    return (struct run_row){
        .at = moment->function->registers[reg].at,
        .bits = (uint8_t)moment->function->source->registers[reg].type.bits,
    };
}

/* --- operands as the text names them --- */

typedef void visit(struct moment *moment, struct run_row row, int is_address);

static void visit_operand(struct moment *moment, const struct ptx_operand *operand, int is_address,
                          visit *visit) {
    const struct ptx_operand *parts = &moment->function->source->operands[operand->first];
    switch (operand->kind) {
    case PTX_OP_REGISTER:
    case PTX_OP_SUM: visit(moment, row_of(moment, operand->index), is_address); break;
    case PTX_OP_ADDRESS: is_address = 1; /* fall through */
    case PTX_OP_VECTOR:
    case PTX_OP_PAIR:
        for (uint32_t i = 0; i < operand->count; i++)
            visit_operand(moment, &parts[i], is_address, visit);
        break;
    default: break;
    }
}

static void clear_row(struct moment *moment, struct run_row row, int is_address) {
    if (!is_address)
        taint_clear(moment->mirror, row, moment->on);
}

static void use_row(struct moment *moment, struct run_row row, int is_address) {
    taint_use(moment->warp, moment->op, moment->mirror, row, moment->on,
              is_address ? TAINT_ADDRESS : TAINT_OPERAND);
}

static void use_address(struct moment *moment, struct run_row row, int is_address) {
    if (is_address)
        use_row(moment, row, 1);
}

/* Operands in front that are results. */
static uint32_t count_results(const struct moment *moment) {
    uint32_t results = 0, n = 0;
    for (uint32_t i = 0; i < moment->info->operands; i++) {
        n += !moment->info->operand[i].pair;
        if (moment->info->operand[i].result)
            results = n;
    }
    return results;
}

static void visit_range(struct moment *moment, uint32_t from, uint32_t to, visit *visit) {
    for (uint32_t i = from; i < to && i < moment->instruction->count; i++)
        visit_operand(moment, &moment->operands[i], 0, visit);
}

/* Every source is used, and every result is initialised. */
static void use_sources(struct moment *moment) {
    const uint32_t results = count_results(moment);
    for (uint32_t i = 0; i < moment->instruction->count; i++)
        visit_operand(moment, &moment->operands[i], 0, i < results ? use_address : use_row);
    visit_range(moment, 0, results, clear_row);
}

/* Every bit of the results depends on every bit of the sources. */
static void spread(struct moment *moment) {
    const uint32_t results = count_results(moment);
    const struct ptx_operand *to = &moment->operands[0];
    uint32_t origin[RUN_LANES] = {0}, tainted = 0;
    struct run_row row;
    for (uint32_t i = results; i < moment->instruction->count; i++) {
        if (moment->operands[i].kind != PTX_OP_REGISTER)
            continue;
        row = row_of(moment, moment->operands[i].index);
        for (uint32_t rest = taint_lanes(moment->mirror, row, moment->on); rest; rest &= rest - 1) {
            tainted |= rest & (0u - rest);
            origin[run_lowest(rest)] = moment->mirror->origins[taint_place(row, run_lowest(rest))];
        }
    }
    visit_range(moment, 0, results, clear_row);
    if (to->kind != PTX_OP_REGISTER)
        return;
    row = row_of(moment, to->index);
    for (; tainted; tainted &= tainted - 1)
        taint_put(moment->mirror, row, run_lowest(tainted), UINT64_MAX,
                  origin[run_lowest(tainted)]);
}

/* --- kinds of instructions --- */

static int is_packed(const struct moment *moment) {
    return moment->meaning->method == SCALAR_METHOD_MOVE_LIST ||
           (moment->meaning->method == SCALAR_METHOD_MOVE && moment->instruction->count == 2 &&
            (moment->operands[0].kind == PTX_OP_VECTOR ||
             moment->operands[1].kind == PTX_OP_VECTOR));
}

static void use_guard(struct moment *moment, uint32_t lanes) {
    const struct run_row guard = {.at = moment->op->guard, .bits = 1};
    taint_use(moment->warp, moment->op, moment->mirror, guard, lanes, TAINT_BRANCH);
}

static void compute(struct moment *moment, uint32_t lanes) {
    if (is_packed(moment)) {
        use_guard(moment, lanes);
        taint_pack(moment->op, moment->on, moment->mirror);
    } else if (moment->op->more) {
        taint_data(moment->frame, moment->op, lanes, moment->on, moment->mirror);
    } else {
        visit_range(moment, 0, 1, clear_row);
    }
}

/* Parameters of functions are memory of the frame, whose mirror has their bits too. */
static void access_memory(struct moment *moment) {
    const int loads = moment->meaning->method == SCALAR_METHOD_LD;
    visit_range(moment, 0, moment->instruction->count, use_address);
    if (moment->op->traffic == RUN_NO_TRAFFIC)
        memory_param_taint(moment->op, moment->mirror, moment->on);
    else if (loads)
        visit_range(moment, 0, 1, clear_row);
}

/* Values go from lane to lane when all have met (sync/lanes.c). */
static void use_places(struct moment *moment) {
    const struct sync_gather *gather = moment->op->more;
    if (!gather) /* activemask */
        visit_range(moment, 0, 1, clear_row);
    if (!gather)
        return;
    use_row(moment, gather->b, 0);
    use_row(moment, gather->c, 0);
    use_row(moment, gather->mask, 0);
}

static void do_scalar(struct moment *moment, uint32_t lanes) {
    const enum scalar_method method = (enum scalar_method)moment->meaning->method;
    if (moment->meaning->kind == SCALAR_COMPUTES || moment->meaning->kind == SCALAR_MOVES) {
        compute(moment, lanes);
        return;
    }
    use_guard(moment, lanes);
    if (!moment->on || moment->warp->group->again)
        return;
    switch (method) {
    case SCALAR_METHOD_LD:
    case SCALAR_METHOD_ST: access_memory(moment); break;
    case SCALAR_METHOD_CVTA:
    case SCALAR_METHOD_ISSPACEP:
    case SCALAR_METHOD_MAPA:
    case SCALAR_METHOD_GETCTARANK: spread(moment); break;
    case SCALAR_METHOD_CALL:
        for (uint32_t i = 0; i < moment->instruction->count; i++)
            if (moment->operands[i].kind == PTX_OP_REGISTER) /* of the function */
                visit_range(moment, i, i + 1, use_row);
        break;
    case SCALAR_METHOD_RET: break;
    default:
        if (moment->meaning->kind == SCALAR_GATHERS)
            use_places(moment);
        else if (moment->meaning->kind != SCALAR_HINTS)
            use_sources(moment);
        break;
    }
}

/* Matrices and copies: registers of addresses, sizes and descriptors are used. The bits of
 * fragments move when the whole warp is here. */
static void do_matrix(struct moment *moment, uint32_t lanes) {
    const struct run_warp *warp = moment->warp;
    const struct wsim_op *op = &warp->program->module->opcodes[moment->instruction->opcode].op;
    const enum wsim_family family = isa_form(op)->family;
    const int is_whole = moment->on == warp->lanes;
    const uint32_t count = moment->instruction->count;
    use_guard(moment, lanes);
    switch (family) {
    case WSIM_MMA:
    case WSIM_WMMA:
        if (is_whole)
            taint_mma(op, moment->op, moment->mirror);
        break;
    case WSIM_MOVMATRIX:
        if (is_whole)
            taint_exchange(moment->op, moment->warp, moment->mirror);
        break;
    case WSIM_LDMATRIX:
    case WSIM_WMMA_LOAD_A:
    case WSIM_WMMA_LOAD_B:
    case WSIM_WMMA_LOAD_C:
        visit_range(moment, 1, count, use_row);
        if (is_whole)
            visit_range(moment, 0, 1, clear_row);
        break;
    case WSIM_STMATRIX:
    case WSIM_WMMA_STORE:
        visit_range(moment, 0, 1, use_row);
        visit_range(moment, 2, count, use_row);
        if (is_whole)
            taint_fragment_store(moment->op, moment->warp, moment->mirror);
        break;
    case WSIM_WGMMA: /* its registers: when it is executed */
        for (uint32_t i = 1; i < count; i++)
            if (moment->operands[i].kind == PTX_OP_REGISTER)
                visit_range(moment, i, i + 1, use_row);
        break;
    default: visit_range(moment, 0, count, use_row); break;
    }
}

/* A register and a number, before an instruction that has the sum as its operand. */
static void add_offset(struct moment *moment) {
    const struct run_op *op = moment->op;
    const struct run_row to = {.at = op->at[0], .bits = op->bytes};
    const struct run_row from = {.at = op->at[1], .bits = op->bytes};
    for (uint32_t rest = moment->on; rest; rest &= rest - 1)
        taint_put(moment->mirror, to, run_lowest(rest),
                  taint_get(moment->mirror, from, run_lowest(rest)) ? UINT64_MAX : 0,
                  moment->mirror->origins[taint_place(from, run_lowest(rest))]);
}

void taint_before(uint8_t *frame, const struct run_op *op, uint32_t lanes, uint32_t on,
                  struct run_warp *warp) {
    struct moment moment = {
        .warp = warp, .op = op, .frame = frame, .mirror = taint_find(warp, frame), .on = on};
    warp->taint->loads = warp->taint->stores = 0;
    if (!moment.mirror)
        return;
    if (!find_instruction(&moment)) {
        if (op->step == plan_add_offset)
            add_offset(&moment);
        return;
    }
    if (moment.meaning)
        do_scalar(&moment, lanes);
    else
        do_matrix(&moment, lanes);
}

/* A load marks the bits of its registers. */
static void put_loaded(const struct reach_plan *reach, struct taint_frame *mirror,
                       const struct run_taint *taint, unsigned lane) {
    for (unsigned e = 0; e < reach->elements; e++) {
        const uint32_t bytes = taint->loaded[lane] >> e * reach->bytes;
        uint64_t bits[2] = {0, 0};
        for (unsigned i = 0; i < reach->bytes; i++)
            if (bytes >> i & 1)
                bits[i / 8] |= UINT64_C(0xFF) << 8 * (i % 8);
        if (reach->is_signed && reach->bytes < 8 && bytes >> (reach->bytes - 1) & 1)
            bits[0] |= UINT64_MAX << 8 * reach->bytes;
        taint_put(mirror, reach->row[e], lane, bits[0], taint->origin[lane]);
        if (reach->row[e].bits == 128)
            taint_put_high(mirror, reach->row[e], lane, bits[1], taint->origin[lane]);
    }
}

/* Whether the operation is a matrix instruction. */
static int is_fragment(const struct run_warp *warp, const struct run_op *op) {
    struct moment moment = {.warp = (struct run_warp *)(uintptr_t)warp, .op = op};
    return find_instruction(&moment) && !moment.meaning;
}

void taint_after(const struct run_op *op, uint32_t on, struct run_warp *warp) {
    struct taint_frame *mirror;
    if (!warp->taint || !warp->taint->loads)
        return;
    mirror = taint_mirror(warp, warp->group->frame);
    if (mirror && is_fragment(warp, op))
        taint_fragment_load(op, warp, mirror);
    else
        for (uint32_t rest = mirror ? on : 0; rest; rest &= rest - 1)
            if (warp->taint->loaded[run_lowest(rest)])
                put_loaded(op->more, mirror, warp->taint, run_lowest(rest));
    warp->taint->loads = 0;
}
