/* wmma.c - fragments between registers and memory: element (row, col) of a matrix in memory is
 * where the layout word and the stride put it. */
#include "place.h"

/* Lowest bit of an element, counted from the start of the matrix. */
static uint64_t bit_at(const struct oracle_op *op, struct place at, unsigned stride) {
    uint64_t line = (uint64_t)(op->col_a ? at.col : at.row);
    uint64_t within = (uint64_t)(op->col_a ? at.row : at.col);
    return (line * stride + within) * (uint64_t)place_width(op, PLACE_A);
}

void oracle_wmma_load(const struct oracle_op *op, const uint8_t *memory, uint32_t start,
                      unsigned stride, struct wsim_regs *d) {
    enum place_operand operand = (enum place_operand)op->operand;
    int width = place_width(op, operand);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, operand); elem++) {
            uint64_t from = bit_at(op, place_of(op, operand, lane, elem), stride), bits = 0;
            for (int i = 0; i < width; i++) {
                uint64_t bit = 8ull * start + from + (uint64_t)i;
                bits |= (uint64_t)(memory[bit / 8] >> bit % 8 & 1) << i;
            }
            place_set(d, width, lane, elem, bits);
        }
}

void oracle_wmma_store(const struct oracle_op *op, uint8_t *memory, uint32_t start, unsigned stride,
                       const struct wsim_regs *r) {
    enum place_operand operand = (enum place_operand)op->operand;
    int width = place_width(op, operand);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, operand); elem++) {
            uint64_t to = start + bit_at(op, place_of(op, operand, lane, elem), stride) / 8;
            uint64_t bits = place_get(r, width, lane, elem);
            for (int i = 0; i < width / 8; i++)
                memory[to + (uint64_t)i] = (uint8_t)(bits >> 8 * i);
        }
}
