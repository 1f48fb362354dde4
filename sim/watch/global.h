/* global.h - what a thread of the host knows of global memory: global.c fills it, and global_end.c
 * reads it at the end of a launch. */
#ifndef WSIM_WATCH_GLOBAL_H
#define WSIM_WATCH_GLOBAL_H

#include "actors.h"

#include <stdatomic.h>

#define N_LOCKS 256 /* of cells, where units run ahead of their turns */

struct log;
struct word;

/* Data of a thread of the host. */
struct globals {
    struct race_asker asker;
    struct race_pool pool;
    struct race_questions asked;
    struct race_cell **cells; /* [buffer]; NULL: not accessed */
    uint8_t *mixed;           /* [buffer] */
    uint8_t *idle;            /* [buffer] no store goes there; NULL: all may be stored to */
    size_t n_buffers;
    uint8_t crowd, valued;
    uint8_t borrowed;           /* the first thread owns `cells` and `logs` */
    atomic_flag locks[N_LOCKS]; /* of cells, of the first thread            */
    /* Where order matters: */
    struct log **logs; /* [unit] */
    uint32_t number;   /* of the last release */
    struct word *words;
    size_t n_words, room; /* a power of two */
    uint64_t low, high;   /* of the keys    */
};

#endif
