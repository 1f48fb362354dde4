/* file.h - files that a launch file, or who calls, names: plain or compressed, raw bytes or arrays
 * of NumPy.
 */
#ifndef WSIM_RUN_FILE_H
#define WSIM_RUN_FILE_H

#include "place.h"

#include <stdint.h>

struct file_bytes {
    uint8_t *bytes; /* of the heap; a 0 behind them */
    uint64_t size;
};

/* Reads the file `name`: below `folder` and through no link, as data from elsewhere names it, or,
 * with NULL for a folder, any that a user named. NAME.zst, NAME.xz and NAME.gz stand for NAME if it
 * is not there. More than `most` bytes are refused, the sentence saying that `what` has so many.
 * TOOL_GO, or TOOL_USAGE after saying what is wrong at which place. */
int file_read(const struct place *at, const char *folder, const char *name, uint64_t most,
              const char *what, struct file_bytes *out);

/* The same of data: of NAME.npy the elements, little-endian, in the order of memory. */
int file_read_data(const struct place *at, const char *folder, const char *name, uint64_t most,
                   const char *what, struct file_bytes *out);

/* Whether `name` ends with ".npy". */
int file_is_array(const char *name);

#endif
