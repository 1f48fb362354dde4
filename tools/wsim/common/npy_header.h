/* npy_header.h - what stands before the numbers of a .npy file. Knows text alone; npy.h reads and
 * writes files.
 * Source: the NumPy documentation, "numpy.lib.format", versions 1.0, 2.0 and 3.0.
 */
#ifndef WSIM_NPY_HEADER_H
#define WSIM_NPY_HEADER_H

#include <stddef.h>
#include <stdint.h>

#define NPY_RANK 8

/* An array: its type ('f' float, 'i' and 'u' integers, 'b' bool, 'V' raw bytes) and extents, the
 * outermost first; without any it is one number. */
struct npy_header {
    char kind;
    uint8_t bytes;      /* of an element: 1, 2, 4 or 8                     */
    uint8_t big_endian; /* the byte of the highest bits comes first        */
    uint8_t fortran;    /* stored column by column                         */
    uint8_t rank;
    uint64_t extent[NPY_RANK];
};

/* How many elements it has: at most 2^60. */
uint64_t npy_count(const struct npy_header *header);

/* How many bytes there are from the magic string to the text, of which the first NPY_PREFIX say how
 * long the text is. */
enum { NPY_PREFIX = 12, NPY_TEXT_MAX = 1 << 16, NPY_MOST = 1 << 30, NPY_COMPLAINT = 160 };

/* Reads the prefix: where the text starts and its length. NULL, or what is wrong. */
const char *npy_prefix(const uint8_t prefix[NPY_PREFIX], size_t *start, size_t *length);

/* Reads the text, which need not end with a 0. 1, or 0 after writing what is wrong. */
int npy_text(const char *text, size_t length, struct npy_header *header,
             char complaint[NPY_COMPLAINT]);

/* The bits of an element, in the order of bytes of this machine. */
uint64_t npy_load(const uint8_t *element, unsigned bytes);

/* Turns the bytes of each element around. */
void npy_swap(uint8_t *elements, uint64_t count, unsigned bytes);

/* Writes prefix and text of version 1.0, little-endian; how many bytes that are: a multiple of 64.
 */
enum { NPY_WRITTEN = 256 };
size_t npy_put(const struct npy_header *header, char out[NPY_WRITTEN]);

#endif
