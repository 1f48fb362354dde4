/* look.h - looks inside kernels: look.c. */
#ifndef WSIM_RUNTIME_LOOK_H
#define WSIM_RUNTIME_LOOK_H

#include <wsim/look.h>

#include <stdint.h>
#include <stdio.h>

/* Opens the library for the options of WSIM_LOOK; NULL: none. An error is said. */
int look_open(const char *options);

int look_is_on(void);

/* The look of launch `number`, and what look_end frees. */
void *look_begin(uint64_t number, const struct wsim_look **look);
void look_end(void *launch);

/* Members of the record, after others. */
void look_write(FILE *out);

/* In a child of fork. */
void look_forget(void);

#endif
