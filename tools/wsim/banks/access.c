/* wsim banks for an access: what it is about, its count, and the turns of a bank. */
#include "access.h"
#include "../common/input.h"
#include "../common/tool.h"

/* An access has one side: what belongs to a copy is refused. */
static int check_options(const struct banks_options *options) {
    if (options->size || options->src || options->src_size || options->lines)
        return tool_error("--size, --src, --src-size and --lines belong to cp.async");
    if (!options->addr)
        return tool_error("no addresses given, such as --addr 'lane * 4'");
    return TOOL_GO;
}

int access_count(struct access_run *run, const struct wsim_op *op,
                 const struct banks_options *options) {
    struct wsim_diag diag;
    int status = check_options(options);
    if (status == TOOL_GO)
        status = input_addresses("--addr", options->addr, run->addr);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(op, run->spelling);
    run->bytes = wsim_op_describe(op).bytes;
    run->rows = tool_moves_rows(op);
    if (wsim_banks_count(op, run->arch, run->addr, run->mask, &run->banks, &diag))
        return tool_refused(NULL, &diag);
    run->evidence = wsim_op_evidence(op, run->arch, WSIM_COUNTS, &run->source);
    return TOOL_GO;
}

/* --- turns of a bank, from the addresses --- */

static uint32_t word_in(const struct access_run *run, unsigned lane, unsigned bank) {
    uint32_t first = run->addr[lane] / 4;
    return first + (bank - first) % WSIM_BANKS;
}

static int touches(const struct access_run *run, unsigned lane, unsigned bank) {
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
static int is_first(const struct access_run *run, const struct wsim_bank_group *group,
                    unsigned lane, unsigned bank) {
    unsigned l;
    for (l = 0; l < lane; l++)
        if (in_group(group, l) && touches(run, l, bank) &&
            word_in(run, l, bank) == word_in(run, lane, bank))
            return 0;
    return 1;
}

unsigned access_turn(const struct access_run *run, const struct wsim_bank_group *group,
                     unsigned lane, unsigned bank) {
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

unsigned access_ways(const struct access_run *run, const struct wsim_bank_group *group,
                     unsigned bank) {
    unsigned lane, most = 0;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        unsigned turn = access_turn(run, group, lane, bank);
        most = turn > most ? turn : most;
    }
    return most;
}
