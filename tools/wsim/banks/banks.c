/* wsim banks: the wavefronts of one access of shared memory or copy, and where they come from. */
#include "access_print.h"
#include "host_code.h"
#include "copy_print.h"
#include "fragment_print.h"
#include "suggest.h"
#include "sweep.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/picture.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct tool_help help = {
    "wsim banks", "ACCESS",
    "Counts the wavefronts of one access of a warp, as PTX spells it: ld, st, atom, red,\n"
    "ldmatrix, stmatrix, wmma.load, wmma.store or cp.async. A wavefront is one pass through the "
    "32\n"
    "banks of 4 bytes. `ideal` is what the same lanes cost without a conflict, which is not the\n"
    "ideal of Nsight Compute (lab/reports/hardware-notes.md); conflicts = wavefronts - ideal "
    "(atom.cas:\n"
    "half of that, since it reads, then writes).\n"
    "\n"
    "--addr is an expression over `lane` or the name of a file ('-': standard input) with 32\n"
    "numbers, at most 8 MiB. Expressions are C's, with + - * / % << >> & | ^ ~ ! == != < <= > >= "
    "&& || ?: ( ),\n"
    "decimal and 0x numbers, in 64-bit two's complement; an address is 0 to 0xffffffff. "
    "swz128(a),\n"
    "swz64(a) and swz32(a) are where a swizzle puts address a; warp is 0 unless --let has it, and\n"
    "tid is 32 * warp + lane. --let gives names values, 'pitch=72', or sweeps them, 'k=0..7' or\n"
    "'k=0..96:32': the access is counted in each step, and the counts are added up.\n"
    "\n"
    "With --decl 'float tile[32][33]', or with that and a ';' in front of the expression, it is "
    "one\n"
    "of C as it stands in a kernel: 'tile[threadIdx.x][0]', '&tile[ty][tx + 1]', 'smem + tid',\n"
    "'reinterpret_cast<float4 *>(tile)[tx]'. Types are those of C, CUDA and PTX (half, uint4, s8). "
    "The\n"
    "first array begins at byte 0, and each behind the one before. tx, ty and tz are threadIdx.x, "
    ".y\n"
    "and .z, of a block of --block threads; blockIdx is 0.\n"
    "\n"
    "With --c the addresses are those of a function of C, address(lane) of FILE or another one "
    "that\n"
    "is named, and --addr, if it is given, is an expression of C over lane, warp, tid, the names "
    "of\n"
    "--let and what FILE has. cc or $CC builds it into a shared object in a temporary folder, and "
    "a\n"
    "process of its own runs it. Words of CUDA (__device__ ...) mean nothing there.\n"
    "\n"
    "In the picture a row is a lane and a column is a bank. 1 is the first word of its bank, 2 "
    "the\n"
    "second distinct word there, and so on (atomics: lanes); a bank with a 2 costs a wavefront\n"
    "more.\n"
    "\n"
    "A cp.async reads at --src, an offset from a multiple of 8 MiB (lane * size if not given), "
    "and\n"
    "writes at --addr. Its lanes are listed with both banks; a * marks those that cost a "
    "wavefront\n"
    "each. Nsight Compute's source page counts it in another way, which stands below. What a\n"
    "cp.async.cg costs no counter tells: the cost is unknown, and what a store to the same\n"
    "addresses costs stands there for comparison.\n"
    "\n"
    "A wmma.load or wmma.store of shared memory is several accesses in machine code, which are\n"
    "listed one by one; its --addr is where the matrix starts (0 if not given), --stride counts\n"
    "elements.\n"
    "\n"
    "--suggest looks for a function of the address that makes the access cheaper: exclusive-ors "
    "of\n"
    "higher bits into those of the bank, and rows with a few bytes more, of --pitch bytes or of "
    "any\n"
    "distance between lanes. The addresses count from the beginning of the tile. All accesses of\n"
    "the tile have to go with it, so those that fill it and those that read it are given "
    "together:\n"
    "--with 'st.shared.b32 lane * 4'. The steps of --let are counted, equal ones once.\n"
    "\n"
    "The line `evidence` is there if the count was not recorded on that architecture. Exit status "
    "1\n"
    "only with --fail-on-conflicts, if there are any; 3 with it, if the cost is not known.\n",
    "  wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane % 16 * 128 + lane / 16 * "
    "16'\n"
    "  wsim banks ld.shared.f32 --decl 'float tile[32][33]' --addr 'tile[threadIdx.x][0]'\n"};

/* "tile[threadIdx.y][0]": a name and an index, as no instruction has them. */
static int is_indexed(const char *text) {
    size_t length = strcspn(text, " .[(;{\"");
    return length > 0 && text[length] == '[';
}

/* Before the addresses are asked for, which may be missing as well. */
static int read_access(const char **args, struct banks_options *options, struct wsim_op *op) {
    struct wsim_atom atom;
    char bytes[8];
    int status;
    if (!args[0])
        return tool_error("no access given, such as ld.shared.v4.u32");
    if (is_indexed(args[0]))
        return tool_error("'%s' is an expression of addresses: the instruction that accesses them "
                          "comes first, as in wsim banks ld.shared.f32 --decl 'float "
                          "tile[32][32]' --addr 'tile[threadIdx.x][0]'",
                          text_cut(args[0]).text);
    if (args[1] && (isalnum((unsigned char)*args[1]) || *args[1] == '&'))
        return tool_error("'%s' is one too many: addresses are an expression behind --addr, "
                          "such as --addr 'lane*128', or --decl and --addr",
                          text_cut(args[1]).text);
    status = tool_op_atom(args, op, &atom);
    if (status != TOOL_GO)
        return status;
    snprintf(bytes, sizeof bytes, "%u", atom.bytes);
    if (atom.bytes && !options->size) /* the atom says it: SM80_CP_ASYNC_CACHEALWAYS<uint128_t> */
        options->size = memory_text(bytes, strlen(bytes));
    if (wsim_op_describe(op).counting == WSIM_COUNT_NONE)
        return tool_error(
            "'%s' is no access of lanes; wsim banks counts ld, st, atom, red, ldmatrix, "
            "stmatrix, wmma.load, wmma.store and cp.async",
            text_path(args[0]).text);
    return TOOL_GO;
}

/* What an access and a copy have in common. */
static int read_where(const struct banks_options *options, uint32_t *mask,
                      const struct wsim_arch **arch) {
    int status = tool_number("--mask", options->mask, UINT32_MAX, mask);
    if (status != TOOL_GO)
        return status;
    *arch = tool_arch(options->arch);
    return *arch ? TOOL_GO : TOOL_USAGE;
}

/* An unknown cost is no success under --fail-on-conflicts. */
static int found(const struct banks_options *options, uint32_t conflicts, int known) {
    if (options->fail && conflicts)
        return TOOL_FOUND;
    return options->fail && !known ? TOOL_UNMODELLED : TOOL_FINE;
}

static int print_access(const struct access_run *run, enum tool_format format) {
    if (format != TOOL_JSON)
        return access_print(run, format);
    if (run->counting == WSIM_COUNT_FRAGMENT)
        fragment_print_json(run);
    else
        access_print_json(run);
    return TOOL_FINE;
}

/* What the function of --c gave, or an expression or file. */
int banks_addresses(const struct banks_options *options, const char *option, const char *text,
                    uint32_t addr[32]) {
    unsigned lane;
    if (!options->lanes)
        return input_addresses_in(options->scope, option, text, addr);
    for (lane = 0; lane < WSIM_LANES; lane++) {
        int64_t value = options->lanes[lane];
        if (value < 0 || value > UINT32_MAX)
            return tool_error("--c: lane %u: %lld is %s", lane, (long long)value,
                              value < 0 ? "negative" : "more than 32 bits");
        addr[lane] = (uint32_t)value;
    }
    return TOOL_GO;
}

static int answer_access(const struct wsim_op *op, const struct banks_options *options,
                         enum tool_format format) {
    struct access_run run = {.mask = UINT32_MAX};
    int status = read_where(options, &run.mask, &run.arch);
    if (status == TOOL_GO)
        status = access_count(&run, op, options);
    if (status != TOOL_GO)
        return status;
    status = print_access(&run, format);
    return status != TOOL_FINE ? status : found(options, run.cost.conflicts, 1);
}

static int answer_copy(const struct wsim_op *op, const struct banks_options *options,
                       enum tool_format format) {
    struct copy_run run = {.io.mask = UINT32_MAX};
    int status = read_where(options, &run.io.mask, &run.arch);
    if (status == TOOL_GO)
        status = copy_count(&run, op, options);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_JSON)
        copy_print_json(&run);
    else
        status = copy_print(&run, format);
    return status != TOOL_GO && status != TOOL_FINE
               ? status
               : found(options, run.hardware.cost.conflicts, run.unknown == 0);
}

/* --- sweeps --- */

/* The passes through each bank, of all groups. */
static void count_passes(const struct access_run *run, uint32_t passes[WSIM_BANKS]) {
    uint8_t turn[WSIM_LANES];
    for (unsigned i = 0; i < run->cost.groups; i++)
        for (unsigned bank = 0; bank < WSIM_BANKS; bank++)
            passes[bank] += wsim_cost_turns(&run->access[run->group[i].access], run->group[i].lanes,
                                            bank, turn);
}

/* The cost of one step; what a page shows of it stays in the sweep. */
static int count_step(const struct wsim_op *op, const struct banks_options *options,
                      struct sweep *sweep, uint32_t step) {
    struct copy_run one_copy, *copy = &one_copy;
    struct access_run one_access, *access = &one_access;
    int copies = wsim_op_describe(op).counting == WSIM_COUNT_COPY, status;
    const struct wsim_cost *cost;
    if (step < sweep->cards) {
        copy = sweep->copy ? &sweep->copy[step] : copy;
        access = sweep->access ? &sweep->access[step] : access;
    }
    *copy = (struct copy_run){.io.mask = UINT32_MAX};
    *access = (struct access_run){.mask = UINT32_MAX};
    cost = copies ? &copy->hardware.cost : &access->cost;
    status = read_where(options, copies ? &copy->io.mask : &access->mask, &sweep->arch);
    copy->arch = access->arch = sweep->arch;
    if (status == TOOL_GO)
        status = copies ? copy_count(copy, op, options) : access_count(access, op, options);
    if (status != TOOL_GO)
        return status;
    sweep->step[step] = (struct sweep_step){cost->wavefronts, cost->ideal, cost->conflicts};
    sweep->unknown |= copies && copy->unknown;
    if (sweep->passes && !copies)
        count_passes(access, sweep->passes[step]);
    return TOOL_GO;
}

/* What a page needs. */
static void open_cards(const struct wsim_op *op, struct sweep *sweep) {
    uint32_t steps = sweep->let->steps;
    sweep->cards = steps < SWEEP_CARDS ? steps : SWEEP_CARDS;
    if (wsim_op_describe(op).counting == WSIM_COUNT_COPY) {
        sweep->copy = memory_make(sweep->cards, sizeof *sweep->copy);
        return;
    }
    sweep->access = memory_make(sweep->cards, sizeof *sweep->access);
    sweep->passes = memory_make(steps, sizeof *sweep->passes);
}

/* What is wrong in a step is told with the values that it has. */
static void tell_step(const struct let *let) {
    char text[512] = "with";
    size_t n = strlen(text);
    for (unsigned i = 0; i < let->names && n < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s=%lld", let->name[i].text,
                              (long long)let->name[i].value);
    if (n < sizeof text)
        snprintf(text + n, sizeof text - n, ": ");
    tool_subject(text);
}

static int answer_sweep(const struct wsim_op *op, struct banks_options *options, struct let *let,
                        const int64_t *values, enum tool_format format) {
    char spelling[WSIM_SPELLING_MAX];
    struct sweep sweep = {.let = let, .spelling = spelling};
    int status = TOOL_GO;
    if (!(format & (TOOL_TEXT | TOOL_JSON | TOOL_CSV)))
        open_cards(op, &sweep);
    wsim_op_spell(op, spelling);
    sweep.step = memory_make(let->steps, sizeof *sweep.step);
    for (uint32_t i = 0; i < let->steps && status == TOOL_GO; i++) {
        let_step(let, i);
        options->lanes = values ? values + (size_t)i * WSIM_LANES : NULL;
        tell_step(let);
        status = count_step(op, options, &sweep, i);
        tool_subject("");
    }
    if (status == TOOL_GO)
        status = sweep_print(&sweep, format);
    if (status == TOOL_FINE)
        status = found(options, sweep_sum(&sweep).conflicts != 0, !sweep.unknown);
    free(sweep.step);
    free(sweep.passes);
    free(sweep.access);
    free(sweep.copy);
    return status;
}

/* --- what a kernel says of its arrays and threads --- */

/* "32x8", "32,8,1": threads of a block along x, y and z. */
static int read_block(const char *text, uint32_t block[3]) {
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        size_t n = at ? strcspn(at, "x,") : 0;
        block[i] = 1;
        if (at && (!tool_is_number(at, n, 1024, &block[i]) || block[i] == 0))
            return tool_error("--block '%s': it is 1 to 3 numbers up to 1024, as in 32x8",
                              text_cut(text).text);
        at = at && at[n] ? at + n + 1 : NULL;
    }
    if (at)
        return tool_error("--block '%s': a block has three dimensions", text_cut(text).text);
    return TOOL_GO;
}

/* Where several arrays lie is told: the compiler may have put them otherwise. So is an access to a
 * part of an element, which a kernel makes in its own type. */
static void tell_places(const struct wsim_op *op, const struct let *let, const char *expression) {
    const unsigned bytes = wsim_op_describe(op).bytes;
    struct expr_arrays arrays;
    struct expr_error error;
    if (!expression || expr_places(&let->scope, expression, &arrays, &error))
        return;
    for (unsigned i = 0; i < arrays.count; i++) {
        const struct expr_type *type = &arrays.array[i].type;
        if (bytes && bytes < type->bytes / type->parts)
            tool_note("elements of %s have %lu bytes, the instruction accesses %u of each",
                      arrays.array[i].text, (unsigned long)(type->bytes / type->parts), bytes);
    }
    for (unsigned i = 0; i < arrays.count && arrays.count > 1; i++)
        tool_note("%s %s at byte %llu", arrays.array[i].text,
                  arrays.array[i].is_pointer ? "points" : "lies",
                  (unsigned long long)arrays.array[i].at);
}

static int read_scope(const struct wsim_op *op, const struct banks_options *options,
                      struct let *let) {
    int status = let_read(options->let, let);
    if (status == TOOL_GO && options->block)
        status = read_block(options->block, let->scope.block);
    let->scope.declarations = options->decl;
    if (status == TOOL_GO && options->code && options->decl)
        status = tool_error("--decl and --c both say what addresses are made of: give one");
    if (status == TOOL_GO)
        tell_places(op, let, options->addr);
    return status;
}

static int answer_lanes(const struct wsim_op *op, struct banks_options *options,
                        enum tool_format format) {
    struct let let;
    int64_t *values = NULL;
    int status = read_scope(op, options, &let);
    options->scope = &let.scope;
    if (status == TOOL_GO && options->code)
        status = code_values(options->code, options->addr, &let, &values);
    if (status != TOOL_GO) {
        free(values);
        return status;
    }
    options->lanes = values;
    if (options->suggest)
        status = suggest_answer(op, options, &let, values, format);
    else if (let_sweeps(&let))
        status = answer_sweep(op, options, &let, values, format);
    else if (wsim_op_describe(op).counting == WSIM_COUNT_COPY)
        status = answer_copy(op, options, format);
    else
        status = answer_access(op, options, format);
    free(values);
    return status;
}

static int answer(struct banks_options *options, const char **args) {
    enum tool_format format;
    struct wsim_op op;
    int status = tool_format(options->format, TOOL_PICTURES | TOOL_JSON, &format);
    if (status == TOOL_GO)
        status = read_access(args, options, &op);
    if (status != TOOL_GO)
        return status;
    if (!options->suggest && (options->with || options->pitch))
        return tool_error("--with and --pitch belong to --suggest");
    if (options->stride && !tool_moves_fragment(&op))
        return tool_error("--stride belongs to wmma.load and wmma.store");
    return answer_lanes(&op, options, format);
}

int banks_main(int argc, const char **argv) {
    struct banks_options o = {0};
    const struct poptOption table[] = {
        {"addr", 0, POPT_ARG_STRING, &o.addr, 0, "Byte address of each lane", "EXPR|FILE"},
        {"let", 0, POPT_ARG_STRING, &o.let, TOOL_LIST, "Values of names in expressions",
         "NAME=VALUE|FIRST..LAST[:BY]"},
        {"decl", 0, POPT_ARG_STRING, &o.decl, TOOL_LIST, "Arrays in expressions, as in C",
         "'TYPE NAME[N]'"},
        {"block", 0, POPT_ARG_STRING, &o.block, 0, "Threads of a block (all along x)", "XxYxZ"},
        {"c", 0, POPT_ARG_STRING, &o.code, 0, "Addresses out of C", "FILE[:FUNCTION]"},
        {"mask", 0, POPT_ARG_STRING, &o.mask, 0, "Active lanes, bit l for lane l", "NUMBER"},
        {"arch", 0, POPT_ARG_STRING, &o.arch, 0, "Target (" TOOL_ARCH ")", "NAME"},
        {"size", 0, POPT_ARG_STRING, &o.size, 0, "cp.async: bytes a lane, 4 8 or 16", "NUMBER"},
        {"src", 0, POPT_ARG_STRING, &o.src, 0, "cp.async: where each lane reads", "EXPR|FILE"},
        {"src-size", 0, POPT_ARG_STRING, &o.src_size, 0, "cp.async: bytes each lane reads",
         "EXPR|FILE"},
        {"lines", 0, POPT_ARG_STRING, &o.lines, 0, "cp.async: source in L1: cold or warm", "STATE"},
        {"stride", 0, POPT_ARG_STRING, &o.stride, 0, "wmma: from line to line", "ELEMENTS"},
        {"suggest", 0, POPT_ARG_NONE, &o.suggest, 0, "Look for a better place of the tile", NULL},
        {"with", 0, POPT_ARG_STRING, &o.with, TOOL_LIST, "Another access of the tile",
         "'ACCESS EXPR'"},
        {"pitch", 0, POPT_ARG_STRING, &o.pitch, 0, "Rows to be padded", "BYTES"},
        {"fail-on-conflicts", 0, POPT_ARG_NONE, &o.fail, 0, "Exit 1 if there are any, 3 if unknown",
         NULL},
        TOOL_FORMAT_OPTION(&o.format, "text, json, csv, md, svg or html"),
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = answer(&o, tool.args);
    tool_close(&tool);
    return status;
}
