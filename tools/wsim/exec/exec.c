/* wsim exec: one instruction on operands from the command line. */
#include "exec_group.h"
#include "exec_print.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

static const struct tool_help help = {
    "wsim exec", "SPELLING",
    "Executes the instruction as the architecture (" TOOL_ARCH
    " unless told) does, and prints the\n"
    "registers and the matrix of the result. An operand X is one of\n"
    "  zero one     every element 0 or 1\n"
    "  eye          1 where row = column, else 0\n"
    "  iota         0, 1, 2, ... row by row, as numbers of the operand's type; starts again at 0\n"
    "               after the last integer that the type holds exactly, or 256 (e4m3: 16, e5m2: "
    "8,\n"
    "               e2m1: 4, s8 and s4: 126 and 6, as an odd count makes rows differ)\n"
    "  random:SEED  any integers and any e2m1, e2m3, e3m2; other numbers from 1/8 to 16, either\n"
    "               sign; any valid sparse positions\n"
    "  keep         --e only: the first positions of each chunk\n"
    "  hex:DIGITS   registers one after another, each 32 lanes x 8 digits (f64: x 16); bare\n"
    "               digits as well\n"
    "  @FILE        such digits from a file of at most 8 MiB; white space does not matter\n"
    "Memory is zero, iota8, iota16 or iota32 (little-endian 0, 1, 2, ...), random:SEED, hex "
    "bytes,\n"
    "@mix:SEED:LENGTH or @fill:BB:LENGTH as in traces, or @FILE (hex digits). Addresses are an\n"
    "expression over lane, hex: and 32 x 8 digits, or a file with 32 numbers. What is not given\n"
    "is a = iota, b = eye, c = zero, e = keep, sfa = sfb = one,\n"
    "r = iota, smem = iota of the element's size (stores: zero), addr = lane * 16 (wmma: 0), and\n"
    "is printed. Memory of wmma may be of any state space; its addresses are all the same, and\n"
    "--stride counts elements.\n"
    "wgmma: registers have 128 lanes. B lies in shared memory from address 0 on, A too if it has "
    "a\n"
    "descriptor. Without --smem the words of --a and --b are put where the descriptors look for\n"
    "them; --desc-b is without swizzle and without holes unless told (wsim desc encode).\n\n"
    "With --lane, and as csv, elements are listed one by one with where they are held.\n"
    "The line `evidence` says what the model of the instruction on this architecture rests on.\n",
    "  wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1 --b random:2\n"
    "  wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --addr 'lane % 16 * 16'\n"};

enum { WINDOW_MAX = 1 << 20 };

enum { SELECTOR, BID_A, TID_A, BID_B, TID_B, STRIDE, SMEM_SIZE, NUMBERS };

struct options {
    char *text[WSIM_OPERANDS];
    char *arch, *smem, *addr, *lane, *format;
    char *number[NUMBERS];
    struct exec_group_options group;
    int show_inputs;
};

static int uses_addresses(const struct exec_run *run) {
    return tool_moves_rows(&run->op) || tool_moves_fragment(&run->op);
}

static int uses_memory(const struct exec_run *run) {
    return run->is_group || uses_addresses(run);
}

/* --- what was given must have a place --- */

static int refuse_extra(const struct exec_run *run, const char *option, int given, int has) {
    if (!given || has)
        return TOOL_GO;
    return tool_error("--%s: %s has no such operand", option, run->spelling);
}

static int check_extra(const struct exec_run *run, const struct options *o) {
    int i, status = TOOL_GO;
    for (i = WSIM_A; i < WSIM_OPERANDS && status == TOOL_GO; i++)
        status = refuse_extra(run, wsim_operand_name((enum wsim_operand)i), o->text[i] != NULL,
                              run->has[i]);
    if (status == TOOL_GO)
        status = refuse_extra(run, "smem", o->smem != NULL, uses_memory(run));
    if (status == TOOL_GO)
        status = refuse_extra(run, "addr", o->addr != NULL, uses_addresses(run));
    if (status == TOOL_GO && exec_group_given(&o->group))
        status = refuse_extra(run, exec_group_given(&o->group), 1, run->is_group);
    return status;
}

/* What is not given stays 0. Byte-ids and thread-ids are 16 bits in PTX; which of them a form has
 * depends on its scale vector, and the library refuses the others. */
static int read_numbers(struct exec_run *run, const struct options *o) {
    uint32_t selectors = wsim_op_describe(&run->op).selectors;
    const struct {
        const char *option;
        int has;
        uint32_t most, *number;
    } rules[NUMBERS] = {{"--selector", run->has[WSIM_E], selectors - 1, &run->selector},
                        {"--bid-a", run->has[WSIM_SFA], UINT16_MAX, &run->bid_a},
                        {"--tid-a", run->has[WSIM_SFA], UINT16_MAX, &run->tid_a},
                        {"--bid-b", run->has[WSIM_SFB], UINT16_MAX, &run->bid_b},
                        {"--tid-b", run->has[WSIM_SFB], UINT16_MAX, &run->tid_b},
                        {"--stride", tool_moves_fragment(&run->op), WINDOW_MAX, &run->stride},
                        {"--smem-size", uses_memory(run), WINDOW_MAX, &run->smem.size}};
    int i, status = TOOL_GO;
    for (i = 0; i < NUMBERS && status == TOOL_GO; i++) {
        status = refuse_extra(run, rules[i].option + 2, o->number[i] != NULL, rules[i].has);
        if (status == TOOL_GO)
            status = tool_number(rules[i].option, o->number[i], rules[i].most, rules[i].number);
    }
    return status;
}

/* --- filling --- */

static int fill_registers(struct exec_run *run, const struct options *o) {
    int i, status = TOOL_GO;
    for (i = WSIM_A; i < WSIM_OPERANDS && status == TOOL_GO; i++) {
        if (!run->has[i])
            continue;
        run->source[i] = o->text[i];
        if (run->group.in_memory[i])
            continue;
        if (!run->source[i])
            run->source[i] = operand_default((enum wsim_operand)i);
        status = operand_fill(&run->op, run->arch, (enum wsim_operand)i, run->source[i],
                              run->selector, &run->regs[i]);
    }
    return status;
}

/* Bytes of a matrix of wmma, row by row or column by column, with room after its last line. */
static uint32_t matrix_bytes(const struct exec_run *run) {
    const struct wsim_layout *l = &run->layout[run->has[WSIM_R] ? WSIM_R : WSIM_D];
    uint64_t lines = l->rows > l->cols ? l->rows : l->cols;
    uint64_t elems = run->stride ? lines * run->stride : (uint64_t)l->rows * l->cols;
    uint64_t bytes = (elems * l->elem_bits + 7) / 8;
    return bytes < WINDOW_MAX ? (uint32_t)bytes : WINDOW_MAX;
}

/* Without --smem-size the window ends with the row that lies highest, or with the matrix. */
static uint32_t window_size(const struct exec_run *run) {
    uint32_t highest = 0, row = tool_moves_fragment(&run->op) ? matrix_bytes(run) : 16;
    int lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        highest = run->addr[lane] > highest ? run->addr[lane] : highest;
    return highest < WINDOW_MAX - row ? highest + row : WINDOW_MAX;
}

static const char *default_memory(const struct exec_run *run) {
    if (run->has[WSIM_R])
        return "zero";
    switch (run->layout[WSIM_D].elem_bits) {
    case 16: return "iota16";
    case 32: return "iota32";
    default: return "iota8";
    }
}

static int fill_memory(struct exec_run *run, const struct options *o) {
    int status;
    if (run->is_group)
        return exec_group_memory(run, o->smem);
    if (!uses_memory(run))
        return TOOL_GO;
    run->addr_source = o->addr ? o->addr : tool_moves_fragment(&run->op) ? "0" : "lane * 16";
    run->smem_source = o->smem ? o->smem : default_memory(run);
    status = input_addresses("--addr", run->addr_source, run->addr);
    if (status != TOOL_GO)
        return status;
    if (!o->number[SMEM_SIZE])
        run->smem.size = window_size(run);
    run->smem.bytes = operand_memory(run->smem_source, &run->smem.size);
    return run->smem.bytes ? TOOL_GO : TOOL_USAGE;
}

/* Each register of 32 lanes by its address; of a warpgroup the warps of a register follow each
 * other, as in the words themselves. NULL: no such operand in registers. */
static const uint32_t *const *point(struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    unsigned i;
    if (!run->has[operand] || run->group.in_memory[operand])
        return NULL;
    for (i = 0; i < layout->regs * layout->lanes / WSIM_LANES; i++)
        run->at[operand][i] = run->regs[operand].words + (size_t)i * WSIM_LANES;
    return (const uint32_t *const *)run->at[operand];
}

/* Memory serves for every state space that the instruction can name. */
static int execute(struct exec_run *run) {
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, run->smem.bytes, run->smem.size, 0);
    struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, run->smem.bytes, run->smem.size, 0);
    struct wsim_diag diag;
    struct wsim_io io = {.d = point(run, WSIM_D) ? run->at[WSIM_D] : NULL,
                         .a = point(run, WSIM_A),
                         .b = point(run, WSIM_B),
                         .c = point(run, WSIM_C),
                         .r = point(run, WSIM_R),
                         .e = point(run, WSIM_E),
                         .sfa = point(run, WSIM_SFA),
                         .sfb = point(run, WSIM_SFB),
                         .addr = run->addr,
                         .shared = run->smem.bytes ? &shared : NULL,
                         .global = run->smem.bytes ? &global : NULL,
                         .stride = run->stride,
                         .selector = run->selector,
                         .bid_a = run->bid_a,
                         .tid_a = run->tid_a,
                         .bid_b = run->bid_b,
                         .tid_b = run->tid_b,
                         .desc_a = run->group.desc[WSIM_A],
                         .desc_b = run->group.desc[WSIM_B],
                         .scale_d = run->group.scale_d,
                         .negate_a = (unsigned)run->group.negate_a,
                         .negate_b = (unsigned)run->group.negate_b,
                         .trans_a = (unsigned)run->group.trans_a,
                         .trans_b = (unsigned)run->group.trans_b};
    if (wsim_run(&run->code, &io, &diag))
        return tool_refused(NULL, &diag);
    run->is_outside = !wsim_code_documented(&run->code, &io, &run->outside);
    return TOOL_GO;
}

static int read_lane(struct exec_run *run, const struct options *o) {
    uint32_t lane = 0;
    int status;
    run->lane = -1;
    if (!o->lane)
        return TOOL_GO;
    if (!run->has[WSIM_D])
        return tool_error("--lane: %s leaves nothing in registers", run->spelling);
    status = tool_number("--lane", o->lane, run->layout[WSIM_D].lanes - 1u, &lane);
    run->lane = (int)lane;
    return status;
}

/* What has no registers is executed by somebody else, or not at all: the old door knows who. */
static enum wsim_status refuse_without_registers(const struct exec_run *run,
                                                 struct wsim_diag *diag) {
    if (wsim_op_describe(&run->op).operands)
        return WSIM_OK;
    return wsim_exec(&run->op, run->arch, &(struct wsim_operands){0}, diag);
}

/* Legality first, so that nobody fills operands of what cannot run. */
static int prepare(struct exec_run *run, const struct options *o, const char **args) {
    struct wsim_diag diag;
    int i, status = tool_op(args, &run->op);
    if (status != TOOL_GO)
        return status;
    run->arch = tool_arch(o->arch);
    if (!run->arch)
        return TOOL_USAGE;
    if (wsim_op_check(&run->op, run->arch, &diag) || refuse_without_registers(run, &diag) ||
        wsim_prepare(&run->op, run->arch, 0, &run->code, &diag))
        return tool_refused(NULL, &diag);
    wsim_op_spell(&run->op, run->spelling);
    for (i = 0; i < WSIM_OPERANDS; i++)
        run->has[i] = wsim_op_layout(&run->op, run->arch, (enum wsim_operand)i, &run->layout[i],
                                     &diag) == WSIM_OK;
    run->is_group = wsim_op_describe(&run->op).threads > WSIM_LANES;
    run->evidence = wsim_op_evidence(&run->op, run->arch, WSIM_RESULTS, &run->evidence_source);
    run->caveat = wsim_op_caveat(&run->op, run->arch, WSIM_RESULTS);
    run->show_inputs = o->show_inputs;
    if (run->is_group)
        status = exec_group_open(run, &o->group);
    if (status == TOOL_GO)
        status = read_lane(run, o);
    if (status == TOOL_GO)
        status = check_extra(run, o);
    return status == TOOL_GO ? read_numbers(run, o) : status;
}

static void print(const struct exec_run *run, enum tool_format format) {
    if (format == TOOL_JSON)
        exec_print_json(run);
    else if (format == TOOL_CSV)
        exec_print_csv(run);
    else
        exec_print_text(run);
}

static int run_command(const struct options *o, const char **args) {
    struct exec_run *run = memory_make(1, sizeof *run);
    enum tool_format format;
    int status = tool_format(o->format, TOOL_TEXT | TOOL_JSON | TOOL_CSV, &format);
    if (status == TOOL_GO)
        status = prepare(run, o, args);
    if (status == TOOL_GO)
        status = fill_registers(run, o);
    if (status == TOOL_GO)
        status = fill_memory(run, o);
    if (status == TOOL_GO)
        status = execute(run);
    if (status == TOOL_GO) {
        print(run, format);
        status = TOOL_FINE;
    }
    free(run->smem.bytes);
    free(run);
    return status;
}

int exec_main(int argc, const char **argv) {
    struct options o = {.arch = NULL};
    /* clang-format off */
    const struct poptOption table[] = {
        {"arch", 0, POPT_ARG_STRING, &o.arch, 0, "Target, such as sm_80 or h100", "NAME"},
        {"a", 0, POPT_ARG_STRING, &o.text[WSIM_A], 0, "Matrix A, or what movmatrix moves", "X"},
        {"b", 0, POPT_ARG_STRING, &o.text[WSIM_B], 0, "Matrix B", "X"},
        {"c", 0, POPT_ARG_STRING, &o.text[WSIM_C], 0, "Matrix C", "X"},
        {"e", 0, POPT_ARG_STRING, &o.text[WSIM_E], 0, "Sparse metadata", "X"},
        {"selector", 0, POPT_ARG_STRING, &o.number[SELECTOR], 0, "Sparsity selector", "NUMBER"},
        {"sfa", 0, POPT_ARG_STRING, &o.text[WSIM_SFA], 0, "Scale factors of A", "X"},
        {"sfb", 0, POPT_ARG_STRING, &o.text[WSIM_SFB], 0, "Scale factors of B", "X"},
        {"bid-a", 0, POPT_ARG_STRING, &o.number[BID_A], 0, "Byte-id, factors of A", "NUMBER"},
        {"tid-a", 0, POPT_ARG_STRING, &o.number[TID_A], 0, "Thread-id, factors of A", "NUMBER"},
        {"bid-b", 0, POPT_ARG_STRING, &o.number[BID_B], 0, "Byte-id, factors of B", "NUMBER"},
        {"tid-b", 0, POPT_ARG_STRING, &o.number[TID_B], 0, "Thread-id, factors of B", "NUMBER"},
        {"r", 0, POPT_ARG_STRING, &o.text[WSIM_R], 0, "What stmatrix stores", "X"},
        {"smem", 0, POPT_ARG_STRING, &o.smem, 0, "Shared memory", "MEMORY"},
        {"smem-size", 0, POPT_ARG_STRING, &o.number[SMEM_SIZE], 0, "Its size, unless hex", "BYTES"},
        {"addr", 0, POPT_ARG_STRING, &o.addr, 0, "Row addresses", "EXPR|FILE"},
        {"stride", 0, POPT_ARG_STRING, &o.number[STRIDE], 0, "Of wmma.load, wmma.store", "ELEMENTS"},
        {"desc-a", 0, POPT_ARG_STRING, &o.group.desc[WSIM_A], 0, "wgmma: A in memory", "HEX"},
        {"desc-b", 0, POPT_ARG_STRING, &o.group.desc[WSIM_B], 0, "wgmma: where B lies", "HEX"},
        {"trans-a", 0, POPT_ARG_NONE, &o.group.trans_a, 0, "wgmma: A is MN-major", NULL},
        {"trans-b", 0, POPT_ARG_NONE, &o.group.trans_b, 0, "wgmma: B is MN-major", NULL},
        {"negate-a", 0, POPT_ARG_NONE, &o.group.negate_a, 0, "wgmma: imm-scale-a is -1", NULL},
        {"negate-b", 0, POPT_ARG_NONE, &o.group.negate_b, 0, "wgmma: imm-scale-b is -1", NULL},
        {"scale-d", 0, POPT_ARG_STRING, &o.group.scale_d, 0, "wgmma: 0 leaves C out", "0|1"},
        {"show-inputs", 0, POPT_ARG_NONE, &o.show_inputs, 0, "Print the inputs as well", NULL},
        {"lane", 0, POPT_ARG_STRING, &o.lane, 0, "Only what this lane holds", "LANE"},
        {"format", 0, POPT_ARG_STRING, &o.format, 0, "text, json or csv", "FORMAT"},
        TOOL_OPTIONS_END};
    /* clang-format on */
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = run_command(&o, tool.args);
    tool_close(&tool);
    return status;
}
