/* launch_packed.h - PTX that a fat binary holds compressed, as nvcc leaves it unless it is told not
 * to. */
#ifndef WSIM_RUN_LAUNCH_PACKED_H
#define WSIM_RUN_LAUNCH_PACKED_H

#include "file.h"

/* If the file is a fat binary without PTX as it is, but with compressed PTX: its text, of all
 * members for the newest architecture, takes the place of the bytes. Everything else stays as it
 * is, for wsim_module_load to say what is wrong with it: more than `most` bytes of text, contents
 * that are not what they should be, Zstandard in a build without it. */
void launch_unpack(struct file_bytes *file, uint64_t most);

#endif
