/* wsim exec: one instruction on operands from the command line. */
#include "exec.h"
#include "../common/memory.h"

static const char about[] =
    "Executes one instruction as the architecture does (default sm_90a) and prints the\n"
    "registers and the matrix of the result. An operand X is one of\n"
    "  zero one     every element 0 or 1\n"
    "  eye          1 where row = column, else 0\n"
    "  iota         0, 1, 2, ... row by row, as numbers of the operand type; restarts at 0\n"
    "               after the last integer that the type holds exactly, at most 256 (e4m3:\n"
    "               16, e5m2: 8, e2m1: 4; s8: 126 and s4: 6, so that rows differ)\n"
    "  random:SEED  any integers and any e2m1, e2m3, e3m2; other numbers from 1/8 to 16,\n"
    "               either sign; valid sparse positions\n"
    "  keep         --e only: the first positions of each chunk\n"
    "  hex:DIGITS   the registers in order, each 32 lanes x 8 digits (f64: x 16); bare digits\n"
    "               work too\n"
    "  @FILE        the same digits from a file of at most 8 MiB; white space is ignored\n"
    "  I,J=NUMBER; ...  elements by row and column, * for all of them (0,*=1; 3,4=inf);\n"
    "               others are 0 (1 if the type has no 0). A NUMBER is decimal, inf, nan, or\n"
    "               0x and its bits\n"
    "  FILE.csv     one row a line, commas or blanks between numbers, # starts a comment\n"
    "  FILE.npy     a NumPy matrix of floats, integers, or V (raw bytes: the bits of\n"
    "               elements)\n"
    "\n"
    "wsim refuses a number that the operand type cannot represent and prints both neighbours;\n"
    "--round rounds to nearest even.\n"
    "\n"
    "Memory is zero, iota8, iota16 or iota32 (little-endian 0, 1, 2, ...), random:SEED, hex\n"
    "bytes, @mix:SEED:LENGTH or @fill:BB:LENGTH as in traces, or @FILE (hex digits). Addresses\n"
    "are an expression over lane, hex: and 32 x 8 digits, or a file with 32 numbers. Defaults:\n"
    "a = iota, b = eye, c = zero, e = keep, sfa = sfb = one, r = iota, smem = iota of the\n"
    "element size (stores: zero), addr = lane * 16 (wmma: 0). wsim prints the defaults that it\n"
    "used. wmma memory may be in any state space; all lanes give the same address, and --stride\n"
    "counts elements.\n"
    "\n"
    "wgmma: registers have 128 lanes. B is in shared memory from address 0; A follows it if an\n"
    "atom (SM90_..._SS) reads it from there. An atom sets the majors and signs, as --trans-a to\n"
    "--negate-b do. Without --smem, --a and --b are written where the descriptors read them.\n"
    "The default --desc-b has no swizzle and no gaps (wsim desc encode).\n"
    "\n"
    "--lane, --row, --col and csv list elements one by one with their registers. The line\n"
    "`evidence` names the source of the model on this architecture.\n";
static const char examples[] =
    "  wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1 --b random:2\n"
    "  wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --addr 'lane % 16 * 16'\n";

struct options {
    struct exec_options exec;
    char *lane, *row, *col;
    int show_inputs;
};

static void read_number(const struct exec_run *run, const char *option, const char *text,
                        unsigned count, int *number) {
    uint32_t value = 0;
    if (!text)
        return;
    if (!run->has[WSIM_D])
        tool_fail("%s: %s writes no registers", option, run->spelling);
    tool_number(option, text, count - 1, &value);
    *number = (int)value;
}

/* The elements that are listed; their numbers are those of the result. */
static void read_elements(struct exec_run *run, const struct options *o) {
    const struct wsim_layout *d = &run->layout[WSIM_D];
    read_number(run, "--lane", o->lane, d->lanes, &run->lane);
    read_number(run, "--row", o->row, d->rows, &run->row);
    read_number(run, "--col", o->col, d->cols, &run->col);
}

static int run_exec(struct tool *tool) {
    const struct options *o = tool->options;
    struct exec_run *run = memory_make(1, sizeof *run);
    struct instruction in;
    struct doc *doc;
    int status;
    instruction_read(tool->args, &in);
    exec_prepare(run, &o->exec, &in);
    read_elements(run, o);
    run->show_inputs = o->show_inputs;
    exec_fill(run, &o->exec);
    exec_execute(run);
    doc = doc_open(tool->format, "wsim.exec");
    exec_answer(doc, run);
    status = doc_close(doc, TOOL_FINE);
    exec_close(run);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Input"),
    {"arch", 0, TOOL_STRING, TOOL_AT(exec.arch), "Target, such as sm_80 or h100", "NAME"},
    EXEC_OPERAND_ROWS,
    TOOL_GROUP(TOOL_REPORT),
    {"show-inputs", 0, TOOL_FLAG, TOOL_AT(show_inputs), "Print the inputs too", NULL},
    {"lane", 0, TOOL_STRING, TOOL_AT(lane), "Print the elements of one lane", "LANE"},
    {"row", 0, TOOL_STRING, TOOL_AT(row), "Print one row of the result", "ROW"},
    {"col", 0, TOOL_STRING, TOOL_AT(col), "Print one column of the result", "COL"},
    TOOL_OPTIONS_END};

const struct tool_command exec_command = {
    "SPELLING", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run_exec};
/* clang-format on */
