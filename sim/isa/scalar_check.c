/* Whether an architecture has an operation of scalar.def. */
#include "scalar.h"

#include "../base/base.h"

#include <string.h>

enum wsim_status isa_scalar_need_again(const struct wsim_scalar *op, const struct wsim_arch *arch,
                                       struct wsim_diag *diag) {
    struct wsim_scalar_info info;
    char what[WSIM_SPELLING_MAX + 32];
    const char *needs;
    unsigned feature = 0;
    wsim_scalar_info(op, &info);
    needs = *info.again || !info.operands ? info.again : info.operand[info.operands - 1u].needs;
    while (feature < FEATURE_COUNT && strcmp(isa_feature_names[feature], needs))
        feature++;
    if (feature == FEATURE_COUNT)
        return WSIM_OK;
    strcpy(what + wsim_scalar_spell(op, what, WSIM_SPELLING_MAX), " with one more source");
    return isa_need(feature, arch, what, UINT32_C(1) << feature, diag);
}

enum wsim_status isa_scalar_past(const struct wsim_scalar *op, struct wsim_diag *diag) {
    const struct isa_scalar_row *row = scalar_row(op);
    char spelling[WSIM_SPELLING_MAX];
    wsim_scalar_spell(op, spelling, sizeof spelling);
    return base_refuse(
        diag, RULE_OP_VERSION_UNTIL, 0,
        "%s is not allowed from PTX %u.%u on for sm_%d and later: write .sync and a member mask",
        spelling, row->until / 10, row->until % 10, ISA_SYNC_TARGET);
}

enum wsim_status wsim_scalar_check(const struct wsim_scalar *op, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    const struct isa_scalar_row *row = scalar_row(op);
    char spelling[WSIM_SPELLING_MAX];
    enum wsim_status status = WSIM_OK;
    uint16_t ptx;
    uint32_t all;
    if (!row)
        return base_refuse(
            diag, RULE_OP_TABLES_FOREIGN, 0,
            "not an operation of the tables: make one with wsim_scalar_parse or wsim_scalar_next");
    all = isa_scalar_needs(op, &ptx);
    if (row->ptx && arch && !row->until && !(all & ~arch->features))
        return WSIM_OK;
    wsim_scalar_spell(op, spelling, sizeof spelling);
    if (!row->ptx)
        return base_refuse(diag, RULE_OP_ISA_UNDOCUMENTED, 0, "%s is not PTX: %s", spelling,
                           row->source);
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    if (row->until)
        return isa_scalar_past(op, diag);
    for (unsigned feature = FEATURE_COUNT; feature-- > 0 && !status;)
        if (all >> feature & 1)
            status = isa_need(feature, arch, spelling, all, diag);
    return status;
}
