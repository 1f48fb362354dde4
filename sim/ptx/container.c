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

/* The text for the newest architecture. */
const char *ptx_contained(const char **text, size_t *size) {
    const unsigned char *bytes = (const unsigned char *)*text;
    const unsigned char *found = NULL;
    uint64_t end = *size, newest = 0, length = 0;
    int compressed = 0;
    if (end >= 4 && memcmp(bytes,
                           "\x7f"
                           "ELF",
                           4) == 0)
        return "this is machine code (ELF): PTX comes from nvcc -ptx or cuobjdump -xptx";
    if (!has_magic(bytes, *size))
        return NULL;
    for (uint64_t at = HEAD; end - at >= MEMBER;) {
        uint64_t head = number(bytes + at + 4, 4), contents = number(bytes + at + AT_SIZE, 8);
        uint64_t arch = number(bytes + at + AT_ARCH, 4);
        if (head < MEMBER || head > end - at || contents > end - at - head)
            break;
        if (number(bytes + at, 2) == KIND_PTX) {
            int packed = (number(bytes + at + AT_FLAGS, 8) & COMPRESSED) != 0;
            compressed |= packed;
            if (!packed && arch >= newest) {
                newest = arch;
                found = bytes + at + head;
                length = contents;
            }
        }
        at += head + contents;
    }
    if (!found)
        return compressed
                   ? "the PTX of this fat binary is compressed: nvcc --no-compress leaves it as it "
                     "is, cuobjdump -xptx takes it out"
                   : "there is no PTX in this fat binary";
    *text = (const char *)found;
    *size = (size_t)length;
    return NULL;
}
