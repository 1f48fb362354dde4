/* A fat binary: the text of PTX that is stored in it. Refuses machine code.
 *
 * A header of 16 bytes (magic number, version, its size, the size of all members), then members:
 * kind, version, size of their header, size of the contents, at 28 the architecture, at 40 flags.
 * All numbers are little-endian. Source: the files that nvcc of CUDA 13.0 writes, with and without
 * --no-compress. */
#include "reader.h"

#include <string.h>

enum {
    HEAD = 16,
    MEMBER = 64, /* bytes of a member's header that are looked at */
    KIND_PTX = 1,
    AT_SIZE = 8,
    AT_ARCH = 28,
    AT_FLAGS = 40,
    COMPRESSED = 0xA000 /* LZ4 or Zstandard */
};

static uint64_t number(const unsigned char *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static int has_magic(const unsigned char *at, size_t size) {
    return size >= HEAD && memcmp(at, "\x50\xED\x55\xBA", 4) == 0;
}

/* A member that holds PTX as it is. */
struct member {
    const char *text;
    size_t length; /* to its end, or to a byte that is 0 */
    uint64_t arch;
};

/* The next member from *at on that holds PTX; 0: there is none. *packed: one is compressed. */
static int next_member(const char *file, size_t size, uint64_t *at, int *packed,
                       struct member *out) {
    const unsigned char *bytes = (const unsigned char *)file;
    while (size - *at >= MEMBER) {
        const unsigned char *member = bytes + *at;
        const uint64_t head = number(member + 4, 4), contents = number(member + AT_SIZE, 8);
        if (head < MEMBER || head > size - *at || contents > size - *at - head)
            return 0;
        *at += head + contents;
        if (number(member, 2) != KIND_PTX)
            continue;
        if (number(member + AT_FLAGS, 8) & COMPRESSED) {
            *packed = 1;
            continue;
        }
        out->text = (const char *)member + head;
        out->arch = number(member + AT_ARCH, 4);
        const char *zero = contents ? memchr(out->text, '\0', (size_t)contents) : NULL;
        out->length = zero ? (size_t)(zero - out->text) : (size_t)contents;
        return 1;
    }
    return 0;
}

/* All texts for the newest architecture, a new line between them: separately compiled sources are
 * members of their own. */
const char *ptx_contained(const char *file, size_t size, char *out, size_t *bytes) {
    struct member member;
    uint64_t newest = 0;
    int packed = 0, any = 0;
    *bytes = 0;
    if (size >= 4 && memcmp(file,
                            "\x7f"
                            "ELF",
                            4) == 0)
        return "this is machine code (ELF): PTX comes from nvcc -ptx or cuobjdump -xptx";
    if (!has_magic((const unsigned char *)file, size))
        return NULL;
    for (uint64_t at = HEAD; next_member(file, size, &at, &packed, &member); any = 1)
        newest = member.arch > newest ? member.arch : newest;
    for (uint64_t at = HEAD; next_member(file, size, &at, &packed, &member);) {
        if (member.arch != newest)
            continue;
        if (out && *bytes)
            out[*bytes] = '\n';
        *bytes += *bytes != 0;
        if (out)
            memcpy(out + *bytes, member.text, member.length);
        *bytes += member.length;
    }
    if (any)
        return NULL;
    return packed ? "the PTX of this fat binary is compressed: nvcc --no-compress leaves it as it "
                    "is, cuobjdump -xptx takes it out"
                  : "there is no PTX in this fat binary";
}
