/* moves.c - ldmatrix, stmatrix, movmatrix: one formula a form, as the manual has them. */
#include "place.h"

#include <string.h>

static int is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

/* Element `col` of the 16-byte row at `bytes`, as the form reads it. */
static unsigned row_element(const struct oracle_op *op, const uint8_t *bytes, int col) {
    int width = is(op->type[1], "b6x16_p32") ? 6 : is(op->type[1], "b4x16_p64") ? 4 : 8;
    unsigned value = 0;
    if (is(op->type[0], "b16"))
        return bytes[2 * col] | (unsigned)bytes[2 * col + 1] << 8;
    for (int i = 0; i < width; i++) {
        int bit = width * col + i;
        value |= (unsigned)(bytes[bit / 8] >> bit % 8 & 1) << i;
    }
    return value;
}

void oracle_ldmatrix(const struct oracle_op *op, const uint8_t *memory, const uint32_t *addr,
                     struct wsim_regs *d) {
    int halves = op->m == 16 ? 2 : 1, subs = is(op->type[0], "b16") ? 2 : 4;
    for (int reg = 0; reg < halves * op->matrices; reg++)
        for (int lane = 0; lane < WSIM_LANES; lane++)
            for (int s = 0; s < subs; s++) {
                int matrix = reg / halves, h = reg % halves, g = lane / 4, t = lane % 4;
                int row = op->trans ? subs * t + s : g;
                int col = op->trans ? g + 8 * h : subs * t + s;
                const uint8_t *bytes = memory + addr[op->m * matrix + row];
                place_set(d, 32 / subs, lane, subs * reg + s, row_element(op, bytes, col));
            }
}

void oracle_stmatrix(const struct oracle_op *op, uint8_t *memory, const uint32_t *addr,
                     const struct wsim_regs *r) {
    int bytes = is(op->type[0], "b16") ? 2 : 1, subs = 4 / bytes;
    for (int matrix = 0; matrix < op->matrices; matrix++)
        for (int lane = 0; lane < WSIM_LANES; lane++)
            for (int s = 0; s < subs; s++) {
                int g = lane / 4, t = lane % 4;
                int row = op->trans ? 2 * t + s % 2 : g;
                int at = op->trans ? g + 8 * (s / 2) : 2 * t + s;
                uint64_t value = place_get(r, 8 * bytes, lane, subs * matrix + s);
                for (int i = 0; i < bytes; i++)
                    memory[addr[8 * matrix + row] + (uint32_t)(bytes * at + i)] =
                        (uint8_t)(value >> 8 * i);
            }
}

void oracle_movmatrix(const struct wsim_regs *a, struct wsim_regs *d) {
    uint64_t matrix[8][8];
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int s = 0; s < 2; s++)
            matrix[lane / 4][2 * (lane % 4) + s] = place_get(a, 16, lane, s);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int s = 0; s < 2; s++)
            place_set(d, 16, lane, s, matrix[2 * (lane % 4) + s][lane / 4]);
}
