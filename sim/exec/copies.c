/* Copies, which room copy checks and does. */
#include "door.h"

#include "../copy/copy.h"

enum wsim_status bulk_prepare(struct wsim_code *code, struct wsim_diag *diag) {
    return copy_bulk_known(&code->op, code->flags, diag);
}

enum wsim_status exec_bulk(const struct wsim_code *code, const struct wsim_io *io,
                           struct wsim_diag *diag) {
    return copy_bulk(&code->op, code->arch, code->flags, io, diag);
}

enum wsim_status exec_async(const struct wsim_code *code, const struct wsim_io *io,
                            struct wsim_diag *diag) {
    return copy_async(&code->op, code->arch, code->flags, io, diag);
}
