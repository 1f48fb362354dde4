/* memory.h - memory that is there. A program that has none left can only say so: each of these ends
 * it then with a sentence and TOOL_USAGE, so that no answer is ever printed without a part of it.
 */
#ifndef WSIM_TOOL_MEMORY_H
#define WSIM_TOOL_MEMORY_H

#include <stddef.h>

/* `count` times `size` bytes of zeros; never NULL, so that 0 bytes can be asked for too. */
void *memory_make(size_t count, size_t size);

/* As realloc. */
void *memory_grow(void *old, size_t size);

/* The first `length` bytes of a text, or all if it is shorter. */
char *memory_text(const char *text, size_t length);

/* For a library that had none: ends the program in the same way. */
void memory_out(void);

/* From now on JSON (jansson) has its memory from here too. */
void memory_open(void);

#endif
