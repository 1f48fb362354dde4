/* Where an operation is in the text, a block in the grid, and a byte in a variable. */
#include "launch.h"

const struct run_function *run_function_of(const struct run_program *program, uint32_t op) {
    uint32_t low = 0, high = program->n_functions;
    /* Functions without a body begin where the next one begins; the last of them has the body. */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (program->functions[middle].first <= op)
            low = middle;
        else
            high = middle;
    }
    return &program->functions[low];
}

const struct ptx_instruction *run_instruction_of(const struct run_program *program, uint32_t op) {
    uint32_t where = program->where[op];
    return where == RUN_NOWHERE ? NULL : &run_function_of(program, op)->source->code[where];
}

void block_locate(const struct run_launch *launch, uint64_t number, uint32_t rank, uint32_t id[3]) {
    const uint32_t *clusters = launch->clusters, *cluster = launch->cluster;
    uint32_t at[3] = {(uint32_t)(number % clusters[0]),
                      (uint32_t)(number / clusters[0] % clusters[1]),
                      (uint32_t)(number / clusters[0] / clusters[1])};
    id[0] = at[0] * cluster[0] + rank % cluster[0];
    id[1] = at[1] * cluster[1] + rank / cluster[0] % cluster[1];
    id[2] = at[2] * cluster[2] + rank / cluster[0] / cluster[1];
}

static uint64_t shuffled(const struct run_launch *launch, uint64_t n) {
    uint64_t units = launch->n_units, step, a, b;
    if (!launch->how->seed || units < 2)
        return n;
    step = launch->how->seed * 0x9E3779B97F4A7C15u % units | 1;
    for (;; step += 2) { /* the first one from there that has no divisor in common with units */
        for (a = step, b = units; b;) {
            uint64_t rest = a % b;
            a = b, b = rest;
        }
        if (a == 1)
            break;
    }
    step %= units;
    /* Grids have at most 2^31 * 2^32 blocks, and those beyond 2^32 never end: no sum wraps below.
     */
    return (n % units * step + launch->how->seed) % units;
}

uint64_t unit_at(const struct run_launch *launch, uint64_t n) {
    return launch->first_unit + shuffled(launch, n);
}

/* All blocks of a cooperative grid begin at once. */
int unit_cancel(const struct run_launch *launch, uint32_t first[3]) {
    unsigned long long next = atomic_load(&launch->shared->next);
    do {
        if (next >= launch->n_units || launch->how->cooperative)
            return 0;
    } while (!atomic_compare_exchange_weak(&launch->shared->next, &next, next + 1));
    block_locate(launch, unit_at(launch, next), 0, first);
    return 1;
}

/* C++ mangles a variable "tile" of a function to _ZZ...E4tile, perhaps with _0 or __12_ after it.
 */
static const char *short_name(const char *name, int *length) {
    const size_t all = strlen(name);
    *length = (int)(all < 40 ? all : 40);
    if (strncmp(name, "_ZZ", 3) != 0)
        return name;
    for (size_t at = all; at-- > 3;) {
        size_t n = 0, digit = at + 1;
        if (name[at] != 'E' || name[digit] < '1' || name[digit] > '9')
            continue;
        for (; name[digit] >= '0' && name[digit] <= '9' && n < all; digit++)
            n = 10 * n + (size_t)(name[digit] - '0');
        if (digit + n > all || (digit + n < all && name[digit + n] != '_'))
            continue;
        *length = (int)(n < 40 ? n : 40);
        return name + digit;
    }
    return name;
}

/* Dynamic memory has no end here. */
static int holds(const struct run_program *program, const struct run_placed *placed,
                 uint64_t offset) {
    const struct ptx_variable *variable = &program->module->variables[placed->variable];
    return variable->space == PTX_SHARED && offset >= placed->at &&
           (variable->open || offset - placed->at < variable->bytes);
}

const struct run_placed *run_shared_variable(const struct run_program *program, uint64_t offset) {
    for (uint32_t i = 0; i < program->n_placed; i++)
        if (holds(program, &program->placed[i], offset))
            return &program->placed[i];
    return NULL;
}

struct run_words run_shared_words(const struct run_warp *warp, uint64_t at, const char *plain) {
    const uint64_t rank = at >> RUN_RANK_SHIFT, in_block = at & ((1u << RUN_RANK_SHIFT) - 1);
    const uint64_t offset = in_block - warp->worker->launch->shared_base;
    const struct run_placed *found = run_shared_variable(warp->program, offset);
    struct run_words words;
    struct base_text text = {words.text, sizeof words.text, 0};
    words.text[0] = 0;
    if (found) {
        const struct ptx_variable *variable = &warp->program->module->variables[found->variable];
        const int is_scalar = !variable->open && variable->bytes <= 8;
        int length;
        const char *name = short_name(variable->name, &length);
        base_put(&text, "%.*s", length, name);
        if (offset != found->at || !is_scalar)
            base_put(&text, "+0x%llx", (unsigned long long)(offset - found->at));
    } else {
        base_put(&text, "%s0x%llx", plain, (unsigned long long)in_block);
    }
    if (rank != warp->block->rank)
        base_put(&text, " of block %llu of the cluster", (unsigned long long)rank);
    return words;
}
