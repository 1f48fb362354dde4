/* wsim banks: the wavefronts of an access of shared memory or a copy, lane by lane; the sectors of
 * an access of global memory. */
#include "banks.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Counts the wavefronts of one warp access: ld, st, atom, red, ldmatrix, stmatrix, wmma.load,\n"
    "wmma.store or cp.async, spelled as in PTX. A wavefront is one pass through the 32 banks of\n"
    "4 bytes. `ideal` is the cost without a conflict; Nsight Compute defines "
    "its\n"
    "ideal differently. conflicts = wavefronts - ideal (atom.cas: half of that, because it reads\n"
    "and then writes).\n"
    "\n"
    "Give --addr an expression over `lane`, or a file with 32 numbers ('-': standard input, at "
    "most\n"
    "8 MiB). Expressions use the operators of C (+ - * / % << >> & | ^ ~ ! == != < <= > >= && ||\n"
    "?: and parentheses) on 64-bit two's complement; an address is 0 to 0xffffffff. swz128(a),\n"
    "swz64(a) and swz32(a) apply a swizzle to address a. tid is 32 * warp + lane; warp is 0 "
    "unless\n"
    "--let sets it. --let gives names values, 'pitch=72', or sweeps them, 'k=0..7' or\n"
    "'k=0..96:32': wsim counts the access in each step and adds the counts up.\n"
    "\n"
    "With --decl 'float tile[32][33]' the expression reads as in a kernel: "
    "'tile[threadIdx.x][0]',\n"
    "'&tile[ty][tx + 1]', 'smem + tid', 'reinterpret_cast<float4 *>(tile)[tx]'. Types are those "
    "of\n"
    "C, CUDA and PTX (half, uint4, s8). The first array begins at byte 0, each other one after "
    "its\n"
    "predecessor. tx, ty and tz are threadIdx.x, .y and .z in a block of --block threads; "
    "blockIdx\n"
    "is 0. For addresses from your own program, print 32 numbers and pipe them into --addr -.\n"
    "\n"
    "In the picture a row is a lane and a column is a bank. 1 marks the first word of its bank, 2\n"
    "the second distinct word, and so on (atomics: lanes). A bank with a 2 costs one wavefront\n"
    "more.\n"
    "\n"
    "A cp.async writes at --addr and reads at --src, an offset from a multiple of 8 MiB (default:\n"
    "lane * size). Its lanes are listed with both banks; * marks each lane that costs a "
    "wavefront.\n"
    "The source page of Nsight Compute counts differently; the last lines show its number. No\n"
    "counter shows the cost of cp.async.cg: it is unknown, and the cost of a store to the same\n"
    "addresses is printed for comparison.\n"
    "\n"
    "A wmma.load or wmma.store of shared memory is several accesses in machine code; each is\n"
    "listed. Its --addr is the start of the matrix (default 0), --stride counts elements.\n"
    "\n"
    "--suggest searches for an address map that makes the access cheaper: it XORs higher bits "
    "into\n"
    "the bank bits, or pads rows of --pitch bytes (or any distance between lanes). Addresses "
    "count\n"
    "from the start of the tile. All accesses of a tile must use the same map, so give those that\n"
    "fill it and those that read it together: --with 'st.shared.b32 lane * 4'. Steps of --let are\n"
    "counted too, equal ones once.\n"
    "\n"
    "An ld, st, atom or red of global memory is counted in sectors of 32 bytes and lines of 128: "
    "a\n"
    "row is a line, a column is a sector, and the cell has its lanes. --addr is an offset from a\n"
    "multiple of 128. x2 marks a sector that an atomic visits twice.\n"
    "\n"
    "The line `evidence` appears if no recording on that architecture covers the count. With\n"
    "--fail-on-conflicts the exit status is 1 for conflicts and 3 for an unknown cost.\n";
static const char examples[] =
    "  wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane % 16 * 128 + lane / 16 * "
    "16'\n"
    "  wsim banks ld.shared.f32 --decl 'float tile[32][33]' --addr 'tile[threadIdx.x][0]'\n";

/* "tile[threadIdx.y][0]": a name and an index, as no instruction has them. */
static int is_indexed(const char *text) {
    size_t length = strcspn(text, " .[(;{\"");
    return length > 0 && text[length] == '[';
}

/* Reads the access before the addresses, so that a missing access is reported first. */
static void read_access(const char **args, struct banks_options *options, struct wsim_op *op) {
    struct wsim_atom atom;
    char bytes[8];
    if (!args[0])
        tool_fail("no access given, such as ld.shared.v4.u32");
    if (is_indexed(args[0]))
        tool_fail("'%s' is an address expression: give the instruction first, as in wsim "
                  "banks ld.shared.f32 --decl 'float "
                  "tile[32][32]' --addr 'tile[threadIdx.x][0]'",
                  text_cut(args[0]).text);
    if (args[1] && (isalnum((unsigned char)*args[1]) || *args[1] == '&'))
        tool_fail("unexpected argument '%s': give addresses with --addr, such as --addr "
                  "'lane*128', or with --decl and --addr",
                  text_cut(args[1]).text);
    tool_op_atom(args, op, &atom);
    snprintf(bytes, sizeof bytes, "%u", atom.bytes);
    if (atom.bytes && !options->size) /* the atom says it: SM80_CP_ASYNC_CACHEALWAYS<uint128_t> */
        options->size = memory_text(bytes, strlen(bytes));
    if (wsim_op_describe(op).counting == WSIM_COUNT_NONE)
        tool_fail(
            "'%s' is not a memory access of lanes; wsim banks counts ld, st, atom, red, ldmatrix, "
            "stmatrix, wmma.load, wmma.store and cp.async",
            text_path(args[0]).text);
}

int banks_close(struct doc *doc, const struct banks_options *options, int status, int has_conflicts,
                int is_known) {
    status = doc_close(doc, status);
    if (status != TOOL_FINE || !options->fail)
        return status;
    return has_conflicts ? TOOL_FOUND : is_known ? TOOL_FINE : TOOL_UNMODELLED;
}

void banks_count(const struct wsim_op *op, const struct banks_options *options,
                 struct banks_run *run) {
    memset(run, 0, sizeof *run);
    run->arch = tool_target(options->arch);
    wsim_op_spell(op, run->spelling);
    run->counting = wsim_op_describe(op).counting;
    run->evidence = wsim_op_evidence(op, run->arch, WSIM_COUNTS, &run->source);
    if (run->counting == WSIM_COUNT_COPY)
        copy_count(op, options, run);
    else
        access_count(op, options, run);
}

void banks_picture(struct banks_run *run, struct wsim_picture *picture) {
    if (run->counting == WSIM_COUNT_COPY)
        copy_picture(run, picture);
    else
        access_picture(run, picture);
}

void banks_state_cost(struct doc *doc, uint64_t wavefronts, uint64_t ideal, uint64_t conflicts) {
    doc_pack(doc, "{s:I, s:I, s:I}", "wavefronts", (json_int_t)wavefronts, "ideal",
             (json_int_t)ideal, "conflicts", (json_int_t)conflicts);
}

/* One access, fragment or copy: a picture. */
static int answer_one(struct doc *doc, const struct wsim_op *op,
                      const struct banks_options *options) {
    struct banks_run *run = memory_make(1, sizeof *run);
    struct wsim_picture picture;
    int status;
    banks_count(op, options, run);
    doc_pack(doc, "{s:s, s:s}", "spelling", run->spelling, "arch", wsim_arch_name(run->arch));
    if (run->counting == WSIM_COUNT_COPY)
        copy_state(doc, run);
    else
        access_state(doc, run);
    banks_picture(run, &picture);
    if (doc_is(doc, TOOL_TEXT))
        doc_line(doc, "wavefronts %lu, ideal %lu, conflicts %lu",
                 (unsigned long)run->cost.wavefronts, (unsigned long)run->cost.ideal,
                 (unsigned long)run->cost.conflicts);
    doc_picture(doc, &picture);
    status = banks_close(doc, options, TOOL_FINE, run->cost.conflicts != 0, run->is_known);
    free(run);
    return status;
}

/* --- arrays and threads of a kernel --- */

/* "32x8", "32,8,1": threads of a block along x, y and z. */
static void read_block(const char *text, uint32_t block[3]) {
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        size_t n = at ? strcspn(at, "x,") : 0;
        block[i] = 1;
        if (at && (!tool_is_number(at, n, 1024, &block[i]) || block[i] == 0))
            tool_fail("--block '%s': must be 1 to 3 numbers up to 1024, such as 32x8",
                      text_cut(text).text);
        at = at && at[n] ? at + n + 1 : NULL;
    }
    if (at)
        tool_fail("--block '%s': a block has three dimensions", text_cut(text).text);
}

/* Notes the byte of each array if there are several, because a compiler may place them differently.
 * Notes an access to a part of an element, because a kernel accesses whole elements of its type. */
static void note_places(const struct wsim_op *op, const struct wsim_address_scope *scope,
                        const char *expression) {
    const unsigned bytes = wsim_op_describe(op).bytes;
    struct wsim_address_arrays arrays;
    if (!expression || wsim_address_declared(scope, expression, &arrays, NULL))
        return;
    for (unsigned i = 0; i < arrays.count; i++) {
        const struct wsim_address_type *type = &arrays.array[i].type;
        if (bytes && bytes < type->bytes / type->parts)
            tool_note("elements of %s have %lu bytes, the instruction accesses %u of each",
                      arrays.array[i].text, (unsigned long)(type->bytes / type->parts), bytes);
    }
    for (unsigned i = 0; i < arrays.count && arrays.count > 1; i++)
        tool_note("%s %s at byte %llu", arrays.array[i].text,
                  arrays.array[i].is_pointer ? "points" : "lies",
                  (unsigned long long)arrays.array[i].at);
}

static void read_scope(const struct wsim_op *op, const struct banks_options *options,
                       struct wsim_address_sweep *let, struct wsim_address_scope *scope) {
    struct wsim_diag diag;
    if (wsim_address_sweep_read(options->let ? options->let : "", let, &diag))
        tool_refuse("--let", &diag);
    *scope = (struct wsim_address_scope){
        .name = let->name, .names = let->names, .declarations = options->decl};
    if (options->block)
        read_block(options->block, scope->block);
    if (op)
        note_places(op, scope, options->addr);
}

/* Answers for an access of shared memory `op`, or `access` of global memory. */
static int answer(const struct wsim_op *op, const struct wsim_instruction *access,
                  struct banks_options *options, enum tool_format format) {
    struct wsim_address_sweep let;
    struct wsim_address_scope scope;
    struct doc *doc;
    int status;
    read_scope(op, options, &let, &scope);
    options->scope = &scope;
    doc = doc_open(format, "wsim.banks");
    status = access             ? sectors_answer(doc, access, options, &let)
             : options->suggest ? suggest_answer(doc, op, options, &let)
             : let.steps > 1    ? sweep_answer(doc, op, options, &let)
                                : answer_one(doc, op, options);
    options->scope = NULL;
    return status;
}

/* A load, store or atomic without a row among the accesses of shared memory. */
static int is_global(const char *text, struct wsim_instruction *access) {
    static const uint64_t zeros[WSIM_LANES];
    struct wsim_sectors count;
    return text && wsim_instruction_parse(text, access, NULL) == WSIM_OK && !access->is_op &&
           access->is_scalar &&
           wsim_sectors_count(access, wsim_arch_find("sm_103a"), zeros, 0, &count, NULL) == WSIM_OK;
}

static int run(struct tool *tool) {
    struct banks_options *options = tool->options;
    struct wsim_instruction access;
    struct wsim_op op;
    if (is_global(tool->args[0], &access))
        return answer(NULL, &access, options, tool->format);
    read_access(tool->args, options, &op);
    if (options->code)
        tool_fail("--c was removed. Write the expression in --addr, with --decl for its "
                  "arrays, or pipe 32 numbers into --addr -");
    if (!options->suggest && (options->with || options->pitch))
        tool_fail("--with and --pitch need --suggest");
    if (options->stride && !tool_moves_fragment(&op))
        tool_fail("--stride applies to wmma.load and wmma.store only");
    if (options->suggest)
        tool_allows(tool->format, TOOL_TEXT | TOOL_JSON);
    return answer(&op, NULL, options, tool->format);
}

#define AT(member) offsetof(struct banks_options, member)
/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Access"),
    {"addr", 0, TOOL_STRING, AT(addr), "Byte address of each lane", "EXPR|FILE"},
    {"let", 0, TOOL_LIST, AT(let), "Values of names in expressions", "NAME=VALUE|FIRST..LAST[:BY]"},
    {"decl", 0, TOOL_LIST, AT(decl), "Arrays in expressions, as in C", "'TYPE NAME[N]'"},
    {"block", 0, TOOL_STRING, AT(block), "Threads of a block (all along x)", "XxYxZ"},
    {"c", 0, TOOL_STRING, AT(code), "Removed: use --addr and --decl", "FILE"},
    {"mask", 0, TOOL_STRING, AT(mask), "Active lanes, bit l for lane l", "NUMBER"},
    {"arch", 0, TOOL_STRING, AT(arch), "Target (" WSIM_ARCH_USUAL ")", "NAME"},
    {"stride", 0, TOOL_STRING, AT(stride), "wmma: distance between lines", "ELEMENTS"},
    TOOL_GROUP("Asynchronous copies (cp.async)"),
    {"size", 0, TOOL_STRING, AT(size), "cp.async: bytes a lane, 4 8 or 16", "NUMBER"},
    {"src", 0, TOOL_STRING, AT(src), "cp.async: where each lane reads", "EXPR|FILE"},
    {"src-size", 0, TOOL_STRING, AT(src_size), "cp.async: bytes each lane reads", "EXPR|FILE"},
    {"lines", 0, TOOL_STRING, AT(lines), "cp.async: source in L1: cold or warm", "STATE"},
    TOOL_GROUP("Cheaper layouts"),
    {"suggest", 0, TOOL_FLAG, AT(suggest), "Search for a cheaper layout of the tile", NULL},
    {"with", 0, TOOL_LIST, AT(with), "Another access of the tile", "'ACCESS EXPR'"},
    {"pitch", 0, TOOL_STRING, AT(pitch), "Bytes of a row to pad", "BYTES"},
    TOOL_GROUP(TOOL_REPORT),
    {"fail-on-conflicts", 0, TOOL_FLAG, AT(fail), "Exit 1 if there are any, 3 if unknown", NULL},
    TOOL_OPTIONS_END};

const struct tool_command banks_command = {
    "ACCESS", about, examples, rows, sizeof(struct banks_options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
