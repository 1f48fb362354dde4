/* launch_files.h - the files that a launch file names: plain, or compressed with zstd, xz or gzip.
 */
#ifndef TOOLS_LAUNCH_FILES_H
#define TOOLS_LAUNCH_FILES_H

#include <wsim/harness/launch.h>

/* Files below `folder`, through no link; with NULL any file that a user names. NAME.zst, NAME.xz
 * and NAME.gz stand for NAME if it does not exist. The folder has to stay. */
struct wsim_launch_files launch_files(const char *folder);

/* Replaces a fat binary of the heap by its newest PTX, of at most `most` bytes; other bytes stay.
 * WSIM_OK or WSIM_NO_MEMORY. */
enum wsim_status launch_files_unpack(void **bytes, uint64_t *size, uint64_t most);

#endif
