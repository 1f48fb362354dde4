/* draw_plain.c - the loops for any machine. */
#define DRAW_TARGET
#include "draw_loops.h"

const struct draw_loops draw_plain = {numbers, words, metadata, scales};
