/* reach.h - accesses of a warp, planned once: what ld, st, atom and red have in common. Room reach
 * goes from addresses to bytes, with the one bounds check, and tells listeners; it uses state. */
#ifndef WSIM_REACH_REACH_H
#define WSIM_REACH_REACH_H

#include "../memory/memory.h"
#include "../state/run.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The window that a generic address is in. */
enum ptx_space run_space_of(uint64_t address);

#define ACCESS_MOST 8 /* elements a lane */
#define REACH_MOST 32 /* bytes a lane    */

/* The access of an instruction, and its registers. */
struct reach_plan {
    uint8_t space; /* enum ptx_space; PTX_GENERIC                                   */
    uint8_t kind;  /* enum run_access_kind                                          */
    uint8_t weak;
    uint8_t acquires;  /* as of run_access */
    uint8_t releases;  /* the same         */
    uint8_t plain;     /* the same         */
    uint8_t nc;        /* the same         */
    uint8_t near;      /* the same         */
    uint8_t narrow;    /* the same         */
    uint8_t replaces;  /* the same         */
    uint8_t order;     /* 1: acquire or the like, 2: release or the like; bits          */
    uint8_t elements;  /* registers a lane                                              */
    uint8_t bytes;     /* of each                                                       */
    uint8_t unused;    /* further ones, whose registers the program does not read       */
    uint32_t padding;  /* a bit for each byte of a lane that the program copies alone   */
    uint8_t is_signed; /* loads extend with the sign                                   */
    uint8_t turn;      /* of a store: reach_turn                                       */
    struct run_row base;
    uint64_t offset;
    struct run_row row[ACCESS_MOST], second[ACCESS_MOST]; /* registers loaded or stored; operands of
 atomics                         */
};

/* Fills in what the plan of an access says; `plan`, `all`, `frame` and the addresses are left. */
static inline void reach_describe(const struct reach_plan *reach, uint8_t space, uint32_t lanes,
                                  struct run_access *access) {
    access->space = space;
    access->kind = reach->kind;
    access->async = access->proxy = access->row = access->swaps = access->for_lane =
        access->taints = 0;
    access->weak = reach->weak;
    access->acquires = reach->acquires;
    access->releases = reach->releases;
    access->plain = reach->plain;
    access->nc = reach->nc;
    access->near = reach->near;
    access->narrow = reach->narrow;
    access->replaces = reach->replaces;
    access->barrier = 0;
    access->data = NULL;
    access->bytes = (uint32_t)reach->bytes * reach->elements;
    access->lanes = lanes;
}

/* Names the plan and the registers of a load or store. Lanes of a load that leaves some registers
 * out are not a power of two of bytes, so listeners hear it without a plan. */
static inline void reach_name(const struct reach_plan *reach, uint8_t *frame,
                              struct run_access *access) {
    access->plan = reach->unused ? NULL : reach;
    access->taints = reach->unused ? RUN_TAINTS_STEP : RUN_TAINTS_NOT;
    access->frame = frame;
}

/* Addresses of all lanes. */
void reach_begin(const struct reach_plan *reach, uint8_t *frame, uint32_t lanes,
                 struct run_access *access);

/* The order of the lanes of a store, of which the last one that writes a byte stays. Its groups
 * (the rows ST of banks.def) go one after another, and the lowest lane of a group is its last. An
 * H200 has this order in shared and global memory, for 1 to 16 bytes a lane
 * (lab/reports/hardware-notes.md); other bytes and GPUs are inferred. Place i of the order is lane
 * i ^ turn. */
uint8_t reach_turn(unsigned bytes);

/* Lanes as places of the order. */
static inline uint32_t reach_places(uint32_t lanes, unsigned turn) {
    const uint32_t pairs = (lanes >> 1 & 0x55555555u) | (lanes & 0x55555555u) << 1;
    lanes = turn & 1 ? pairs : lanes;
    lanes = turn & 2 ? (lanes >> 2 & 0x33333333u) | (lanes & 0x33333333u) << 2 : lanes;
    lanes = turn & 4 ? (lanes >> 4 & 0x0F0F0F0Fu) | (lanes & 0x0F0F0F0Fu) << 4 : lanes;
    lanes = turn & 8 ? (lanes >> 8 & 0x00FF00FFu) | (lanes & 0x00FF00FFu) << 8 : lanes;
    return turn & 16 ? lanes >> 16 | lanes << 16 : lanes;
}

/* Whether no later lane of a store writes where this one does. */
int reach_stays(const struct run_access *access, unsigned lane);

/* Moves registers to the bytes of each lane, in that order. */
void reach_store_lanes(const struct reach_plan *reach, uint8_t *frame,
                       const struct run_access *access);

/* The bytes that an access writes, lane after lane, perhaps in `room`; NULL: they are not known. */
const uint8_t *reach_data(const struct run_access *access, uint8_t room[RUN_LANES * REACH_MOST]);

/* Little-endian numbers of 1, 2, 4 or 8 bytes. One access of the host each: threads that run other
 * blocks see the number before or after a store, never parts of both. */
static inline uint64_t reach_load(const uint8_t *from, unsigned bytes) {
    uint64_t value = 0;
    if (!memory_is_host()) {
        for (unsigned i = 0; i < bytes; i++)
            value |= (uint64_t)from[i] << 8 * i;
    } else if (bytes == 8) {
        memcpy(&value, from, 8);
    } else if (bytes == 4) {
        memcpy(&value, from, 4);
    } else if (bytes == 2) {
        memcpy(&value, from, 2);
    } else {
        value = *from;
    }
    return value;
}
static inline void reach_store(uint8_t *to, unsigned bytes, uint64_t value) {
    if (!memory_is_host()) {
        for (unsigned i = 0; i < bytes; i++)
            to[i] = (uint8_t)(value >> 8 * i);
    } else if (bytes == 8) {
        memcpy(to, &value, 8);
    } else if (bytes == 4) {
        memcpy(to, &value, 4);
    } else if (bytes == 2) {
        memcpy(to, &value, 2);
    } else {
        *to = (uint8_t)value;
    }
}

/* Whether the elements of a lane are moved together, by reach_copy. */
static inline int reach_is_unit(const struct reach_plan *reach) {
    const unsigned bytes = (unsigned)reach->bytes * reach->elements;
    return bytes <= 16 && (reach->elements > 1 || bytes == 16);
}

/* Bytes of a lane that are one access of the host: a number, or a vector of 8 or 16 bytes. */
static inline void reach_copy(uint8_t *to, const uint8_t *from, unsigned bytes) {
#if defined(__SSE2__)
    if (bytes == 16) {
        _mm_storeu_si128((__m128i *)(void *)to,
                         _mm_loadu_si128((const __m128i *)(const void *)from));
        return;
    }
#endif
    if (bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

#endif
