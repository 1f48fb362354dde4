/* places.h - where a function names each register, and where a value of a register dies. */
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
};

/* The places from `from` to before `to` use one value of a register. ends: the last of them writes
 * the next one. Otherwise no instruction reads the value behind them. */
struct life {
    uint32_t from, to;
    int ends;
};

/* 0: no memory. */
int places_find(const struct run_build *build, struct places *places);
void places_free(struct places *places);

/* The first place of a register that is at an instruction or behind it. */
uint32_t place_from(const struct places *places, uint32_t reg, uint32_t from);
uint32_t writes_of(const struct places *places, uint32_t reg);

/* The life of what instruction `at` writes into a register. It is all places of the register where
 * a write of some lanes or a read in another block can meet the value. So it is behind a limit of
 * steps for the whole function. */
struct life life_of(struct places *places, const struct run_build *build, uint32_t at,
                    uint32_t reg);

#endif
