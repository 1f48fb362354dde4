/* Basic blocks of a function, their positions, and where groups of lanes can meet. */
#include "build.h"
#include "order.h"

#include <stdlib.h>

static int leaves(const struct scalar_meaning *meaning) {
    return meaning &&
           (meaning->method == SCALAR_METHOD_RET || meaning->method == SCALAR_METHOD_EXIT ||
            meaning->method == SCALAR_METHOD_TRAP);
}

static int jumps(const struct scalar_meaning *meaning) {
    return meaning &&
           (meaning->method == SCALAR_METHOD_BRA || meaning->method == SCALAR_METHOD_BRX);
}

/* The labels that an instruction may jump to. */
static const struct ptx_operand *targets_of(const struct run_build *build,
                                            const struct ptx_instruction *instruction,
                                            uint32_t *count) {
    const struct ptx_function *source = build->source;
    const struct ptx_operand *last;
    *count = 0;
    if (!instruction->count)
        return NULL;
    last = &source->operands[instruction->first + instruction->count - 1];
    if (last->kind == PTX_OP_LABEL)
        return *count = 1, last;
    if (last->kind == PTX_OP_TABLE && last->index < source->n_tables) {
        *count = source->tables[last->index].count;
        return &source->operands[source->tables[last->index].first];
    }
    return NULL;
}

static void mark_leaders(struct run_build *build) {
    const struct ptx_function *source = build->source;
    build->leads[0] = 1;
    for (uint32_t i = 0; i < source->n_code; i++) {
        const struct scalar_meaning *meaning = build_meaning(build, i);
        uint32_t count;
        const struct ptx_operand *targets;
        if (!jumps(meaning) && !leaves(meaning) &&
            !(meaning && meaning->method == SCALAR_METHOD_CALL))
            continue;
        build->leads[i + 1] = 1; /* lanes that come back, and that did not go, meet there */
        if (!jumps(meaning))
            continue;
        targets = targets_of(build, &source->code[i], &count);
        for (uint32_t t = 0; t < count; t++)
            if (targets[t].kind == PTX_OP_LABEL && targets[t].index <= source->n_code)
                build->leads[targets[t].index] = 1;
    }
}

/* How loops wait: the instructions before each that poll, and that load. */
static void count_waits(struct run_build *build) {
    uint32_t spins = 0, loads = 0;
    for (uint32_t i = 0; i <= build->source->n_code; i++) {
        const struct scalar_meaning *meaning;
        build->spins[i] = spins, build->loads[i] = loads;
        meaning = i < build->source->n_code ? build_meaning(build, i) : NULL;
        if (!meaning)
            continue;
        switch (meaning->method) {
        case SCALAR_METHOD_LD:
            if (meaning->order > SCALAR_WEAK)
                spins++;
            loads++;
            break;
        case SCALAR_METHOD_ATOM:
        case SCALAR_METHOD_NANOSLEEP:
        case SCALAR_METHOD_MBARRIER_TEST_WAIT:
        case SCALAR_METHOD_MBARRIER_TRY_WAIT: spins++; break;
        case SCALAR_METHOD_CALL: loads++; break;
        default: break;
        }
    }
}

/* Builds the graph of blocks: the last instruction of each gives its successors. The successor
 * that is entered first is placed last. The next block is therefore named last: of two ways it
 * comes first, as in the text. */
static void link_blocks(const struct run_build *build, const uint32_t *block_of, uint32_t *first,
                        uint32_t *to) {
    const struct ptx_function *source = build->source;
    uint32_t block = 0, n = 0;
    for (uint32_t i = 0; i < source->n_code; i++) {
        const struct scalar_meaning *meaning = build_meaning(build, i);
        const struct ptx_operand *targets = NULL;
        uint32_t count = 0;
        int guarded = source->code[i].guard != PTX_NO_GUARD;
        if (!build->leads[i + 1] && i + 1 < source->n_code)
            continue;
        first[block++] = n;
        if (jumps(meaning))
            targets = targets_of(build, &source->code[i], &count);
        for (uint32_t t = count; t-- > 0;)
            if (targets[t].kind == PTX_OP_LABEL && targets[t].index < source->n_code)
                to[n++] = block_of[targets[t].index];
        if (i + 1 < source->n_code && (guarded || (!jumps(meaning) && !leaves(meaning))))
            to[n++] = block_of[i + 1];
    }
    first[block] = n;
}

static uint32_t count_edges(const struct run_build *build) {
    uint64_t edges = 1;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        uint32_t count;
        targets_of(build, &build->source->code[i], &count);
        edges += count + 1u;
    }
    return edges > UINT32_MAX / 8 ? 0 : (uint32_t)edges; /* 0: too many for any memory */
}

/* Instructions are numbered through in the order of their blocks. */
static void number(struct run_build *build, const uint32_t *block_of, const uint32_t *rank,
                   uint32_t *begin, uint32_t blocks) {
    uint32_t n = build->source->n_code, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        begin[rank[block_of[i]]]++;
    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t length = begin[i];
        begin[i] = sum;
        sum += length;
    }
    for (uint32_t i = 0; i < n; i++)
        build->position[i] = begin[rank[block_of[i]]]++;
    build->position[n] = n;
}

int build_order(struct run_build *build) {
    uint32_t n = build->source->n_code, blocks = 0, edges = count_edges(build);
    uint32_t *block_of, *first, *rank, *begin, *to;
    int done = 1;
    block_of = edges ? calloc(4 * ((size_t)n + 1) + edges, sizeof *block_of) : NULL;
    build->block_of = block_of;
    if (!block_of)
        return 0;
    first = block_of + n + 1, rank = first + n + 1, begin = rank + n + 1, to = begin + n + 1;
    mark_leaders(build);
    count_waits(build);
    for (uint32_t i = 0; i < n; i++) {
        blocks += build->leads[i];
        block_of[i] = blocks - 1;
    }
    if (n) {
        link_blocks(build, block_of, first, to);
        build->blocks = (struct run_graph){blocks, first, to};
        done = run_order(&build->blocks, rank);
        if (done)
            number(build, block_of, rank, begin, blocks);
    }
    return done;
}
