/* Whether an architecture has an operation. */
#include "../base/base.h"
#include "isa.h"

static uint32_t bit(unsigned feature) {
    return UINT32_C(1) << feature;
}

/* The features of the row, of the types and of the words. */
static uint32_t needs(const struct wsim_op *op) {
    uint32_t all = bit(isa_form(op)->feature);
    int p;
    for (p = PLACE_D; p <= PLACE_STYPE; p++)
        all |= bit(isa_types[op->q[p]].needs);
    for (size_t i = 0; i < isa_word_need_count; i++)
        if (op->q[isa_word_needs[i].place] == isa_word_needs[i].value)
            all |= bit(isa_word_needs[i].feature);
    return all;
}

static const struct wsim_arch *first_with(uint32_t features) {
    size_t i;
    for (i = 0; i < isa_arch_count; i++)
        if ((isa_archs[i].features & features) == features)
            return &isa_archs[i];
    return NULL;
}

enum wsim_status isa_need(unsigned feature, const struct wsim_arch *arch, const char *what,
                          uint32_t all, struct wsim_diag *diag) {
    const struct wsim_arch *first;
    if (arch->features & bit(feature))
        return WSIM_OK;
    first = first_with(all);
    return base_refuse(
        diag, RULE_ARCH_FEATURE_MISSING, 0, "%s needs feature '%s', which %s lacks; %s has it",
        what, isa_feature_names[feature], arch->name, first ? first->name : "no architecture");
}

static enum wsim_status refuse_undocumented(const struct wsim_op *op, struct wsim_diag *diag) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    return base_refuse(diag, RULE_OP_ISA_UNDOCUMENTED, 0,
                       "undocumented: %s assembles with CUDA 13.0, but PTX ISA 9.0 does not define "
                       "it",
                       spelling);
}

enum wsim_status isa_refuse_foreign(const struct wsim_op *op, struct wsim_diag *diag) {
    if (!isa_op_known(op))
        return base_refuse(
            diag, RULE_OP_TABLES_FOREIGN, 0,
            "not an operation of the tables: wsim_op_parse and wsim_op_next make one");
    return isa_form(op)->undocumented ? refuse_undocumented(op, diag) : WSIM_OK;
}

enum wsim_status wsim_op_check(const struct wsim_op *op, const struct wsim_arch *arch,
                               struct wsim_diag *diag) {
    const struct isa_form *form;
    uint32_t all;
    enum wsim_status status = isa_refuse_foreign(op, diag);
    int p;
    if (status)
        return status;
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    form = isa_form(op);
    all = needs(op);
    if (!(arch->features & bit(form->feature))) /* only a refusal needs the words */
        status = isa_need(form->feature, arch, isa_op_called(op).text, all, diag);
    for (p = PLACE_D; p <= PLACE_STYPE && !status; p++)
        if (op->q[p])
            status =
                isa_need(isa_types[op->q[p]].needs, arch, isa_formats[op->q[p]].name, all, diag);
    for (size_t i = 0; i < isa_word_need_count && !status; i++)
        if (op->q[isa_word_needs[i].place] == isa_word_needs[i].value)
            status = isa_need(isa_word_needs[i].feature, arch,
                              isa_word_text(isa_word_needs[i].place, isa_word_needs[i].value), all,
                              diag);
    return status;
}
