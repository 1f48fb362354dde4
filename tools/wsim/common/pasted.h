/* pasted.h - what users have on the screen, as PTX: lines of it, an asm statement of C, a name.
 */
#ifndef WSIM_PASTED_H
#define WSIM_PASTED_H

/* The PTX of an asm statement of C: its strings one behind the other up to the first ':' outside of
 * them, escapes read, "%%" one '%'. A text without a string stays as it is. To be freed. */
char *pasted_ptx(const char *text);

/* A name of C++ at the start of a text, or inside of MMA_Atom<...>, MMA_Traits<...>,
 * Copy_Atom<...>, with its own arguments; NULL: there is none. To be freed. */
char *pasted_atom(const char *text);

#endif
