/* umma.h - the tables of umma.def. */
#ifndef WSIM_ISA_UMMA_H
#define WSIM_ISA_UMMA_H

#include "isa.h"

#include <wsim/umma.h>

#define UMMA_F16 WSIM_UMMA_F16
#define UMMA_TF32 WSIM_UMMA_TF32
#define UMMA_F8F6F4 WSIM_UMMA_F8F6F4
#define UMMA_I8 WSIM_UMMA_I8
#define UMMA_MXF8F6F4 WSIM_UMMA_MXF8F6F4
#define UMMA_MXF4 WSIM_UMMA_MXF4
#define UMMA_MXF4NVF4 WSIM_UMMA_MXF4NVF4

/* Bits of a form: its group, and its sparsity. */
enum { UMMA_ONE = 1, UMMA_PAIR = 2, UMMA_WS = 4, UMMA_SPARSE = 8, UMMA_DENSE = 16 };

static inline unsigned isa_umma_form(const struct wsim_umma *umma) {
    unsigned group = umma->stationary ? UMMA_WS : umma->blocks == 2 ? UMMA_PAIR : UMMA_ONE;
    return group | (umma->sparse ? UMMA_SPARSE : UMMA_DENSE);
}

/* The door of a product. */
extern const uint8_t isa_umma_door;

struct isa_umma_kind {
    const char *name;
    uint8_t products, k, pattern, scaled;
};
extern const struct isa_umma_kind isa_umma_kinds[WSIM_UMMA_KINDS];
extern const char *const isa_umma_measured[]; /* targets; the last is NULL */

/* A type with its code in the descriptor. */
struct isa_umma_type {
    uint8_t kind, code, format, factors; /* factors: of a row, of types of scale factors */
};
extern const struct isa_umma_type isa_umma_types[], isa_umma_results[], isa_umma_factors[];
extern const size_t isa_umma_type_count, isa_umma_result_count, isa_umma_factor_count;

struct isa_umma_shape {
    uint8_t kinds, form;
    uint16_t m, least, most, step;
};
extern const struct isa_umma_shape isa_umma_shapes[];
extern const size_t isa_umma_shape_count;

enum isa_umma_field_id {
    UMMA_SELECTOR,
    UMMA_SPARSITY,
    UMMA_SATURATE,
    UMMA_TYPE_D,
    UMMA_ID_B,
    UMMA_TYPE_A,
    UMMA_TYPE_B,
    UMMA_NEGATE_A,
    UMMA_NEGATE_B,
    UMMA_TRANS_A,
    UMMA_TRANS_B,
    UMMA_N,
    UMMA_FACTOR,
    UMMA_M,
    UMMA_ID_A,
    UMMA_SHIFT,
    UMMA_LONG_K,
    UMMA_FIELDS
};
struct isa_umma_field {
    const char *name;
    uint8_t id, kinds, form, first, bits;
};
extern const struct isa_umma_field isa_umma_fields[];
extern const size_t isa_umma_field_count;

struct isa_umma_layout {
    uint8_t form;
    char letter;
    uint16_t m;
    uint8_t rows, parts, spread;
};
extern const struct isa_umma_layout isa_umma_layouts[];

#define ISA_TENSOR_SPLIT 0x80u

/* A shape of tcgen05.ld and st. A base has the lane in its low byte and the column above it. */
struct isa_umma_move {
    uint8_t shape; /* enum scalar_tensor_shape */
    uint16_t thread[5], reg[2], next;
};
extern const struct isa_umma_move isa_umma_moves[];
extern const size_t isa_umma_move_count;

/* The part of the address of a thread and a register: XOR of their bases. */
uint32_t isa_umma_move_at(const struct isa_umma_move *move, unsigned thread, unsigned reg);

/* A shape of tcgen05.cp. */
struct isa_umma_copy {
    uint8_t shape, spread; /* enum scalar_tensor_shape, enum scalar_spread */
    uint8_t rows, bytes, row[7], copy[2];
};

/* NULL: tcgen05.cp has no such shape. */
const struct isa_umma_copy *isa_umma_copy_find(unsigned shape, unsigned spread);

/* Copies of each row, and the lane of a row in copy `copy`. */
unsigned isa_umma_copy_number(const struct isa_umma_copy *shape);
unsigned isa_umma_copy_lane(const struct isa_umma_copy *shape, unsigned row, unsigned copy);

/* Work of the tensor core on a column of tensor memory. */
enum isa_umma_work { ISA_UMMA_READS, ISA_UMMA_COPY, ISA_UMMA_SHIFT, ISA_UMMA_PRODUCT };

/* Whether the second work waits for a commit of the first one. same: both are products with one D
 * and one shape. */
int isa_umma_waits(enum isa_umma_work first, enum isa_umma_work second, int same);

/* Whether a row with these sets is for the form. */
static inline int isa_umma_fits(const struct wsim_umma *umma, unsigned kinds, unsigned form) {
    return kinds >> umma->kind & 1 && !(isa_umma_form(umma) & ~form);
}

#endif
