/* memory.h - allocation that succeeds or ends the program with a message and TOOL_USAGE. No answer
 * lacks a part because memory ran out.
 */
#ifndef WSIM_TOOL_MEMORY_H
#define WSIM_TOOL_MEMORY_H

#include <stddef.h>

/* `count` times `size` bytes of zeros; never NULL, even of 0 bytes. */
void *memory_make(size_t count, size_t size);

/* As realloc. */
void *memory_grow(void *old, size_t size);

/* The same for a list of `count` elements of `size` bytes, to which one comes: its room doubles. */
void *memory_add(void *old, size_t count, size_t size);

/* The first `length` bytes of a text, or all if it is shorter. */
char *memory_text(const char *text, size_t length);

/* Three texts as one. */
char *memory_join(const char *a, const char *b, const char *c);

/* Ends the program for a library that found no memory. */
void memory_out(void);

/* From now on jansson allocates here too, and freed memory stays in the heap. */
void memory_open(void);

#endif
