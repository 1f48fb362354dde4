/* launch_packed.h - PTX of fat binaries, unpacked. */
#ifndef WSIM_RUN_LAUNCH_PACKED_H
#define WSIM_RUN_LAUNCH_PACKED_H

#include "file.h"

/* Replaces the bytes of a fat binary by its PTX for the newest target. Any other file, more than
 * `most` bytes of text, and contents that cannot be unpacked stay unchanged: wsim_module_load says
 * what is wrong with them. */
void launch_unpack(struct file_bytes *file, uint64_t most);

#endif
