/* banks.h - wsim banks: the access or copy to be counted, its counts, and the answers. */
#ifndef WSIM_TOOL_BANKS_H
#define WSIM_TOOL_BANKS_H

#include "../common/doc.h"
#include <wsim/harness/address.h>
#include <wsim/sectors.h>

/* The options as given; NULL: not given. */
struct banks_options {
    char *addr, *mask, *arch;
    char *size, *src, *src_size, *lines; /* of a copy                                           */
    char *stride;                        /* of a fragment                                       */
    char *let, *code;                    /* names with values; --c, which is gone               */
    char *decl, *block;                  /* arrays of C; threads of a block                     */
    char *with, *pitch;                  /* of --suggest: other accesses, bytes of a row        */
    int fail, suggest;
    const struct wsim_address_scope *scope; /* names of expressions and their values in this step */
};

/* An access of lanes, or the accesses of a fragment of wmma. */
struct access_run {
    uint32_t addr[WSIM_LANES]; /* as given; of a fragment 32 equal ones                         */
    uint32_t mask, stride;
    struct wsim_cost cost;
    struct wsim_cost_group group[WSIM_MAX_ACCESSES * WSIM_MAX_GROUPS]; /* cost.groups of them   */
    struct wsim_cost_access access[WSIM_MAX_ACCESSES];                 /* cost.accesses of them */
    int is_outside;           /* hardware executes it, but the ISA does not allow it ...        */
    struct wsim_diag outside; /* ... for this reason                                            */
    struct wsim_bank_card card;
};

struct copy_counts {
    struct wsim_cost cost;
    struct wsim_cost_group group[WSIM_LANES]; /* cost.groups of them */
};

struct copy_run {
    uint32_t dst[WSIM_LANES], src[WSIM_LANES], src_size[WSIM_LANES];
    struct wsim_io io;
    struct copy_counts hardware;
    struct copy_counts page;  /* counters of the source page ...                                */
    struct wsim_diag no_page; /* ... or why there are none; status 0: there are                 */
    uint32_t unknown;         /* lanes whose cost is not known ...                              */
    struct wsim_sectors sectors; /* of the source                                               */
    int has_store; /* ... and the cost of a store of them to the same addresses      */
    struct wsim_cost store;
    struct wsim_copy_card card;
};

/* A count: of an access, a fragment or a copy. */
struct banks_run {
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch;
    enum wsim_counting counting;
    const char *evidence, *source;
    struct wsim_cost cost; /* without lanes whose cost is not known */
    int is_known;
    struct access_run access;
    struct copy_run copy;
};

/* Counts `op`. */
void banks_count(const struct wsim_op *op, const struct banks_options *options,
                 struct banks_run *run);
void access_count(const struct wsim_op *op, const struct banks_options *options,
                  struct banks_run *run);
void copy_count(const struct wsim_op *op, const struct banks_options *options,
                struct banks_run *run);

/* The picture of a count; the run has to outlive it. */
void banks_picture(struct banks_run *run, struct wsim_picture *picture);
void access_picture(struct banks_run *run, struct wsim_picture *picture);
void copy_picture(struct banks_run *run, struct wsim_picture *picture);

/* State a count in JSON. */
void access_state(struct doc *doc, const struct banks_run *run);
void copy_state(struct doc *doc, const struct banks_run *run);

/* "wavefronts", "ideal" and "conflicts" in JSON. */
void banks_state_cost(struct doc *doc, uint64_t wavefronts, uint64_t ideal, uint64_t conflicts);

/* Counts all steps of a sweep, states and closes the answer: the status. */
int sweep_answer(struct doc *doc, const struct wsim_op *op, const struct banks_options *options,
                 struct wsim_address_sweep *let);

/* States sectors and lines in JSON. */
void sectors_state(struct doc *doc, const struct wsim_sectors *count);

/* Counts an access of global memory, states and closes the answer: the status. */
int sectors_answer(struct doc *doc, const struct wsim_instruction *access,
                   const struct banks_options *options, const struct wsim_address_sweep *let);

/* Answers --suggest. */
int suggest_answer(struct doc *doc, const struct wsim_op *op, const struct banks_options *options,
                   struct wsim_address_sweep *let);

/* Closes the answer: the exit status. Under --fail-on-conflicts an unknown cost is no success. */
int banks_close(struct doc *doc, const struct banks_options *options, int status, int has_conflicts,
                int is_known);

#endif
