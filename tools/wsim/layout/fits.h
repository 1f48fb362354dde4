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

/* The answer about a tcgen05.ld or tcgen05.st, args[0], and a product, args[1]; `operand` may be
 * NULL: d. An exit status. */
int fits_tensor(enum tool_format format, const char **args, const char *operand);

#endif
