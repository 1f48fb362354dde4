/* api.h - checks of calls: what the program does with memory and errors. */
#ifndef WSIM_RUNTIME_API_H
#define WSIM_RUNTIME_API_H

#include "state.h"

/* Finds the code of the program that called the runtime. */
void api_caller(struct caller *caller);

/* The same with the calls around it; and behind the functions that nvcc makes of a kernel, which
 * takes longer. */
void api_frames(struct caller *caller);
void api_further(struct caller *caller);

/* Notes that a call uses freed memory, if the address is in some. `verb`: "a copy reads". */
void api_freed(const char *verb, uint64_t address);

/* The program exits with `status`: memory that is left, errors that nothing looked at. */
void api_end(int status);

/* A child of fork need not free the memory of its parent. */
void api_forget(void);

#endif
