/* wsim banks: the wavefronts of one shared-memory access, and where they come from. */
#include "banks.h"
#include "input.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct tool_help help = {
    "wsim banks", "ACCESS",
    "Counts the wavefronts of one access of a warp, as PTX spells it: ld, st, atom, red, "
    "ldmatrix,\n"
    "stmatrix or cp.async. A wavefront is one pass through the 32 banks of 4 bytes. `ideal` is "
    "what\n"
    "the same lanes cost without a conflict; conflicts = wavefronts - ideal (atom.cas: half of "
    "that,\n"
    "since it reads, then writes).\n"
    "\n"
    "--addr is an expression over `lane` or the name of a file ('-': standard input) with 32\n"
    "numbers. Expressions are C's, with + - * / % << >> & | ^ ~ ! == != < <= > >= && || ?: ( ),\n"
    "decimal and 0x numbers, in 64-bit two's complement; an address is 0 to 0xffffffff.\n"
    "\n"
    "In the picture a row is a lane and a column is a bank. 1 is the first word of its bank, 2 "
    "the\n"
    "second distinct word there, and so on (atomics: lanes); a bank with a 2 costs a wavefront "
    "more.\n"
    "\n"
    "A cp.async reads at --src, an offset from a multiple of 8 MiB (lane * size if not given), "
    "and\n"
    "writes at --addr. Its lanes are listed with both banks; a * marks those that cost a "
    "wavefront\n"
    "each. Nsight Compute's source page counts it in another way, which stands below.\n"
    "\n"
    "The line `evidence` is there if the count was not recorded on that architecture. Exit status "
    "1\n"
    "only with --fail-on-conflicts, if there are any.\n",
    "  wsim banks ld.shared.v4.u32 --addr 'lane * 16'\n"
    "  wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane % 16 * 128 + lane / 16 * "
    "16'\n"};

/* --- turns of a bank, from the addresses --- */

static uint32_t word_in(const struct banks_run *run, unsigned lane, unsigned bank) {
    uint32_t first = run->addr[lane] / 4;
    return first + (bank - first) % WSIM_BANKS;
}

static int touches(const struct banks_run *run, unsigned lane, unsigned bank) {
    uint32_t last = (run->addr[lane] + (run->bytes - 1)) / 4;
    return word_in(run, lane, bank) - run->addr[lane] / 4 <= last - run->addr[lane] / 4;
}

static int in_group(const struct wsim_bank_group *group, unsigned lane) {
    return group->lanes >> lane & 1;
}

/* More ways than words: lanes in one word are not folded. */
static int counts_lanes(const struct wsim_bank_group *group) {
    return group->ways > group->nwords;
}

/* Whether `lane` is the lowest of the group with its word in the bank. */
static int is_first(const struct banks_run *run, const struct wsim_bank_group *group, unsigned lane,
                    unsigned bank) {
    unsigned l;
    for (l = 0; l < lane; l++)
        if (in_group(group, l) && touches(run, l, bank) &&
            word_in(run, l, bank) == word_in(run, lane, bank))
            return 0;
    return 1;
}

unsigned banks_turn(const struct banks_run *run, const struct wsim_bank_group *group, unsigned lane,
                    unsigned bank) {
    unsigned l, turn = 1;
    if (!in_group(group, lane) || !touches(run, lane, bank))
        return 0;
    for (l = 0; l < WSIM_LANES; l++) {
        if (!in_group(group, l) || !touches(run, l, bank))
            continue;
        if (counts_lanes(group))
            turn += l < lane;
        else if (is_first(run, group, l, bank))
            turn += word_in(run, l, bank) < word_in(run, lane, bank);
    }
    return turn;
}

unsigned banks_ways(const struct banks_run *run, const struct wsim_bank_group *group,
                    unsigned bank) {
    unsigned lane, most = 0;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        unsigned turn = banks_turn(run, group, lane, bank);
        most = turn > most ? turn : most;
    }
    return most;
}

/* --- the question --- */

static int read_colour(const char *text, int *colour) {
    const char *no_color = getenv("NO_COLOR");
    *colour = isatty(STDOUT_FILENO) && !(no_color && *no_color);
    if (!text || strcmp(text, "auto") == 0)
        return TOOL_GO;
    *colour = strcmp(text, "always") == 0;
    if (*colour || strcmp(text, "never") == 0)
        return TOOL_GO;
    return tool_error("--color '%s': it can be auto, always or never", text);
}

/* Before the addresses are asked for, which may be missing as well. */
static int read_access(const char **args, struct wsim_op *op) {
    int status;
    if (!args[0])
        return tool_error("no access given, such as ld.shared.v4.u32");
    status = tool_op(args, op);
    if (status != TOOL_GO)
        return status;
    if (wsim_op_info(op).bytes == 0 && wsim_op_info(op).family != WSIM_CP_ASYNC)
        return tool_error("'%s' is no access of lanes; wsim banks counts ld, st, atom, red, ldmatrix, "
                          "stmatrix and cp.async",
                          args[0]);
    return TOOL_GO;
}

/* An access has one side: what belongs to a copy is refused. */
static int check_options(const struct banks_options *options) {
    if (options->size || options->src || options->src_size || options->lines)
        return tool_error("--size, --src, --src-size and --lines belong to cp.async");
    if (!options->addr)
        return tool_error("no addresses given, such as --addr 'lane * 4'");
    return TOOL_GO;
}

static int count(struct banks_run *run, const struct wsim_op *op,
                 const struct banks_options *options) {
    struct wsim_diag diag;
    int status;
    run->arch = tool_arch(options->arch);
    if (!run->arch)
        return TOOL_USAGE;
    status = check_options(options);
    if (status == TOOL_GO)
        status = input_addresses("--addr", options->addr, run->addr);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(op, run->spelling);
    run->bytes = wsim_op_info(op).bytes;
    run->rows = tool_moves_rows(op);
    if (wsim_banks(op, run->arch, run->addr, run->mask, &run->banks, &diag))
        return tool_refused(NULL, &diag);
    run->evidence = wsim_op_evidence(op, run->arch, WSIM_COUNTS, &run->source);
    return TOOL_GO;
}

static int found(const struct banks_options *options, uint32_t conflicts) {
    return options->fail && conflicts ? TOOL_FOUND : TOOL_FINE;
}

static int answer_access(const struct wsim_op *op, const struct banks_options *options,
                         enum tool_format format) {
    struct banks_run run = {.mask = UINT32_MAX};
    int colour = 0, status = read_colour(options->color, &colour);
    if (status == TOOL_GO)
        status = tool_number("--mask", options->mask, UINT32_MAX, &run.mask);
    if (status == TOOL_GO)
        status = count(&run, op, options);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_TEXT)
        banks_print_text(&run, colour);
    else if (format == TOOL_CSV)
        banks_print_csv(&run);
    else
        banks_print_json(&run);
    return found(options, run.banks.conflicts);
}

static int answer_copy(const struct wsim_op *op, const struct banks_options *options,
                       enum tool_format format) {
    struct copy_run run = {.copy.mask = UINT32_MAX};
    int status = tool_number("--mask", options->mask, UINT32_MAX, &run.copy.mask);
    if (status == TOOL_GO)
        status = copy_count(&run, op, options);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_TEXT)
        copy_print_text(&run);
    else if (format == TOOL_CSV)
        copy_print_csv(&run);
    else
        copy_print_json(&run);
    return found(options, run.banks.conflicts);
}

static int answer(const struct banks_options *options, const char **args) {
    enum tool_format format;
    struct wsim_op op;
    int status = tool_format(options->format, TOOL_TEXT | TOOL_JSON | TOOL_CSV, &format);
    if (status == TOOL_GO)
        status = read_access(args, &op);
    if (status != TOOL_GO)
        return status;
    return wsim_op_info(&op).family == WSIM_CP_ASYNC ? answer_copy(&op, options, format)
                                                     : answer_access(&op, options, format);
}

int banks_main(int argc, const char **argv) {
    struct banks_options o = {0};
    const struct poptOption table[] = {
        {"addr", 0, POPT_ARG_STRING, &o.addr, 0, "Byte address of each lane", "EXPR|FILE"},
        {"mask", 0, POPT_ARG_STRING, &o.mask, 0, "Active lanes, bit l for lane l", "NUMBER"},
        {"arch", 0, POPT_ARG_STRING, &o.arch, 0, "Target (" TOOL_ARCH ")", "NAME"},
        {"size", 0, POPT_ARG_STRING, &o.size, 0, "cp.async: bytes a lane, 4 8 or 16", "NUMBER"},
        {"src", 0, POPT_ARG_STRING, &o.src, 0, "cp.async: where each lane reads", "EXPR|FILE"},
        {"src-size", 0, POPT_ARG_STRING, &o.src_size, 0, "cp.async: bytes each lane reads",
         "EXPR|FILE"},
        {"lines", 0, POPT_ARG_STRING, &o.lines, 0, "cp.async: source in L1: cold or warm", "STATE"},
        {"fail-on-conflicts", 0, POPT_ARG_NONE, &o.fail, 0, "Exit 1 if there are any", NULL},
        {"format", 0, POPT_ARG_STRING, &o.format, 0, "text, json or csv", "FORMAT"},
        {"color", 0, POPT_ARG_STRING, &o.color, 0, "auto, always or never", "WHEN"},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = answer(&o, tool.args);
    tool_close(&tool);
    return status;
}
