/* fatbin.h - fat binaries: the PTX and machine code that nvcc stores side by side.
 *
 *     struct wsim_fatbin_member member;
 *     uint64_t cursor = 0;
 *     while (wsim_fatbin_next(file, size, &cursor, &member))
 *         if (member.kind == WSIM_MEMBER_PTX)
 *             count++;
 *
 * wsim_module_load takes a fat binary as it takes text, and unpacks LZ4. It does not unpack
 * Zstandard, the default of nvcc, because the library depends on libc alone. For Zstandard, pass a
 * function of your own to wsim_fatbin_text and give the text to wsim_module_load. */
#ifndef WSIM_FATBIN_H
#define WSIM_FATBIN_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wsim_member_kind {
    WSIM_MEMBER_OTHER,
    WSIM_MEMBER_PTX,
    WSIM_MEMBER_CUBIN,  /* machine code, an ELF file                                */
    WSIM_MEMBER_DAMAGED /* does not lie inside the file; always the last one        */
};

enum wsim_packing {
    WSIM_PACKED_NOT,
    WSIM_PACKED_LZ4,      /* nvcc --compress-mode=speed                             */
    WSIM_PACKED_ZSTANDARD /* nvcc --compress-mode=default, size, balance            */
};

/* A member, unchanged from the file. */
struct wsim_fatbin_member {
    uint8_t kind;      /* enum wsim_member_kind                                       */
    uint8_t packing;   /* enum wsim_packing                                           */
    char variant;      /* 'a' of sm_90a, 'f' of sm_100f; 0: none                      */
    uint32_t arch;     /* 90 of sm_90a                                                */
    const void *bytes; /* in the file                                               */
    uint64_t stored;   /* bytes in the file                                         */
    uint64_t size;     /* bytes when unpacked                                       */
    const char *name;  /* of the source, in the file, not NUL-terminated; NULL: none */
    size_t name_bytes;
};

/* Steps through the members of all fat binaries in a file, or in section .nv_fatbin of a program.
 * Start with *cursor = 0. Returns 1 and fills *member, or 0 past the last one and for a file that
 * is no fat binary. */
WSIM_API int wsim_fatbin_next(const void *file, size_t size, uint64_t *cursor,
                              struct wsim_fatbin_member *member);

/* Unpacks one Zstandard frame of `stored` bytes to exactly `size` bytes. Returns 1, or 0 if the
 * frame is damaged or has another size. */
typedef int wsim_unpack(void *context, const void *from, size_t stored, void *to, size_t size);

/* Writes the member->size bytes of a member to `out`. `zstandard` may be NULL. Errors: WSIM_SYNTAX
 * (the member is damaged), WSIM_UNMODELLED (it is packed with Zstandard and `zstandard` is NULL).
 */
WSIM_API enum wsim_status wsim_fatbin_unpack(const struct wsim_fatbin_member *member,
                                             wsim_unpack *zstandard, void *context, void *out,
                                             struct wsim_diag *diag);

/* Writes the newest PTX in the file that `arch` runs; an `arch` of NULL runs all. sm_90a is newer
 * than sm_90. Members for the same target (sources that were compiled separately) follow each other
 * with a new line between them. Members packed with Zstandard count only if `zstandard` is given.
 * With an `out` of NULL, *bytes is the room that the text needs at most, no more than 1 GiB. Else
 * `out` has that room, and *bytes is the length of the text; no NUL follows it. Errors: WSIM_SYNTAX
 * (no fat binary, a damaged member, no PTX for that target, or more), WSIM_UNMODELLED (its PTX
 * is packed with Zstandard). */
WSIM_API enum wsim_status wsim_fatbin_text(const void *file, size_t size,
                                           const struct wsim_arch *arch, wsim_unpack *zstandard,
                                           void *context, char *out, size_t *bytes,
                                           struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
