/* card.h - maps in the layout of the hardware. A driver encodes them, and so do compilers that know
 * the layout. */
#ifndef WSIM_TENSOR_CARD_H
#define WSIM_TENSOR_CARD_H

#include "image.h"

/* Reads a map into one of wsim. 0: the bytes are no map of the hardware, and *own is undefined. */
int tensor_from_card(const struct wsim_tensor_map *card, struct wsim_tensor_map *own);

#endif
