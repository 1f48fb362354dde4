/* The tables of umma.def. */
#include "umma.h"

#include "scalar.h"

const struct isa_umma_kind isa_umma_kinds[WSIM_UMMA_KINDS] = {
#define UMMA_KIND(id, name, products, k, pattern, scaled)                                          \
    [WSIM_UMMA_##id] = {name, PRODUCTS_##products, k, PATTERN_##pattern, scaled},
#include "umma.def"
};

const char *const isa_umma_measured[] = {
#define UMMA_MEASURED(target) #target,
#include "umma.def"
    NULL};

const struct isa_umma_type isa_umma_types[] = {
#define UMMA_TYPE(kind, code, format) {WSIM_UMMA_##kind, code, FORMAT_##format, 0},
#include "umma.def"
};
const size_t isa_umma_type_count = sizeof isa_umma_types / sizeof isa_umma_types[0];

const struct isa_umma_type isa_umma_results[] = {
#define UMMA_RESULT(kind, code, format) {WSIM_UMMA_##kind, code, FORMAT_##format, 0},
#include "umma.def"
};
const size_t isa_umma_result_count = sizeof isa_umma_results / sizeof isa_umma_results[0];

const struct isa_umma_type isa_umma_factors[] = {
#define UMMA_FACTORS(kind, factors, code, format)                                                  \
    {WSIM_UMMA_##kind, code, FORMAT_##format, factors},
#include "umma.def"
};
const size_t isa_umma_factor_count = sizeof isa_umma_factors / sizeof isa_umma_factors[0];

const struct isa_umma_shape isa_umma_shapes[] = {
#define UMMA_SHAPE(kinds, form, m, least, most, step) {kinds, form, m, least, most, step},
#include "umma.def"
};
const size_t isa_umma_shape_count = sizeof isa_umma_shapes / sizeof isa_umma_shapes[0];

const struct isa_umma_field isa_umma_fields[] = {
#define UMMA_FIELD(id, name, kinds, form, first, bits) {name, UMMA_##id, kinds, form, first, bits},
#include "umma.def"
};
const size_t isa_umma_field_count = sizeof isa_umma_fields / sizeof isa_umma_fields[0];

const struct isa_umma_layout isa_umma_layouts[] = {
#define UMMA_LAYOUT(letter, form, m, rows, parts, spread)                                          \
    {form, #letter[0], m, rows, parts, spread},
#include "umma.def"
};

const struct isa_umma_move isa_umma_moves[] = {
#define UMMA_MOVE(shape, t0, t1, t2, t3, t4, r0, r1, next)                                         \
    {SCALAR_##shape, {t0, t1, t2, t3, t4}, {r0, r1}, next},
#include "umma.def"
};
const size_t isa_umma_move_count = sizeof isa_umma_moves / sizeof isa_umma_moves[0];

static const struct isa_umma_copy copies[] = {
#define UMMA_COPY(shape, spread, rows, bytes, r0, r1, r2, r3, r4, r5, r6, c0, c1)                  \
    {SCALAR_##shape, SCALAR_##spread, rows, bytes, {r0, r1, r2, r3, r4, r5, r6}, {c0, c1}},
#include "umma.def"
};

const struct isa_umma_copy *isa_umma_copy_find(unsigned shape, unsigned spread) {
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++)
        if (copies[i].shape == shape && copies[i].spread == spread)
            return &copies[i];
    return NULL;
}

int isa_umma_waits(enum isa_umma_work first, enum isa_umma_work second, int same) {
    int waits = 0;
#define UMMA_WAITS(before, after, unless_same)                                                     \
    waits |= first == ISA_UMMA_##before && second == ISA_UMMA_##after && !((unless_same) && same);
#include "umma.def"
    return waits;
}

uint32_t isa_umma_move_at(const struct isa_umma_move *move, unsigned thread, unsigned reg) {
    uint32_t at = 0;
    for (unsigned i = 0; i < 5; i++)
        at ^= thread >> i & 1 ? move->thread[i] : 0u;
    for (unsigned i = 0; i < 2; i++)
        at ^= reg >> i & 1 ? move->reg[i] : 0u;
    return at ^ (reg >> 2) * ((uint32_t)move->next << 8);
}

unsigned isa_umma_copy_number(const struct isa_umma_copy *shape) {
    return (shape->copy[0] ? 2u : 1u) * (shape->copy[1] ? 2u : 1u);
}

unsigned isa_umma_copy_lane(const struct isa_umma_copy *shape, unsigned row, unsigned copy) {
    unsigned lane = 0;
    for (unsigned i = 0; i < 7; i++)
        lane ^= row >> i & 1 ? shape->row[i] : 0u;
    for (unsigned i = 0; i < 2; i++)
        lane ^= copy >> i & 1 ? shape->copy[i] : 0u;
    return lane;
}

const char *wsim_umma_kind_name(enum wsim_umma_kind kind) {
    return (unsigned)kind < WSIM_UMMA_KINDS ? isa_umma_kinds[kind].name : NULL;
}
