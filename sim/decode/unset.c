/* Registers without a value: the blocks that a path can enter before it names a register. */
#include "unset.h"

#include "uses.h"

#include <stdlib.h>

/* Words of all rows, and rounds over the graph. A function that needs more has no unset registers.
 */
enum { WORDS_MOST = 1 << 20, ROUNDS_MOST = 64 };
enum { UNSET_MOST = 64 }; /* registers of a function that are looked after */
#define OPEN UINT32_MAX

/* Registers of interest have a number: a block names them first by something else than a write of
 * all lanes. Each block has a row with a bit for each number. */
struct search {
    struct run_build *build;
    uint32_t *number;    /* of each register, + 1; 0: of no interest            */
    uint32_t *seen;      /* of each register: the last block that named it, + 1 */
    uint32_t n, words;   /* of a row                                            */
    uint64_t *named;     /* by the block                                        */
    uint64_t *untouched; /* a path comes here and does not name the register   */
    uint64_t *written;   /* one row: a path writes the register first           */
    uint32_t *reads;     /* of each number: the first instruction, + 1; or OPEN */
};

/* The use cannot be there for the old value alone. A wgmma may read its accumulator: its bits are
 * looked at when it is executed. */
static int is_read(uint8_t what) {
    return what & USES_READ && (!(what & USES_KEEPS) || what & USES_LASTING);
}

typedef void visit(struct search *search, uint32_t instruction, uint32_t use);

/* Visits the first use of each register in each block. */
static void visit_first(struct search *search, visit *visit) {
    const struct run_uses *uses = &search->build->uses;
    const uint32_t *block_of = search->build->block_of;
    memset(search->seen, 0, (search->build->source->n_registers + 1u) * sizeof *search->seen);
    for (uint32_t i = 0; i < search->build->source->n_code; i++)
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            if (search->seen[uses->reg[u]] != block_of[i] + 1)
                visit(search, i, u);
            search->seen[uses->reg[u]] = block_of[i] + 1;
        }
}

static void number_open(struct search *search, uint32_t instruction, uint32_t use) {
    const struct run_uses *uses = &search->build->uses;
    (void)instruction;
    if (uses->what[use] != USES_WRITE && !search->number[uses->reg[use]])
        search->number[uses->reg[use]] = ++search->n;
}

/* The word of a register in the row of a block. */
static uint64_t *word_of(const struct search *search, uint64_t *rows, uint32_t block,
                         uint32_t number) {
    return &rows[(size_t)block * search->words + (number - 1) / 64];
}

static uint64_t bit_of(uint32_t number) {
    return UINT64_C(1) << (number - 1) % 64;
}

static void name(struct search *search, uint32_t instruction, uint32_t use) {
    const uint32_t number = search->number[search->build->uses.reg[use]];
    const uint32_t block = search->build->block_of[instruction];
    if (number)
        *word_of(search, search->named, block, number) |= bit_of(number);
}

static void judge(struct search *search, uint32_t instruction, uint32_t use) {
    const struct run_uses *uses = &search->build->uses;
    const uint32_t number = search->number[uses->reg[use]];
    const uint32_t block = search->build->block_of[instruction];
    if (!number || !(*word_of(search, search->untouched, block, number) & bit_of(number)))
        return;
    if (!is_read(uses->what[use]))
        *word_of(search, search->written, 0, number) |= bit_of(number);
    if (uses->what[use] != USES_WRITE && !search->reads[number - 1])
        search->reads[number - 1] = is_read(uses->what[use]) ? instruction + 1 : OPEN;
}

/* Along every edge of the graph, until nothing changes. 0: that takes too many rounds. */
static int spread(struct search *search) {
    const struct run_graph *graph = &search->build->blocks;
    const uint32_t words = search->words;
    int changed = 1;
    memset(search->untouched, 0xFF, words * sizeof *search->untouched);
    for (unsigned round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = 0;
        for (uint32_t block = 0; block < graph->blocks; block++)
            for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++)
                for (uint32_t w = 0; w < words; w++) {
                    uint64_t *to = &search->untouched[(size_t)graph->to[e] * words + w];
                    const uint64_t more = search->untouched[(size_t)block * words + w] &
                                          ~search->named[(size_t)block * words + w] & ~*to;
                    *to |= more;
                    changed |= more != 0;
                }
    }
    return !changed;
}

/* The caller writes registers that are parameters. */
static void drop_passed(struct search *search) {
    const struct ptx_function *source = search->build->source;
    for (uint32_t i = 0; i < source->n_params; i++)
        if (source->params[i].in_register)
            search->number[source->params[i].reg] = 0;
}

/* Notes the result of the search for each register. */
static void tell(const struct search *search) {
    struct run_build *build = search->build;
    for (uint32_t reg = 0; reg < build->source->n_registers; reg++) {
        const uint32_t number = search->number[reg];
        if (number)
            build->unset[reg] = *word_of(search, search->written, 0, number) & bit_of(number) &&
                                        search->reads[number - 1]
                                    ? OPEN
                                    : search->reads[number - 1];
    }
}

static int find(struct search *search) {
    const size_t blocks = search->build->blocks.blocks;
    search->words = (search->n + 63) / 64;
    if (search->n && blocks * search->words <= WORDS_MOST) {
        search->named = calloc(2 * blocks * search->words, sizeof *search->named);
        search->written = calloc(search->words, sizeof *search->written);
        search->reads = calloc(search->n, sizeof *search->reads);
        if (!search->named || !search->written || !search->reads)
            return 0;
        search->untouched = search->named + blocks * search->words;
        visit_first(search, name);
        if (spread(search)) {
            visit_first(search, judge);
            tell(search);
            return 1;
        }
    }
    for (uint32_t reg = 0; reg < search->build->source->n_registers; reg++)
        search->build->unset[reg] = search->number[reg] ? OPEN : 0;
    return 1;
}

int unset_find(struct run_build *build) {
    const uint32_t n = build->source->n_registers;
    struct search search = {.build = build};
    int found = 0;
    search.number = calloc(n + 1u, sizeof *search.number);
    search.seen = calloc(n + 1u, sizeof *search.seen);
    build->unset = calloc(n + 1u, sizeof *build->unset);
    if (search.number && search.seen && build->unset) {
        visit_first(&search, number_open);
        drop_passed(&search);
        found = find(&search);
    }
    free(search.number);
    free(search.seen);
    free(search.named);
    free(search.written);
    free(search.reads);
    return found;
}

int unset_keep(struct run_build *build) {
    struct run_function *function = build->function;
    uint32_t n = 0;
    for (uint32_t reg = 0; reg < build->source->n_registers && n < UNSET_MOST; reg++)
        n += build->unset[reg] && build->unset[reg] != OPEN && function->registers[reg].at;
    function->unset = n ? run_arena_get(&build->module->arena, n * sizeof *function->unset) : NULL;
    if (n && !function->unset)
        return 0;
    function->n_unset = n;
    for (uint32_t reg = 0, i = 0; i < n; reg++)
        if (build->unset[reg] && build->unset[reg] != OPEN && function->registers[reg].at)
            function->unset[i++] =
                (struct run_unset){.reg = reg, .op = build->op_of[build->unset[reg] - 1]};
    return 1;
}
