/* exec.h - one function per family behind wsim_exec, and what they share. */
#ifndef WSIM_EXEC_EXEC_H
#define WSIM_EXEC_EXEC_H

#include "../base/base.h"
#include "../isa/isa.h"

#include <wsim/exec.h>

/* Each is called with an operation that `arch` has; checks its operands before it writes. */
enum wsim_status exec_mma(const struct wsim_op *op, const struct wsim_arch *arch,
                          const struct wsim_operands *io, struct wsim_diag *diag);
enum wsim_status exec_ldmatrix(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_operands *io, struct wsim_diag *diag);
enum wsim_status exec_stmatrix(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_operands *io, struct wsim_diag *diag);
enum wsim_status exec_movmatrix(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_operands *io, struct wsim_diag *diag);

enum wsim_status exec_wmma_load(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_operands *io, struct wsim_diag *diag);
enum wsim_status exec_wmma_store(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_operands *io, struct wsim_diag *diag);

/* Refuses a NULL operand by name. */
enum wsim_status exec_need(const void *operand, const char *name, struct wsim_diag *diag);

#define EXEC_MAX_ROWS ISA_MOST_ROWS
#define EXEC_MAX_STORED ISA_MOST_STORED

/* Where the stored elements of a sparse A belong: column[row][stored] is the column of the dense
 * matrix, of the 16 rows that warp `warp` has (0, unless it is one of a warpgroup; `e` is of all
 * threads). Read from the metadata that `selector` addresses, every nibble of it checked. */
struct exec_columns {
    uint8_t column[EXEC_MAX_ROWS][EXEC_MAX_STORED];
};
enum wsim_status exec_read_columns(const struct wsim_op *op, const uint32_t *e, unsigned selector,
                                   unsigned warp, struct exec_columns *columns,
                                   struct wsim_diag *diag);

#endif
