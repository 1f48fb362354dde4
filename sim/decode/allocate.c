/* Assigns rows to registers. A register that lives within one basic block shares its row with
 * others. Generated code has a new register for every value, and few of them are live at once.
 *
 * This also holds when lanes diverge. Each lane has its own column of a row and executes a block
 * in order from its first instruction. An unguarded write comes before the first read in the
 * block, and no other block uses the register. So it holds nothing between its last use and the
 * next first one. */
#include "contract.h"
#include "uses.h"

#include <stdlib.h>

/* Where a register is touched: in one block only, first by a write of all lanes. */
struct life {
    uint32_t first, last; /* instructions; first 0: never seen, else + 1 */
    uint32_t block;
    uint8_t apart; /* needs its own row                            */
};

enum { WIDTHS = 4 }; /* 1, 32, 64, 128 bits */

/* Rows that are free now. */
struct rows {
    uint32_t *at[WIDTHS];
    uint32_t n[WIDTHS];
};

static unsigned width_of(unsigned bits) {
    return bits == 1 ? 0 : bits <= 32 ? 1 : bits <= 64 ? 2 : 3;
}

static void keep(const struct ptx_operand *operand, uint32_t at, uint32_t block,
                 struct life *lives) {
    struct life *life;
    if (operand->kind != PTX_OP_REGISTER)
        return;
    life = &lives[operand->index];
    life->last = life->last < at ? at : life->last;
    life->apart |= !life->first || life->block != block;
}

/* The factors of a product are read where the sum is that it became part of. An instruction that
 * goes into another one leaves its operand there. */
static void keep_factors(const struct run_build *build, uint32_t at, uint32_t block,
                         struct life *lives) {
    const uint32_t product = build->fused_with[at], inverse = build->inverse[at];
    struct ptx_operand operand;
    for (unsigned f = 1; f < 3 && product && !contract_is_gone(product); f++) {
        operand = contract_factor(build, product - 1, f);
        keep(&operand, at, block, lives);
    }
    if (inverse && inverse != CONTRACT_CHANGED) {
        operand = contract_inverse(build, at);
        keep(&operand, at, block, lives);
    }
}

static void find_lives(const struct run_build *build, const struct run_uses *uses,
                       struct life *lives) {
    uint32_t block = 0;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        block += build->leads[i];
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            struct life *life = &lives[uses->reg[u]];
            if (!life->first) {
                life->first = i + 1;
                life->block = block;
                life->apart = uses->what[u] != USES_WRITE;
            }
            life->last = i;
            life->apart |= life->block != block || (uses->what[u] & USES_LASTING) != 0;
        }
        keep_factors(build, i, block, lives);
    }
}

/* Parameters come and go with calls. */
static void keep_params(const struct ptx_param *params, uint32_t n, struct life *lives) {
    for (uint32_t i = 0; i < n; i++)
        if (params[i].in_register)
            lives[params[i].reg].apart = 1;
}

/* With `unset`, registers that may be read first; else the others. Rows of one width at a time, so
 * that narrow ones lie together. */
static int place_apart(struct run_build *build, const struct life *lives, int unset) {
    const struct ptx_function *source = build->source;
    for (unsigned width = 0; width < WIDTHS; width++)
        for (uint32_t i = 0; i < source->n_registers; i++) {
            unsigned bits = source->registers[i].type.bits;
            if (width_of(bits) != width || !lives[i].first || !lives[i].apart ||
                unset != (build->unset[i] != 0))
                continue;
            build->register_at[i] = build_row(build, bits);
            if (!build->register_at[i])
                return 0;
        }
    return 1;
}

/* Reuses the row that was freed last: it is still in the cache. */
static uint32_t take_row(struct run_build *build, struct rows *rows, unsigned bits) {
    unsigned width = width_of(bits);
    return rows->n[width] ? rows->at[width][--rows->n[width]] : build_row(build, bits);
}

/* A row is free after the last instruction that names its register, so a result never overlaps an
 * operand of its instruction. */
static int place_shared(struct run_build *build, const struct run_uses *uses,
                        const struct life *lives, struct rows *rows) {
    const struct ptx_register *registers = build->source->registers;
    for (uint32_t i = 0; i < build->source->n_code; i++) {
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            uint32_t reg = uses->reg[u];
            if (lives[reg].apart || lives[reg].first != i + 1)
                continue;
            build->register_at[reg] = take_row(build, rows, registers[reg].type.bits);
            if (!build->register_at[reg])
                return 0;
        }
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            uint32_t reg = uses->reg[u], width = width_of(registers[reg].type.bits);
            if (!lives[reg].apart && lives[reg].last == i)
                rows->at[width][rows->n[width]++] = build->register_at[reg];
        }
    }
    return 1;
}

/* Keeps the rows for looks of the caller. A product that became part of a sum is never written.
 */
static int keep_rows(struct run_build *build, const struct run_uses *uses,
                     const struct life *lives) {
    const struct ptx_function *source = build->source;
    struct run_register *kept =
        run_arena_get(&build->module->arena, (source->n_registers + 1u) * sizeof *kept);
    for (uint32_t i = 0; kept && i < source->n_registers; i++) {
        kept[i] = (struct run_register){build->register_at[i], lives[i].first, lives[i].last, 0};
        if (lives[i].apart || !lives[i].first)
            kept[i].first = 0;
    }
    for (uint32_t i = 0; kept && i < source->n_code; i++) {
        const struct ptx_operand *to = &source->operands[source->code[i].first];
        if (contract_is_gone(build->fused_with[i]) && to->kind == PTX_OP_REGISTER)
            kept[to->index].at = 0;
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++)
            if (uses->what[u] & USES_WRITE) {
                uint32_t *definition = &kept[uses->reg[u]].definition;
                *definition = *definition ? RUN_DEFINED_TWICE : i + 1;
            }
    }
    build->function->registers = kept;
    return kept != NULL;
}

int build_registers(struct run_build *build, const struct run_uses *uses) {
    const struct ptx_function *source = build->source;
    struct life *lives = calloc(source->n_registers + 1u, sizeof *lives);
    struct rows rows = {0};
    int placed = lives != NULL;
    for (unsigned width = 0; width < WIDTHS; width++) {
        rows.at[width] = malloc((source->n_registers + 1u) * sizeof *rows.at[width]);
        placed &= rows.at[width] != NULL;
    }
    build->carry_at = build_row(build, 1);
    if (placed) {
        find_lives(build, uses, lives);
        keep_params(source->params, source->n_params, lives);
        keep_params(source->results, source->n_results, lives);
        for (uint32_t i = 0; i < source->n_params + source->n_results; i++) {
            const struct ptx_param *param =
                i < source->n_params ? &source->params[i] : &source->results[i - source->n_params];
            if (param->in_register && !lives[param->reg].first)
                lives[param->reg].first = 1; /* it is never named, but copied all the same */
        }
        placed = place_apart(build, lives, 1);
        build->function->unset_end = build->frame_used;
        placed = placed && place_apart(build, lives, 0);
        build->function->brief = build->frame_used;
        placed = placed && place_shared(build, uses, lives, &rows) && keep_rows(build, uses, lives);
        build->function->brief_end = build->frame_used;
    }
    for (unsigned width = 0; width < WIDTHS; width++)
        free(rows.at[width]);
    free(lives);
    return placed;
}
