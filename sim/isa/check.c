/* Whether an architecture has an operation, and what the tables say of it. */
#include "../base/base.h"
#include "isa.h"

static uint32_t bit(unsigned feature) {
    return UINT32_C(1) << feature;
}

/* The features of the row and of the types. */
static uint32_t needs(const struct wsim_op *op) {
    uint32_t all = bit(isa_form(op)->feature);
    int p;
    for (p = PLACE_D; p <= PLACE_STYPE && isa_form(op)->family == WSIM_MMA; p++)
        all |= bit(isa_types[op->q[p]].needs);
    return all;
}

static const struct wsim_arch *first_with(uint32_t features) {
    size_t i;
    for (i = 0; i < isa_arch_count; i++)
        if ((isa_archs[i].features & features) == features)
            return &isa_archs[i];
    return NULL;
}

/* `all`: what the operation needs altogether, for the architecture to go to. */
static enum wsim_status need(unsigned feature, const struct wsim_arch *arch, const char *what,
                             uint32_t all, struct wsim_diag *diag) {
    const struct wsim_arch *first;
    if (arch->features & bit(feature))
        return WSIM_OK;
    first = first_with(all);
    return base_refuse(diag, WSIM_ILLEGAL, 0, "%s needs feature '%s', which %s lacks; %s has it",
                       what, isa_feature_names[feature], arch->name,
                       first ? first->name : "no architecture");
}

enum wsim_status isa_refuse_foreign(const struct wsim_op *op, struct wsim_diag *diag) {
    int p, known = op->form < FORM_COUNT;
    for (p = 0; p < PLACE_COUNT && known; p++)
        known = op->q[p] < 64 && isa_form_allows(isa_form(op), p, op->q[p]);
    if (!known)
        return base_refuse(
            diag, WSIM_ILLEGAL, 0,
            "not an operation of the tables: wsim_op_parse and wsim_op_next make one");
    if (isa_form(op)->undocumented)
        return base_refuse(diag, WSIM_ILLEGAL, 0,
                           "undocumented: %s assembles with CUDA 13.0, but PTX ISA 9.0 does not "
                           "define it",
                           isa_form(op)->name);
    return WSIM_OK;
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
        return base_refuse(diag, WSIM_ILLEGAL, 0, "no architecture is given");
    form = isa_form(op);
    all = needs(op);
    status = need(form->feature, arch, form->name, all, diag);
    for (p = PLACE_D; p <= PLACE_STYPE && !status && form->family == WSIM_MMA; p++)
        if (op->q[p])
            status = need(isa_types[op->q[p]].needs, arch, isa_formats[op->q[p]].name, all, diag);
    return status;
}

static unsigned max(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static unsigned word_ptx(const struct wsim_op *op) {
    unsigned ptx = 0;
    size_t i;
    int place = -1;
    for (i = 0; i < isa_word_count; i++) {
        if (!isa_words[i].text)
            place = isa_words[i].place;
        else if (op->q[place] == isa_words[i].value)
            ptx = max(ptx, isa_words[i].ptx);
    }
    return ptx;
}

static unsigned first_ptx(const struct wsim_op *op) {
    unsigned ptx = max(isa_form(op)->ptx, word_ptx(op));
    int p;
    for (p = PLACE_D; p <= PLACE_STYPE; p++)
        ptx = max(ptx, isa_types[op->q[p]].ptx);
    return ptx;
}

/* As many as the layout of the metadata has batches. */
static unsigned count_selectors(const struct wsim_op *op) {
    struct wsim_layout layout;
    return wsim_op_layout(op, WSIM_E, &layout, NULL) ? 0 : layout.batches;
}

static const char *full_family_name(const struct wsim_op *op) {
    static const char *const sparse[] = {"mma", "mma.sp", "mma.sp::ordered_metadata"};
    enum wsim_family family = (enum wsim_family)isa_form(op)->family;
    return family == WSIM_MMA ? sparse[op->q[PLACE_SPARSE]] : isa_family_name(family);
}

struct wsim_op_info wsim_op_info(const struct wsim_op *op) {
    const struct isa_form *form = isa_form(op);
    struct isa_shape shape = isa_op_shape(op);
    struct wsim_op_info info;
    info.family = (enum wsim_family)form->family;
    info.family_name = full_family_name(op);
    info.row = form->name;
    info.feature = isa_feature_names[form->feature];
    info.source = form->source;
    info.ptx = (uint16_t)first_ptx(op);
    info.m = shape.m;
    info.n = shape.n;
    info.k = shape.k;
    info.sparse = form->pattern != PATTERN_NONE;
    info.selectors = (uint8_t)count_selectors(op);
    info.matrices = (uint8_t)(form->scheme == SCHEME_MOVE ? isa_op_matrices(op) : 0);
    info.bytes = (uint8_t)isa_op_bytes(op);
    info.documented = !form->undocumented;
    return info;
}

static const char *evidence_of_mma(const struct wsim_op *op, const struct wsim_arch *arch,
                                   const char **source) {
    static const char *const words[] = {"hardware", "published", "documented", "inferred"};
    const struct isa_accum *accum = isa_accum(op, arch);
    if (!accum)
        return NULL;
    *source = accum->source;
    return words[accum->evidence];
}

static const char *evidence_of_count(const struct wsim_op *op, const struct wsim_arch *arch,
                                     const char **source) {
    const struct isa_banks *rule = isa_banks(op);
    if (!rule)
        return NULL;
    *source = rule->source;
    return rule->measured == arch->generation ? "hardware" : "inferred";
}

const char *wsim_op_evidence(const struct wsim_op *op, const struct wsim_arch *arch,
                             const char **source) {
    const char *unused;
    const struct isa_form *form = isa_form(op);
    if (!source)
        source = &unused;
    if (form->family == WSIM_MMA)
        return evidence_of_mma(op, arch, source);
    if (form->scheme != SCHEME_MOVE)
        return evidence_of_count(op, arch, source);
    *source = form->source;
    return "documented";
}
