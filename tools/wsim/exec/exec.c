/* wsim exec: one instruction on operands from the command line. */
#include "exec_open.h"
#include "exec_print.h"
#include "../common/picture.h"
#include "../common/memory.h"
#include "../common/tool.h"

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
    "  I,J=NUMBER; ...  elements by row and column, * for all of these (0,*=1; 3,4=inf); others\n"
    "               are 0 (a type without it: 1). A NUMBER is decimal, inf, nan, or 0x and its "
    "bits\n"
    "  FILE.csv     a row a line, numbers between commas or blanks, # starts a comment\n"
    "  FILE.npy     a matrix of NumPy: floats, integers, or V (raw bytes): bits of elements\n"
    "A number that the type of the operand does not have exactly is refused, with both "
    "neighbours;\n"
    "--round takes the nearer, of two the even one.\n"
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
    "descriptor, or behind B if an atom (SM90_..._SS) has it there. Majors and signs of an atom "
    "are\n"
    "those of --trans-a to --negate-b. Without --smem the words of --a and --b are put where the "
    "descriptors look for\n"
    "them; --desc-b is without swizzle and without holes unless told (wsim desc encode).\n\n"
    "With --lane, --row and --col, and as csv, elements are listed one by one with where they are "
    "held.\n"
    "The line `evidence` says what the model of the instruction on this architecture rests on.\n",
    "  wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1 --b random:2\n"
    "  wsim exec ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 --addr 'lane % 16 * 16'\n"};

struct options {
    struct exec_options exec;
    char *lane, *row, *col, *format;
    int show_inputs;
};

static int print(const struct exec_run *run, enum tool_format format) {
    if (format == TOOL_JSON)
        exec_print_json(run);
    else if (format == TOOL_CSV)
        exec_print_csv(run);
    else if (format == TOOL_TEXT)
        exec_print_text(run);
    else
        return exec_print_page(run, format);
    return TOOL_FINE;
}

static int read_number(const struct exec_run *run, const char *option, const char *text,
                       unsigned count, int *number) {
    uint32_t value = 0;
    int status;
    if (!text)
        return TOOL_GO;
    if (!run->has[WSIM_D])
        return tool_error("%s: %s leaves nothing in registers", option, run->spelling);
    status = tool_number(option, text, count - 1, &value);
    *number = (int)value;
    return status;
}

/* Which elements are asked for: their numbers are those of the result. */
static int read_elements(struct exec_run *run, const struct options *o) {
    const struct wsim_layout *d = &run->layout[WSIM_D];
    int status = read_number(run, "--lane", o->lane, d->lanes, &run->lane);
    if (status == TOOL_GO)
        status = read_number(run, "--row", o->row, d->rows, &run->row);
    if (status == TOOL_GO)
        status = read_number(run, "--col", o->col, d->cols, &run->col);
    return status;
}

static int run_command(const struct options *o, const char **args) {
    struct exec_run *run = memory_make(1, sizeof *run);
    enum tool_format format;
    int status = tool_format(o->format, TOOL_PICTURES | TOOL_JSON, &format);
    if (status == TOOL_GO)
        status = exec_prepare(run, &o->exec, args);
    if (status == TOOL_GO)
        status = read_elements(run, o);
    run->show_inputs = o->show_inputs;
    if (status == TOOL_GO)
        status = exec_fill(run, &o->exec);
    if (status == TOOL_GO)
        status = exec_execute(run);
    if (status == TOOL_GO)
        status = print(run, format);
    exec_close(run);
    return status;
}

int exec_main(int argc, const char **argv) {
    struct options o = {.exec = {.arch = NULL}};
    /* clang-format off */
    const struct poptOption table[] = {
        {"arch", 0, POPT_ARG_STRING, &o.exec.arch, 0, "Target, such as sm_80 or h100", "NAME"},
        EXEC_OPERAND_OPTIONS(o.exec),
        {"show-inputs", 0, POPT_ARG_NONE, &o.show_inputs, 0, "Print the inputs as well", NULL},
        {"lane", 0, POPT_ARG_STRING, &o.lane, 0, "Only what this lane holds", "LANE"},
        {"row", 0, POPT_ARG_STRING, &o.row, 0, "Only this row of the result", "ROW"},
        {"col", 0, POPT_ARG_STRING, &o.col, 0, "Only this column of the result", "COL"},
        TOOL_FORMAT_OPTION(&o.format, "text, json, csv, md, svg or html"),
        TOOL_OPTIONS_END};
    /* clang-format on */
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = run_command(&o, tool.args);
    tool_close(&tool);
    return status;
}
