/* Maps in the layout of the hardware: the rows CARD of sim/isa/tensor.def. */
#include "card.h"

#include <string.h>

enum card_of { OF_ANY, OF_TILED, OF_IM2COL };
enum card_per { PER_ONE, PER_AXIS, PER_GAP, PER_SIDE };

static const struct row {
    uint8_t slot, of, per, step;
    uint16_t first;
    uint8_t bits, shift, add;
} rows[] = {
#define CARD(slot, of, per, step, first, bits, shift, add)                                         \
    {TENSOR_##slot, OF_##of, PER_##per, step, first, bits, shift, add},
#include "../isa/tensor.def"
};

static const uint16_t marks[] = {
#define CARD_MARK(bit, where) bit,
#include "../isa/tensor.def"
};

/* Type and code. */
static const uint8_t types[][2] = {
#define CARD_TYPE(id, code) {WSIM_TENSOR_##id, code},
#include "../isa/tensor.def"
};

/* The bits of a little-endian number, 57 at most. */
static uint64_t get(const uint8_t *bytes, unsigned first, unsigned bits) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (uint64_t)(bytes[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    return value;
}

static void clear(uint8_t *bytes, unsigned first, unsigned bits) {
    for (unsigned i = first; i < first + bits; i++)
        bytes[i / 8] &= (uint8_t) ~(1u << i % 8);
}

static unsigned count(const struct row *row, unsigned rank) {
    return row->per == PER_ONE ? 1 : rank - (row->per == PER_GAP) - 2 * (row->per == PER_SIDE);
}

/* Moves the values of a row from the bits to a map of wsim. */
static void move(const struct row *row, uint8_t *bits, unsigned rank, struct wsim_tensor_map *own) {
    const unsigned width = row->per == PER_SIDE ? tensor_corner_bits[rank] : row->bits;
    const unsigned step = row->per == PER_SIDE ? width : row->step;
    for (unsigned i = 0; i < count(row, rank); i++) {
        uint64_t value = get(bits, row->first + i * step, width);
        if (row->per == PER_SIDE && value >> (width - 1))
            value |= ~UINT64_C(0) << width;
        value =
            (value << row->shift) + row->add + tensor_get(own, (enum tensor_slot_id)row->slot, i);
        tensor_put(own, (enum tensor_slot_id)row->slot, i, value);
        clear(bits, row->first + i * step, width);
    }
}

/* The type of a code; -1: there is none. */
static int type_of(unsigned code) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i][1] == code)
            return types[i][0];
    return -1;
}

int tensor_from_card(const struct wsim_tensor_map *card, struct wsim_tensor_map *own) {
    static const uint8_t none[TENSOR_CARD_BYTES];
    uint8_t bits[TENSOR_CARD_BYTES];
    unsigned rank, mode;
    int type;
    memcpy(bits, card->opaque, sizeof bits);
    if (memcmp(bits, none, sizeof bits) == 0)
        return 0;
    memset(own, 0, sizeof *own);
    tensor_stamp(own);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rank = (unsigned)tensor_get(own, TENSOR_RANK, 0) + 1;
        mode = (unsigned)tensor_get(own, TENSOR_MODE, 0);
        if (rank > WSIM_TENSOR_RANK ||
            (mode == WSIM_TENSOR_IM2COL && rows[i].per == PER_SIDE && !tensor_corner_bits[rank]))
            return 0;
        if (rows[i].of == OF_ANY || (rows[i].of == OF_IM2COL) == (mode == WSIM_TENSOR_IM2COL))
            move(&rows[i], bits, rank, own);
    }
    type =
        type_of((unsigned)(tensor_get(own, TENSOR_DTYPE, 0) | get(bits, TENSOR_CARD_TF32, 1) << 4));
    clear(bits, TENSOR_CARD_TF32, 1);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        clear(bits, marks[i], 1);
    if (type < 0 || memcmp(bits, none, sizeof bits) != 0)
        return 0;
    tensor_put(own, TENSOR_DTYPE, 0, (uint64_t)type);
    return 1;
}
