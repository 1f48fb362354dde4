/* umma.h - products of the Blackwell tensor core (tcgen05.mma). Their types and their shape come
 * from an instruction descriptor, so a product is known only at run time.
 *
 *     umma_decode.c   instruction descriptors
 *     umma_prepare.c  the arithmetic and the places of a product
 *     umma.c          execution, element by element: the plain path
 *     umma_source.c   matrices in shared memory */
#ifndef WSIM_EXEC_UMMA_H
#define WSIM_EXEC_UMMA_H

#include "descriptor.h"
#include "product.h"

/* A form: the words of a spelling that decide a product. */
struct umma_form {
    uint8_t products;   /* enum isa_products of its kind                                        */
    uint8_t blocks;     /* cta_group: 1 or 2                                                    */
    uint8_t sparse;     /* .sp                                                                  */
    uint8_t stationary; /* .ws                                                                  */
    uint8_t factors;    /* block scale: scale factors of a row; 0: none                         */
};

/* Types and shape of a product. */
struct umma_shape {
    const struct wsim_format *a, *b, *d;
    const struct wsim_format *factor; /* of scale factors; NULL: no block scale                 */
    uint16_t m, n;                    /* of the instruction, for both blocks of a pair          */
    uint8_t k;                        /* elements of a column of B                              */
    uint8_t pattern;                  /* enum isa_pattern_id of a sparse A                      */
    uint8_t blocks;                   /* scale factors of a row                                 */
    uint8_t saturate;
    uint8_t trans[2], negate[2]; /* of A and B                                             */
    uint8_t factor_id[2];
    uint8_t most_shift; /* .ws: columns                                                         */
};

/* Reads an instruction descriptor for a form. Refuses fields that the form does not have, and
 * shapes that the ISA does not have. */
enum wsim_status umma_decode(const struct umma_form *form, uint32_t idesc, struct umma_shape *shape,
                             struct wsim_diag *diag);

/* Fills *how with the arithmetic of `accum` for a product of this shape. */
void umma_choose(const struct umma_shape *shape, const struct isa_accum *accum,
                 struct wsim_code_product *how);

/* Prepares code->work for a form with an instruction descriptor, on code->arch. */
enum wsim_status umma_prepare(const struct umma_form *form, uint32_t idesc, struct wsim_code *code,
                              struct wsim_diag *diag);

/* Executes prepared code. */
enum wsim_status umma_run(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_diag *diag);

/* Operands of a product in tensor memory, and their columns; 0: the product has none. */
enum umma_operand { UMMA_D, UMMA_A, UMMA_E, UMMA_SFA, UMMA_SFB, UMMA_OPERANDS };
unsigned umma_columns(const struct wsim_code *code, const struct wsim_io_umma *io,
                      enum umma_operand operand);
uint32_t umma_address(const struct wsim_io_umma *io, enum umma_operand operand);

/* --- tensor memory --- */

enum { UMMA_LANES = 128, UMMA_COLUMNS = 512 };

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

/* --- matrices --- */

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

/* The bits of an element. */
uint64_t umma_read(const struct umma_source *source, unsigned row, unsigned k);

/* Reports all of it to the watcher of its memory. */
void umma_tell_source(const struct umma_source *source, const struct wsim_io *io);

#endif
