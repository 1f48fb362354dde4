/* npy.h - headers of .npy files, as the NumPy documentation has them ("numpy.lib.format", versions
 * 1.0, 2.0 and 3.0): a prefix, and a dictionary as text. Elements follow; the caller reads and
 * writes them.
 */
#ifndef WSIM_HARNESS_NPY_H
#define WSIM_HARNESS_NPY_H

#include "../status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_NPY_RANK 8
#define WSIM_NPY_EXTENT (1 << 30) /* the largest extent                                       */

/* An array: its type ('f' float, 'i' and 'u' integers, 'b' bool, 'V' raw bytes) and extents, the
 * outermost first. Without extents it is one number. */
struct wsim_npy {
    char kind;
    uint8_t bytes;      /* of an element: 1, 2, 4 or 8                                        */
    uint8_t big_endian; /* the byte with the highest bits comes first                         */
    uint8_t fortran;    /* stored column by column                                            */
    uint8_t rank;
    uint64_t extent[WSIM_NPY_RANK];
};

/* The number of elements, at most 2^60. */
WSIM_API uint64_t wsim_npy_count(const struct wsim_npy *array);

/* Bytes of the longest prefix, and of the longest dictionary. */
#define WSIM_NPY_PREFIX 12
#define WSIM_NPY_TEXT (1 << 16)

/* Reads the first WSIM_NPY_PREFIX bytes of a file: where the dictionary starts, and its length.
 * Errors: WSIM_SYNTAX (no .npy file, another version, a dictionary beyond WSIM_NPY_TEXT). */
WSIM_API enum wsim_status wsim_npy_prefix(const void *prefix, size_t *start, size_t *length,
                                          struct wsim_diag *diag);

/* Reads the dictionary, which needs no NUL at its end. Errors: WSIM_SYNTAX. */
WSIM_API enum wsim_status wsim_npy_read(const char *text, size_t length, struct wsim_npy *array,
                                        struct wsim_diag *diag);

/* The bits of an element in the byte order of this machine. */
WSIM_API uint64_t wsim_npy_load(const void *element, unsigned bytes);

/* Reverses the bytes of each element. */
WSIM_API void wsim_npy_swap(void *elements, uint64_t count, unsigned bytes);

/* Writes prefix and dictionary of version 1.0, little-endian. Returns their bytes, a multiple of
 * 64. */
#define WSIM_NPY_WRITTEN 256
WSIM_API size_t wsim_npy_write(const struct wsim_npy *array, char out[WSIM_NPY_WRITTEN]);

#ifdef __cplusplus
}
#endif
#endif
