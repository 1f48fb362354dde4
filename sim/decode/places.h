/* places.h - where a function names each register, and which write gives the value that is read. */
#ifndef WSIM_DECODE_PLACES_H
#define WSIM_DECODE_PLACES_H

#include "build.h"

/* The instructions that name each register, in order: at[first[reg]] .. at[first[reg + 1] - 1].
 * what: their use (uses.h). writes[i]: how many of the places before i write their register. */
struct places {
    uint32_t *first, *at, *writes;
    uint8_t *what;
    uint32_t *block;         /* the first instruction of each basic block              */
    uint32_t *seen, *follow; /* of each block: the last search that met it; to be read */
    uint32_t searches, steps;

    /* of each place, once its register was followed */
    uint32_t *source;   /* of a read: the place that wrote the value, + 1; PLACES_SEVERAL */
    uint32_t *earliest; /* of a read: the first in the text of the places that wrote it, + 1 */
    uint8_t *shared;    /* of a write: a read meets another write too, or the caller reads it */
    uint8_t *followed;  /* of each register */
};

#define PLACES_SEVERAL 0xFFFFFFFFu

/* 0: no memory. */
int places_find(const struct run_build *build, struct places *places);
void places_free(struct places *places);

/* The first place of a register that is at an instruction or behind it. */
uint32_t place_from(const struct places *places, uint32_t reg, uint32_t from);
uint32_t writes_of(const struct places *places, uint32_t reg);

/* Finds `source` and `shared` of all places of a register, along every path. A guarded write keeps
 * the old value in some lanes, so it shares with the write before. Behind a limit of steps for the
 * whole function, every write of several shares. */
void places_follow(struct places *places, const struct run_build *build, uint32_t reg);

/* The place + 1 of the one write that gives a register its value at an instruction that reads it.
 * 0: several, none, or the caller. */
uint32_t place_of_value(struct places *places, const struct run_build *build, uint32_t reg,
                        uint32_t at);

/* The first instruction in the text, + 1, that may give a register its value at an instruction that
 * reads it. 0: the caller does, or none is known. */
uint32_t places_earliest(struct places *places, const struct run_build *build, uint32_t reg,
                         uint32_t at);

/* Whether a path from behind instruction `from` comes to `to` and does not execute `around`.
 * Behind the limit of steps: 1. */
int places_path(struct places *places, const struct run_build *build, uint32_t from, uint32_t to,
                uint32_t around);

#endif
