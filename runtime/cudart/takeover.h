/* takeover.h - jumps in functions of other objects: takeover.c. */
#ifndef WSIM_RUNTIME_TAKEOVER_H
#define WSIM_RUNTIME_TAKEOVER_H

#include "compiler.h"

#include <stdint.h>

/* A function whose first bytes are a jump for as long as the patch is there. */
struct patch {
    uint64_t at; /* 0: none */
    unsigned char before[16];
};

/* 0: the system forbids it. */
int patch_set(struct patch *patch, uint64_t at, any_function *to);
int patch_undo(const struct patch *patch);

/* The function of the runtime of major version 12 or 13 with this name; NULL: there is none. */
any_function *takeover_find(const char *name, int is_12);

/* cuda-python: the address of the function that initialises its module of the runtime. */
void python_take(uint64_t at, int per_thread);

#endif
