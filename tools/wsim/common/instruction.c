/* The instruction of a command; see instruction.h. */
#include "instruction.h"

#include <stdio.h>
#include <string.h>

void instruction_read(const char **args, struct instruction *in) {
    *in = (struct instruction){.is_umma = umma_is(args[0])};
    if (in->is_umma) {
        umma_from_words(args, &in->umma, in->spelling);
    } else {
        tool_op_atom(args, &in->op, &in->atom);
        wsim_op_spell(&in->op, in->spelling);
    }
}

struct instruction instruction_of(const struct wsim_op *op) {
    struct instruction in = {.op = *op, .atom = {.times = 1}};
    wsim_op_spell(op, in.spelling);
    return in;
}

/* --- a wgmma as tcgen05, and back --- */

static int find_kind(const struct wsim_format *a, enum wsim_umma_kind *kind) {
    static const struct {
        const char *type;
        enum wsim_umma_kind kind;
    } kinds[] = {{"f16", WSIM_UMMA_F16},     {"bf16", WSIM_UMMA_F16},    {"tf32", WSIM_UMMA_TF32},
                 {"e4m3", WSIM_UMMA_F8F6F4}, {"e5m2", WSIM_UMMA_F8F6F4}, {"s8", WSIM_UMMA_I8},
                 {"u8", WSIM_UMMA_I8}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].type, a->name) == 0) {
            *kind = kinds[i].kind;
            return 1;
        }
    return 0;
}

int instruction_tensor(const struct instruction *in, unsigned m, unsigned n,
                       struct instruction *tensor) {
    const struct wsim_op_info info = wsim_op_describe(&in->op);
    const struct wsim_atom *use = &in->atom;
    struct umma *u = &tensor->umma;
    struct wsim_tile a, b;
    struct wsim_layout d;
    enum wsim_umma_kind kind;
    if (in->is_umma || info.family != WSIM_WGMMA || info.sparse ||
        wsim_wgmma_tile(&in->op, WSIM_A, 0, &a, NULL) ||
        wsim_wgmma_tile(&in->op, WSIM_B, 0, &b, NULL) ||
        wsim_op_layout(&in->op, NULL, WSIM_D, &d, NULL) || !find_kind(a.format, &kind))
        return 0;
    *tensor = (struct instruction){.is_umma = 1};
    u->form = (struct wsim_umma){.kind = (uint8_t)kind, .blocks = 1};
    u->shape = (struct wsim_umma_shape){.a = a.format,
                                        .b = b.format,
                                        .d = d.format,
                                        .m = (uint16_t)m,
                                        .n = (uint16_t)n,
                                        .saturate = strstr(in->spelling, ".satfinite") != NULL,
                                        .trans = {(uint8_t)use->trans_a, (uint8_t)use->trans_b},
                                        .negate = {(uint8_t)use->negate_a, (uint8_t)use->negate_b}};
    umma_spell(&u->form, tensor->spelling);
    return !wsim_umma_encode(&u->form, &u->shape, &u->idesc, NULL) &&
           !wsim_umma_decode(&u->form, u->idesc, &u->shape, NULL);
}

int instruction_group(const struct instruction *in, struct instruction *group) {
    const struct wsim_umma_shape *s = &in->umma.shape;
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op;
    if (s->m != 64 || s->negate[0] || s->negate[1] || in->umma.form.sparse ||
        in->umma.form.stationary || in->umma.a_in_tensor)
        return 0;
    snprintf(spelling, sizeof spelling, "wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s%s", s->n,
             s->k, s->d->name, s->a->name, s->b->name, s->saturate ? ".satfinite" : "");
    if (wsim_op_parse(spelling, &op, NULL))
        return 0;
    *group = instruction_of(&op);
    return 1;
}

/* --- on a target --- */

const char *instruction_arch(const struct instruction *in) {
    return in->is_umma ? UMMA_ARCH : tool_arch_for(&in->op);
}

enum wsim_status instruction_check(const struct instruction *in, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    struct wsim_scalar op;
    enum wsim_status status;
    if (!in->is_umma)
        return wsim_op_check(&in->op, arch, diag);
    status = wsim_scalar_parse(in->spelling, &op, diag);
    return status ? status : wsim_scalar_check(&op, arch, diag);
}

enum wsim_status instruction_prepare(const struct instruction *in, const struct wsim_arch *arch,
                                     uint32_t flags, struct wsim_code *code,
                                     struct wsim_diag *diag) {
    return in->is_umma ? wsim_umma_prepare(&in->umma.form, in->umma.idesc, arch, flags, code, diag)
                       : wsim_prepare(&in->op, arch, flags, code, diag);
}

struct evidence instruction_evidence(const struct instruction *in, const struct wsim_arch *arch) {
    struct evidence e = {NULL, NULL, NULL};
    if (in->is_umma) {
        e.word = wsim_umma_evidence(&in->umma.form, &in->umma.shape, arch, &e.source, &e.caveat);
    } else {
        e.word = wsim_op_evidence(&in->op, arch, WSIM_RESULTS, &e.source);
        e.caveat = wsim_op_caveat(&in->op, arch, WSIM_RESULTS);
    }
    return e;
}

/* --- operands --- */

int instruction_layout(const struct instruction *in, const struct wsim_arch *arch,
                       enum wsim_operand operand, struct wsim_layout *layout) {
    struct wsim_diag diag;
    return in->is_umma ? umma_matrix(&in->umma, operand, layout)
                       : !wsim_op_layout(&in->op, arch, operand, layout, &diag);
}

enum wsim_status instruction_tile(const struct instruction *in, enum wsim_operand operand,
                                  struct wsim_tile *tile, struct wsim_diag *diag) {
    return in->is_umma ? wsim_umma_tile(&in->umma.form, in->umma.idesc, operand, tile, diag)
                       : wsim_wgmma_tile(&in->op, operand,
                                         operand == WSIM_A ? in->atom.trans_a : in->atom.trans_b,
                                         tile, diag);
}

unsigned instruction_bits(const struct instruction *in, enum wsim_operand operand) {
    struct wsim_tile tile;
    return in->is_umma && !instruction_tile(in, operand, &tile, NULL) ? tile.bits : 0;
}

struct wsim_descriptor instruction_plain(const struct wsim_tile *tile, uint32_t start) {
    enum { LINES = 8, BYTES = 16 };
    const unsigned lines = tile->mn_major ? tile->k : tile->rows;
    const unsigned pieces = (tile->mn_major ? tile->rows : tile->k) * tile->bits / 8u / BYTES;
    return (struct wsim_descriptor){.mode = WSIM_SWIZZLE_NONE,
                                    .start = start,
                                    .leading = LINES * BYTES,
                                    .stride =
                                        LINES * BYTES * (tile->mn_major ? lines / LINES : pieces)};
}
