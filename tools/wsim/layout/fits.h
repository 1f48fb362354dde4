/* fits.h - a matrix move whose registers are not those of an operand, drawn. */
#ifndef WSIM_TOOL_FITS_H
#define WSIM_TOOL_FITS_H

#include "../common/doc.h"

struct fits_wrong {
    const struct wsim_op *move, *op;
    enum wsim_operand operand;
    int by_columns;
    const struct wsim_move_fit *fit; /* comparable, but it does not fit */
};

/* A table of lanes by elements of registers: the element that the operand wants, and in coloured
 * cells the element that the move brings instead. Each matrix of the move is the tile of the
 * operand that its registers should hold. */
void fits_draw_wrong(struct doc *doc, const struct fits_wrong *wrong);

#endif
