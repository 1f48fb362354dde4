/* why_feed.h - where in shared memory the registers of A and B came from: the addresses of the
 * ldmatrix, or of the loads, that filled them. */
#ifndef WSIM_WHY_FEED_H
#define WSIM_WHY_FEED_H

#include "../exec/exec_run.h"

/* As given on the command line; NULL: not given. */
struct why_feed_options {
    char *addr[2], *by[2]; /* of A, of B */
    char *swizzle;
};

struct why_feed {
    int given;
    uint32_t addr[WSIM_LANES];
    struct wsim_layout rows; /* the matrices of ldmatrix; no lanes: each lane loads what it has */
};

struct why_feeds {
    struct why_feed of[2];
    enum wsim_swizzle mode;
};

/* TOOL_GO, or the status after saying what is wrong. */
int why_feed_open(const struct exec_run *run, const struct why_feed_options *o,
                  struct why_feeds *feeds);

/* Where an element of A or B lies in shared memory: by its descriptor, or by what fed it; 0: it is
 * not known. */
struct why_byte {
    uint32_t address, linear; /* linear: without the swizzle                */
    uint32_t bytes;           /* that the element takes, or is part of      */
    int swizzled;             /* there is a swizzle                         */
};
int why_feed_at(const struct exec_run *run, const struct why_feeds *feeds,
                enum wsim_operand operand, const struct wsim_why_element *element,
                struct why_byte *byte);

#endif
