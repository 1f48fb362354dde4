/* jump.h - jumps in functions of other objects. */
#ifndef WSIM_RUNTIME_JUMP_H
#define WSIM_RUNTIME_JUMP_H

#include "compiler.h"

#include <stdint.h>

#if defined __x86_64__
enum { JUMP_LONG = 12, JUMP_SHORT = 5, JUMP_MOST_SHORT = 64 };
#else
enum { JUMP_LONG = 16, JUMP_SHORT = 16, JUMP_MOST_SHORT = 0 };
#endif

/* JUMP_LONG bytes: a jump to any address. */
void jump_write(unsigned char *at, uint64_t to);

/* A page for long jumps within the reach of short ones from `from`; NULL: there is none. */
unsigned char *jump_page(uint64_t from);
void jump_write_short(unsigned char *at, const unsigned char *to);

/* Where the jump goes that is in the JUMP_SHORT bytes at an address; 0: none is there. */
uint64_t jump_target(uint64_t at);

/* A function whose first bytes are a jump for as long as the patch is there. */
struct patch {
    uint64_t at; /* 0: none */
    unsigned char before[16];
};

/* 0: the system forbids it. */
int patch_set(struct patch *patch, uint64_t at, any_function *to);
int patch_undo(const struct patch *patch);

#endif
