/* The evidence of the model: the claims of the rows, and the recordings that confirm them. Only its
 * own recording makes an operation "hardware"; tests/golden/test_evidence.c compares each such row
 * with the recordings. */
#include "evidence.h"

struct wsim_op evidence_plain(const struct wsim_op *op) {
    struct wsim_op plain = *op;
    for (int p = 0; p < PLACE_COUNT; p++)
        while (plain.q[p] && !isa_place_has_types(p) &&
               isa_word_of(p, plain.q[p])->flags & WORD_SYNONYM)
            plain.q[p]--;
    return plain;
}

/* The accesses that move a fragment, for either layout: rows of one width share their evidence. */
static const struct isa_fragments *fragments_of(const struct wsim_op *op) {
    struct wsim_layout layout;
    if (!isa_form(op)->role ||
        wsim_op_layout(op, NULL, isa_op_has(op, WSIM_R) ? WSIM_R : WSIM_D, &layout, NULL))
        return NULL;
    const struct isa_fragments *along = isa_fragments(op, layout.elem_bits, 1);
    return along ? along : isa_fragments(op, layout.elem_bits, 0);
}

int wsim_op_claims(const struct wsim_op *op, enum wsim_claim claim) {
    const struct isa_form *form;
    if (isa_refuse_foreign(op, NULL))
        return 0;
    form = isa_form(op);
    if (claim == WSIM_COUNTS)
        return form->role ? fragments_of(op) != NULL : form->allow[PLACE_SPACE] != 0;
    return (form->scheme != SCHEME_NONE || isa_does(op, WSIM_DOES_COPY)) && !isa_op_unexecuted(op);
}

static int is_any_or(uint8_t of_row, unsigned value) {
    return of_row == ISA_ANY || of_row == value;
}

static int limits(const struct isa_evidence_limit *limit, const struct wsim_op *op,
                  const struct isa_accum *row) {
    return limit->evidence == row->evidence && is_any_or(limit->generation, row->generation) &&
           is_any_or(limit->family, isa_form(op)->family) &&
           is_any_or(limit->products, row->products) &&
           (!limit->values || (op->q[limit->place] && limit->values >> op->q[limit->place] & 1));
}

/* Why a source that was published or documented does not cover an operation; NULL: it covers it. */
static const char *uncovered(const struct wsim_op *op, const struct isa_accum *row) {
    if (row->evidence != EVIDENCE_PUBLISHED && row->evidence != EVIDENCE_DOCUMENTED)
        return NULL;
    for (int p = 0; p < PLACE_COUNT; p++)
        if (isa_place_has_types(p) && op->q[p] && !(row->types >> op->q[p] & 1))
            return "from other types with the same products: no source covers all types of this "
                   "one";
    if (!(row->shapes >> op->q[PLACE_SHAPE] & 1))
        return "from other shapes with the same products: no source covers this one";
    return NULL;
}

/* Why the evidence of a row does not reach one of its operations; NULL: it does. */
static const char *beyond(const struct wsim_op *op, const struct isa_accum *row) {
    for (size_t i = 0; i < isa_evidence_limit_count; i++)
        if (limits(&isa_evidence_limits[i], op, row)) {
            if (isa_evidence_limits[i].because)
                return isa_evidence_limits[i].because;
            break;
        }
    return uncovered(op, row);
}

static const char *claimed_result(const struct wsim_op *op, const struct wsim_arch *arch,
                                  enum isa_evidence *evidence) {
    const struct isa_accum *accum;
    const char *because;
    if (isa_form(op)->scheme == SCHEME_BULK && isa_op_unexecuted(op))
        return NULL;
    if (isa_form(op)->scheme == SCHEME_MOVE || isa_form(op)->scheme == SCHEME_BULK ||
        isa_does(op, WSIM_DOES_COPY)) {
        *evidence = EVIDENCE_DOCUMENTED;
        return isa_form(op)->source;
    }
    if (isa_need_fragments(op, arch, NULL))
        return NULL;
    if (isa_form(op)->role) { /* the manual leaves the fragments open */
        because = isa_square_source(op, arch);
        *evidence = because ? EVIDENCE_PUBLISHED : EVIDENCE_INFERRED;
        return because ? because : isa_form(op)->source;
    }
    accum = isa_accum(op, arch);
    if (!accum)
        return NULL;
    because = beyond(op, accum);
    *evidence = because ? EVIDENCE_INFERRED : (enum isa_evidence)accum->evidence;
    return because ? because : accum->source;
}

static const char *claimed_count(const struct wsim_op *op, const struct wsim_arch *arch,
                                 enum isa_evidence *evidence) {
    const struct isa_banks *rule = isa_banks(op);
    const struct isa_copies *copies = isa_copies(op, WSIM_HARDWARE_COUNTERS, 0);
    const struct isa_fragments *fragments = isa_fragments_counted(arch) ? fragments_of(op) : NULL;
    unsigned measured;
    if (!rule && !copies && !fragments)
        return NULL;
    measured = rule ? rule->measured : copies ? copies->measured : fragments->measured;
    *evidence = measured == arch->generation ? EVIDENCE_HARDWARE : EVIDENCE_INFERRED;
    return rule ? rule->source : copies ? copies->source : fragments->source;
}

const char *evidence_claimed(const struct wsim_op *op, const struct wsim_arch *arch,
                             enum wsim_claim claim, enum isa_evidence *evidence) {
    return claim == WSIM_RESULTS ? claimed_result(op, arch, evidence)
                                 : claimed_count(op, arch, evidence);
}

/* The first row of the table that is not below `hash`. */
static size_t first_row(uint32_t hash) {
    struct evidence_row row;
    size_t low = 0, high = 1;
    while (evidence_row(high, &row) && row.hash < hash)
        high *= 2;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (evidence_row(middle, &row) && row.hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int wsim_op_recording(const struct wsim_op *op, const struct wsim_arch *arch, enum wsim_claim claim,
                      uint32_t *cursor, struct wsim_recording *recording) {
    struct wsim_op plain;
    struct wsim_recording found;
    struct evidence_row row;
    char spelling[WSIM_SPELLING_MAX];
    uint32_t hash;
    size_t first;
    if (!arch || isa_refuse_foreign(op, NULL))
        return 0;
    plain = evidence_plain(op);
    wsim_op_spell(&plain, spelling);
    hash = evidence_hash(claim, spelling);
    first = first_row(hash);
    while (evidence_row(first + *cursor, &row) && row.hash == hash) {
        ++*cursor;
        if (!wsim_recording_at(row.recording, &found) || found.arch->generation != arch->generation)
            continue;
        found.number = row.number;
        *recording = found;
        return 1;
    }
    return 0;
}

const char *wsim_op_caveat(const struct wsim_op *op, const struct wsim_arch *arch,
                           enum wsim_claim claim) {
    struct wsim_recording recording;
    const struct isa_accum *accum;
    uint32_t cursor = 0;
    if (claim != WSIM_RESULTS || wsim_op_check(op, arch, NULL))
        return NULL;
    accum = isa_accum(op, arch);
    if (!accum || wsim_op_recording(op, arch, claim, &cursor, &recording))
        return NULL;
    for (size_t i = 0; i < isa_caveat_count; i++)
        if (is_any_or(isa_caveats[i].generation, accum->generation) &&
            isa_caveats[i].products == accum->products)
            return isa_caveats[i].text;
    return NULL;
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
    claimed = evidence_claimed(op, arch, claim, &evidence);
    if (!claimed)
        return NULL;
    if (wsim_op_recording(op, arch, claim, &cursor, &recording)) {
        evidence = EVIDENCE_HARDWARE;
        claimed = recording.gpu;
    } else if (evidence == EVIDENCE_HARDWARE) {
        evidence = EVIDENCE_INFERRED;
        claimed = "from recorded operations of this row; this one was not recorded";
    }
    if (source)
        *source = claimed;
    return words[evidence];
}
