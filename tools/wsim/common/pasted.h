/* pasted.h - PTX and names in pasted text: lines of PTX, an asm statement of C, an atom of CuTe. */
#ifndef WSIM_PASTED_H
#define WSIM_PASTED_H

/* The PTX of an asm statement of C; a text without a string stays unchanged. Free it. */
char *pasted_ptx(const char *text);

/* The atom at the start of a text, with its arguments; also the one inside of MMA_Atom<...>,
 * MMA_Traits<...> or Copy_Atom<...>. NULL: none. Free it. */
char *pasted_atom(const char *text);

#endif
