/* block.c - one block: its maps, its copies, its barrier and what its warps read and write. */
#include "block.h"

#include <string.h>

#define LOAD "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"

static uint8_t *element(const struct matrix *matrix, unsigned row, unsigned col) {
    return matrix->memory.bytes + (size_t)row * matrix->pitch + (size_t)col * matrix->bytes;
}

uint64_t matrix_get(const struct matrix *matrix, unsigned row, unsigned col) {
    const uint8_t *bytes = element(matrix, row, col);
    uint64_t value = 0;
    unsigned i;
    for (i = 0; i < matrix->bytes; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

void matrix_put(struct matrix *matrix, unsigned row, unsigned col, uint64_t value) {
    uint8_t *bytes = element(matrix, row, col);
    unsigned i;
    for (i = 0; i < matrix->bytes; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

struct wsim_tensor matrix_tensor(const struct matrix *matrix, enum wsim_swizzle swizzle,
                                 unsigned box_rows, unsigned box_cols) {
    struct wsim_tensor tensor = {.dtype = matrix->type,
                                 .swizzle = swizzle,
                                 .rank = 2,
                                 .base = matrix->memory.base,
                                 .dims = {matrix->cols, matrix->rows},
                                 .strides = {matrix->pitch},
                                 .estrides = {1, 1},
                                 .box = {box_cols, box_rows}};
    return tensor;
}

struct wsim_tensor_map matrix_map(const struct matrix *matrix, enum wsim_swizzle swizzle,
                                  unsigned box_rows, unsigned box_cols) {
    struct wsim_tensor tensor = matrix_tensor(matrix, swizzle, box_rows, box_cols);
    struct wsim_tensor_map map;
    struct wsim_diag diag;
    must(wsim_tensor_encode(&tensor, must_find(BLOCK_ARCH), &map, &diag), &diag);
    return map;
}

static struct wsim_memory memory_of(struct block *block) {
    return wsim_memory_over(WSIM_SHARED, block->bytes, sizeof block->bytes, 0);
}

void block_start(struct block *block) {
    struct wsim_memory shared = memory_of(block);
    struct wsim_mbarrier barrier = {.shared = &shared, .at = BLOCK_BARRIER};
    struct wsim_diag diag;
    memset(block, 0, sizeof *block);
    must(wsim_mbarrier_init(&barrier, 1, &diag), &diag);
}

static struct wsim_bulk_result copy(struct block *block, const char *spelling,
                                    struct matrix *matrix, struct wsim_bulk *io) {
    struct wsim_op op = must_parse(spelling);
    struct wsim_memory shared = memory_of(block);
    struct wsim_bulk_result result;
    struct wsim_diag diag;
    io->global = &matrix->memory;
    io->shared = &shared;
    must(wsim_bulk_run(&op, must_find(BLOCK_ARCH), io, &result, &diag), &diag);
    return result;
}

struct wsim_bulk_result block_load(struct block *block, struct matrix *matrix,
                                   const struct wsim_tensor_map *map, uint32_t at, unsigned row,
                                   unsigned col) {
    return copy(block, LOAD, matrix,
                &(struct wsim_bulk){.map = map,
                                    .shared_at = at,
                                    .coord = {(int32_t)col, (int32_t)row},
                                    .barrier_at = BLOCK_BARRIER,
                                    .has_barrier = 1});
}

struct wsim_bulk_result block_store(struct block *block, struct matrix *matrix,
                                    const struct wsim_tensor_map *map, uint32_t at, unsigned row,
                                    unsigned col) {
    return copy(
        block, STORE, matrix,
        &(struct wsim_bulk){.map = map, .shared_at = at, .coord = {(int32_t)col, (int32_t)row}});
}

void block_wait(struct block *block, uint32_t bytes) {
    struct wsim_memory shared = memory_of(block);
    struct wsim_mbarrier barrier = {.shared = &shared, .at = BLOCK_BARRIER};
    struct wsim_diag diag;
    must(wsim_mbarrier_expect_tx(&barrier, bytes, &diag), &diag);
    must(wsim_mbarrier_arrive(&barrier, 1, NULL, &diag), &diag);
    must(wsim_mbarrier_wait(&barrier, block->parity, &diag), &diag);
    block->parity ^= 1;
}

/* The words of one lane. */
static void move(uint8_t *bytes, int stores, unsigned words, unsigned lane,
                 struct wsim_regs *regs) {
    unsigned i;
    for (i = 0; i < words; i++, bytes += 4)
        if (stores) {
            uint32_t word = regs->r[i][lane];
            bytes[0] = (uint8_t)word;
            bytes[1] = (uint8_t)(word >> 8);
            bytes[2] = (uint8_t)(word >> 16);
            bytes[3] = (uint8_t)(word >> 24);
        } else {
            regs->r[i][lane] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                               (uint32_t)bytes[3] << 24;
        }
}

struct wsim_banks block_access(struct block *block, const char *spelling,
                               const uint32_t addr[WSIM_LANES], struct wsim_regs *regs) {
    struct wsim_op op = must_parse(spelling);
    struct wsim_op_info info = wsim_op_describe(&op);
    struct wsim_banks banks;
    struct wsim_diag diag;
    unsigned lane;
    must(wsim_banks_count(&op, must_find(BLOCK_ARCH), addr, ~(uint32_t)0, &banks, &diag), &diag);
    for (lane = 0; lane < WSIM_LANES; lane++)
        move(block->bytes + addr[lane], info.family == WSIM_ST, info.bytes / 4u, lane, regs);
    return banks;
}
