/* Which row answers for a name or an operation. Linear searches over short tables. */
#include "isa.h"

#include <string.h>

static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int same_name(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

const struct wsim_arch *isa_arch_named(const char *name) {
    size_t i;
    for (i = 0; i < isa_arch_count; i++)
        if (same_name(name, isa_archs[i].name) ||
            same_name(name, isa_archs[i].name + strlen("sm_")))
            return &isa_archs[i];
    for (i = 0; i < isa_alias_count; i++)
        if (same_name(name, isa_aliases[i].name))
            return &isa_archs[isa_aliases[i].called];
    return NULL;
}

const struct wsim_arch *wsim_arch_find(const char *name) {
    const struct wsim_arch *arch = isa_arch_named(name);
    return arch ? isa_target(arch) : NULL;
}

const struct wsim_arch *wsim_arch_at(size_t index) {
    return index < isa_arch_count ? &isa_archs[index] : NULL;
}

const char *wsim_arch_name(const struct wsim_arch *arch) {
    return arch->name;
}

unsigned wsim_target_number(const char *target) {
    unsigned number = 0;
    if (strncmp(target, "sm_", 3) != 0)
        return 0;
    for (target += 3; *target >= '0' && *target <= '9' && number < 100000; target++)
        number = number * 10 + (unsigned)(*target - '0');
    return number;
}

uint32_t wsim_arch_shared_bytes(const struct wsim_arch *arch) {
    return arch->shared_bytes;
}

const char *wsim_arch_alias(const struct wsim_arch *arch, size_t index) {
    size_t i;
    for (i = 0; i < isa_alias_count; i++)
        if (&isa_archs[isa_aliases[i].arch] == isa_target(arch) && index-- == 0)
            return isa_aliases[i].name;
    return NULL;
}

const struct wsim_format *wsim_format_find(const char *name) {
    size_t i;
    for (i = 1; i < FORMAT_COUNT; i++)
        if (strcmp(isa_formats[i].name, name) == 0)
            return &isa_formats[i];
    return NULL;
}

/* A family lists every operand its rows can have; metadata and scales depend on the row. */
int isa_op_has(const struct wsim_op *op, enum wsim_operand operand) {
    const struct isa_form *form = isa_form(op);
    if (operand == WSIM_E && form->pattern == PATTERN_NONE)
        return 0;
    if ((operand == WSIM_SFA || operand == WSIM_SFB) && !form->blocks)
        return 0;
    return isa_families[form->family].operands >> operand & 1;
}

const struct wsim_format *isa_op_type(const struct wsim_op *op, enum isa_place place) {
    unsigned factor = place == PLACE_A || place == PLACE_B ? isa_form(op)->factor : FORMAT_NONE;
    unsigned written = op->q[place] ? op->q[place] : factor;
    return written ? &isa_formats[written] : NULL;
}

struct isa_shape isa_op_shape(const struct wsim_op *op) {
    static const struct isa_shape shapes[] = {
        {0, 0, 0},
#define SHAPE(m, n, k) [Q_M##m##N##n##K##k] = {m, n, k},
#define TILE(m, n) [Q_M##m##N##n] = {m, n, 0},
#define WIDE(m, k) [Q_M##m##K##k] = {m, 0, k},
#include "qualifier.def"
    };
    static const uint16_t widths[] = {
        0,
#define WIDTH_WORD(n) [Q_N##n] = n,
#include "qualifier.def"
    };
    struct isa_shape shape = shapes[op->q[PLACE_SHAPE]];
    if (op->q[PLACE_N])
        shape.n = widths[op->q[PLACE_N]];
    return shape;
}

const char *isa_op_unmodelled(const struct wsim_op *op, const struct wsim_arch *arch) {
    for (size_t i = 0; i < isa_unmodelled_count; i++) {
        const struct isa_unmodelled *row = &isa_unmodelled_rows[i];
        if (row->generation == arch->generation && row->family == isa_form(op)->family &&
            row->products == isa_form(op)->products && row->values >> op->q[row->place] & 1)
            return row->because;
    }
    return NULL;
}

const struct isa_accum *isa_accum(const struct wsim_op *op, const struct wsim_arch *arch) {
    size_t i;
    if (isa_op_unmodelled(op, arch))
        return NULL;
    for (i = 0; i < isa_accum_count; i++)
        if (isa_accums[i].generation == arch->generation &&
            isa_accums[i].products == isa_form(op)->products)
            return &isa_accums[i];
    return NULL;
}

const struct isa_runs *isa_runs(const struct wsim_format *result) {
    size_t i = 0;
    while (i + 1 < isa_run_row_count && &isa_formats[isa_run_rows[i].result] != result)
        i++;
    return &isa_run_rows[i];
}

unsigned isa_op_threads(const struct wsim_op *op) {
    return isa_door(op)->threads;
}

/* Bytes one lane accesses: a whole row of a matrix move, else the type times the vector width. A
 * fragment is moved by several accesses. */
unsigned isa_op_bytes(const struct wsim_op *op) {
    static const uint8_t values[] = {
        1,
#define VALUES(n) [Q_V##n] = n,
#include "qualifier.def"
    };
    const struct isa_form *form = isa_form(op);
    if (!form->allow[PLACE_SPACE] || form->role)
        return 0;
    return form->scheme == SCHEME_MOVE
               ? ISA_ROW_BYTES
               : isa_formats[op->q[PLACE_D]].bits / 8u * values[op->q[PLACE_WIDTH]];
}

const struct isa_banks *isa_bank_rule(unsigned unit, unsigned bytes) {
    size_t i;
    for (i = 0; i < isa_bank_rule_count; i++)
        if (isa_bank_rules[i].unit == unit && bytes >= isa_bank_rules[i].least_bytes &&
            bytes <= isa_bank_rules[i].most_bytes)
            return &isa_bank_rules[i];
    return NULL;
}

const struct isa_banks *isa_banks(const struct wsim_op *op) {
    return isa_bank_rule(isa_form(op)->unit, isa_op_bytes(op));
}

static int in_shared(const struct wsim_op *op) {
    return op->q[PLACE_SPACE] == Q_SHARED || op->q[PLACE_SPACE] == Q_SHARED_CTA;
}

static const struct isa_fragments *fragment_rule(const struct wsim_op *op, unsigned bits,
                                                 int along) {
    unsigned matrix = isa_form(op)->role == WSIM_C ? MATRIX_RESULT : MATRIX_FACTOR;
    unsigned order = along ? ORDER_ALONG : ORDER_ACROSS;
    for (size_t i = 0; i < isa_fragment_rule_count && isa_form(op)->role; i++) {
        const struct isa_fragments *rule = &isa_fragment_rules[i];
        if (rule->matrix == matrix && bits >= rule->least_bits && bits <= rule->most_bits &&
            (rule->order == order || rule->order == ORDER_EITHER))
            return rule;
    }
    return NULL;
}

const struct isa_fragments *isa_fragments(const struct wsim_op *op, unsigned bits, int along) {
    return in_shared(op) ? fragment_rule(op, bits, along) : NULL;
}

unsigned isa_fragment_align(const struct wsim_op *op, unsigned bits, int along) {
    const struct isa_fragments *rule = fragment_rule(op, bits, along);
    if (!rule)
        return 0;
    if (rule->unit == ACCESS_ROWS)
        return in_shared(op) ? ISA_ROW_BYTES : (unsigned)sizeof(uint32_t);
    return rule->elements * bits / 8;
}

const struct isa_copies *isa_copies(const struct wsim_op *op, unsigned counters, unsigned bytes) {
    size_t i;
    for (i = 0; i < isa_copy_rule_count; i++)
        if (isa_copy_rules[i].unit == isa_form(op)->unit &&
            isa_copy_rules[i].counters == counters &&
            (bytes == 0 || isa_copy_rules[i].bytes == bytes))
            return &isa_copy_rules[i];
    return NULL;
}

static int has_one_of(const struct wsim_op *op, unsigned place, uint64_t values) {
    return place == PLACE_COUNT || (op->q[place] && values >> op->q[place] & 1);
}

const char *isa_op_unexecuted(const struct wsim_op *op) {
    for (size_t i = 0; i < isa_unexecuted_count; i++) {
        const struct isa_unexecuted *row = &isa_unexecuted_rows[i];
        if (has_one_of(op, row->place[0], row->values[0]) &&
            has_one_of(op, row->place[1], row->values[1]))
            return row->what;
    }
    return NULL;
}

int isa_names_rows(unsigned mode) {
    static const uint64_t modes = 0
#define NAMES_ROWS(id, spelling, ptx) | UINT64_C(1) << Q_##id
#include "qualifier.def"
        ;
    return (int)(modes >> mode & 1);
}

/* Since Ampere the system keeps the first KiB for itself, and a block's bytes lie above it. */
uint32_t isa_shared_end(const struct wsim_arch *arch) {
    unsigned system = arch->features >> FEATURE_AMPERE & 1;
    return arch->shared_bytes + system * UINT32_C(1024);
}

enum wsim_rounding isa_op_rounding(const struct wsim_op *op) {
    static const uint8_t roundings[] = {
        [Q_RN] = WSIM_RN, [Q_RZ] = WSIM_RZ, [Q_RM] = WSIM_RM, [Q_RP] = WSIM_RP};
    unsigned written = op->q[PLACE_ROUND];
    return written ? (enum wsim_rounding)roundings[written] : WSIM_RN;
}

/* Only lanes that give a row count; old targets want valid addresses of all 32. */
unsigned isa_address_lanes(const struct wsim_arch *arch, unsigned rows) {
    return arch->features >> FEATURE_IDLE_ADDRESSES & 1 ? rows : WSIM_LANES;
}

int isa_fragments_counted(const struct wsim_arch *arch) {
    return arch->fragments == SCHEME_FRAGMENT;
}

unsigned isa_op_matrices(const struct wsim_op *op) {
    static const uint8_t matrices[] = {
        1,
#define MATRICES(n) [Q_X##n] = n,
#include "qualifier.def"
    };
    return matrices[op->q[PLACE_NUM]];
}

unsigned isa_op_dimensions(const struct wsim_op *op) {
    static const uint8_t dimensions[] = {
        0,
#define COORDINATES(n) [Q_##n##D] = n,
#include "qualifier.def"
    };
    return dimensions[op->q[PLACE_DIMENSIONS]];
}
