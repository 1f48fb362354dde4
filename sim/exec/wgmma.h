/* wgmma.h - wgmma with C and D either way that registers are given, and its matrices in memory. */
#ifndef WSIM_EXEC_WGMMA_H
#define WSIM_EXEC_WGMMA_H

#include "descriptor.h"
#include "strip.h"

/* A matrix in shared memory: where it lies and how its elements are read. */
struct wgmma_source {
    const char *name;
    const struct wsim_io *io;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    unsigned step;  /* elements of the tile that are one of a list: 32 of 1 bit, else 1 */
    unsigned bytes; /* that these take                                                  */
};

/* Multiplies checked operands by a kernel. A comes from `a`, or from the registers of its io,
 * which must fit into `words`. Nibbles, C and D come from *group. */
void wgmma_strips(const struct wsim_code *code, const struct wgmma_source *a,
                  const struct wgmma_source *b, uint32_t (*words)[WSIM_LANES],
                  struct strip_group *group);

/* Like exec_wgmma, but C and D do not come from io->c and io->d. */
enum wsim_status wgmma_run(const struct wsim_code *code, const struct wsim_io *io,
                           struct product_in c, struct product_out d, struct wsim_diag *diag);

#endif
