/* Whether the registers of a matrix move are an operand of a product. Both have layouts: each piece
 * of a register is followed from its row of memory to its element of the operand. */
#include "isa.h"

#include <string.h>

/* Both layouts, and the form of a row of memory. */
struct pair {
    struct wsim_layout move, operand;
    unsigned bits;  /* of an element in memory                                */
    int packed;     /* it has another width in registers                      */
    int by_columns; /* neighbours in memory are neighbours in a column        */
    enum wsim_operand which;
    unsigned first; /* register of the operand that is register 0 of the move */
    unsigned fragments;
    int interleaved; /* registers of fragments alternate                      */
};

/* A piece of a register that is within one element of both layouts: its source in memory, and its
 * element of the operand. */
struct piece {
    struct wsim_coord from, to;
    unsigned offset; /* elements of the operand from the beginning of the row  */
    int whole;       /* the pieces of an element are in order                  */
};

static unsigned unit_of(const struct pair *p) {
    unsigned a = p->move.elem_bits, b = p->operand.elem_bits;
    return a < b ? a : b;
}

/* The element that has this bit of a register; *inner is the number of the bit in it. */
static unsigned element(const struct wsim_layout *layout, unsigned reg, unsigned bit,
                        unsigned *inner) {
    unsigned at = reg * 32 + bit;
    *inner = at % layout->elem_bits;
    return at / layout->elem_bits;
}

static unsigned fragment_of(const struct pair *p, unsigned reg) {
    return p->interleaved ? reg % p->fragments : reg / p->operand.regs;
}

/* Fragments of A are stacked vertically, and other fragments horizontally. */
static struct wsim_coord beside(const struct pair *p, struct wsim_coord at, unsigned fragment) {
    if (p->which == WSIM_A)
        at.row = (uint16_t)(at.row + fragment * p->operand.rows);
    else
        at.col = (uint16_t)(at.col + fragment * p->operand.cols);
    return at;
}

static struct piece piece_at(const struct pair *p, unsigned lane, unsigned reg, unsigned bit) {
    unsigned in_move, in_operand, at;
    unsigned number = p->first + reg, fragment = fragment_of(p, number);
    unsigned own = p->interleaved ? number / p->fragments : number % p->operand.regs;
    unsigned from = element(&p->move, reg, bit, &in_move);
    unsigned to = element(&p->operand, own, bit, &in_operand);
    struct piece piece;
    piece.from = wsim_layout_coord(&p->move, lane, from);
    piece.to = beside(p, wsim_layout_coord(&p->operand, lane, to), fragment);
    if (p->packed) {
        piece.offset = piece.from.col;
        piece.whole = 1;
        return piece;
    }
    at = piece.from.col * p->move.elem_bits + in_move;
    piece.whole = at >= in_operand && (at - in_operand) % p->operand.elem_bits == 0;
    piece.offset = piece.whole ? (at - in_operand) / p->operand.elem_bits : 0;
    return piece;
}

static struct wsim_coord along(const struct pair *p, struct wsim_coord at, int elements) {
    if (p->by_columns)
        at.row = (uint16_t)(at.row + elements);
    else
        at.col = (uint16_t)(at.col + elements);
    return at;
}

static int same(struct wsim_coord a, struct wsim_coord b) {
    return a.batch == b.batch && a.row == b.row && a.col == b.col;
}

/* The lane that gives the address of a row of memory. */
static unsigned lane_of(const struct wsim_layout *move, struct wsim_coord row) {
    return row.batch * move->rows + row.row;
}

/* Finds the element that each row begins with, from its first piece. */
static void find_rows(const struct pair *p, struct wsim_move_fit *fit) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned reg = 0; reg < p->move.regs; reg++)
            for (unsigned bit = 0; bit < 32; bit += unit_of(p)) {
                struct piece piece = piece_at(p, lane, reg, bit);
                unsigned giver = lane_of(&p->move, piece.from);
                if (piece.offset == 0 && piece.whole && giver < WSIM_LANES) {
                    fit->at[giver] = piece.to;
                    fit->fragment[giver] = (uint8_t)fragment_of(p, p->first + reg);
                }
            }
}

/* Whether a row can begin with this element: rows are aligned to 16 bytes. */
static int can_begin(const struct pair *p, struct wsim_coord at) {
    unsigned number = p->by_columns ? at.row : at.col;
    unsigned elements = p->packed ? p->move.cols : ISA_ROW_BYTES * 8 / p->operand.elem_bits;
    return elements == 0 || number % elements == 0;
}

/* Finds the first piece that is not its element of the operand; 0: there is none. */
static int find_wrong(const struct pair *p, struct wsim_move_fit *fit) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned reg = 0; reg < p->move.regs; reg++)
            for (unsigned bit = 0; bit < 32; bit += unit_of(p)) {
                struct piece piece = piece_at(p, lane, reg, bit);
                struct wsim_coord begin = fit->at[lane_of(&p->move, piece.from)];
                struct wsim_coord has = along(p, begin, (int)piece.offset);
                if (piece.whole && same(piece.to, has) && can_begin(p, begin))
                    continue;
                fit->lane = (uint8_t)lane;
                fit->reg = (uint8_t)reg;
                fit->bit = (uint8_t)bit;
                fit->parted = (uint8_t)(!piece.whole || !can_begin(p, begin));
                fit->wants = piece.to;
                fit->has = has;
                return 1;
            }
    return 0;
}

/* How many moves fill a fragment, or how many fragments one move fills; 0: neither is whole. */
static int count_moves(const struct pair *p, struct wsim_move_fit *fit) {
    unsigned own = p->operand.regs, moved = p->move.regs;
    fit->moves = (uint8_t)(own % moved == 0 ? own / moved : moved % own == 0);
    fit->fragments = (uint8_t)(moved % own == 0 ? moved / own : own % moved == 0);
    return fit->moves != 0;
}

static enum wsim_status read_pair(const struct wsim_op *move, const struct wsim_op *op,
                                  enum wsim_operand operand, struct pair *p,
                                  struct wsim_diag *diag) {
    const struct wsim_format *memory;
    enum wsim_operand moved;
    enum wsim_status status = isa_refuse_foreign(move, diag);
    if (status)
        return status;
    moved = isa_op_has(move, WSIM_R) ? WSIM_R : WSIM_D;
    if (isa_form(move)->scheme != SCHEME_MOVE || !isa_op_bytes(move))
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s moves no rows of memory: ldmatrix and "
                           "stmatrix do",
                           isa_op_called(move).text);
    status = wsim_op_layout(move, NULL, moved, &p->move, diag);
    if (!status)
        status = wsim_op_layout(op, NULL, operand, &p->operand, diag);
    if (status)
        return status;
    memory = isa_op_type(move, PLACE_A);
    p->packed = memory != NULL;
    p->bits = p->packed ? memory->bits : p->move.elem_bits;
    return WSIM_OK;
}

enum wsim_status wsim_move_row(const struct wsim_op *move, unsigned lane, struct wsim_coord *row,
                               struct wsim_diag *diag) {
    struct pair p;
    enum wsim_status status = read_pair(
        move, move, isa_op_known(move) && isa_op_has(move, WSIM_R) ? WSIM_R : WSIM_D, &p, diag);
    if (status)
        return status;
    if (lane >= (unsigned)p.move.batches * p.move.rows)
        return base_refuse(diag, RULE_MATRIX_ROW_NONE, 0, "lane %u gives no row: %s has %u rows",
                           lane, isa_op_called(move).text, (unsigned)p.move.batches * p.move.rows);
    *row = (struct wsim_coord){(uint16_t)(lane / p.move.rows), (uint16_t)(lane % p.move.rows), 0};
    return WSIM_OK;
}

enum wsim_status wsim_move_fits(const struct wsim_op *move, const struct wsim_op *op,
                                enum wsim_operand operand, int by_columns, unsigned number,
                                struct wsim_move_fit *fit, struct wsim_diag *diag) {
    struct pair p = {.by_columns = by_columns != 0};
    struct wsim_move_fit found = {.fits = 0};
    enum wsim_status status = read_pair(move, op, operand, &p, diag);
    if (status)
        return status;
    found.rows = (uint8_t)(p.move.batches * p.move.rows);
    if (!count_moves(&p, &found) || (p.packed && (p.operand.elem_bits != p.move.elem_bits ||
                                                  p.operand.format->bits != p.bits))) {
        *fit = found;
        return WSIM_OK;
    }
    if (number >= found.moves)
        return base_refuse(diag, RULE_MATRIX_ROW_NONE, 0, "number %u: %u of these moves fill it",
                           number, (unsigned)found.moves);
    p.first = number * p.move.regs;
    found.comparable = 1;
    found.shift = (uint8_t)(p.packed ? p.operand.format->pad : 0);
    p.which = operand;
    p.fragments = found.fragments;
    find_rows(&p, &found);
    found.fits = !find_wrong(&p, &found);
    if (!found.fits && p.fragments > 1) {
        struct wsim_move_fit other = found;
        p.interleaved = 1;
        find_rows(&p, &other);
        other.interleaved = other.fits = !find_wrong(&p, &other);
        found = other.fits ? other : found;
    }
    *fit = found;
    return WSIM_OK;
}
