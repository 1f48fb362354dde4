/* copy.h - the steps of a bulk copy: what the instruction says, which bytes that is, moving them.
 */
#ifndef WSIM_COPY_COPY_H
#define WSIM_COPY_COPY_H

#include "../base/base.h"
#include "../isa/isa.h"
#include "../tensor/tensor.h"

#include <wsim/bulk.h>

enum copy_scalar {
#define SCALAR(id, value, source) COPY_##id = value,
#include "../isa/copy.def"
    COPY_SCALARS_END
};

enum copy_direction { COPY_LOAD, COPY_STORE, COPY_REDUCE };

/* --- one element onto another (reduce.c) --- */

enum copy_operation {
#define OPERATION(id, tensor, plain) COPY_##id,
#include "../isa/copy.def"
    COPY_OPERATIONS /* none */
};

enum copy_operation copy_operation_of(const struct wsim_op *op);

/* The word of an operation in the tensor form. */
const char *copy_word(enum copy_operation operation);

/* A row of copy.def. */
struct copy_number {
    const struct wsim_format *format;
    uint8_t subnormals, nans; /* enum copy_sums */
    uint8_t rounds, reductions;
};

enum copy_sums { COPY_KEPT, COPY_FLUSHED, COPY_ONE, COPY_PASSED };

extern const struct copy_number copy_numbers[WSIM_TENSOR_TYPES];

/* What elements of `op` are that has no map. */
const struct copy_number *copy_plain_number(const struct wsim_op *op);

/* What `bits` make of `there`. */
uint64_t copy_combine(enum copy_operation operation, const struct copy_number *number,
                      uint64_t there, uint64_t bits);

/* --- which bytes (walk.c) --- */

/* Elements that follow each other in shared memory. */
struct copy_row {
    int inside; /* all coordinates but the innermost are                          */
    int64_t coord[WSIM_TENSOR_RANK]; /* of its first element                           */
    uint64_t global; /* address of innermost coordinate 0, if it is inside             */
    uint64_t shared; /* bytes from the start of the tile, before the swizzle           */
};

struct copy_walk {
    const struct wsim_tensor *tensor;
    const struct wsim_bulk *io;
    struct wsim_tensor_tile tile;
    enum copy_direction direction;
    int gathers;      /* rows of a tile have coordinates of their own                     */
    uint32_t element; /* bytes                                                            */
    uint32_t number;  /* bytes of a number: an element, or a part of a slice              */
    uint32_t step;    /* of the innermost coordinate from element to element              */
    uint64_t end;     /* innermost coordinates from here on are not touched               */
    uint64_t row;     /* the next one                                                     */
    uint32_t pixels;  /* im2col: rows before those of the halo                            */
    uint32_t groups;  /* ... into which these fall, each with a halo                      */
    uint32_t offset[WSIM_TENSOR_SPATIAL]; /* im2col: how far from its base pixel a load fetches */
};

/* The halo that loads of maps of a mode have. */
struct copy_halo {
    uint32_t groups, most;
};
extern const struct copy_halo copy_halos[WSIM_TENSOR_MODES];

void copy_begin(struct copy_walk *walk, const struct wsim_tensor *tensor,
                const struct wsim_bulk *io, enum copy_direction direction, int gathers);

/* The next row; 0: there is none. */
int copy_next(struct copy_walk *walk, struct copy_row *row);

/* The shared address that byte `offset` of the tile lies at. */
uint64_t copy_shared(const struct copy_walk *walk, uint64_t offset);

/* Whether element `i` of a row is in the tensor, or past the end of its row and written all the
 * same; if it is not outside, *address. */
enum wsim_bulk_where copy_global(const struct copy_walk *walk, const struct copy_row *row,
                                 uint32_t i, uint64_t *address);

/* --- the families --- */

enum wsim_status copy_tensor(const struct wsim_op *op, const struct wsim_arch *arch,
                             const struct wsim_bulk *io, struct wsim_bulk_result *result,
                             struct wsim_diag *diag);
enum wsim_status copy_place(const struct wsim_op *op, const struct wsim_arch *arch,
                            const struct wsim_bulk *io, uint64_t row, uint32_t byte,
                            struct wsim_bulk_place *place, struct wsim_diag *diag);
enum wsim_status copy_plain(const struct wsim_op *op, const struct wsim_bulk *asked,
                            struct wsim_bulk_result *result, struct wsim_diag *diag);

/* Completes `bytes` on a barrier that may not be there: first whether it can, then for good. */
enum wsim_status copy_can_complete(const struct wsim_bulk *io, uint64_t bytes,
                                   struct wsim_diag *diag);
void copy_complete(const struct wsim_bulk *io, uint64_t bytes);

#endif
