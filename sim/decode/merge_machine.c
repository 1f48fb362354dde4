/* Accesses of shared memory from machine code. Each PTX instruction has a list of accesses there. A
 * list that is that of the rule, once or several times, confirms the rule, whose accesses have
 * exact addresses. Any other list replaces it: a wide access begins at the multiple of its size
 * before the address of the instruction. If the list has several wide ones, the assembler unrolled
 * a loop, and turns of the loop share an access. A load without an access may have it in the list
 * of another load. */
#include "merge_machine.h"

#include "../isa/scalar.h"

#include <stdlib.h>
#include <string.h>

/* Accesses of one instruction, by size: 1, 2, 4, 8, 16, 32 bytes. */
enum { SIZES = 6 };
struct sizes {
    uint32_t count[SIZES], all;
    uint8_t most; /* bytes of the largest */
};

static void add_size(struct sizes *sizes, unsigned bytes) {
    unsigned size = 0;
    while (size + 1 < SIZES && 1u << size < bytes)
        size++;
    sizes->count[size]++;
    sizes->all++;
    if (bytes > sizes->most)
        sizes->most = (uint8_t)bytes;
}

/* The number of the kernel in machine code, or nkernels. */
static size_t kernel_of(const struct wsim_machine *machine, const char *name) {
    size_t i = 0;
    while (i < machine->nkernels && strcmp(machine->kernels[i].name, name) != 0)
        i++;
    return i;
}

static int is_before(const struct wsim_machine_access *access, size_t kernel, uint32_t line,
                     uint32_t col) {
    return access->kernel != kernel ? access->kernel < kernel
           : access->line != line   ? access->line < line
                                    : access->col < col;
}

static struct sizes sizes_of(const struct wsim_machine *machine, size_t kernel,
                             const struct ptx_instruction *at) {
    struct sizes sizes = {.all = 0};
    size_t low = 0, high = machine->naccesses;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_before(&machine->accesses[middle], kernel, at->line, at->col))
            low = middle + 1;
        else
            high = middle;
    }
    for (const struct wsim_machine_access *access = &machine->accesses[low];
         low < machine->naccesses && access->kernel == kernel && access->line == at->line &&
         access->col == at->col;
         low++, access++)
        add_size(&sizes, access->bytes);
    return sizes;
}

/* Bytes of a lane as written; 0: the instruction is not a ld or st of shared memory. */
static unsigned written_bytes(const struct scalar_meaning *meaning) {
    if (!meaning || meaning->space != SCALAR_SHARED ||
        (meaning->method != SCALAR_METHOD_LD && meaning->method != SCALAR_METHOD_ST))
        return 0;
    return isa_scalar_types[meaning->type[0]].bits / 8u * (meaning->vector ? meaning->vector : 1u);
}

static struct sizes rule_of(const struct run_build *build, uint32_t at, unsigned written) {
    const struct build_merge *merge = merge_of(build, at);
    struct sizes sizes = {.all = 0};
    if (!merge)
        add_size(&sizes, written);
    for (unsigned i = 0; merge && i < merge->n; i++)
        add_size(&sizes, merge->access[i].bytes);
    return sizes;
}

/* Whether `machine` is `rule`, once or several times. */
static int confirms(const struct sizes *machine, const struct sizes *rule) {
    const uint32_t times = rule->all ? machine->all / rule->all : 0;
    for (unsigned size = 0; size < SIZES; size++)
        if (machine->count[size] != times * rule->count[size])
            return 0;
    return rule->all ? times > 0 : !machine->all;
}

static int replace(struct merge_open *open, uint32_t at, unsigned written,
                   const struct sizes *machine) {
    struct build_merge merge = {.head = at + 1};
    if (machine->all && machine->most > written) {
        merge.n = 1;
        merge.access[0].bytes = machine->most;
        merge.access[0].aligned = 1;
        merge.access[0].unrolled = machine->all > 1;
        return merge_keep(open, at, &merge);
    }
    for (unsigned i = 0, from = 0; i < machine->all && i < RUN_JOINED && from < written; i++) {
        merge.access[i].from = (int32_t)from;
        merge.access[i].bytes = machine->most;
        from += machine->most;
        merge.n++;
    }
    return merge_keep(open, at, &merge);
}

int merge_is_assembled(const struct run_build *build) {
    const struct wsim_machine *machine = build->module->machine;
    return machine && kernel_of(machine, build->program->kernel->name) < machine->nkernels;
}

/* --- loads without an access --- */

/* A plain load of shared memory, and its accesses by the rule and in machine code. */
struct load {
    uint32_t at;
    unsigned written;
    struct sizes rule, found;
    struct linear address;
};

/* The load at an instruction. 1; 0: it is none, -1: no memory. */
static int load_at(struct merge_open *open, uint32_t at, struct load *load) {
    const struct run_build *build = open->build;
    const struct scalar_meaning *meaning = build_meaning(build, at);
    const struct ptx_instruction *instruction = &build->source->code[at];
    const struct ptx_operand *address = &build->source->operands[instruction->first + 1];
    int known;
    load->at = at;
    load->written = written_bytes(meaning);
    if (!load->written || meaning->method != SCALAR_METHOD_LD || instruction->count != 2 ||
        address->kind != PTX_OP_ADDRESS || address->count != 1)
        return 0;
    known = linear_of(open->sums, &build->source->operands[address->first], at, &load->address);
    load->address.constant += (uint32_t)address->value;
    return known;
}

/* Whether a way leads from a block to another one, around the block `but`. -1: no memory.
 *   after   1: the way begins at the end of its block
 *   to      graph->blocks: any end of the function */
static int leads_to(const struct run_graph *graph, uint32_t from, int after, uint32_t to,
                    uint32_t but) {
    uint8_t *seen = calloc(graph->blocks + 1u, 1);
    uint32_t *rest = malloc((graph->blocks + 1u) * sizeof *rest), n = 0;
    int found = 0;
    if (!seen || !rest) {
        free(seen), free(rest);
        return -1;
    }
    rest[n++] = from;
    while (n && !found) {
        const uint32_t block = rest[--n];
        if (block == but && !after)
            continue;
        found = !after && (block == to ||
                           (to == graph->blocks && graph->first[block] == graph->first[block + 1]));
        after = 0;
        for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++)
            if (!seen[graph->to[e]]) {
                seen[graph->to[e]] = 1;
                rest[n++] = graph->to[e];
            }
    }
    free(seen), free(rest);
    return found;
}

/* Whether every lane that executes `load` comes to `lost` behind it, and others come there too. The
 * assembler then loads both at once, for all these lanes. -1: no memory. */
static int is_early(const struct run_build *build, const struct load *load,
                    const struct load *lost) {
    const struct run_graph *graph = &build->blocks;
    const uint32_t one = build->block_of[load->at], two = build->block_of[lost->at];
    int past, around;
    if (build->source->code[lost->at].guard != PTX_NO_GUARD || load->at > lost->at)
        return 0;
    if (one == two)
        return build->source->code[load->at].guard != PTX_NO_GUARD;
    past = leads_to(graph, one, 1, graph->blocks, two);
    around = leads_to(graph, 0, 0, two, one);
    return past < 0 || around < 0 ? -1 : !past && around;
}

/* Whether another access of the block has the accesses of the rule once: no loop was unrolled. */
static int is_single(const struct merge_open *open, size_t kernel, uint32_t at) {
    const struct run_build *build = open->build;
    uint32_t first = at, last = at;
    while (first && !build->leads[first])
        first--;
    while (last + 1 < build->source->n_code && !build->leads[last + 1])
        last++;
    for (uint32_t i = first; i <= last; i++) {
        const unsigned written = i == at ? 0 : written_bytes(build_meaning(build, i));
        struct sizes rule, found;
        if (!written)
            continue;
        rule = rule_of(build, i, written);
        found = sizes_of(build->module->machine, kernel, &build->source->code[i]);
        if (rule.all && rule.all == found.all)
            return 1;
    }
    return 0;
}

/* Finds the load whose list has the access of a load without one. The assembler loads neighbours at
 * once, then only the words that are needed, and names them all after the first. Or it takes a load
 * out of a branch because a later one needs the same word. 0: no memory. */
static int find_lost(struct merge_open *open, size_t kernel, const struct load *lost) {
    struct run_build *build = open->build;
    struct load load, early = {.written = 0}, shared = {.written = 0};
    uint32_t same = 0, others = 0; /* loads of that address; lost loads of the neighbours */
    struct build_merge merge = {
        .head = lost->at + 1, .n = 1, .access = {{.bytes = (uint8_t)lost->written}}};
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        const int is = i == lost->at ? 0 : load_at(open, i, &load);
        int32_t distance;
        if (is < 0)
            return 0;
        if (!is || load.written != lost->written ||
            !linear_same_terms(&load.address, &lost->address))
            continue;
        load.rule = rule_of(build, i, load.written);
        load.found = sizes_of(build->module->machine, kernel, &build->source->code[i]);
        distance = (int32_t)(load.address.constant - lost->address.constant);
        if (!distance) {
            same++;
            early = load;
        } else if (distance > -MERGE_WIDE && distance < MERGE_WIDE &&
                   build->block_of[i] == build->block_of[lost->at]) {
            others += load.rule.all && !load.found.all;
            if (load.found.all > 1 && load.found.most == load.written)
                shared = load;
        }
    }
    if (same == 1 && early.found.all == 1 && early.rule.all == 1) {
        const int is = is_early(build, &early, lost);
        const struct build_merge none = {.head = lost->at + 1};
        return is < 0 ? 0
                      : !is || (merge_keep(open, early.at, &none) &&
                                merge_keep(open, lost->at, &merge));
    }
    if (same || !shared.written || shared.found.all != others + 2 ||
        !is_single(open, kernel, shared.at))
        return 1;
    return merge_keep(open, lost->at, &merge);
}

int merge_machine(struct merge_open *open) {
    struct run_build *build = open->build;
    const struct wsim_machine *machine = build->module->machine;
    struct load lost;
    size_t kernel;
    int good = 1;
    if (!build->program->assembled)
        return 1;
    kernel = kernel_of(machine, build->program->kernel->name);
    build->program->unrolls = 0;
    for (uint32_t i = 0; i < build->source->n_code && good; i++) {
        const unsigned written = written_bytes(build_meaning(build, i));
        struct sizes rule, found;
        if (!written)
            continue;
        rule = rule_of(build, i, written);
        found = sizes_of(machine, kernel, &build->source->code[i]);
        if (!confirms(&found, &rule))
            good = replace(open, i, written, &found);
        if (rule.all && !found.all && good && load_at(open, i, &lost) > 0)
            good = find_lost(open, kernel, &lost);
    }
    return good;
}
