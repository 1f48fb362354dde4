/* bulk.c - the doors of bulk copies. */
#include "bytes.h"
#include "copy.h"

static enum wsim_status check_op(const struct wsim_op *op, const struct wsim_arch *arch,
                                 struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    if (isa_form(op)->scheme != SCHEME_BULK)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s is no bulk copy",
                           isa_family_name((enum wsim_family)isa_form(op)->family));
    if (isa_op_apart(op))
        return base_refuse(diag, RULE_BULK_FORM_UNMODELLED, 0, "%s %s, which is not modelled",
                           isa_form(op)->name, isa_op_apart(op));
    return WSIM_OK;
}

/* Whether hardware was seen to do what is executed here. */
static int was_seen(const struct wsim_arch *arch) {
    static const uint8_t seen[] = {
#define SEEN(generation) GENERATION_##generation,
#include "../isa/copy.def"
    };
    size_t i;
    for (i = 0; i < sizeof seen; i++)
        if (seen[i] == arch->generation)
            return 1;
    return 0;
}

enum wsim_status wsim_bulk_run(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_bulk *io, struct wsim_bulk_result *result,
                               struct wsim_diag *diag) {
    struct wsim_bulk_result did = {0, 0, 0, 0};
    enum wsim_status status = check_op(op, arch, diag);
    if (!status)
        status = bytes_need(io->global, "global", diag);
    if (!status)
        status = bytes_need(io->shared, "shared", diag);
    if (!status)
        status = op->q[PLACE_DIMENSIONS] ? copy_tensor(op, arch, io, &did, diag)
                                         : copy_plain(op, io, &did, diag);
    if (!status && result) {
        did.measured = was_seen(arch);
        *result = did;
    }
    return status;
}

enum wsim_status wsim_bulk_locate(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const struct wsim_bulk *io, uint64_t row, uint32_t byte,
                                  struct wsim_bulk_place *place, struct wsim_diag *diag) {
    enum wsim_status status = check_op(op, arch, diag);
    if (!status && !op->q[PLACE_DIMENSIONS])
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s moves no tensor", isa_form(op)->name);
    return status ? status : copy_place(op, arch, io, row, byte, place, diag);
}
