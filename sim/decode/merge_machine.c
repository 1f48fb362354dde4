/* Accesses of shared memory from machine code. Each PTX instruction has a list of accesses there. A
 * list that is that of the rule, once or several times, confirms the rule, whose accesses have
 * exact addresses. Any other list replaces it: a wide access begins at the multiple of its size
 * before the address of the instruction. If the list has several wide ones, the assembler unrolled
 * a loop, and turns of the loop share an access. */
#include "merge_machine.h"

#include "../isa/scalar.h"

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

int merge_machine(struct merge_open *open) {
    struct run_build *build = open->build;
    const struct wsim_machine *machine = build->module->machine;
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
    }
    return good;
}
