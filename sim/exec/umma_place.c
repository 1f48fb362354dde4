/* Places of elements in tensor memory, one at a time: those of a product, and those of loads and
 * stores. */
#include "umma.h"

#include "../isa/scalar.h"

enum { QUARTERS = 4, QUARTER = 32, NIBBLE = 4, FACTOR = 8 };

struct wanted {
    const struct wsim_code_product *product;
    const struct wsim_code_tensor *how;
    unsigned row, col, copy;
};

static int place_d(const struct wanted *w, struct wsim_umma_place *place) {
    const struct wsim_code_tensor *how = w->how;
    if (w->row >= w->product->rows || w->col >= w->product->cols || w->copy)
        return 0;
    place->block = (uint8_t)(w->row / how->rows);
    place->lane = (uint16_t)umma_row_lane(how, w->row % how->rows, w->col / how->part_cols);
    place->column = (uint16_t)(w->col % how->part_cols);
    place->bits = w->product->d->bits;
    return 1;
}

/* Each part of the lanes has all of A. */
static int place_a(const struct wanted *w, struct wsim_umma_place *place) {
    unsigned bit = w->col * w->product->bits_a;
    if (w->row >= w->product->rows || w->col >= w->product->k || w->copy >= w->how->parts ||
        w->how->narrow[0] || w->how->trans[0])
        return 0;
    place->block = (uint8_t)(w->row / w->how->rows);
    place->lane = (uint16_t)umma_row_lane(w->how, w->row % w->how->rows, w->copy);
    place->column = (uint16_t)(bit / 32);
    place->bit = bit % 32;
    place->bits = w->product->bits_a;
    return 1;
}

/* The nibble of a chunk of a row of a block, from the address of the metadata on. */
void umma_nibble_at(const struct wsim_code_tensor *how, unsigned part, unsigned row, unsigned chunk,
                    unsigned *lane, unsigned *column, unsigned *bit) {
    if (how->meta_halves) {
        *lane = row % 8 + 8 * (chunk / 4) + row / 16 * (how->spread ? 32 : 16) + part * how->rows;
        *column = 0;
        *bit = 16 * (row / 8 % 2) + 4 * (chunk % 4);
    } else {
        *lane = umma_row_lane(how, row, part);
        *column = chunk / 8;
        *bit = 4 * (chunk % 8);
    }
}

static int place_e(const struct wanted *w, struct wsim_umma_place *place) {
    unsigned lane, column, bit;
    if (!w->product->kept || w->row >= w->product->rows ||
        w->col >= w->product->k_dense / w->product->chunk || w->copy >= w->how->parts)
        return 0;
    umma_nibble_at(w->how, w->copy, w->row % w->how->rows, w->col, &lane, &column, &bit);
    *place = (struct wsim_umma_place){.lane = (uint16_t)lane,
                                      .column = (uint16_t)column,
                                      .block = (uint8_t)(w->row / w->how->rows),
                                      .bit = (uint8_t)bit,
                                      .bits = NIBBLE};
    return 1;
}

static void place_factor(const struct wanted *w, unsigned which, unsigned quarter, unsigned at,
                         unsigned factor, struct wsim_umma_place *place) {
    place->lane = (uint16_t)(QUARTER * quarter + at % QUARTER);
    place->column = (uint16_t)(at / QUARTER);
    place->bit = (uint8_t)(FACTOR * ((w->how->factor_id[which] + factor) & 3));
    place->bits = FACTOR;
}

/* All quarters of the lanes have the factors of all rows. */
static int place_sfa(const struct wanted *w, struct wsim_umma_place *place) {
    if (w->row >= w->product->rows || w->col >= w->product->blocks || w->copy >= QUARTERS)
        return 0;
    place_factor(w, 0, w->copy, w->row % w->how->rows, w->col, place);
    place->block = (uint8_t)(w->row / w->how->rows);
    return 1;
}

/* The quarters of a part have the factors of its columns, in each block. */
static int place_sfb(const struct wanted *w, struct wsim_umma_place *place) {
    unsigned each = QUARTERS / w->how->parts;
    if (w->row >= w->product->blocks || w->col >= w->product->cols ||
        w->copy >= each * w->how->blocks)
        return 0;
    place_factor(w, 1, w->col / w->how->part_cols * each + w->copy % each,
                 w->col % w->how->part_cols, w->row, place);
    place->block = (uint8_t)(w->copy / each);
    return 1;
}

int wsim_umma_place_at(const struct wsim_code *code, enum wsim_operand operand, unsigned row,
                       unsigned col, unsigned copy, struct wsim_umma_place *place) {
    const struct wanted wanted = {&work_of(code)->product, &work_of(code)->tensor, row, col, copy};
    *place = (struct wsim_umma_place){0};
    if (!work_of(code)->tensor.rows)
        return 0;
    switch (operand) {
    case WSIM_D: return place_d(&wanted, place);
    case WSIM_A: return place_a(&wanted, place);
    case WSIM_E: return place_e(&wanted, place);
    case WSIM_SFA: return place_sfa(&wanted, place);
    case WSIM_SFB: return place_sfb(&wanted, place);
    default: return 0;
    }
}

/* --- loads and stores --- */

/* NULL: another operation. */
static const struct isa_umma_move *move_of(const struct wsim_scalar *op,
                                           struct scalar_meaning *meaning) {
    if (!isa_scalar_meaning(op, meaning))
        return NULL;
    for (size_t i = 0; i < isa_umma_move_count; i++)
        if (isa_umma_moves[i].shape == meaning->tensor_shape)
            return &isa_umma_moves[i];
    return NULL;
}

static unsigned registers_of(const struct scalar_meaning *meaning) {
    return meaning->vector * (meaning->times ? meaning->times : 1u);
}

int wsim_tensor_place_at(const struct wsim_scalar *op, unsigned thread, unsigned reg, unsigned bit,
                         uint32_t split, struct wsim_umma_place *place) {
    struct scalar_meaning meaning;
    const struct isa_umma_move *move = move_of(op, &meaning);
    uint32_t at, lane, column;
    *place = (struct wsim_umma_place){0};
    if (!move || thread >= WSIM_LANES || bit >= 32 || reg >= registers_of(&meaning))
        return 0;
    at = isa_umma_move_at(move, thread, reg);
    lane = at & 0x7F;
    column = at >> 8 << meaning.halves;
    if (at & ISA_TENSOR_SPLIT)
        column += split;
    place->lane = (uint16_t)lane;
    place->column = (uint16_t)(column + (meaning.halves ? bit / 16 : 0));
    place->bit = (uint8_t)(meaning.halves ? bit % 16 : bit);
    place->bits = 1;
    return 1;
}

int wsim_tensor_copied_at(const struct wsim_scalar *op, unsigned row, unsigned word, unsigned copy,
                          struct wsim_umma_place *place) {
    struct scalar_meaning meaning;
    const struct isa_umma_copy *shape = NULL;
    *place = (struct wsim_umma_place){0};
    if (isa_scalar_meaning(op, &meaning) && meaning.method == SCALAR_METHOD_TENSOR_CP &&
        !meaning.unpacks)
        shape = isa_umma_copy_find(meaning.tensor_shape, meaning.spread);
    if (!shape || row >= shape->rows || word >= shape->bytes / 4u ||
        copy >= isa_umma_copy_number(shape))
        return 0;
    place->lane = (uint16_t)isa_umma_copy_lane(shape, row, copy);
    place->column = (uint16_t)word;
    place->bits = 32;
    return 1;
}

unsigned wsim_tensor_columns(const struct wsim_scalar *op) {
    struct scalar_meaning meaning;
    const struct isa_umma_move *move = move_of(op, &meaning);
    if (!move)
        return 0;
    return ((isa_umma_move_at(move, WSIM_LANES - 1, registers_of(&meaning) - 1) >> 8) + 1)
           << meaning.halves;
}
