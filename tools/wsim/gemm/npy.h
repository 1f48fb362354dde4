/* npy.h - matrices in .npy files. */
#ifndef WSIM_NPY_H
#define WSIM_NPY_H

#include <wsim/harness/npy.h>

struct npy {
    struct wsim_npy header; /* big_endian is 0 once it is read */
    uint8_t *elements;      /* as many as it counts, in the order of bytes of this machine */
};

/* Reads a file ("-": standard input) that is one matrix and nothing after it; nothing is believed
 * of its extent before as many bytes have come. To be freed: npy->elements. */
void npy_read(const char *path, struct npy *npy);

/* Writes a matrix, little-endian, in the place of `path` ("-": standard output). */
void npy_write(const char *path, const struct npy *npy);

#endif
