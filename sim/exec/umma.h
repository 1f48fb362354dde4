/* umma.h - products of the Blackwell tensor core (tcgen05.mma). Their types and their shape come
 * from an instruction descriptor, so a product is known only at run time.
 *
 *     umma_decode.c   instruction descriptors
 *     umma_matrix.c   matrix descriptors
 *     umma_prepare.c  the arithmetic and the places of a product
 *     umma_place.c    the places of elements in tensor memory, one at a time
 *     umma.c          execution, element by element: the plain path
 *     umma_rows.c     execution by kernels: what is prepared, rows of blocks
 *     umma_strip.c    ... matrices in shared memory
 *     umma_piece.c    ... and in tensor memory
 *     umma_source.c   matrices in shared memory */
#ifndef WSIM_EXEC_UMMA_H
#define WSIM_EXEC_UMMA_H

#include "descriptor.h"
#include "product.h"

#include "../isa/umma.h"

/* Checks that a form is one of tcgen05.mma. */
enum wsim_status umma_check_form(const struct wsim_umma *umma, struct wsim_diag *diag);

/* Fills *how with the arithmetic of `accum` for a product of this shape. */
void umma_choose(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                 const struct isa_accum *accum, struct wsim_code_product *how);

/* Executes prepared code. */
enum wsim_status umma_run(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_diag *diag);

/* The row of accum.def of a kind; NULL: there is none. */
const struct isa_accum *umma_accum(unsigned products, const struct wsim_arch *arch);

/* The metadata of a chunk of a row of the whole product; *place is where it lies. */
int umma_pair(const struct wsim_code *code, const struct wsim_io *io, unsigned row, unsigned chunk,
              struct wsim_place *place);

/* Operands of a product in tensor memory, and their columns; 0: the product has none. */
enum umma_operand { UMMA_D, UMMA_A, UMMA_E, UMMA_SFA, UMMA_SFB, UMMA_OPERANDS };
unsigned umma_columns(const struct wsim_code *code, const struct wsim_io_umma *io,
                      enum umma_operand operand);
uint32_t umma_address(const struct wsim_io_umma *io, enum umma_operand operand);

/* --- tensor memory --- */

enum { UMMA_LANES = 128, UMMA_COLUMNS = ISA_TENSOR_COLUMNS };

enum { UMMA_MOST_K = 64 }; /* stored elements of a row of A                                   */

static inline unsigned umma_lane(uint32_t address) {
    return address >> 16 & (UMMA_LANES - 1);
}
static inline unsigned umma_column(uint32_t address) {
    return address & (UMMA_COLUMNS - 1);
}

/* The byte of a word in the window of tensor memory. */
static inline uint64_t umma_byte(unsigned lane, unsigned column) {
    return ((uint64_t)lane * UMMA_COLUMNS + column) * 4;
}
static inline uint32_t umma_word(const struct wsim_memory *tensor, unsigned lane, unsigned column) {
    return (uint32_t)memory_get(tensor, tensor->base + umma_byte(lane, column), 4);
}

/* The lane of row `row` of a block in part `part`, from the first lane on. */
static inline unsigned umma_row_lane(const struct wsim_code_tensor *how, unsigned row,
                                     unsigned part) {
    return (how->spread ? row % 16 + row / 16 * 32 : row) + part * how->rows;
}

/* The nibble of a chunk of a row of a block, from the address of the metadata on. */
void umma_nibble_at(const struct wsim_code_tensor *how, unsigned part, unsigned row, unsigned chunk,
                    unsigned *lane, unsigned *column, unsigned *bit);

/* --- matrices --- */

/* Decodes the descriptor of the matrix `name`. */
enum wsim_status umma_matrix_decode(const char *name, uint64_t bits,
                                    struct wsim_descriptor *descriptor, struct wsim_diag *diag);

/* Bits of an element of a kind that gives every element a byte of K, if they are fewer; 0: packed.
 */
unsigned umma_narrow_bits(const struct wsim_umma *umma, const struct wsim_format *format);

/* A matrix of one block in shared memory. */
struct umma_source {
    const char *name;
    const struct wsim_memory *shared;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile; /* narrow elements count as bytes there                             */
    uint8_t narrow;        /* bits of an element if 16 of them share 16 bytes; 0: packed       */
};

/* Reads a matrix descriptor and checks that all of the tile can be read. */
enum wsim_status umma_open(const char *name, uint64_t bits, const struct wsim_memory *shared,
                           uint32_t shared_end, const struct wsim_tile *tile, unsigned narrow,
                           struct umma_source *source, struct wsim_diag *diag);

/* The 16 bytes in which an element lies first. */
const uint8_t *umma_piece(const struct umma_source *source, unsigned row, unsigned k);

/* The tile of A (0) or B (1) of a block of prepared code. */
struct wsim_tile umma_tile(const struct wsim_code *code, unsigned which);

/* The bits of an element. */
uint64_t umma_read(const struct umma_source *source, unsigned row, unsigned k);

/* Reports all of it to the watcher of its memory. */
void umma_tell_source(const struct umma_source *source, const struct wsim_io *io);

/* One product under way. Index 1 is the odd block of a pair. */
struct umma_run {
    const struct wsim_code *code;
    const struct wsim_io *io;
    const struct wsim_code_tensor *how;
    struct product product;
    struct umma_source a[2], b[2];
    const struct wsim_memory *tensor[2];
    unsigned first, last; /* plain path: rows of a block                                      */
};

/* Whether lane `lane` of D stays as it is. */
static inline int umma_is_masked(const struct umma_run *run, unsigned block, unsigned lane) {
    const uint32_t *mask = run->io->umma.mask;
    return mask && mask[4 * block + lane / 32] >> lane % 32 & 1;
}

/* The best kernel for prepared code, if there is one. */
void umma_strip_prepare(struct wsim_code *code);

/* Multiplies checked operands by that kernel. 0: it is left to the plain path. */
int umma_strips(const struct umma_run *run);

#endif
