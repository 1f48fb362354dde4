/* block.h - one block that uses tensor copies. It has matrices in global memory with maps, shared
 * memory with a barrier, copies of tiles, and a warp's loads and stores with costs. */
#ifndef BLOCK_H
#define BLOCK_H

#include "show.h"

#define BLOCK_ARCH "sm_90a"
#define BLOCK_BYTES 16384         /* of shared memory for tiles, from address 0 on ... */
#define BLOCK_BARRIER BLOCK_BYTES /* ... and the barrier after them                    */

/* A row-major matrix in global memory. */
struct matrix {
    struct wsim_memory memory; /* begins with the matrix                */
    enum wsim_tensor_type type;
    unsigned bytes; /* of an element                         */
    unsigned rows, cols;
    unsigned pitch; /* bytes from row to row                 */
};

uint64_t matrix_get(const struct matrix *matrix, unsigned row, unsigned col);
void matrix_put(struct matrix *matrix, unsigned row, unsigned col, uint64_t value);

/* The parameters of a map of the matrix, and the map. The box is in elements. */
struct wsim_tensor matrix_tensor(const struct matrix *matrix, enum wsim_swizzle swizzle,
                                 unsigned box_rows, unsigned box_cols);
struct wsim_tensor_map matrix_map(const struct matrix *matrix, enum wsim_swizzle swizzle,
                                  unsigned box_rows, unsigned box_cols);

struct block {
    uint8_t bytes[BLOCK_BYTES + WSIM_MBARRIER_BYTES];
    uint32_t parity; /* of the phase of the barrier, which follows the tiles */
};

/* Empty shared memory and a fresh barrier. */
void block_start(struct block *block);

/* One cp.async.bulk.tensor.2d: the tile at (row, col) to or from shared address `at`. */
struct wsim_bulk_result block_load(struct block *block, struct matrix *matrix,
                                   const struct wsim_tensor_map *map, uint32_t at, unsigned row,
                                   unsigned col);
struct wsim_bulk_result block_store(struct block *block, struct matrix *matrix,
                                    const struct wsim_tensor_map *map, uint32_t at, unsigned row,
                                    unsigned col);

/* Arrives and waits until `bytes` have come. More or less than have come ends the program. */
void block_wait(struct block *block, uint32_t bytes);

/* ld.shared and st.shared of a warp, register i of lane l in regs->r[i][l]; returns what it cost.
 */
struct wsim_banks block_access(struct block *block, const char *spelling,
                               const uint32_t addr[WSIM_LANES], struct wsim_regs *regs);

#endif
