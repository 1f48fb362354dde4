/* Where an operation is in the text, and a block in the grid. */
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
