/* fixture.h - a GPU's two memories, small, with something else in every byte. */
#ifndef COPY_FIXTURE_H
#define COPY_FIXTURE_H

#include "../../run.h"

#include <string.h>
#include <wsim/wsim.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

#define GLOBAL_BYTES 65536
#define SHARED_BYTES 16384
#define BARRIER_AT (SHARED_BYTES - 8) /* the last 8 bytes of shared memory */
#define GLOBAL_BASE UINT64_C(0x7f0000000000)
#define COMPLETE "mbarrier::complete_tx::bytes"

struct fixture {
    uint8_t global[GLOBAL_BYTES], shared[SHARED_BYTES];
    struct wsim_memory global_memory, shared_memory;
    struct wsim_tensor tensor;
    struct wsim_tensor_map map;
    struct wsim_mbarrier barrier; /* in the last bytes of `shared` */
    struct wsim_bulk io;
    struct wsim_bulk_result result;
    struct wsim_diag diag;
    const char *arch;
};

/* Fills both memories; io names them. */
void fixture_start(struct fixture *f);

/* A tiled map of `rank` whose rows are packed to 16 bytes. */
void fixture_tile(struct fixture *f, enum wsim_tensor_type type, uint32_t rank,
                  const uint64_t *dims, const uint32_t *box);

/* Encodes f->tensor and executes `spelling` on f->arch (NULL: sm_90a). */
enum wsim_status fixture_run(struct fixture *f, const char *spelling);

/* The same is refused with `status`, in a sentence with `words`, and nothing has changed. */
void fixture_refused(struct fixture *f, const char *spelling, enum wsim_status status,
                     const char *words);

uint64_t fixture_number(const uint8_t *at, unsigned bytes);

#endif
