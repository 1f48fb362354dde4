/* The words of registers that hold a value at once, in the order of the text. A value that lives
 * when a loop begins, and that the loop names, lives to its end.
 *
 * Source: ptxas 13.0 for sm_90, 376 kernels of tests/kernels and of public programs. The estimate
 * and ptxas round to the same multiple of 8 in 174, to neighbours in 161 others. */
#include "pressure.h"

#include "../isa/scalar.h"
#include "uses.h"

#include <stdlib.h>

/* A function with more registers times loops is counted without loops. */
enum { PAIRS_MOST = 1 << 22 };

struct span {
    uint32_t first, last; /* instructions                */
    uint32_t words;       /* 0: it needs no register     */
    uint8_t named, writes;
};

struct loop {
    uint32_t begin, end; /* its first and last instruction */
};

struct search {
    const struct run_build *build;
    struct span *spans; /* of each register               */
    struct loop *loops;
    uint32_t n_loops;
    int64_t *change; /* before each instruction: words  */
};

/* Predicates have registers of their own. */
static uint32_t words_of(unsigned bits) {
    return bits == 1 ? 0 : (bits + 31) / 32;
}

/* Parameters of a kernel, addresses and numbers are operands of machine code. */
static int is_given(const struct search *search, const struct ptx_operand *operand) {
    const struct ptx_operand *parts = &search->build->source->operands[operand->first];
    switch (operand->kind) {
    case PTX_OP_REGISTER:
        return search->spans[operand->index].named && !search->spans[operand->index].words;
    case PTX_OP_ADDRESS: return operand->count == 1 && is_given(search, parts);
    case PTX_OP_PARAM: return search->build->source->is_entry;
    case PTX_OP_VECTOR:
    case PTX_OP_PAIR:
    case PTX_OP_SPECIAL: return 0;
    default: return 1;
    }
}

static int gives(const struct search *search, uint32_t at) {
    const struct run_build *build = search->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct ptx_operand *operands = &build->source->operands[instruction->first];
    if (!meaning || instruction->count != 2 || instruction->guard != PTX_NO_GUARD)
        return 0;
    if (meaning->method == SCALAR_METHOD_LD && operands[1].kind == PTX_OP_ADDRESS)
        return build->source->operands[operands[1].first].kind == PTX_OP_PARAM &&
               is_given(search, &operands[1]);
    return (meaning->method == SCALAR_METHOD_MOVE || meaning->kind == SCALAR_ADDRESSES) &&
           is_given(search, &operands[1]);
}

static void find_spans(struct search *search) {
    const struct run_build *build = search->build;
    const struct run_uses *uses = &build->uses;
    for (uint32_t i = 0; i < build->source->n_code; i++)
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            struct span *span = &search->spans[uses->reg[u]];
            if (!span->named)
                span->first = i;
            span->last = i;
            span->named = 1;
            if (uses->what[u] & USES_WRITE && span->writes < 2)
                span->writes++;
        }
    for (uint32_t reg = 0; reg < build->source->n_registers; reg++)
        search->spans[reg].words = words_of(build->source->registers[reg].type.bits);
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const struct ptx_operand *to = &build->source->operands[build->source->code[i].first];
        if (build->source->code[i].count && to->kind == PTX_OP_REGISTER &&
            search->spans[to->index].writes == 1 && gives(search, i))
            search->spans[to->index].words = 0;
    }
}

static void find_loops(struct search *search, const uint32_t *begins) {
    const struct run_graph *graph = &search->build->blocks;
    for (uint32_t block = 0; block < graph->blocks; block++)
        for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++)
            if (graph->to[e] <= block)
                search->loops[search->n_loops++] =
                    (struct loop){begins[graph->to[e]], begins[block + 1] - 1};
}

/* The ends of the loops ascend, so that one pass is enough. */
static void extend(const struct search *search, struct span *span) {
    for (uint32_t l = 0; l < search->n_loops; l++) {
        const struct loop *loop = &search->loops[l];
        if (span->first < loop->begin && loop->begin <= span->last && span->last < loop->end)
            span->last = loop->end;
    }
}

static uint32_t most(const struct search *search) {
    const struct ptx_function *source = search->build->source;
    const int follows = (uint64_t)search->n_loops * source->n_registers <= PAIRS_MOST;
    int64_t now = 0, peak = 0;
    for (uint32_t reg = 0; reg < source->n_registers; reg++) {
        struct span *span = &search->spans[reg];
        if (!span->named || !span->words)
            continue;
        if (follows)
            extend(search, span);
        search->change[span->first] += span->words;
        search->change[span->last] -= span->words;
    }
    for (uint32_t i = 0; i < source->n_code; i++) {
        now += search->change[i];
        peak = now > peak ? now : peak;
    }
    return (uint32_t)peak;
}

/* Machine code also needs registers for addresses and for what it has moved. Where few are left,
 * the assembler moves loads to their uses. */
static uint32_t estimate(uint32_t words) {
    enum { ADDED = 8, ROOM = 48 };
    return words <= ROOM ? words + ADDED : ROOM + ADDED + (words - ROOM) / 2;
}

int pressure_find(struct run_build *build) {
    const struct ptx_function *source = build->source;
    const uint32_t blocks = build->blocks.blocks;
    struct search search = {.build = build};
    uint32_t *begins = calloc(blocks + 1u, sizeof *begins);
    int found = 0;
    search.spans = calloc(source->n_registers + 1u, sizeof *search.spans);
    search.loops = calloc((blocks ? build->blocks.first[blocks] : 0) + 1u, sizeof *search.loops);
    search.change = calloc(source->n_code + 1u, sizeof *search.change);
    if (begins && search.spans && search.loops && search.change) {
        for (uint32_t i = source->n_code; i-- > 0;)
            begins[build->block_of[i]] = i;
        begins[blocks] = source->n_code;
        find_spans(&search);
        if (blocks)
            find_loops(&search, begins);
        build->function->machine_registers = estimate(most(&search));
        found = 1;
    }
    free(begins);
    free(search.spans);
    free(search.loops);
    free(search.change);
    return found;
}
