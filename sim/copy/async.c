/* cp.async: every lane copies a few bytes, and fills with zeros what it does not read. */
#include "bytes.h"
#include "copy.h"

static int is_active(const struct wsim_copy *copy, unsigned lane) {
    return (int)(copy->mask >> lane & 1);
}

static uint64_t source(const struct wsim_copy *copy, const struct wsim_memory *global,
                       unsigned lane) {
    return global->base + (copy->src ? copy->src[lane] : lane * copy->bytes);
}

static uint32_t source_size(const struct wsim_copy *copy, unsigned lane) {
    return copy->src_size ? copy->src_size[lane] : copy->bytes;
}

static enum wsim_status check_lane(const struct wsim_copy *copy, const struct wsim_memory *global,
                                   const struct wsim_memory *shared, unsigned lane,
                                   struct wsim_diag *diag) {
    uint64_t from = source(copy, global, lane);
    uint32_t n = source_size(copy, lane);
    enum wsim_status status;
    if (n > copy->bytes)
        return base_refuse(diag, RULE_ASYNC_SOURCE_RANGE, 0,
                           "source size %u of lane %u is more than the %u bytes it copies",
                           (unsigned)n, lane, copy->bytes);
    if (copy->dst[lane] % copy->bytes || from % copy->bytes)
        return base_refuse(diag, RULE_ASYNC_ADDRESS_ALIGN, 0,
                           "lane %u copies %u bytes from offset 0x%llx to 0x%x: both are multiples "
                           "of that",
                           lane, copy->bytes, (unsigned long long)(from - global->base),
                           (unsigned)copy->dst[lane]);
    status = bytes_inside(shared, copy->dst[lane], copy->bytes, "shared", diag);
    return status || !n ? status : bytes_inside(global, from, n, "global", diag);
}

/* Aligned pieces of one size overlap only if they are the same. */
static enum wsim_status check_overlap(const struct wsim_copy *copy, struct wsim_diag *diag) {
    unsigned a, b;
    for (a = 0; a < WSIM_LANES; a++)
        for (b = 0; b < a && is_active(copy, a); b++)
            if (is_active(copy, b) && copy->dst[a] == copy->dst[b])
                return base_refuse(diag, RULE_ASYNC_DESTINATION_TWICE, 0,
                                   "lanes %u and %u both write shared address 0x%x: which one "
                                   "comes last is not defined",
                                   b, a, (unsigned)copy->dst[a]);
    return WSIM_OK;
}

static enum wsim_status check_form(const struct wsim_op *op, const struct wsim_arch *arch,
                                   const struct wsim_copy *copy, const struct wsim_memory *global,
                                   const struct wsim_memory *shared, struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    if (isa_form(op)->family != WSIM_CP_ASYNC)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s is not cp.async",
                           isa_family_name((enum wsim_family)isa_form(op)->family));
    status = bytes_need(global, "global", diag);
    if (!status)
        status = bytes_need(shared, "shared", diag);
    if (status)
        return status;
    if (!copy->dst)
        return base_refuse(diag, RULE_OPERAND_MISSING, 0, "the destination addresses are missing");
    if (!copy->bytes || copy->bytes & (copy->bytes - 1) || !(isa_form(op)->sizes & copy->bytes))
        return base_refuse(diag, RULE_ASYNC_SIZE_UNKNOWN, 0, "size %u: %s copies %s bytes a lane",
                           copy->bytes, isa_form(op)->name,
                           isa_form(op)->sizes == 16 ? "16" : "4, 8 or 16");
    return WSIM_OK;
}

enum wsim_status wsim_copy_async(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_copy *copy, const struct wsim_memory *global,
                                 struct wsim_memory *shared, struct wsim_diag *diag) {
    enum wsim_status status = check_form(op, arch, copy, global, shared, diag);
    unsigned lane, i;
    for (lane = 0; lane < WSIM_LANES && !status; lane++)
        if (is_active(copy, lane))
            status = check_lane(copy, global, shared, lane, diag);
    if (!status)
        status = check_overlap(copy, diag);
    for (lane = 0; lane < WSIM_LANES && !status; lane++)
        for (i = 0; i < copy->bytes && is_active(copy, lane); i++)
            bytes_put(shared, copy->dst[lane] + i, 1,
                      i < source_size(copy, lane)
                          ? bytes_get(global, source(copy, global, lane) + i, 1)
                          : 0);
    return status;
}
