/* What the model rests on: the claims of the rows, and the recordings that bear them out. Only a
 * recording of the very operation makes it "hardware"; a row that says so is held to it by
 * tests/golden/test_evidence.c. */
#include "isa.h"

#include <string.h>

struct wsim_op isa_op_plain(const struct wsim_op *op) {
    struct wsim_op plain = *op;
    size_t i;
    int place = -1;
    for (i = 0; i < isa_word_count; i++) {
        if (!isa_words[i].text)
            place = isa_words[i].place;
        else if (isa_words[i].flags & WORD_SYNONYM && op->q[place] == isa_words[i].value)
            plain.q[place]--;
    }
    return plain;
}

/* What a fragment is moved by, whichever way it lies: the rows of one width rest on the same. */
static const struct isa_fragments *fragments_of(const struct wsim_op *op) {
    struct wsim_layout layout;
    if (!isa_form(op)->role ||
        wsim_op_layout(op, isa_op_has(op, WSIM_R) ? WSIM_R : WSIM_D, &layout, NULL))
        return NULL;
    const struct isa_fragments *along = isa_fragments(op, layout.elem_bits, 1);
    return along ? along : isa_fragments(op, layout.elem_bits, 0);
}

int wsim_op_claims(const struct wsim_op *op, enum wsim_claim claim) {
    const struct isa_form *form = isa_form(op);
    if (claim == WSIM_COUNTS)
        return form->role ? fragments_of(op) != NULL : form->allow[PLACE_SPACE] != 0;
    return (form->scheme != SCHEME_NONE || isa_family(op)->door == WSIM_DOOR_ASYNC) &&
           !isa_op_apart(op);
}

/* What is left of the evidence of a row for one of its operations. */
static enum isa_evidence reach(const struct wsim_op *op, enum isa_evidence evidence) {
    size_t i;
    if (isa_family(op)->door == WSIM_DOOR_FRAGMENT_MMA && evidence == EVIDENCE_PUBLISHED)
        return EVIDENCE_INFERRED; /* what was published is of mma */
    for (i = 0; i < isa_beyond_count; i++)
        if (isa_beyonds[i].evidence == evidence && op->q[isa_beyonds[i].place] &&
            isa_beyonds[i].values >> op->q[isa_beyonds[i].place] & 1)
            return EVIDENCE_INFERRED;
    return evidence;
}

static const char *claimed_result(const struct wsim_op *op, const struct wsim_arch *arch,
                                  enum isa_evidence *evidence) {
    const struct isa_accum *accum;
    if (isa_form(op)->scheme == SCHEME_BULK && isa_op_apart(op))
        return NULL;
    if (isa_form(op)->scheme == SCHEME_MOVE || isa_form(op)->scheme == SCHEME_BULK ||
        isa_family(op)->door == WSIM_DOOR_ASYNC) {
        *evidence = EVIDENCE_DOCUMENTED;
        return isa_form(op)->source;
    }
    if (isa_form(op)->role) {
        *evidence = EVIDENCE_INFERRED; /* the manual leaves the fragments open */
        return isa_fragments_known(arch) ? isa_form(op)->source : NULL;
    }
    accum = isa_accum(op, arch);
    if (!accum)
        return NULL;
    *evidence = reach(op, (enum isa_evidence)accum->evidence);
    return accum->source;
}

static const char *claimed_count(const struct wsim_op *op, const struct wsim_arch *arch,
                                 enum isa_evidence *evidence) {
    const struct isa_banks *rule = isa_banks(op);
    const struct isa_copies *copies = isa_copies(op, WSIM_HARDWARE_COUNTERS, 0);
    const struct isa_fragments *fragments = isa_fragments_known(arch) ? fragments_of(op) : NULL;
    unsigned measured;
    if (!rule && !copies && !fragments)
        return NULL;
    measured = rule ? rule->measured : copies ? copies->measured : fragments->measured;
    *evidence = measured == arch->generation ? EVIDENCE_HARDWARE : EVIDENCE_INFERRED;
    return rule ? rule->source : copies ? copies->source : fragments->source;
}

const char *isa_claimed(const struct wsim_op *op, const struct wsim_arch *arch,
                        enum wsim_claim claim, enum isa_evidence *evidence) {
    return claim == WSIM_RESULTS ? claimed_result(op, arch, evidence)
                                 : claimed_count(op, arch, evidence);
}

int wsim_op_recording(const struct wsim_op *op, const struct wsim_arch *arch, enum wsim_claim claim,
                      uint32_t *cursor, struct wsim_recording *recording) {
    const struct isa_recording *in = NULL;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op plain = isa_op_plain(op);
    size_t i;
    wsim_op_spell(&plain, spelling);
    for (i = 0; i < isa_held_count; i++) {
        const struct isa_held *row = &isa_helds[i];
        if (!row->spelling)
            in = &isa_recordings[row->number];
        else if (i >= *cursor && row->claim == claim &&
                 isa_archs[in->arch].generation == arch->generation &&
                 strcmp(row->spelling, spelling) == 0)
            break;
    }
    *cursor = (uint32_t)i + 1;
    if (i == isa_held_count)
        return 0;
    *recording = (struct wsim_recording){
        in->file, in->gpu, in->driver, in->date, &isa_archs[in->arch], isa_helds[i].number};
    return 1;
}

const char *wsim_op_evidence(const struct wsim_op *op, const struct wsim_arch *arch,
                             enum wsim_claim claim, const char **source) {
    static const char *const words[] = {"hardware", "published", "documented", "inferred"};
    struct wsim_recording recording;
    enum isa_evidence evidence;
    const char *claimed;
    uint32_t cursor = 0;
    if (wsim_op_check(op, arch, NULL))
        return NULL;
    claimed = isa_claimed(op, arch, claim, &evidence);
    if (!claimed)
        return NULL;
    if (wsim_op_recording(op, arch, claim, &cursor, &recording)) {
        evidence = EVIDENCE_HARDWARE;
        claimed = recording.gpu;
    } else if (evidence == EVIDENCE_HARDWARE) {
        evidence = EVIDENCE_INFERRED; /* from neighbours that were recorded */
    }
    if (source)
        *source = claimed;
    return words[evidence];
}
