/* merge_open.h - accesses of a basic block that may still be joined. */
#ifndef WSIM_DECODE_MERGE_OPEN_H
#define WSIM_DECODE_MERGE_OPEN_H

#include "linear.h"
#include "merge.h"

enum { MERGE_MOST = 1024, MERGE_WIDE = 16, MERGE_UNITS = 4, MERGE_NUMBER = 31 };

/* The assembler loads and stores units: elements, or words of packed small ones. */
struct merge_key {
    struct linear of; /* terms of the address; the constant is that of the first access */
    uint8_t bytes;    /* of a unit                                                      */
    uint8_t kind;     /* units of different kinds never join; of a store: bytes of an element */
    uint8_t joins;    /* units of the kind join at all                                  */
};

struct merge_unit {
    uint32_t key;
    int32_t at;       /* the constant of its address      */
    uint32_t pending; /* of the instruction               */
};

/* An instruction with open units, and the accesses that it heads. */
struct merge_pending {
    uint32_t instruction;
    int32_t at;
    uint8_t bytes; /* as written                                                        */
    struct build_merge merge;
};

/* The known alignment of a sum of terms, without its constant: a multiple of 1 << log2, plus
 * `phase`. */
struct merge_aligned {
    struct linear of;
    uint8_t log2;
    uint32_t phase;
};

struct merge_list {
    struct merge_key *keys;
    struct merge_unit *units;
    struct merge_pending *pending;
    uint32_t n_keys, n_units, n_pending;
};

/* The last store, as long as a load may take what it wrote. */
struct merge_last {
    struct linear of;
    uint32_t instruction; /* + 1; 0: none */
    uint8_t bytes, element;
};

struct merge_open {
    struct run_build *build;
    struct linear_sums *sums;
    struct merge_list loads, stores;
    struct merge_last last;
    struct merge_aligned *aligned; /* of the block */
    uint32_t n_aligned, n_entries, room_entries;
};

/* 0: no memory. merge_open_free is needed in any case. */
int merge_open_init(struct merge_open *open, struct run_build *build);
void merge_open_free(struct merge_open *open);

/* A plain access of `n` units. live: which units of a load something needs. 0: no memory. */
struct merge_access {
    struct merge_key key; /* of.constant: the first address */
    uint32_t instruction;
    uint8_t n, live;
};
int merge_load(struct merge_open *open, const struct merge_access *access);
int merge_store(struct merge_open *open, const struct merge_access *access);

/* Closes all open accesses: none after this point joins them. Returns 0 without memory. */
int merge_end_loads(struct merge_open *open);
int merge_end_stores(struct merge_open *open);

/* Records how the rule treats an instruction. 0: no memory. */
int merge_keep(struct merge_open *open, uint32_t instruction, const struct build_merge *merge);

/* A basic block ends. 0: no memory. */
int merge_end_block(struct merge_open *open);

#endif
